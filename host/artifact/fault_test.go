package artifact

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sinks"
)

// faults is a folder that fails at a chosen call. Calls are counted over the folder and its files.
type faults struct {
	folder
	calls int
	// at is the number of the call that fails; negative never.
	at   int
	mode faultMode
	// noLinks stands for a file system without hard links.
	noLinks bool
	dead    bool
}

type faultMode int

const (
	// failOnce: the call does nothing and reports err; later calls work.
	failNoSpace faultMode = iota
	failIO
	// shortWrite: a write takes half of its data and reports no error; any other call works.
	shortWrite
	// kill: the process ends before the call; a write gets half of its data out first.
	kill
)

var errKilled = errors.New("the process is gone")

func (f *faults) hit() error {
	if f.dead {
		return errKilled
	}
	f.calls++
	if f.calls-1 != f.at {
		return nil
	}
	switch f.mode {
	case failNoSpace:
		return syscall.ENOSPC
	case failIO:
		return syscall.EIO
	case kill:
		f.dead = true
		return errKilled
	}
	return nil
}

func (f *faults) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	if err := f.hit(); err != nil {
		return nil, err
	}
	inner, err := f.folder.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &faultFile{inner, f}, nil
}

func (f *faults) Lstat(name string) (fs.FileInfo, error) {
	if err := f.hit(); err != nil {
		return nil, err
	}
	return f.folder.Lstat(name)
}

func (f *faults) Link(name, second string) error {
	if err := f.hit(); err != nil {
		return err
	}
	if f.noLinks {
		return syscall.EPERM
	}
	return f.folder.Link(name, second)
}

func (f *faults) Rename(oldName, newName string) error {
	if err := f.hit(); err != nil {
		return err
	}
	return f.folder.Rename(oldName, newName)
}

func (f *faults) Remove(name string) error {
	if err := f.hit(); err != nil {
		return err
	}
	return f.folder.Remove(name)
}

func (f *faults) Names() ([]string, error) {
	if err := f.hit(); err != nil {
		return nil, err
	}
	return f.folder.Names()
}

func (f *faults) Mkdir(name string) error {
	if err := f.hit(); err != nil {
		return err
	}
	return f.folder.Mkdir(name)
}

func (f *faults) Sync(string) error {
	return f.hit() // no power is cut here
}

// faultFile counts what happens to one file. Close works always: the system closes files of dead processes, too.
type faultFile struct {
	file
	f *faults
}

func (w *faultFile) Write(data []byte) (int, error) {
	err := w.f.hit()
	switch {
	case errors.Is(err, errKilled) && w.f.calls-1 == w.f.at:
		n, _ := w.file.Write(data[:len(data)/2])
		return n, err
	case err != nil:
		return 0, err
	case w.f.mode == shortWrite && w.f.calls-1 == w.f.at:
		return w.file.Write(data[:len(data)/2])
	}
	return w.file.Write(data)
}

func (w *faultFile) Read(data []byte) (int, error) {
	if err := w.f.hit(); err != nil {
		return 0, err
	}
	return w.file.Read(data)
}

func (w *faultFile) ReadAt(data []byte, off int64) (int, error) {
	if err := w.f.hit(); err != nil {
		return 0, err
	}
	return w.file.ReadAt(data, off)
}

func (w *faultFile) Sync() error {
	return w.f.hit() // see faults.Sync
}

// scenario is a set of artifacts published over what a folder held before.
type scenario struct {
	name    string
	opt     Options
	old     map[string]string
	want    map[string]string
	noLinks bool
}

var scenarios = []scenario{
	{name: "one new", want: map[string]string{"a.md": "new a"}},
	{name: "one over ours", old: map[string]string{"a.md": ourMarkdown + " old a"}, want: map[string]string{"a.md": "new a"}},
	{
		name: "three new", old: map[string]string{"other.txt": "stays"},
		want: map[string]string{"a.md": "new a", "b.html": "new b", "c.json": "new c", "other.txt": "stays"},
	},
	{
		name: "three over two", opt: Options{Force: true}, old: map[string]string{"a.md": "old a", "c.json": "old c"},
		want: map[string]string{"a.md": "new a", "b.html": "new b", "c.json": "new c"},
	},
	{
		name: "three over two without links", opt: Options{Force: true}, old: map[string]string{"a.md": "old a", "c.json": "old c"},
		want:    map[string]string{"a.md": "new a", "b.html": "new b", "c.json": "new c"},
		noLinks: true,
	},
	{
		name: "with a folder", old: map[string]string{"a.md": ourMarkdown + " old a"},
		want: map[string]string{"a.md": "new a", "a.assets/p.png": "picture", "a.assets/q.txt": "text"},
	},
	{
		name: "with a folder that was there", old: map[string]string{"a.md": ourMarkdown + " old a", "a.assets/p.png": "picture", "a.assets/z": "stays"},
		want: map[string]string{"a.md": "new a", "a.assets/p.png": "picture", "a.assets/q.txt": "text", "a.assets/z": "stays"},
	},
	// Written past the buffer, behind and before what is in it.
	{name: "a large text", want: map[string]string{"a.md": "new " + strings.Repeat("large", direct)}},
	{name: "exclusive", opt: Options{Exclusive: true}, want: map[string]string{"a.md": "new a"}},
	{name: "exclusive without links", opt: Options{Exclusive: true}, want: map[string]string{"a.md": "new a"}, noLinks: true},
}

// publish writes the new files of a scenario the hard way: parts out of order and interleaved.
func (sc *scenario) publish(dir string, f *faults) error {
	disk, err := openFolder(dir)
	if err != nil {
		return err
	}
	f.folder, f.noLinks = disk, sc.noLinks
	s := newSet(dir, f, sc.opt, nil)
	err = func() error {
		for _, name := range []string{"a.md", "b.html", "c.json"} {
			content, ok := sc.want[name]
			if !ok {
				continue
			}
			second, err := s.Create(name, mediaTypes[filepath.Ext(name)], 1)
			if err != nil {
				return err
			}
			first, err := s.Create(name, mediaTypes[filepath.Ext(name)], 0)
			if err != nil {
				return errors.Join(err, second.Close())
			}
			_, err1 := io.WriteString(second, content[3:4])
			_, err2 := io.WriteString(second, content[4:len(content)-1])
			_, err3 := io.WriteString(second, content[len(content)-1:])
			_, err0 := io.WriteString(first, content[:3])
			if err := errors.Join(err0, err1, err2, err3, first.Close(), second.Close()); err != nil {
				return err
			}
		}
		for _, name := range []string{"a.assets/p.png", "a.assets/q.txt"} {
			if content, ok := sc.want[name]; ok {
				w, err := s.Create(name, "application/octet-stream", 0)
				if err != nil {
					return err
				}
				_, err = io.WriteString(w, content)
				if err := errors.Join(err, w.Close()); err != nil {
					return err
				}
			}
		}
		return nil
	}()
	if err != nil {
		return errors.Join(err, s.Abort())
	}
	_, err = s.Commit(background())
	return err
}

var mediaTypes = map[string]string{".md": "text/markdown", ".html": "text/html", ".json": "application/json"}

// read returns the folder's visible files and the names of the hidden ones.
func read(t *testing.T, dir string) (files map[string]string, hidden []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			hidden = append(hidden, e.Name())
			continue
		}
		if e.IsDir() {
			below, _ := read(t, filepath.Join(dir, e.Name()))
			for name, content := range below {
				files[e.Name()+"/"+name] = content
			}
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files, hidden
}

func (sc *scenario) prepare(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range sc.old {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// comeBack opens a set in the folder a day later and drops it again.
func comeBack(t *testing.T, dir string, opt Options) {
	t.Helper()
	age(t, dir)
	disk, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := newSet(dir, &faults{folder: disk, at: -1}, opt, nil).Abort(); err != nil {
		t.Fatal(err)
	}
}

func (sc *scenario) isOld(files map[string]string) bool {
	return cmp.Equal(sc.old, files) || len(sc.old) == 0 && len(files) == 0
}

// TestReferenceN84Faults publishes every scenario with a fault at each call in turn: afterwards the folder is as it was, or holds the
// complete new set, and nothing else.
func TestReferenceN84Faults(t *testing.T) {
	t.Parallel()
	for _, sc := range scenarios {
		for mode, name := range map[faultMode]string{failNoSpace: "no space", failIO: "i/o error", shortWrite: "short write"} {
			t.Run(sc.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				faulted := 0
				for at := 0; ; at++ {
					dir := sc.prepare(t)
					f := &faults{at: at, mode: mode}
					err := sc.publish(dir, f)
					files, hidden := read(t, dir)
					switch {
					case err != nil && !sc.isOld(files):
						t.Errorf("call %d failed (%v) but the folder changed: %v", at, err, files)
					case err != nil && !errors.Is(err, sinks.ErrOutput):
						t.Errorf("call %d: error of no kind: %v", at, err)
					case err == nil && !cmp.Equal(sc.want, files):
						t.Errorf("call %d: success, but %s", at, cmp.Diff(sc.want, files))
					}
					if len(hidden) > 0 {
						t.Errorf("call %d leaves %v", at, hidden)
					}
					if err != nil {
						faulted++
					}
					if f.calls <= at {
						break
					}
				}
				if faulted == 0 {
					t.Error("no call failed: the test tests nothing")
				}
			})
		}
	}
}

// TestKill ends the process at each call in turn. The next set in the folder then finds, or completes, one state.
func TestKill(t *testing.T) {
	t.Parallel()
	for _, sc := range scenarios {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			for at := 0; ; at++ {
				dir := sc.prepare(t)
				f := &faults{at: at, mode: kill}
				err := sc.publish(dir, f)
				if err == nil && f.dead {
					// Killed while it tidied up after itself.
					err = errKilled
				}
				files, hidden := read(t, dir)
				if err == nil {
					if !cmp.Equal(sc.want, files) || len(hidden) > 0 {
						t.Errorf("no kill: %v %v", files, hidden)
					}
					break
				}
				whole := sc.isOld(files) || cmp.Equal(sc.want, files)
				journaled := strings.Contains(strings.Join(hidden, " "), journalPrefix)
				claimed := sc.opt.Exclusive && sc.noLinks && files["a.md"] == ""
				if !whole && !journaled && !claimed {
					t.Errorf("killed at call %d: half a set and no journal: %v", at, files)
				}
				comeBack(t, dir, sc.opt)
				files, hidden = read(t, dir)
				if !sc.isOld(files) && !cmp.Equal(sc.want, files) && !claimed {
					t.Errorf("killed at call %d, then completed: %v", at, files)
				}
				if len(hidden) > 0 {
					t.Errorf("killed at call %d, a day later there are still %v", at, hidden)
				}
			}
		})
	}
}

// TestKillTwice ends the process at each call, and the one that completes its work at each of its calls.
func TestKillTwice(t *testing.T) {
	t.Parallel()
	sc := scenarios[3]
	for at := 0; ; at++ {
		f := &faults{at: at, mode: kill}
		if err := sc.publish(sc.prepare(t), f); err == nil && !f.dead {
			break
		}
		for second := 0; ; second++ {
			dir := sc.prepare(t)
			_ = sc.publish(dir, &faults{at: at, mode: kill})
			if _, hidden := read(t, dir); !strings.Contains(strings.Join(hidden, " "), journalPrefix) {
				break // nothing to complete
			}
			age(t, dir)
			disk, err := openFolder(dir)
			if err != nil {
				t.Fatal(err)
			}
			f := &faults{folder: disk, at: second, mode: kill}
			_ = newSet(dir, f, sc.opt, nil).Abort()
			comeBack(t, dir, sc.opt)
			files, hidden := read(t, dir)
			if !sc.isOld(files) && !cmp.Equal(sc.want, files) || len(hidden) > 0 {
				t.Fatalf("killed at %d, then at %d: %v %v", at, second, files, hidden)
			}
			if !f.dead {
				break
			}
		}
	}
}

// TestKilledThenRunAgain runs the same command again at once, while the journal is still young.
func TestKilledThenRunAgain(t *testing.T) {
	t.Parallel()
	for _, sc := range scenarios {
		if sc.opt.Exclusive {
			continue
		}
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			again := sc
			again.opt.Force = true // the marks of the new files are missing in these tests
			for at := 0; ; at++ {
				dir := sc.prepare(t)
				f := &faults{at: at, mode: kill}
				if err := sc.publish(dir, f); err == nil && !f.dead {
					break
				}
				if err := again.publish(dir, &faults{at: -1}); err != nil {
					t.Fatalf("killed at %d, again: %v", at, err)
				}
				comeBack(t, dir, sc.opt)
				files, hidden := read(t, dir)
				if diff := cmp.Diff(sc.want, files); diff != "" || len(hidden) > 0 {
					t.Fatalf("killed at %d, again: %s%v", at, diff, hidden)
				}
			}
		})
	}
}
