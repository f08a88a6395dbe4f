package html

import "strings"

// Levels of the headings: a step of the conversation is an h3, a trajectory below it an h4, and its steps h5.
const (
	outerLevel   = 3
	deepestLevel = 6
)

// stepLevel is the level of a step's heading. The number of a nested step, such as 12-3 or, in the second subagent of step
// 12, 12-2-3, says that it is one and whether it is deeper than that; an anchor of another form says nothing.
func stepLevel(anchor string) int {
	number, found := strings.CutPrefix(anchor, "step-")
	if !found {
		number, found = strings.CutPrefix(anchor, "branch-")
	}
	if !found || strings.Trim(number, "0123456789-") != "" {
		return outerLevel
	}
	switch strings.Count(number, "-") {
	case 0:
		return outerLevel
	case 1, 2:
		return outerLevel + 2
	default:
		return deepestLevel
	}
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
