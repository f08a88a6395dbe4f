package sqlite

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
)

// logged is a copy of a conversation with step 0 in the file and step 1 in the write-ahead log alone.
func logged(t *testing.T) (path string) {
	t.Helper()
	w := newConversation(t)
	w.step(0, "in the file")
	w.exec("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_autocheckpoint = 0")
	w.step(1, "in the log")
	path = copyFiles(t, w.path, "-wal")
	if d := mustRead(t, path, sources.Want{}); len(d.steps()) != 2 {
		t.Fatalf("steps %v", d.steps())
	}
	return copyFiles(t, w.path, "-wal")
}

// A log whose last frame was written in part ends before it; one whose header is no header holds nothing.
func TestReferenceN52N53TornLogAndBadHeader(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(wal []byte) []byte{
		"N52 torn last frame":   func(wal []byte) []byte { return wal[:len(wal)-100] },
		"N52 torn frame header": func(wal []byte) []byte { return wal[:len(wal)-4096-10] },
		"N53 other magic":       func(wal []byte) []byte { wal[0] ^= 1; return wal },
		"N53 bad checksum":      func(wal []byte) []byte { wal[24] ^= 1; return wal },
		"N53 short header":      func(wal []byte) []byte { return wal[:31] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := logged(t)
			write(t, path+"-wal", spoil(read(t, path+"-wal")))
			if diff := cmp.Diff([]int{0}, mustRead(t, path, sources.Want{}).steps()); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever a file and its log hold, reading ends with an answer or an error.
func TestReferenceN54RandomBytes(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(54, 54))
	random := func(n int) []byte {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		return data
	}
	whole := logged(t)
	base, wal := read(t, whole), read(t, whole+"-wal")
	for range 30 {
		path := filepath.Join(t.TempDir(), "s.db")
		file, log := append([]byte(nil), base...), append([]byte(nil), wal...)
		switch rng.IntN(3) {
		case 0:
			file, log = random(rng.IntN(20_000)), random(rng.IntN(20_000))
		case 1:
			copy(log[32:], random(len(log)-32))
		default:
			copy(file[100:], random(len(file)-100)) // a database by its header alone
		}
		write(t, path, file)
		write(t, path+"-wal", log)
		if d, err := readDocument(t, New(WithBusyTimeout(time.Second)), path, sources.Want{Blocks: true}); err == nil && len(d.steps()) > 2 {
			t.Errorf("steps %v of a conversation that has two", d.steps())
		}
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
	}
}
