package convert_test

import (
	"errors"
	"testing"

	"agy-reader/host/convert"
	"agy-reader/host/diag"
)

func FuzzParseSelection(f *testing.F) {
	for _, seed := range []string{"", "1", "10-20", "10-", "prompts", "no-tools", "3,10-20,no-tools", "-", ",", "1-2-3", "4294967296", "٣"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := convert.ParseSelection(text)
		switch {
		case err != nil && !errors.Is(err, diag.ErrUsage):
			t.Errorf("%q: an error of no kind: %v", text, err)
		case err == nil && s.All() != (text == ""):
			t.Errorf("%q selects everything: %v", text, s.All())
		case err == nil && s.String() != text:
			t.Errorf("%q became %q", text, s)
		}
	})
}
