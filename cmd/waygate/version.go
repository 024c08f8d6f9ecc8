package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

// version is set when a release is linked.
var version = "0.1.0-dev"

// revision is the source revision the binary was built from, or unknown.
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

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run() error {
	_, err := fmt.Printf("waygate %s (%s, %s %s/%s)\n", version, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// versionFlag is the same as a flag.
type versionFlag bool

// BeforeReset prints the version before anything else is looked at.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	err := versionCommand{}.Run()
	app.Exit(0)
	return err
}
