package clearance

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/scan"
	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/towntest"
)

// survey writes a region with a road of 100 m from west to east, and a survey of 40 m of it
// with a bridge 4.2 m above; it returns the command that builds.
func survey(t *testing.T) (*Build, *scan.PlacedScene) {
	t.Helper()
	dir := t.TempDir()
	place := geo.Point{Lon: -1.5, Lat: 52.5}
	town := towntest.Draw(t, "a-b", towntest.At(place), towntest.Ways{{"ab", "primary lanes=2"}})
	plane, err := coordinates.PlaneOf(32630)
	assert.NilError(t, err)
	a, b := town.Point("a"), town.Point("b")
	ax, ay, err := plane.Project(a.Lat, a.Lon)
	assert.NilError(t, err)
	bx, by, err := plane.Project(b.Lat, b.Lon)
	assert.NilError(t, err)
	s := &scan.Scene{Length: 40, Half: 3.5, Lanes: 2}
	s.Objects = append(s.Objects, &scan.Block{S0: 18, S1: 24, T0: -10, T1: 10, Bottom: [3]float64{4.2}, Top: [3]float64{5.5}, What: scan.Solid, Pass: -1})
	p := &scan.PlacedScene{Scene: s, X: ax + 0.2*(bx-ax), Y: ay + 0.2*(by-ay), Turn: math.Atan2(by-ay, bx-ax)}
	c := &scan.Scanner{Passes: 2, Planes: []float64{math.Pi / 4, -math.Pi / 4}, Line: 0.1, Angle: 0.008, Up: 2.2, Noise: 0.004, LeastObject: 0.05, Beam: 0.006}
	file, err := scan.LAS(rand.New(rand.NewPCG(1, 1)), scan.WKT(32630, 5701), c, p)
	assert.NilError(t, err)
	path := filepath.Join(dir, "a5.las")
	assert.NilError(t, os.WriteFile(path, file, 0o600))
	return &Build{
		Region: town.Region(t).Dir, Out: filepath.Join(dir, "a5.clearance"), View: "below", Files: []string{path},
		Cell: 0.25, Ceiling: 6, LeastObject: 0.05, Footprint: 0.006, Noise: 0.005, Regist: 0.005, Margin: 2,
	}, p
}

func TestBuild(t *testing.T) {
	c, p := survey(t)
	assert.NilError(t, c.Run(t.Context()))
	f, a, err := files.Open(c.Out, artefact.Open)
	assert.NilError(t, err)
	defer f.Close()
	x, y := p.World(21, 1.75)
	cell, ok, err := a.Reader().At(0, x, y)
	assert.NilError(t, err)
	assert.Assert(t, ok && cell.State() == artefact.Measured && cell.Headroom > 4.15 && cell.Safe() < 4.2, "%+v", cell)
	assert.NilError(t, (&Verify{Files: []string{c.Out}}).Run(t.Context()))
	assert.NilError(t, (&Info{File: c.Out}).Run())
	assert.NilError(t, (&Info{File: c.Out, JSON: true}).Run())
	var text bytes.Buffer
	assert.NilError(t, describe(&text, &a.Header, a.Tiles))
	for _, want := range []string{"2025-06-02/2025-06-02", "EPSG:32630", "EPSG:5701 (drawn height)", "seen from below", `"sources": {"a5.las":"`} {
		assert.Assert(t, strings.Contains(text.String(), want), text.String())
	}
	assert.ErrorContains(t, c.Run(t.Context()), "--force")

	// The table of what was found is a source of the next artefact.
	table := filepath.Join(t.TempDir(), "bridges.csv")
	assert.NilError(t, (&Export{Out: table, File: c.Out}).Run(t.Context()))
	exported, err := os.ReadFile(table)
	assert.NilError(t, err)
	assert.Equal(t, strings.Count(string(exported), "\n"), 3, string(exported))
	c.Force, c.Files, c.Table, c.CRS = true, nil, []string{table}, "EPSG:32630"
	assert.NilError(t, c.Run(t.Context()))

	damaged, err := os.ReadFile(c.Out)
	assert.NilError(t, err)
	damaged[100] ^= 1
	assert.NilError(t, os.WriteFile(c.Out, damaged, 0o600))
	assert.ErrorContains(t, (&Verify{Files: []string{c.Out}}).Run(t.Context()), "checksum")
}

func TestBuildRefuses(t *testing.T) {
	c, _ := survey(t)
	for want, change := range map[string]func(*Build){
		"--cell is 0.01; it must be from 0.1 to 1":     func(c *Build) { c.Cell = 0.01 },
		"--ceiling is NaN":                             func(c *Build) { c.Ceiling = math.NaN() },
		"--crs is \"OSGB\"":                            func(c *Build) { c.CRS = "OSGB" },
		"--crs says EPSG:27700":                        func(c *Build) { c.CRS = "EPSG:27700" },
		"--dates is \"2025-06-02/2025-06-01\"":         func(c *Build) { c.Dates = []string{"2025-06-02/2025-06-01"} },
		"--dates is given 2 times for 1 files":         func(c *Build) { c.Dates = []string{"2025-06-02", "2025-06-02"} },
		"two sources have the name a5.las":             func(c *Build) { c.Files = append(c.Files, c.Files[0]) },
		"neither a survey nor a table":                 func(c *Build) { c.Files, c.CRS = nil, "EPSG:32630" },
		"EPSG:3857 (WGS 84 / Pseudo-Mercator) does no": func(c *Build) { c.Files, c.CRS, c.Table = nil, "EPSG:3857", []string{table1(t)} },
	} {
		changed := *c
		change(&changed)
		assert.ErrorContains(t, changed.Run(t.Context()), want)
	}
	whole, err := os.ReadFile(c.Files[0])
	assert.NilError(t, err)
	assert.NilError(t, os.WriteFile(c.Files[0], whole[:len(whole)/2], 0o600))
	assert.ErrorContains(t, c.Run(t.Context()), "the file has room for")
	assert.NilError(t, os.WriteFile(c.Files[0], whole, 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, c.Run(ctx), context.Canceled)
	left, err := os.ReadDir(filepath.Dir(c.Out))
	assert.NilError(t, err)
	assert.Equal(t, len(left), 1, "%v", left)
}

func table1(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	assert.NilError(t, os.WriteFile(path, []byte("structure,min_clearance_m,lat,lon,date,uncertainty_m\na,4,52,-1,2024-01-01,0.01\n"), 0o600))
	return path
}

// TestRealFiles builds with surveys from the air: nothing above a road passes on them, and
// files with feet are refused.
func TestRealFiles(t *testing.T) {
	c, _ := survey(t)
	c.Vertical, c.Dates, c.View = "EPSG:5709", []string{"2015-01-01/2015-12-31"}, "auto"
	for name, want := range map[string]string{
		"feeds/pointcloud/laspy-autzen_trim.laz": "",
		"pointcloud/autzen_trim.las":             "",
		"pointcloud/lone-star.copc.laz":          "",
		"feeds/pointcloud/laspy-simple.copc.laz": "",
		"feeds/pointcloud/laspy-test1_4.las":     "",
		"feeds/pointcloud/ahn_2386_9702.laz":     "",
		"feeds/pointcloud/laspy-1_4_w_evlr.laz":  "",
		"feeds/pointcloud/laspy-simple.laz":      "",
		"feeds/pointcloud/ahn_2397_9705.laz":     "",
	} {
		c.Files = []string{realdata.File(t, name)}
		err := c.Run(t.Context())
		t.Logf("%s: %v", name, err)
		assert.ErrorContains(t, err, want)
	}
}
