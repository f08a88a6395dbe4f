package sidecar

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agy-reader/sources"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 123456789, time.UTC)

func place(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a"+Suffix)
	if content != "" {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, noon, noon); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func modified(t *testing.T, path string) time.Time {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

// alone fails when anything but the sidecar is left in its folder.
func alone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	if got := Path("/x/a.b.db"); got != "/x/a.b.trajectory.json" {
		t.Error(got)
	}
}

// The payload stays byte for byte, whatever becomes of the block.
func TestReferenceN43To45OldFilesNumbersSiblings(t *testing.T) {
	t.Parallel()
	const payload = `{"n":9007199254740993,"e":1e400,"deep":[{"x":-0.10}],"s":"\ud83d\u0041 / "}`
	for name, test := range map[string]struct{ old, trajectory, want string }{
		"new":                   {"", payload, `{"agyReader":{"parentCascadeId":"p"},` + payload[1:] + "\n"},
		"empty":                 {"", "{ }", `{"agyReader":{"parentCascadeId":"p"} }` + "\n"},
		"siblings":              {`{"agyReader":{"x": 1e400,"parentCascadeId":"q","y":[9007199254740993]},"old":1}`, `{"a":1}`, `{"agyReader":{"x":1e400,"parentCascadeId":"p","y":[9007199254740993]},"a":1}` + "\n"},
		"escaped name":          {`{"agyReade\u0072":{"x":1}}`, `{}`, `{"agyReader":{"x":1,"parentCascadeId":"p"}}` + "\n"},
		"block of the daemon":   {"", `{"a":1, "agyReader" : {"z":1}, "b":2}`, `{"a":1, "agyReader" : {"parentCascadeId":"p"}, "b":2}` + "\n"},
		"corrupt: truncated":    {`{"agyReader":{"x":1},`, `{"a":1}`, `{"agyReader":{"parentCascadeId":"p"},"a":1}` + "\n"},
		"corrupt: null":         {`null`, `{"a":1}`, `{"agyReader":{"parentCascadeId":"p"},"a":1}` + "\n"},
		"corrupt: no object":    {`[1]`, `{"a":1}`, `{"agyReader":{"parentCascadeId":"p"},"a":1}` + "\n"},
		"corrupt: blank":        {" ", `{"a":1}`, `{"agyReader":{"parentCascadeId":"p"},"a":1}` + "\n"},
		"corrupt: two blocks":   {`{"agyReader":{},"agyReader":{"x":1}}`, `{"a":1}`, `{"agyReader":{"parentCascadeId":"p"},"a":1}` + "\n"},
		"corrupt: odd block":    {`{"agyReader":7}`, `{"a":1}`, `{"agyReader":{"parentCascadeId":"p"},"a":1}` + "\n"},
		"corrupt: more follows": {`{"agyReader":{"x":1}} {}`, `{"a":1}`, `{"agyReader":{"parentCascadeId":"p"},"a":1}` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := place(t, test.old)
			wrote, err := Write(path, json.RawMessage(test.trajectory), func(b *Block) error { b.SetParent("P"); return nil }, noon)
			if err != nil || !wrote {
				t.Fatal(wrote, err)
			}
			if got := content(t, path); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 || !info.ModTime().Equal(noon) {
				t.Errorf("%v %v", info.Mode(), info.ModTime())
			}
			alone(t, path)
		})
	}
}

func TestBlockIsCut(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"agyReader":{"x":1}}`:                     `{}`,
		`{ "agyReader":{"x":1} , "b":2}`:            `{"b":2}`,
		`{"a":1, "agyReader":{"x":1}, "b":2}`:       `{"a":1, "b":2}`,
		`{"a":1, "agyReader":null }`:                `{"a":1 }`,
		`{"a":{"agyReader":{"parentCascadeId":1}}}`: `{"a":{"agyReader":{"parentCascadeId":1}}}`,
	} {
		path := place(t, in)
		f, err := Read(path)
		if err != nil || string(f.Trajectory) != want {
			t.Errorf("%s: %v, %v", in, f, err)
		}
	}
}

func TestReferenceN42EqualBytesAndN41Permissions(t *testing.T) {
	t.Parallel()
	path := place(t, `{"a":1}`+"\n")
	for _, test := range []struct{ verified, want time.Time }{{noon.Add(-time.Hour), noon}, {noon.Add(time.Hour), noon.Add(time.Hour)}, {noon, noon.Add(time.Hour)}} {
		before, _ := os.Stat(path)
		wrote, err := Write(path, json.RawMessage(`{"a":1}`), nil, test.verified)
		after, _ := os.Stat(path)
		if wrote || err != nil || !after.ModTime().Equal(test.want) || after.Mode().Perm() != 0o600 || !os.SameFile(before, after) {
			t.Errorf("wrote %v, %v; %v %v", wrote, err, after.Mode(), after.ModTime())
		}
	}
}

// It replaces setTime, so it runs alone.
func TestReferenceN40TimeCannotBeSet(t *testing.T) {
	usual := setTime
	defer func() { setTime = usual }()
	setTime = func(*os.Root, string, time.Time) error { return fs.ErrPermission }
	path := place(t, `{"a":1}`)
	if wrote, err := Write(path, json.RawMessage(`{"a":2}`), nil, noon); !errors.Is(err, fs.ErrPermission) {
		t.Error(wrote, err)
	}
	if got := content(t, path); got != `{"a":1}` {
		t.Error(got)
	}
	alone(t, path)
}

func TestReferenceN46StampedTwiceAndN47Case(t *testing.T) {
	t.Parallel()
	path := place(t, `{"a":1}`)
	for i, want := range []bool{true, false, false} {
		changed, err := Change(path, func(b *Block) { b.SetParent([]string{"ab", "ab", "AB"}[i]) })
		if changed != want || err != nil || !modified(t, path).Equal(noon) {
			t.Errorf("%d: %v, %v, %v", i, changed, err, modified(t, path))
		}
	}
	if changed, err := Change(path, func(b *Block) { b.SetParent("") }); !changed || err != nil || content(t, path) != `{"a":1}`+"\n" {
		t.Error(changed, err, content(t, path))
	}
}

func TestWrongTrajectory(t *testing.T) {
	t.Parallel()
	for _, trajectory := range []string{"", "null", "[]", `{"a":`, "{}{}"} {
		path := place(t, `{"a":1}`)
		if _, err := Write(path, json.RawMessage(trajectory), nil, noon); !errors.Is(err, ErrCorrupt) || content(t, path) != `{"a":1}` {
			t.Errorf("%q: %v", trajectory, err)
		}
	}
}

func TestDirectoryInPlace(t *testing.T) {
	t.Parallel()
	path := place(t, "")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(path, json.RawMessage(`{}`), nil, noon); !errors.Is(err, sources.ErrUnreadable) {
		t.Error(err)
	}
	alone(t, path)
}

func TestMissing(t *testing.T) {
	t.Parallel()
	if _, err := Change(place(t, ""), func(*Block) {}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Write(filepath.Join(t.TempDir(), "none", "a"+Suffix), json.RawMessage(`{}`), nil, noon); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A watcher and a backfill that change one file lose nothing of each other, and a reader sees whole files only.
func TestConcurrentWriters(t *testing.T) {
	t.Parallel()
	path := place(t, `{"a":1}`)
	const writers, rounds = 4, 20
	stop := make(chan struct{})
	var reading, writing sync.WaitGroup
	reading.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if _, err := Read(path); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for w := range writers {
		writing.Go(func() {
			for i := range rounds {
				set := func(b *Block) { b.Set(fmt.Sprintf("w%d-%d", w, i), json.RawMessage("1")) }
				always := func(b *Block) error { set(b); return nil }
				var err error
				if w%2 == 0 {
					_, err = Change(path, set)
				} else {
					_, err = Write(path, json.RawMessage(fmt.Sprintf(`{"a":"%s"}`, strings.Repeat("x", 1000*i))), always, noon)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	close(stop)
	reading.Wait()
	if b, err := ReadBlock(path); err != nil || len(b.Members) != writers*rounds {
		t.Errorf("%d members are left of %d (%v)", len(b.Members), writers*rounds, err)
	}
	alone(t, path)
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{`{"a":1,"agyReader":{"x":1},"b":[{}]}`, `{"agyReader":null}`, `{"agyReade\u0072" : {} ,"z":"\ud800"}`, `{}`, `[`, "{\"\xff\":1}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "a"+Suffix)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		before, err := Read(path)
		if err != nil {
			return
		}
		if _, err := Change(path, func(b *Block) { b.SetParent("p") }); err != nil {
			t.Fatal(err)
		}
		after, err := Read(path)
		if err != nil {
			t.Fatalf("%v in %q", err, content(t, path))
		}
		if parent, _ := after.Block.Parent(); parent != "p" || after.Block.Get("x") == nil != (before.Block.Get("x") == nil) {
			t.Errorf("%q", content(t, path))
		}
		if len(before.Trajectory) > 0 && string(after.Trajectory) != string(before.Trajectory) && before.Block.Members == nil {
			if !json.Valid(after.Trajectory) && json.Valid(before.Trajectory) {
				t.Errorf("%q became %q", before.Trajectory, after.Trajectory)
			}
		}
	})
}

// A file larger than any answer is not read into memory. It replaces maxRead, so it runs alone.
func TestReadLimit(t *testing.T) {
	path := place(t, `{"a":"`+strings.Repeat("x", 100)+`","agyReader":{"completeness":1}}`)
	if _, err := Read(path); err != nil {
		t.Fatal(err)
	}
	usual := maxRead
	defer func() { maxRead = usual }()
	maxRead = 100
	if f, err := Read(path); !errors.Is(err, sources.ErrLimit) {
		t.Errorf("%+v, %v", f, err)
	}
	if b, err := ReadBlock(path); err != nil || string(b.Completeness()) != "1" {
		t.Errorf("%+v, %v", b, err)
	}
}

// What changes the block can keep the file as it is.
func TestWriteRefused(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", `{"a":1}`} {
		path := place(t, before)
		wrote, err := Write(path, json.RawMessage(`{"a":2}`), func(*Block) error { return fs.ErrClosed }, noon.Add(time.Hour))
		if wrote || !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%v, %v", wrote, err)
		}
		if _, err := os.Stat(path); before == "" && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		} else if before != "" && (content(t, path) != before || !modified(t, path).Equal(noon)) {
			t.Error(content(t, path))
		}
		if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) > 1 {
			t.Errorf("%v, %v", names, err)
		}
	}
}
