package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

type runCommand struct {
	Data         string `env:"SVC_DATA_DIR" help:"Folder for what is built; by default waygate in the user's cache folder." type:"path" placeholder:"DIR"`
	RegionSource string `help:"Extract to use instead of the sample county: a file or an address." placeholder:"FILE"`
	settings     `embed:""`
}

// runDemoRPM is the demo lane of waygate run: one person's own machine.
const runDemoRPM = 600

// AfterApply opens the demo lane wider than a server's, unless told otherwise.
func (c *runCommand) AfterApply() error {
	if os.Getenv("SVC_DEMO_RPM") == "" && c.DemoRPM == 60 {
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
	b := build{sources: []string{c.RegionSource}, id: "sample", name: "Sample county"}
	if c.RegionSource == "" {
		file, err := writeSample(filepath.Join(c.Data, "sample"))
		if err != nil {
			return fmt.Errorf("write the sample county: %w", err)
		}
		b.sources[0] = file
	} else {
		b.id = identify(c.RegionSource)
		b.name = title(b.id)
	}
	b.dir = filepath.Join(c.Data, "regions", b.id)
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	if err := b.run(ctx, os.Stderr); err != nil {
		return errors.Join(err, ctx.Err())
	}
	return serve(ctx, c.settings, b.dir, func(address string) { announce(os.Stdout, address) })
}
