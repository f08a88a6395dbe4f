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
	Open
}

// judge reads a session and its sidecar in full. When the sidecar was written meanwhile, it looks once more.
func judge(ctx context.Context, verifier *verify.Verifier, s store.Session) judgement {
	path := sidecar.Path(s.Path)
	before, _ := os.Lstat(path)
	found := judgeOnce(ctx, verifier, s, path)
	if after, _ := os.Lstat(path); found.state != verify.Verified && !sameFile(before, after) {
		found = judgeOnce(ctx, verifier, s, path)
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

// judgeOnce reads the session first even when the sidecar proves nothing: whether a sync can help depends on it.
func judgeOnce(ctx context.Context, verifier *verify.Verifier, s store.Session, path string) judgement {
	snapshot, err := verifier.Take(ctx, s)
	switch {
	case errors.Is(err, verify.ErrSource):
		return open(verify.Unknown, Held, err)
	case err != nil:
		return open(verify.Unknown, Busy, err)
	}
	file, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return open(verify.Unknown, Missing, fmt.Errorf("there is no %s", path))
	case errors.Is(err, sidecar.ErrCorrupt):
		return open(verify.Unknown, Corrupt, err)
	case err != nil:
		return open(verify.Unknown, Odd, err)
	}
	evidence, err := verify.ParseEvidence(file.Block.Completeness())
	if err != nil {
		return open(verify.Unknown, Unattested, err)
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
