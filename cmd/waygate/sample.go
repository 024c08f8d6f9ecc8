package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample"
	"github.com/waygate/waygate/world"
)

type sampleCommand struct {
	Out string `required:"" help:"Folder to write the sources into, heights in a folder heights within; made where it is missing." type:"path" placeholder:"DIR"`
}

// Run writes the sample county.
func (c *sampleCommand) Run() error {
	w, err := writeSample(c.Out, c.Out)
	if err != nil {
		return fmt.Errorf("write the sample county: %w", err)
	}
	_, err = fmt.Println(w.extract)
	return err
}

// writtenSample is where the sample county was written to, and what it tells as
// time goes on.
type writtenSample struct {
	extract string // file
	heights string // folder
	live    *sample.Live
}

// writeSample writes the sample county's extract and a folder of its heights
// into dir and its journeys into the folder of its region.
func writeSample(dir, region string) (*writtenSample, error) {
	w := &writtenSample{extract: filepath.Join(dir, "halvern.osm.pbf"), heights: filepath.Join(dir, "heights")}
	for _, d := range []string{w.heights, region} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	s := sample.Generate()
	w.live = s.Live()
	if err := replace(w.extract, func(w io.Writer) error { return osm.WritePBF(w, s.Data) }); err != nil {
		return nil, err
	}
	if err := writeTerrain(w.heights, s.Data); err != nil {
		return nil, err
	}
	if err := writeZones(filepath.Join(dir, sampleZones), inventedZones(s, time.Now())); err != nil {
		return nil, err
	}
	list, err := json.MarshalIndent(examples(s), "", "  ")
	if err != nil {
		return nil, err
	}
	return w, os.WriteFile(filepath.Join(region, world.ExamplesName), append(list, '\n'), 0o644)
}

// sampleTerrain is where the county's heights are from.
const sampleTerrain = "invented, as the county is"

// writeTerrain writes the tiles that the county lies on.
func writeTerrain(dir string, data *osm.Data) error {
	done := map[height.Corner]bool{}
	for _, n := range data.Nodes {
		corner := height.CornerOf(geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point())
		if done[corner] {
			continue
		}
		done[corner] = true
		tile := height.Draw(corner, height.ThreeArcSeconds, func(p geo.Point) (float64, bool) { return sample.Height(p), true })
		err := replace(filepath.Join(dir, corner.String()+".hgt.gz"), func(w io.Writer) error {
			z := gzip.NewWriter(w)
			_, err := z.Write(tile)
			return errors.Join(err, z.Close())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// replace writes a file so that a kill leaves the old one or the new.
func replace(file string, write func(io.Writer) error) error {
	f, err := os.Create(file + ".new")
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
