package cli

import (
	"regexp"
	"testing"

	"github.com/urfave/cli/v2"
)

// Help shows the first text in backquotes as what a flag takes: a flag that takes something names it in capitals, and one that
// takes nothing has none.
func TestFlagsNameWhatTheyTake(t *testing.T) {
	t.Parallel()
	quoted, capitals := regexp.MustCompile("`([^`]*)`"), regexp.MustCompile(`^[A-Z]+$`)
	var check func(name string, flags []cli.Flag, commands []*cli.Command)
	check = func(name string, flags []cli.Flag, commands []*cli.Command) {
		for _, f := range flags {
			flag, is := f.(cli.DocGenerationFlag)
			if !is {
				t.Errorf("%s: %v has no help", name, f.Names())
				continue
			}
			first := quoted.FindStringSubmatch(flag.GetUsage())
			switch {
			case !flag.TakesValue() && first != nil:
				t.Errorf("%s --%s takes nothing, but shows %s", name, f.Names()[0], first[0])
			case flag.TakesValue() && (first == nil || !capitals.MatchString(first[1])):
				t.Errorf("%s --%s does not name in capitals what it takes: %q", name, f.Names()[0], flag.GetUsage())
			}
		}
		for _, c := range commands {
			check(name+" "+c.Name, c.Flags, c.Subcommands)
		}
	}
	program := (&app{}).program()
	check(program.Name, program.Flags, program.Commands)
}
