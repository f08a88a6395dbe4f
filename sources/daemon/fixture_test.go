package daemon

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	testID = "11111111-2222-4333-8444-555555555555"
	secret = "5ecre7-70ken-0f-7he-da3mon"
)

// call is one request the fake received.
type call struct {
	method, contentType, token, body string
	hasToken                         bool
}

// fake is a daemon that answers by method.
type fake struct {
	*httptest.Server
	mu      sync.Mutex
	calls   []call
	answers map[string]func(w http.ResponseWriter, c call)
}

func newFake(t testing.TB, answers map[string]func(http.ResponseWriter, call)) *fake {
	t.Helper()
	f := &fake{answers: answers}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		method, ok := strings.CutPrefix(r.URL.Path, servicePath)
		c := call{method: method, contentType: r.Header.Get("Content-Type"), token: r.Header.Get(tokenHeader), body: string(body)}
		_, c.hasToken = r.Header[http.CanonicalHeaderKey(tokenHeader)]
		f.mu.Lock()
		f.calls = append(f.calls, c)
		f.mu.Unlock()
		if !ok || r.Method != http.MethodPost || f.answers[method] == nil {
			http.Error(w, "no such method", http.StatusNotFound)
			return
		}
		f.answers[method](w, c)
	}))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) client(t testing.TB, options ...Option) *Client {
	t.Helper()
	c := NewClient(Endpoint{URL: f.URL, Token: NewToken(secret)}, options...)
	t.Cleanup(c.Close)
	return c
}

// methods are the calls received, as METHOD BODY for JSON ones.
func (f *fake) methods() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []string
	for _, c := range f.calls {
		if c.contentType == typeProto {
			c.body = "(protobuf)"
		}
		list = append(list, strings.TrimSpace(c.method+" "+c.body))
	}
	return list
}

// text answers with a body and a status.
func text(status int, body string) func(http.ResponseWriter, call) {
	return func(w http.ResponseWriter, _ call) {
		w.Header().Set("Content-Type", typeJSON)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// trajectoryIs answers GetCascadeTrajectory with this value; protobuf is refused.
func trajectoryIs(value string) func(http.ResponseWriter, call) {
	return jsonOnly(text(http.StatusOK, `{"trajectory":`+value+`}`))
}

// jsonOnly refuses protobuf as a server does that does not speak it.
func jsonOnly(answer func(http.ResponseWriter, call)) func(http.ResponseWriter, call) {
	return func(w http.ResponseWriter, c call) {
		if c.contentType != typeJSON {
			w.WriteHeader(http.StatusUnsupportedMediaType)
			return
		}
		answer(w, c)
	}
}

func loaded() map[string]func(http.ResponseWriter, call) {
	return map[string]func(http.ResponseWriter, call){methodLoad: text(http.StatusOK, "{}")}
}

// sent is the JSON body of a request.
func sent(t testing.TB, c call) request {
	t.Helper()
	var in request
	if err := json.Unmarshal([]byte(c.body), &in); err != nil {
		t.Error(err)
	}
	return in
}

// nobody is the URL of a port where nobody listens.
func nobody(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}
