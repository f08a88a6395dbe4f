package merge

import "testing"

func TestWithMembers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ own, more, want string }{
		{`{"a":1}`, `{"a":2,"b":{"c":[1,"}"]}}`, `{"a":1,"b":{"c":[1,"}"]}}`},
		{`{}`, `{"a":2,"b":3}`, `{"a":2,"b":3}`},
		{`{"a":1}`, `{}`, `{"a":1}`},
		{``, `{"a":2}`, `{"a":2}`},
		{`{"a":1}`, ``, `{"a":1}`},
		{`{"a":1}`, `{"b":`, `{"a":1}`},
		{`{"a":`, `{"b":1}`, `{"a":`},
		{`[1]`, `{"b":1}`, `[1]`},
		{`{"\u0061":1}`, `{"a":2}`, `{"\u0061":1}`},
	} {
		if got := string(withMembers([]byte(test.own), []byte(test.more))); got != test.want {
			t.Errorf("%s with %s: %s, want %s", test.own, test.more, got, test.want)
		}
	}
}
