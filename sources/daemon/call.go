package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"agy-reader/sources"
)

// servicePath precedes the name of a method (format §5).
const servicePath = "/exa.language_server_pb.LanguageServerService/"

// tokenHeader carries the token (format §5).
const tokenHeader = "x-codeium-csrf-token"

// Content types of a request and its answer: the two encodings of the Connect protocol's unary calls.
const (
	typeJSON  = "application/json"
	typeProto = "application/proto"
)

// maxMessage is how much of an error's body is looked at.
const maxMessage = 64 << 10

// call posts one request and returns the body of a good answer, unpacked, with its content type. The body's size is taken
// off left, which a conversation's calls share.
func (c *Client) call(ctx context.Context, method, contentType string, body []byte, left *int64) ([]byte, string, error) {
	if err := c.usable(); err != nil {
		return nil, "", fmt.Errorf("call %s: %w", method, err)
	}
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, http.MethodPost, c.base+servicePath+method, bytes.NewReader(body))
	if err != nil {
		return nil, "", fmt.Errorf("call %s: %w: %s", method, ErrEndpoint, c.clean(err.Error()))
	}
	req.Header.Set("Content-Type", contentType)
	if c.endpoint.Token.Known() {
		req.Header.Set(tokenHeader, c.endpoint.Token.Reveal())
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, "", c.failed(ctx, limited, method, err)
	}
	defer res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return nil, "", c.rejected(method, res)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, *left+1))
	switch {
	case err != nil:
		return nil, "", c.failed(ctx, limited, method, err)
	case int64(len(data)) > *left:
		return nil, "", fmt.Errorf("call %s: %w: the daemon's answers for one conversation have more than %d bytes", method, sources.ErrLimit, c.max)
	}
	*left -= int64(len(data))
	answered, _, _ := strings.Cut(strings.ToLower(res.Header.Get("Content-Type")), ";")
	answered = strings.TrimSpace(answered)
	if err := c.hiddenError(method, answered, data, res); err != nil {
		return nil, "", err
	}
	return data, answered, nil
}

// usable reports why nothing can be called.
func (c *Client) usable() error {
	if c.unusable != nil {
		return c.unusable
	}
	if strings.ContainsFunc(c.endpoint.Token.Reveal(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("%w: the token holds characters that no header can carry; check ANTIGRAVITY_CSRF_TOKEN", ErrEndpoint)
	}
	return nil
}

// failed says why no answer came. The cause is told in words only: it may quote what the other side sent.
func (c *Client) failed(ctx, limited context.Context, method string, cause error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("call %s: %w", method, err)
	}
	if limited.Err() != nil {
		return fmt.Errorf("call %s: %w: no whole answer within %v; is agy running and not stopped?", method, ErrUnavailable, c.timeout)
	}
	if errors.Is(cause, ErrEndpoint) {
		return fmt.Errorf("call %s: %w: the address is not a loopback address", method, ErrEndpoint)
	}
	var wrapped *url.Error
	if errors.As(cause, &wrapped) {
		cause = wrapped.Err
	}
	kind := ErrUnavailable
	var unknown *net.DNSError
	if isRefused(cause) || errors.Is(cause, errOther) || errors.As(cause, &unknown) {
		kind = ErrRefused
	}
	return fmt.Errorf("call %s: %w: %s; is agy running?", method, kind, c.clean(cause.Error()))
}

// isRefused reports whether nobody listens.
func isRefused(err error) bool {
	for _, refused := range refusedErrors {
		if errors.Is(err, refused) {
			return true
		}
	}
	return false
}

// clean makes a text of the other side one line of at most 500 bytes without our token.
func (c *Client) clean(text string) string {
	const most = 500
	text = strings.ToValidUTF8(text, "\uFFFD")
	if token := c.endpoint.Token.Reveal(); token != "" {
		text = strings.ReplaceAll(text, token, hidden)
	}
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
