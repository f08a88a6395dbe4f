package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"agy-reader/host/store"
	"agy-reader/sources/regular"
)

// Source is the state of one place that a conversation is read from.
type Source struct {
	// Path is within the store, with slashes; a file outside of every store has its base name.
	Path string `json:"path"`
	Size int64  `json:"size"`
	// TimeNS is the last change; of a folder, that of its newest file.
	TimeNS int64 `json:"timeNs"`
	// Files and SHA256 describe a folder: how many files, and a hash over their names, sizes and times.
	Files  int    `json:"files,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// maxBrain bounds how many files of a folder are looked at. No brain folder seen has a hundredth of it.
const maxBrain = 1 << 20

// stateOf looks at everything that a conversation is read from. It opens nothing but folders. What is not there is left out.
func stateOf(s store.Session) []Source {
	var all []Source
	if s.Path != "" {
		for _, suffix := range []string{"", "-wal", "-journal"} {
			info, err := os.Lstat(s.Path + suffix)
			if err != nil || suffix != "" && info.Size() == 0 {
				continue
			}
			all = append(all, Source{Path: path.Join(s.Bucket, filepath.Base(s.Path)+suffix), Size: info.Size(), TimeNS: info.ModTime().UnixNano()})
			if s.Kind != ".db" {
				break
			}
		}
	}
	if s.Brain != "" {
		if folder, ok := folderState(s); ok {
			all = append(all, folder)
		}
	}
	return all
}

// promptsOf is the state of the list of prompts of the conversation's store, if there is one.
func promptsOf(s store.Session) []Source {
	const name = "history.jsonl"
	if s.Root.Path == "" {
		return nil
	}
	info, err := os.Lstat(filepath.Join(s.Root.Path, name))
	if err != nil {
		return nil
	}
	return []Source{{Path: name, Size: info.Size(), TimeNS: info.ModTime().UnixNano()}}
}

// folderState is the state of the brain folder. Links are not followed, and what cannot be read counts as not there.
func folderState(s store.Session) (Source, bool) {
	state := Source{Path: path.Join("brain", filepath.Base(s.Brain))}
	hash := sha256.New()
	root, err := regular.Brain(s.Ref())
	if err != nil {
		return state, false
	}
	defer func() { _ = root.Close() }() // nothing is pending on it
	_ = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil //nolint:nilerr // a part that cannot be listed is left out
		}
		info, err := entry.Info()
		if err != nil {
			return nil //nolint:nilerr // gone since the folder was listed
		}
		if state.Files++; state.Files > maxBrain {
			return fs.SkipAll
		}
		fmt.Fprintf(hash, "%q %o %d %d\n", name, info.Mode().Type(), info.Size(), info.ModTime().UnixNano())
		state.Size += info.Size()
		state.TimeNS = max(state.TimeNS, info.ModTime().UnixNano())
		return nil
	})
	state.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return state, true
}
