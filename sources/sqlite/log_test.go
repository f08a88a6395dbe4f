package sqlite

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
)

// reseal writes new checksums into a log whose frames were altered, by the file format's description.
func reseal(wal []byte) {
	const header, frameHeader = 32, 24
	order := binary.ByteOrder(binary.LittleEndian)
	if wal[3]&1 == 1 {
		order = binary.BigEndian
	}
	var s0, s1 uint32
	add := func(b []byte) {
		for i := 0; i+8 <= len(b); i += 8 {
			s0 += order.Uint32(b[i:]) + s1
			s1 += order.Uint32(b[i+4:]) + s0
		}
	}
	add(wal[:24])
	size := frameHeader + int(binary.BigEndian.Uint32(wal[8:]))
	for at := header; at+size <= len(wal); at += size {
		frame := wal[at : at+size]
		add(frame[:8])
		add(frame[frameHeader:])
		binary.BigEndian.PutUint32(frame[16:], s0)
		binary.BigEndian.PutUint32(frame[20:], s1)
	}
}

// A log that passes its checksums and still makes no database of a sound file costs what it held, and that is said
// (case B08).
func TestCaseB08MalformedLogLeavesTheFile(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	w.step(0, "in the file")
	w.exec("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_autocheckpoint = 0", "CREATE TABLE extra(a)")
	w.step(1, "in the log")
	for _, beside := range [][]string{{"-wal"}, {"-wal", "-shm"}} {
		malformedLog(t, copyFiles(t, w.path, beside...))
	}
}

func malformedLog(t *testing.T, path string) {
	t.Helper()
	wal, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for at := 32; at+24+4096 <= len(wal); at += 24 + 4096 {
		if binary.BigEndian.Uint32(wal[at:]) == 1 { // the page that lists the tables
			for i := range wal[at+24+100 : at+24+4096] {
				wal[at+24+100+i] = 0xee
			}
			changed++
		}
	}
	reseal(wal)
	if err := os.WriteFile(path+"-wal", wal, 0o600); err != nil || changed == 0 {
		t.Fatalf("%d pages changed, %v", changed, err)
	}
	before := storeState(t, filepath.Dir(path))
	d := mustRead(t, path, sources.Want{Blocks: true})
	want := []string{"damage ERROR incomplete: the database is malformed with its write-ahead log; what the log changed is missing"}
	if diff := cmp.Diff(want, d.notes()); diff != "" || len(d.steps()) != 1 {
		t.Errorf("steps %v, notes (-want +got):\n%s", d.steps(), diff)
	}
	if diff := cmp.Diff(before, storeState(t, filepath.Dir(path))); diff != "" {
		t.Errorf("the store changed:\n%s", diff)
	}
}

// A transaction that was still being written when the machine stopped is not part of the conversation.
func TestUncommittedFramesAreNotRead(t *testing.T) {
	t.Parallel()
	w := newConversation(t, "PRAGMA wal_autocheckpoint = 0")
	w.step(0, "committed")
	w.exec("PRAGMA cache_size = 2", "BEGIN", "UPDATE steps SET step_payload = zeroblob(200000)", "INSERT INTO steps(idx) VALUES (1)")
	path := copyFiles(t, w.path, "-wal")
	w.exec("ROLLBACK")
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() < 200_000 {
		t.Fatalf("the open transaction has not reached the log: %v, %v", info, err)
	}
	d := mustRead(t, path, sources.Want{Blocks: true, Native: true})
	if diff := cmp.Diff([]int{0}, d.steps()); diff != "" || len(d.notes()) > 0 ||
		!strings.Contains(string(d.events[0].GetStep().GetNativeJson()), "committed") {
		t.Errorf("notes %v, steps (-want +got):\n%s", d.notes(), diff)
	}
}
