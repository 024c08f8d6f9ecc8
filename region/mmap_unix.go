//go:build unix

package region

import (
	"fmt"
	"os"
	"syscall"
)

func mapFile(path string, want int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, closeAfter(f, err)
	}
	if st.Size() != want {
		return nil, closeAfter(f, fmt.Errorf("%s has %d bytes, the manifest says %d: import again", path, st.Size(), want))
	}
	if want == 0 {
		return nil, f.Close()
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(want), syscall.PROT_READ, syscall.MAP_SHARED)
	return data, closeAfter(f, err)
}

func unmapFile(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return syscall.Munmap(data)
}
