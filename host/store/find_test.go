package store

import (
	"errors"
	"testing"

	"agy-reader/sources"
)

func TestBeginning(t *testing.T) {
	t.Parallel()
	sessions := []Session{{ID: "ABCD1111", Bucket: "first"}, {ID: "abcd1111", Bucket: "second"}, {ID: "abce2222"}, {ID: "abcd11"}}
	for _, test := range []struct {
		text, bucket string
		found        bool
		err          error
	}{
		{"abcd111", "first", true, nil},
		{"ABCE", "", true, nil},
		{"abc", "", false, nil},
		{"", "", false, nil},
		{"ffff", "", false, nil},
		{"abcd", "", false, sources.ErrAmbiguous},
	} {
		s, found, err := Beginning(sessions, test.text)
		if found != test.found || s.Bucket != test.bucket || !errors.Is(err, test.err) {
			t.Errorf("%q: %+v, %v, %v", test.text, s, found, err)
		}
	}
}
