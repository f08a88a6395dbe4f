package endpoint

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"agy-reader/host/endpoint/proc"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// listener is a socket of a process; neither the number of the process nor the port alone tells two of them apart.
type listener struct {
	pid   int
	start uint64
	local netip.AddrPort
}

// byProcesses returns the endpoints of the agy processes that serve a store (behaviour.md c.4, c.5): those with a token
// first, then the newest first.
func (f *Finder) byProcesses(ctx context.Context, root store.Root) ([]candidate, error) {
	dir, err := resolved(root.Path)
	if err != nil {
		return nil, err
	}
	processes, err := f.proc.Processes(ctx)
	if err != nil {
		return nil, err
	}
	exported := exports(processes)
	f.forget(processes)
	var found []candidate
	for _, p := range processes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, is := f.served(p, dir, exported)
		if !is {
			continue
		}
		// A child that has not yet become its own program looks like its agy: the older one is it.
		if twin := slices.IndexFunc(found, func(other candidate) bool { return other.URL == c.URL }); twin >= 0 {
			found = slices.Delete(found, twin, twin+1)
		}
		found = append(found, c)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no agy process of this user with an open log in %s listens", root.Path)
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return tokenRank(a) - tokenRank(b) })
	return f.own(found), nil
}

func tokenRank(c candidate) int {
	if c.Token.Known() {
		return 0
	}
	return 1
}

// export is what agy tells a tool about itself.
type export struct {
	port  int
	token daemon.Token
	start uint64
}

// exports looks for tools that agy runs.
func exports(processes []proc.Process) []export {
	var all []export
	for _, p := range processes {
		env, err := p.Environ()
		if err != nil || !strings.HasPrefix(env[versionVariable], "cli-") || env[tokenVariable] == "" {
			continue
		}
		if port, is := exportedPort(env[addressVariable]); is && p.Check() == nil {
			all = append(all, export{port, daemon.NewToken(env[tokenVariable]), p.Start})
		}
	}
	return all
}

// served returns the endpoint of a process, if it is an agy that serves the store in dir.
func (f *Finder) served(p proc.Process, dir string, exported []export) (candidate, bool) {
	args, whole, err := p.Args()
	if err != nil || len(args) == 0 || path.Base(args[0]) != "agy" {
		return candidate{}, false
	}
	files, err := p.Files()
	if err != nil {
		return candidate{}, false
	}
	inodes := map[uint64]bool{}
	port, log := 0, ""
	for _, file := range files {
		if inode, is := file.Socket(); is {
			inodes[inode] = true
			continue
		}
		if name, is := logName(dir, file.Target); is {
			port, log = f.openPort(dir, name, file), name // the last one counts
		}
	}
	if port == 0 {
		return candidate{}, false
	}
	socket, is := ownSocket(p, inodes, port)
	if !is {
		return candidate{}, false
	}
	token := f.tokenOf(p, args, whole, socket.Local, exported)
	if p.Check() != nil {
		return candidate{}, false // what was read may be of two processes
	}
	return candidate{
		Endpoint: daemon.Endpoint{URL: "http://" + socket.Local.String(), Token: token, PID: p.PID, Origin: fmt.Sprintf("process %d, %s", p.PID, log)},
		port:     port,
		still: func() error {
			if again, is := ownSocket(p, map[uint64]bool{socket.Inode: true}, port); p.Check() != nil || !is || again != socket {
				return fmt.Errorf("port %d: %w", port, proc.ErrGone)
			}
			return nil
		},
	}, true
}

// logName returns the name below dir of a log that an agy has open.
func logName(dir, target string) (string, bool) {
	name, err := filepath.Rel(dir, target)
	if err != nil || !filepath.IsLocal(name) {
		return "", false
	}
	folder, base := filepath.Split(name)
	is := name == "cli.log" || folder == "log"+string(filepath.Separator) && strings.HasPrefix(base, "cli-") && strings.HasSuffix(base, ".log")
	return name, is
}

// openPort returns the port in a log that a process has open, 0 when there is none. The file must be the one that has the
// name in the store, and our own.
func (f *Finder) openPort(dir, name string, open proc.File) int {
	log, err := f.openLog(dir, name)
	if err != nil {
		return 0
	}
	defer log.Close()
	info, err := open.Stat()
	if err != nil || !sameFile(info, log.info) {
		return 0
	}
	port, _ := log.port()
	return port
}

// ownSocket returns the loopback socket of a process that listens on a port. An address that somebody else shares with it
// is none.
func ownSocket(p proc.Process, inodes map[uint64]bool, port int) (proc.Socket, bool) {
	all, err := p.Listeners()
	if err != nil {
		return proc.Socket{}, false
	}
	for _, loopback := range []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()} {
		local := netip.AddrPortFrom(loopback, uint16(port))
		var own []proc.Socket
		shared := false
		for _, s := range all {
			switch {
			case s.Local != local:
			case inodes[s.Inode]:
				own = append(own, s)
			default:
				shared = true
			}
		}
		if len(own) > 0 && !shared {
			return own[0], true
		}
	}
	return proc.Socket{}, false
}

// tokenOf returns the token of an agy for its listener, the zero token when none is known for sure.
func (f *Finder) tokenOf(p proc.Process, args []string, whole bool, local netip.AddrPort, exported []export) daemon.Token {
	if text := launchToken(args); text != "" && whole {
		return daemon.NewToken(text)
	}
	if len(args) > 1 && args[1] == "--pair_token_slot=1" {
		if env, err := p.Environ(); err == nil && env["ANTIGRAVITY_PAIR_TOKEN"] != "" {
			return daemon.NewToken(env["ANTIGRAVITY_PAIR_TOKEN"])
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	key := listener{p.PID, p.Start, local}
	for i, e := range exportsOf(p, local, exported) {
		if i > 0 && e.token != f.kept[key] {
			delete(f.kept, key)
			return daemon.Token{}
		}
		f.kept[key] = e.token
	}
	// What was kept is of the same process only if the process is still there; its caller checks that.
	return f.kept[key]
}

// exportsOf returns what tools of a process know about a port. A tool started after its agy; an older one knows about another
// process that had the port before.
func exportsOf(p proc.Process, local netip.AddrPort, exported []export) []export {
	return slices.DeleteFunc(slices.Clone(exported), func(e export) bool {
		return e.port != int(local.Port()) || e.start < p.Start || local.Addr() == netip.IPv6Loopback()
	})
}

// launchToken returns the token that agy was started with. Only its first argument counts, and only if the flag is not
// repeated: anything behind it may be a prompt.
func launchToken(args []string) string {
	is := func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return name == "--csrf_token" || name == "-csrf_token"
	}
	if len(args) < 2 || !is(args[1]) || slices.ContainsFunc(args[2:], is) {
		return ""
	}
	_, token, inside := strings.Cut(args[1], "=")
	if !inside && len(args) > 2 {
		token = args[2]
	}
	if strings.HasPrefix(token, "-") {
		return ""
	}
	return token
}

// forget drops the tokens of processes that ended.
func (f *Finder) forget(processes []proc.Process) {
	runs := make(map[[2]uint64]bool, len(processes))
	for _, p := range processes {
		runs[[2]uint64{uint64(p.PID), p.Start}] = true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.kept, func(l listener, _ daemon.Token) bool { return !runs[[2]uint64{uint64(l.pid), l.start}] })
}
