package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"agy-reader/host/builtin"
	"agy-reader/host/diag"
	"agy-reader/host/store"
	"agy-reader/sources/profile"
)

// The scripts ask the program itself. A lone "--" would end the flags, so "-" is asked instead: it offers the same.
const bashCompletion = `_agy_reader() {
  local cur="${COMP_WORDS[COMP_CWORD]}" words=("${COMP_WORDS[@]:0:COMP_CWORD}")
  if [[ "$cur" == -* ]]; then words+=("${cur/#--/-}"); fi
  mapfile -t COMPREPLY < <(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur")
}
complete -o bashdefault -o default -F _agy_reader agy-reader
`

const zshCompletion = `#compdef agy-reader
_agy_reader() {
  local -a options asked
  local current="${words[CURRENT]}"
  asked=("${(@)words[1,CURRENT-1]}")
  if [[ "$current" == -* ]]; then asked+=("${current/#--/-}"); fi
  options=("${(@f)$("${asked[@]}" --generate-bash-completion 2>/dev/null)}")
  if [[ -n "${options[1]}" ]]; then compadd -a options; fi
  _files
}
compdef _agy_reader agy-reader
`

const fishCompletion = `function __agy_reader
  set -l asked (commandline -opc)
  set -l current (commandline -ct)
  if string match -q -- '-*' $current
    set -a asked (string replace -r '^--' '-' -- $current)
  end
  $asked --generate-bash-completion 2>/dev/null
end
complete -c agy-reader -a '(__agy_reader)'
`

var completionScripts = map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}

func (a *app) completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script for bash, zsh or fish",
		ArgsUsage: "bash|zsh|fish",
		Description: "bash: source <(agy-reader completion bash)\n" +
			"zsh:  source <(agy-reader completion zsh)\n" +
			"fish: agy-reader completion fish | source",
		BashComplete: a.complete(func(*cli.Context) []string { return []string{"bash", "fish", "zsh"} }),
		Action: func(c *cli.Context) error {
			args, err := positional(c)
			if err != nil {
				return err
			}
			if len(args) != 1 {
				return diag.Usagef("completion takes one shell: bash, zsh or fish")
			}
			script, known := completionScripts[args[0]]
			if !known {
				return diag.Usagef("completion knows bash, zsh and fish, not %q", args[0])
			}
			_, err = fmt.Fprint(a.streams.Out, script)
			return err
		},
	}
}

// complete answers a completion script: behind a flag that takes one of a few words those, behind a dash the command's
// flags, elsewhere its arguments.
func (a *app) complete(arguments func(*cli.Context) []string) cli.BashCompleteFunc {
	return func(c *cli.Context) {
		last := a.args[max(0, len(a.args)-2)]
		values := flagValues(strings.TrimLeft(last, "-"))
		switch {
		case strings.HasPrefix(last, "-") && values != nil:
		case strings.HasPrefix(last, "-"):
			values = flagNames(c.Command)
		default:
			values = arguments(c)
		}
		for _, value := range values {
			fmt.Fprintln(a.streams.Out, value)
		}
	}
}

// flagValues are the words a flag takes, or nil when it takes anything.
func flagValues(flag string) []string {
	switch flag {
	case "to":
		var formats []string
		if backends, err := builtin.Registry(); err == nil {
			for _, sink := range backends.Sinks() {
				formats = append(formats, sink.Describe().Name)
			}
		}
		return append(formats, "markdown,json,html")
	case "from":
		return []string{"auto", "sqlite", "legacypb", "mirror", "daemon"}
	case "subagents":
		return []string{"inline", "separate", "none"}
	case "unknown":
		return []string{"fail", "mark"}
	case "wrappers":
		return []string{"keep", "project"}
	case "format":
		return []string{"json", "md"}
	case "select":
		return []string{"no-tools", "prompts"}
	case "profile":
		return profileNames(nil)
	default:
		return nil
	}
}

func flagNames(command *cli.Command) []string {
	var names []string
	for _, flag := range command.Flags {
		for _, name := range flag.Names() {
			if len(name) > 1 {
				names = append(names, "--"+name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// sessionIDs are the conversations of all stores.
func (a *app) sessionIDs(c *cli.Context) []string {
	roots, err := a.allRoots(c)
	if err != nil {
		return nil
	}
	sessions, _ := store.All(roots, false) // as many as can be listed
	ids := make([]string, len(sessions))
	for i, s := range sessions {
		ids[i] = s.ID
	}
	return ids
}

func profileNames(*cli.Context) []string {
	var names []string
	for _, p := range profile.List() {
		names = append(names, p.Name)
	}
	return names
}

func noArgument(*cli.Context) []string { return nil }
