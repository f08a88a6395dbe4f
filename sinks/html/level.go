package html

import (
	"strings"

	"agy-reader/sinks/present"
)

// Levels of the headings: a step of the conversation is an h3, a trajectory below it an h4, and its steps h5.
const (
	outerLevel   = 3
	deepestLevel = 6
)

// stepLevel is the level of a step's heading. The number of a nested step, such as 12-3, says how deep it is.
func stepLevel(anchor string) int {
	depth := strings.Count(present.StepNumber(anchor), "-")
	if depth > deepestLevel {
		depth = deepestLevel
	}
	return min(outerLevel+2*depth, deepestLevel)
}

// nestedLevel is the level of the heading of a trajectory at a depth.
func nestedLevel(depth uint32) int {
	return min(outerLevel+2*int(min(max(depth, 1), deepestLevel))-1, deepestLevel)
}

func openHeading(dst []byte, level int) []byte {
	return append(append(dst, "<h"...), '0'+byte(level), '>')
}

func closeHeading(dst []byte, level int) []byte {
	return append(append(dst, "</h"...), '0'+byte(level), '>', '\n')
}
