package endpoint

import (
	"fmt"
	"strings"
	"testing"
)

func TestPortIn(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{
		"I0616 21:38:08.605102  3516 server.go:512] Language server listening on random port at 53310 for HTTP":                                                  53310,
		"I0526 13:14:00.866371 95191 server.go:494] listening on random port at 1 for HTTP.":                                                                     1,
		"ERROR: logging before google.Init: I0910 15:21:57.439675       9 server.go:614] Language server listening on random port at 56434 for HTTP":             56434,
		"2026-04-08 21:09:49.590 [info] I0408 21:09:49.572719  2344 server.go:462] Language server listening on fixed port at 33765 for HTTP":                    33765,
		"2026-04-08 23:20:28.215 [error] [LS Main stderr] I0408 23:20:26.373826  3931 server.go:462] Language server listening on random port at 43973 for HTTP": 43973,
		"I0616 21:38:08.604585  3516 server.go:505] Language server listening on random port at 53309 for HTTPS (gRPC)":                                          0,
		"I0616 21:38:08.605102  3516 server.go:512] Language server listening on random port at 0 for HTTP":                                                      0,
		"I0616 21:38:08.605102  3516 server.go:512] Language server listening on random port at 65536 for HTTP":                                                  0,
		"I0616 21:38:08.605102  3516 server.go:512] Language server listening on random port at +80 for HTTP":                                                    0,
		"I0616 21:38:08.605102  3516 server.go:512] Language server listening on random port at  for HTTP":                                                       0,
		"I0616 21:38:08.605102  3516 server.go:512] Language server listening on any port at 80 for HTTP":                                                        0,
		`I0616 21:38:08.605102  3516 planner.go:9] user: "listening on random port at 22 for HTTP"`:                                                              0,
		"2026-04-08 23:20:28.969 [info] [LS Main] LS started on port 42851":                                                                                      0,
		"": 0,
	} {
		if got, is := portIn([]byte(line)); got != want || is != (want != 0) {
			t.Errorf("%s: %d, %v", line, got, is)
		}
	}
}

// The line for HTTPS is not the one for HTTP.
func TestReferenceN15HTTPSLine(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"x] listening on random port at 5 for HTTPS (gRPC)", "x] listening on random port at 5 for HTTPS", "x] listening on random port at 5 for HTTP2"} {
		if port, is := portIn([]byte(line)); is {
			t.Errorf("%s: %d", line, port)
		}
	}
}

// Only the flag itself has the token: not a longer one, and not one whose value is missing.
func TestCaseK04ExactFlag(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"2026-04-08 21:05:25.568 [info] [LS Main] Args: --csrf_token T --extension_server_port 37591 --extension_server_csrf_token U --app_data_dir antigravity": "T antigravity",
		"2026-04-08 21:05:25.568 [info] [LS Main] Args: --extension_server_csrf_token U --csrf_token=T --app_data_dir=antigravity-ide":                           "T antigravity-ide",
		`[info] Spawning: /opt/ls --standalone --csrf_token "T"`:                                                                                                 "T ",
		"[info] Spawning: /opt/ls --standalone --csrf_token":                                                                                                     " ",
		"[info] Spawning: /opt/ls --csrf_token --app_data_dir antigravity":                                                                                       " antigravity",
		"[info] Spawning: /opt/ls --csrf_token= --app_data_dir antigravity":                                                                                      " antigravity",
		"[info] Spawning: /opt/ls --csrf_token A --csrf_token B":                                                                                                 " ",
		"[info] Spawning: /opt/ls --csrf_token A --csrf_token A":                                                                                                 "A ",
		"[info] Spawning: /opt/ls --csrf_token_file F":                                                                                                           "none",
		"[info] Spawning: /opt/ls --csrf_token_file=F":                                                                                                           "none",
		"[info] Spawning: /opt/ls --extension_server_csrf_token U":                                                                                               "none",
		"[info] Spawning: /opt/ls --extension_server_csrf_token=U":                                                                                               "none",
		"[info] Spawning: /opt/ls --no--csrf_token U -csrf_token V csrf_token=":                                                                                  "none",
	} {
		got := "none"
		if s, is := startIn([]byte(line)); is {
			got = s.token.Reveal() + " " + s.store
		}
		if got != want {
			t.Errorf("%s: %q, not %q", line, got, want)
		}
	}
}

func FuzzLogLine(f *testing.F) {
	f.Add("I0616 21:38:08.605102  3516 server.go:512] Language server listening on random port at 53310 for HTTP")
	f.Add("[info] [LS Main] Args: --csrf_token T --extension_server_csrf_token U --app_data_dir antigravity")
	f.Add("--csrf_token=")
	f.Fuzz(func(t *testing.T, line string) {
		if port, is := portIn([]byte(line)); is && (port < 1 || port > 65535 || !strings.Contains(line, fmt.Sprint(port))) {
			t.Errorf("%q has %d", line, port)
		}
		if s, is := startIn([]byte(line)); is && s.token.Known() && strings.HasPrefix(s.token.Reveal(), "-") {
			t.Errorf("%q has a token that is a flag", line)
		}
		if token := launchToken(strings.Split(line, " ")); strings.HasPrefix(token, "-") || token != "" && !strings.Contains(line, "csrf_token") {
			t.Errorf("%q launches with %q", line, token)
		}
		if port, is := exportedPort(line); is && (port < 1 || port > 65535) {
			t.Errorf("%q exports %d", line, port)
		}
		if p, err := readPin(line); err == nil && p.address == "" {
			t.Errorf("%q pins nothing", line)
		}
		WatchArguments(strings.Split(line, " "))
	})
}
