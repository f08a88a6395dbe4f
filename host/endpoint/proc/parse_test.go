package proc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStartOf(t *testing.T) {
	t.Parallel()
	tail := " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20"
	for stat, want := range map[string]uint64{
		"7 (agy)" + tail: 4711, "7 (a) R 9 (b) (c)" + tail: 4711, "7 (agy" + tail: 0, "7 (agy) S 1": 0, "": 0, "7 (agy)" + strings.Replace(tail, "4711", "-1", 1): 0,
	} {
		if got, is := startOf([]byte(stat)); got != want || is != (want != 0) {
			t.Errorf("%q: %d, %v", stat, got, is)
		}
	}
}

func TestUserOf(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]int{
		"Name:\tUid: 1\nUid:\t1000\t1000\t1000\t1000\n": 1000, "Uid:\t0\t0\t0\t0\n": 0, "Uid:\t1000\t0\t0\t0\n": -1, "Uid:\t1000\n": -1, "Name:\tagy\n": -1, "Uid:\tx\ty\n": -1,
	} {
		if got, is := userOf([]byte(status)); is != (want >= 0) || is && got != want {
			t.Errorf("%q: %d, %v", status, got, is)
		}
	}
}

func TestArgumentsAndVariables(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"agy", "", "-p", "a b"}, arguments([]byte("agy\x00\x00-p\x00a b\x00"))); diff != "" {
		t.Error(diff)
	}
	if got := arguments(nil); got != nil {
		t.Errorf("a zombie has %q", got)
	}
	environ := []byte("A=1\x00A=2\x00=x\x00NONE\x00B=\x00C=a=b\x00D=cu")
	if diff := cmp.Diff(map[string]string{"A": "1", "B": "", "C": "a=b"}, variables(environ, false)); diff != "" {
		t.Error(diff)
	}
	if got := variables(environ, true)["D"]; got != "cu" {
		t.Errorf("D is %q", got)
	}
}

// row is a line of net/tcp in this machine's byte order.
func row(local, state, uid, inode string) string {
	return fmt.Sprintf("   0: %s 00000000:0000 %s 00000000:00000000 00:00000000 00000000  %s        0 %s 1 0000000000000000 100 0 0 10 0\n", local, state, uid, inode)
}

func hex(addr string, port uint16) string {
	raw := netip.MustParseAddr(addr).AsSlice()
	text := ""
	for ; len(raw) > 0; raw = raw[4:] {
		text += fmt.Sprintf("%08X", binary.NativeEndian.Uint32(raw))
	}
	return fmt.Sprintf("%s:%04X", text, port)
}

func TestSockets(t *testing.T) {
	t.Parallel()
	table := "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
		row(hex("127.0.0.1", 53310), "0A", "1000", "11") + row(hex("127.0.0.1", 53310), "01", "1000", "12") +
		row(hex("::ffff:127.0.0.1", 80), "0A", "0", "13") + row(hex("::1", 81), "0A", "0", "14") + row(hex("::", 82), "0A", "0", "15") + row(hex("0.0.0.0", 83), "0A", "0", "16") +
		row("0100007F:1", "0A", "0", "17") + row("0100007:0050", "0A", "0", "18") + row(hex("127.0.0.1", 84), "0A", "0", "0") + "0: torn"
	var got []string
	for _, s := range sockets([]byte(table)) {
		got = append(got, fmt.Sprint(s.Local, " ", s.UID, " ", s.Inode))
	}
	want := []string{"127.0.0.1:53310 1000 11", "127.0.0.1:80 0 13", "[::1]:81 0 14", "[::]:82 0 15", "0.0.0.0:83 0 16"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		// As a real kernel writes it (behaviour.md c.4).
		for text, want := range map[string]string{"0100007F:D03E": "127.0.0.1:53310", "0000000000000000FFFF00000100007F:D03E": "127.0.0.1:53310", "00000000000000000000000001000000:D03E": "[::1]:53310"} {
			if got, is := address(text); !is || got.String() != want {
				t.Errorf("%s: %v, %v", text, got, is)
			}
		}
	}
}

func TestServes(t *testing.T) {
	t.Parallel()
	four, six := netip.MustParseAddrPort("127.0.0.1:80"), netip.MustParseAddrPort("[::1]:80")
	for local, want := range map[string][2]bool{
		"127.0.0.1:80": {true, false}, "0.0.0.0:80": {true, false}, "[::]:80": {true, true}, "[::1]:80": {false, true}, "127.0.0.2:80": {false, false}, "127.0.0.1:81": {false, false},
	} {
		s := Socket{Local: netip.MustParseAddrPort(local)}
		if got := [2]bool{s.Serves(four), s.Serves(six)}; got != want {
			t.Errorf("%s: %v", local, got)
		}
	}
}

func FuzzParsers(f *testing.F) {
	f.Add([]byte("7 (agy) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20"))
	f.Add([]byte("Uid:\t1000\t1000\t1000\t1000\n"))
	f.Add([]byte("agy\x00--csrf_token=x\x00A=1\x00"))
	f.Add([]byte(row("0100007F:D03E", "0A", "1000", "11")))
	f.Add([]byte(row("0000000000000000FFFF00000100007F:D03E", "0A", "1000", "11")))
	f.Add([]byte("socket:[4711]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		startOf(data)
		userOf(data)
		if args := arguments(data); len(args) > len(data)+1 {
			t.Errorf("%d arguments of %d bytes", len(args), len(data))
		}
		for name, value := range variables(data, false) {
			if name == "" || !bytes.Contains(data, []byte(name+"="+value+"\x00")) {
				t.Errorf("%q=%q is not there", name, value)
			}
		}
		variables(data, true)
		for _, s := range sockets(data) {
			if s.Inode == 0 || s.UID < 0 || !s.Local.IsValid() || s.Local.Addr().Is4In6() {
				t.Errorf("%+v", s)
			}
		}
		if inode, is := inodeOf(string(data)); is && string(data) != fmt.Sprintf("socket:[%d]", inode) && !bytes.HasPrefix(data, []byte("socket:[0")) {
			t.Errorf("%q is %d", data, inode)
		}
	})
}
