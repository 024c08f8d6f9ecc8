package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/waygate/waygate/importer"
)

type runCommand struct {
	Data         string `env:"SVC_DATA_DIR" help:"Folder for what is built; by default waygate in the user's cache folder." type:"path" placeholder:"DIR"`
	RegionSource string `help:"Extract to use instead of the sample county: a file or an address." placeholder:"FILE"`
	settings     `embed:""`
}

// runDemoRPM is the demo lane of waygate run: one person's own machine.
const runDemoRPM = 6000

// AfterApply opens the demo lane wider than a server's, unless told otherwise.
func (c *runCommand) AfterApply() error {
	if os.Getenv("SVC_DEMO_RPM") == "" && c.DemoRPM == 600 {
		c.DemoRPM = runDemoRPM
	}
	return nil
}

// Run builds the region where it is missing or its source changed, and serves
// it.
func (c *runCommand) Run(ctx context.Context) error {
	if c.Data == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("no folder for data; set --data: %w", err)
		}
		c.Data = filepath.Join(cache, "waygate")
	}
	o := importer.Options{Sources: []string{c.RegionSource}}
	if c.RegionSource == "" {
		o.ID, o.Name, o.Country = "halvern", "Isle of Halvern", "GB"
		o.Dir = filepath.Join(c.Data, "regions", o.ID)
		file, err := writeSample(filepath.Join(c.Data, "sample"), o.Dir)
		if err != nil {
			return fmt.Errorf("write the sample county: %w", err)
		}
		o.Sources[0] = file
	} else {
		o.Dir = filepath.Join(c.Data, "regions", importer.IDFrom(c.RegionSource))
	}
	if err := build(ctx, os.Stderr, o); err != nil {
		return err
	}
	return serve(ctx, c.settings, o.Dir, func(address string) { announce(os.Stdout, address) })
}
