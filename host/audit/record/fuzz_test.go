package record_test

import (
	"strings"
	"testing"

	"agy-reader/host/audit/record"
)

// Whatever a file holds: what is around the section stays, and the record can be read back.
func FuzzInsert(f *testing.F) {
	f.Add(around)
	f.Add(strings.ReplaceAll(around, "\n", "\r\n"))
	f.Add(record.Begin + "\n" + record.End)
	f.Add(record.End + "\n" + record.Begin)
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := record.Insert(text, full)
		if err != nil {
			return
		}
		back, err := record.Parse(got)
		if err != nil || back != full {
			t.Fatalf("%+v, %v", back, err)
		}
		again, err := record.Insert(got, full)
		if err != nil || again != got {
			t.Fatalf("not stable: %q and %q", got, again)
		}
		before, _, _ := strings.Cut(text, record.Begin)
		if !strings.HasPrefix(got, before) {
			t.Fatalf("%q is not before %q", before, got)
		}
		at := strings.LastIndex(text, record.End)
		if !strings.HasSuffix(got, text[at:]) {
			t.Fatalf("%q is not behind %q", text[at:], got)
		}
	})
}
