package html

import "strings"

// anchorName is how a link to a step reads: `step 12`.
func anchorName(anchor string) string {
	return "step " + anchorNumber(anchor)
}

// anchorNumber is an anchor of the host without its prefix, any other anchor as it is.
func anchorNumber(anchor string) string {
	return strings.TrimPrefix(anchor, "step-")
}
