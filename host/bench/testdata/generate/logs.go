package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// logID is the conversation that writeLogs makes.
const logID = "be00106e-0000-4000-8000-000000000001"

// Limits of the short log: of the content of a line, and of one argument.
const shortContent, shortArgument = 4096, 2048

// logs writes the two transcript logs of a conversation without a database: every line whole in one, cut in the other.
type logs struct {
	full, short *bufio.Writer
	index       int
	steps       int
	clock       time.Time
}

// writeLogs makes a store at root whose only conversation has n steps and logs only.
func writeLogs(t *texts, seed uint64, root string, n int) error {
	folder := filepath.Join(root, "brain", logID, ".system_generated", "logs")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	full, err := os.Create(filepath.Join(folder, "transcript_full.jsonl"))
	if err != nil {
		return err
	}
	defer full.Close()
	short, err := os.Create(filepath.Join(folder, "transcript.jsonl"))
	if err != nil {
		return err
	}
	defer short.Close()
	l := &logs{full: bufio.NewWriterSize(full, 1<<20), short: bufio.NewWriterSize(short, 1<<20), steps: n, clock: time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)}
	s := newSession(t, mixes["heavy"], seed)
	for l.index < n {
		if err := l.turn(s); err != nil {
			return err
		}
	}
	return errors.Join(l.full.Flush(), l.short.Flush(), full.Close(), short.Close())
}

// turn is a prompt, calls with their results, and an answer.
func (l *logs) turn(s *session) error {
	request := "<USER_REQUEST>\n" + s.texts.words(s.r, s.size(s.mix.prompt)) + "\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nThe current local time is: " +
		l.clock.Format(time.RFC3339) + ".\n</ADDITIONAL_METADATA>"
	if err := l.line("USER_EXPLICIT", "USER_INPUT", obj{"content": request}, nil); err != nil {
		return err
	}
	for i := 0; i < s.mix.turn; i++ {
		kind, tool, arguments, content := result(s.texts, s.r, s.size(9000))
		call := obj{"name": tool, "args": arguments}
		if err := l.line("MODEL", "PLANNER_RESPONSE", obj{"thinking": s.texts.words(s.r, s.size(s.mix.thinking)), "tool_calls": []obj{call}}, arguments); err != nil {
			return err
		}
		stamp := l.clock.Format(time.RFC3339)
		if err := l.line("MODEL", kind, obj{"content": "Created At: " + stamp + "\nCompleted At: " + stamp + "\n" + content}, nil); err != nil {
			return err
		}
	}
	return l.line("MODEL", "PLANNER_RESPONSE", obj{"content": s.texts.words(s.r, s.size(s.mix.response))}, nil)
}

// result is a call and what the product wrote down of its answer.
func result(t *texts, r *rand.Rand, size int) (kind, tool string, arguments obj, content string) {
	path := fmt.Sprintf("/home/dev/project/internal/part%d/file.go", r.IntN(100))
	if r.IntN(2) == 0 {
		return "RUN_COMMAND", "run_command", obj{"CommandLine": "go test ./...", "Cwd": "/home/dev/project"},
			"\n\t\t\t\tThe command completed successfully.\n\t\t\t\tOutput:\n\t\t\t\t" + t.source(r, size)
	}
	var b strings.Builder
	lines := t.lines(r, size)
	fmt.Fprintf(&b, "File Path: `file://%s`\nTotal Lines: %d\nShowing lines 1 to %d\n", path, len(lines), len(lines))
	for i, line := range lines {
		fmt.Fprintf(&b, "%d: %s", i+1, line)
	}
	return "VIEW_FILE", "view_file", obj{"AbsolutePath": path}, b.String()
}

// line writes a step to both logs. The short one has arguments encoded twice.
func (l *logs) line(source, kind string, more, arguments obj) error {
	if l.index == l.steps {
		return nil
	}
	step := obj{"step_index": l.index, "source": source, "type": kind, "status": "DONE", "created_at": l.clock.Format(time.RFC3339)}
	for name, value := range more {
		step[name] = value
	}
	if err := write(l.full, step); err != nil {
		return err
	}
	if content, ok := step["content"].(string); ok {
		step["content"] = cut(content, shortContent)
	}
	if arguments != nil {
		twice := obj{}
		for name, value := range arguments {
			encoded, err := json.Marshal(value)
			if err != nil {
				return err
			}
			twice[name] = cut(string(encoded), shortArgument)
		}
		step["tool_calls"] = []obj{{"name": more["tool_calls"].([]obj)[0]["name"], "args": twice}}
	}
	l.index++
	l.clock = l.clock.Add(time.Second)
	return write(l.short, step)
}

func write(w *bufio.Writer, step obj) error {
	text, err := json.Marshal(step)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// cut shortens text as the product does.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	at := limit
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return fmt.Sprintf("%s\n<truncated %d bytes>", text[:at], len(text)-at)
}
