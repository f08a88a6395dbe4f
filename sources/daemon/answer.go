package daemon

import "encoding/json"

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

// Full is an answer with trajectoryVerbosity FULL, which keeps generic wrappers as they are stored. One of the two is set.
type Full struct {
	// Proto is a trajectory message (trajectory.Message) in wire form.
	Proto []byte
	// JSON is what a daemon answers that does not speak protobuf: the same in JSON form.
	JSON json.RawMessage
}
