package main

import "testing"

func TestOutOfTime(t *testing.T) {
	t.Parallel()
	const end = "FAIL\nexit status 1\n"
	for _, tc := range []struct {
		name, output string
		want         bool
	}{
		{"the engine's own end", "fuzz: elapsed: 4s\n--- FAIL: FuzzX (4.02s)\n    context deadline exceeded\n" + end, true},
		{"a failing input", "--- FAIL: FuzzX (1s)\n    --- FAIL: FuzzX (0.00s)\n    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzX/1\n" + end, false},
		{"a seed", "failure while testing seed corpus entry: FuzzX/seed#0\n    context deadline exceeded\n" + end, false},
		{"a panic", "panic: context deadline exceeded\n" + end, false},
		{"does not build", "FAIL\t./x [build failed]\n", false},
	} {
		if got := outOfTime(tc.output); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}
