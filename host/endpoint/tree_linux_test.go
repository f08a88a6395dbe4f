package endpoint

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"agy-reader/host/endpoint/proc"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// tree is a proc file system made of files, and a store. The sockets in it are made up, but the ports are those of real
// servers, since a Finder connects to what it finds.
type tree struct {
	t     *testing.T
	dir   string
	root  store.Root
	env   map[string]string
	inode uint64
	table strings.Builder
}

func newTree(t *testing.T) *tree {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tr := &tree{t: t, dir: filepath.Join(base, "proc"), env: map[string]string{}, inode: 1000}
	tr.root = store.Root{Path: filepath.Join(base, "store"), Surface: "cli"}
	tr.write(filepath.Join(tr.dir, "self", "net", "tcp"), "")
	tr.link("net:[1]", filepath.Join(tr.dir, "self", "ns", "net"))
	tr.write(filepath.Join(tr.root.Path, "conversations", "x.db"), "")
	return tr
}

func (tr *tree) write(path, text string) {
	tr.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		tr.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr *tree) link(target, path string) {
	tr.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		tr.t.Fatal(err)
	}
	os.Remove(path)
	if err := os.Symlink(target, path); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr *tree) finder() *Finder {
	f := New(store.Environment{Home: filepath.Dir(tr.root.Path), Getenv: func(name string) string { return tr.env[name] }})
	f.proc = proc.FS{Dir: tr.dir, UID: os.Geteuid()}
	return f
}

// process is what a process of a tree looks like.
type process struct {
	pid   int
	start int
	uid   int
	net   string
	args  []string
	env   []string
	// log is the path of the open log, port what it names and what the process listens on.
	log  string
	port int
	// address is where it listens, 127.0.0.1 when empty; others are inodes of somebody else on the same address.
	address string
	others  bool
}

// agy is a process with a log in the store that listens on a port.
func (tr *tree) agy(pid, port int, args ...string) process {
	return process{pid: pid, start: pid * 10, uid: os.Geteuid(), net: "net:[1]", args: append([]string{"/opt/bin/agy"}, args...), log: filepath.Join(tr.root.Path, "log", fmt.Sprintf("cli-%d.log", pid)), port: port}
}

// tool is a process to which agy exported its address and token.
func tool(pid, port int, token string) process {
	return process{pid: pid, start: pid * 10, uid: os.Geteuid(), net: "net:[1]", args: []string{"sh", "-c", "make"}, env: exportOf(port, token)}
}

func exportOf(port int, token string) []string {
	return []string{versionVariable + "=cli-1.4.4", addressVariable + "=127.0.0.1:" + strconv.Itoa(port), tokenVariable + "=" + token}
}

// add writes a process. Its sockets go to the table of every process: there is one network namespace's table here.
func (tr *tree) add(p process) {
	tr.t.Helper()
	dir := filepath.Join(tr.dir, strconv.Itoa(p.pid))
	tr.write(filepath.Join(dir, "stat"), fmt.Sprintf("%d (agy) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 %d 20\n", p.pid, p.start))
	tr.write(filepath.Join(dir, "status"), fmt.Sprintf("Name:\tagy\nUid:\t%d\t%d\t%d\t%d\n", p.uid, p.uid, p.uid, p.uid))
	tr.link(p.net, filepath.Join(dir, "ns", "net"))
	tr.link(filepath.Dir(tr.root.Path), filepath.Join(dir, "cwd"))
	tr.write(filepath.Join(dir, "cmdline"), strings.Join(p.args, "\x00")+"\x00")
	tr.write(filepath.Join(dir, "environ"), strings.Join(p.env, "\x00")+"\x00")
	if p.log != "" {
		if _, err := os.Lstat(p.log); err != nil {
			tr.write(p.log, logText(p.port))
		}
		tr.link(p.log, filepath.Join(dir, "fd", "3"))
	}
	if err := os.MkdirAll(filepath.Join(dir, "fd"), 0o700); err != nil {
		tr.t.Fatal(err)
	}
	tr.link("/dev/null", filepath.Join(dir, "fd", "0"))
	if p.port != 0 {
		address := p.address
		if address == "" {
			address = "127.0.0.1"
		}
		tr.link(fmt.Sprintf("socket:[%d]", tr.socket(address, p.port, p.uid)), filepath.Join(dir, "fd", "10"))
		if p.others {
			tr.socket(address, p.port, p.uid)
		}
	}
	tr.sync()
}

// socket adds a listening socket.
func (tr *tree) socket(address string, port, uid int) uint64 {
	tr.inode++
	raw, hex := netip.MustParseAddr(address).AsSlice(), ""
	for ; len(raw) > 0; raw = raw[4:] {
		hex += fmt.Sprintf("%08X", binary.NativeEndian.Uint32(raw))
	}
	fmt.Fprintf(&tr.table, " 0: %s:%04X 00000000:0000 0A 00000000:00000000 00:00000000 00000000 %d 0 %d 1\n", hex, port, uid, tr.inode)
	return tr.inode
}

func (tr *tree) sync() {
	dirs, err := filepath.Glob(filepath.Join(tr.dir, "*"))
	if err != nil {
		tr.t.Fatal(err)
	}
	for _, dir := range dirs {
		tr.write(filepath.Join(dir, "net", "tcp"), "  sl  local_address rem_address   st\n"+tr.table.String())
	}
}

// remove ends a process.
func (tr *tree) remove(pid int) {
	tr.t.Helper()
	if err := os.RemoveAll(filepath.Join(tr.dir, strconv.Itoa(pid))); err != nil {
		tr.t.Fatal(err)
	}
}

func logText(port int) string {
	return fmt.Sprintf("I0616 21:38:08.604585  3516 server.go:505] Language server listening on random port at %d for HTTPS (gRPC)\nI0616 21:38:08.605102  3516 server.go:512] Language server listening on random port at %d for HTTP\n", 1, port)
}

// server is a daemon that writes down what it receives.
type server struct {
	port int
	mu   sync.Mutex
	got  []string
}

func serve(t *testing.T, addresses ...string) *server {
	t.Helper()
	s := &server{}
	address := "127.0.0.1:0"
	if len(addresses) > 0 {
		address = addresses[0]
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("listen on %s: %v", address, err)
	}
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		token := "none"
		if values, is := r.Header["X-Codeium-Csrf-Token"]; is {
			token = strings.Join(values, ",")
		}
		s.got = append(s.got, token)
		fmt.Fprint(w, "{}")
	}))
	web.Listener.Close()
	web.Listener = listener
	web.Start()
	t.Cleanup(web.Close)
	s.port = listener.Addr().(*net.TCPAddr).Port
	return s
}

// received returns the tokens of the requests since the last call; "none" for a request without the header.
func (s *server) received() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := strings.Join(s.got, " ")
	s.got = nil
	return got
}

// visit finds the daemon of a root and calls it, as a sync does.
func visit(t *testing.T, f *Finder, root store.Root) (daemon.Endpoint, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	e, err := f.Find(ctx, root)
	if err != nil {
		return e, err
	}
	client := daemon.NewClient(e)
	defer client.Close()
	if err := client.Load(ctx, "x"); err != nil {
		t.Errorf("call %s: %v", e.URL, err)
	}
	return e, nil
}
