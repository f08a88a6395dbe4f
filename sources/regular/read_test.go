package regular

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"agy-reader/sources"
)

func TestReadAll(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{"": nil, "1234": nil, "12345": sources.ErrLimit} {
		data, err := ReadAll(strings.NewReader(text), 4)
		if !errors.Is(err, want) || err == nil && string(data) != text {
			t.Errorf("%q: %q, %v", text, data, err)
		}
	}
	broken := errors.New("broken")
	if _, err := ReadAll(iotest.ErrReader(broken), 4); !errors.Is(err, broken) {
		t.Error(err)
	}
}
