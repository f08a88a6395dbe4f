package daemon_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"agy-reader/host/endpoint"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// TestLive talks to the agy or IDE that runs on this machine. It runs when AGY_READER_LIVE is set, and fetches the
// conversation AGY_READER_TEST_UUID, within 60 seconds.
func TestLive(t *testing.T) {
	if os.Getenv("AGY_READER_LIVE") == "" {
		t.Skip("set AGY_READER_LIVE=1 and AGY_READER_TEST_UUID to a conversation's id to talk to a running agy")
	}
	id := strings.TrimSpace(os.Getenv("AGY_READER_TEST_UUID"))
	if id == "" {
		t.Fatal("AGY_READER_LIVE is set and AGY_READER_TEST_UUID is not; set it to the id of a conversation")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	env := store.OSEnvironment()
	roots := store.Roots(nil, env)
	session, err := store.NewFinder(roots).Find(id)
	if err == nil {
		roots = []store.Root{session.Root}
	}
	finder := endpoint.New(env)
	var failures []error
	for _, root := range roots {
		e, err := finder.Find(ctx, root)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		t.Logf("%s: %s (%s), token known: %v", root.Path, e.URL, e.Origin, e.Token.Known())
		c := daemon.NewClient(e)
		defer c.Close()
		if err := c.Probe(ctx); err != nil {
			t.Errorf("probe: %v", err)
		}
		a, err := daemon.Fetch(ctx, c, id, "")
		if err != nil {
			failures = append(failures, err)
			continue
		}
		full, err := daemon.FetchFull(ctx, c, id, "")
		if err != nil {
			t.Errorf("full form: %v", err)
		}
		t.Logf("%d steps of %d in %d bytes; full form: %d steps, protobuf: %v", a.Steps, a.Total, len(a.Trajectory), full.Steps, full.Proto != nil)
		if a.Steps == 0 || full.Steps != a.Steps {
			t.Errorf("%d steps, %d in the full form", a.Steps, full.Steps)
		}
		return
	}
	t.Fatalf("no daemon gave the conversation: %v", failures)
}
