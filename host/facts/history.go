package facts

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"agy-reader/sources"
)

const (
	historyFile = "history.jsonl"
	// maxHistory bounds how much of the file is read, maxHistoryLine what one prompt may have to be looked at.
	maxHistory     = 256 << 20
	maxHistoryLine = 1 << 20
)

// loadHistory reads the folder each prompt was typed in. The first prompt of a conversation names no conversation, prompts
// of print mode are not there at all. A line that is too long or no JSON costs itself only.
func (x *Index) loadHistory(ctx context.Context) {
	file, info, err := x.files.open(historyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		x.note(historyFile, err)
		return
	}
	defer file.Close()
	if info.Size() > maxHistory {
		x.note(historyFile, fmt.Errorf("%w: only its first %d bytes are read", sources.ErrLimit, maxHistory))
	}
	x.history(ctx, bufio.NewReaderSize(io.LimitReader(file, maxHistory), 64<<10))
}

func (x *Index) history(ctx context.Context, lines *bufio.Reader) {
	seen := map[string]bool{}
	for number := 1; ctx.Err() == nil; number++ {
		line, long, err := nextLine(lines, maxHistoryLine)
		if long {
			x.note(historyFile, fmt.Errorf("%w: line %d has more than %d bytes and is left out", sources.ErrLimit, number, maxHistoryLine))
		} else if len(line) > 0 {
			x.historyLine(line, number, seen)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				x.note(historyFile, err)
			}
			return
		}
	}
}

func (x *Index) historyLine(line []byte, number int, seen map[string]bool) {
	var prompt struct {
		Workspace      string
		ConversationID string
	}
	if err := json.Unmarshal(line, &prompt); err != nil {
		x.note(historyFile, fmt.Errorf("%w: line %d is no JSON", sources.ErrPartial, number))
		return
	}
	// A conversation has many prompts, nearly all in one folder.
	key := prompt.ConversationID + "\x00" + prompt.Workspace
	if prompt.ConversationID == "" || seen[key] || len(seen) > maxConversations {
		return
	}
	seen[key] = true
	if c := x.of(prompt.ConversationID); c != nil {
		c.place(prompt.Workspace, historyFile)
	}
}

// nextLine returns the next line without its end; long when it has more than limit bytes, which are then passed over. The error is
// io.EOF behind the last line.
func nextLine(r *bufio.Reader, limit int) (line []byte, long bool, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		if !long {
			line = append(line, piece...)
		}
		if len(line) > limit {
			line, long = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return trimEnd(line), long, err
		}
	}
}

func trimEnd(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}
