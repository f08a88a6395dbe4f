//go:build !race

package launch_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/launch"
)

// P5: 200 MB go through a process while neither side grows by more than 64 MB.
func TestMemoryOfALongStream(t *testing.T) {
	p, err := launch.Start(t.Context(), self(t, "copy"), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	pids := map[string]string{"plugin": p.PID(), "host": "self"}
	before := map[string]int{}
	for who, pid := range pids {
		before[who] = resident(t, pid)
	}
	out := &nowhere{}
	session, err := p.Sink().Open(t.Context(), request(), out)
	if err != nil {
		t.Fatal(err)
	}
	const size, total = 32 << 10, 200 << 20
	ev := trial.Sized(1, size)
	most := map[string]int{}
	for i := range total / size {
		if err := session.Event(ev); err != nil {
			t.Fatal(err)
		}
		if i%64 == 0 {
			for who, pid := range pids {
				most[who] = max(most[who], resident(t, pid))
			}
		}
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if out.bytes < total {
		t.Errorf("%d bytes came", out.bytes)
	}
	for who := range pids {
		grown := most[who] - before[who]
		t.Logf("%s: %d MB at first, %d MB more at most", who, before[who]>>20, grown>>20)
		if grown > 64<<20 {
			t.Errorf("the %s grew by %d MB", who, grown>>20)
		}
	}
}

// resident is the memory of a process in bytes.
func resident(t *testing.T, pid string) int {
	t.Helper()
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	var kib int
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib << 10
}
