//go:build unix

package launch_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hashicorp/go-plugin"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/launch"
	"agy-reader/plugins/rpc"
)

// beHost starts a good plugin, opens a conversation, says so and waits to be killed. The host `ours` uses this package;
// the host `plain` uses go-plugin alone, so that nothing but the kit's own watch ends the plugin.
func beHost(kind, file string) error {
	me, err := os.Executable()
	if err != nil {
		return err
	}
	switch kind {
	case "ours":
		p, err := launch.Start(context.Background(), launch.Command{Path: me, Args: []string{"good", file}}, launch.Options{})
		if err != nil {
			return err
		}
		session, err := p.Sink().Open(context.Background(), request(), &trial.Memory{})
		if err != nil {
			return err
		}
		if err := session.Event(trial.Sized(0, 1000)); err != nil {
			return err
		}
	case "plain":
		client := plugin.NewClient(&plugin.ClientConfig{
			HandshakeConfig:  plugin.HandshakeConfig{MagicCookieKey: rpc.CookieKey, MagicCookieValue: rpc.CookieValue},
			VersionedPlugins: map[int]plugin.PluginSet{rpc.WireMajor: {}},
			AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
			AutoMTLS:         true,
			Cmd:              exec.Command(me, "good", file),
		})
		if _, err := client.Client(); err != nil {
			return err
		}
	default:
		return errors.New("which host?")
	}
	fmt.Fprintln(os.Stdout, "ready")
	select {}
}

func TestHostIsKilled(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"ours", "plain"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "account")
			host := exec.Command(self(t).Path, "host", kind, file)
			host.Stderr = os.Stderr
			// A host that is killed leaves the folder of the socket behind.
			host.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
			out, err := host.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := host.Start(); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
				_ = host.Process.Kill()
				t.Fatalf("host said %q: %v", line, err)
			}
			a := readAccount(t, file)
			if aliveProcess(a.PID) == 0 {
				t.Fatal("the plugin does not run")
			}
			if err := killHard(host.Process.Pid); err != nil {
				t.Fatal(err)
			}
			_ = host.Wait()
			goneProcess(t, a.PID)
		})
	}
}
