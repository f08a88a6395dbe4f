package agytest_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"agy-reader/host/agytest"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// Each fault is noticed for what it is, and without it the session verifies again.
func TestFaults(t *testing.T) {
	t.Parallel()
	is := func(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }
	status := func(code int) func(error) bool {
		return func(err error) bool {
			var s *daemon.StatusError
			return errors.As(err, &s) && s.Code == code
		}
	}
	const get = "GetCascadeTrajectory"
	tests := map[string]struct {
		b    agytest.Behaviour
		want func(error) bool
	}{
		"stale":                 {agytest.Behaviour{Stale: true}, is(verify.ErrStale)},
		"only ordinary stale":   {agytest.Behaviour{Stale: true, Form: "ordinary"}, is(verify.ErrStale)},
		"only full stale":       {agytest.Behaviour{Stale: true, Form: "full"}, is(verify.ErrStale)},
		"wrong text":            {agytest.Behaviour{Wrong: agytest.WrongText}, is(verify.ErrStale)},
		"malformed":             {agytest.Behaviour{Wrong: agytest.WrongJSON, Form: "ordinary"}, is(daemon.ErrMalformed)},
		"malformed protobuf":    {agytest.Behaviour{Wrong: agytest.WrongJSON, Form: "full"}, is(daemon.ErrMalformed)},
		"unknown enum":          {agytest.Behaviour{Wrong: agytest.WrongEnum, Form: "ordinary"}, is(verify.ErrAnswer)},
		"unknown enum, full":    {agytest.Behaviour{Wrong: agytest.WrongEnum, Form: "full"}, func(err error) bool { return err != nil }},
		"pages that end early":  {agytest.Behaviour{Truncated: 4, Lost: 2}, is(verify.ErrStale)},
		"401":                   {agytest.Behaviour{Refuse: http.StatusUnauthorized}, is(daemon.ErrAuth)},
		"403 on one method":     {agytest.Behaviour{Refuse: http.StatusForbidden, Methods: []string{get}}, is(daemon.ErrAuth)},
		"500":                   {agytest.Behaviour{Refuse: http.StatusInternalServerError}, status(http.StatusInternalServerError)},
		"too large":             {agytest.Behaviour{Limit: 1000, Methods: []string{get}}, status(http.StatusTooManyRequests)},
		"truncated, pages good": {agytest.Behaviour{Truncated: 5, PageSize: 7}, nil},
		"over 4 MiB":            {agytest.Behaviour{Pad: 5 << 20}, nil},
		"packed":                {agytest.Behaviour{Gzip: true}, nil},
		"another method only":   {agytest.Behaviour{Refuse: http.StatusForbidden, Methods: []string{"Heartbeat"}}, nil},
		"another session only":  {agytest.Behaviour{Stale: true, IDs: []string{"other"}}, nil},
		"a checkpoint":          {agytest.Behaviour{Write: agytest.WriteCheckpoint}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, path := smallStore(t)
			d := agytest.Start(t, agytest.Options{Root: root})
			c := client(t, d)
			d.Set(t, test.b)
			_, err := check(t, c, path)
			if test.want == nil && err != nil || test.want != nil && !test.want(err) {
				t.Errorf("%+v: %v", test.b, err)
			}
			if err != nil && strings.Contains(err.Error(), d.Token()) {
				t.Errorf("the error shows the token: %v", err)
			}
			d.Set(t)
			if _, err := check(t, c, path); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// What the daemon writes during a fetch is in the store and not in the answer, and a frozen daemon never learns of it.
func TestWritesDuringAFetch(t *testing.T) {
	t.Parallel()
	for _, what := range []string{agytest.WriteStep, agytest.WriteEdit, agytest.WriteSame} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			root, path := smallStore(t)
			d := agytest.Start(t, agytest.Options{Root: root})
			c := client(t, d)
			before, err := verifier().Take(t.Context(), sessionOf(path))
			if err != nil {
				t.Fatal(err)
			}
			d.Set(t, agytest.Behaviour{Write: what, Form: "ordinary", Times: 1}, agytest.Behaviour{Frozen: true})
			id := sessionOf(path).ID
			full, err := daemon.FetchFull(t.Context(), c, id, "")
			if err != nil {
				t.Fatal(err)
			}
			ordinary, err := daemon.Fetch(t.Context(), c, id, "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := before.Check(t.Context(), full, ordinary.Trajectory); err != nil {
				t.Errorf("the answer is not that from before the write: %v", err)
			}
			if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
				t.Errorf("the write is not in the log: %v, %v", info, err)
			}
			if err := before.Unchanged(t.Context()); (err == nil) != (what == agytest.WriteSame) {
				t.Errorf("unchanged: %v", err)
			}
			if _, err := check(t, c, path); (err == nil) != (what == agytest.WriteSame) {
				t.Errorf("frozen: %v", err)
			}
			d.Set(t)
			if e, err := check(t, c, path); err != nil || what == agytest.WriteStep && e.Steps != before.Steps()+1 {
				t.Errorf("afterwards: %+v, %v", e, err)
			}
		})
	}
}

// A slow daemon makes the client wait; one that crashes or is killed refuses; after a restart port and token are others.
func TestSlowCrashRestart(t *testing.T) {
	t.Parallel()
	root, path := agytest.Store(t)
	d := agytest.Start(t, agytest.Options{Root: root})
	c := client(t, d)
	d.Set(t, agytest.Behaviour{Slow: time.Hour, Times: 1})
	limited, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := c.Load(limited, "x"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("slow: %v", err)
	}
	url, token, pid := d.URL(), d.Token(), d.PID()
	d.Set(t, agytest.Behaviour{Crash: true, Methods: []string{"GetCascadeTrajectory"}})
	if _, err := check(t, c, path); !errors.Is(err, daemon.ErrUnavailable) {
		t.Errorf("crash: %v", err)
	}
	d.Requests() // which waits for the end
	if err := c.Probe(t.Context()); !errors.Is(err, daemon.ErrRefused) {
		t.Errorf("afterwards: %v", err)
	}
	d.Restart(t)
	if d.Token() == token || d.PID() == pid || d.URL() == url {
		t.Errorf("%s %d after %s %d, or the old token", d.URL(), d.PID(), url, pid)
	}
	if _, err := check(t, client(t, d), path); err != nil {
		t.Errorf("restarted: %v", err)
	}
	var methods []string
	for _, r := range d.Requests() {
		methods = append(methods, r.Method[:1])
	}
	if got := strings.Join(methods, ""); got != "LLGLGLG" {
		t.Errorf("received %s", got)
	}
	d.Forget()
	d.Kill()
	if got := d.Requests(); len(got) != 0 {
		t.Errorf("still known: %+v", got)
	}
}

// The other rules of the RPC: what is refused, and how.
func TestRefusals(t *testing.T) {
	t.Parallel()
	root, path := agytest.Store(t)
	d := agytest.Start(t, agytest.Options{Root: root})
	id := sessionOf(path).ID
	insecure := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}} //nolint:gosec // nobody signed it
	defer insecure.CloseIdleConnections()
	post := func(base, method, contentType, token, body string) (int, string, string) {
		t.Helper()
		req, err := http.NewRequest(http.MethodPost, base+"/exa.language_server_pb.LanguageServerService/"+method, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", contentType)
		if token != "" {
			req.Header.Set("X-Codeium-Csrf-Token", token)
		}
		res, err := insecure.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(bytes.TrimSpace(text)), res.Proto
	}
	const asJSON = "application/json"
	for name, test := range map[string]struct {
		method, contentType, token, body string
		status                           int
		says                             string
	}{
		"no token":         {"Heartbeat", asJSON, "", "{}", 401, "unauthenticated"},
		"wrong token":      {"Heartbeat", asJSON, "other", "{}", 403, "permission_denied"},
		"unknown method":   {"DeleteCascadeTrajectory", asJSON, d.Token(), "{}", 501, "unimplemented"},
		"content type":     {"Heartbeat", "text/plain", d.Token(), "{}", 415, ""},
		"not JSON":         {"Heartbeat", asJSON, d.Token(), "{", 400, "invalid_argument"},
		"unknown member":   {"Heartbeat", asJSON, d.Token(), `{"brandNew":1}`, 400, "invalid_argument"},
		"no such session":  {"LoadTrajectory", asJSON, d.Token(), `{"cascadeId":"x"}`, 404, "trajectory not found"},
		"outside":          {"LoadTrajectory", asJSON, d.Token(), `{"cascadeId":"../conversations/` + id + `"}`, 404, "trajectory not found"},
		"shortened":        {"LoadTrajectory", asJSON, d.Token(), `{"cascadeId":"` + id[:8] + `"}`, 404, "trajectory not found"},
		"not loaded":       {"GetCascadeTrajectory", asJSON, d.Token(), `{"cascadeId":"` + id + `"}`, 404, "trajectory not found"},
		"metadata":         {"GetConversationMetadata", asJSON, d.Token(), `{"conversationId":"` + id + `"}`, 200, "{}"},
		"metadata of none": {"GetConversationMetadata", asJSON, d.Token(), `{"conversationId":"y"}`, 404, "not_found"},
		"all":              {"GetAllCascadeTrajectories", asJSON, d.Token(), `{}`, 200, `"` + id + `":{`},
	} {
		for _, base := range []string{d.URL(), d.HTTPS()} {
			status, body, proto := post(base, test.method, test.contentType, test.token, test.body)
			if status != test.status || !strings.Contains(body, test.says) {
				t.Errorf("%s: %s answers %d %s", name, base, status, body)
			}
			if want := map[bool]string{true: "HTTP/2.0", false: "HTTP/1.1"}[base == d.HTTPS()]; proto != want {
				t.Errorf("%s: %s", base, proto)
			}
		}
	}
	if got := d.Requests(); len(got) != 26 || !got[1].Secure && !got[0].Secure {
		t.Errorf("%d requests", len(got))
	}
}

// A daemon that holds its databases leaves their logs beside them, one that does not leaves no trace.
func TestHold(t *testing.T) {
	t.Parallel()
	for _, hold := range []bool{false, true} {
		root, path := smallStore(t)
		d := agytest.Start(t, agytest.Options{Root: root, Hold: hold})
		c := client(t, d)
		for range 2 {
			if _, err := check(t, c, path); err != nil {
				t.Errorf("hold %v: %v", hold, err)
			}
		}
		for _, ending := range []string{"-wal", "-shm"} {
			if _, err := os.Stat(path + ending); (err == nil) != hold {
				t.Errorf("hold %v: %s: %v", hold, ending, err)
			}
		}
	}
}
