// Package county writes the sample county, and its live feeds while a server runs.
package county

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/cmd/waygate/zones"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample"
	samplefeeds "github.com/waygate/waygate/sample/feeds"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/world"
)

// Command is waygate sample.
type Command struct {
	Out string `required:"" help:"Folder to write to, created if missing; heights go into its folder heights." type:"path" placeholder:"DIR"`
}

// Run writes the sample county.
func (c *Command) Run() error {
	w, err := Write(c.Out, c.Out)
	if err != nil {
		return fmt.Errorf("write the sample county: %w", err)
	}
	_, err = fmt.Println(w.Extract)
	return err
}

// Files are the files of a written sample county, and its live feeds.
type Files struct {
	Extract  string
	Heights  string // folder
	Buses    string // folder of a GTFS feed
	Zones    string
	Heritage string
	Live     *samplefeeds.Live
	Sample   *sample.Sample
}

// Write writes the sample county's extract and a folder of its heights into dir,
// and its example journeys into the folder of its region.
func Write(dir, region string) (*Files, error) {
	w := &Files{
		Extract: filepath.Join(dir, "halvern.osm.pbf"), Heights: filepath.Join(dir, "heights"), Buses: filepath.Join(dir, "buses"),
		Zones: filepath.Join(dir, "zones.json"), Heritage: filepath.Join(dir, "heritage.json"),
	}
	for _, d := range []string{w.Heights, w.Buses, region} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	s := sample.Generate()
	w.Sample, w.Live = s, samplefeeds.NewLive(s)
	if err := files.Replace(w.Extract, func(w io.Writer) error { return osm.WritePBF(w, s.Data) }); err != nil {
		return nil, err
	}
	if err := writeTerrain(w.Heights, s.Data); err != nil {
		return nil, err
	}
	if err := zones.Write(w.Zones, inventedZones(s, time.Now())); err != nil {
		return nil, err
	}
	if err := writeHeritage(w.Heritage, s); err != nil {
		return nil, err
	}
	for name, text := range samplefeeds.Timetable(s) {
		if err := files.Replace(filepath.Join(w.Buses, name), func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			return nil, err
		}
	}
	list, err := json.MarshalIndent(examples(s), "", "  ")
	if err != nil {
		return nil, err
	}
	return w, os.WriteFile(filepath.Join(region, world.ExamplesName), append(list, '\n'), 0o644)
}

// Terrain names the source of the county's heights.
const Terrain = "invented, as the county is"

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
		err := files.Replace(filepath.Join(dir, corner.String()+".hgt.gz"), func(w io.Writer) error {
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
