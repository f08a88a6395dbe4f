package present_test

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// moment is 2026-02-03 04:05:06.789 UTC.
const moment = int64(1_770_091_506_789_000_000)

func TestTime(t *testing.T) {
	t.Parallel()
	tokyo, err := present.Zone("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		ns   *int64
		zone *time.Location
		want string
	}{
		{"UTC by default", proto.Int64(moment), nil, "2026-02-03 04:05:06 UTC"},
		{"zone", proto.Int64(moment), tokyo, "2026-02-03 13:05:06 JST"},
		{"absent", nil, nil, "not recorded"},
		{"zero is not 1970", proto.Int64(0), nil, "not recorded"},
		{"negative", proto.Int64(-1), nil, "not recorded"},
		{"largest is a sentinel", proto.Int64(math.MaxInt64), nil, "not recorded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := present.Time(tt.ns, tt.zone); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := string(present.AppendClock(nil, proto.Int64(moment), tokyo)); got != "13:05:06" {
		t.Errorf("clock %q", got)
	}
	if got := string(present.AppendClock(nil, nil, tokyo)); got != "" {
		t.Errorf("clock of nothing %q", got)
	}
	if got := present.MachineTime(proto.Int64(moment)); got != "2026-02-03T04:05:06.789Z" {
		t.Errorf("machine time %q", got)
	}
	if got := present.MachineTime(proto.Int64(0)); got != "" {
		t.Errorf("machine time of nothing %q", got)
	}
}

func TestZone(t *testing.T) {
	t.Parallel()
	if zone, err := present.Zone(""); err != nil || zone != time.UTC {
		t.Errorf("empty: %v, %v", zone, err)
	}
	for _, name := range []string{"Nowhere/City", "../../etc/passwd", "/etc/localtime"} {
		if _, err := present.Zone(name); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
}

func TestDuration(t *testing.T) {
	t.Parallel()
	const ms, s, m, h = int64(time.Millisecond), int64(time.Second), int64(time.Minute), int64(time.Hour)
	for ns, want := range map[int64]string{
		-1: "not recorded", 0: "0 ms", 499_999: "0 ms", ms: "1 ms", 999*ms + 400_000: "999 ms", s - 1: "1 s", s: "1 s",
		3*s + 240*ms: "3.2 s", 59*s + 949*ms: "59.9 s", 59*s + 950*ms: "1 min", m: "1 min", 4*m + 5*s: "4 min 5 s",
		h - 1: "1 h", 2*h + 3*m: "2 h 3 min", 100 * h: "100 h",
	} {
		if got := present.Duration(ns); got != want {
			t.Errorf("%d ns reads %q, want %q", ns, got, want)
		}
	}
}

func TestTook(t *testing.T) {
	t.Parallel()
	at := func(seconds int64) *int64 { return proto.Int64(moment + seconds*int64(time.Second)) }
	for _, tt := range []struct {
		name  string
		step  *tv1.Step
		want  int64
		known bool
	}{
		{"tool from its start", &tv1.Step{Role: tv1.Role_ROLE_TOOL, CreatedNs: at(0), StartedNs: at(4), CompletedNs: at(5)}, 1, true},
		{"tool without start", &tv1.Step{Role: tv1.Role_ROLE_TOOL, CreatedNs: at(0), CompletedNs: at(5)}, 5, true},
		{"model call from its creation", &tv1.Step{Role: tv1.Role_ROLE_ASSISTANT, CreatedNs: at(0), StartedNs: at(5), CompletedNs: at(5)}, 5, true},
		{"prompt", &tv1.Step{Role: tv1.Role_ROLE_USER, CreatedNs: at(0), CompletedNs: at(5)}, 0, false},
		{"not complete", &tv1.Step{Role: tv1.Role_ROLE_TOOL, CreatedNs: at(0), StartedNs: at(1)}, 0, false},
		{"no time", &tv1.Step{Role: tv1.Role_ROLE_TOOL, CreatedNs: at(1), CompletedNs: at(1)}, 0, true},
		{"within a whole second", &tv1.Step{Role: tv1.Role_ROLE_TOOL, CreatedNs: proto.Int64(5e9), CompletedNs: proto.Int64(5e9)}, 0, false},
		{"backwards", &tv1.Step{Role: tv1.Role_ROLE_TOOL, StartedNs: at(2), CompletedNs: at(1)}, 0, false},
		{"sentinel", &tv1.Step{Role: tv1.Role_ROLE_TOOL, StartedNs: proto.Int64(0), CreatedNs: proto.Int64(0), CompletedNs: at(1)}, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, known := present.Took(tt.step); got != tt.want*int64(time.Second) || known != tt.known {
				t.Errorf("got %d, %v", got, known)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", math.MaxUint64: "18,446,744,073,709,551,615"} {
		if got := present.Count(n); got != want {
			t.Errorf("%d reads %q", n, got)
		}
	}
	for n, want := range map[uint64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 10240: "10 KiB", 1<<20 - 1: "1.0 MiB", 1 << 20: "1.0 MiB",
		123456789: "118 MiB", math.MaxUint64: "16 EiB",
	} {
		if got := present.Size(n); got != want {
			t.Errorf("%d bytes read %q, want %q", n, got, want)
		}
	}
	if got := present.Amount(1, "step") + ", " + present.Amount(0, "step") + ", " + present.Amount(1200, "step"); got != "1 step, 0 steps, 1,200 steps" {
		t.Error(got)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		usage *tv1.Usage
		want  string
	}{
		{"absent", nil, ""},
		{"empty", &tv1.Usage{Model: "x"}, ""},
		{"zero is recorded", &tv1.Usage{InputTokens: proto.Uint64(0)}, "0 in"},
		{"sentinel is not", &tv1.Usage{InputTokens: proto.Uint64(math.MaxUint64), OutputTokens: proto.Uint64(5)}, "5 out"},
		{"all", &tv1.Usage{
			InputTokens: proto.Uint64(1234), OutputTokens: proto.Uint64(56), CacheReadTokens: proto.Uint64(789), CacheWriteTokens: proto.Uint64(1),
			ThinkingTokens: proto.Uint64(2), ResponseTokens: proto.Uint64(3),
		}, "1,234 in · 56 out · 789 cached · 1 written to cache · 2 thinking · 3 response"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := string(present.AppendUsage(nil, tt.usage)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{present.Kind("RUN_COMMAND"), "Run command"},
		{present.Kind("BROWSER_CLICK_ELEMENT"), "Browser click element"},
		{present.Kind("123"), "123"},
		{present.Kind(""), ""},
		{present.Kind("É_X"), "é x"},
		{present.StepTitle(&tv1.Step{Kind: "USER_INPUT"}), "Prompt"},
		{present.StepTitle(&tv1.Step{Kind: "GENERIC", Call: &tv1.ToolCall{Name: "frob_it"}}), "Frob it"},
		{present.StepTitle(&tv1.Step{Kind: "GENERIC"}), "Generic"},
		{present.StepTitle(&tv1.Step{}), "Step of unknown kind"},
		{present.Status("DONE"), ""},
		{present.Status(""), "status not recorded"},
		{present.Status("CLEARED"), "text deleted by the product"},
		{present.Status("37"), "unknown status 37"},
		{present.Status("SOME_NEW"), "some new"},
		{string(present.AppendExitCode(nil, &tv1.Command{})), "exit code not recorded"},
		{string(present.AppendExitCode(nil, &tv1.Command{ExitCode: proto.Int32(0)})), "exit code 0"},
		{string(present.AppendExitCode(nil, &tv1.Command{ExitCode: proto.Int32(-1)})), "exit code -1"},
		{string(present.AppendStepNumber(nil, &tv1.Step{Index: 7, Anchor: "step-12-3"})), "12-3"},
		{string(present.AppendStepNumber(nil, &tv1.Step{Index: 7, Anchor: "step-<b>"})), "7"},
		{string(present.AppendStepNumber(nil, &tv1.Step{Index: 7})), "7"},
		{present.Anchor("step-1\"><b>é"), "step-1___b__"},
		{present.Surface(""), "not recorded"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestClip(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		limit      int
		want       string
	}{
		{"short", " abc ", 3, "abc"},
		{"long", "abcd", 3, "abc…"},
		{"space before the cut", "ab cd", 3, "ab…"},
		{"lines", "ab\ncd", 9, "ab…"},
		{"leading lines", "\n\nab\r\ncd", 9, "ab…"},
		{"one character of several runes", "修👩‍💻x", 2, "修👩‍💻…"},
		{"exactly the limit", "修👩‍💻", 2, "修👩‍💻"},
		{"combining", "e\u0301e\u0301", 1, "e\u0301…"},
		{"piled up", "ab" + strings.Repeat("\u0301", 500), 100, "a…"},
		{"nothing", "", 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := present.Clip(tt.text, tt.limit); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"harmless", "añb 👩‍💻", "añb 👩‍💻"},
		{"screen", "\x1b[2J\x07\b\x7f\x00", "␛[2J␇␈␡␀"},
		{"line ends", "a\r\nb\tc\rd", "a␍␊b␉c␍d"},
		{"override", "a\u202Eb\u200F\u2028", "a⟨U+202E⟩b⟨U+200F⟩⟨U+2028⟩"},
		{"C1", "a\u009Bm", "a⟨U+009B⟩m"},
		{"tags", "a\U000e0041\U000e007fb", "a⟨U+E0041⟩⟨U+E007F⟩b"},
		{"damaged", "a\xffb", "a\uFFFDb"},
		{"late", "é\x1b", "é␛"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := present.Visible(tt.text); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"untouched", "a\r\nb\n", "a\r\nb\n"},
		{"colour", "\x1b[1;31mFAIL\x1b[0m \x1b[38:5:1mx\x1b[m\n", "FAIL x\n"},
		{"progress", " 1%\r 50%\r100%\ndone", "100%\ndone"},
		{"progress before CR LF", " 1%\r100%\r\nx", "100%\r\nx"},
		{"cleared line", "working\r\x1b[Kdone\n", "done\n"},
		{"nothing behind the return", "abc\r", "abc"},
		{"only styles behind the return", "abc\r\x1b[K\r\x1b[0m\n", "abc\n"},
		{"other sequences stay", "\x1b[2J\x1b]0;t\x07", "\x1b[2J\x1b]0;t\x07"},
		{"cut sequence", "a\x1b[3", "a\x1b[3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, changed := present.Terminal(tt.text)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if !changed && got != tt.text {
				t.Error("changed without saying so")
			}
		})
	}
}

func TestHref(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, uri, want string
	}{
		{"web", "https://e.example/a?b=1#c", "https://e.example/a?b=1#c"},
		{"scheme in capitals", "HTTPS://e.example/", "https://e.example/"},
		{"mail", "mailto:jo@e.example", "mailto:jo@e.example"},
		{"file", "file:///x/a b(1).md", "file:///x/a%20b(1).md"},
		{"file with line", "file:///x/a.go#L10-L20", "file:///x/a.go#L10-L20"},
		{"file with number sign", "file:///x/a#b.go", "file:///x/a%23b.go"},
		{"file with both", "file:///x/a#b.go#L3", "file:///x/a%23b.go#L3"},
		{"encoded stays", "file:///x/a%20b%zz?", "file:///x/a%20b%25zz%3F"},
		{"path", "/x/ä.md", "file:///x/%C3%A4.md"},
		{"drive", `C:\Users\Jo`, "file:///C:/Users/Jo"},
		{"quotes", "https://e.example/\"<>`\\", "https://e.example/%22%3C%3E%60%5C"},
		{"script", "javascript:alert(1)", ""},
		{"script in capitals", "JaVaScRiPt:alert(1)", ""},
		{"script with tab", "java\tscript:alert(1)", ""},
		{"script behind a control", "\x01javascript:alert(1)", ""},
		{"script behind spaces", "  javascript:alert(1)", ""},
		{"data", "data:text/html,x", ""},
		{"vbscript", "vbscript:x", ""},
		{"network path", "//e.example/x", ""},
		{"relative", "a/b.md", ""},
		{"web without host", "https:", ""},
		{"web without slashes", "https:e.example", ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, safe := present.Href(tt.uri)
			if got != tt.want || safe != (tt.want != "") {
				t.Errorf("got %q, %v, want %q", got, safe, tt.want)
			}
		})
	}
}

func FuzzHref(f *testing.F) {
	for _, uri := range []string{"https://a/b c", "file:///x#L1", "java\nscript:x", "/a%", `C:\a`} {
		f.Add(uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		got, safe := present.Href(uri)
		if !safe {
			return
		}
		for _, c := range []byte(got) {
			if c <= ' ' || c >= 0x7F || strings.IndexByte("<>\"`\\{}|^", c) >= 0 {
				t.Fatalf("%q became %q", uri, got)
			}
		}
		scheme, _, _ := strings.Cut(got, ":")
		if !strings.Contains("|http|https|file|mailto|", "|"+scheme+"|") {
			t.Fatalf("%q became %q", uri, got)
		}
		if again, safe := present.Href(got); !safe || again != got {
			t.Fatalf("%q became %q and then %q", uri, got, again)
		}
	})
}

func FuzzVisible(f *testing.F) {
	f.Add("a\x1b\u202E\xff", 3)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		for _, got := range []string{present.Visible(s), present.Visible(present.Clip(s, limit%200)), present.Name(s), present.Path(s)} {
			if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\x1b\u202E\u2028") || present.Visible(got) != got {
				t.Fatalf("%q became %q", s, got)
			}
		}
	})
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ uri, path, name string }{
		{"file:///home/jo/my%20file.go", "/home/jo/my file.go", "my file.go"},
		{"file:///C:/Users/Jo/a.go", "C:/Users/Jo/a.go", "a.go"},
		{`C:\Users\Jo\a.go`, `C:\Users\Jo\a.go`, "a.go"},
		{"/a/b/", "/a/b/", "b"},
		{"file:///", "/", "/"},
		{"https://e.example/a/", "https://e.example/a/", "e.example/a"},
		{"file:///a%ff%00", "/a%ff%00", "a%ff%00"},
		{"file:///a%zz", "/a%zz", "a%zz"},
		{"", "", ""},
	} {
		if got := present.Path(tt.uri); got != tt.path {
			t.Errorf("path of %q is %q, want %q", tt.uri, got, tt.path)
		}
		if got := present.Name(tt.uri); got != tt.name {
			t.Errorf("name of %q is %q, want %q", tt.uri, got, tt.name)
		}
	}
}
