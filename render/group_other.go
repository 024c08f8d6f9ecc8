//go:build !linux

package render

import "os/exec"

// alone changes nothing: the end of the context kills the program, and what it has
// started must notice that by itself.
func alone(*exec.Cmd) {}

// killGroup kills a program; what it has started must notice that by itself.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
