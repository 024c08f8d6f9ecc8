package render

import (
	"errors"
	"fmt"
	"os/exec"
)

// names are those under which systems install Chromium, the plainest first.
//
//nolint:gochecknoglobals // a constant table
var names = []string{"chromium", "chromium-browser", "chrome-headless-shell", "headless-shell", "google-chrome-stable", "google-chrome", "chrome"}

// ErrNone is the error if no Chromium was found.
var ErrNone = errors.New("no Chromium is installed")

// Find returns the path of a Chromium: the one of that name or path, or for "" the
// first that is installed. It returns ErrNone if there is none.
func Find(name string) (string, error) {
	if name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("%w as %s: %w", ErrNone, name, err)
		}
		return path, nil
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNone
}
