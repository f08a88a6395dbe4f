package trajectory

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/host/demo/build"
	"agy-reader/sources/profile"
)

// The numbers of the members are those of every profile, and every profile has the fields a header is made of.
func TestFieldNumbers(t *testing.T) {
	t.Parallel()
	for _, info := range profile.List() {
		p, err := profile.Load(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			number protowire.Number
			varint bool
			member string
		}{
			{IDField, false, "trajectoryId"},
			{StepsField, false, "steps"},
			{GenerationsField, false, "generatorMetadata"},
			{TypeField, true, "trajectoryType"},
			{ReferencesField, false, "parentReferences"},
			{CascadeIDField, false, "cascadeId"},
			{MetadataField, false, "metadata"},
			{SourceField, true, "source"},
			{ExecutorsField, false, "executorMetadatas"},
			{BattleModeField, false, "battleModeInfos"},
		} {
			wire := protowire.AppendTag(nil, test.number, protowire.BytesType)
			if test.varint {
				wire = protowire.AppendVarint(protowire.AppendTag(nil, test.number, protowire.VarintType), 1)
			} else if strings.HasSuffix(test.member, "Id") {
				wire = protowire.AppendString(wire, "x")
			} else {
				wire = protowire.AppendBytes(wire, nil)
			}
			var f profile.Findings
			got, err := p.AppendJSON(nil, Message, wire, &profile.JSONOptions{Findings: &f})
			if err != nil || !f.Clean() || !strings.HasPrefix(string(got), `{"`+test.member+`":`) {
				t.Errorf("%s: field %d of %s is %s, %v; want %s", info.Name, test.number, Message, got, err, test.member)
			}
		}
		if missing := p.Resolve(&names).Missing(); len(missing) > 0 {
			t.Errorf("%s lacks %v", info.Name, missing)
		}
	}
}

func TestTypeAndStatus(t *testing.T) {
	t.Parallel()
	step := build.Step(t, `{"type":"CORTEX_STEP_TYPE_CHECKPOINT","status":"CORTEX_STEP_STATUS_CLEARED","metadata":{}}`)
	if kind, status := TypeAndStatus(step); kind != CheckpointType || status != ClearedStatus {
		t.Errorf("type %d, status %d", kind, status)
	}
	if kind, _ := TypeAndStatus(build.Step(t, `{"type":"CORTEX_STEP_TYPE_USER_INPUT"}`)); kind != UserInputType {
		t.Errorf("type %d", kind)
	}
	for _, raw := range [][]byte{nil, {0xff}, {0x0a, 0x00}, {0x08}} {
		if kind, status := TypeAndStatus(raw); kind != -1 || status != -1 {
			t.Errorf("%x: type %d, status %d", raw, kind, status)
		}
	}
}

func TestRanges(t *testing.T) {
	t.Parallel()
	for want, list := range map[string][]int64{
		"": nil, "3": {3}, "3, 7-9": {3, 7, 8, 9}, "0-1": {0, 1},
		"0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 2 more": {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26},
	} {
		if got := Ranges(list); got != want {
			t.Errorf("%v: %q, want %q", list, got, want)
		}
	}
}
