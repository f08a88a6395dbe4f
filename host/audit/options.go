package audit

import (
	"context"
	"time"

	"agy-reader/host/audit/record"
	"agy-reader/host/command"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources"
)

// DefaultWait is how long the newest conversation's first sidecar is waited for.
const DefaultWait = 35 * time.Second

// Options say what to audit.
type Options struct {
	Root store.Root
	// Record says that the record is to be written, which a store of the IDE refuses at once.
	Record bool
	// Corpus is a folder with sidecars, empty for the newest conversation's own; Swept says that `audit-sweep` made it of all
	// conversations.
	Corpus string
	Swept  bool
	// Qualify are the ids of conversations that must pass the reader-sync check too.
	Qualify []string
	// Wait is how long to wait for a first sidecar.
	Wait time.Duration
	// Repo is a checkout of this program, empty for none; Recorded is what it records, or what the binary carries.
	Repo     string
	Recorded record.Record
	// AgentsView is a checkout of AgentsView whose tests to run, empty for none.
	AgentsView string
	// IDE is the IDE's default store, for the record's note.
	IDE store.Root
	// Baseline is the canonical list to compare with; Paths says that all paths of the comparison are listed.
	Baseline Baseline
	Paths    bool

	Declarer sources.Declarer
	Verifier *verify.Verifier
	// Agy returns what the installed agy says of its version.
	Agy func(ctx context.Context) (string, error)
	// Run runs another program: agy, git and go.
	Run func(ctx context.Context, c command.Command) (said string, whole bool, err error)
	// Say takes one line for people while the audit runs.
	Say func(text string)
	Now func() time.Time
}
