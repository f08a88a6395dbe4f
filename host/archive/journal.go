package archive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"agy-reader/host/artifact"
	"agy-reader/sinks"
	"agy-reader/sources"
)

// journalName is the file that is there while a run is under way.
const journalName = ".agy-reader.archive"

// journal is the lock on an archive and, line by line, what the run means to write and what it has written. The manifest is
// written at the end only; after a kill the next run reads here how far this one came.
type journal struct {
	root *os.Root
	file *os.File
	mu   sync.Mutex
	// empty: there is nothing in it that the next run must know.
	empty bool
}

// journalLine is one line: Pending are ids whose files may be in any state between old and new until their Entry follows.
type journalLine struct {
	Pending []string `json:"pending,omitempty"`
	Entry   *Entry   `json:"entry,omitempty"`
}

// openJournal locks the archive and returns what a killed run left: entries that are done, and ids that may be anything.
func openJournal(root *os.Root) (j *journal, done map[string]*Entry, unsure map[string]bool, err error) {
	for range 10 {
		if info, err := root.Lstat(journalName); err == nil && !info.Mode().IsRegular() {
			return nil, nil, nil, fmt.Errorf("%s is not a regular file: %w", journalName, artifact.ErrExists)
		}
		file, err := root.OpenFile(journalName, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("lock the archive: %w: %w", sinks.ErrOutput, err)
		}
		if !lockFile(file) {
			file.Close()
			return nil, nil, nil, fmt.Errorf("%w: another run writes into this archive", sources.ErrBusy)
		}
		// The run before may have removed the file between the two calls.
		opened, openErr := file.Stat()
		named, namedErr := root.Lstat(journalName)
		if openErr != nil || namedErr != nil || !os.SameFile(opened, named) {
			file.Close()
			continue
		}
		j = &journal{root: root, file: file}
		done, unsure = j.read()
		j.empty = len(done)+len(unsure) == 0
		return j, done, unsure, nil
	}
	return nil, nil, nil, fmt.Errorf("%w: another run writes into this archive", sources.ErrBusy)
}

// read takes every line that is whole.
func (j *journal) read() (done map[string]*Entry, unsure map[string]bool) {
	done, unsure = map[string]*Entry{}, map[string]bool{}
	lines := bufio.NewReader(io.LimitReader(j.file, maxManifest))
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			return done, unsure
		}
		var line journalLine
		if json.Unmarshal(text, &line) != nil {
			continue // cut by a kill
		}
		for _, id := range line.Pending {
			unsure[key(id)] = true
			delete(done, key(id))
		}
		if e := line.Entry; e != nil && e.check() == nil {
			done[key(e.ID)] = e
			delete(unsure, key(e.ID))
		}
	}
}

// begin says what this run is about to write, behind what a killed run left, whose last line may be cut.
func (j *journal) begin(pending []string) error {
	j.empty = false
	_, err := j.file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = j.file.WriteString("\n")
	}
	if err == nil {
		err = j.add(journalLine{Pending: pending})
	}
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w: %w", journalName, sinks.ErrOutput, err)
	}
	return nil
}

// add appends a line in one write.
func (j *journal) add(line journalLine) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("write %s: %w: %w", journalName, sinks.ErrOutput, err)
	}
	return nil
}

// end lets the archive go. finished removes the file: the manifest says everything.
func (j *journal) end(finished bool) error {
	if !finished {
		return j.file.Close()
	}
	// While the lock is held, so that nobody's file is removed; where an open file cannot be removed, once more after.
	removed := j.root.Remove(journalName)
	err := j.file.Close()
	if removed != nil {
		removed = j.root.Remove(journalName)
	}
	if errors.Is(removed, fs.ErrNotExist) {
		removed = nil
	}
	return errors.Join(err, removed)
}
