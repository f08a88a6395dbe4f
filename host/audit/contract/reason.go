package contract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/host/sidecar"
)

// maxReason is the longest reason or pointer, maxQuoted what is quoted of a value, in bytes.
const (
	maxReason = 300
	maxQuoted = 80
)

// syntax tells where a document is no JSON.
func syntax(err error) Problem {
	var at *jsontext.SyntacticError
	if !errors.As(err, &at) {
		return Problem{Reason: beginning(strings.TrimPrefix(err.Error(), sidecar.ErrCorrupt.Error()+": "), maxReason)}
	}
	why := "an error"
	if at.Err != nil {
		why = at.Err.Error()
	}
	return Problem{beginning(string(at.JSONPointer), maxReason), beginning(fmt.Sprintf("no valid JSON at byte %d: %s", at.ByteOffset, why), maxReason)}
}
