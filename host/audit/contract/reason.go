package contract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"agy-reader/host/sidecar"
)

// maxReason is the longest reason or pointer, maxQuoted what is quoted of a value, in bytes.
const (
	maxReason = 300
	maxQuoted = 80
)

// reason is what an error of the library says, in English and short.
func reason(what jsonschema.ErrorKind) string {
	if pattern, is := what.(*kind.Pattern); is {
		got := beginning(pattern.Got, maxQuoted)
		if got != pattern.Got {
			got += "…"
		}
		return fmt.Sprintf("%q does not have the form %s", got, pattern.Want)
	}
	return beginning(what.LocalizedString(message.NewPrinter(language.English)), maxReason)
}

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
