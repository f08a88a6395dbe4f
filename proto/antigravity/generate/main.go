// Command generate compiles the schema of every decoder profile to its schema.binpb. With -check it writes nothing and
// fails when a file is not what it would write. It finds the profiles from anywhere inside the module.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/types/descriptorpb"

	"agy-reader/proto/antigravity"
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
		name := filepath.Base(filepath.Dir(manifest))
		fresh, err := compile(os.DirFS(root), name, 0)
		if err != nil {
			return fmt.Errorf("profile %s: %w", name, err)
		}
		target := filepath.Join(root, name, "schema.binpb")
		if err := refresh(target, fresh.own, check); err != nil {
			stale = errors.Join(stale, err)
		}
	}
	return stale
}

// refresh brings a file up to date, or with check says that it is not. A profile without an own schema has no file.
func refresh(target string, fresh []byte, check bool) error {
	have, err := os.ReadFile(target)
	absent := errors.Is(err, fs.ErrNotExist)
	switch {
	case absent && len(fresh) == 0, err == nil && len(fresh) > 0 && bytes.Equal(have, fresh):
		return nil
	case check:
		return fmt.Errorf("%s is stale: run `make generate`", target)
	case len(fresh) == 0:
		return os.Remove(target)
	}
	return os.WriteFile(target, fresh, 0o644)
}

// compiled is the schema of a profile: what its own schema.binpb holds, and all of it.
type compiled struct{ own, whole []byte }

func compile(root fs.FS, name string, depth int) (c compiled, err error) {
	text, err := fs.ReadFile(root, name+"/profile.json")
	if err != nil {
		return c, err
	}
	m, err := antigravity.ParseManifest(text)
	if err != nil {
		return c, err
	}
	folder, err := fs.Sub(root, name)
	if err != nil {
		return c, err
	}
	var set *descriptorpb.FileDescriptorSet
	var base compiled
	below := &descriptorpb.FileDescriptorSet{}
	switch {
	case m.Extends == "":
		set, err = schema.Compile(context.Background(), folder)
	case depth > 8:
		err = errors.New("profiles extend each other")
	default:
		if base, err = compile(root, m.Extends, depth+1); err != nil {
			return c, err
		}
		if below, err = schema.Unmarshal(base.whole); err != nil {
			return c, err
		}
		set, err = schema.CompileOver(context.Background(), folder, below)
	}
	if err != nil {
		return c, err
	}
	if set, err = schema.Add(below, set, m.Adds); err != nil {
		return c, err
	}
	if c.own, err = schema.Marshal(set); err != nil {
		return c, err
	}
	c.whole, err = antigravity.MergeSets(base.whole, c.own)
	return c, err
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
