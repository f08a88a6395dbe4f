package cli

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agy-reader/host/store"
)

// maxFiles bounds how many files of a conversation are named.
const maxFiles = 1000

type shownFile struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

// filesOf names the files of a conversation; more when there are more than maxFiles. No link is followed.
func filesOf(s store.Session) (files []shownFile, more bool) {
	files = []shownFile{}
	if s.Path != "" {
		stem := strings.TrimSuffix(s.Path, filepath.Ext(s.Path))
		for _, path := range []string{s.Path, s.Path + "-wal", s.Path + "-shm", s.Path + "-journal", stem + ".pb", stem + ".meta", s.Sidecar} {
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && (path != s.Path || len(files) == 0) {
				files = append(files, shownFile{filepath.Base(path), info.Size()})
			}
		}
	}
	if s.Brain == "" {
		return files, false
	}
	_ = filepath.WalkDir(s.Brain, func(path string, entry fs.DirEntry, err error) error { // what cannot be read has no files
		switch {
		case err != nil:
			return nil //nolint:nilerr // see above
		case entry.IsDir() && entry.Name() == ".git":
			return filepath.SkipDir
		case !entry.Type().IsRegular():
			return nil
		case len(files) == maxFiles:
			more = true
			return filepath.SkipAll
		}
		if info, err := entry.Info(); err == nil {
			name, _ := filepath.Rel(s.Brain, path) // path lies below
			files = append(files, shownFile{filepath.ToSlash(name), info.Size()})
		}
		return nil
	})
	return files, more
}

// printShown prints one conversation for people, each value with where it was found.
func (a *app) printShown(about *shown) error {
	out := bufio.NewWriter(a.streams.Out)
	line := func(name, text string) { fmt.Fprintf(out, "%-11s %s\n", name, printable(text)) }
	from := func(name string, value *string, origin string) {
		switch {
		case value == nil && (origin == "" || origin == "not recorded"):
			line(name, "unknown")
		case value == nil:
			line(name, "unknown ("+origin+")")
		default:
			line(name, *value+"  ("+origin+")")
		}
	}
	line("id", about.ID)
	from("title", about.Title, about.TitleOrigin)
	from("project", about.Project, about.ProjectOrigin)
	if about.Project != nil && about.ProjectName != nil && *about.ProjectName != *about.Project {
		line("", "called "+*about.ProjectName)
	}
	for _, folder := range about.Workspaces {
		if about.Project == nil || folder != *about.Project {
			line("", "also "+folder)
		}
	}
	line("surface", firstOf(about.Surface, "unknown"))
	from("created", about.Created, about.CreatedOrigin)
	from("updated", about.Updated, about.UpdatedOrigin)
	if about.Steps != nil {
		text := fmt.Sprint(*about.Steps)
		if about.StepsOrigin != counted {
			text = "about " + text + "  (" + about.StepsOrigin + ")"
		}
		line("steps", text)
	} else {
		line("steps", "unknown")
	}
	line("sources", strings.Join(about.Sources, ", "))
	from("parent", about.Parent, about.ParentOrigin)
	for _, child := range about.Children {
		text := child.ID
		if child.Title != nil {
			text += "  " + *child.Title
		}
		if child.Step != nil {
			text += fmt.Sprintf("  (step %d, %s)", *child.Step, child.Evidence)
		} else {
			text += "  (" + child.Evidence + ")"
		}
		line("child", text)
	}
	for _, other := range about.Copies {
		line("copy", other)
	}
	if about.ResumeCommand != nil {
		line("resume", *about.ResumeCommand)
	}
	if about.Path != nil {
		line("path", *about.Path)
	}
	if about.Brain != nil {
		line("folder", *about.Brain)
	}
	for _, file := range about.Files {
		line("file", fmt.Sprintf("%8s  %s", size(file.Bytes), file.Path))
	}
	if about.MoreFiles {
		line("", "and more files")
	}
	return out.Flush()
}
