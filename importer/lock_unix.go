//go:build unix

package importer

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// lock keeps a second import out of a work folder, where it would write into
// the first one's files. The lock goes with the process, however it ends.
func lock(work string) (release func(), err error) {
	f, err := os.OpenFile(filepath.Join(work, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errors.New("another import into this folder is running: wait for it, or stop it")
		}
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}
