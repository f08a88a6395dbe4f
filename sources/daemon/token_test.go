package daemon

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// However a token, or whatever holds one, is printed: it is not in it.
func TestCaseK07TokenIsNeverPrinted(t *testing.T) {
	t.Parallel()
	e := Endpoint{URL: "http://127.0.0.1:1", Token: NewToken(secret)}
	type holder struct {
		endpoint Endpoint
		tokens   []Token
		byPort   map[int]Token
		client   *Client
	}
	c := NewClient(e)
	values := []any{
		e.Token, &e.Token, e, &e, c, *c,
		[]Endpoint{e},
		map[Token]int{e.Token: 1},
		holder{e, []Token{e.Token}, map[int]Token{1: e.Token}, c},
		&holder{endpoint: e}, New(nil, nil), fmt.Errorf("with %v", e),
	}
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T %[1]v"} {
			if got := fmt.Sprintf(verb, v); strings.Contains(got, secret) || strings.Contains(strings.ToLower(got), fmt.Sprintf("%x", secret)) {
				t.Errorf("%s of %T: %s", verb, v, got)
			}
		}
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		if strings.Contains(log.String(), secret) {
			t.Errorf("log of %T: %s", v, &log)
		}
		if text, _ := json.Marshal(v); bytes.Contains(text, []byte(secret)) {
			t.Errorf("JSON of %T: %s", v, text)
		}
	}
	if got := fmt.Sprintf("%v %s %+v", e.Token, e.Token, e); !strings.HasPrefix(got, "[token] [token] {") {
		t.Error(got)
	}
	if e.Token.Reveal() != secret || !e.Token.Known() || e.Token != NewToken(secret) || e.Token == NewToken("other") {
		t.Error("the token is another")
	}
	if none := NewToken(""); none != (Token{}) || none.Known() || none.Reveal() != "" || fmt.Sprint(none) != "" {
		t.Error("no token is one")
	}
}
