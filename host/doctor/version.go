package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of asking agy for its version.
const (
	versionTime  = 5 * time.Second
	versionBytes = 4 << 10
	versionRunes = 80
)

// ErrNoAgy says that there is no agy on PATH.
var ErrNoAgy = errors.New("agy not on PATH")

var errEnough = errors.New("more than enough was said")

// Version returns the first line that the agy on PATH answers to --version, cut to 80 characters. It runs without a shell, for
// five seconds at most, with no input and without our token; of an endless answer the beginning is read. The error is ErrNoAgy,
// or says what agy did.
func Version(ctx context.Context) (string, error) {
	path, err := exec.LookPath("agy")
	if err != nil {
		return "", ErrNoAgy // an agy in the current folder that PATH finds by a relative entry is none either
	}
	limited, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	said := &beginning{}
	cmd := exec.CommandContext(limited, path, "--version")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(strings.ToUpper(v), "ANTIGRAVITY_CSRF_TOKEN=") })
	cmd.Stdout = said
	cmd.WaitDelay = time.Second
	endTogether(cmd)
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return "", fmt.Errorf("agy --version did not end within %s", versionTime)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // something it left behind keeps its output open
		return "", fmt.Errorf("agy --version failed: %w", err)
	}
	line := said.line()
	if line == "" {
		return "", errors.New("agy --version says nothing")
	}
	return line, nil
}

// beginning keeps the first bytes that are written to it, and then ends the writing.
type beginning struct{ data []byte }

func (b *beginning) Write(data []byte) (int, error) {
	b.data = append(b.data, data[:min(len(data), versionBytes-len(b.data))]...)
	if len(b.data) == versionBytes {
		return 0, errEnough
	}
	return len(data), nil
}

// line is the first line, of valid text.
func (b *beginning) line() string {
	text, _, _ := strings.Cut(string(b.data), "\n")
	text = strings.TrimSpace(strings.ToValidUTF8(text, string(utf8.RuneError)))
	if runes := []rune(text); len(runes) > versionRunes {
		text = string(runes[:versionRunes]) + "…"
	}
	return text
}

// recordLabel begins the line of COMPATIBILITY.md that says which agy was audited (behaviour.md m.3).
const recordLabel = "**agy version:**"

// Recorded returns the version that the text of COMPATIBILITY.md records, empty when it records none.
func Recorded(compatibility string) string {
	for line := range strings.Lines(compatibility) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-* ")
		if value, is := strings.CutPrefix("**"+line, recordLabel); is {
			value = strings.Trim(value, " `")
			if strings.HasPrefix(value, "not recorded") {
				return ""
			}
			return value
		}
	}
	return ""
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+)+[-+.0-9A-Za-z]*`)

// number is the version number in a line, or the line when there is none.
func number(line string) string {
	if found := versionNumber.FindString(line); found != "" {
		return found
	}
	return line
}
