package profile

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
)

// Long texts come out right however blocks, words and growing meet.
func TestAppendLongStrings(t *testing.T) {
	t.Parallel()
	pieces := []string{"plain words ", "plain", "\"", "\\n", "\x00", "\x01\x1f", "\u00e9", "\u4fee", "\xff", "\t\t\t\t\t\t\t\t"}
	random := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // a fixed sequence
	for range 3000 {
		kinds := 1 + random.IntN(len(pieces))
		var text []byte
		for range random.IntN(120) {
			text = append(text, pieces[random.IntN(kinds)]...)
		}
		// What is rare may come late, and alone.
		checkEscape(t, string(text)+pieces[random.IntN(len(pieces))]+"plain words"[:random.IntN(11)])
	}
}

// Machines without the instructions, and all that are no x86, write the same.
func TestWithoutBlocks(t *testing.T) {
	t.Parallel()
	const off = "cpu.ssse3=off"
	switch {
	case os.Getenv("GODEBUG") == off && hasBlocks:
		t.Fatal("escapeBlocks is used")
	case !hasBlocks:
		t.Skip("this is such a machine")
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^Test(Append.*String.*|WithoutBlocks)$")
	again.Env = append(os.Environ(), "GODEBUG="+off)
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// escapeBlocks writes what a loop over the bytes writes, never behind its room, and stops only where it may.
func TestEscapeBlocks(t *testing.T) {
	t.Parallel()
	if !hasBlocks {
		t.Skip("this machine has no escapeBlocks")
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a fixed sequence
	for range 20_000 {
		src := make([]byte, random.IntN(100))
		usual := random.IntN(4) // of four bytes are letters
		for i := range src {
			switch random.IntN(4) {
			case 0, 1, usual:
				src[i] = 'a' + byte(random.IntN(26))
			case 2:
				src[i] = "\"\\\n\t\r\b\f"[random.IntN(7)]
			default:
				src[i] = byte(random.IntN(256))
			}
		}
		checkBlocks(t, string(src), random.IntN(2*len(src)+33))
	}
}

// Each byte value is written right at each place of a block, alone and among escapes.
func TestEscapeBlocksAtEveryPlace(t *testing.T) {
	t.Parallel()
	if !hasBlocks {
		t.Skip("this machine has no escapeBlocks")
	}
	for _, around := range []string{"a", "\"", "\n", "é"} {
		for c := range 256 {
			for at := range 32 {
				src := bytes.Repeat([]byte(around), 32)[:32]
				src[at] = byte(c)
				checkBlocks(t, string(src), 64)
			}
		}
	}
}

func checkBlocks(t *testing.T, src string, room int) {
	t.Helper()
	const guard = 0xa5
	memory := bytes.Repeat([]byte{guard}, room+64)
	read, written, high := escapeBlocks(memory[:room:room], src)
	if read%16 != 0 || read > len(src) || written > room {
		t.Fatalf("%q into %d: read %d, written %d", src, room, read, written)
	}
	if behind := memory[room:]; !bytes.Equal(behind, bytes.Repeat([]byte{guard}, len(behind))) {
		t.Fatalf("%q into %d: written behind the room", src, room)
	}
	var want []byte
	wide := false
	for _, c := range []byte(src[:read]) {
		var e [6]byte
		switch {
		case c < ' ' || c == '"' || c == '\\':
			want = append(want, e[:putEscape(e[:], c)]...)
		default:
			want = append(want, c)
		}
		wide = wide || c >= 0x80
	}
	if got := memory[:written]; !bytes.Equal(got, want) || high != wide {
		t.Fatalf("%q: %q, wide %v; want %q, wide %v", src[:read], got, high, want, wide)
	}
	if len(src)-read < 16 || room-written < 32 {
		return
	}
	for _, c := range []byte(src[read : read+16]) {
		if c < ' ' && letters[c] == 0 {
			return
		}
	}
	t.Fatalf("%q into %d: stopped at %d without a reason", src, room, read)
}
