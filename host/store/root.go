// Package store knows where the product keeps conversations and which files are sessions. It opens no database and
// writes nothing.
package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Root is one session store.
type Root struct {
	// Path is cleaned but otherwise as given.
	Path string
	// Surface is "cli", "ide" (IDE 1.x and Desktop), "ide2" (IDE 2.x) or "acp".
	Surface string
	// Explicit: the user named it, by flag or environment.
	Explicit bool
}

// Environment is what root discovery may look at.
type Environment struct {
	// Home is the user's home directory.
	Home string
	// Getenv is os.Getenv or a stand-in.
	Getenv func(string) string
}

// OSEnvironment is the process's own environment. An unknown home directory is an empty Home: then only explicit roots
// exist.
func OSEnvironment() Environment {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return Environment{Home: home, Getenv: os.Getenv}
}

// Roots returns the stores to work on: the explicit ones in their order without repeats, else the one that
// ANTIGRAVITY_CLI_ROOT pins, else each default store that exists, the CLI's first, else the CLI's default path alone.
func Roots(explicit []string, env Environment) []Root {
	if len(explicit) == 0 {
		if pinned := env.Getenv("ANTIGRAVITY_CLI_ROOT"); pinned != "" {
			explicit = []string{pinned}
		}
	}
	var roots []Root
	add := func(path string, isExplicit bool) {
		path = filepath.Clean(path)
		if !slices.ContainsFunc(roots, func(r Root) bool { return r.Path == path }) {
			roots = append(roots, Root{Path: path, Surface: surface(path, env), Explicit: isExplicit})
		}
	}
	for _, path := range explicit {
		add(path, true)
	}
	if len(roots) > 0 || env.Home == "" {
		return roots
	}
	cli, ide := defaultCLI(env), defaultIDE(env)
	for _, path := range []string{cli, ide} {
		if isDir(path) {
			add(path, false)
		}
	}
	if len(roots) == 0 {
		add(cli, false)
	}
	return roots
}

// folders are the names of the product's stores below ~/.gemini, in the order they are listed.
var folders = []struct{ name, surface string }{
	{"antigravity-cli", "cli"}, {"antigravity", "ide"}, {"antigravity-ide", "ide2"}, {"antigravity-acp", "acp"},
}

// AllRoots is Roots for commands that cover everything: without explicit roots it returns each store of any product that
// exists below $GEMINI_HOME and ~/.gemini, whatever the case of its name and with blanks for hyphens, else the CLI's
// default path alone.
func AllRoots(explicit []string, env Environment) []Root {
	if len(explicit) > 0 || env.Getenv("ANTIGRAVITY_CLI_ROOT") != "" {
		roots := Roots(explicit, env)
		for i, root := range roots {
			if markedSurface(root.Path) == "" && belowGemini(root.Path) {
				roots[i].Surface = "ide"
			}
		}
		return roots
	}
	var roots []Root
	for _, base := range bases(env) {
		entries, err := os.ReadDir(base)
		if err != nil {
			continue // a store that cannot be seen is as good as none; `doctor` says more
		}
		for _, folder := range folders {
			for _, entry := range entries {
				path := filepath.Join(base, entry.Name())
				if folderName(entry.Name()) != folder.name || !isDir(path) || slices.ContainsFunc(roots, func(r Root) bool { return sameFolder(r.Path, path) }) {
					continue
				}
				roots = append(roots, Root{Path: path, Surface: surface(path, env)})
			}
		}
	}
	if len(roots) == 0 {
		return Roots(nil, env)
	}
	return roots
}

// belowGemini: the path ends in .gemini/antigravity, the store of the IDE, be it on another machine or in a backup. Separators are
// those of any system.
func belowGemini(path string) bool {
	elements := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	n := len(elements)
	return n >= 2 && elements[n-2] == ".gemini" && folderName(elements[n-1]) == "antigravity"
}

// bases are the folders that hold stores.
func bases(env Environment) []string {
	var out []string
	if moved := env.Getenv("GEMINI_HOME"); moved != "" {
		out = append(out, filepath.Clean(moved), filepath.Join(moved, ".gemini"))
	}
	if env.Home != "" {
		out = append(out, filepath.Join(env.Home, ".gemini"))
	}
	return out
}

// folderName is the name of a store folder as the product writes it nowadays.
func folderName(name string) string {
	return strings.NewReplacer(" ", "-", "_", "-").Replace(strings.ToLower(name))
}

func sameFolder(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func defaultCLI(env Environment) string {
	return filepath.Join(env.Home, ".gemini", "antigravity-cli")
}

func defaultIDE(env Environment) string {
	return filepath.Join(env.Home, ".gemini", "antigravity")
}

// surface decides by marker files first, then by the default path.
func surface(path string, env Environment) string {
	if marked := markedSurface(path); marked != "" {
		return marked
	}
	if env.Home != "" && path == defaultIDE(env) {
		return "ide"
	}
	name := folderName(filepath.Base(path))
	for _, folder := range folders {
		if folder.name == name && name != "antigravity" {
			return folder.surface
		}
	}
	if name == "antigravity" && slices.Contains(bases(env), filepath.Dir(path)) {
		return "ide"
	}
	return "cli"
}

// markedSurface is the surface that a file inside the root proves, or empty.
func markedSurface(path string) string {
	switch {
	case exists(filepath.Join(path, "cli.log")):
		return "cli"
	case exists(filepath.Join(path, "antigravity_state.pbtxt")):
		return "ide"
	default:
		return ""
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
