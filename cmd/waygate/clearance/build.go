package clearance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/build"
	"github.com/waygate/waygate/clearance/structures"
	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/cmd/waygate/progress"
	"github.com/waygate/waygate/cmd/waygate/version"
	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/sidecar"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
)

// Build measures.
type Build struct {
	Region      string   `required:"" type:"existingdir" help:"Folder of the region whose roads are measured." placeholder:"DIR"`
	Out         string   `required:"" type:"path" help:"Artefact to write." placeholder:"FILE"`
	Force       bool     `help:"Replace an artefact."`
	CRS         string   `group:"The surveys" name:"crs" help:"Projected reference system, such as EPSG:27700, for files that do not name one; that of the grid if there are tables only." placeholder:"EPSG:CODE"`
	Vertical    string   `group:"The surveys" help:"Vertical datum, such as EPSG:5701, for files that do not name one." placeholder:"NAME"`
	Dates       []string `group:"The surveys" sep:"none" help:"First and last day of the survey, instead of the dates in the points: once for all files, or once for each file in order." placeholder:"FROM/TO"`
	View        string   `group:"The surveys" enum:"auto,below,above" default:"auto" help:"Position of the scanner: below (on the road) or above (in the air). The underside of a bridge counts only if it was surveyed from below. auto decides by pulses with several returns, and counts no underside if it cannot."`
	Table       []string `type:"path" sep:"none" help:"Table of surveyed structures (CSV: structure, lane, min_clearance_m, lat, lon, date, uncertainty_m, length_m) as a further source; repeatable." placeholder:"FILE"`
	Cell        float64  `group:"What to measure" default:"0.25" help:"Edge of a cell in metres, 0.1 to 1." placeholder:"M"`
	Ceiling     float64  `group:"What to measure" default:"6" help:"Height above the road in metres up to which is measured, 3 to 20. Nothing higher than this passes." placeholder:"M"`
	LeastObject float64  `group:"What to measure" default:"0.008" help:"Diameter in metres of the thinnest wire that must not be missed, 0.001 to 1. Where the survey is too sparse for it, nothing passes." placeholder:"M"`
	Footprint   float64  `group:"The surveys" default:"0.006" help:"Width in metres by which the scanner's beam exceeds the smallest object that it shows, 0 to 0.5." placeholder:"M"`
	Noise       float64  `group:"The surveys" default:"0.005" help:"Standard deviation of the scanner's distances in metres, 0 to 0.2; a larger one found on the road counts instead." placeholder:"M"`
	Regist      float64  `group:"The surveys" name:"registration" default:"0.005" help:"Standard deviation in metres between passes of the scanner, 0 to 0.5." placeholder:"M"`
	Margin      float64  `group:"What to measure" default:"2" help:"Width measured beyond the map's carriageway, in metres, 0 to 10." placeholder:"M"`
	Files       []string `arg:"" optional:"" type:"path" help:"Surveys: LAS, LAZ or COPC files with one reference system." placeholder:"FILE"`
}

// Run measures.
func (c *Build) Run(ctx context.Context) error {
	o, err := c.options()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(c.Out); !c.Force && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already: give another --out, or --force to replace it", c.Out)
	}
	in, closeAll, err := c.input(ctx)
	if err != nil {
		return err
	}
	defer closeAll()
	r, err := region.Open(c.Region)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	g, err := graph.Open(r)
	if err != nil {
		return err
	}
	in.Roads = func(plane *coordinates.Plane, bounds build.Box) ([]build.Road, error) {
		return build.Roads(ctx, g, plane, bounds)
	}
	show, done := progress.Bar(os.Stderr)
	o.Progress = show
	h, tiles, err := c.write(ctx, in, o)
	done()
	if err != nil {
		return err
	}
	return describe(os.Stdout, h, tiles)
}

// options checks the flags.
func (c *Build) options() (*build.Options, error) {
	for _, f := range []struct {
		name      string
		v         float64
		low, high float64
	}{
		{"--cell", c.Cell, 0.1, 1},
		{"--ceiling", c.Ceiling, 3, 20},
		{"--least-object", c.LeastObject, 0.001, 1},
		{"--footprint", c.Footprint, 0, 0.5},
		{"--noise", c.Noise, 0, 0.2},
		{"--registration", c.Regist, 0, 0.5},
		{"--margin", c.Margin, 0, 10},
	} {
		if !(f.v >= f.low && f.v <= f.high) {
			return nil, fmt.Errorf("%s is %v; it must be from %v to %v", f.name, f.v, f.low, f.high)
		}
	}
	if n := len(c.Dates); n > 1 && n != len(c.Files) {
		return nil, fmt.Errorf("--dates is given %d times for %d files; give it once, or once for each", n, len(c.Files))
	}
	o := build.Defaults()
	o.Cell, o.Ceiling, o.LeastObject, o.Footprint = c.Cell, c.Ceiling, c.LeastObject, c.Footprint
	o.Noise, o.Registration, o.Margin = c.Noise, c.Regist, c.Margin
	o.Stretch = max(1, (c.Ceiling-scannerHeight)/scannerHeight)
	o.Tool, o.Dir = "Waygate "+version.Number, filepath.Dir(c.Out)
	return &o, nil
}

// scannerHeight is how high in metres above the road scanners on vehicles are, at least
// nearly all of them.
const scannerHeight = 2.2

// input opens the sources.
func (c *Build) input(ctx context.Context) (in *build.Input, closeAll func(), err error) {
	in = &build.Input{}
	var files []*os.File
	shut := func() {
		for _, f := range files {
			_ = f.Close()
		}
	}
	defer func() {
		if err != nil {
			shut()
		}
	}()
	if in.EPSG, err = epsg(c.CRS); err != nil {
		return nil, nil, err
	}
	show, done := progress.Bar(os.Stderr)
	defer done()
	for i, path := range c.Files {
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
		show("hashing", int64(i), int64(len(c.Files)))
		cloud, err := c.cloud(ctx, f, i)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		cloud.EPSG = in.EPSG
		in.Clouds = append(in.Clouds, cloud)
	}
	for _, path := range c.Table {
		t, err := table(ctx, path)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		in.Tables = append(in.Tables, *t)
	}
	return in, shut, distinct(in)
}

// distinct refuses sources with one name, as manifests list them by name.
func distinct(in *build.Input) error {
	seen := map[string]bool{}
	add := func(name string) error {
		if seen[name] {
			return fmt.Errorf("two sources have the name %s; manifests list sources by their names", name)
		}
		seen[name] = true
		return nil
	}
	for _, c := range in.Clouds {
		if err := add(c.Name); err != nil {
			return err
		}
	}
	for _, t := range in.Tables {
		if err := add(t.Name); err != nil {
			return err
		}
	}
	return nil
}

// epsg reads a code such as EPSG:27700; 0 for none.
func epsg(text string) (code int, err error) {
	if text == "" {
		return 0, nil
	}
	digits := strings.TrimPrefix(strings.ToUpper(text), "EPSG:")
	if _, err := fmt.Sscanf(digits, "%d", &code); err != nil || code <= 0 || fmt.Sprint(code) != digits {
		return 0, fmt.Errorf("--crs is %.40q; it must be a code such as EPSG:27700", text)
	}
	return code, nil
}

func (c *Build) cloud(ctx context.Context, f *os.File, i int) (*build.Cloud, error) {
	digest, err := sidecar.Sum(ctx, f, filepath.Base(f.Name()))
	if err != nil {
		return nil, err
	}
	cloud, err := pointcloud.Open(f, digest.Bytes)
	if err != nil {
		return nil, err
	}
	made := &build.Cloud{Name: digest.Name, File: cloud, SHA256: digest.SHA256, Vertical: c.Vertical}
	if c.View != "auto" {
		made.View = c.View
	}
	if len(c.Dates) > 0 {
		made.From, made.To, err = dates(c.Dates[min(i, len(c.Dates)-1)])
	}
	return made, err
}

// dates reads a day, or two.
func dates(text string) (from, to string, err error) {
	from, to, both := strings.Cut(text, "/")
	if !both {
		to = from
	}
	first, err1 := time.Parse(time.DateOnly, from)
	last, err2 := time.Parse(time.DateOnly, to)
	if err1 != nil || err2 != nil || last.Before(first) {
		return "", "", fmt.Errorf("--dates is %.60q; it must be two days in their order, such as 2025-03-01/2025-03-04", text)
	}
	return from, to, nil
}

func table(ctx context.Context, path string) (*build.Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	digest, err := sidecar.Sum(ctx, f, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	rows, err := structures.Read(f)
	if err != nil {
		return nil, err
	}
	return &build.Table{Name: digest.Name, SHA256: digest.SHA256, Bytes: digest.Bytes, Rows: rows}, nil
}

// write writes the artefact beside its place and then moves it there.
func (c *Build) write(ctx context.Context, in *build.Input, o *build.Options) (h *artefact.Header, tiles int, err error) {
	f, err := os.CreateTemp(filepath.Dir(c.Out), ".clearance-")
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	h, err = build.Build(ctx, f, in, o)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return nil, 0, err
	}
	made, a, err := files.Open(f.Name(), artefact.Open)
	if err != nil {
		return nil, 0, err
	}
	if err := made.Close(); err != nil {
		return nil, 0, err
	}
	return h, a.Tiles, os.Rename(f.Name(), c.Out)
}
