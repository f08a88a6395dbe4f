package record_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agy-reader/host/audit/record"
)

const killVariable = "RECORD_TEST_WRITES"

// TestMain writes records without end when a test starts this binary for it.
func TestMain(m *testing.M) {
	if dir := os.Getenv(killVariable); dir != "" {
		for n := 0; ; n++ {
			text, err := record.Read(dir)
			if err == nil {
				err = record.Write(dir, text, record.Record{Version: fmt.Sprint(n), IDE: strings.Repeat("x", 1<<16)})
			}
			if err != nil {
				fmt.Fprintln(os.Stdout, err)
				os.Exit(1)
			}
			if n == 0 {
				fmt.Fprintln(os.Stdout, "begun")
			}
		}
	}
	os.Exit(m.Run())
}

// Whenever a writer is killed, the file is a whole one, and what the writer left is removed later.
func TestKilledWriter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, record.FileName), []byte(around), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 15 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killVariable+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := make([]byte, 100)
		if n, _ := out.Read(said); !bytes.HasPrefix(said[:n], []byte("begun")) {
			t.Fatalf("%s", said[:n])
		}
		time.Sleep(rand.N(5 * time.Millisecond))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		text, err := record.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		r, err := record.Parse(text)
		if err != nil || r.Version == "" || len(r.IDE) != 1<<16 || !strings.HasPrefix(text, "# Title\r\n\nbefore") || !strings.HasSuffix(text, "\nafter without an end") {
			t.Fatalf("a part of a file: %v", err)
		}
	}
	names := func() (list []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return list
	}
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range names() {
		if name != record.FileName {
			if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	text, err := record.Read(dir)
	if err == nil {
		err = record.Write(dir, text, full)
	}
	if list := names(); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
