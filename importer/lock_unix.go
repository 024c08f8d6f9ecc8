//go:build unix

package importer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lock keeps other imports out of a folder until unlock, or until the process
// ends: two at once would delete each other's sections.
func lock(work string) (unlock func() error, err error) {
	f, err := os.OpenFile(filepath.Join(work, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = fmt.Errorf("another import is at work in %s; wait for it, or import into another folder", filepath.Dir(work))
		}
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}
