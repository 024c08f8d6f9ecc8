package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample"
)

type sampleCommand struct {
	Out string `required:"" help:"Folder to write the sources into; made where it is missing." type:"path" placeholder:"DIR"`
}

// Run writes the sample county.
func (c *sampleCommand) Run() error {
	file, err := writeSample(c.Out, sample.Generate())
	if err != nil {
		return fmt.Errorf("write the sample county: %w", err)
	}
	_, err = fmt.Println(file)
	return err
}

// writeSample writes the sample county's extract into dir and gives its path.
// An extract that is already there unchanged is left as it is.
func writeSample(dir string, county *sample.Sample) (string, error) {
	var b bytes.Buffer
	if err := osm.WritePBF(&b, county.Data); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "halvern.osm.pbf")
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, b.Bytes()) {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, b.Bytes(), 0o644)
}
