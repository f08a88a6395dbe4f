package agytest

import (
	"syscall"

	"agy-reader/host/agytest/control"
)

// Ways a reader can come to know the token; see package control.
const (
	LaunchFlag   = control.LaunchFlag
	LaunchEquals = control.LaunchEquals
	Exported     = control.Exported
	PairSlot     = control.PairSlot
	Logged       = control.Logged
	None         = control.None
)

// Layouts of the IDE's logs, kinds of wrong answers, and what the daemon does to a database; see package control.
const (
	Flat    = control.Flat
	Stamped = control.Stamped

	WrongText   = control.WrongText
	WrongJSON   = control.WrongJSON
	WrongEnum   = control.WrongEnum
	WrongMember = control.WrongMember
	WrongInside = control.WrongInside

	WriteStep       = control.WriteStep
	WriteEdit       = control.WriteEdit
	WriteSame       = control.WriteSame
	WriteCheckpoint = control.WriteCheckpoint
)

// Behaviour is a way to be at fault, for some requests or all.
type Behaviour = control.Behaviour

// Request is what the daemon received.
type Request = control.Request

// Options say what the daemon is. Root is needed, the rest has a default.
type Options struct {
	// Root is the session store. `log/` and `cli.log` are made in it for the CLI.
	Root string
	// Surface is "cli" (default), "ide" or "ide2".
	Surface string
	// HowToken is how a reader can know the token. The default is LaunchFlag for the CLI and Logged for the IDE.
	HowToken string
	// Token is what requests must carry; by default a new one for each start. None has no token.
	Token string
	// LogName is the name below `<root>/log`; by default cli-YYYYMMDD_HHMMSS.log.
	LogName string
	// LogFolder is where the IDE's logs are; needed for it. Layout is Flat (default) or Stamped.
	LogFolder, Layout string
	// Version is what tools are told; by default "cli-1.4.4".
	Version string
	// Address is where to listen for HTTP; by default any port of 127.0.0.1.
	Address string
	// JSONOnly: protobuf is refused as an unknown content type, as by a daemon that does not speak it.
	JSONOnly bool
	// Hold keeps every database open that was loaded, as agy does: its -wal and -shm stay beside it. Otherwise reading one
	// without a log leaves no trace.
	Hold bool
	// Args are more arguments, behind those that HowToken makes: a prompt, for example.
	Args []string
	// Env are more variables of the daemon's own process, as NAME=VALUE.
	Env []string
	// Attributes are of the process: another user, another namespace. The test is skipped when that is not allowed.
	Attributes *syscall.SysProcAttr
}

// arguments are those of the process behind its name.
func (o *Options) arguments(token string) []string {
	var first []string
	switch o.HowToken {
	case LaunchFlag:
		first = []string{"--csrf_token", token}
	case LaunchEquals:
		first = []string{"--csrf_token=" + token}
	case PairSlot:
		first = []string{"--pair_token_slot=1"}
	case Logged:
		store := "antigravity"
		if o.Surface == "ide2" {
			store = "antigravity-ide"
		}
		first = []string{"--standalone", "--csrf_token", token, "--extension_server_csrf_token", "not-" + token, "--app_data_dir", store}
	}
	return append(first, o.Args...)
}
