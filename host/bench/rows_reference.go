package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// referenceRows: JSON against the ordinary ways to get it.
func referenceRows() []row {
	schemaLess := against(heavy, to("json"), func(b *bench, path string) (command, error) {
		interpreter, err := python()
		return command{path: interpreter, args: []string{b.testdata("walk.py"), path}}, err
	})
	jq := against(heavy, to("json"), func(b *bench, path string) (command, error) {
		lines, err := b.lines(path)
		return command{path: "jq", args: []string{"-c", ".", lines}}, err
	})
	ordinary := against(heavy, to("json"), func(b *bench, path string) (command, error) {
		return command{path: b.program("protojson"), args: []string{path}}, nil
	})
	return []row{
		{id: "6a", what: "step → JSON, cpu ÷ proto.Unmarshal + protojson, in process", limits: limits{goal: 0.25, floor: 0.45}, gate: true, measure: transcoder},
		{id: "6b", what: "JSON, cpu ÷ the program with Unmarshal + protojson", limits: limits{goal: 0.25, floor: 0.45}, gate: true, measure: noted(compare(ordinary, cpu), dynamic)},
		{id: "7a", what: "JSON, Python without schema ÷ ours, wall", limits: limits{goal: 25, floor: 10, atLeast: true}, tools: []string{"python3"}, measure: inverse(schemaLess, wall)},
		{id: "7b", what: "JSON, Python without schema ÷ ours, cpu", limits: limits{goal: 14, floor: 6, atLeast: true}, tools: []string{"python3"}, measure: inverse(schemaLess, cpu)},
		{id: "8a", what: "JSON, jq -c . on the same steps ÷ ours, wall", limits: limits{goal: 18, floor: 8, atLeast: true}, tools: []string{"jq"}, measure: inverse(jq, wall)},
		{id: "8b", what: "JSON, jq -c . on the same steps ÷ ours, cpu", limits: limits{goal: 10, floor: 5, atLeast: true}, tools: []string{"jq"}, measure: inverse(jq, cpu)},
	}
}

// dynamic says what the messages of the reference are.
const dynamic = "dynamicpb; generated code takes 1.4–1.6 times less"

func noted(measure func(b *bench) (float64, string, error), more string) func(b *bench) (float64, string, error) {
	return func(b *bench) (float64, string, error) {
		value, note, err := measure(b)
		return value, note + "; " + more, err
	}
}

// lines is the session as JSON lines, made by the reference program and kept.
func (b *bench) lines(path string) (string, error) {
	made := path + ".jsonl"
	if _, err := os.Stat(made); err == nil {
		return made, nil
	}
	unfinished, err := os.CreateTemp(filepath.Dir(path), "unfinished-")
	if err != nil {
		return "", err
	}
	defer os.Remove(unfinished.Name())
	cmd := exec.CommandContext(b.ctx, b.program("protojson"), path)
	cmd.Stdout = unfinished
	if err := errors.Join(cmd.Run(), unfinished.Close()); err != nil {
		return "", fmt.Errorf("make %s: %w", filepath.Base(made), err)
	}
	return made, os.Rename(unfinished.Name(), made)
}
