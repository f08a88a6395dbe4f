package refresh_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agy-reader/host/agytest"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/sync/refresh"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// job is a session of a new store, and the stand-in that serves it.
func job(t *testing.T) (refresh.Job, *agytest.Daemon) {
	t.Helper()
	root, path := agytest.Store(t)
	base := filepath.Base(path)
	session := store.Session{ID: strings.TrimSuffix(base, ".db"), Path: path, Kind: ".db", Root: store.Root{Path: root, Surface: "cli"}}
	source, err := verify.New(sqlite.New(), legacypb.New()).Take(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	d := agytest.Start(t, agytest.Options{Root: root, LogName: "cli-first.log"})
	return refresh.Job{Session: session, Source: source, Endpoint: of(d), Stamp: time.Now()}, d
}

func of(d *agytest.Daemon) daemon.Endpoint {
	return daemon.Endpoint{URL: d.URL(), Token: daemon.NewToken(d.Token())}
}

// Of many other daemons eight are asked, in their order, until one knows better.
func TestReferenceN87NoMoreThanEightOthers(t *testing.T) {
	t.Parallel()
	j, first := job(t)
	first.Set(t, agytest.Behaviour{Stale: true})
	other := agytest.Start(t, agytest.Options{Root: j.Session.Root.Path, LogName: "cli-other.log"})
	for _, good := range []int{3, 8, 9} {
		var many []daemon.Endpoint
		for range good - 1 {
			many = append(many, of(first))
		}
		j.Others = func(context.Context) ([]daemon.Endpoint, error) { return append(many, of(other)), nil }
		first.Forget()
		done, err := refresh.Run(t.Context(), j)
		if good == 9 {
			if !errors.Is(err, verify.ErrStale) {
				t.Errorf("the ninth was asked: %v", err)
			}
			if n := len(first.Requests()); n != 9*3 {
				t.Errorf("%d calls", n)
			}
			continue
		}
		if err != nil || done.Endpoint.URL != other.URL() {
			t.Errorf("%d: %v", good, err)
		}
	}
	j.Others = func(context.Context) ([]daemon.Endpoint, error) { return nil, errors.New("none") }
	if _, err := refresh.Run(t.Context(), j); !errors.Is(err, verify.ErrStale) {
		t.Error(err)
	}
}

// What is missing from a short answer is said, and nobody else is asked when the session itself changed.
func TestShortAndChanged(t *testing.T) {
	t.Parallel()
	j, d := job(t)
	j.Others = func(context.Context) ([]daemon.Endpoint, error) {
		t.Error("others were asked")
		return nil, nil
	}
	d.Set(t, agytest.Behaviour{Write: agytest.WriteEdit, Times: 1})
	if _, err := refresh.Run(t.Context(), j); !errors.Is(err, verify.ErrChanged) {
		t.Error(err)
	}
	j, d = job(t)
	d.Set(t, agytest.Behaviour{Truncated: 1, Lost: 1})
	_, err := refresh.Run(t.Context(), j)
	if !errors.Is(err, verify.ErrStale) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "; ") {
		t.Error(err)
	}
}

// A proved answer that cannot be written is not lost.
func TestReferenceN40WriteError(t *testing.T) {
	t.Parallel()
	j, _ := job(t)
	if err := os.Mkdir(sidecar.Path(j.Session.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := refresh.Run(t.Context(), j)
	var unwritten *refresh.WriteError
	if !errors.As(err, &unwritten) || len(unwritten.Trajectory) == 0 || !strings.HasPrefix(err.Error(), fmt.Sprintf("write sidecar %s: ", unwritten.Path)) {
		t.Error(err)
	}
}

// A session that changes while the write waits for another writer is not covered by what was proved before.
func TestChangedWhileWaiting(t *testing.T) {
	t.Parallel()
	j, d := job(t)
	folder, err := os.Open(filepath.Dir(j.Session.Path))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := refresh.Run(t.Context(), j)
		ended <- err
	}()
	for len(d.Requests()) < 3 {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond) // it is compared, and the write waits
	d.Set(t, agytest.Behaviour{Write: agytest.WriteEdit, Times: 1})
	client := daemon.NewClient(of(d))
	defer client.Close()
	if _, err := client.Full(t.Context(), j.Session.ID); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, verify.ErrChanged) {
		t.Error(err)
	}
	if _, err := os.Lstat(sidecar.Path(j.Session.Path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a sidecar was written: %v", err)
	}
}
