package profile

import "testing"

func TestEnumName(t *testing.T) {
	t.Parallel()
	p, err := Load("agy-1.0.4")
	if err != nil {
		t.Fatal(err)
	}
	var n Names
	kind := n.Field("gemini_coder.Step", "type")
	absent := n.Field("gemini_coder.Step", "no_such_field")
	text := n.Field("gemini_coder.TaskDetails", "id")
	r := p.Resolve(&n)
	for _, tt := range []struct {
		name   string
		field  Field
		number int64
		want   string
		json   string
	}{
		{"known", kind, 21, "RUN_COMMAND", `"CORTEX_STEP_TYPE_RUN_COMMAND"`},
		{"no such value", kind, 9999, "9999", "9999"},
		{"no such field", absent, 21, "21", "21"},
		{"not an enum", text, 3, "3", "3"},
		{"zero field", Field{}, 7, "7", "7"},
	} {
		if got := string(r.AppendEnum(nil, tt.field, tt.number)); got != tt.json {
			t.Errorf("%s: JSON %s, want %s", tt.name, got, tt.json)
		}
		if got := r.EnumName(tt.field, tt.number); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
