package brain

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// Folder is the folder of one conversation. It is what was there when it was opened; contents are read when they are asked
// for. Safe for concurrent use.
type Folder struct {
	// store is the folder that nothing is read outside of, at the folder's own place below it, with slashes.
	store, at string
	id        string
	// files are all files but scratch, sorted by name.
	files   []entry
	scratch []entry
	// more: there are more files than are looked at.
	more, moreScratch bool
	// dark are folders that cannot be listed.
	dark []string

	tasks   map[uint32]entry
	outputs map[uint32][]entry
	uploads map[string]entry
	// placed are uploads by the prompt that Place gave them to.
	placed map[uint32][]entry
	// prompts: no step is left, and the list of prompts is asked.
	prompts bool
	// pictured are the images by their base names, endings those of the names.
	pictured map[string][]entry
	endings  []string
	// metadata tells which files have some.
	metadata map[string]entry
	artifact map[string]bool

	children func() map[uint32][]string
	temp     func() map[string]entry
	read     func() map[string]bool
	letters  func() map[string][]letter
	// sums are hashes of files, *hashed by place and name.
	sums sync.Map
}

// entry is one file.
type entry struct {
	// name is relative to the folder, with slashes.
	name string
	size int64
	// link is a symbolic link, odd neither file nor link.
	link, odd bool
	// outside is the place of a file that lies beside the folder, below the store; empty for those in it.
	outside string
}

// Open looks through the folder of a conversation. It is nil when there is none.
func Open(ref sources.Ref) (*Folder, error) {
	f, ok := locate(ref)
	if !ok {
		return nil, nil
	}
	root, err := f.root()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		defer root.Close()
		err = f.look(root)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the files beside the steps: %w", sources.ErrUnreadable, err)
	}
	f.index()
	f.children = sync.OnceValue(f.readChildren)
	f.temp = sync.OnceValue(f.lookTemp)
	f.read = sync.OnceValue(f.readMarks)
	f.letters = sync.OnceValue(f.readLetters)
	return f, nil
}

// locate finds out where the folder lies.
func locate(ref sources.Ref) (*Folder, bool) {
	dir := ref.Brain
	if dir == "" && ref.Root != "" && ref.ID != "" {
		dir = filepath.Join(ref.Root, "brain", ref.ID)
	}
	if dir == "" {
		return nil, false
	}
	f := &Folder{store: ref.Root, id: filepath.Base(dir)}
	if ref.Root != "" {
		if rel, err := filepath.Rel(ref.Root, dir); err == nil && filepath.IsLocal(rel) {
			f.at = filepath.ToSlash(rel)
			return f, true
		}
	}
	// Only the folder itself is known.
	f.store, f.at = dir, "."
	return f, true
}

// root opens the folder below its store.
func (f *Folder) root() (*os.Root, error) {
	store, err := os.OpenRoot(f.store)
	if err != nil || f.at == "." {
		return store, err
	}
	defer store.Close()
	return regular.Below(store, filepath.FromSlash(f.at))
}

// uri is the address of a file relative to the store.
func (f *Folder) uri(e entry) string {
	switch {
	case e.outside != "":
		return e.outside
	case f.at == ".":
		return path.Join("brain", f.id, e.name)
	}
	return path.Join(f.at, e.name)
}

const (
	generated = ".system_generated/"

	maxFiles   = 18_000
	maxScratch = 2_000
	maxDepth   = 32
)

// skipped are folders that are not looked into.
func skipped(name string) bool {
	switch name {
	case ".git", "terminals", "chunks", "worktrees", generated + "logs", generated + "worktrees", generated + "chunks", generated + "terminals":
		return true
	}
	return path.Base(name) == ".git"
}

const scratchFolder = "scratch"

// look lists all files.
func (f *Folder) look(root *os.Root) error {
	var err error
	if f.files, f.more, err = f.list(root, ".", maxFiles); err != nil {
		return err
	}
	if info, statErr := root.Lstat(scratchFolder); statErr == nil && info.IsDir() {
		f.scratch, f.moreScratch, err = f.list(root, scratchFolder, maxScratch)
	}
	return err
}

// list lists the files below a folder, sorted by name, and reports whether there are more. The scratch folder belongs only
// to its own list. A folder that cannot be read is remembered; only the first one is an error.
func (f *Folder) list(root *os.Root, from string, most int) (all []entry, more bool, err error) {
	type level struct {
		name  string
		depth int
	}
	for queue := []level{{from, 0}}; len(queue) > 0; queue = queue[1:] {
		dir := queue[0]
		entries, cut, err := names(root, dir.name, most-len(all))
		if err != nil {
			if dir.depth == 0 {
				return nil, false, err
			}
			f.dark = append(f.dark, dir.name)
		}
		more = more || cut
		for _, d := range entries {
			name := path.Join(dir.name, d.Name())
			switch {
			case d.IsDir() && (skipped(name) || name == scratchFolder):
			case d.IsDir() && dir.depth == maxDepth:
				f.dark = append(f.dark, name)
			case d.IsDir():
				queue = append(queue, level{name, dir.depth + 1})
			default:
				all = append(all, stat(name, d))
			}
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	slices.Sort(f.dark)
	return all, more, nil
}

func stat(name string, d fs.DirEntry) entry {
	e := entry{name: name, link: d.Type()&fs.ModeSymlink != 0, odd: !d.Type().IsRegular()}
	if info, err := d.Info(); err == nil {
		e.size = info.Size()
	}
	return e
}

// names lists one folder, at most so many entries of it.
func names(root *os.Root, dir string, most int) (list []fs.DirEntry, more bool, err error) {
	handle, err := regular.OpenFolder(root, filepath.FromSlash(dir))
	if err != nil {
		return nil, false, err
	}
	defer handle.Close()
	list, err = handle.ReadDir(max(most, 0) + 1)
	if len(list) > most {
		list, more = list[:max(most, 0)], true
	}
	if errors.Is(err, io.EOF) || len(list) > 0 {
		err = nil
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, more, err
}
