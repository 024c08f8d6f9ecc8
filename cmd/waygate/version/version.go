// Package version has the version of the program.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Number is set when a release is linked.
var Number = "0.1.0-dev"

// Revision returns the source revision of the binary, or unknown.
func Revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	rev, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-modified"
		}
	}
	return rev + dirty
}

// Full returns the version, with the revision, the Go version and the platform.
func Full() string {
	return fmt.Sprintf("waygate %s (%s, %s %s/%s)", Number, Revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// Command is waygate version.
type Command struct{}

// Run prints the version.
func (Command) Run() error {
	_, err := fmt.Println(Full())
	return err
}
