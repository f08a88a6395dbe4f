package sidecar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Write makes path the sidecar of a trajectory, a JSON object. The block of the file that is there is kept, change (nil
// for none) may alter it, or end everything with an error, which is returned as it is: it is called while no other writer
// can come in between, so that what it finds still holds when the file is there. An agyReader member of the trajectory itself does not count. verified is the time at which the
// source was as the trajectory has it, and becomes the file's time.
//
// A file that has these bytes already is not written: it becomes private, and its time moves to verified unless it is
// later. A corrupt file is replaced, its block is lost; any other error of reading it is returned, and so is
// sources.ErrBusy when another writer held the folder for too long. After an error the old file is there, unless only
// flushing the folder failed.
func Write(path string, trajectory json.RawMessage, change func(*Block) error, verified time.Time) (wrote bool, err error) {
	payload, err := scan(bytes.NewReader(trajectory))
	if err != nil {
		return false, fmt.Errorf("write %s: the trajectory: %w", path, err)
	}
	f, err := lockFolder(path)
	if err != nil {
		return false, err
	}
	defer f.close()
	old, l, err := f.old()
	if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err != nil {
		l = layout{}
	}
	block := l.block.clone()
	if old != nil {
		defer old.Close()
	}
	if change != nil {
		if err := change(&block); err != nil {
			return false, err
		}
	}
	if old != nil {
		same, err := equal(old, payload.with(bytes.NewReader(trajectory), block))
		if err != nil {
			return false, fmt.Errorf("read %s: %w", path, err)
		}
		info, err := old.Stat()
		if err != nil {
			return false, err
		}
		if same && !linked(info) {
			return false, f.refresh(info, verified)
		}
		if same && info.ModTime().After(verified) {
			verified = info.ModTime()
		}
	}
	err = f.replace(payload.with(bytes.NewReader(trajectory), block), verified)
	return err == nil, err
}

// Change alters the block of a sidecar and nothing else: payload, time and the block's other members stay. It reports
// whether that made a difference; without one the file is not touched. Errors are those of Read and Write.
func Change(path string, change func(*Block)) (changed bool, err error) {
	f, err := lockFolder(path)
	if err != nil {
		return false, err
	}
	defer f.close()
	old, l, err := f.old()
	if err != nil {
		return false, err
	}
	defer old.Close()
	info, err := old.Stat()
	if err != nil {
		return false, err
	}
	block := l.block.clone()
	change(&block)
	if block.equal(l.block) {
		return false, nil
	}
	err = f.replace(l.with(old, block), info.ModTime())
	return err == nil, err
}

// equal reports whether the file holds what content holds.
func equal(file *os.File, content io.Reader) (bool, error) {
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	have := io.NewSectionReader(file, 0, info.Size())
	var a, b [64 << 10]byte
	for {
		n, err := io.ReadFull(content, a[:])
		m, errHave := io.ReadFull(have, b[:])
		if !bytes.Equal(a[:n], b[:m]) {
			return false, nil
		}
		if err != nil || errHave != nil {
			return ended(err) && ended(errHave), realError(err, errHave)
		}
	}
}

func ended(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

func realError(errs ...error) error {
	for _, err := range errs {
		if err != nil && !ended(err) {
			return err
		}
	}
	return nil
}
