package verify

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	var c canonicalizer
	for in, want := range map[string]string{
		`{ "b" : 1, "a" : [ true , null ] }`:       `{"a":[true,null],"b":1}`,
		`{"b":{"d":1,"c":2},"a":{"z":"\u0061\/"}}`: `{"a":{"z":"a/"},"b":{"c":2,"d":1}}`,
		`"\ud83d\ude00\n"`:                         "\"\U0001F600\\n\"",
		`100`:                                      `1e2`, `1.50`: `15e-1`, `0.0`: `0`, `-0`: `-0`, `1e2`: `1e2`, `0.10E+3`: `1e2`, `-12`: `-12`,
		`9007199254740993`: `9007199254740993`, `123456789012345678901234567890`: `12345678901234567890123456789e1`,
		`{}`: `{}`, `[]`: `[]`, `""`: `""`,
	} {
		got, err := c.append(nil, []byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", in, got, err, want)
		}
	}
	for _, in := range []string{
		``, `{`, `{"a"}`, `{"a":1,"a":1}`, `{"a":1,"\u0061":2}`, `[1,]`, `1 2`, `"\ud800"`, "\"\xff\"", `tru`, `{"a":1}}`,
		strings.Repeat("[", 300) + strings.Repeat("]", 300), strings.Repeat(`{"a":`, 20000),
		`{` + strings.Repeat(`"":0,`, maxOpenMembers+1),
	} {
		if got, err := c.append(nil, []byte(in)); err == nil {
			t.Errorf("%.40s: %.40s", in, got)
		}
	}
}

// equal is the oracle: two JSON values that say the same.
func equal(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for name, v := range x {
			w, both := y[name]
			if !both || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := b.(json.Number)
		if !ok || x == y {
			return ok
		}
		r, ok := new(big.Rat).SetString(string(x))
		s, also := new(big.Rat).SetString(string(y))
		return ok && also && r.Cmp(s) == 0 && (r.Sign() != 0 || strings.HasPrefix(string(x), "-") == strings.HasPrefix(string(y), "-"))
	}
	return reflect.DeepEqual(a, b)
}

// FuzzCanonical: two texts have one form exactly when they say the same, by another library; and the form is its own form.
func FuzzCanonical(f *testing.F) {
	f.Add(`{"b":1.0,"a":"\u00fc"}`, `{"a":"ü","b":1}`)
	f.Add(`{"a":[1,{"c":2,"b":3}]}`, `{"a":[1,{"b":3,"c":2.5}]}`)
	f.Add(`[0,-0,0e5]`, `[0,0,0]`)
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 1<<12 || len(b) > 1<<12 || hugeExponent(a) || hugeExponent(b) {
			return // the oracle would compute such numbers
		}
		var c canonicalizer
		x, errX := c.append(nil, []byte(a))
		y, errY := c.append(nil, []byte(b))
		if errX == nil {
			again, err := c.append(nil, x)
			if err != nil || !bytes.Equal(again, x) {
				t.Fatalf("%q: %q becomes %q, %v", a, x, again, err)
			}
			if _, err := tree([]byte(a)); err != nil {
				t.Fatalf("%q is no JSON: %v", a, err)
			}
		}
		if errX != nil || errY != nil {
			return
		}
		v, _ := tree([]byte(a))
		w, _ := tree([]byte(b))
		if same := bytes.Equal(x, y); same != equal(v, w) {
			t.Fatalf("%q and %q: same form %v (%q, %q)", a, b, same, x, y)
		}
	})
}

// hugeExponent reports whether a text may hold a number with an exponent of more than three digits.
func hugeExponent(s string) bool {
	digits := 0
	seen := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == 'e' || c == 'E':
			seen, digits = true, 0
		case c >= '0' && c <= '9':
			if digits++; seen && digits > 3 {
				return true
			}
		case c != '+' && c != '-':
			seen, digits = false, 0
		}
	}
	return false
}

// FuzzClosed: a message without a schema keeps all it says, whatever order it is put in.
func FuzzClosed(f *testing.F) {
	f.Add([]byte{0x1a, 0x05, 0x0a, 0x01, 'b', 0x10, 0x01, 0x1a, 0x05, 0x0a, 0x01, 'a', 0x10, 0x02, 0x08, 0x01})
	f.Add([]byte("hello"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		form, ok := closedForm(raw, 0)
		if !ok {
			if !bytes.Equal(form, raw) {
				t.Fatalf("%x became %x", raw, form)
			}
			return
		}
		again, ok := closedForm(form, 0)
		if !ok || !bytes.Equal(again, form) {
			t.Fatalf("%x becomes %x and then %x", raw, form, again)
		}
		if len(form) != len(raw) || !sameBytes(form, raw) {
			t.Fatalf("%x became %x", raw, form)
		}
		if _, ok := closedText([]byte(base64.StdEncoding.EncodeToString(raw))); !ok {
			t.Fatalf("%x is a message and its base64 is not", raw)
		}
	})
}

// sameBytes reports whether one is the other in another order.
func sameBytes(a, b []byte) bool {
	var counts [256]int
	for i := range a {
		counts[a[i]]++
		counts[b[i]]--
	}
	return counts == [256]int{}
}

// Only fields of different numbers, and entries of maps, may change places.
func TestClosedKeepsLists(t *testing.T) {
	t.Parallel()
	list := func(texts ...string) (out []byte) {
		for _, s := range texts {
			out = protowire.AppendString(protowire.AppendTag(out, 4, protowire.BytesType), s)
		}
		return out
	}
	a, _ := closedForm(list("second one", "first one"), 0)
	b, _ := closedForm(list("first one", "second one"), 0)
	if bytes.Equal(a, b) {
		t.Error("the order of texts does not count")
	}
}

func TestGeneral(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"steps[12].a[3].b": "steps[].a[].b", "a": "a", "": "", `a["x[1]"].b[2]`: `a["x[]"].b[]`, "a[1][2]": "a[][]",
	} {
		if got := general(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
