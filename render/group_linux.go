package render

import (
	"os/exec"
	"syscall"
)

// alone gives a program a process group of its own, so that whatever it starts
// can be killed with it, and has the kernel kill it when this process dies. Its
// context's end kills the group.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return killGroup(cmd) }
}

// killGroup kills what a program has started, and the program.
func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
