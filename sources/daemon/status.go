package daemon

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// connectCodes are the names of errors in the Connect protocol, in the order of gRPC's numbers, with their HTTP status.
var connectCodes = [...]struct {
	name   string
	status int
}{
	{"ok", http.StatusOK},
	{"canceled", 499},
	{"unknown", http.StatusInternalServerError},
	{"invalid_argument", http.StatusBadRequest},
	{"deadline_exceeded", http.StatusGatewayTimeout},
	{"not_found", http.StatusNotFound},
	{"already_exists", http.StatusConflict},
	{"permission_denied", http.StatusForbidden},
	{"resource_exhausted", http.StatusTooManyRequests},
	{"failed_precondition", http.StatusBadRequest},
	{"aborted", http.StatusConflict},
	{"out_of_range", http.StatusBadRequest},
	{"unimplemented", http.StatusNotImplemented},
	{"internal", http.StatusInternalServerError},
	{"unavailable", http.StatusServiceUnavailable},
	{"data_loss", http.StatusInternalServerError},
	{"unauthenticated", http.StatusUnauthorized},
}

// connectStatus returns the HTTP status of a Connect code.
func connectStatus(name string) (status int, ok bool) {
	for _, c := range connectCodes[1:] {
		if c.name == name {
			return c.status, true
		}
	}
	return 0, false
}

// told is the body of an error in the Connect protocol.
type told struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// rejected makes an error of a status outside 2xx. The body of a rejected token is not even read.
func (c *Client) rejected(method string, res *http.Response) error {
	if isAuth(res.StatusCode) {
		return authError(res.StatusCode, method)
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxMessage)) // what came is told
	var t told
	if json.Unmarshal(body, &t) != nil {
		t = told{}
	}
	if t.Message == "" && t.Code == "" {
		t.Message = string(body)
	}
	return c.statusError(res.StatusCode, method, t)
}

func isAuth(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

func authError(status int, method string) error {
	return fmt.Errorf("%w: the daemon answers %d on %s; check CSRF token discovery or ANTIGRAVITY_CSRF_TOKEN", ErrAuth, status, method)
}

func (c *Client) statusError(status int, method string, t told) error {
	if isAuth(status) || t.Code == "unauthenticated" || t.Code == "permission_denied" {
		return authError(status, method)
	}
	message := c.clean(t.Message)
	if message == "" {
		message = c.clean(t.Code)
	}
	if message == "" {
		message = http.StatusText(status)
	}
	missing := status == http.StatusNotFound && t.Code == "not_found" || strings.Contains(message, "trajectory not found")
	return &StatusError{Code: status, Method: method, Message: message, missing: missing}
}

// hiddenError finds an error inside an answer whose status is good: a Connect error object, or gRPC's status in a header,
// a trailer or the trailer frame of gRPC-web.
func (c *Client) hiddenError(method, contentType string, body []byte, res *http.Response) error {
	for _, from := range []http.Header{res.Header, res.Trailer, webTrailer(contentType, body)} {
		number := from.Get("Grpc-Status")
		if number == "" || number == "0" {
			continue
		}
		code, err := strconv.Atoi(number)
		if err != nil || code < 0 || code >= len(connectCodes) {
			code = 2 // unknown
		}
		message, err := url.PathUnescape(from.Get("Grpc-Message"))
		if err != nil {
			message = from.Get("Grpc-Message")
		}
		return c.statusError(connectCodes[code].status, method, told{Code: connectCodes[code].name, Message: message})
	}
	if contentType == typeProto || len(body) > maxMessage {
		return nil
	}
	var t told
	if json.Unmarshal(body, &t) != nil {
		return nil
	}
	if status, ok := connectStatus(t.Code); ok {
		return c.statusError(status, method, t)
	}
	return nil
}

// webTrailer reads the trailer frame of a gRPC-web body: one byte 0x80, four bytes of length, header lines.
func webTrailer(contentType string, body []byte) http.Header {
	found := http.Header{}
	if !strings.HasPrefix(contentType, "application/grpc-web") {
		return found
	}
	for len(body) >= 5 {
		size := uint64(binary.BigEndian.Uint32(body[1:]))
		if size > uint64(len(body)-5) {
			break
		}
		if body[0]&0x80 != 0 && size <= maxMessage {
			for line := range strings.Lines(string(body[5 : 5+size])) {
				if name, value, ok := strings.Cut(line, ":"); ok {
					found.Set(strings.TrimSpace(name), strings.TrimSpace(value))
				}
			}
		}
		body = body[5+size:]
	}
	return found
}
