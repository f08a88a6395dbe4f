package cli_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/host/cli"
	"agy-reader/host/demo/build"
	"agy-reader/host/diag"
)

const liveID = "c1ea0000-0000-4000-8000-000000000001"

// liveStore is a home with one conversation of two steps, and a daemon that answers it with one.
func liveStore(t *testing.T, handler http.HandlerFunc) (calls *atomic.Int64) {
	t.Helper()
	home := t.TempDir()
	clean(t, filepath.Join(home, ".gemini", "antigravity-cli", "conversations", liveID+".db"))
	calls = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("ANTIGRAVITY_CLI_ROOT", "")
	t.Setenv("ANTIGRAVITY_DAEMON_URL", server.URL)
	t.Setenv("ANTIGRAVITY_CSRF_TOKEN", "5ecre7-70ken")
	return calls
}

// answersOne serves a conversation of one step in protobuf.
func answersOne(t *testing.T) http.HandlerFunc {
	step, err := build.Encode(build.StepMessage, `{"type": 14, "status": 3, "userInput": {"userResponse": "Asked of the daemon"}}`)
	if err != nil {
		t.Fatal(err)
	}
	trajectory := protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), step)
	body := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), trajectory)
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Codeium-Csrf-Token") != "5ecre7-70ken" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/LoadTrajectory") {
			_, _ = io.WriteString(w, "{}")
			return
		}
		w.Header().Set("Content-Type", "application/proto")
		_, _ = w.Write(body)
	}
}

// What is asked of the daemon comes from the daemon and says so; that the database holds more is noted and counts.
func TestCaseK08ConvertFromDaemon(t *testing.T) {
	liveStore(t, answersOne(t))
	code, out, said := cli.Command(t, "convert", "--from", "daemon", "--out", "-", liveID)
	if code != diag.Incomplete {
		t.Errorf("exit code %d: %s", code, said)
	}
	for _, want := range []string{"Asked of the daemon", "**Source:** daemon", liveID + ".db has 2 steps, the daemon answered 1", "in memory"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if code, out, said := cli.Command(t, "convert", "--out", "-", liveID); code != diag.Complete || !strings.Contains(out, "Say hello") || strings.Contains(out, "Asked") {
		t.Errorf("without --from: exit code %d, %s\n%s", code, said, out)
	}
	code, out, said = cli.Command(t, "show", "--from", "daemon", liveID)
	if code != diag.Complete || !strings.Contains(out, "Asked of the daemon") {
		t.Errorf("show: exit code %d, %s\n%s", code, said, out)
	}
	// One that no store holds is asked for too.
	if code, out, said := cli.Command(t, "convert", "--from", "daemon", "--out", "-", "00000000-0000-4000-8000-00000000000a"); code != diag.Complete || !strings.Contains(out, "Asked of the daemon") {
		t.Errorf("on no disk: exit code %d, %s\n%s", code, said, out)
	}
	if code, _, _ := cli.Command(t, "convert", "--from", "daemon", "--out", "-", "00000000"); code != diag.NotFound {
		t.Errorf("a short id on no disk: exit code %d", code)
	}
	if code, _, said := cli.Command(t, "show", "--from", "sqlite", liveID); code != diag.Usage {
		t.Errorf("show --from sqlite: exit code %d, %s", code, said)
	}
}

// Files are read without a daemon, whether one is there, is not, or refuses: none is even asked.
func TestCaseK02OfflineWhateverTheDaemon(t *testing.T) {
	refuse := func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "5ecre7-70ken", http.StatusForbidden) }
	for name, handler := range map[string]http.HandlerFunc{"present": answersOne(t), "refusing": refuse, "absent": nil} {
		t.Run(name, func(t *testing.T) {
			calls := liveStore(t, handler)
			if name == "absent" {
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				t.Setenv("ANTIGRAVITY_DAEMON_URL", "http://"+l.Addr().String())
				l.Close()
			}
			file := filepath.Join(os.Getenv("HOME"), ".gemini", "antigravity-cli", "conversations", liveID+".db")
			for _, args := range [][]string{
				{"convert", "--out", "-", liveID},
				{"convert", "--from", "sqlite", "--out", "-", liveID},
				{"show", liveID},
				{"list"},
				{"--list"},
				{"export-offline", file},
				{"convert", "--all", "--out", t.TempDir()},
			} {
				if code, _, said := cli.Command(t, args...); code != diag.Complete {
					t.Errorf("%v: exit code %d, %s", args, code, said)
				}
			}
			if calls.Load() != 0 {
				t.Errorf("the daemon was called %d times", calls.Load())
			}
			if name == "present" {
				return
			}
			code, out, said := cli.Command(t, "convert", "--from", "daemon", "--out", "-", liveID)
			if code != diag.Failed || out != "" || strings.Contains(said, "5ecre7") || !strings.Contains(said, "without --from daemon") {
				t.Errorf("--from daemon: exit code %d, %q, %s", code, out, said)
			}
		})
	}
}
