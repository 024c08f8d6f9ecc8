package render

import (
	"os/exec"
	"syscall"
)

// alone gives a program a process group of its own, so that everything it starts can be
// killed with it, and makes the kernel kill it when this process dies. The end of its
// context kills the group.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return killGroup(cmd) }
}

// killGroup kills a program and everything that it has started.
func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
