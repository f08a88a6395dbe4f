package brain

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

const (
	historyFile = "history.jsonl"
	// maxHistory bounds how much of the list of prompts is read, maxPrompt one of its lines, maxPrompts and maxPromptBytes
	// what is shown.
	maxHistory     = 256 << 20
	maxPrompt      = 1 << 20
	maxPrompts     = 1000
	maxPromptBytes = 4 << 20
)

// WithPrompts makes Rest begin with what the person typed, as far as the store's list of prompts knows it: for a
// conversation of which no step is left (case A05). It comes before Rest.
func (f *Folder) WithPrompts() { f.prompts = true }

// history yields the prompts of the conversation in one attachment. It has no address: the file is that of all conversations.
func (f *Folder) history(ctx context.Context, yield func(*transcriptv1.Attachment) error) error {
	if !f.prompts || f.at == "." {
		return nil
	}
	e := entry{name: historyFile, outside: historyFile}
	file, problem := f.open(e, maxHistory)
	if problem != "" {
		return nil // few stores have one
	}
	defer file.Close()
	a := &transcriptv1.Attachment{Kind: kindPrompt, Name: historyFile}
	shown, left, lost := 0, 0, 0
	err := eachLine(&cancelled{ctx, io.LimitReader(file, maxHistory)}, func(line []byte, long bool) {
		var prompt struct {
			Display        string `json:"display"`
			Timestamp      int64  `json:"timestamp"`
			ConversationID string `json:"conversationId"`
		}
		switch err := json.Unmarshal(line, &prompt); {
		case long || err != nil && len(line) > 0:
			lost++
		case err != nil || prompt.ConversationID != f.id || prompt.Display == "":
		case len(a.Blocks) == maxPrompts || shown+len(prompt.Display) > maxPromptBytes:
			left++
		default:
			shown += len(prompt.Display)
			b := plain(valid(prompt.Display))
			if ms := prompt.Timestamp; ms > 0 && ms < maxMillis {
				b.Label = time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05 UTC")
			}
			a.Blocks = append(a.Blocks, b)
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(a.Blocks) == 0 {
		return nil
	}
	if left > 0 {
		a.Blocks = append(a.Blocks, warning(fmt.Sprintf("More prompts than are shown: %d.", left)))
	}
	if lost > 0 {
		a.Blocks = append(a.Blocks, warning(fmt.Sprintf("Lines of %s that cannot be read: %d; whose prompts they hold is not known.", historyFile, lost)))
	}
	if err != nil {
		a.Blocks = append(a.Blocks, warning(cannotRead(err)))
	}
	return yield(a)
}

// maxMillis is where years stop having four digits.
const maxMillis = 253_402_300_800_000

// eachLine calls each for every line, without its bytes when it has more than maxPrompt.
func eachLine(r io.Reader, each func(line []byte, long bool)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	long := false
	for {
		piece, err := in.ReadSlice('\n')
		if long = long || len(line)+len(piece) > maxPrompt; !long {
			line = append(line, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			each(nil, true)
		} else {
			each(line, false)
		}
		line, long = line[:0], false
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
