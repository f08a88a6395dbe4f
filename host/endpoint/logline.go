package endpoint

import (
	"bytes"
	"strconv"
	"strings"

	"agy-reader/sources/daemon"
)

// portIn returns the port of a line like
//
//	I0616 21:38:08.605102  3516 server.go:512] Language server listening on random port at 53310 for HTTP
//
// Real logs put a date, a level or a complaint about logging in front of it, and say "fixed port" too. The line for HTTPS
// does not count, nor does one that only quotes such a text.
func portIn(line []byte) (port int, is bool) {
	before, after, is := bytes.Cut(line, []byte("listening on "))
	if !is || !plain(before[bytes.LastIndexByte(before, ']')+1:]) {
		return 0, false
	}
	kind, after, is := bytes.Cut(after, []byte(" port at "))
	if !is || string(kind) != "random" && string(kind) != "fixed" {
		return 0, false
	}
	digits, after, is := bytes.Cut(after, []byte(" for HTTP"))
	if !is || len(after) > 0 && (after[0] >= 'A' && after[0] <= 'Z' || after[0] >= 'a' && after[0] <= 'z' || after[0] >= '0' && after[0] <= '9') {
		return 0, false
	}
	return number(string(digits))
}

// plain reports whether a text is a few words.
func plain(text []byte) bool {
	return len(text) <= 64 && bytes.IndexFunc(text, func(r rune) bool {
		return r != ' ' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

// number reads a port.
func number(text string) (int, bool) {
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil || port == 0 {
		return 0, false
	}
	return int(port), true
}

// tokenFlag is what a language server is started with.
const tokenFlag = "--csrf_token"

// started is what a log says about the start of a language server.
type started struct {
	token daemon.Token
	// store is the name of the store's folder, empty when not said.
	store string
}

// startIn reads a line that shows the arguments a language server is started with, like
//
//	2026-04-08 21:05:25.568 [info] [LS Main] Args: --csrf_token T --extension_server_csrf_token U --app_data_dir antigravity
//
// Only the flag --csrf_token itself has the token, with its value behind a blank or "=". A flag without a value, or one
// that comes twice with different values, gives no token. The result is false for a line without the flag.
func startIn(line []byte) (s started, is bool) {
	if !bytes.Contains(line, []byte(tokenFlag)) {
		return started{}, false
	}
	words := strings.Fields(string(line))
	token, is := valueOf(words, tokenFlag)
	if !is {
		return started{}, false
	}
	s.token = daemon.NewToken(token)
	s.store, _ = valueOf(words, "--app_data_dir")
	return s, true
}

// valueOf returns the value of a flag among words, empty when it has none or several; false when the flag is not there.
func valueOf(words []string, flag string) (value string, is bool) {
	several := false
	for i, word := range words {
		var found string
		switch {
		case word == flag && i+1 < len(words):
			found = words[i+1]
		case word == flag:
		case strings.HasPrefix(word, flag+"="):
			found = word[len(flag)+1:]
		default:
			continue
		}
		found = strings.Trim(found, `"'`)
		if strings.HasPrefix(found, "-") {
			found = ""
		}
		several = several || is && found != value
		value, is = found, true
	}
	if several {
		return "", true
	}
	return value, is
}
