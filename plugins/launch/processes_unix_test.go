//go:build unix

package launch_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

func groupOf() int { return syscall.Getpgrp() }

func killSelf() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }

func terminate(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }

func killHard(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }

// alive counts the processes of a group that still run.
func alive(group int) int { return count(2, group) }

// aliveProcess is 1 while the process runs.
func aliveProcess(pid int) int { return count(-1, pid) }

// count looks for processes by their group or number. The dead that nobody has collected yet do not count.
func count(field, want int) int {
	group := want
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	if len(stats) == 0 {
		if field < 0 {
			group = -want
		}
		if syscall.Kill(-group, 0) == nil {
			return 1
		}
		return 0
	}
	n := 0
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		// pid (name) state parent group …
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) < 3 || fields[0] == "Z" {
			continue
		}
		found := filepath.Base(filepath.Dir(name))
		if field >= 0 {
			found = fields[field]
		}
		if found == strconv.Itoa(want) {
			n++
		}
	}
	return n
}

// cpuTime is what this process and its collected children used, in nanoseconds.
func cpuTime() int64 {
	var total int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err != nil {
			panic(err)
		}
		total += usage.Utime.Nano() + usage.Stime.Nano()
	}
	return total
}
