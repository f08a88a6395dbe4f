package main

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"agy-reader/host/agytest/answers"
	"agy-reader/host/agytest/control"
)

// What the RPC looks like (behaviour.md b, format.md §5).
const (
	servicePath = "/exa.language_server_pb.LanguageServerService/"
	tokenHeader = "X-Codeium-Csrf-Token"
	typeJSON    = "application/json"
	typeProto   = "application/proto"
	maxRequest  = 1 << 20
)

// fault is an error in the Connect protocol.
type fault struct {
	status  int
	code    string
	message string
}

func (f *fault) Error() string { return f.message }

// faultOf says what kind of fault an error is.
func faultOf(err error) *fault {
	var f *fault
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, answers.ErrNotFound):
		return &fault{http.StatusNotFound, "not_found", "trajectory not found"}
	}
	return &fault{http.StatusInternalServerError, "internal", err.Error()}
}

// serve answers one request.
func (d *daemon) serve(w http.ResponseWriter, r *http.Request, secure bool) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	if err != nil {
		return
	}
	method, isRPC := strings.CutPrefix(r.URL.Path, servicePath)
	token, hasToken := r.Header[tokenHeader]
	d.say(control.Event{Request: &control.Request{
		Method: method, HasToken: hasToken, Token: strings.Join(token, ","), ContentType: r.Header.Get("Content-Type"), Body: body, Secure: secure,
	}})
	if !isRPC {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	if f := d.admit(token); f != nil {
		refuse(w, f)
		return
	}
	contentType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if contentType != typeJSON && (contentType != typeProto || d.config.JSONOnly) {
		w.Header().Set("Accept-Post", typeJSON)
		w.WriteHeader(http.StatusUnsupportedMediaType)
		return
	}
	in, err := readRequest(method, contentType == typeProto, body)
	if err != nil {
		refuse(w, faultOf(err))
		return
	}
	b := d.behave(in)
	if b.Slow > 0 {
		select {
		case <-time.After(b.Slow):
		case <-r.Context().Done():
			return
		}
	}
	if b.Crash {
		os.Exit(1)
	}
	if b.Refuse != 0 {
		refuse(w, refusal(b.Refuse))
		return
	}
	answer, err := d.answer(in, b)
	if err == nil && b.Limit > 0 && len(answer) > b.Limit {
		err = &fault{http.StatusTooManyRequests, "resource_exhausted", "the message is larger than the maximum"}
	}
	if err != nil {
		refuse(w, faultOf(err))
		return
	}
	send(w, r, contentType, answer, b.Gzip)
}

// admit checks the token.
func (d *daemon) admit(given []string) *fault {
	switch {
	case d.config.Token == "":
		return nil
	case len(given) == 0:
		return &fault{http.StatusUnauthorized, "unauthenticated", "missing CSRF token"}
	case len(given) > 1 || subtle.ConstantTimeCompare([]byte(given[0]), []byte(d.config.Token)) != 1:
		// What came is repeated, as a careless server may do: readers must not show it.
		return &fault{http.StatusForbidden, "permission_denied", "invalid CSRF token " + strings.Join(given, ",")}
	}
	return nil
}

// refusal is what a daemon that was told to refuse says.
func refusal(status int) *fault {
	code := map[int]string{
		http.StatusUnauthorized: "unauthenticated", http.StatusForbidden: "permission_denied", http.StatusNotFound: "not_found",
		http.StatusServiceUnavailable: "unavailable", http.StatusNotImplemented: "unimplemented",
	}[status]
	if code == "" {
		code = "internal"
	}
	return &fault{status, code, "refused as told"}
}

func refuse(w http.ResponseWriter, f *fault) {
	body, _ := json.Marshal(struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{f.code, f.message})
	w.Header().Set("Content-Type", typeJSON)
	w.WriteHeader(f.status)
	_, _ = w.Write(body) // a client that left needs no answer
}
