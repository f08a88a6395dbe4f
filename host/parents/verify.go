package parents

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"agy-reader/host/sidecar"
	"agy-reader/host/store"
)

// Kinds of findings.
const (
	MissingFile    = "missing-file"
	NewFile        = "new-file"
	DamagedBackup  = "damaged-backup"
	UnreadableFile = "unreadable-file"
	ChangedPayload = "changed-payload"
	ChangedTime    = "changed-mtime"
	ChangedBytes   = "changed-bytes"
	CycleOfParents = "parent-cycle"
)

// Finding is one difference between a store and its backup that a repair must not make.
type Finding struct {
	File    string `json:"file"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// Verify compares the sidecars in dir with a backup: the same files with the same times, that say the same apart from the
// parent stamp, and no cycle of stamps. unchanged wants equal bytes too, as after a restore. It returns how many files were
// compared, and the findings in order of file and kind. Nothing is written.
func Verify(ctx context.Context, dir, backup string, unchanged bool) (compared int, findings []Finding, err error) {
	m, err := ReadManifest(backup)
	if err != nil {
		return 0, nil, err
	}
	names, err := list(dir)
	if err != nil {
		return 0, nil, err
	}
	v := &verification{dir: dir, backup: filepath.Join(backup, filesName), unchanged: unchanged}
	inBackup := map[string]bool{}
	for _, e := range m.Files {
		if err := ctx.Err(); err != nil {
			return 0, nil, err
		}
		inBackup[e.Name] = true
		if !slices.Contains(names, e.Name) {
			v.found(e.Name, MissingFile, "it is in the backup and not in the store")
			continue
		}
		v.compare(e)
		compared++
	}
	for _, name := range names {
		if !inBackup[name] {
			v.found(name, NewFile, "it is in the store and not in the backup")
		}
	}
	if err := v.cycles(ctx, names); err != nil {
		return 0, nil, err
	}
	slices.SortFunc(v.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Message, b.Message))
	})
	return compared, v.findings, nil
}

type verification struct {
	dir, backup string
	unchanged   bool
	findings    []Finding
}

func (v *verification) found(file, kind, format string, args ...any) {
	v.findings = append(v.findings, Finding{file, kind, fmt.Sprintf(format, args...)})
}

// state is what is compared of a file.
type state struct {
	bytes   string
	mtimeNs int64
	payload digest
	corrupt error
}

func stateOf(path string) (s state, err error) {
	in, err := sidecar.Open(path)
	if err != nil {
		return s, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return s, err
	}
	s.mtimeNs = info.ModTime().UnixNano()
	h := sha256.New()
	s.payload, s.corrupt = payloadDigest(io.TeeReader(in, h))
	if s.corrupt != nil {
		if _, err := io.Copy(h, in); err != nil { // a corrupt file has bytes to compare
			return s, err
		}
	}
	s.bytes = hex.EncodeToString(h.Sum(nil))
	return s, nil
}

func (v *verification) compare(e Entry) {
	old, err := stateOf(filepath.Join(v.backup, e.Name))
	if err != nil {
		v.found(e.Name, DamagedBackup, "%s", reason(err))
		return
	}
	if old.bytes != e.SHA256 {
		v.found(e.Name, DamagedBackup, "its copy is not what the manifest says")
		return
	}
	now, err := stateOf(filepath.Join(v.dir, e.Name))
	if err != nil {
		v.found(e.Name, UnreadableFile, "%s", reason(err))
		return
	}
	if now.mtimeNs != e.MtimeNs {
		v.found(e.Name, ChangedTime, "its time was %d ns and is %d ns", e.MtimeNs, now.mtimeNs)
	}
	same := now.bytes == old.bytes
	switch {
	case same:
	case now.corrupt != nil:
		v.found(e.Name, ChangedPayload, "%s", now.corrupt)
	case old.corrupt != nil || now.payload != old.payload:
		v.found(e.Name, ChangedPayload, "it says something else, not only another parent")
	}
	if v.unchanged && !same {
		v.found(e.Name, ChangedBytes, "its bytes are not those of the backup")
	}
}

// cycles follows the stamps that the store has now.
func (v *verification) cycles(ctx context.Context, names []string) error {
	var nodes []*node
	for _, name := range names {
		n := &node{file: name}
		n.facts, n.err = load(ctx, filepath.Join(v.dir, name))
		nodes = append(nodes, n)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	g := newGraph(nodes)
	for _, n := range nodes {
		if n.usable() && store.IsID(n.stamp) {
			n.link = n.valid()
		}
	}
	g.findCycles()
	for _, n := range nodes {
		if n.cycle {
			v.found(n.file, CycleOfParents, "following parents from %s leads back to it", n.link)
		}
	}
	return nil
}
