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
	samplefeeds "github.com/waygate/waygate/sample/feeds"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/world"
)

type sampleCommand struct {
	Out string `required:"" help:"Folder to write to, created if missing; heights go into its folder heights." type:"path" placeholder:"DIR"`
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

// writtenSample is a written sample county: its files and its live feeds.
type writtenSample struct {
	extract string // file
	heights string // folder
	buses   string // folder of a GTFS feed
	live    *samplefeeds.Live
}

// writeSample writes the sample county's extract and a folder of its heights into dir,
// and its example journeys into the folder of its region.
func writeSample(dir, region string) (*writtenSample, error) {
	w := &writtenSample{extract: filepath.Join(dir, "halvern.osm.pbf"), heights: filepath.Join(dir, "heights"), buses: filepath.Join(dir, "buses")}
	for _, d := range []string{w.heights, w.buses, region} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	s := sample.Generate()
	w.live = samplefeeds.NewLive(s)
	if err := replace(w.extract, func(w io.Writer) error { return osm.WritePBF(w, s.Data) }); err != nil {
		return nil, err
	}
	if err := writeTerrain(w.heights, s.Data); err != nil {
		return nil, err
	}
	if err := writeZones(filepath.Join(dir, sampleZones), inventedZones(s, time.Now())); err != nil {
		return nil, err
	}
	if err := writeHeritage(dir, s); err != nil {
		return nil, err
	}
	for name, text := range samplefeeds.Timetable(s) {
		if err := replace(filepath.Join(w.buses, name), func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			return nil, err
		}
	}
	list, err := json.MarshalIndent(examples(s), "", "  ")
	if err != nil {
		return nil, err
	}
	return w, os.WriteFile(filepath.Join(region, world.ExamplesName), append(list, '\n'), 0o644)
}

// sampleTerrain names the source of the county's heights.
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
		tile := height.Draw(corner, height.ThreeArcSeconds, func(p geo.Point) (float64, bool) { return land.Height(p), true })
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

// replace writes a file so that a kill leaves either the old one or the new.
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
