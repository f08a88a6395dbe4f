package interpret

import "agy-reader/sources/profile"

// names are all fields this package reads. They are declared beside their use, in the fields_*.go files.
var names profile.Names

// Packages of the product's schema.
const (
	coder    = "gemini_coder."
	cortex   = "exa.cortex_pb."
	common   = "exa.codeium_common_pb."
	diffs    = "exa.diff_action_pb."
	contexts = "exa.context_module_pb."
)

const (
	stepMessage     = coder + "Step"
	metadataMessage = cortex + "CortexStepMetadata"
	errorMessage    = cortex + "CortexErrorDetails"
	taskMessage     = coder + "TaskDetails"
)

// in returns a function that declares fields of one message.
func in(message string) func(field string) profile.Field {
	return func(field string) profile.Field { return names.Field(message, field) }
}
