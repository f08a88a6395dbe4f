package endpoint

import (
	"context"
	"fmt"
	"net/netip"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"agy-reader/host/endpoint/proc"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// byCLILog returns the endpoint that the newest log of a CLI store names. A log knows no token.
func (f *Finder) byCLILog(_ context.Context, root store.Root) ([]candidate, error) {
	dir, err := resolved(root.Path)
	if err != nil {
		return nil, fmt.Errorf("read cli.log: %w", err)
	}
	name := "cli.log"
	log, err := f.openLog(dir, name)
	if missing(err) {
		if other := newest(dir, "log/cli-*.log"); other != "" {
			name = other
			log, err = f.openLog(dir, name)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.ToSlash(name), err)
	}
	defer log.Close()
	port, is := log.port()
	if !is {
		return nil, fmt.Errorf("no active HTTP daemon port found in %s", filepath.Join(root.Path, name))
	}
	c := candidate{Endpoint: daemon.Endpoint{URL: localURL(port), Origin: name}, port: port}
	c.still = func() error {
		_, err := f.ownPort(port)
		return err
	}
	return f.own([]candidate{c}), nil
}

// ownPort returns the sockets that a connection to a port of 127.0.0.1 may reach, or an error when one of them is another
// user's: a log may be older than the process that now has its port. Only Linux can tell.
func (f *Finder) ownPort(port int) ([]proc.Socket, error) {
	if f.goos != "linux" {
		return nil, nil
	}
	all, err := f.proc.Listeners()
	if err != nil {
		return nil, fmt.Errorf("cannot tell whose port %d is: %w", port, err)
	}
	local := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(port))
	var reached []proc.Socket
	for _, s := range all {
		if !s.Serves(local) {
			continue
		}
		if s.UID != f.proc.UID {
			return nil, fmt.Errorf("discovered daemon port %d now belongs to another user", port)
		}
		reached = append(reached, s)
	}
	if len(reached) == 0 {
		return nil, fmt.Errorf("discovered daemon port %d is unreachable: %w", port, syscall.ECONNREFUSED)
	}
	return reached, nil
}

// ownProcess checks that a port that an IDE's log names is not another program's by now, and returns the process that
// listens and the token it was started with, where they can be seen.
func (f *Finder) ownProcess(ctx context.Context, port int, logged daemon.Token) (pid int, token daemon.Token, err error) {
	reached, err := f.ownPort(port)
	if err != nil || len(reached) == 0 {
		return 0, logged, err
	}
	inodes := map[uint64]bool{}
	for _, s := range reached {
		inodes[s.Inode] = true
	}
	processes, err := f.proc.Processes(ctx)
	if err != nil {
		return 0, daemon.Token{}, err
	}
	for _, p := range processes {
		files, err := p.Files()
		if err != nil {
			continue
		}
		listens, cli := false, false
		for _, file := range files {
			inode, _ := file.Socket()
			listens = listens || inodes[inode]
			base := path.Base(file.Target)
			cli = cli || base == "cli.log" || strings.HasPrefix(base, "cli-") && strings.HasSuffix(base, ".log")
		}
		if !listens {
			continue
		}
		args, _, err := p.Args()
		if err != nil || p.Check() != nil {
			return 0, daemon.Token{}, fmt.Errorf("port %d: %w", port, proc.ErrGone)
		}
		text, _ := valueOf(args, tokenFlag)
		started := daemon.NewToken(text)
		switch {
		case cli && len(args) > 0 && path.Base(args[0]) == "agy":
			return 0, daemon.Token{}, fmt.Errorf("discovered daemon port %d now belongs to an agy of the CLI", port)
		case started.Known() && logged.Known() && started != logged:
			return 0, daemon.Token{}, fmt.Errorf("discovered daemon port %d now belongs to a process that was started with another token", port)
		case started.Known():
			return p.PID, started, nil
		}
		return p.PID, logged, nil
	}
	return 0, logged, nil // in another process namespace; the socket is our own user's all the same
}
