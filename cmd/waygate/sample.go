package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample"
)

type sampleCommand struct {
	Out string `required:"" help:"Folder to write the sources into; made where it is missing." type:"path" placeholder:"DIR"`
}

// Run writes the sample county.
func (c *sampleCommand) Run() error {
	file, err := writeSample(c.Out, c.Out)
	if err != nil {
		return fmt.Errorf("write the sample county: %w", err)
	}
	_, err = fmt.Println(file)
	return err
}

// writeSample writes the sample county's extract into dir and its journeys
// into the folder of its region, and gives the extract's path.
func writeSample(dir, region string) (string, error) {
	for _, d := range []string{dir, region} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return "", err
		}
	}
	s := sample.Generate()
	file := filepath.Join(dir, "halvern.osm.pbf")
	f, err := os.Create(file + ".new")
	if err != nil {
		return "", err
	}
	if err := errors.Join(osm.WritePBF(f, s.Data), f.Close()); err != nil {
		return "", err
	}
	if err := os.Rename(file+".new", file); err != nil {
		return "", err
	}
	list, err := json.MarshalIndent(examples(s), "", "  ")
	if err != nil {
		return "", err
	}
	return file, os.WriteFile(filepath.Join(region, examplesName), append(list, '\n'), 0o644)
}

// examplesName is the file in a region's folder with journeys that the
// explorer offers. It is optional and no part of the sealed region.
const examplesName = "examples.json"

// readExamples reads the journeys of the region in dir, none where it has no
// such file.
func readExamples(dir string) ([]api.Example, error) {
	data, err := os.ReadFile(filepath.Join(dir, examplesName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []api.Example
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, examplesName), err)
	}
	return all, nil
}
