package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"agy-reader/host/agytest"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
)

// ticksOf is how many ticks a soak has: a few, or a thousand with AGY_SOAK.
func ticksOf() int {
	if os.Getenv("AGY_SOAK") != "" {
		return 1000
	}
	return 40
}

// A store changes while it is watched and its daemon restarts, is stale, refuses, hangs up and writes in the middle. At every
// quiet point all sidecars are what the store holds, by another hand; none is ever torn; none ever claims to be complete
// with another content than its evidence covers.
func TestSoak(t *testing.T) {
	const sessions = 4
	r := newRig(t, sessions)
	d := r.daemon(agytest.Options{})
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)

	var ended atomic.Bool
	var others sync.WaitGroup
	defer others.Wait()
	defer ended.Store(true)
	// Nobody who reads at any time sees half a sidecar.
	reads := atomic.Int64{}
	others.Go(func() {
		for !ended.Load() {
			for i := range sessions {
				if err := r.whole(i); err != nil {
					t.Error(err)
					ended.Store(true)
				}
				reads.Add(1)
			}
		}
	})

	var quiet sync.Mutex // held by the writer while it writes
	write := startWriter(t)
	others.Go(func() {
		random := rand.New(rand.NewPCG(seed, 2))
		for !ended.Load() {
			quiet.Lock()
			err := r.change(random, random.IntN(sessions), write)
			quiet.Unlock()
			if err != nil {
				t.Error(err)
				return
			}
			settle()
		}
	})

	crashes := false
	faults := []func(){
		func() { d.Set(t, agytest.Behaviour{Stale: true}) },
		func() { d.Set(t, agytest.Behaviour{Frozen: true}) },
		func() { d.Set(t, agytest.Behaviour{Refuse: http.StatusForbidden}) },
		func() { d.Set(t, agytest.Behaviour{Refuse: http.StatusServiceUnavailable, Times: 2}) },
		func() { d.Set(t, agytest.Behaviour{Wrong: agytest.WrongText}) },
		func() { d.Set(t, agytest.Behaviour{Wrong: agytest.WrongJSON, Times: 1}) },
		func() { d.Set(t, agytest.Behaviour{Wrong: agytest.WrongMember, Form: "ordinary"}) },
		func() { d.Set(t, agytest.Behaviour{Lost: 1, Truncated: 1}) },
		func() { d.Set(t, agytest.Behaviour{Truncated: 1}) },
		func() { d.Set(t, agytest.Behaviour{Write: agytest.WriteEdit, Times: 1}) },
		func() { d.Set(t, agytest.Behaviour{Write: agytest.WriteCheckpoint, Times: 1}) },
		func() { d.Restart(t) },
		func() { d.Kill(); d.Restart(t) },
		func() { d.Set(t, agytest.Behaviour{Crash: true}); crashes = true },
	}
	synced := 0
	for tick := range ticksOf() {
		if ended.Load() {
			break
		}
		switch random.IntN(5) {
		case 0, 1:
			if crashes {
				d.Restart(t)
				crashes = false
			}
			faults[random.IntN(len(faults))]()
		case 2:
			r.loop = nil // another watcher takes over
		}
		lacks(t, r.tick(), d.Token())
		if tick%8 != 7 {
			continue
		}
		quiet.Lock()
		d.Restart(t) // without faults
		crashes = false
		settle()
		text := r.tick()
		for i := range sessions {
			if err := r.holds(i); err != nil {
				t.Errorf("tick %d: %v\n%s", tick, err, text)
			}
		}
		synced++
		quiet.Unlock()
	}
	if synced == 0 || reads.Load() == 0 {
		t.Errorf("%d quiet points, %d reads", synced, reads.Load())
	}
}

// change is one thing that a product does to its store.
func (r *rig) change(random *rand.Rand, i int, write func(path string, what ...string) error) error {
	all := []string{agytest.WriteEdit, agytest.WriteEdit, agytest.WriteSame, agytest.WriteCheckpoint}
	if random.IntN(6) == 0 {
		all = append(all, agytest.WriteStep)
	}
	var what []string
	for range 1 + random.IntN(2) {
		what = append(what, all[random.IntN(len(all))])
	}
	return write(r.path(idOf(i)), what...)
}

// whole reads a sidecar and fails unless it is whole and its evidence is of its own payload.
func (r *rig) whole(i int) error {
	file, err := sidecar.Read(r.sidecar(i))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	e, err := verify.ParseEvidence(file.Block.Completeness())
	if err != nil {
		return err
	}
	if digest, err := verify.PayloadDigest(file.Trajectory); err != nil || digest != e.PayloadDigest {
		return fmt.Errorf("%s claims to be what it is not: %w", r.sidecar(i), err)
	}
	left, err := filepath.Glob(filepath.Join(r.root.Path, store.Conversations, ".trajectory-*"))
	if len(left) > 1 { // one is being written
		return fmt.Errorf("left behind: %q, %w", left, err)
	}
	return nil
}
