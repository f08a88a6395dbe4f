package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"agy-reader/host/sidecar"
	"agy-reader/host/sync/fetch"
)

// JSON is shown as it came: numbers beyond 2^53, exponents, escapes, members nobody knows, in their order; what the sidecar
// adds comes last.
func TestReferenceN44NumbersUnchanged(t *testing.T) {
	t.Parallel()
	var block sidecar.Block
	for _, test := range []struct{ trajectory, block, want string }{
		{`{"n":9007199254740993,"e":1e400,"z":-0,"é":"\u00e9<"}`, "", "{\n  \"n\": 9007199254740993,\n  \"e\": 1e400,\n  \"z\": -0,\n  \"é\": \"\\u00e9<\"\n}\n"},
		{`{"b":1,"a":[]}`, `{"x":18446744073709551615}`, "{\n  \"b\": 1,\n  \"a\": [],\n  \"agyReader\": {\n    \"kept\": {\n      \"x\": 18446744073709551615\n    }\n  }\n}\n"},
		{` { } `, `1.10`, "{\n  \"agyReader\": {\n    \"kept\": 1.10\n  }\n}\n"},
	} {
		block = sidecar.Block{}
		if test.block != "" {
			block.Set("kept", json.RawMessage(test.block))
		}
		text, err := sidecarText(&fetch.Found{Trajectory: json.RawMessage(test.trajectory), Block: block})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := indent(&out, text); err != nil || out.String() != test.want {
			t.Errorf("%s\n%s\nwant\n%s%v", test.trajectory, out.String(), test.want, err)
		}
	}
}
