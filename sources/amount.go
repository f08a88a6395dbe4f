package sources

import "fmt"

// Amount is a number with its noun, which takes an s unless n is 1: `1 step`, `2 steps`.
func Amount[N int | int64 | uint32](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
