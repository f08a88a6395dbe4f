package rpc

import (
	"errors"
	"fmt"
	"mime"
	"strings"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	"agy-reader/sinks"
)

// Manifest is what a plugin says about itself. SDK is filled in by the kit.
type Manifest struct {
	// Version of the plugin, License as an SPDX expression, SDK the kit it was made with; each may be empty.
	Version, License, SDK string
}

// Description is the manifest of a served sink as the host reads it.
func Description(info sinks.Info, m Manifest) *pluginv1.DescribeResponse {
	return &pluginv1.DescribeResponse{
		Name:    info.Name,
		Version: m.Version,
		Summary: info.Summary,
		License: m.License,
		Sdk:     m.SDK,
		Sink: &pluginv1.SinkInfo{
			MediaType:     info.MediaType,
			Suffix:        info.Suffix,
			Capabilities:  capabilities(&info.Needs),
			OptionsSchema: info.OptionsSchema,
		},
	}
}

// needs is the one table of capability names.
func needs(n *sinks.Needs) map[string]*bool {
	return map[string]*bool{
		"blocks":     &n.Blocks,
		"native":     &n.Native,
		"display":    &n.Display,
		"records":    &n.Records,
		"nested":     &n.Nested,
		"many-files": &n.ManyFiles,
	}
}

func capabilities(n *sinks.Needs) []string {
	table := needs(n)
	var all []string
	for _, name := range []string{"blocks", "native", "display", "records", "nested", "many-files"} {
		if *table[name] {
			all = append(all, name)
		}
	}
	return all
}

// readDescription checks the answer of a plugin and turns it into what the seam wants. unknown are capabilities this host
// has no meaning for; they are left out.
func readDescription(d *pluginv1.DescribeResponse) (info sinks.Info, unknown []string, err error) {
	if !validName(d.GetName()) {
		return info, nil, fmt.Errorf("its name %q is not of the form [a-z][a-z0-9-]*, at most 32 bytes", Printable(d.GetName()))
	}
	s := d.GetSink()
	if s == nil {
		return info, nil, errors.New("it does not describe a sink")
	}
	if _, _, err := mime.ParseMediaType(s.GetMediaType()); err != nil {
		return info, nil, fmt.Errorf("its media type %q is not valid: %w", Printable(s.GetMediaType()), err)
	}
	if !validSuffix(s.GetSuffix()) {
		return info, nil, fmt.Errorf("its suffix %q is not a dot followed by letters, digits, dots, dashes or underscores", Printable(s.GetSuffix()))
	}
	info = sinks.Info{
		Name:          d.GetName(),
		Summary:       strings.ReplaceAll(Printable(d.GetSummary()), "\n", " "),
		MediaType:     s.GetMediaType(),
		Suffix:        s.GetSuffix(),
		OptionsSchema: s.GetOptionsSchema(),
	}
	table := needs(&info.Needs)
	for _, name := range s.GetCapabilities() {
		if want, ok := table[name]; ok {
			*want = true
			continue
		}
		unknown = append(unknown, Printable(name))
	}
	return info, unknown, nil
}

func validName(s string) bool {
	if s == "" || len(s) > 32 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }) < 0
}

func validSuffix(s string) bool {
	if len(s) < 2 || len(s) > 32 || s[0] != '.' || s[1] == '.' || s[len(s)-1] == '.' {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.' && r != '-' && r != '_'
	}) < 0
}
