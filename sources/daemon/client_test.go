package daemon

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
)

// Only methods that read exist: in the client, and among the names that can become part of a URL.
func TestOnlyReadingMethods(t *testing.T) {
	t.Parallel()
	var methods []string
	for m := range reflect.TypeFor[*Client]().Methods() {
		methods = append(methods, m.Name)
	}
	if diff := cmp.Diff([]string{"Close", "Full", "Load", "Ordinary", "Probe"}, methods); diff != "" {
		t.Errorf("methods of the client (-want +got):\n%s", diff)
	}
	var names []string
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if ok && strings.HasPrefix(spec.Names[0].Name, "method") {
				names = append(names, spec.Values[0].(*ast.BasicLit).Value)
			}
			if called, ok := n.(*ast.CallExpr); ok && len(called.Args) > 1 {
				if f, ok := called.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"call", "post", "postProto"}, f.Sel.Name) {
					if name, ok := called.Args[1].(*ast.Ident); !ok || name.Name != "method" && !strings.HasPrefix(name.Name, "method") {
						t.Errorf("%s calls a method that is not one of the constants", file.Name())
					}
				}
			}
			return true
		})
	}
	slices.Sort(names)
	want := []string{`"GetAllCascadeTrajectories"`, `"GetCascadeTrajectory"`, `"GetCascadeTrajectorySteps"`, `"LoadTrajectory"`}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names of methods (-want +got):\n%s", diff)
	}
}

func TestFetch(t *testing.T) {
	t.Parallel()
	const value = `{ "z" : 1, "a":9007199254740993 ,"steps":[ {"new":{"x":1e400}} ],"é":"é"}`
	answers := loaded()
	answers[methodGet] = text(http.StatusOK, ` {"pendingAgentMessages":[1],"trajectory": `+value+` ,"numTotalSteps":1,"status":"X"} `)
	f := newFake(t, answers)
	a, err := Fetch(t.Context(), f.client(t), testID, "")
	if err != nil || string(a.Trajectory) != value || a.Steps != 1 || a.Total != 1 || a.Short != nil || a.ID != testID {
		t.Fatalf("%+v, %v", a, err)
	}
	if len(a.Beside) != 3 || a.Beside[0].Name != "pendingAgentMessages" || string(a.Beside[0].Value) != "[1]" {
		t.Errorf("beside: %s", a.Beside)
	}
	want := []string{`LoadTrajectory {"cascadeId":"` + testID + `"}`, `GetCascadeTrajectory {"cascadeId":"` + testID + `"}`}
	if diff := cmp.Diff(want, f.methods()); diff != "" {
		t.Error(diff)
	}
	for _, c := range f.calls {
		if c.contentType != typeJSON || c.token != secret {
			t.Errorf("%+v", c)
		}
	}
}

// Case 35 of the reference: the cascade id inside the file is asked for after the file's name.
func TestReferenceN35InternalID(t *testing.T) {
	t.Parallel()
	answers := loaded()
	answers[methodGet] = func(w http.ResponseWriter, c call) {
		if sent(t, c).CascadeID != "inner" {
			text(http.StatusInternalServerError, `{"code":"unknown","message":"no key"}`)(w, c)
			return
		}
		trajectoryIs(`{"cascadeId":"inner"}`)(w, c)
	}
	f := newFake(t, answers)
	a, err := Fetch(t.Context(), f.client(t), testID, "inner")
	if err != nil || string(a.Trajectory) != `{"cascadeId":"inner"}` || a.ID != "inner" {
		t.Fatalf("%+v, %v", a, err)
	}
	// Both failures are told, and the class of the second one is seen.
	answers[methodGet] = func(w http.ResponseWriter, c call) {
		status := http.StatusInternalServerError
		if sent(t, c).CascadeID == "inner" {
			status = http.StatusForbidden
		}
		text(status, `{"message":"no key"}`)(w, c)
	}
	_, err = Fetch(t.Context(), f.client(t), testID, "inner")
	var status *StatusError
	if !errors.Is(err, ErrAuth) || !errors.As(err, &status) || status.Error() != "daemon error 500 on GetCascadeTrajectory: no key" {
		t.Error(err)
	}
	// Without loading nothing is asked for.
	answers[methodLoad] = text(http.StatusServiceUnavailable, "")
	f = newFake(t, answers)
	if _, err := Fetch(t.Context(), f.client(t), testID, "inner"); err == nil || len(f.calls) != 1 {
		t.Errorf("%v, %v", err, f.methods())
	}
}

// Cases 29 and 38 of the reference.
func TestReferenceN29N38Token(t *testing.T) {
	t.Parallel()
	for _, status := range []int{401, 403} {
		answers := map[string]func(http.ResponseWriter, call){methodLoad: text(status, "the body "+secret)}
		f := newFake(t, answers)
		_, err := Fetch(t.Context(), f.client(t), testID, "inner")
		want := fmt.Sprintf("load %s: authentication failed: the daemon answers %d on LoadTrajectory; check CSRF token discovery or ANTIGRAVITY_CSRF_TOKEN", testID, status)
		if !errors.Is(err, ErrAuth) || err.Error() != want || len(f.calls) != 1 {
			t.Errorf("%v, %v", err, f.methods())
		}
		c := NewClient(Endpoint{URL: f.URL})
		_ = c.Load(t.Context(), testID)
		c.Close()
		if f.calls[1].hasToken {
			t.Error("an empty token header was sent")
		}
	}
}

func TestStatusErrors(t *testing.T) {
	t.Parallel()
	grpc := func(status, message string, trailer bool) func(http.ResponseWriter, call) {
		return func(w http.ResponseWriter, _ call) {
			if trailer {
				w.Header().Set("Trailer", "Grpc-Status, Grpc-Message")
				_, _ = io.WriteString(w, "{}")
			}
			w.Header().Set("Grpc-Status", status)
			w.Header().Set("Grpc-Message", message)
		}
	}
	web := func(w http.ResponseWriter, _ call) {
		w.Header().Set("Content-Type", "application/grpc-web+proto")
		lines := "grpc-status: 5\r\ngrpc-message: trajectory not found\r\n"
		_, _ = w.Write(append([]byte{0, 0, 0, 0, 0, 0x80, 0, 0, 0, byte(len(lines))}, lines...))
	}
	for _, test := range []struct {
		name   string
		answer func(http.ResponseWriter, call)
		want   string
		kind   error
	}{
		{"message", text(500, `{"code":"internal","message":"broken\n key"}`), "daemon error 500 on LoadTrajectory: broken key", nil},
		{"text", text(502, "bad\x1b[31m gateway"), "daemon error 502 on LoadTrajectory: bad [31m gateway", nil},
		{"nothing", text(503, ""), "daemon error 503 on LoadTrajectory: Service Unavailable", nil},
		{"long", text(500, strings.Repeat("ä", 400)), "daemon error 500 on LoadTrajectory: " + strings.Repeat("ä", 250) + "…", nil},
		{"not found", text(404, `{"code":"not_found","message":"x"}`), "daemon error 404 on LoadTrajectory: x", sources.ErrNotFound},
		{"unknown id", text(500, `{"code":"unknown","message":"trajectory not found"}`), "daemon error 500 on LoadTrajectory: trajectory not found", sources.ErrNotFound},
		{"no method", text(404, "404 page not found"), "daemon error 404 on LoadTrajectory: 404 page not found", nil},
		{"redirect", func(w http.ResponseWriter, _ call) {
			w.Header().Set("Location", "/x")
			w.WriteHeader(http.StatusTemporaryRedirect)
		}, "daemon error 307 on LoadTrajectory: Temporary Redirect", nil},
		{"Connect error in 200", text(200, `{"code":"not_found","message":"gone"}`), "daemon error 404 on LoadTrajectory: gone", sources.ErrNotFound},
		{"Connect auth error in 200", text(200, `{"code":"unauthenticated","message":"`+secret+`"}`), "", ErrAuth},
		{"Connect auth error in 400", text(400, `{"code":"permission_denied"}`), "", ErrAuth},
		{"gRPC header", grpc("13", "a%20b", false), "daemon error 500 on LoadTrajectory: a b", nil},
		{"gRPC trailer", grpc("16", "", true), "", ErrAuth},
		{"gRPC nonsense", grpc("x", "%zz", false), "daemon error 500 on LoadTrajectory: %zz", nil},
		{"gRPC-web", web, "daemon error 404 on LoadTrajectory: trajectory not found", sources.ErrNotFound},
		{"the token echoed", text(500, "you sent "+secret), "daemon error 500 on LoadTrajectory: you sent [token]", nil},
	} {
		f := newFake(t, map[string]func(http.ResponseWriter, call){methodLoad: test.answer})
		err := f.client(t).Load(t.Context(), testID)
		if err == nil || test.want != "" && err.Error() != test.want || test.kind != nil && !errors.Is(err, test.kind) || strings.Contains(fmt.Sprintf("%+v %#v", err, err), secret) {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.kind == nil && (errors.Is(err, sources.ErrNotFound) || errors.Is(err, ErrAuth)) {
			t.Errorf("%s: is of kind not found", test.name)
		}
	}
}

func TestTransport(t *testing.T) {
	t.Parallel()
	c := NewClient(Endpoint{URL: nobody(t), Token: NewToken(secret)})
	defer c.Close()
	err := c.Load(t.Context(), testID)
	if !errors.Is(err, ErrRefused) || !errors.Is(err, ErrUnavailable) || !strings.HasPrefix(err.Error(), "call LoadTrajectory: ") || !strings.HasSuffix(err.Error(), "is agy running?") {
		t.Error(err)
	}
	pinned := NewClient(Endpoint{URL: "http://no.such.host.invalid:1", Pinned: true})
	defer pinned.Close()
	if err := pinned.Load(t.Context(), testID); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
	for _, bad := range []string{"", "127.0.0.1:80", "http://192.0.2.1:80", "ftp://127.0.0.1", "http://127.0.0.1:80/?a", "http://u:" + secret + "@h\x7f", "http://example.com"} {
		c := NewClient(Endpoint{URL: bad})
		if err := c.Load(t.Context(), testID); !errors.Is(err, ErrEndpoint) || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	odd := NewClient(Endpoint{URL: "http://127.0.0.1:1", Token: NewToken(secret + "\n")})
	if err := odd.Load(t.Context(), testID); !errors.Is(err, ErrEndpoint) || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Load(cancelled, testID); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
}

// A name that the system resolves to another machine is not called.
func TestLoopbackOnly(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"127.0.0.1:1": true, "[::1]:1": true, "127.9.9.9:1": true, "[::ffff:127.0.0.1]:1": true,
		"192.0.2.1:1": false, "[2001:db8::1]:1": false, "0.0.0.0:1": false, "": false,
	} {
		if err := loopbackOnly(address); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestRedirectAndProxyGetNothing(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("called") }))
	defer other.Close()
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY"} {
		t.Setenv(name, other.URL)
	}
	f := newFake(t, map[string]func(http.ResponseWriter, call){methodLoad: func(w http.ResponseWriter, _ call) {
		w.Header().Set("Location", other.URL)
		w.WriteHeader(http.StatusPermanentRedirect)
	}})
	if err := f.client(t).Load(t.Context(), testID); err == nil {
		t.Error("a redirect is no error")
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	big := `{"steps":[{"text":"` + strings.Repeat("x", 6<<20) + `"}]}`
	zipped := func(n int, end string) func(http.ResponseWriter, call) {
		return func(w http.ResponseWriter, _ call) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, `{"trajectory":{"t":"`)
			for range n {
				_, _ = io.WriteString(z, strings.Repeat("y", 1<<16))
			}
			_, _ = io.WriteString(z, end)
			_ = z.Close()
		}
	}
	answers := loaded()
	answers[methodGet] = trajectoryIs(big)
	f := newFake(t, answers)
	if a, err := f.client(t).Ordinary(t.Context(), testID); err != nil || string(a.Trajectory) != big {
		t.Errorf("%d bytes, %v", len(a.Trajectory), err)
	}
	answers[methodGet] = zipped(2, `"}}`)
	if a, err := f.client(t).Ordinary(t.Context(), testID); err != nil || len(a.Trajectory) != 2<<16+len(`{"t":""}`) {
		t.Errorf("%d bytes, %v", len(a.Trajectory), err)
	}
	answers[methodGet] = zipped(200, "")
	if _, err := f.client(t, WithMaxAnswer(1<<20)).Ordinary(t.Context(), testID); !errors.Is(err, sources.ErrLimit) {
		t.Error(err)
	}
	// A body without an end stops at the limit, one that comes slowly or stops at the time, one that breaks off at once.
	answers[methodGet] = func(w http.ResponseWriter, _ call) {
		for {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}
	if _, err := f.client(t, WithMaxAnswer(1<<20)).Ordinary(t.Context(), testID); !errors.Is(err, sources.ErrLimit) {
		t.Error(err)
	}
	hang := make(chan struct{})
	defer close(hang)
	answers[methodGet] = func(w http.ResponseWriter, _ call) {
		_, _ = io.WriteString(w, `{"trajectory":`)
		w.(http.Flusher).Flush()
		<-hang
	}
	start := time.Now()
	_, err := f.client(t, WithTimeout(100*time.Millisecond)).Ordinary(t.Context(), testID)
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "no whole answer within 100ms") || time.Since(start) > 5*time.Second {
		t.Error(err)
	}
	answers[methodGet] = func(w http.ResponseWriter, _ call) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"trajectory":`)
		panic(http.ErrAbortHandler)
	}
	if _, err := f.client(t).Ordinary(t.Context(), testID); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
}

func TestProbe(t *testing.T) {
	t.Parallel()
	f := newFake(t, map[string]func(http.ResponseWriter, call){methodAll: text(http.StatusOK, `{"trajectorySummaries":{}}`)})
	if err := f.client(t).Probe(t.Context()); err != nil || f.methods()[0] != "GetAllCascadeTrajectories {}" {
		t.Error(err, f.methods())
	}
	f = newFake(t, map[string]func(http.ResponseWriter, call){methodAll: text(http.StatusForbidden, "")})
	if err := f.client(t).Probe(t.Context()); !errors.Is(err, ErrAuth) {
		t.Error(err)
	}
}

// A rejected token is not tried again with another id, and a call that nobody answers neither.
func TestReferenceN29NoSecondAttempt(t *testing.T) {
	t.Parallel()
	answers := loaded()
	answers[methodGet] = text(http.StatusForbidden, "")
	f := newFake(t, answers)
	if _, err := Fetch(t.Context(), f.client(t), testID, "inner"); !errors.Is(err, ErrAuth) || len(f.methods()) != 2 {
		t.Errorf("%v, %v", err, f.methods())
	}
	answers[methodGet] = func(http.ResponseWriter, call) { panic(http.ErrAbortHandler) }
	f = newFake(t, answers)
	if _, err := Fetch(t.Context(), f.client(t), testID, "inner"); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
	for _, c := range f.methods() {
		if strings.Contains(c, "inner") {
			t.Errorf("asked again: %s", c)
		}
	}
}
