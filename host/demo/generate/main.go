// Command generate writes host/demo/demo.db from the code in host/demo/session. Run it from inside the module.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"agy-reader/host/demo/build"
	"agy-reader/host/demo/session"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate the demo:", err)
		os.Exit(1)
	}
}

func run() error {
	folder, err := demoFolder()
	if err != nil {
		return err
	}
	conversation, err := session.Conversation()
	if err != nil {
		return err
	}
	target := filepath.Join(folder, "demo.db")
	if err := os.Remove(target); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return build.Database(target, conversation)
}

func demoFolder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "host", "demo"), nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("not inside the module")
		}
		dir = filepath.Dir(dir)
	}
}
