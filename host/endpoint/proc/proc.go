package proc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"agy-reader/sources/regular"
)

// Limits of what is read of one process.
const (
	maxText    = 1 << 20  // arguments, environment (behaviour c.4)
	maxTable   = 16 << 20 // sockets; the listening ones come first
	maxFiles   = 1 << 14  // descriptors
	maxEntries = 1 << 20  // processes
)

// ErrGone says that a process ended, or is another one than the one that was asked about.
var ErrGone = errors.New("the process is gone")

// FS is a proc file system as one user sees it.
type FS struct {
	// Dir is where it is mounted.
	Dir string
	// UID is the user whose processes count.
	UID int
}

// System is the proc file system of this machine and the user of this process.
func System() FS { return FS{Dir: "/proc", UID: os.Geteuid()} }

// Process is one process at one time. Its number may be used again; its start time tells the two apart.
type Process struct {
	PID int
	// Start is in clock ticks since boot.
	Start uint64
	fs    FS
	net   string
}

// Processes returns the processes of the user in the network namespace of this process, those that started last first. An
// error says that there is no proc file system to read.
func (fs FS) Processes(ctx context.Context) ([]Process, error) {
	own, err := os.Readlink(filepath.Join(fs.Dir, "self", "ns", "net"))
	if err != nil {
		return nil, fmt.Errorf("look at the own network namespace: %w", err)
	}
	dir, err := os.Open(fs.Dir)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var all []Process
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pid, err := strconv.ParseUint(name, 10, 31)
		if err != nil || strconv.FormatUint(pid, 10) != name {
			continue
		}
		p := Process{PID: int(pid), fs: fs, net: own}
		if start, is := p.start(); is {
			p.Start = start
			if p.Check() == nil {
				all = append(all, p)
			}
		}
	}
	slices.SortFunc(all, func(a, b Process) int {
		return cmp.Or(cmp.Compare(b.Start, a.Start), cmp.Compare(b.PID, a.PID))
	})
	return all, nil
}

// Check is ErrGone unless the process still runs, as the user's and in this network namespace. What was read of a process
// is its own only if Check succeeds afterwards.
func (p Process) Check() error {
	status, _, err := p.read("status")
	uid, is := userOf(status)
	net, netErr := os.Readlink(p.path("ns", "net"))
	start, runs := p.start()
	if err != nil || netErr != nil || !is || uid != p.fs.UID || net != p.net || !runs || start != p.Start {
		return ErrGone
	}
	return nil
}

// Args returns the arguments, the program's name first. Without whole there are more of them.
func (p Process) Args() (args []string, whole bool, err error) {
	data, whole, err := p.read("cmdline")
	return arguments(data), whole, err
}

// Environ returns the environment the process started with, its first mebibyte.
func (p Process) Environ() (map[string]string, error) {
	data, whole, err := p.read("environ")
	if err != nil {
		return nil, err
	}
	return variables(data, whole), nil
}

// Cwd returns the folder the process works in.
func (p Process) Cwd() (string, error) { return os.Readlink(p.path("cwd")) }

// File is an open file of a process.
type File struct {
	// Target is its path without links, or something like "socket:[4711]" or "pipe:[4712]".
	Target string
	path   string
}

// Stat describes the open file itself, whatever now has its path.
func (f File) Stat() (os.FileInfo, error) { return os.Stat(f.path) }

// Socket returns the number of the socket, if the file is one.
func (f File) Socket() (inode uint64, is bool) { return inodeOf(f.Target) }

// Files returns the open files in the order of their descriptors.
func (p Process) Files() ([]File, error) {
	dir, err := os.Open(p.path("fd"))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(maxFiles)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	numbers := make([]int, 0, len(names))
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil && n >= 0 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	files := make([]File, 0, len(numbers))
	for _, n := range numbers {
		path := p.path("fd", strconv.Itoa(n))
		if target, err := os.Readlink(path); err == nil { // else it was closed meanwhile
			files = append(files, File{Target: target, path: path})
		}
	}
	return files, nil
}

// Listeners returns the listening sockets of the network namespace of the process, whoever has them.
func (p Process) Listeners() ([]Socket, error) { return listeners(p.path("net")) }

// Listeners returns the listening sockets of the network namespace of this process.
func (fs FS) Listeners() ([]Socket, error) { return listeners(filepath.Join(fs.Dir, "self", "net")) }

func listeners(dir string) ([]Socket, error) {
	four, _, err := read(filepath.Join(dir, "tcp"), maxTable)
	if err != nil {
		return nil, fmt.Errorf("list sockets: %w", err)
	}
	all := sockets(four)
	six, _, err := read(filepath.Join(dir, "tcp6"), maxTable)
	if err != nil && !errors.Is(err, os.ErrNotExist) { // a kernel without IPv6 has no such file
		return nil, fmt.Errorf("list sockets: %w", err)
	}
	return append(all, sockets(six)...), nil
}

func (p Process) path(elements ...string) string {
	return filepath.Join(append([]string{p.fs.Dir, strconv.Itoa(p.PID)}, elements...)...)
}

func (p Process) start() (uint64, bool) {
	stat, _, err := p.read("stat")
	if err != nil {
		return 0, false
	}
	return startOf(stat)
}

func (p Process) read(name string) (data []byte, whole bool, err error) {
	return read(p.path(name), maxText)
}

// read returns at most limit bytes; without whole there are more.
func read(path string, limit int64) (data []byte, whole bool, err error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	data, err = io.ReadAll(io.LimitReader(file, limit+1))
	if int64(len(data)) > limit {
		return data[:limit], false, err
	}
	return data, err == nil, err
}
