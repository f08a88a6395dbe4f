package walfs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// image reads a database file and its log as this package shows them.
func image(t testing.TB, base, wal []byte) (*Image, *Log) {
	t.Helper()
	log, err := Parse(bytes.NewReader(wal), int64(len(wal)))
	if err != nil {
		t.Fatal(err)
	}
	return NewImage(bytes.NewReader(base), int64(len(base)), bytes.NewReader(wal), log), log
}

// Logs of machines with the other byte order have the other checksums.
func TestBothByteOrders(t *testing.T) {
	t.Parallel()
	wal := oneFrame(t, false)
	big := oneFrame(t, true)
	for name, w := range map[string][]byte{"little": wal, "big": big} {
		_, log := image(t, nil, w)
		if log.Frames != 1 || log.Pages != 1 || log.PageSize != 512 || log.Damage != "" {
			t.Errorf("%s: %+v", name, log)
		}
		w[len(w)-1] ^= 1
		_, log = image(t, nil, w)
		if log.Frames != 0 || !strings.Contains(log.Damage, "damaged behind frame 0") {
			t.Errorf("%s, altered: %+v", name, log)
		}
	}
}

// oneFrame writes a log of one committed page by the file format's description.
func oneFrame(t testing.TB, bigEndian bool) []byte {
	t.Helper()
	w := make([]byte, headerSize+frameHeaderSize+512)
	m := uint32(magic)
	if bigEndian {
		m |= 1
	}
	binary.BigEndian.PutUint32(w, m)
	binary.BigEndian.PutUint32(w[4:], version)
	binary.BigEndian.PutUint32(w[8:], 512)
	copy(w[16:], "saltsalt")
	copy(w[headerSize+8:], "saltsalt")
	var s0, s1 uint32
	add := func(b []byte) {
		order := binary.ByteOrder(binary.LittleEndian)
		if bigEndian {
			order = binary.BigEndian
		}
		for i := 0; i < len(b); i += 8 {
			s0 += order.Uint32(b[i:]) + s1
			s1 += order.Uint32(b[i+4:]) + s0
		}
	}
	add(w[:24])
	binary.BigEndian.PutUint32(w[24:], s0)
	binary.BigEndian.PutUint32(w[28:], s1)
	frame := w[headerSize:]
	binary.BigEndian.PutUint32(frame, 1)
	binary.BigEndian.PutUint32(frame[4:], 1)
	add(frame[:8])
	add(frame[frameHeaderSize:])
	binary.BigEndian.PutUint32(frame[16:], s0)
	binary.BigEndian.PutUint32(frame[20:], s1)
	return w
}

func TestWhatIsNoLog(t *testing.T) {
	t.Parallel()
	good := oneFrame(t, false)
	change := func(at int, b byte) []byte {
		w := bytes.Clone(good)
		w[at] = b
		return w
	}
	for _, test := range []struct {
		name   string
		wal    []byte
		damage string
	}{
		{"nothing", nil, ""},
		{"zeros", make([]byte, 4096), ""},
		{"short", good[:20], "shorter"},
		{"magic", change(0, 1), "no valid header"},
		{"page size", change(10, 3), "impossible page size"},
		{"checksum", change(24, 1), "does not match"},
		{"salts", change(headerSize+8, 'x'), ""}, // left over from before the log was restarted
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, log := image(t, nil, test.wal)
			if log.Frames != 0 || (test.damage == "") != (log.Damage == "") || !strings.Contains(log.Damage, test.damage) {
				t.Errorf("%d frames, damage %q", log.Frames, log.Damage)
			}
		})
	}
}

func TestImageReadsAnyRange(t *testing.T) {
	t.Parallel()
	base := bytes.Repeat([]byte("b"), 700) // the second page is only begun
	m, log := image(t, base, oneFrame(t, false))
	log.Pages = 3
	whole := append(make([]byte, 512), bytes.Repeat([]byte("b"), 700-512)...)
	whole = append(whole, make([]byte, 3*512-700)...)
	if err := iotest.TestReader(io.NewSectionReader(m, 0, m.Size()), whole); err != nil {
		t.Error(err)
	}
	if _, err := m.ReadAt(make([]byte, 1), -1); err == nil {
		t.Error("a negative offset was read")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(oneFrame(f, false))
	f.Add(oneFrame(f, true))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, wal []byte) {
		log, err := Parse(bytes.NewReader(wal), int64(len(wal)))
		if err != nil {
			t.Fatal(err)
		}
		if log.End > int64(len(wal)) || log.Frames > len(wal)/(512+frameHeaderSize) {
			t.Fatalf("%d frames up to %d in %d bytes", log.Frames, log.End, len(wal))
		}
		m := NewImage(bytes.NewReader(nil), 0, bytes.NewReader(wal), log)
		buf := make([]byte, 3000)
		if n, err := m.ReadAt(buf, 100); err != nil && !errors.Is(err, io.EOF) {
			t.Fatalf("read %d of %d: %v", n, m.Size(), err)
		}
	})
}

// A file that is shorter than its header says reads as zeros behind its end, unless the number in the header is an old one.
func TestExtend(t *testing.T) {
	t.Parallel()
	base := bytes.Repeat([]byte{7}, 512)
	binary.BigEndian.PutUint16(base[16:], 512)
	binary.BigEndian.PutUint32(base[28:], 3)
	copy(base[92:96], base[24:28])
	m := NewImage(bytes.NewReader(base), 512, nil, nil)
	if has, says := m.Extend(); has != 512 || says != 1536 || m.Size() != 1536 {
		t.Errorf("%d of %d bytes, size %d", has, says, m.Size())
	}
	got := make([]byte, 1100)
	if n, err := m.ReadAt(got, 500); n != 1036 || !errors.Is(err, io.EOF) || got[11] != 7 || got[12] != 0 || got[1035] != 0 {
		t.Errorf("%d bytes, %v", n, err)
	}
	base[95]++
	for name, m := range map[string]*Image{
		"old number": NewImage(bytes.NewReader(base), 512, nil, nil), "no header": NewImage(bytes.NewReader(base), 50, nil, nil),
	} {
		if has, says := m.Extend(); has != says || m.Size() != has {
			t.Errorf("%s: %d of %d bytes", name, has, says)
		}
	}
}
