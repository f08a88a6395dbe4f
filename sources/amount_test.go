package sources

import "testing"

func TestAmount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 steps", 1: "1 step", 2: "2 steps", 1234: "1234 steps", -1: "-1 steps"} {
		if got := Amount(n, "step"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
