package doctor

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"agy-reader/host/audit/record"
	"agy-reader/host/command"
)

// Limits of asking agy for its version.
const (
	versionTime  = 5 * time.Second
	versionBytes = 4 << 10
	versionRunes = 80
)

// ErrNoAgy says that there is no agy on PATH.
var ErrNoAgy = errors.New("agy not on PATH")

// Version returns the first line that the agy on PATH answers to --version, cut to 80 characters. It has five seconds. The
// error is ErrNoAgy, or says what agy did.
func Version(ctx context.Context) (string, error) {
	said, _, err := command.Run(ctx, command.Command{Name: "agy", Args: []string{"--version"}, Timeout: versionTime, Keep: versionBytes})
	switch {
	case errors.Is(err, command.ErrMissing):
		return "", ErrNoAgy
	case err != nil:
		return "", err
	}
	line, _, _ := strings.Cut(said, "\n")
	line = strings.TrimSpace(line)
	if runes := []rune(line); len(runes) > versionRunes {
		line = string(runes[:versionRunes]) + "…"
	}
	if line == "" {
		return "", errors.New("`agy --version` says nothing")
	}
	return line, nil
}

// Recorded returns the version that the text of COMPATIBILITY.md records, empty when it records none.
func Recorded(compatibility string) string {
	r, err := record.Parse(compatibility)
	if err != nil {
		return "" // there is no record to be at odds with
	}
	return r.Version
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+)+[-+.0-9A-Za-z]*`)

// number is the version number in a line, or the line when there is none.
func number(line string) string {
	if found := versionNumber.FindString(line); found != "" {
		return found
	}
	return line
}
