package cli_test

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"

	"agy-reader/host/audit/record"
	"agy-reader/host/cli"
	"agy-reader/host/demo"
	"agy-reader/host/demo/build"
)

// compatibility stands for COMPATIBILITY.md.
const compatibility = "the compatibility record\n" + record.Begin + "\n**agy version:** 1.2.14\n" + record.End + "\n"

// TestMain lets the scripts run this test binary as `agy-reader`.
func TestMain(m *testing.M) {
	testscript.Main(leakChecked{m}, map[string]func(){
		"agy-reader": func() {
			ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			os.Exit(cli.Run(ctx, os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, compatibility))
		},
	})
}

type leakChecked struct{ m *testing.M }

func (l leakChecked) Run() int {
	code := l.m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		_, _ = os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	return code
}

// writeSession makes a session that the decoder knows whole.
func writeSession(path string, steps ...string) error {
	var payloads [][]byte
	for _, step := range steps {
		payload, err := build.Encode(build.StepMessage, step)
		if err != nil {
			return err
		}
		payloads = append(payloads, payload)
	}
	c, err := build.NewConversation("c1ea0000-0000-4000-8000-000000000001", "c1ea0000-0000-4000-8000-000000000002", payloads...)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return build.Database(path, c)
}

// writeDamaged makes a session of 200 steps, one page of which is lost.
func writeDamaged(path string) error {
	text := strings.Repeat("x", 500)
	steps := make([]string, 200)
	for i := range steps {
		steps[i] = `{"type": 14, "status": 3, "userInput": {"userResponse": "` + text + `"}}`
	}
	if err := writeSession(path, steps...); err != nil {
		return err
	}
	const page = 4096
	file, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	clear(file[len(file)/page/2*page:][:page])
	return os.WriteFile(path, file, 0o600)
}

// TestScripts runs every command as a person would type it. Scripts have the commands demo-db, clean-db, damaged-db and
// empty-db PATH, which write the sample session, one that holds nothing unknown, one with a lost page, and one without
// steps.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("USERPROFILE", filepath.Join(env.WorkDir, "home"))
			env.Setenv("TZ", "Europe/Berlin")
			env.Setenv("ID", demo.ConversationID)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"demo-db": func(ts *testscript.TestScript, neg bool, args []string) {
				path := ts.MkAbs(args[0])
				ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
				ts.Check(os.WriteFile(path, demo.Database(), 0o600))
			},
			"clean-db": func(ts *testscript.TestScript, neg bool, args []string) {
				ts.Check(writeSession(ts.MkAbs(args[0]),
					`{"type": 14, "status": 3, "userInput": {"userResponse": "Say hello"}}`,
					`{"type": 15, "status": 3, "plannerResponse": {"response": "Hello."}}`))
			},
			"damaged-db": func(ts *testscript.TestScript, neg bool, args []string) {
				ts.Check(writeDamaged(ts.MkAbs(args[0])))
			},
			"empty-db": func(ts *testscript.TestScript, neg bool, args []string) {
				ts.Check(writeSession(ts.MkAbs(args[0])))
			},
			// code N COMMAND…: runs a command that must exit with exactly N.
			"code": func(ts *testscript.TestScript, neg bool, args []string) {
				err := ts.Exec(args[1], args[2:]...)
				if got := exitCode(err); got != args[0] {
					ts.Fatalf("exit code %s, want %s (%v)", got, args[0], err)
				}
			},
		},
	})
}
