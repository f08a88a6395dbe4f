package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// starts is how many pairs the rows of starting take: they are short, and their noise is not.
const starts = 30

// startRows: a cold start, and many small sessions.
func startRows() []row {
	start := func(flag string, reference func(b *bench) (command, error)) func(b *bench) (float64, string, error) {
		return compare(func(b *bench) ([]pair, error) {
			other, err := reference(b)
			if err != nil {
				return nil, err
			}
			return b.pairsOf(command{path: b.program("agy-reader"), args: []string{flag}}, other, starts)
		}, wall)
	}
	hello := func(b *bench) (command, error) { return command{path: b.program("hello")}, nil }
	pass := func(*bench) (command, error) {
		interpreter, err := python()
		return command{path: interpreter, args: []string{"-c", "pass"}}, err
	}
	return []row{
		{id: "12a", what: "--version, wall ÷ hello world in Go", limits: limits{goal: 6, floor: 10}, measure: start("--version", hello)},
		{id: "12b", what: "--help, wall ÷ hello world in Go", limits: limits{goal: 6, floor: 10}, measure: start("--help", hello)},
		{id: "12c", what: "--version, wall ÷ python3 -c pass", limits: limits{goal: 0.8, floor: 1.3}, tools: []string{"python3"}, measure: start("--version", pass)},
		{id: "13a", what: "500 small sessions to JSON files, wall ÷ loop of .dump", limits: limits{goal: 0.6, floor: 1}, tools: []string{"sqlite3"}, measure: compare(small, wall)},
		{
			id: "13b", what: "a small session to a JSON file, wall", unit: " ms", limits: limits{goal: 2, floor: 4}, tools: []string{"sqlite3"},
			measure: func(b *bench) (float64, string, error) {
				p, err := small(b)
				return 1000 * ours(p, wall) / float64(b.sessions.small.files), "no floor is set; twice the goal is taken", err
			},
		},
		{
			id: "13c", what: "500 small sessions to JSON files, cpu ÷ loop of .dump", limits: limits{goal: 1, floor: 1.4}, gate: true, tools: []string{"sqlite3"},
			measure: compare(small, cpu),
		},
	}
}

// small converts every session of a folder to files with one process, and dumps each with a process of sqlite3.
func small(b *bench) ([]pair, error) {
	folder, err := b.data(b.sessions.small)
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.db"))
	if err != nil || len(paths) != b.sessions.small.files {
		return nil, fmt.Errorf("%d sessions in %s: %w", len(paths), folder, err)
	}
	out := filepath.Join(b.scratch, "small")
	if err := os.MkdirAll(out, 0o700); err != nil {
		return nil, err
	}
	us := command{path: b.program("agy-reader"), args: append([]string{"convert", "--to", "json", "--out", out + "/"}, paths...)}
	loop := `for f in "$1"/*.db; do sqlite3 -readonly "file:$f?immutable=1" '.dump steps' > "$2/${f##*/}.sql" || exit 1; done`
	// Five hundred sessions are a repetition of their own.
	return b.pairsOf(us, command{path: "/bin/sh", args: []string{"-c", loop, "sh", folder, out}}, min(b.rounds, 3))
}
