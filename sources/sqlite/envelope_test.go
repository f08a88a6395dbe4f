package sqlite

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources/profile"
)

// The few field numbers this package writes or reads itself are those of every profile.
func TestFieldNumbers(t *testing.T) {
	t.Parallel()
	for _, info := range profile.List() {
		p, err := profile.Load(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			message string
			number  protowire.Number
			varint  bool
			member  string
		}{
			{"gemini_coder.Step", stepTypeField, true, "type"},
			{"gemini_coder.Step", stepStatusField, true, "status"},
			{"gemini_coder.Step", stepMetadataField, false, "metadata"},
			{"gemini_coder.Step", stepSubField, false, "subtrajectory"},
			{"gemini_coder.Step", stepErrorField, false, "error"},
			{"gemini_coder.Step", stepPermissionsField, false, "permissions"},
			{"gemini_coder.Step", stepTaskField, false, "taskDetails"},
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
			got, err := p.AppendJSON(nil, test.message, wire, &profile.JSONOptions{Findings: &f})
			if err != nil || !f.Clean() || !strings.HasPrefix(string(got), `{"`+test.member+`":`) {
				t.Errorf("%s: field %d of %s is %s, %v; want %s", info.Name, test.number, test.message, got, err, test.member)
			}
		}
		if missing := p.Resolve(&names).Missing(); len(missing) > 0 {
			t.Errorf("%s lacks %v", info.Name, missing)
		}
	}
}

func FuzzEnvelope(f *testing.F) {
	f.Add(userStep("hello"))
	f.Add([]byte{0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, payload []byte) {
		e := readEnvelope(payload)
		if e.hasMetadata && len(e.metadata) >= len(payload) {
			t.Error("a field is bigger than its message")
		}
	})
}
