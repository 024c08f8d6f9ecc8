package importer

import (
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lock keeps other imports out of a folder until unlock, or until the process ends: two
// at once would delete each other's sections.
func lock(work string) (unlock func() error, err error) {
	f := flock.New(filepath.Join(work, "lock"))
	locked, err := f.TryLock()
	if err != nil {
		return nil, err
	}
	if !locked {
		return nil, fmt.Errorf("another import is at work in %s; wait for it, or import into another folder", filepath.Dir(work))
	}
	return f.Unlock, nil
}
