package profile

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// wire builds messages for tests.
type wire []byte

func (w wire) varint(number protowire.Number, v uint64) wire {
	return protowire.AppendVarint(protowire.AppendTag(w, number, protowire.VarintType), v)
}

func (w wire) str(number protowire.Number, v string) wire {
	return protowire.AppendString(protowire.AppendTag(w, number, protowire.BytesType), v)
}

func (w wire) fixed64(number protowire.Number, v uint64) wire {
	return protowire.AppendFixed64(protowire.AppendTag(w, number, protowire.Fixed64Type), v)
}

func (w wire) fixed32(number protowire.Number, v uint32) wire {
	return protowire.AppendFixed32(protowire.AppendTag(w, number, protowire.Fixed32Type), v)
}

const all = "test.kinds.All"

// kindFields are the fields of All by name.
func kindFields(p *Profile) (*Resolved, map[string]Field) {
	n, fields := new(Names), make(map[string]Field)
	for _, m := range []string{all, "test.kinds.Small", "test.kinds.Step"} {
		for _, f := range p.schema.messages[m].table().fields {
			fields[f.name] = n.Field(m, f.name)
		}
	}
	return p.Resolve(n), fields
}

func TestViewReadsByName(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	r, f := kindFields(p)
	minusOne := ^uint64(0)
	raw := wire{}.str(84, "").varint(1, 1).varint(2, minusOne).varint(3, 3).varint(4, 1<<33|5).varint(7, minusOne).
		fixed32(8, 0xffffffff).fixed64(13, 0x3ff8000000000000).fixed32(12, 0x3fc00000).str(14, "first").str(14, "text").
		str(15, "\xff").varint(16, 1).str(17, string(wire{}.str(14, "sub"))).varint(22, 0).varint(36, 77).
		str(82, string(wire{}.varint(1, 1700000000).varint(2, 5))).str(83, string(wire{}.varint(1, 2)))
	v := r.View(all, raw, &Findings{})
	check := func(name string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	check("bool", v.Bool(f["a_bool"]), true)
	check("int32", v.Int(f["an_int32"]), int64(-1))
	check("sint32", v.Int(f["a_sint32"]), int64(-2))
	check("uint32 is cut", v.Int(f["a_uint32"]), int64(5))
	check("uint64", v.Uint(f["a_uint64"]), minusOne)
	check("sfixed32", v.Int(f["a_sfixed32"]), int64(-1))
	check("double", v.Float(f["a_double"]), 1.5)
	check("float", v.Float(f["a_float"]), 1.5)
	check("last string wins", v.Str(f["a_string"]), "text")
	check("bytes as text", v.Str(f["a_bytes"]), "\xff")
	check("bytes", string(v.Bytes(f["a_bytes"])), "\xff")
	check("enum", v.Enum(f["a_color"]), "RED")
	check("full enum", v.EnumFull(f["a_color"]), "COLOR_RED")
	check("unknown enum", v.Enum(f["o_color"]), "77")
	check("absent enum", v.Enum(f["c_color"]), "")
	check("sub", v.Sub(f["an_all"]).Str(f["a_string"]), "sub")
	check("sub of another message's handle", v.Sub(f["an_all"]).Str(f["text"]), "")
	check("has zero", v.Has(f["o_int32"]), true)
	check("has not", v.Has(f["o_bool"]), false)
	ns, ok := v.Time(f["time"])
	check("time", ns, int64(1700000000000000005))
	check("time ok", ok, true)
	d, ok := v.Duration(f["duration"])
	check("duration", d, int64(2e9))
	check("duration ok", ok, true)
	check("kind mismatch", v.Int(f["a_string"]), int64(0))
	check("kind mismatch text", v.Str(f["a_bool"]), "")
	check("zero handle", v.Has(Field{}), false)
	check("zero view", View{}.Str(f["a_string"]), "")
	check("unknown message", r.View("no.Such", raw, nil).Valid(), false)
}

func TestViewTimes(t *testing.T) {
	t.Parallel()
	r, f := kindFields(kindsProfile(t))
	tests := []struct {
		name  string
		s, n  uint64
		valid bool
	}{
		{"zero", 0, 0, false},
		{"first day", 86399, 0, false},
		{"second day", 86400, 0, true},
		{"year 2200", 7289654399, 999999999, true},
		{"year 2201", 7289654400, 0, false},
		{"u64 max", ^uint64(0), 0, false},
		{"bad nanos", 1700000000, 1000000000, false},
	}
	for _, tt := range tests {
		raw := wire{}.str(82, string(wire{}.varint(1, tt.s).varint(2, tt.n)))
		if _, ok := r.View(all, raw, nil).Time(f["time"]); ok != tt.valid {
			t.Errorf("%s: ok is %v, want %v", tt.name, ok, tt.valid)
		}
	}
}

func TestViewPieces(t *testing.T) {
	t.Parallel()
	r, f := kindFields(kindsProfile(t))
	small := func(text string) string { return string(wire{}.str(1, text)) }
	number := func(n uint64) string { return string(wire{}.varint(2, n)) }

	t.Run("singular messages add up", func(t *testing.T) {
		v := r.View(all, wire{}.str(17, string(wire{}.str(14, "a"))).varint(1, 1).str(17, string(wire{}.varint(2, 7))), nil)
		if sub := v.Sub(f["an_all"]); sub.Str(f["a_string"]) != "a" || sub.Int(f["an_int32"]) != 7 {
			t.Errorf("got %q, %d", sub.Str(f["a_string"]), sub.Int(f["an_int32"]))
		}
	})
	t.Run("last member of a oneof wins", func(t *testing.T) {
		v := r.View(all, wire{}.str(300, small("a")).str(62, "text").str(300, number(7)), nil)
		name, member, ok := v.Which("choice")
		if !ok || name != "c_small" || member.Str(f["text"]) != "" || member.Int(f["number"]) != 7 {
			t.Errorf("got %q, %v, %q, %d", name, ok, member.Str(f["text"]), member.Int(f["number"]))
		}
		if v.Has(f["c_string"]) || !v.Has(f["c_small"]) {
			t.Errorf("a overwritten member is present, or the last is absent")
		}
	})
	t.Run("members of one kind in a row add up", func(t *testing.T) {
		v := r.View(all, wire{}.str(62, "x").str(300, small("a")).str(300, number(7)), nil)
		if s := v.Sub(f["c_small"]); s.Str(f["text"]) != "a" || s.Int(f["number"]) != 7 {
			t.Errorf("got %q, %d", s.Str(f["text"]), s.Int(f["number"]))
		}
	})
	t.Run("no member", func(t *testing.T) {
		if name, _, ok := r.View(all, wire{}.varint(1, 1), nil).Which("choice"); ok {
			t.Errorf("got %q", name)
		}
		if _, _, ok := r.View(all, nil, nil).Which("nothing"); ok {
			t.Error("an undeclared oneof has a member")
		}
	})
}

func TestViewLists(t *testing.T) {
	t.Parallel()
	r, f := kindFields(kindsProfile(t))
	entry := func(k, v string) string { return string(wire{}.str(1, k).str(2, v)) }
	raw := wire{}.str(54, "a").varint(42, 1).str(54, "b").str(42, string([]byte{2, 3})).str(57, string(wire{}.varint(2, 1))).
		varint(1, 1).str(54, "c").varint(42, 4).str(57, string(wire{}.varint(2, 2))).
		str(71, entry("b", "old")).str(71, entry("a", "1")).str(71, entry("b", "new")).str(71, "")
	v := r.View(all, raw, nil)
	var texts, entries []string
	var numbers, subs []int64
	v.EachStr(f["r_string"], func(s string) bool { texts = append(texts, s); return true })
	v.EachInt(f["r_int32"], func(n int64) bool { numbers = append(numbers, n); return true })
	v.Each(f["r_all"], func(v View) bool { subs = append(subs, v.Int(f["an_int32"])); return true })
	v.EachEntry(f["m_string"], func(k, s string) bool { entries = append(entries, k+"="+s); return true })
	if want := []string{"a", "b", "c"}; !slices.Equal(texts, want) {
		t.Errorf("texts %v, want %v", texts, want)
	}
	if want := []int64{1, 2, 3, 4}; !slices.Equal(numbers, want) {
		t.Errorf("numbers %v, want %v", numbers, want)
	}
	if want := []int64{1, 2}; !slices.Equal(subs, want) {
		t.Errorf("subs %v, want %v", subs, want)
	}
	if want := []string{"=", "a=1", "b=new"}; !slices.Equal(entries, want) {
		t.Errorf("entries %v, want %v", entries, want)
	}
	stopped := 0
	v.EachStr(f["r_string"], func(string) bool { stopped++; return false })
	v.EachInt(f["r_int32"], func(n int64) bool { stopped++; return n < 2 })
	v.EachEntry(f["m_string"], func(string, string) bool { stopped++; return false })
	if stopped != 1+2+1 {
		t.Errorf("%d calls after false", stopped)
	}
}

func TestViewEachLine(t *testing.T) {
	t.Parallel()
	r, f := kindFields(kindsProfile(t))
	raw := wire{}.str(57, string(wire{}.varint(16, 1).str(14, "gone").str(14, "red"))).varint(1, 1).str(57, "").
		str(57, string(wire{}.str(14, "bad \xff").varint(16, 77))).str(57, string(wire{}.varint(14, 1).str(16, "")))
	v := r.View(all, raw, nil)
	for _, text := range []string{"a_string", "c_string"} { // the second is in a oneof and goes the long way
		var got, want []string
		v.EachLine(f["r_all"], f[text], f["a_color"], func(text, kind string) bool {
			got = append(got, text+" "+kind)
			return true
		})
		v.Each(f["r_all"], func(e View) bool {
			want = append(want, e.Str(f[text])+" "+e.Enum(f["a_color"]))
			return true
		})
		if !slices.Equal(got, want) || len(got) != 4 {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if v.EachLine(f["r_string"], f["a_string"], f["a_color"], func(string, string) bool { t.Error("called"); return true }); t.Failed() {
		return
	}
	calls := 0
	v.EachLine(f["r_all"], f["a_string"], f["a_color"], func(string, string) bool { calls++; return false })
	if calls != 1 {
		t.Errorf("%d calls after false", calls)
	}
}

func TestViewRepairsText(t *testing.T) {
	t.Parallel()
	r, f := kindFields(kindsProfile(t))
	raw := wire{}.str(14, "a\xff\xfez").str(54, "\xc3").str(71, string(wire{}.str(1, "\xff").str(2, "ok")))
	v := r.View(all, raw, &Findings{BadText: []string{"aString"}})
	if got := v.Str(f["a_string"]); got != "a\ufffd\ufffdz" {
		t.Errorf("got %q", got)
	}
	v.EachStr(f["r_string"], func(s string) bool {
		if s != "\ufffd" {
			t.Errorf("element %q", s)
		}
		return true
	})
	v.EachEntry(f["m_string"], func(k, s string) bool {
		if k != "\ufffd" || s != "ok" {
			t.Errorf("entry %q %q", k, s)
		}
		return true
	})
}

// Messages with more fields than the index holds, and more than it has bits for, read like others.
func TestViewOfWideMessages(t *testing.T) {
	t.Parallel()
	text := "syntax = \"proto3\"; message Wide {\n"
	const width = 90
	for i := 1; i <= width; i++ {
		text += "int32 f" + strconv.Itoa(i) + " = " + strconv.Itoa(i*3) + ";\n"
	}
	text += "oneof one { string s = 400; Wide w = 401; } repeated int32 r = 402; }"
	p, err := newProfile(kindsManifestWithout(), compileText(t, text))
	if err != nil {
		t.Fatal(err)
	}
	n := new(Names)
	var fields []Field
	for i := 1; i <= width; i++ {
		fields = append(fields, n.Field("Wide", "f"+strconv.Itoa(i)))
	}
	s, w, rep := n.Field("Wide", "s"), n.Field("Wide", "w"), n.Field("Wide", "r")
	r := p.Resolve(n)
	for _, step := range []int{1, 2, 7} {
		raw := wire{}.str(403, strings.Repeat("far away", 5000*(step-1))) // an unknown field
		raw = raw.str(400, "gone").varint(402, 1)
		for i := width; i >= 1; i-- {
			if i%step == 0 {
				raw = raw.varint(protowire.Number(i*3), 1).varint(protowire.Number(i*3), uint64(i))
			}
		}
		raw = raw.str(401, string(wire{}.varint(3, 5))).str(402, "\x02\x03")
		v := r.View("Wide", raw, nil)
		for i := 1; i <= width; i++ {
			want := int64(0)
			if i%step == 0 {
				want = int64(i)
			}
			if got := v.Int(fields[i-1]); got != want {
				t.Errorf("step %d: f%d is %d, want %d", step, i, got, want)
			}
			if v.Has(fields[i-1]) != (i%step == 0) {
				t.Errorf("step %d: presence of f%d is wrong", step, i)
			}
		}
		name, member, ok := v.Which("one")
		if !ok || name != "w" || member.Int(fields[0]) != 5 || v.Has(s) || v.Sub(w).Int(fields[0]) != 5 {
			t.Errorf("step %d: oneof reads %q %v", step, name, ok)
		}
		var list []int64
		v.EachInt(rep, func(n int64) bool { list = append(list, n); return true })
		if want := []int64{1, 2, 3}; !slices.Equal(list, want) {
			t.Errorf("step %d: list %v, want %v", step, list, want)
		}
	}
}

func TestViewAllocatesNothing(t *testing.T) {
	r, f := kindFields(kindsProfile(t))
	raw := wire{}.varint(1, 1).str(14, "text").str(17, string(wire{}.str(14, "sub"))).str(54, "x").
		str(71, string(wire{}.str(1, "k").str(2, "v")))
	none := new(Findings)
	length := 0
	allocs := testing.AllocsPerRun(100, func() {
		v := r.View(all, raw, none)
		length += len(v.Str(f["a_string"])) + len(v.Sub(f["an_all"]).Str(f["a_string"]))
		v.EachStr(f["r_string"], func(s string) bool { length += len(s); return true })
		v.EachEntry(f["m_string"], func(k, s string) bool { length += len(k) + len(s); return true })
		if _, m, ok := v.Which("choice"); ok {
			length += len(m.Raw())
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestResolvedMissing(t *testing.T) {
	t.Parallel()
	n := new(Names)
	n.Field(all, "a_bool")
	gone := n.Field(all, "gone")
	n.Field("no.Such", "x")
	r := kindsProfile(t).Resolve(n)
	if want := []string{all + "/gone", "no.Such/x"}; !slices.Equal(r.Missing(), want) {
		t.Errorf("missing %v, want %v", r.Missing(), want)
	}
	if r.View(all, wire{}.varint(1, 1), nil).Has(gone) {
		t.Error("a missing field is present")
	}
}

func TestViewAny(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	r, f := kindFields(p)
	const prefix = "type.googleapis.com/"
	raw := wire{}.str(81, anyOf("test.kinds.Small", wire{}.str(1, "in"))).str(101, anyOf("no.Such", wire{}.str(1, "x"))).
		str(101, anyOf(all, wire{}.str(14, "text")))
	v := r.View(all, raw, nil)
	if v.Message() != all || string(v.Raw()) != string(raw) || !v.Valid() {
		t.Errorf("view of %s", v.Message())
	}
	url, content := v.Any(f["any"])
	if url != prefix+"test.kinds.Small" || content.Str(f["text"]) != "in" || content.Message() != "test.kinds.Small" {
		t.Errorf("any %s %q", url, content.Str(f["text"]))
	}
	if url, content = v.Sub(f["any"]).OpenAny(); url != prefix+"test.kinds.Small" || content.Str(f["text"]) != "in" {
		t.Errorf("opened %s %q", url, content.Str(f["text"]))
	}
	var seen []string
	v.EachAny(f["anys"], func(url string, content View) bool {
		seen = append(seen, strings.TrimPrefix(url, prefix)+" "+strconv.FormatBool(content.Valid())+" "+content.Str(f["a_string"]))
		return true
	})
	if want := []string{"no.Such false ", all + " true text"}; !slices.Equal(seen, want) {
		t.Errorf("anys %q, want %q", seen, want)
	}
	if url, content = v.Any(f["a_string"]); url != "" || content.Valid() {
		t.Error("a text opens as Any")
	}
	if url, content = v.OpenAny(); url != "" || content.Valid() {
		t.Error("a plain message opens as Any")
	}
	if out := v.Sub(f["any"]).AppendJSON(nil); string(out) != `{"@type":"`+prefix+`test.kinds.Small","text":"in"}` {
		t.Errorf("JSON %s", out)
	}
	if out := (View{}).AppendJSON([]byte("x")); string(out) != "xnull" {
		t.Errorf("JSON of nothing is %s", out)
	}
	if out := r.View(all, wire{}.str(14, "cut")[:3], nil).AppendJSON([]byte("x")); string(out) != "xnull" {
		t.Errorf("JSON of damage is %s", out)
	}
}
