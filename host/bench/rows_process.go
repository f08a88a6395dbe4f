package main

import (
	"fmt"
	"math"
	"sync"
	"time"
)

// secondCore compares one thread with all of them, on machines where a second thread is worth something at this moment.
func secondCore(format string) func(b *bench) (float64, string, error) {
	return func(b *bench) (float64, string, error) {
		scale := spinScale()
		if scale < 1.8 {
			return 0, "", fmt.Errorf("%w: two threads of arithmetic do %.2f times the work of one here and now, less than 1.8", errSkip, scale)
		}
		path, err := b.data(b.sessions.heavy)
		if err != nil {
			return 0, "", err
		}
		c := b.convert(format, path)
		p, err := b.pairs(c.with("GOMAXPROCS=1"), c)
		return ratio(p, wall), versus(1000*theirs(p, wall), 1000*ours(p, wall), "ms"), err
	}
}

// spinScale is how many times the work of one thread two threads do.
func spinScale() float64 {
	var scales []float64
	for range 5 {
		one, two := spin(1), spin(2)
		scales = append(scales, 2*one.Seconds()/two.Seconds())
	}
	return median(scales)
}

func spin(threads int) time.Duration {
	var group sync.WaitGroup
	start := time.Now()
	for i := range threads {
		group.Go(func() {
			x := float64(i) + 1
			for range 40_000_000 {
				x = x*1.0000001 + 0.5
			}
			if math.IsNaN(x) {
				panic("unreachable: it keeps the loop from being removed")
			}
		})
	}
	group.Wait()
	return time.Since(start)
}
