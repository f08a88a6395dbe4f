//go:build unix && !linux

package launch

import (
	"os/exec"
	"syscall"
)

// group is the process group a plugin leads.
type group struct{ pid int }

// awaitKeepsNumber: await returns while the process number still belongs to the program.
const awaitKeepsNumber = false

// prepare makes the program the leader of a group of its own, out of reach of the terminal's signals.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func newGroup(cmd *exec.Cmd) *group { return &group{pid: cmd.Process.Pid} }

// await has no portable way to wait without giving the number back; the group is killed right after.
func (g *group) await() {}

// kill ends every process of the group.
func (g *group) kill() { _ = syscall.Kill(-g.pid, syscall.SIGKILL) }

func (g *group) release() {}
