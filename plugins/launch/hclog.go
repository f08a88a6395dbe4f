package launch

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"

	"github.com/hashicorp/go-hclog"
)

// quietLogger passes what go-plugin itself says on to log, all at debug level: the errors of this package say what
// matters, and say it once.
func quietLogger(log *slog.Logger) hclog.Logger {
	l := hclog.NewInterceptLogger(&hclog.LoggerOptions{Name: "go-plugin", Output: io.Discard, Level: hclog.Debug})
	l.RegisterSink(&slogSink{log: log})
	return l
}

type slogSink struct{ log *slog.Logger }

func (s *slogSink) Accept(name string, level hclog.Level, message string, args ...any) {
	if level < hclog.Debug || !s.log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	attrs := []any{"from", name, "severity", level.String()}
	for i := 0; i+1 < len(args); i += 2 {
		attrs = append(attrs, fmt.Sprint(args[i]), fmt.Sprint(args[i+1]))
	}
	s.log.Debug(message, attrs...)
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
