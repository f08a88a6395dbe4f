package launch_test

import (
	"strings"
	"testing"

	"agy-reader/plugins/launch"
)

func TestParseRef(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, path, err string }{
		{"here", "plugin:./wordcount", "./wordcount", ""},
		{"above", "plugin:../bin/wordcount", "../bin/wordcount", ""},
		{"absolute", "plugin:/opt/wordcount", "/opt/wordcount", ""},
		{"colon in the name", "plugin:./a:b", "./a:b", ""},
		{"name", "plugin:wordcount", "", "plugins cannot be named yet, only given as a file; write plugin:./wordcount"},
		{"hidden file is a name", "plugin:.wordcount", "", "plugins cannot be named yet"},
		{"nothing", "plugin:", "", "names no plugin"},
		{"other scheme", "markdown", "", "does not start with plugin:"},
		{"null byte", "plugin:./a\x00", "", "is not a file name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ref, err := launch.ParseRef(tt.in)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error is %v", err)
				}
				return
			}
			if err != nil || ref.Path != tt.path {
				t.Errorf("%q, %v", ref.Path, err)
			}
		})
	}
}
