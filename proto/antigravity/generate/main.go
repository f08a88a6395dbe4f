// Command generate compiles the schema of every decoder profile to its schema.binpb. With -check it writes nothing and
// fails when a file is not what it would write. It finds the profiles from anywhere inside the module.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"agy-reader/proto/antigravity/schema"
)

func main() {
	check := flag.Bool("check", false, "compare instead of writing")
	flag.Parse()
	root, err := profilesFolder()
	if err == nil {
		err = run(root, *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate profiles:", err)
		os.Exit(1)
	}
}

// run compiles each profile below root. With check it reports every stale profile in one error.
func run(root string, check bool) error {
	manifests, err := filepath.Glob(filepath.Join(root, "*", "profile.json"))
	if err != nil {
		return err
	}
	var stale error
	for _, manifest := range manifests {
		folder := filepath.Dir(manifest)
		fresh, err := compile(folder)
		if err != nil {
			return fmt.Errorf("profile %s: %w", filepath.Base(folder), err)
		}
		target := filepath.Join(folder, "schema.binpb")
		if !check {
			if err := os.WriteFile(target, fresh, 0o644); err != nil {
				return err
			}
			continue
		}
		if have, err := os.ReadFile(target); err != nil || !bytes.Equal(have, fresh) {
			stale = errors.Join(stale, fmt.Errorf("%s is stale: run `make generate`", target))
		}
	}
	return stale
}

func compile(folder string) ([]byte, error) {
	set, err := schema.Compile(context.Background(), os.DirFS(folder))
	if err != nil {
		return nil, err
	}
	return schema.Marshal(set)
}

// profilesFolder returns proto/antigravity of the module around the working directory.
func profilesFolder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "proto", "antigravity"), nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("not inside the module")
		}
		dir = filepath.Dir(dir)
	}
}
