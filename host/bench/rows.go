package main

import (
	"path/filepath"
	"slices"
)

// allRows is the table, in its order. The numbers are those of the targets: 1 to 16 of conversions, P of plugins, T of the watcher at rest.
func allRows() []row {
	return slices.Concat(scanRows(), documentRows(), referenceRows(), pageRows(), startRows(), memoryRows(), allocationRows(), pluginRows(), listRows(), storeRows(), watchRows())
}

// convert is our program on one session. It writes the file that other programs have as their standard output.
func (b *bench) convert(format, path string) command {
	out := filepath.Join(b.scratch, "out")
	if b.devnull {
		out = "-"
	}
	return command{path: b.program("agy-reader"), args: []string{"convert", "--to", format, "--force", "--out", out, path}}
}

// reference makes a program's command line for a session.
type reference func(b *bench, path string) (command, error)

func cdump(b *bench, path string) (command, error) {
	program, err := b.cdump()
	return command{path: program, args: []string{path}}, err
}

// sqlDump opens the database as immutable so that nothing is left beside it.
func sqlDump(_ *bench, path string) (command, error) {
	return command{path: "sqlite3", args: []string{"-readonly", "file:" + path + "?immutable=1", ".dump steps"}}, nil
}

// against measures our program on a data set against a reference.
func against(set func(sessions) dataset, us func(b *bench, path string) command, other reference) func(b *bench) ([]pair, error) {
	return func(b *bench) ([]pair, error) {
		path, err := b.data(set(b.sessions))
		if err != nil {
			return nil, err
		}
		theirs, err := other(b, path)
		if err != nil {
			return nil, err
		}
		return b.pairs(us(b, path), theirs)
	}
}

// compare makes the measure of a row from pairs.
func compare(pairs func(b *bench) ([]pair, error), of func(taken) float64) func(b *bench) (float64, string, error) {
	return func(b *bench) (float64, string, error) {
		p, err := pairs(b)
		if err != nil {
			return 0, "", err
		}
		return ratio(p, of), versus(1000*ours(p, of), 1000*theirs(p, of), "ms"), nil
	}
}

// inverse is compare with the reference on top: how many times longer it takes.
func inverse(pairs func(b *bench) ([]pair, error), of func(taken) float64) func(b *bench) (float64, string, error) {
	measure := compare(pairs, of)
	return func(b *bench) (float64, string, error) {
		value, note, err := measure(b)
		return 1 / value, note, err
	}
}

func heavy(s sessions) dataset { return s.heavy }
func light(s sessions) dataset { return s.light }

func messages(s sessions) dataset { return s.messages }

func to(format string) func(b *bench, path string) command {
	return func(b *bench, path string) command { return b.convert(format, path) }
}

// unwritten is a reference whose output is thrown away.
func unwritten(other reference) reference {
	return func(b *bench, path string) (command, error) {
		c, err := other(b, path)
		c.discard = true
		return c, err
	}
}

func scan(b *bench, path string) command {
	return command{path: b.program("scan"), args: []string{path}}
}

// scanRows: reading alone, so that neither side writes.
func scanRows() []row {
	return []row{
		{
			id: "1a", what: "scan, cpu ÷ C dump, heavy", limits: limits{goal: 1.7, floor: 3}, gate: true, tools: []string{"cc"},
			measure: compare(against(heavy, scan, unwritten(cdump)), cpu),
		},
		{
			id: "1b", what: "scan, cpu ÷ C dump, light", limits: limits{goal: 2.2, floor: 3}, gate: true, tools: []string{"cc"},
			measure: compare(against(light, scan, unwritten(cdump)), cpu),
		},
	}
}

// documentRows: Markdown and JSON against what SQLite alone can do.
func documentRows() []row {
	markdown, json := against(heavy, to("markdown"), cdump), against(heavy, to("json"), cdump)
	dump := against(heavy, to("json"), sqlDump)
	single := against(heavy, func(b *bench, path string) command { return b.convert("json", path).with("GOMAXPROCS=1") }, sqlDump)
	return []row{
		{id: "2", what: "Markdown, wall ÷ C dump", limits: limits{goal: 2.6, floor: 4}, tools: []string{"cc"}, measure: compare(markdown, wall)},
		{id: "3", what: "Markdown, cpu ÷ C dump", limits: limits{goal: 4.2, floor: 7}, gate: true, tools: []string{"cc"}, measure: compare(markdown, cpu)},
		{id: "4", what: "JSON, wall ÷ C dump", limits: limits{goal: 3.6, floor: 6}, tools: []string{"cc"}, measure: compare(json, wall)},
		{id: "5a", what: "JSON, wall ÷ sqlite3 .dump", limits: limits{goal: 1.2, floor: 2}, tools: []string{"sqlite3"}, measure: compare(dump, wall)},
		{id: "5b", what: "JSON on one thread, cpu ÷ sqlite3 .dump", limits: limits{goal: 2.1, floor: 3.5}, tools: []string{"sqlite3"}, measure: compare(single, cpu)},
	}
}

// pageRows: HTML.
func pageRows() []row {
	htmlToJSON := func(set func(sessions) dataset) func(b *bench) ([]pair, error) {
		return against(set, to("html"), func(b *bench, path string) (command, error) { return b.convert("json", path), nil })
	}
	markdown := against(messages, to("html"), func(_ *bench, path string) (command, error) {
		return command{path: "cmark-gfm", args: []string{"-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist", path + ".md"}}, nil
	})
	return []row{
		{id: "9a", what: "HTML, wall ÷ JSON, heavy", limits: limits{goal: 3.2, floor: 5}, measure: compare(htmlToJSON(heavy), wall)},
		{id: "9b", what: "HTML, wall ÷ JSON, light", limits: limits{goal: 6, floor: 9}, measure: compare(htmlToJSON(light), wall)},
		{
			id: "10", what: "messages to HTML, cpu ÷ cmark-gfm on the same text", limits: limits{goal: 2.2, floor: 3}, tools: []string{"cmark-gfm"},
			measure: compare(markdown, cpu),
		},
		{id: "11a", what: "JSON, gain of the second core", limits: limits{goal: 1.6, floor: 1.3, atLeast: true}, measure: secondCore("json")},
		{id: "11b", what: "HTML, gain of the second core", limits: limits{goal: 1.6, floor: 1.3, atLeast: true}, measure: secondCore("html")},
	}
}
