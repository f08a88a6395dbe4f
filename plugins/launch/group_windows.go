package launch

import (
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object a plugin and its children belong to. It ends them when its last handle is closed, so also when
// the host dies. Built, but never run by our tests.
type group struct {
	job     windows.Handle
	process interface{ Kill() error }
}

// awaitKeepsNumber: await returns while the process number still belongs to the program.
const awaitKeepsNumber = false

// prepare keeps the console's Ctrl-C away from the program.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// newGroup puts the program into a job. Without one, kill ends the program alone.
func newGroup(cmd *exec.Cmd) *group {
	g := &group{process: cmd.Process}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(job, cmd.Process.Pid)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return g
	}
	g.job = job
	return g
}

func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(process) }()
	return windows.AssignProcessToJobObject(job, process)
}

func (g *group) await() {}

// kill ends every process of the job.
func (g *group) kill() {
	if g.job == 0 {
		_ = g.process.Kill()
		return
	}
	_ = windows.TerminateJobObject(g.job, 1)
}

func (g *group) release() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
		g.job = 0
	}
}
