package contract_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/audit/contract"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"store/conversations/b.trajectory.json": `{"steps":1}`,
		"store/conversations/a.trajectory.json": `{}`,
		"store/conversations/a.json":            `{`,
		"store/c.trajectory.json":               `{`,
		"other.json":                            `{}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "store", "folder.trajectory.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "store", "store/loop": "..", "store/d.trajectory.json": "../other.json", "file": "other.json"} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Skip(err)
		}
	}
	var got []string
	paths := []string{filepath.Join(dir, "link"), filepath.Join(dir, "store"), filepath.Join(dir, "file"), filepath.Join(dir, "other.json"), filepath.Join(dir, "none")}
	err := contract.Verify(t.Context(), paths, func(r contract.Result) {
		path, err := filepath.Rel(dir, r.Path)
		if err != nil {
			t.Error(err)
		}
		state := fmt.Sprint(len(r.Problems))
		if r.Err != nil {
			state = "unreadable"
		}
		got = append(got, filepath.ToSlash(path)+" "+state)
	})
	want := []string{
		"link/c.trajectory.json 1", "link/conversations/a.trajectory.json 0", "link/conversations/b.trajectory.json 1",
		"link/d.trajectory.json unreadable", "file 0", "none unreadable",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := contract.Verify(cancelled, paths, func(r contract.Result) { t.Errorf("told %s", r.Path) }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestBigFiles: what a file needs does not grow with its steps.
func TestBigFiles(t *testing.T) {
	const steps, limit = 6000, 20 << 20
	one := `{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","plannerResponse":{"response":"` + strings.Repeat("long ", 1000) + `"},"generic":{"x":[` + strings.Repeat("1,", 100) + `1]}},`
	var most uint64
	read := 0
	next := func() (string, bool) {
		if read++; read%500 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
		return one, read <= steps
	}
	document := io.MultiReader(strings.NewReader(`{"steps":[`), &repeated{next: next}, strings.NewReader(`7]}`))
	found, err := contract.Check(document)
	if err != nil || len(found.Problems) != 1 || found.Problems[0].Pointer != fmt.Sprintf("/steps/%d", steps) {
		t.Errorf("%v %v", found, err)
	}
	if most > limit || most == 0 {
		t.Errorf("%d MB of heap for a document of %d MB", most>>20, steps*len(one)>>20)
	}
}

// repeated reads what next gives until it gives no more.
type repeated struct {
	next func() (string, bool)
	rest string
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.rest == "" {
		text, more := r.next()
		if !more {
			return 0, io.EOF
		}
		r.rest = text
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
