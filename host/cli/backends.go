package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"agy-reader/host/builtin"
	"agy-reader/host/registry"
	"agy-reader/sinks"
	"agy-reader/sources"
)

func (a *app) sourcesCommand() *cli.Command {
	return a.backendsCommand("sources", "list what can be read", func(backends *registry.Registry, table io.Writer) {
		fmt.Fprintln(table, "NAME\tFILES\tWHAT")
		all := backends.Sources()
		if auto, err := backends.Source(registry.Auto); err == nil {
			all = append([]sources.Source{auto}, all...)
		}
		for _, source := range all {
			info := source.Describe()
			fmt.Fprintf(table, "%s\t%s\t%s\n", info.Name, strings.Join(info.Suffixes, " "), info.Summary)
		}
	})
}

func (a *app) sinksCommand() *cli.Command {
	return a.backendsCommand("sinks", "list the formats that can be written", func(backends *registry.Registry, table io.Writer) {
		fmt.Fprintln(table, "NAME\tFILES\tWHAT\tTAKES")
		for _, sink := range backends.Sinks() {
			info := sink.Describe()
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", info.Name, info.Suffix, info.Summary, capabilities(info.Needs))
		}
		fmt.Fprintf(table, "plugin:./FILE\t\ta sink in a process of its own, see plugins/sdk\t\n")
	})
}

// backendsCommand prints a table about the built-in backends.
func (a *app) backendsCommand(name, usage string, rows func(backends *registry.Registry, table io.Writer)) *cli.Command {
	return &cli.Command{
		Name:  name,
		Usage: usage,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			backends, err := builtin.Registry()
			if err != nil {
				return err
			}
			table := a.table()
			rows(backends, table)
			return table.Flush()
		},
	}
}

// capabilities names what a sink declared, in the words of the plugin protocol.
func capabilities(needs sinks.Needs) string {
	var names []string
	for _, c := range []struct {
		declared bool
		name     string
	}{
		{needs.Blocks, "blocks"},
		{needs.Native, "native"},
		{needs.Display, "display"},
		{needs.Records, "records"},
		{needs.Nested, "nested"},
		{needs.ManyFiles, "many-files"},
	} {
		if c.declared {
			names = append(names, c.name)
		}
	}
	return strings.Join(names, ",")
}

func (a *app) table() *tabwriter.Writer {
	return tabwriter.NewWriter(a.streams.Out, 0, 0, 2, ' ', 0)
}
