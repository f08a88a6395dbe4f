package sdk

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"agy-reader/plugins/rpc"
)

// kitName is how the host sees what a plugin was made with.
const kitName = "agy-reader sdk (go)"

func manifest(options []Option) rpc.Manifest {
	m := rpc.Manifest{SDK: kitName}
	if build, ok := debug.ReadBuildInfo(); ok && build.Main.Version != "(devel)" {
		m.Version = build.Main.Version
	}
	for _, option := range options {
		option(&m)
	}
	return m
}

// description is the JSON manifest.
type description struct {
	Name    string          `json:"name"`
	Version string          `json:"version,omitempty"`
	Summary string          `json:"summary,omitempty"`
	License string          `json:"license,omitempty"`
	SDK     string          `json:"sdk"`
	Wire    []int           `json:"wire"`
	Sink    sinkDescription `json:"sink"`
}

type sinkDescription struct {
	MediaType     string          `json:"mediaType"`
	Suffix        string          `json:"suffix"`
	Capabilities  []string        `json:"capabilities,omitempty"`
	OptionsSchema json.RawMessage `json:"optionsSchema,omitempty"`
}

func printManifest(w io.Writer, info Info, m rpc.Manifest) error {
	d := rpc.Description(info, m)
	text, err := json.MarshalIndent(description{
		Name:    d.GetName(),
		Version: d.GetVersion(),
		Summary: d.GetSummary(),
		License: d.GetLicense(),
		SDK:     d.GetSdk(),
		Wire:    []int{rpc.WireMajor},
		Sink: sinkDescription{
			MediaType:     d.GetSink().GetMediaType(),
			Suffix:        d.GetSink().GetSuffix(),
			Capabilities:  d.GetSink().GetCapabilities(),
			OptionsSchema: d.GetSink().GetOptionsSchema(),
		},
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// explain tells a person who started the plugin by hand what it is for.
func explain(w io.Writer, info Info, m rpc.Manifest, args []string, foreign bool) {
	program := "plugin"
	if len(args) > 0 {
		program = filepath.Base(args[0])
	}
	fmt.Fprintf(w, "%s %s is a plugin for agy-reader", info.Name, m.Version)
	if info.Summary != "" {
		fmt.Fprintf(w, ": %s", info.Summary)
	}
	fmt.Fprint(w, ".\nIt does nothing on its own.\n\n")
	if foreign {
		fmt.Fprint(w, "It was started by a host that expects another kind of plugin (the cookie differs).\n\n")
	}
	fmt.Fprintf(w, "Use it:       agy-reader convert --to plugin:./%s SESSION\n", program)
	fmt.Fprintf(w, "Describe it:  %s --describe\n", program)
}
