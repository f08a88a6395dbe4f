package proc

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"strconv"
	"strings"
)

// startOf returns the start time in clock ticks since boot, the 22nd field of a stat file. The name of the program, in the
// second, may hold blanks and parentheses.
func startOf(stat []byte) (uint64, bool) {
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 {
		return 0, false
	}
	const field = 22 - 3 // the third field comes first
	fields := bytes.Fields(stat[end+1:])
	if len(fields) <= field {
		return 0, false
	}
	start, err := strconv.ParseUint(string(fields[field]), 10, 64)
	return start, err == nil
}

// userOf returns the user of a status file whose real and effective users are the same.
func userOf(status []byte) (int, bool) {
	for line := range bytes.Lines(status) {
		rest, is := bytes.CutPrefix(line, []byte("Uid:"))
		if !is {
			continue
		}
		fields := bytes.Fields(rest)
		if len(fields) < 2 || !bytes.Equal(fields[0], fields[1]) {
			return 0, false
		}
		uid, err := strconv.ParseUint(string(fields[0]), 10, 32)
		return int(uid), err == nil
	}
	return 0, false
}

// arguments splits a cmdline file: each argument ends with a zero byte.
func arguments(cmdline []byte) []string {
	if len(cmdline) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(cmdline), "\x00"), "\x00")
}

// variables splits an environ file. Of a name that comes twice the first counts, as for getenv. Without whole the last one
// was cut, and is left out.
func variables(environ []byte, whole bool) map[string]string {
	if !whole {
		environ = environ[:bytes.LastIndexByte(environ, 0)+1]
	}
	all := map[string]string{}
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		name, value, is := bytes.Cut(entry, []byte("="))
		if _, twice := all[string(name)]; is && len(name) > 0 && !twice {
			all[string(name)] = string(value)
		}
	}
	return all
}

// Socket is a TCP socket that listens.
type Socket struct {
	// Local is where it listens; an IPv4 address in IPv6 form is an IPv4 address here.
	Local netip.AddrPort
	// UID is the user whose it is.
	UID int
	// Inode is its number; a descriptor of the process that has it reads "socket:[number]".
	Inode uint64
}

// Serves reports whether a connection to addr may reach the socket.
func (s Socket) Serves(addr netip.AddrPort) bool {
	if s.Local.Port() != addr.Port() {
		return false
	}
	own := s.Local.Addr()
	// The IPv6 wildcard takes IPv4 connections too, unless the process said otherwise, which cannot be seen.
	return own == addr.Addr() || own.IsUnspecified() && (own.Is6() || addr.Addr().Is4())
}

// listening is the state of a listening socket in net/tcp and net/tcp6.
const listening = "0A"

// sockets returns the listening sockets of a net/tcp or net/tcp6 file. A line that cannot be read is none.
func sockets(table []byte) []Socket {
	var all []Socket
	for line := range bytes.Lines(table) {
		// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
		fields := bytes.Fields(line)
		if len(fields) < 10 || string(fields[3]) != listening {
			continue
		}
		local, is := address(string(fields[1]))
		uid, err := strconv.ParseUint(string(fields[7]), 10, 32)
		inode, inodeErr := strconv.ParseUint(string(fields[9]), 10, 64)
		if is && err == nil && inodeErr == nil && inode != 0 {
			all = append(all, Socket{Local: local, UID: int(uid), Inode: inode})
		}
	}
	return all
}

// address reads ADDRESS:PORT in hexadecimal digits; the address is one or four words in the machine's byte order.
func address(text string) (netip.AddrPort, bool) {
	host, portText, is := strings.Cut(text, ":")
	if !is || len(portText) != 4 || len(host) != 8 && len(host) != 32 {
		return netip.AddrPort{}, false
	}
	port, err := strconv.ParseUint(portText, 16, 16)
	if err != nil {
		return netip.AddrPort{}, false
	}
	raw := make([]byte, 0, 16)
	for ; host != ""; host = host[8:] {
		word, err := strconv.ParseUint(host[:8], 16, 32)
		if err != nil {
			return netip.AddrPort{}, false
		}
		raw = binary.NativeEndian.AppendUint32(raw, uint32(word))
	}
	addr, is := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(addr.Unmap(), uint16(port)), is
}

// inodeOf returns the number in "socket:[number]".
func inodeOf(target string) (uint64, bool) {
	inner, is := strings.CutPrefix(target, "socket:[")
	inner, ends := strings.CutSuffix(inner, "]")
	if !is || !ends {
		return 0, false
	}
	inode, err := strconv.ParseUint(inner, 10, 64)
	return inode, err == nil && inode != 0
}
