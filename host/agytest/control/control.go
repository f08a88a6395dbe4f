// Package control is what a test and the stand-in daemon it started say to each other: one JSON value a line, commands on
// the daemon's standard input, events on its standard output. The daemon ends when its input does, so that none outlives
// the test that started it.
package control

import "time"

// Variable in the environment of the daemon's process says that its first line of input is a Config. Without it the process
// takes flags, for people.
const Variable = "AGYTEST_CONTROL"

// ToolName is the name under which the daemon's program is a tool that does nothing until its input ends.
const ToolName = "agytest-tool"

// Ways a reader can come to know the token.
const (
	// LaunchFlag is the first argument of the process, as `--csrf_token T`; LaunchEquals as `--csrf_token=T`.
	LaunchFlag   = "launch flag"
	LaunchEquals = "launch flag ="
	// Exported is the environment of tools alone.
	Exported = "exported"
	// PairSlot is the first argument `--pair_token_slot=1` and ANTIGRAVITY_PAIR_TOKEN in the daemon's own environment.
	PairSlot = "pair slot"
	// Logged is the log of the IDE, and the arguments of the language server.
	Logged = "logged"
	// None: no token is asked for.
	None = "none"
)

// Layouts of the IDE's logs.
const (
	// Flat is a language_server.log with the port beside a main.log with the arguments.
	Flat = "flat"
	// Stamped is a folder for each start, with both in ls-main.log.
	Stamped = "stamped"
)

// Config is what a daemon is.
type Config struct {
	// Root is the session store, with `conversations` inside.
	Root string `json:"root"`
	// Surface is "cli", or "ide" and "ide2" for a language server of the IDE.
	Surface string `json:"surface"`
	// Token is what requests must carry; empty for no demand.
	Token string `json:"token,omitempty"`
	// LogName is the file below `<root>/log`; empty for cli-YYYYMMDD_HHMMSS.log. Only the CLI has it.
	LogName string `json:"logName,omitempty"`
	// LogFolder and Layout are of the IDE.
	LogFolder string `json:"logFolder,omitempty"`
	Layout    string `json:"layout,omitempty"`
	// Version is what tools are told, for example "cli-1.4.4".
	Version string `json:"version,omitempty"`
	// Address is where to listen for HTTP; empty for any port of 127.0.0.1.
	Address string `json:"address,omitempty"`
	// JSONOnly: protobuf is refused as an unknown content type.
	JSONOnly bool `json:"jsonOnly,omitempty"`
	// Hold keeps every database open that was loaded, as agy does: its -wal and -shm stay beside it.
	Hold bool `json:"hold,omitempty"`
}

// Command is a line of input. Each is answered by a Reply with its number.
type Command struct {
	ID int `json:"id"`
	// Op is one of "set", "tool", "stop" (a tool, by PID) and "ping".
	Op         string      `json:"op"`
	Behaviours []Behaviour `json:"behaviours,omitempty"`
	// Environment changes what a tool is told, as NAME=VALUE; a NAME alone takes it away.
	Environment []string `json:"environment,omitempty"`
	PID         int      `json:"pid,omitempty"`
}

// Event is a line of output: one member is set.
type Event struct {
	Ready   *Ready   `json:"ready,omitempty"`
	Request *Request `json:"request,omitempty"`
	Reply   *Reply   `json:"reply,omitempty"`
	// Failed says why the daemon could not start.
	Failed string `json:"failed,omitempty"`
}

// Ready says where the daemon listens.
type Ready struct {
	HTTP  string `json:"http"`
	HTTPS string `json:"https"`
	// Log is the path of the log with the port.
	Log string `json:"log"`
}

// Request is what the daemon received. The line is out before the request is answered.
type Request struct {
	Method      string `json:"method"`
	HasToken    bool   `json:"hasToken,omitempty"`
	Token       string `json:"token,omitempty"`
	ContentType string `json:"contentType,omitempty"`
	Body        []byte `json:"body,omitempty"`
	// Secure: it came by HTTPS.
	Secure bool `json:"secure,omitempty"`
}

// Reply answers a Command.
type Reply struct {
	ID    int    `json:"id"`
	Error string `json:"error,omitempty"`
	PID   int    `json:"pid,omitempty"`
}

// Kinds of wrong answers.
const (
	// WrongText changes one letter of one text.
	WrongText = "text"
	// WrongJSON is an answer that ends in the middle.
	WrongJSON = "json"
	// WrongEnum is a status that no schema has.
	WrongEnum = "enum"
	// WrongMember adds a member that no schema has, beside the trajectory.
	WrongMember = "member"
	// WrongInside adds such a member to the first step of an answer in JSON.
	WrongInside = "inside"
)

// What the daemon does to the database while a conversation is fetched.
const (
	// WriteStep commits one more step; WriteEdit changes one text in place, so that counts stay equal.
	WriteStep = "step"
	WriteEdit = "edit"
	// WriteSame commits what is there already; WriteCheckpoint moves the log into the database.
	WriteSame       = "same"
	WriteCheckpoint = "checkpoint"
)

// Behaviour is a way to be at fault. The first three members say which requests it is for; without them it is all.
type Behaviour struct {
	Methods []string `json:"methods,omitempty"`
	IDs     []string `json:"ids,omitempty"`
	// Form is "ordinary" or "full", for the methods that answer steps.
	Form string `json:"form,omitempty"`
	// Times is how many requests it is for; 0 for no end.
	Times int `json:"times,omitempty"`

	// Frozen: the daemon answers what the store held when it was told so.
	Frozen bool `json:"frozen,omitempty"`
	// Stale: it answers an older state with equal counts and times: the last text is half as long.
	Stale bool `json:"stale,omitempty"`
	// Slow is how long it waits before it answers.
	Slow time.Duration `json:"slow,omitempty"`
	// Truncated is how many steps are missing at the end of GetCascadeTrajectory, while numTotalSteps stays true; Lost is the
	// same for pages of GetCascadeTrajectorySteps.
	Truncated int `json:"truncated,omitempty"`
	Lost      int `json:"lost,omitempty"`
	// PageSize bounds the steps of one page.
	PageSize int    `json:"pageSize,omitempty"`
	Wrong    string `json:"wrong,omitempty"`
	// Pad makes the answer at least as many bytes, without changing what it says.
	Pad int `json:"pad,omitempty"`
	// Limit refuses answers of more bytes with resource_exhausted.
	Limit int `json:"limit,omitempty"`
	// Refuse answers with this HTTP status.
	Refuse int `json:"refuse,omitempty"`
	// Crash ends the process instead of answering.
	Crash bool `json:"crash,omitempty"`
	// Write happens once the answer of GetCascadeTrajectory is made and before it is sent.
	Write string `json:"write,omitempty"`
	// Gzip packs answers for clients that take them so.
	Gzip bool `json:"gzip,omitempty"`
}
