//go:build !linux

package render

import "os/exec"

// alone leaves a program as it is: its context's end kills it, and what it has
// started ends when it finds that out.
func alone(*exec.Cmd) {}

// killGroup kills a program; what it has started notices.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
