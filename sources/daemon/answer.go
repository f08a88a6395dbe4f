package daemon

import (
	"encoding/json"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Answer is what a daemon says about one conversation in its ordinary form.
type Answer struct {
	// ID is the id that was answered: the file's name or the cascade id inside it.
	ID string
	// Trajectory is the value of `trajectory`, byte for byte, `{}` when there is none. When the first answer
	// left out steps, its `steps` is replaced by all there are, each byte for byte too.
	Trajectory json.RawMessage
	// Beside are the other members of the answer in their order, for example `status`, `numTotalSteps` and
	// `pendingAgentMessages`.
	Beside []Member
	// Steps is how many steps the trajectory has, Total how many the daemon says there are (-1 when it does not say).
	Steps, Total int64
	// Short says why not all steps came; nil when they did, or nobody said how many there are.
	Short error
}

// Member is one member of a JSON object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Full is an answer with trajectoryVerbosity FULL, which keeps generic wrappers as they are stored. One of Proto and JSON
// is set.
type Full struct {
	// Proto is a trajectory message (trajectory.Message) in wire form, never nil when the daemon speaks protobuf.
	Proto []byte
	// JSON is what a daemon answers that does not: the same in JSON form.
	JSON json.RawMessage
	// Steps, Total and Short are as in Answer.
	Steps, Total int64
	Short        error
	// beside are the members of the answer that are neither the trajectory nor a count.
	beside []*transcriptv1.UnknownField
}
