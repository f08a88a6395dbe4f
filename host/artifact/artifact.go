// Package artifact publishes what sinks write: all of it or nothing.
//
// A set spools every artifact into hidden temporary files of the target folder (`.NAME.tmp-RANDOM`, mode 0600). Commit
// joins the parts, flushes them to disk and then renames the whole set in one pass. Any failure before that removes the
// temporary files; a failure between two renames puts the earlier files back.
//
// A process that is killed cannot tidy up. Temporary files it leaves are removed by the first set opened in that folder a
// day later. A kill between two renames leaves a journal (`.agy-reader.commit-RANDOM`), from which the next set in that
// folder completes the renames before it does anything else: after that, too, the folder holds the complete new set.
package artifact

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"

	"agy-reader/sinks"
)

// Output is where the artifacts of one conversation go. Create may be called from several goroutines at once, each part
// is written by one of them. Exactly one of Commit and Abort is called, once, when no part is being written any more.
type Output interface {
	sinks.Artifacts
	// Commit publishes everything that was created, in order of creation, or fails and publishes nothing. Every part must
	// be closed. A cancelled ctx stops it before anything is published.
	Commit(ctx context.Context) ([]File, error)
	// Abort drops everything. It is safe after a failed Commit.
	Abort() error
}

// File is one published artifact.
type File struct {
	// Name is the artifact's name as the sink gave it.
	Name string `json:"name"`
	// Path is where it was published; "-" is standard output.
	Path      string `json:"path"`
	MediaType string `json:"mediaType"`
	Size      int64  `json:"size"`
}

// Options say how a set treats what is already there.
type Options struct {
	// Force replaces existing regular files whoever wrote them. Without it only files that bear our mark are replaced.
	Force bool
	// Exclusive refuses any existing path, also a file of ours and a symbolic link, with or without Force. On a file system
	// without hard links the name is claimed by an empty file first, which a kill at that moment leaves.
	Exclusive bool
	// Ours names further files that may be replaced without Force: the caller knows who wrote them. May be nil.
	Ours func(name string) bool
	// Keep leaves a file that already holds the bytes of its artifact as it is, its time included. Not with Exclusive.
	Keep bool
	// Run refuses what another set with the same Run has published, even with Force; nil refuses nothing more.
	Run *Run
}

// Run remembers what one run of the program has published, so that two sessions with the same name do not silently replace
// each other, and what earlier runs left behind in a folder, which is read once. The zero value is ready. Safe for
// concurrent use.
type Run struct {
	mu sync.Mutex
	// taken are hashes of paths: a store has thousands of them.
	taken map[[16]byte]bool
	left  map[string][]string
}

func claim(path string) [16]byte {
	sum := sha256.Sum256([]byte(fold(path)))
	return [16]byte(sum[:16])
}

// leftovers lists the hidden files of a folder as they were when this run first asked; fresh is set that time. Without a
// Run every question is the first.
func (r *Run) leftovers(path string, read func() ([]string, error)) (names []string, fresh bool, err error) {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if names, known := r.left[path]; known {
			return names, false, nil
		}
	}
	all, err := read()
	if err != nil {
		return nil, false, err
	}
	for _, name := range all {
		if strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	if r != nil {
		if r.left == nil {
			r.left = map[string][]string{}
		}
		r.left[path] = names
	}
	return names, true, nil
}

// take claims all paths or none of them. It returns the first that was claimed before.
func (r *Run) take(paths []string) (taken string, ok bool) {
	if r == nil {
		return "", true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, path := range paths {
		if r.taken[claim(path)] {
			return path, false
		}
	}
	if r.taken == nil {
		r.taken = map[[16]byte]bool{}
	}
	for _, path := range paths {
		r.taken[claim(path)] = true
	}
	return "", true
}

// give returns paths that were not published after all.
func (r *Run) give(paths []string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, path := range paths {
		delete(r.taken, claim(path))
	}
}

// Error kinds a caller decides on. All wrap sinks.ErrOutput.
var (
	// ErrExists: a file that is not ours, or not a regular file, has the name of an artifact.
	ErrExists = fmt.Errorf("%w: a file that may not be replaced is in the way", sinks.ErrOutput)
	// ErrTaken: another set of this run was published under the name.
	ErrTaken = fmt.Errorf("%w: another session of this run has this name", sinks.ErrOutput)
	// ErrMany: more than one artifact for a destination that takes one.
	ErrMany = fmt.Errorf("%w: one file cannot take more than one artifact", sinks.ErrOutput)
)

// errState: the output was used after its end.
var errState = errors.New("output was already committed or aborted")

// outputError gives err the kind ErrOutput, and says what was being done to what.
func outputError(doing, name string, err error) error {
	if errors.Is(err, sinks.ErrOutput) {
		return fmt.Errorf("%s %s: %w", doing, name, err)
	}
	return fmt.Errorf("%s %s: %w: %w", doing, name, sinks.ErrOutput, err)
}
