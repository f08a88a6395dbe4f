package sweep_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"agy-reader/host/audit/sweep"
	"agy-reader/host/demo"
	"agy-reader/sinks"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// echo is a daemon that answers every conversation with its own id, and change may alter the answer.
func echo(t *testing.T, change func(id string) (status int, body string)) daemon.Endpoint {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			CascadeID string `json:"cascadeId"`
		}
		switch {
		case r.Header.Get("Content-Type") != "application/json":
			w.WriteHeader(http.StatusUnsupportedMediaType)
		case json.NewDecoder(r.Body).Decode(&in) != nil:
			w.WriteHeader(http.StatusBadRequest)
		case strings.HasSuffix(r.URL.Path, "/LoadTrajectory"):
			fmt.Fprint(w, "{}")
		default:
			status, body := http.StatusOK, answerOf(in.CascadeID)
			if change != nil {
				status, body = change(in.CascadeID)
			}
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"trajectory":%s}`, body)
		}
	}))
	t.Cleanup(server.Close)
	return daemon.Endpoint{URL: server.URL, Token: daemon.NewToken(secret)}
}

func answerOf(id string) string {
	return `{ "cascadeId":"` + id + `",  "big":9007199254740993, "steps":[] }`
}

func idOf(n int) string { return fmt.Sprintf("c1ea0000-0000-4000-8000-%012d", n) }

// storeOf is a store whose session files hold nothing.
func storeOf(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// N74: what makes no sense is refused before anything is made, and before anybody is asked.
func TestReferenceN74RefusesBeforeItMakesAnything(t *testing.T) {
	t.Parallel()
	upper := strings.ToUpper(idOf(1))
	for name, tc := range map[string]struct {
		files []string
		err   string
	}{
		"no store":            {nil, "no conversation lies in"},
		"empty":               {[]string{"conversations/x.txt"}, "no conversation lies in"},
		"background only":     {[]string{"implicit/" + idOf(1) + ".pb"}, "no conversation lies in"},
		"no id":               {[]string{"conversations/" + idOf(1) + ".db", "conversations/notes.db"}, "notes.db is not named by a conversation id"},
		"an id and more":      {[]string{"conversations/" + idOf(1) + "-copy.pb"}, "is not named by a conversation id"},
		"twice, by two cases": {[]string{"conversations/" + idOf(1) + ".db", "conversations/" + upper + ".db"}, "is there twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(name, "case") && runtime.GOOS != "linux" {
				t.Skip("names that differ in case alone are one file")
			}
			r := prepare(t, storeOf(t, tc.files...))
			r.Finder = fixed{err: errors.New("somebody was looked for")}
			if _, err := sweep.Run(t.Context(), r.Options); err == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%v", err)
			}
			missing(t, r.Dir)
		})
	}
}

// N74: nor is anything made without a daemon.
func TestReferenceN74NeedsADaemon(t *testing.T) {
	t.Parallel()
	r := prepare(t, storeOf(t, "conversations/"+idOf(1)+".db"))
	r.Finder = fixed{err: daemon.ErrUnavailable}
	if _, err := sweep.Run(t.Context(), r.Options); !errors.Is(err, daemon.ErrUnavailable) {
		t.Error(err)
	}
	missing(t, r.Dir)
}

// N75: what is there is never written into, whatever it is.
func TestReferenceN75RefusesWhatIsThere(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(path string) error{
		"a folder":             func(path string) error { return os.Mkdir(path, 0o700) },
		"a file":               func(path string) error { return os.WriteFile(path, []byte("mine"), 0o600) },
		"a link to nowhere":    func(path string) error { return os.Symlink("nowhere", path) },
		"no folder to make in": func(path string) error { return os.Remove(filepath.Dir(path)) },
	} {
		r := prepare(t, storeOf(t, "conversations/"+idOf(1)+".db"))
		r.Finder = fixed{Endpoint: echo(t, nil)}
		if err := put(r.Dir); err != nil {
			t.Fatal(err)
		}
		if _, err := sweep.Run(t.Context(), r.Options); !errors.Is(err, sinks.ErrOutput) {
			t.Errorf("%s: %v", name, err)
		}
		if data, err := os.ReadFile(r.Dir); name == "a file" && (err != nil || string(data) != "mine") {
			t.Errorf("%q, %v", data, err)
		}
		if _, err := os.Lstat(filepath.Join(r.Dir, sweep.ManifestName)); err == nil {
			t.Errorf("%s: written into", name)
		}
	}
}

// A whole sweep: exact bytes, private files, a `.db` and a `.pb` of one name as one, background left out, progress every 40.
func TestSweep(t *testing.T) {
	t.Parallel()
	names := []string{"conversations/" + idOf(1) + ".pb", "implicit/" + idOf(900) + ".pb", "conversations/" + idOf(1) + ".db-wal", "conversations/x.txt"}
	for n := 1; n <= 81; n++ {
		names = append(names, "conversations/"+idOf(n)+".db")
	}
	r := prepare(t, storeOf(t, names...))
	end := echo(t, nil)
	at := strings.TrimPrefix(end.URL, "http://")
	r.Finder = fixed{Endpoint: end}
	r.Now = func() time.Time { return time.Date(2026, 12, 1, 1, 2, 3, 0, time.FixedZone("east", 3600)) }
	m, err := sweep.Run(t.Context(), r.Options)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Sessions) != 81 || len(r.rendered) != 81 {
		t.Fatalf("%d fetched, %d rendered", len(m.Sessions), len(r.rendered))
	}
	found := files(t, r.Dir)
	if len(found) != 81+2 {
		t.Errorf("%d files", len(found))
	}
	for n := 1; n <= 81; n++ {
		if got := found[filepath.Join("corpus", idOf(n)+".trajectory.json")]; got != answerOf(idOf(n)) {
			t.Errorf("%d: %q", n, got)
		}
	}
	want := `{
  "manifestVersion": 1,
  "complete": true,
  "root": "` + r.Root.Path + `",
  "endpoint": "http://` + at + `",
  "installedAgyVersion": "agy 1.4.4",
  "started": "2026-12-01T00:02:03Z",
  "finished": "2026-12-01T00:02:03Z",
  "selected": 81,
  "sessions": [
    {
      "fileId": "`
	if !strings.HasPrefix(found["manifest.json"], want) && runtime.GOOS != "windows" {
		t.Errorf("%s", found["manifest.json"][:len(want)+100])
	}
	said := strings.Join(r.said, "\n")
	if want := "audit-sweep: 40 of 81\naudit-sweep: 80 of 81\naudit-sweep: selected=81 fetched=81 rendered=81 failures=0 corpus=" + filepath.Join(r.Dir, "corpus"); said != want {
		t.Errorf("%s", said)
	}
	if m.Sessions[0].ReaderSync.Verified || m.Sessions[0].ReaderSync.Class != "source" || m.Sessions[0].ReaderSync.Reason == "" {
		t.Errorf("an empty file is said to be verified: %+v", m.Sessions[0])
	}
	private(t, r.Dir)
}

// N76: neither the token nor a password in the address is in anything that is written or said.
func TestReferenceN76NoSecretInTheManifest(t *testing.T) {
	t.Parallel()
	for _, failing := range []bool{false, true} {
		r := prepare(t, storeOf(t, "conversations/"+idOf(1)+".db"))
		end := echo(t, func(id string) (int, string) {
			if failing {
				return http.StatusUnauthorized, `"` + secret + `"`
			}
			return http.StatusOK, answerOf(id)
		})
		at := strings.TrimPrefix(end.URL, "http://")
		end.URL, end.Pinned = "http://user:pass"+secret+"@"+at, true
		r.Finder = fixed{Endpoint: end}
		_, err := sweep.Run(t.Context(), r.Options)
		if failing != (err != nil) {
			t.Errorf("%v", err)
		}
		if got := manifest(t, r.Dir).Endpoint; got != "http://"+at {
			t.Errorf("endpoint %s", got)
		}
		for name, text := range files(t, r.Dir) {
			if strings.Contains(text, secret) {
				t.Errorf("%s holds a secret", name)
			}
		}
		if said := fmt.Sprint(err, r.said); strings.Contains(said, secret) {
			t.Errorf("%s", said)
		}
	}
}

func private(t *testing.T, dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// N6, N76: the first failure ends the sweep, the manifest says where, and nothing says the token.
func TestReferenceN06FirstFailureLeavesAnIncompleteManifest(t *testing.T) {
	t.Parallel()
	second := idOf(2)
	status := func(code int, body string) func(string) (int, string) {
		return func(id string) (int, string) {
			if id != second {
				return http.StatusOK, answerOf(id)
			}
			return code, body
		}
	}
	for name, tc := range map[string]struct {
		change func(string) (int, string)
		render error
		is     error
		says   string
	}{
		"rejected":    {change: status(http.StatusForbidden, `"`+secret+`"`), is: daemon.ErrAuth},
		"fails":       {change: status(http.StatusInternalServerError, `"`+secret+`"`), says: "500"},
		"no id":       {change: status(http.StatusOK, `{"steps":[]}`), is: daemon.ErrMalformed, says: "no cascade id"},
		"a wrong id":  {change: status(http.StatusOK, `{"cascadeId":"x"}`), is: daemon.ErrMalformed},
		"no JSON":     {change: status(http.StatusOK, `{"cascadeId":`), is: daemon.ErrMalformed},
		"nothing":     {change: status(http.StatusOK, `null`), is: daemon.ErrMalformed},
		"unrendered":  {render: sources.ErrUnknown, is: sources.ErrUnknown, says: "render"},
		"hangs":       {change: func(id string) (int, string) { time.Sleep(300 * time.Millisecond); return 200, answerOf(id) }, is: context.DeadlineExceeded, says: "not done within"},
		"interrupted": {is: context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := storeOf(t, "conversations/"+idOf(1)+".db", "conversations/"+second+".db", "conversations/"+idOf(3)+".db")
			now := time.Now()
			for n := 1; n <= 3; n++ { // the newest first
				at := now.Add(-time.Duration(n) * time.Minute)
				if err := os.Chtimes(filepath.Join(root, "conversations", idOf(n)+".db"), at, at); err != nil {
					t.Fatal(err)
				}
			}
			live := filepath.Join(root, "conversations", second+".trajectory.json")
			if err := os.WriteFile(live, []byte(answerOf(second)), 0o640); err != nil { //nolint:gosec // it must stay as it is
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r := prepare(t, root)
			r.Finder = fixed{Endpoint: echo(t, tc.change)}
			failed := second
			if name == "hangs" {
				r.Timeout, failed = 50*time.Millisecond, idOf(1)
			}
			r.Render = func(_ context.Context, id string, _ json.RawMessage) error {
				if name == "interrupted" && id == second {
					cancel()
				}
				if id == second {
					return tc.render
				}
				return nil
			}
			_, err := sweep.Run(ctx, r.Options)
			var stop *sweep.FailedError
			if !errors.As(err, &stop) || stop.ID != failed {
				t.Fatalf("%v", err)
			}
			if tc.is != nil && !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), "do not pass --corpus-swept") {
				t.Errorf("%v", err)
			}
			m := manifest(t, r.Dir)
			if m.Complete || m.FailedID != failed || m.Selected != 3 || m.Finished == nil || failed == second && len(m.Sessions) != 1 {
				t.Errorf("%+v", m)
			}
			for name, text := range files(t, r.Dir) {
				if strings.Contains(text, secret) {
					t.Errorf("%s holds the token", name)
				}
			}
			if strings.Contains(err.Error(), secret) || strings.Contains(strings.Join(r.said, ""), secret) || strings.Contains(strings.Join(r.said, ""), "failures=0") {
				t.Errorf("%v, %q", err, r.said)
			}
			if data, err := os.ReadFile(live); err != nil || string(data) != answerOf(second) {
				t.Errorf("the live sidecar changed: %q, %v", data, err)
			}
			private(t, r.Dir)
		})
	}
}

// An answer about another conversation is none, when the file says which one it is.
func TestAnotherConversationIsRefused(t *testing.T) {
	t.Parallel()
	root := storeOf(t, "conversations/"+idOf(1)+".db")
	if err := os.WriteFile(filepath.Join(root, "conversations", idOf(1)+".db"), demo.Database(), 0o600); err != nil {
		t.Fatal(err)
	}
	r := prepare(t, root)
	r.Finder = fixed{Endpoint: echo(t, func(string) (int, string) { return http.StatusOK, answerOf(idOf(7)) })}
	if _, err := sweep.Run(t.Context(), r.Options); err == nil || !strings.Contains(err.Error(), "answered with the conversation "+idOf(7)) {
		t.Error(err)
	}
	r = prepare(t, root) // the id inside the file is right, and so would be the file's name
	r.Finder = fixed{Endpoint: echo(t, func(string) (int, string) { return http.StatusOK, answerOf(demo.ConversationID) })}
	if m, err := sweep.Run(t.Context(), r.Options); err != nil || m.Sessions[0].CascadeID != demo.ConversationID || m.Sessions[0].FileID != idOf(1) {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestReadManifest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, sweep.ManifestName)
	if _, err := sweep.ReadManifest(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, text := range []string{"", "{", "[]", "{}", `{"manifestVersion":2}`, `{"manifestVersion":"1"}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sweep.ReadManifest(dir); !errors.Is(err, sources.ErrUnreadable) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
