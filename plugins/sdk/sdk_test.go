package sdk

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/rpc"
)

func TestDescribeOption(t *testing.T) {
	t.Parallel()
	var out, err bytes.Buffer
	m := manifest([]Option{Version("1.0"), License("MIT")})
	if code := run(trial.All(), m, []string{"/bin/show", "--describe"}, &out, &err); code != 0 || err.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, err.String())
	}
	var got any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"name": "show", "version": "1.0", "summary": "shows all it sees", "license": "MIT", "sdk": kitName, "wire": []any{1.0},
		"sink": map[string]any{
			"mediaType": "application/octet-stream", "suffix": ".show", "optionsSchema": map[string]any{"type": "object"},
			"capabilities": []any{"blocks", "native", "display", "records", "nested", "many-files"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRunByHand(t *testing.T) {
	tests := []struct{ name, cookie, want string }{
		{"no host", "", "show 1.0 is a plugin for agy-reader: shows all it sees.\nIt does nothing on its own.\n\n" +
			"Use it:       agy-reader convert --to plugin:./show SESSION\nDescribe it:  show --describe\n"},
		{"another host", "something else", "show 1.0 is a plugin for agy-reader: shows all it sees.\nIt does nothing on its own.\n\n" +
			"It was started by a host that expects another kind of plugin (the cookie differs).\n\n" +
			"Use it:       agy-reader convert --to plugin:./show SESSION\nDescribe it:  show --describe\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.cookie != "" {
				t.Setenv(rpc.CookieKey, tt.cookie)
			}
			var out, err bytes.Buffer
			if code := run(trial.All(), manifest([]Option{Version("1.0")}), []string{"/bin/show"}, &out, &err); code != 2 || out.Len() > 0 {
				t.Errorf("exit code %d, standard output %q", code, out.String())
			}
			if diff := cmp.Diff(tt.want, err.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLogger(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	newLogger(&out).With("a", 1).WithGroup("g").Warn("look\nhere", "level", "x", slog.TimeKey, "y")
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if _, err := time.Parse("2006-01-02T15:04:05.000000Z07:00", got["@timestamp"].(string)); err != nil {
		t.Error(err)
	}
	delete(got, "@timestamp")
	want := map[string]any{"@level": "warn", "@message": "look\nhere", "a": 1.0, "g": map[string]any{"level": "x", "time": "y"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if strings.Count(out.String(), "\n") != 1 {
		t.Error("a message must be one line")
	}
}

// Outside a plugin process there is nobody to report to.
func TestReport(t *testing.T) {
	t.Parallel()
	if err := Report(&trial.Memory{}, Diagnostic{Message: "m"}); err != nil {
		t.Error(err)
	}
}
