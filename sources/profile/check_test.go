package profile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/testing/protocmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// nested wraps a message in levels of All.an_all.
func nested(levels int, inner wire) wire {
	for range levels {
		inner = wire{}.str(17, string(inner))
	}
	return inner
}

func group(number protowire.Number, content wire) wire {
	out := append(wire(protowire.AppendTag(nil, number, protowire.StartGroupType)), content...)
	return protowire.AppendTag(out, number, protowire.EndGroupType)
}

func anyOf(message string, content wire) string {
	return string(wire{}.str(1, "type.googleapis.com/"+message).str(2, string(content)))
}

func TestCheckFindsUnknownFields(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	unknown := wire{}.str(1900, "new")
	field := func(path string, number, wireType uint32, value string) *transcriptv1.UnknownField {
		return &transcriptv1.UnknownField{Path: path, Number: number, WireType: wireType, Value: []byte(value)}
	}
	tests := []struct {
		name string
		raw  wire
		want []*transcriptv1.UnknownField
	}{
		{"top", unknown, []*transcriptv1.UnknownField{field("steps[3]", 1900, 2, "new")}},
		{"number", wire{}.varint(1900, 300), []*transcriptv1.UnknownField{field("steps[3]", 1900, 0, "\xac\x02")}},
		{"fixed32", wire{}.fixed32(1900, 1), []*transcriptv1.UnknownField{field("steps[3]", 1900, 5, "\x01\x00\x00\x00")}},
		{"fixed64", wire{}.fixed64(1900, 1), []*transcriptv1.UnknownField{field("steps[3]", 1900, 1, "\x01\x00\x00\x00\x00\x00\x00\x00")}},
		{"group", group(1900, wire{}.varint(1, 5)), []*transcriptv1.UnknownField{field("steps[3]", 1900, 3, "\x08\x05\xe4\x76")}},
		{"wire type", wire{}.varint(14, 1), []*transcriptv1.UnknownField{field("steps[3]", 14, 0, "\x01")}},
		{"group where a message belongs", group(17, nil), []*transcriptv1.UnknownField{field("steps[3]", 17, 3, "\x8c\x01")}},
		{"deep", nested(3, unknown), []*transcriptv1.UnknownField{field("steps[3].anAll.anAll.anAll", 1900, 2, "new")}},
		{
			"elements", wire{}.str(57, "").str(54, "x").str(57, string(unknown)).str(57, "").str(57, string(nested(1, unknown))),
			[]*transcriptv1.UnknownField{
				field("steps[3].rAll[1]", 1900, 2, "new"), field("steps[3].rAll[3].anAll", 1900, 2, "new"),
			},
		},
		{
			"map value", wire{}.str(72, string(wire{}.varint(1, 8).str(2, string(unknown)))),
			[]*transcriptv1.UnknownField{field("steps[3].mAll.8", 1900, 2, "new")},
		},
		{
			"map entry", wire{}.str(71, string(wire{}.str(1, "a b\"").str(1900, "new"))),
			[]*transcriptv1.UnknownField{field(`steps[3].mString["a b\""]`, 1900, 2, "new")},
		},
		{
			"any", wire{}.str(101, anyOf(all, nil)).str(101, anyOf(all, nested(1, unknown))),
			[]*transcriptv1.UnknownField{field("steps[3].anys[1].anAll", 1900, 2, "new")},
		},
		{
			"any itself", wire{}.str(81, string(unknown)),
			[]*transcriptv1.UnknownField{field("steps[3].any", 1900, 2, "new")},
		},
		{"bytes stay closed", wire{}.str(15, string(unknown)), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var f Findings
			if err := p.Check(all, tt.raw, "steps[3]", &f); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, f.Unknown, protocmp.Transform()); diff != "" {
				t.Errorf("unknown fields (-want +got):\n%s", diff)
			}
			if f.Known() != (tt.want == nil) {
				t.Errorf("Known is %v", f.Known())
			}
			if len(f.UnknownEnums)+len(f.UnknownWrappers)+len(f.BadText)+len(f.BadValues) > 0 {
				t.Errorf("more findings: %+v", f)
			}
		})
	}
}

func TestCheckFindsOtherThings(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	tests := []struct {
		name string
		raw  wire
		want Findings
	}{
		{"enum", wire{}.varint(16, 9), Findings{UnknownEnums: []string{"aColor=9"}}},
		{"negative enum that has a name", wire{}.varint(16, ^uint64(2)), Findings{}},
		{"enum behind the dense part", wire{}.varint(16, 5000), Findings{}},
		{"open enum", wire{}.str(58, "\x09"), Findings{}},
		{
			"enums in runs and alone", wire{}.str(56, "\x01\x09\x01").varint(56, 1).varint(56, 8).str(56, "\x07"),
			Findings{UnknownEnums: []string{"rColor[1]=9", "rColor[4]=8", "rColor[5]=7"}},
		},
		{
			"enum in a map", wire{}.str(73, string(wire{}.varint(1, 1).varint(2, 9))),
			Findings{UnknownEnums: []string{"mColor.true=9"}},
		},
		{"text", nested(1, wire{}.str(14, "\xff")), Findings{BadText: []string{"anAll.aString"}}},
		{"texts", wire{}.str(54, "ok").str(54, "\xc3"), Findings{BadText: []string{"rString[1]"}}},
		{
			"map text", wire{}.str(71, string(wire{}.str(1, "key").str(2, "\xff"))),
			Findings{BadText: []string{"mString.key"}},
		},
		{
			"map key", wire{}.str(71, string(wire{}.str(1, "\xff").str(2, "v"))),
			Findings{BadText: []string{`mString["` + "\ufffd" + `"]`}},
		},
		{
			"foreign any", wire{}.str(101, "").str(101, anyOf("no.Such", wire{}.varint(1, 1))),
			Findings{UnknownWrappers: []string{"anys[1]=type.googleapis.com/no.Such"}},
		},
		{
			"broken any", wire{}.str(81, anyOf(all, nested(2, wire{}.str(14, "\xff"))[:3])),
			Findings{UnknownWrappers: []string{"any=type.googleapis.com/test.kinds.All: malformed"}},
		},
		{
			"findings of a broken any are taken back", wire{}.str(81, anyOf(all, append(wire{}.str(14, "\xff").varint(1900, 1), 0xff))),
			Findings{UnknownWrappers: []string{"any=type.googleapis.com/test.kinds.All: malformed"}},
		},
		{"any without a type", wire{}.str(81, string(wire{}.str(2, "x"))), Findings{UnknownWrappers: []string{"any="}}},
		{
			"times", wire{}.str(102, "").str(102, string(wire{}.varint(1, ^uint64(0)>>1))).str(83, string(wire{}.varint(1, 1).varint(2, ^uint64(0)))),
			Findings{BadValues: []string{"times[1]=time out of range", "duration=duration out of range"}},
		},
		{
			"values", wire{}.str(85, "").str(103, string(wire{}.fixed64(2, 0x7ff0000000000000))).str(87, string(wire{}.str(1, "fooBar"))),
			Findings{BadValues: []string{"value=value of no kind", "values[0]=value is not a finite number", "mask=path without a JSON form"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var f Findings
			if err := p.Check(all, tt.raw, "", &f); err != nil {
				t.Fatal(err)
			}
			f.pathBytes = 0
			if diff := cmp.Diff(tt.want, f, cmp.AllowUnexported(Findings{}), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if out, err := p.AppendJSON(nil, all, tt.raw, nil); err != nil {
				t.Errorf("AppendJSON: %v", err)
			} else {
				parse(t, out)
			}
		})
	}
}

func TestCheckRefusesWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	tests := []struct {
		name string
		raw  wire
		want string
	}{
		{"cut", wire{}.str(14, "text")[:3], "s: not a test.kinds.All: malformed at byte 0"},
		{"deep", nested(2, wire{0xff}), "s.anAll.anAll: not a test.kinds.All: malformed at byte 0"},
		{"element", wire{}.str(57, "").str(57, "\x0f"), "s.rAll[1]: not a test.kinds.All: malformed at byte 0"},
		{"number 0", wire{0x00, 0x00}, "s: not a test.kinds.All: malformed at byte 0"},
		{"end of no group", wire{0x0c}, "s: not a test.kinds.All: malformed at byte 0"},
		{"wrong end of group", wire{0x0b, 0x14}, "s: not a test.kinds.All: malformed at byte 0"},
		{"long number", wire("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), "s: not a test.kinds.All: malformed at byte 0"},
		{"packed", wire{}.varint(1, 1).str(42, "\xff"), "s: not a packed r_int32: malformed at byte 0"},
		{"packed fixed", wire{}.str(51, "1234567"), "s: not a packed r_fixed64: malformed at byte 0"},
		{"length", wire("\x72\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "s: not a test.kinds.All: malformed at byte 0"},
		{"too deep", nested(maxDepth, nil), "nested deeper than 100 levels"},
		{"groups too deep", groups(maxDepth + 1), "s: not a test.kinds.All: malformed at byte 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var f Findings
			err := p.Check(all, tt.raw, "s", &f)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Check: %v, want %q", err, tt.want)
			}
			if _, err := p.AppendJSON(nil, all, tt.raw, nil); err == nil {
				t.Error("AppendJSON takes it")
			}
		})
	}
	t.Run("deepest", func(t *testing.T) {
		t.Parallel()
		if err := p.Check(all, nested(maxDepth-1, nil), "s", &Findings{}); err != nil {
			t.Error(err)
		}
		if err := p.Check(all, groups(maxDepth), "s", &Findings{}); err != nil {
			t.Error(err)
		}
	})
	t.Run("unknown message", func(t *testing.T) {
		t.Parallel()
		if err := p.Check("no.Such", nil, "s", &Findings{}); err == nil {
			t.Error("no error")
		}
	})
}

func groups(levels int) wire {
	var out wire
	for range levels {
		out = group(1900, out)
	}
	return out
}

// A message full of unknown fields costs bounded memory and linear time.
func TestCheckBoundsFindings(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	var raw wire
	for range 100_000 {
		raw = raw.str(57, string(wire{}.varint(1900, 1))).str(101, string(wire{}.varint(1900, 1)))
	}
	var f Findings
	if err := p.Check(all, raw, "steps[0]", &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Unknown) != maxFindings || f.More != 200_000-maxFindings || f.Known() {
		t.Errorf("%d findings, %d more", len(f.Unknown), f.More)
	}
	if last := f.Unknown[len(f.Unknown)-1].GetPath(); last != "steps[0].anys[32767]" {
		t.Errorf("last path is %s", last)
	}
	f.Reset()
	if !f.Clean() || f.room() != true {
		t.Error("Reset leaves something")
	}
}
