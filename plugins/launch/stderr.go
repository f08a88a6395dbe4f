package launch

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"

	"agy-reader/plugins/rpc"
)

// maxLine bounds one line of output of a plugin; the rest of a longer one is dropped.
const maxLine = 16 << 10

// readLines calls each with every line until r ends. A longer line than maxLine is cut.
func readLines(r io.Reader, each func(line string)) {
	lines := bufio.NewReaderSize(r, maxLine)
	cut := false
	for {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 && !cut {
			each(strings.TrimRight(string(line), "\r\n"))
		}
		cut = errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !cut {
			return
		}
	}
}

// logLine hands one line of a plugin's standard error on, and returns it as people read it. A line the kit wrote is JSON
// with the member names of hclog; anything else is plain text. go-plugin's own reader of these lines is not used: it
// panics when a member is not a string.
func logLine(log *slog.Logger, line string) string {
	var entry map[string]any
	if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &entry) != nil {
		log.Debug(rpc.Printable(line))
		return line
	}
	message, isText := entry["@message"].(string)
	level, hasLevel := entry["@level"].(string)
	if !isText || !hasLevel {
		log.Debug(rpc.Printable(line))
		return line
	}
	var args []any
	text := level + ": " + message
	for _, name := range sortedKeys(entry) {
		if strings.HasPrefix(name, "@") {
			continue
		}
		value, err := json.Marshal(entry[name])
		if err != nil {
			continue
		}
		args = append(args, rpc.Printable(name), rpc.Printable(string(value)))
		if name != "stack" {
			text += " " + name + "=" + string(value)
		}
	}
	log.Log(context.Background(), logLevel(level), rpc.Printable(message), args...)
	return text
}

func logLevel(name string) slog.Level {
	switch name {
	case "error":
		return slog.LevelError
	case "warn":
		return slog.LevelWarn
	case "info":
		return slog.LevelInfo
	default:
		return slog.LevelDebug
	}
}
