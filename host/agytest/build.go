package agytest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
)

// programVariable names an executable that is built already, for tests that run where there is no compiler or another user
// has no cache: go build -o FILE ./host/agytest/agy
const programVariable = "AGYTEST_PROGRAM"

// program is the daemon's executable, built once for a test program.
var program = sync.OnceValues(func() ([]byte, error) {
	if built := os.Getenv(programVariable); built != "" {
		return os.ReadFile(built)
	}
	dir, err := os.MkdirTemp("", "agytest-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	built := filepath.Join(dir, "agy")
	tool := "go"
	if own := filepath.Join(runtime.GOROOT(), "bin", "go"); isFile(own) { //nolint:staticcheck // the same compiler where it is known
		tool = own
	}
	build := exec.Command(tool, "build", "-ldflags=-s -w", "-o", built, "agy-reader/host/agytest/agy")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the stand-in daemon: %w\n%s", err, out)
	}
	return os.ReadFile(built)
})

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// executable lays the daemon's program into a folder of its own that any user can read, until the end of the test.
func executable(t testing.TB, name string) string {
	t.Helper()
	data, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "agytest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // another user may run it
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	// No child may be started meanwhile: it would hold the file open for writing, and nobody could run it.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, data, 0o755); err != nil { //nolint:gosec // another user may run it
		t.Fatal(err)
	}
	return path
}
