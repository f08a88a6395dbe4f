package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/host/demo"
	"agy-reader/host/demo/build"
)

// writeSound makes a session with a step of a kind that no embedded profile knows: type 141, body 161.
func writeSound(path string) error {
	prompt, err := build.Encode(build.StepMessage, `{"type": 14, "status": 3, "userInput": {"userResponse": "Is it on?"}}`)
	if err != nil {
		return err
	}
	text := func(b []byte, number protowire.Number, s string) []byte {
		return protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), s)
	}
	number := func(b []byte, number protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), v)
	}
	body := text(text(text(nil, 1, "Sound check"), 2, "This is *the first take*."), 3, "ok\n")
	body = text(number(body, 4, 7), 5, string(text(nil, 1, "old microphone")))
	step := text(number(number(nil, 1, 141), 4, 3), 161, string(body))
	c, err := build.NewConversation(soundID, "c1ea0000-0000-4000-8000-000000000004", prompt, step)
	if err != nil {
		return err
	}
	return build.Database(path, c)
}

const soundID = "c1ea0000-0000-4000-8000-000000000003"

// A profile with a new kind of step is a folder of data, and what is wrong with one is said.
func TestProfileScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "profiles"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("USERPROFILE", filepath.Join(env.WorkDir, "home"))
			env.Setenv("ID", soundID)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"sound-db": func(ts *testscript.TestScript, neg bool, args []string) { ts.Check(writeSound(ts.MkAbs(args[0]))) },
			"demo-db": func(ts *testscript.TestScript, neg bool, args []string) {
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), demo.Database(), 0o600))
			},
			"code": func(ts *testscript.TestScript, neg bool, args []string) {
				err := ts.Exec(args[1], args[2:]...)
				if got := exitCode(err); got != args[0] {
					ts.Fatalf("exit code %s, want %s (%v)", got, args[0], err)
				}
			},
		},
	})
}
