//go:build unix

package region

import (
	"os"
	"syscall"
)

// view maps a file of size bytes, which are not 0, to be read.
func view(f *os.File, size int64) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
}

func closeView(data []byte) error { return syscall.Munmap(data) }
