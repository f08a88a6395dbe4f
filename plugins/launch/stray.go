package launch

import (
	"log/slog"
	"strings"

	"agy-reader/plugins/rpc"
)

// strayWriter logs what a plugin printed through its language's own standard streams while it served.
type strayWriter struct {
	log    *slog.Logger
	stream string
}

func (s *strayWriter) Write(p []byte) (int, error) {
	if text := strings.TrimSpace(string(p)); text != "" {
		s.log.Debug(rpc.Printable(text), "printed-to", s.stream)
	}
	return len(p), nil
}
