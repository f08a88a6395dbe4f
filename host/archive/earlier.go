package archive

import (
	"errors"
	"fmt"
	"io"

	"agy-reader/host/artifact"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// kept is a file of the archive and its copy under another name.
type kept struct{ from, to File }

// earlierOf decides what is kept of the documents that lie there when new ones are about to replace them: those that have
// steps the new ones lack. What was kept before is not kept again. It writes nothing.
func (a *archive) earlierOf(t *task, h *transcriptv1.Header, steps uint32) (*Earlier, []kept) {
	old := t.old
	if old == nil || len(old.Files) == 0 || !lacks(h.GetTrajectoryId(), steps, old.TrajectoryID, old.Steps) {
		return nil, nil
	}
	earlier := &Earlier{N: 1, Steps: old.Steps, TrajectoryID: old.TrajectoryID}
	var copies []kept
	for _, v := range old.Earlier {
		earlier.N = max(earlier.N, v.N+1)
	}
	for _, f := range old.Files {
		if f.Format == "" || f.Stale {
			continue
		}
		copied := f
		copied.Name = earlierName(f.Name, old.Name, earlier.N)
		switch {
		case a.holds(f.Name, f.SHA256):
			copies = append(copies, kept{f, copied})
		case !a.holds(copied.Name, f.SHA256): // else a killed run came that far
			continue // removed or edited: not what was exported
		}
		earlier.Files = append(earlier.Files, copied)
	}
	if len(earlier.Files) == 0 || keptBefore(old.Earlier, earlier.Files) {
		return nil, nil
	}
	return earlier, copies
}

// lacks reports whether a document lacks steps of another: it has fewer, or those of another branch.
func lacks(trajectory string, steps uint32, otherTrajectory string, otherSteps uint32) bool {
	return steps < otherSteps || trajectory != "" && otherTrajectory != "" && trajectory != otherTrajectory
}

// earlierNote names, in a document that lacks steps of earlier ones, the one with most steps; of several the oldest, so that
// a conversation that goes back and forth has documents that do not change forever.
func earlierNote(t *task, h *transcriptv1.Header, steps uint32, now *Earlier) []*transcriptv1.Note {
	if t.old == nil {
		return nil
	}
	var most *Earlier
	for _, v := range append(t.old.Earlier[:len(t.old.Earlier):len(t.old.Earlier)], values(now)...) {
		if lacks(h.GetTrajectoryId(), steps, v.TrajectoryID, v.Steps) && (most == nil || v.Steps > most.Steps) {
			most = &v
		}
	}
	if most == nil {
		return nil
	}
	return []*transcriptv1.Note{{
		Kind: "earlier_version", Severity: transcriptv1.Severity_SEVERITY_WARNING,
		Text: fmt.Sprintf("the stores hold fewer steps of this conversation than they did, or other ones: an earlier document with %s is kept beside this one as %s",
			present.Amount(uint64(most.Steps), "step"), earlierName(t.old.Name, t.old.Name, most.N)),
	}}
}

func values(v *Earlier) []Earlier {
	if v == nil {
		return nil
	}
	return []Earlier{*v}
}

// holds reports whether a file is there and has this hash.
func (a *archive) holds(name, sum string) bool {
	have, _, err := hashFile(a.root, name)
	return err == nil && have == sum
}

func keptBefore(earlier []Earlier, files []File) bool {
	sums := map[string]bool{}
	for _, v := range earlier {
		for _, f := range v.Files {
			sums[f.Format+f.SHA256] = true
		}
	}
	for _, f := range files {
		if !sums[f.Format+f.SHA256] {
			return false
		}
	}
	return true
}

// copyAll adds the copies to the set that replaces what they are copies of.
func (a *archive) copyAll(out *artifact.Set, copies []kept) error {
	for _, c := range copies {
		if err := a.copyInto(out, c.from, c.to); err != nil {
			return fmt.Errorf("keep %s: %w", c.from.Name, err)
		}
	}
	return nil
}

// copyInto adds a copy of a file of the archive to the set.
func (a *archive) copyInto(out *artifact.Set, from, to File) error {
	source, err := a.root.Open(from.Name)
	if err != nil {
		return err
	}
	defer source.Close()
	w, err := out.Create(to.Name, to.MediaType, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, source)
	return errors.Join(err, w.Close())
}
