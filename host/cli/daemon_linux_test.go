package cli_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"agy-reader/host/agytest"
	"agy-reader/host/agytest/answers"
	"agy-reader/host/demo/build"
)

// stand are the daemons of one script, by name.
type stand map[string]*agytest.Daemon

// TestDaemonScripts runs the commands that ask a daemon against the stand-in: a real process named agy. Besides the commands
// of TestScripts' scripts that need none, scripts have
//
//	conversation PATH [PARENT]     writes a session of two steps with the id in the path's name
//	write PATH WHAT                commits a change to it, see agytest.Write…
//	agy start NAME ROOT            starts a daemon on a store
//	agy set NAME [JSON…]           tells it how to behave (agytest.Behaviour)
//	agy kill|restart|forget NAME
//	agy calls NAME N               fails unless it was called N times since it was last asked
//	agy quiet NAME FILE…           fails if its token is in a file
//	watch LOG FLAGS…               runs agy-reader --watch FLAGS, with its standard error in a file
//	until LOG TEXT                 waits until it has said so
//	end LOG INT|TERM|KILL|         sends a signal or none, and waits until it has ended, with exit code 0
//	code N COMMAND…
func TestDaemonScripts(t *testing.T) {
	t.Parallel()
	type key struct{}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "daemon"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("TZ", "Europe/Berlin")
			env.Setenv("STORE", filepath.Join(env.WorkDir, "home", ".gemini", "antigravity-cli"))
			env.Setenv("A", "aaaaaaaa-0000-4000-8000-000000000001")
			env.Setenv("B", "bbbbbbbb-0000-4000-8000-000000000002")
			env.Setenv("C", "cccccccc-0000-4000-8000-000000000003")
			env.Values[key{}] = stand{}
			env.Values["watches"] = map[string]*exec.Cmd{}
			env.Values["t"] = env.T().(testing.TB)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"conversation": func(ts *testscript.TestScript, _ bool, args []string) {
				parent := ""
				if len(args) > 1 {
					parent = args[1]
				}
				ts.Check(writeChild(ts.MkAbs(args[0]), parent))
			},
			"write": func(ts *testscript.TestScript, _ bool, args []string) {
				db, err := answers.Writer(ts.MkAbs(args[0]))
				ts.Check(err)
				ts.Check(answers.Write(db, args[1]))
				ts.Check(db.Close())
			},
			"agy": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Value(key{}).(stand).do(ts, ts.Value("t").(testing.TB), args[0], args[1], args[2:])
			},
			// snapshot FILE: writes down what the store holds, and when it was written.
			"snapshot": func(ts *testscript.TestScript, _ bool, args []string) {
				var text strings.Builder
				dir := filepath.Join(ts.Getenv("STORE"), "conversations")
				entries, err := os.ReadDir(dir)
				ts.Check(err)
				for _, e := range entries {
					info, err := e.Info()
					ts.Check(err)
					data, err := os.ReadFile(filepath.Join(dir, e.Name()))
					ts.Check(err)
					fmt.Fprintln(&text, e.Name(), info.ModTime(), info.Sys().(*syscall.Stat_t).Ctim, info.Mode(), sha256.Sum256(data))
				}
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text.String()), 0o600))
			},
			"until": func(ts *testscript.TestScript, _ bool, args []string) {
				for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
					if text, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && strings.Contains(string(text), args[1]) {
						return
					}
				}
				ts.Fatalf("never said: %q, but\n%s", args[1], ts.ReadFile(args[0]))
			},
			"code": func(ts *testscript.TestScript, _ bool, args []string) {
				err := ts.Exec(args[1], args[2:]...)
				if got := exitCode(err); got != args[0] {
					ts.Fatalf("exit code %s, want %s (%v)", got, args[0], err)
				}
			},
			"watch": func(ts *testscript.TestScript, _ bool, args []string) {
				cmd, err := background(ts, ts.Value("t").(testing.TB), ts.MkAbs(args[0]), args[1:])
				ts.Check(err)
				ts.Value("watches").(map[string]*exec.Cmd)[args[0]] = cmd
			},
			"end": func(ts *testscript.TestScript, _ bool, args []string) {
				cmd := ts.Value("watches").(map[string]*exec.Cmd)[args[0]]
				switch args[1] {
				case "INT":
					ts.Check(cmd.Process.Signal(os.Interrupt))
				case "TERM":
					ts.Check(cmd.Process.Signal(syscall.SIGTERM))
				case "KILL":
					ts.Check(cmd.Process.Kill())
				}
				if err := cmd.Wait(); err != nil && args[1] != "KILL" {
					ts.Fatalf("%v\n%s", err, ts.ReadFile(args[0]))
				}
			},
		},
	})
}

func (s stand) do(ts *testscript.TestScript, t testing.TB, what, name string, args []string) {
	if what == "start" {
		root := ts.MkAbs(args[0])
		s[name] = agytest.Start(t, agytest.Options{Root: root})
		ts.Setenv("URL_"+name, s[name].URL())
		return
	}
	d := s[name]
	switch what {
	case "set":
		var all []agytest.Behaviour
		for _, text := range args {
			var b agytest.Behaviour
			ts.Check(json.Unmarshal([]byte(text), &b))
			all = append(all, b)
		}
		d.Set(t, all...)
	case "kill":
		d.Kill()
	case "restart":
		d.Restart(t)
		ts.Setenv("URL_"+name, d.URL())
	case "forget":
		d.Forget()
	case "calls":
		if got := strconv.Itoa(len(d.Requests())); got != args[0] {
			ts.Fatalf("%s calls, want %s", got, args[0])
		}
		d.Forget()
	case "quiet":
		for _, file := range args {
			if strings.Contains(ts.ReadFile(file), d.Token()) {
				ts.Fatalf("the token is in %s", file)
			}
		}
	default:
		ts.Fatalf("agy %s?", what)
	}
}

// writeChild writes a conversation of two steps with the id in its name.
func writeChild(path, parent string) error {
	id := strings.TrimSuffix(filepath.Base(path), ".db")
	var payloads [][]byte
	for _, step := range []string{
		`{"type": 14, "status": 3, "userInput": {"userResponse": "Say hello"}}`,
		`{"type": 15, "status": 3, "plannerResponse": {"response": "Hello."}}`,
	} {
		payload, err := build.Encode(build.StepMessage, step)
		if err != nil {
			return err
		}
		payloads = append(payloads, payload)
	}
	c, err := build.NewConversation(id, "7a"+id[2:], payloads...)
	if err != nil {
		return err
	}
	if parent != "" {
		if c.Metadata, err = build.Encode("exa.cortex_pb.CortexTrajectoryMetadata", `{"parentConversationId": "`+parent+`"}`); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return build.Database(path, c)
}

// background starts a watch. Its standard error is LOG; `end LOG SIGNAL` ends it and returns its exit code.
func background(ts *testscript.TestScript, t testing.TB, log string, args []string) (*exec.Cmd, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	program, err := exec.LookPath("agy-reader") // which is this test binary
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, append([]string{"--watch"}, args...)...)
	cmd.Stderr, cmd.Dir = out, ts.MkAbs(".")
	for _, name := range []string{"HOME", "PATH", "TZ", "TMPDIR", "ANTIGRAVITY_DAEMON_URL", "ANTIGRAVITY_CLI_ROOT"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // a script that failed
		}
	})
	return cmd, nil
}
