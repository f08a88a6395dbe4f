package interpret

import (
	"bytes"
	"encoding/json"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources"
)

// brokenPayloads are bytes that are no step, each in its own way.
func brokenPayloads() map[string][]byte {
	deep := []byte{8, 15}
	for range 200 {
		deep = protowire.AppendTag(deep, 100, protowire.StartGroupType)
	}
	for range 200 {
		deep = protowire.AppendTag(deep, 100, protowire.EndGroupType)
	}
	return map[string][]byte{
		"garbage":    []byte("\xff\xff\xff\xff"),
		"text":       []byte("plain text"),
		"cut off":    []byte("\x08\x0f\xa2\x01\x0d\x0a\x0bhello"),
		"group":      {0x0b},
		"field 0":    {0, 1},
		"bad inside": []byte("\x08\x0f\xa2\x01\x02\x0a\xff"),
		"end group":  {8, 15, 0x0c},
		"deep group": deep,
	}
}

// TestDamagedStepHasJSON checks that a step without a readable payload has both JSON forms, made of its columns, and that
// its bytes are kept.
func TestDamagedStepHasJSON(t *testing.T) {
	t.Parallel()
	s, ip := loadSchema(t), New(load(t))
	columns := make(map[protowire.Number][]byte)
	for b := s.payload(t, `{"metadata": {"createdAt": "2026-07-01T10:00:00Z", "executionId": "e-1"}, "error": {"shortError": "it broke"}}`); len(b) > 0; {
		number, _, n := protowire.ConsumeTag(b)
		value, m := protowire.ConsumeBytes(b[n:])
		columns[number], b = value, b[n+m:]
	}
	const whole = `{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_DONE",` +
		`"metadata":{"createdAt":"2026-07-01T10:00:00Z","executionId":"e-1"},"error":{"shortError":"it broke"}}`
	for name, payload := range brokenPayloads() {
		for _, tt := range []struct {
			name  string
			in    *Input
			want  string
			onlys int
			lost  int
		}{
			{"all columns", &Input{StepType: 15, Status: 3, Metadata: columns[5], Error: columns[31]}, whole, 0, 1},
			{"no columns", &Input{StepType: -1, Status: -1}, `{}`, 0, 1},
			{"unknown numbers", &Input{StepType: 9999, Status: 88}, `{"type":9999,"status":88}`, 0, 1},
			{"a broken column", &Input{StepType: 15, Metadata: []byte("\xff")}, `{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE"}`, 0, 2},
			{"bad text", &Input{Error: []byte("\x12\x01\xff"), StepType: -1}, "{\"error\":{\"shortError\":\"\uFFFD\"}}", 1, 1},
		} {
			tt.in.Index, tt.in.Payload = 5, payload
			ev := interpret(t, ip, sources.Want{Display: true, Native: true}, tt.in)
			st := ev[0].GetStep()
			if !json.Valid(st.GetDisplayJson()) || string(st.GetDisplayJson()) != tt.want || string(st.GetNativeJson()) != tt.want {
				t.Errorf("%s, %s: display %s, native %s, want %s", name, tt.name, st.GetDisplayJson(), st.GetNativeJson(), tt.want)
			}
			u := st.GetUnknown()
			if len(u) != tt.lost || u[0].GetPath() != payloadColumn || !bytes.Equal(u[0].GetValue(), payload) {
				t.Errorf("%s, %s: the bytes are lost: %v", name, tt.name, u)
			}
			if len(st.GetSourceOnly()) != tt.onlys {
				t.Errorf("%s, %s: beside the JSON: %v", name, tt.name, st.GetSourceOnly())
			}
			if n := notesOf(ev); len(n) == 0 || n[0].GetKind() != "damage" || !n[0].GetIncomplete() {
				t.Errorf("%s, %s: notes %v", name, tt.name, n)
			}
			if err := stepErr(ip, sources.Want{Display: true, Strict: true}, tt.in); err == nil {
				t.Errorf("%s, %s: strict reading accepts it", name, tt.name)
			}
		}
	}
}
