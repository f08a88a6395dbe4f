package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"agy-reader/sources"
)

// childEnv makes the test binary read the databases that match a pattern and report about each, so that a test can do it
// from another process, as another user or in another mount namespace. Connections of one process share their view of the
// -shm file, so a live writer must not be in the reader's process.
const childEnv = "AGY_SQLITE_TEST_READ"

// report is what a child says about one database.
type report struct {
	Name, Mode string
	Rows       int
	Digest     string
	Error      string
}

func childMain(pattern string) int {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, path := range paths {
		mode, rows, err := readRowsOnce(path)
		r := report{Name: filepath.Base(path), Mode: mode, Rows: len(rows), Digest: digest(rows)}
		if err != nil {
			r.Error = err.Error()
		}
		if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
			return 1
		}
	}
	return 0
}

// readRowsOnce reads all steps and checks afterwards that nothing changed meanwhile.
func readRowsOnce(path string) (mode string, rows []row, err error) {
	f, err := locate(sources.Ref{Path: path})
	if err != nil {
		return "", nil, err
	}
	d, err := opener{files: f, busy: 5 * time.Second}.open(context.Background())
	if err != nil {
		return "", nil, err
	}
	defer d.close()
	_, err = d.read(context.Background(), payloads, payloadColumns, 0, func(index int64, v []driver.Value) error {
		rows = append(rows, row{index, string(asBytes(v[0]))})
		return nil
	})
	if err == nil && d.unchanged != nil {
		err = d.unchanged()
	}
	return d.mode, rows, err
}

func digest(rows []row) string {
	h := sha256.New()
	for _, r := range rows {
		fmt.Fprintf(h, "%d %q\n", r.Index, r.Payload)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// holdEnv makes the test binary open a database, read one row, say so, and wait to be killed.
const holdEnv = "AGY_SQLITE_TEST_HOLD"

func holdMain(path string) int {
	r, err := New().Open(context.Background(), sources.Ref{Path: path}, sources.Want{})
	if err == nil {
		_, err = r.Next(context.Background())
	}
	fmt.Fprintln(os.Stdout, "open", err)
	time.Sleep(time.Minute)
	return 1
}

// readElsewhere lets another process read the databases that match a pattern. prepare may change how it is started.
func readElsewhere(t testing.TB, pattern string, prepare func(*exec.Cmd)) map[string]report {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childEnv+"="+pattern)
	cmd.Stderr = os.Stderr
	if prepare != nil {
		prepare(cmd)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("read in another process: %v", err)
	}
	reports := map[string]report{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var r report
		if err := dec.Decode(&r); err != nil {
			t.Fatalf("read in another process: %v", err)
		}
		reports[r.Name] = r
	}
	return reports
}
