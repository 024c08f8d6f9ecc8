//go:build unix

package region

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// mapping is a file in memory. The file stays open, to be read beside.
type mapping struct {
	data []byte
	file *os.File
}

func mapFile(path string, want int64) (mapping, error) {
	f, err := os.Open(path)
	if err != nil {
		return mapping{}, err
	}
	st, err := f.Stat()
	if err != nil {
		return mapping{}, closeAfter(f, err)
	}
	if st.Size() != want {
		return mapping{}, closeAfter(f, fmt.Errorf("%s has %d bytes, the manifest says %d: import again", path, st.Size(), want))
	}
	if want == 0 {
		return mapping{file: f}, nil
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(want), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return mapping{}, closeAfter(f, err)
	}
	return mapping{data, f}, nil
}

func (m mapping) close() error {
	err := m.file.Close()
	if len(m.data) == 0 {
		return err
	}
	return errors.Join(err, syscall.Munmap(m.data))
}
