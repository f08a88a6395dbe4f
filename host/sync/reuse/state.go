package reuse

import (
	"encoding/hex"
	"time"

	"agy-reader/sources/regular"
	"agy-reader/sources/sqlite/walindex"
)

// State is everything that a verification of one session depends on, as the file system shows it. Equal states hold the
// same content, with the reservations of the package comment.
type State struct {
	// Source is the database or the legacy file; Log and Journal lie beside a database.
	Source  File `json:"source"`
	Log     File `json:"log,omitzero"`
	Journal File `json:"journal,omitzero"`
	Sidecar File `json:"sidecar,omitzero"`
	// Sibling is set for a legacy file beside which a database lies: it is no longer the session's source.
	Sibling bool `json:"sibling,omitempty"`
	// Index is the header of the WAL index in hex while the log has content.
	Index string `json:"index,omitempty"`
}

// File is one file's identity and metadata; zero when there is none.
type File struct {
	Device uint64 `json:"device"`
	Inode  uint64 `json:"inode"`
	Size   int64  `json:"size"`
	// Modified and Changed are mtime and ctime in nanoseconds since 1970.
	Modified int64 `json:"mtime"`
	Changed  int64 `json:"ctime"`
}

// Look returns the state of a session and whether it may be remembered at all. It may not while a rollback journal has
// content, while the log holds frames that are not published or its index cannot be read, and where the file system does
// not say enough. path ends in .db or .pb.
func Look(path, sidecar string) (s State, rememberable bool) {
	rememberable = true
	see := func(path string) File {
		f, ok := stat(path)
		rememberable = rememberable && ok
		return f
	}
	s.Source, s.Sidecar = see(path), see(sidecar)
	if stem, legacy := cutSuffix(path, ".pb"); legacy {
		s.Sibling = see(stem+".db") != File{}
		return s, rememberable && s.Source != File{} && !s.Sibling
	}
	s.Log, s.Journal = see(path+"-wal"), see(path+"-journal")
	if s.Log.Size > 0 {
		header, settled := index(path, s.Log.Size)
		s.Index = header
		rememberable = rememberable && settled
	}
	return s, rememberable && s.Source != File{} && s.Journal.Size == 0
}

func cutSuffix(path, suffix string) (string, bool) {
	n := len(path) - len(suffix)
	if n < 0 || path[n:] != suffix {
		return path, false
	}
	return path[:n], true
}

// index reads the header of the WAL index of a database whose log has content.
func index(path string, logSize int64) (header string, settled bool) {
	shm, err := regular.Open(path + "-shm")
	if err != nil {
		return "", false
	}
	defer shm.Close()
	log, err := regular.Open(path + "-wal")
	if err != nil {
		return "", false
	}
	defer log.Close()
	h, settled := walindex.Read(shm, log, logSize)
	return hex.EncodeToString(h[:]), settled
}

// lastChange is the latest time that any file of the session shows. An empty log or journal says nothing.
func (s State) lastChange() time.Time {
	at := int64(0)
	for _, f := range []File{s.Source, s.Log, s.Journal, s.Sidecar} {
		if f.Size > 0 {
			at = max(at, f.Modified, f.Changed)
		}
	}
	return time.Unix(0, at)
}

// sourceChange is when the kernel last saw the source change. The sidecar does not count: its writers replace it.
func (s State) sourceChange() time.Time {
	return time.Unix(0, max(s.Source.Changed, s.Log.Changed, s.Journal.Changed))
}
