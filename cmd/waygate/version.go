package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set when a release is linked.
var version = "0.1.0-dev"

// revision returns the source revision of the binary, or unknown.
func revision() string {
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

// fullVersion returns the version, with the revision, the Go version and the platform.
func fullVersion() string {
	return fmt.Sprintf("waygate %s (%s, %s %s/%s)", version, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run() error {
	_, err := fmt.Println(fullVersion())
	return err
}
