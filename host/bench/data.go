package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// dataset is a session, or a folder of sessions, that testdata/generate makes.
type dataset struct {
	kind         string
	steps, files int
	// size of the giant step in bytes.
	size int
	// encrypted: a `.pb` file of the same steps.
	encrypted bool
	// room is about how many bytes it takes; zero for little.
	room int64
}

func (d dataset) name() string {
	return fmt.Sprintf("%s-%d-%d-%d", d.kind, d.steps, d.files, d.size)
}

// data returns the path of a data set, which is made on first use and kept.
func (b *bench) data(d dataset) (string, error) {
	path := filepath.Join(b.cache, d.name())
	switch {
	case d.encrypted:
		path += ".pb"
	case d.files == 0 && d.kind != "log":
		path += ".db"
	}
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if free, known := freeSpace(b.cache); known && d.room > 0 && free < 2*d.room+(4<<30) {
		return "", fmt.Errorf("%w: %s takes %d MB, and only %d MB are free in %s", errSkip, d.name(), d.room>>20, free>>20, b.cache)
	}
	b.say("making %s", d.name())
	unfinished, err := os.MkdirTemp(b.cache, "unfinished-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(unfinished)
	made := filepath.Join(unfinished, filepath.Base(path))
	err = b.command(b.program("generate"), "-kind", d.kind, "-steps", strconv.Itoa(d.steps), "-files", strconv.Itoa(d.files),
		"-size", strconv.Itoa(d.size), "-out", made)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(made + ".md"); err == nil {
		if err := os.Rename(made+".md", path+".md"); err != nil {
			return "", err
		}
	}
	return path, os.Rename(made, path)
}

// versionOf hashes everything that decides what the generator makes.
func versionOf(root string) (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version())
	for _, pattern := range []string{"host/bench/testdata/generate/*.go", "sources/trajectory/doc.go", "host/demo/build/*.go", "go.sum", "proto/antigravity/*/schema.binpb"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintln(hash, filepath.Base(file), len(text))
			hash.Write(text)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}

// sessions are the data sets of a run. Ratios do not depend on the size of a session once starting up is small beside it, so
// the short run takes less of everything.
type sessions struct {
	heavy, light, lightTenth, small, giant, noGiant, messages, sealed dataset
	// many and few are stores, log and huge one conversation each that is much larger than what memory is allowed.
	many, few, log, huge dataset
}

func sessionsFor(gates bool) sessions {
	s := sessions{
		heavy:    dataset{kind: "heavy", steps: 12_000},
		light:    dataset{kind: "light", steps: 100_000},
		small:    dataset{kind: "light", steps: 100, files: 500},
		giant:    dataset{kind: "giant", steps: 20, size: 100 << 20},
		messages: dataset{kind: "messages", steps: 8_000},
		many:     manySmall(5000),
		few:      manySmall(500),
		log:      dataset{kind: "log", steps: 187_000, room: 2 << 30},
		huge:     dataset{kind: "heavy", steps: 200_000, room: 5 << 30},
	}
	if gates {
		s.heavy.steps, s.light.steps, s.giant.size = 5_000, 50_000, 40<<20
		s.many.files, s.few.files = 2000, 200
		s.log.steps, s.log.room, s.huge.steps, s.huge.room = 20_000, 0, 20_000, 0
	}
	s.lightTenth, s.noGiant = s.light, s.giant
	s.lightTenth.steps /= 10
	s.noGiant.size = 0
	s.sealed = s.heavy
	s.sealed.encrypted = true
	return s
}
