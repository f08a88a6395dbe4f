package sidecar

import (
	"os"
	"regexp"
	"sync"
)

// ours are temporary files of this program. Others' have digits only.
var ours = regexp.MustCompile(`^\.trajectory-r[A-Z2-7]{26}\.json\.tmp$`)

// namesPerWriter is how many names each writer lets a sweep read: reading them takes a small part of the time in which the disk
// takes one file. So n sidecars cost n steps, and not n² for writing them into one folder.
const namesPerWriter = 100

// sweeper removes what killed writers left: before the first write of this process into a folder, and then as often as its
// writers have paid for. A folder of up to namesPerWriter names is swept by each.
type sweeper struct {
	mu      sync.Mutex
	folders map[string]*account
	// readNames is replaced in tests.
	readNames func(dir *os.File, n int) ([]string, error)
}

// account is how many names the last sweep of a folder read, and for how many its writers have paid since.
type account struct{ names, paid int }

var sweeps = sweeper{folders: map[string]*account{}, readNames: (*os.File).Readdirnames}

// sweep removes temporary files whose writer is dead, since the caller holds the lock that every writer holds. What cannot be
// removed stays.
func (s *sweeper) sweep(root *os.Root, dir *os.File) {
	if !s.due(root.Name()) {
		return
	}
	read := 0
	for {
		names, err := s.readNames(dir, 1000)
		read += len(names)
		for _, name := range names {
			if ours.MatchString(name) {
				_ = root.Remove(name)
			}
		}
		if err != nil {
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders[root.Name()] = &account{names: read}
}

// due counts a writer in and reports whether it is to sweep.
func (s *sweeper) due(folder string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, known := s.folders[folder]
	if !known {
		return true
	}
	a.paid += namesPerWriter
	return a.paid >= a.names
}
