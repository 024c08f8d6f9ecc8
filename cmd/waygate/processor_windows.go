package main

import (
	"os"
	"syscall"
	"time"
)

// processorTime is what this process has had of the processors.
func processorTime() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(self, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(ticks(kernel)+ticks(user)) * 100
}

// mostMemory is what a process that has ended had resident at the most: it is not
// known.
func mostMemory(*os.ProcessState) int64 { return 0 }
