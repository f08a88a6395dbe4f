package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// listed is how many conversations the rows of listing have; each of the generated ones stands there under several ids.
const listed = 5000

// listRows: a store of many conversations that no index knows, so that every one is asked for its title.
func listRows() []row {
	return []row{
		{
			id: "La", what: "list of 5,000 conversations, wall for each", unit: " ms", limits: limits{goal: 1, floor: 2},
			measure: func(b *bench) (float64, string, error) {
				seconds, err := b.list(wall)
				return 1000 * seconds / listed, "first prompts are read, no index has titles", err
			},
		},
		{
			id: "Lb", what: "list of 5,000 conversations, peak memory", unit: " MiB", limits: limits{goal: 96, floor: 128},
			measure: func(b *bench) (float64, string, error) {
				megabytes, err := b.list(megabytes)
				return megabytes, "", err
			},
		},
	}
}

// list measures our program on a store that has the generated sessions as its conversations.
func (b *bench) list(of func(taken) float64) (float64, error) {
	folder, err := b.data(dataset{kind: "light", steps: 12, files: 200})
	if err != nil {
		return 0, err
	}
	made, err := filepath.Glob(filepath.Join(folder, "*.db"))
	if err != nil || len(made) == 0 {
		return 0, fmt.Errorf("no sessions in %s: %w", folder, err)
	}
	root := filepath.Join(b.cache, fmt.Sprintf("store-%d", listed)) // where links to the data can be made
	conversations := filepath.Join(root, "conversations")
	if err := os.MkdirAll(conversations, 0o700); err != nil {
		return 0, err
	}
	for i := range listed {
		name := filepath.Join(conversations, fmt.Sprintf("be%06x-0000-4000-8000-000000000000.db", i))
		if err := os.Link(made[i%len(made)], name); err != nil && !os.IsExist(err) {
			return 0, err
		}
	}
	return b.runs(command{path: b.program("agy-reader"), args: []string{"list", "--json", "--root", root}}, of)
}
