package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// logID is the conversation that the generator makes of kind log.
const logID = "be00106e-0000-4000-8000-000000000001"

// storeRows: whole stores, encrypted files, and sessions of gigabytes.
func storeRows() []row {
	return []row{
		{id: "Wa", what: "export of a whole store, growth of peak memory over ten times the conversations", unit: " MiB", limits: limits{goal: 10, floor: 32}, gate: true, measure: storeGrowth},
		{id: "Wb", what: "second export over an unchanged store, wall ÷ first", limits: limits{goal: 0.05, floor: 0.1}, gate: true, measure: second},
		{id: "Ea", what: "encrypted file, cpu ÷ the same steps in a database, Markdown", limits: limits{goal: 1.15, floor: 1.3}, gate: true, measure: encrypted("markdown")},
		{id: "Eb", what: "encrypted file, cpu ÷ the same steps in a database, JSON", limits: limits{goal: 1.15, floor: 1.3}, gate: true, measure: encrypted("json")},
		{id: "Ec", what: "encrypted file, peak memory beyond its size, worst format", unit: " MiB", limits: limits{goal: 48, floor: 64}, gate: true, measure: beyondSize},
		{id: "Ga", what: "a log of 1 GB (gates: 120 MB), peak memory, worst format", unit: " MiB", limits: limits{goal: 64, floor: 128}, gate: true, measure: hugeLog},
		{id: "Gb", what: "a database of 2 GB (gates: 220 MB), peak memory, worst format", unit: " MiB", limits: limits{goal: 64, floor: 128}, gate: true, measure: hugeDatabase},
	}
}

// manySmall is a folder of sessions of a few steps.
func manySmall(files int) dataset { return dataset{kind: "light", steps: 12, files: files} }

// storeOf makes a store whose conversations are those of a folder, by hard links beside it: a store is not left by a
// symbolic one.
func (b *bench) storeOf(folder string) (string, error) {
	root := folder + "-store"
	if err := os.MkdirAll(filepath.Join(root, "conversations"), 0o700); err != nil {
		return "", err
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.db"))
	if err != nil {
		return "", err
	}
	for _, path := range paths {
		if err := os.Link(path, filepath.Join(root, "conversations", filepath.Base(path))); err != nil && !errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
	return root, nil
}

// export is our program on a whole store. The archive is new, or what an export left there.
func (b *bench) export(root, out, format string) command {
	return command{path: b.program("agy-reader"), args: []string{"convert", "--all", "--root", root, "--to", format, "--out", out}}
}

func storeGrowth(b *bench) (float64, string, error) {
	var peaks []float64
	for _, set := range []dataset{b.sessions.few, b.sessions.many} {
		folder, err := b.data(set)
		if err != nil {
			return 0, "", err
		}
		root, err := b.storeOf(folder)
		if err != nil {
			return 0, "", err
		}
		out := filepath.Join(b.scratch, fmt.Sprintf("archive-%d", set.files))
		t, err := b.take(b.export(root, out, "markdown"))
		if err := errors.Join(err, os.RemoveAll(out)); err != nil {
			return 0, "", err
		}
		peaks = append(peaks, megabytes(t))
	}
	return peaks[1] - peaks[0], versus(peaks[1], peaks[0], "MiB"), nil
}

func second(b *bench) (float64, string, error) {
	folder, err := b.data(b.sessions.small)
	if err != nil {
		return 0, "", err
	}
	root, err := b.storeOf(folder)
	if err != nil {
		return 0, "", err
	}
	out := filepath.Join(b.scratch, "archive")
	defer os.RemoveAll(out)
	var ratios, firsts, seconds []float64
	for range 3 {
		if err := os.RemoveAll(out); err != nil {
			return 0, "", err
		}
		first, err := b.take(b.export(root, out, "markdown,json,html"))
		if err != nil {
			return 0, "", err
		}
		again, err := b.take(b.export(root, out, "markdown,json,html"))
		if err != nil {
			return 0, "", err
		}
		firsts, seconds = append(firsts, wall(first)), append(seconds, wall(again))
		ratios = append(ratios, wall(again)/wall(first))
	}
	return median(ratios), versus(1000*median(seconds), 1000*median(firsts), "ms"), nil
}

// encrypted compares the two storage forms of the same steps.
func encrypted(format string) func(b *bench) (float64, string, error) {
	return compare(func(b *bench) ([]pair, error) {
		database, err := b.data(b.sessions.heavy)
		if err != nil {
			return nil, err
		}
		file, err := b.data(b.sessions.sealed)
		if err != nil {
			return nil, err
		}
		return b.pairs(b.convert(format, file), b.convert(format, database))
	}, cpu)
}

func beyondSize(b *bench) (float64, string, error) {
	path, err := b.data(b.sessions.sealed)
	if err != nil {
		return 0, "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, "", err
	}
	size := float64(info.Size()) / (1 << 20)
	value, note, err := worst(func(format string) (float64, error) {
		peak, err := b.rss(format, b.sessions.sealed)
		return peak - size, err
	})
	return value, fmt.Sprintf("%s; the file has %.0f", note, size), err
}

// hugeLog and hugeDatabase write beside the data: their documents are too large for memory.
func hugeLog(b *bench) (float64, string, error) {
	return b.huge(b.sessions.log, func(root string) []string { return []string{"--root", root, logID} })
}

func hugeDatabase(b *bench) (float64, string, error) {
	return b.huge(b.sessions.huge, func(path string) []string { return []string{path} })
}

func (b *bench) huge(d dataset, session func(path string) []string) (float64, string, error) {
	path, err := b.data(d)
	if err != nil {
		return 0, "", err
	}
	out, err := os.MkdirTemp(b.cache, "unfinished-")
	if err != nil {
		return 0, "", err
	}
	defer os.RemoveAll(out)
	return worst(func(format string) (float64, error) {
		args := append([]string{"convert", "--to", format, "--force", "--out", filepath.Join(out, "document")}, session(path)...)
		t, err := b.take(command{path: b.program("agy-reader"), args: args, partial: d.kind == "log"}.with("TMPDIR=" + out))
		return megabytes(t), err
	})
}
