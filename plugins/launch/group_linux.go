package launch

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// group is the process group a plugin leads.
type group struct{ pid int }

// awaitKeepsNumber: await returns while the process number still belongs to the program.
const awaitKeepsNumber = true

// prepare makes the program the leader of a group of its own, out of reach of the terminal's signals, and asks the kernel
// to end it when the thread that starts it does. That thread must therefore live as long as the program.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func newGroup(cmd *exec.Cmd) *group { return &group{pid: cmd.Process.Pid} }

// await returns when the leader has ended, before its number can be used again.
func (g *group) await() {
	for {
		err := unix.Waitid(unix.P_PID, g.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// kill ends every process of the group.
func (g *group) kill() { _ = unix.Kill(-g.pid, unix.SIGKILL) }

func (g *group) release() {}
