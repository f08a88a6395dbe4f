package launch

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxLine)
	tests := []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"two", "a\nb\n", []string{"a", "b"}},
		{"no last break", "a\r\nb", []string{"a", "b"}},
		{"empty lines", "\n\n", []string{"", ""}},
		{"too long", long + "yyy\nb\n", []string{long, "b"}},
		{"far too long", long + long + long + "yyy\nb", []string{long, "b"}},
		{"too long at the end", long + "yyy", []string{long}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			readLines(strings.NewReader(tt.in), func(line string) { got = append(got, line) })
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLogLine(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, line, text, logged string }{
		{"plain", "hello", "hello", "level=DEBUG msg=hello\n"},
		{"control characters", "a\x1bb", "a\x1bb", `level=DEBUG msg=a\u001bb` + "\n"},
		{
			"from the kit", `{"@level":"warn","@message":"look","@timestamp":"x","b":2,"a":"\u001b"}`, `warn: look a="\u001b" b=2`,
			`level=WARN msg=look a="\"\\u001b\"" b=2` + "\n",
		},
		{"stack stays out of the text", `{"@level":"error","@message":"m","stack":"s"}`, "error: m", "level=ERROR msg=m stack=\"\\\"s\\\"\"\n"},
		{"message is no text", `{"@message":5,"@level":"info"}`, `{"@message":5,"@level":"info"}`, "level=DEBUG msg=\"{\\\"@message\\\":5,\\\"@level\\\":\\\"info\\\"}\"\n"},
		{"not JSON", `{"@message"`, `{"@message"`, "level=DEBUG msg=\"{\\\"@message\\\"\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var logged strings.Builder
			text := logLine(testLogger(&logged), tt.line)
			if diff := cmp.Diff([]string{tt.text, tt.logged}, []string{text, logged.String()}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzLogLine(f *testing.F) {
	f.Add(`{"@level":"warn","@message":"look","x":[1,{}]}`)
	f.Add("null")
	f.Fuzz(func(_ *testing.T, line string) {
		logLine(slog.New(slog.DiscardHandler), line)
	})
}

func testLogger(w *strings.Builder) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

func TestTail(t *testing.T) {
	t.Parallel()
	var full tail
	if full.excerpt() != "" {
		t.Error("an empty tail has an excerpt")
	}
	for range 100_000 {
		full.add("a line of some length, many times")
	}
	if full.size > maxTail || full.size < maxTail/2 {
		t.Errorf("%d bytes are kept", full.size)
	}
	full.add("last\x1b")
	if got := full.excerpt(); strings.Count(got, "\n") != shownLines+1 || !strings.HasSuffix(got, `| last\u001b`) {
		t.Errorf("%q", got)
	}
	var crash tail
	for range 20 {
		crash.add("before")
	}
	crash.add("panic: oh")
	for range 40 {
		crash.add("frame")
	}
	if got := crash.excerpt(); !strings.HasPrefix(got, "\nit wrote to standard error:\n  | panic: oh\n  | frame") || strings.Count(got, "\n") != shownLines+1 {
		t.Errorf("%q", got)
	}
}

func TestAllowedEnv(t *testing.T) {
	t.Parallel()
	got := allowedEnv([]string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "TZ=UTC", "SystemRoot=C", "GITHUB_TOKEN=x", "LD_PRELOAD=x", "PATHS=x", "GODEBUG=x", "odd"})
	want := []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "TZ=UTC", "SystemRoot=C"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
