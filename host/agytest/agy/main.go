// Command agy is a stand-in for the daemon inside agy and the IDE: it serves the sessions of a store over the same RPC,
// writes the same lines to its log, and can be told to be at fault. Tests start it by package agytest; people by
//
//	go run ./host/agytest/agy -root ~/copy-of-a-store -csrf_token T
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"agy-reader/host/agytest/control"
)

func main() {
	if filepath.Base(os.Args[0]) == control.ToolName {
		_, _ = io.Copy(io.Discard, os.Stdin) // until agy closes it, or ends
		return
	}
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		line, _ := json.Marshal(control.Event{Failed: err.Error()})
		fmt.Fprintf(os.Stdout, "%s\n", line)
		os.Exit(1)
	}
}

// run serves until the input ends; for people, until the process is told to end.
func run(args []string, in io.Reader, out io.Writer) error {
	controlled := os.Getenv(control.Variable) != ""
	input := bufio.NewReaderSize(in, 1<<20)
	var config control.Config
	if controlled {
		line, err := input.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &config)
		}
		if err != nil {
			return fmt.Errorf("read what the daemon is to be: %w", err)
		}
	} else {
		var err error
		if config, err = flags(args); err != nil {
			return err
		}
	}
	d := newDaemon(config, out)
	if err := d.start(args); err != nil {
		return err
	}
	d.obey(input)
	if !controlled {
		select {} // people end it by a signal
	}
	return nil
}

// flags are for people.
func flags(args []string) (control.Config, error) {
	config := control.Config{Surface: "cli", Layout: control.Flat, Version: "cli-1.4.4"}
	f := flag.NewFlagSet("agy", flag.ContinueOnError)
	f.Usage = func() {
		fmt.Fprint(f.Output(), "A stand-in for the daemon of agy. It serves the sessions of a store until it is interrupted, says on standard\n"+
			"output where it listens and what it is asked, and takes commands like {\"op\":\"set\",\"behaviours\":[{\"stale\":true}]}\n"+
			"on standard input (host/agytest/control). A reader finds it by its name when it is built: go build -o agy ./host/agytest/agy\n\n")
		f.PrintDefaults()
	}
	f.StringVar(&config.Token, "csrf_token", "", "token to ask for; readers see it only as the first argument")
	f.StringVar(&config.Root, "root", "", "session store, with conversations/ inside; log/ and cli.log are written to it")
	f.StringVar(&config.Surface, "surface", config.Surface, "cli, ide or ide2")
	f.StringVar(&config.LogFolder, "log-folder", "", "folder of the IDE's logs, like ~/.config/Antigravity/logs")
	f.StringVar(&config.Layout, "layout", config.Layout, "layout of the IDE's logs: flat or stamped")
	f.StringVar(&config.Version, "ls-version", config.Version, "what tools are told as ANTIGRAVITY_LS_VERSION")
	f.StringVar(&config.Address, "address", "", "where to listen for HTTP (default any port of 127.0.0.1)")
	f.BoolVar(&config.JSONOnly, "json-only", false, "refuse protobuf")
	f.BoolVar(&config.Hold, "hold", false, "keep loaded databases open, as agy does")
	if err := f.Parse(args); err != nil {
		return config, err
	}
	if config.Root == "" {
		return config, errors.New("-root is missing: name a copy of a session store")
	}
	return config, nil
}
