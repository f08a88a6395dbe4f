package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// maxSidecar is how large a sidecar is read: the largest answer there is, and some room for our own block.
const maxSidecar = daemon.MaxAnswer + 16<<20

// judgement is what was found about one session.
type judgement struct {
	state verify.State
	// unread: the sidecar proves nothing, and nobody looked whether a sync can help.
	unread bool
	Open
}

// judge compares a session with its sidecar. When the sidecar proves nothing, the session is unknown whatever it holds, and is
// read only if explain asks whether a sync can help. When the sidecar was written meanwhile, it looks once more.
func judge(ctx context.Context, verifier *verify.Verifier, s store.Session, explain bool) judgement {
	path := sidecar.Path(s.Path)
	before, _ := os.Lstat(path)
	found := judgeOnce(ctx, verifier, s, path, explain)
	if after, _ := os.Lstat(path); found.state != verify.Verified && !sameFile(before, after) {
		found = judgeOnce(ctx, verifier, s, path, explain)
	}
	found.ID = s.ID
	return found
}

func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func judgeOnce(ctx context.Context, verifier *verify.Verifier, s store.Session, path string, explain bool) judgement {
	file, evidence, found := claim(path)
	if evidence == nil && !explain {
		found.unread = true
		return found
	}
	snapshot, err := verifier.Take(ctx, s)
	switch {
	case errors.Is(err, verify.ErrSource):
		return open(verify.Unknown, Held, err)
	case err != nil:
		return open(verify.Unknown, Busy, err)
	case evidence == nil:
		return found
	}
	state, err := snapshot.Judge(ctx, evidence, file.Trajectory)
	switch {
	case state == verify.Verified:
		return judgement{state: state}
	case errors.Is(err, verify.ErrPayloadDiffers):
		return open(state, Altered, err)
	case errors.Is(err, verify.ErrSourceDiffers):
		return open(state, Changed, err)
	case errors.Is(err, verify.ErrStale):
		return open(state, Busy, err)
	}
	return open(state, Unattested, err)
}

// claim reads what a sidecar says of its session. Without evidence it proves nothing, and found says why.
func claim(path string) (file *sidecar.File, evidence *verify.Evidence, found judgement) {
	file, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, open(verify.Unknown, Missing, fmt.Errorf("there is no %s", path))
	case errors.Is(err, sidecar.ErrCorrupt):
		return nil, nil, open(verify.Unknown, Corrupt, err)
	case err != nil:
		return nil, nil, open(verify.Unknown, Odd, err)
	}
	if evidence, err = verify.ParseEvidence(file.Block.Completeness()); err != nil {
		return nil, nil, open(verify.Unknown, Unattested, err)
	}
	return file, evidence, found
}

func open(state verify.State, class Class, err error) judgement {
	return judgement{state: state, Open: Open{Class: class, Reason: err.Error()}}
}

// read loads a sidecar, unless it is larger than any can be.
func read(path string) (*sidecar.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && info.Size() > maxSidecar {
		return nil, fmt.Errorf("read %s: %d bytes are more than any sidecar has (%d)", path, info.Size(), int64(maxSidecar))
	}
	return sidecar.Read(path)
}
