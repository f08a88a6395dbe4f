//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// endTogether lets a program that takes too long end with all that it started.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
