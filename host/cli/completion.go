package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"agy-reader/host/diag"
)

// The scripts ask the program itself, which urfave/cli answers for every command and flag.
const bashCompletion = `_agy_reader() {
  local cur="${COMP_WORDS[COMP_CWORD]}" words=("${COMP_WORDS[@]:0:COMP_CWORD}")
  if [[ "$cur" == -* ]]; then words+=("$cur"); fi
  mapfile -t COMPREPLY < <(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null | sed 's/:.*//')" -- "$cur")
}
complete -o bashdefault -o default -F _agy_reader agy-reader
`

const zshCompletion = `#compdef agy-reader
_agy_reader() {
  local -a options
  local current="${words[CURRENT]}"
  if [[ "$current" == -* ]]; then
    options=("${(@f)$(${words[1,CURRENT-1]} "$current" --generate-bash-completion 2>/dev/null)}")
  else
    options=("${(@f)$(${words[1,CURRENT-1]} --generate-bash-completion 2>/dev/null)}")
  fi
  if [[ -n "${options[1]}" ]]; then _describe 'values' options; else _files; fi
}
compdef _agy_reader agy-reader
`

func (a *app) completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script for bash, zsh or fish",
		ArgsUsage: "bash|zsh|fish",
		Description: "bash: source <(agy-reader completion bash)\n" +
			"zsh:  source <(agy-reader completion zsh)\n" +
			"fish: agy-reader completion fish | source",
		Action: func(c *cli.Context) error {
			args, err := positional(c)
			if err != nil {
				return err
			}
			if len(args) != 1 {
				return diag.Usagef("completion takes one shell: bash, zsh or fish")
			}
			script, err := completionScript(c.App, args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(a.streams.Out, script)
			return err
		},
	}
}

func completionScript(program *cli.App, shell string) (string, error) {
	switch shell {
	case "bash":
		return bashCompletion, nil
	case "zsh":
		return zshCompletion, nil
	case "fish":
		return program.ToFishCompletion()
	default:
		return "", diag.Usagef("completion knows bash, zsh and fish, not %q", shell)
	}
}
