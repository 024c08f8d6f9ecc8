package build_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/build"
	"github.com/waygate/waygate/clearance/scan"
	"github.com/waygate/waygate/clearance/structures"
	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/pointcloudtest"
	"github.com/waygate/waygate/realdata"
)

// scene returns a road of 60 m with a deck 4.5 m above it from 25 to 33 m.
func scene() *scan.PlacedScene {
	s := &scan.Scene{Length: 60, Half: 3.5, Lanes: 2}
	s.Objects = append(s.Objects, &scan.Block{S0: 25, S1: 33, T0: -10, T1: 10, Bottom: [3]float64{4.5}, Top: [3]float64{5.5}, What: scan.Solid, Pass: -1})
	return &scan.PlacedScene{Scene: s, X: 500100, Y: 5700050, Turn: 0.4}
}

func scanner() *scan.Scanner {
	return &scan.Scanner{Passes: 2, Planes: []float64{math.Pi / 4, -math.Pi / 4}, Line: 0.1, Angle: 0.008, Up: 2.2, Noise: 0.004, LeastObject: 0.05, Beam: 0.006}
}

// cloud opens the bytes of a file as a source.
func cloud(tb testing.TB, name string, file []byte) *build.Cloud {
	tb.Helper()
	f, err := pointcloud.Open(bytes.NewReader(file), int64(len(file)))
	assert.NilError(tb, err)
	return &build.Cloud{Name: name, File: f, SHA256: "ab", View: build.Below}
}

// survey returns the bytes of a survey of a scene.
func survey(tb testing.TB, p *scan.PlacedScene, c *scan.Scanner) []byte {
	tb.Helper()
	file, err := scan.LAS(rand.New(rand.NewPCG(1, 1)), scan.WKT(32630, 5701), c, p)
	assert.NilError(tb, err)
	return file
}

func options(tb testing.TB) *build.Options {
	tb.Helper()
	o := build.Defaults()
	o.LeastObject, o.Dir = 0.05, tb.TempDir()
	return &o
}

// roads returns the road of a scene.
func roads(p *scan.PlacedScene) func(*coordinates.Plane, build.Box) ([]build.Road, error) {
	return func(*coordinates.Plane, build.Box) ([]build.Road, error) {
		r := build.Road{Half: p.Half, Lanes: p.Lanes}
		r.AX, r.AY = p.World(0, 0)
		r.BX, r.BY = p.World(p.Length, 0)
		return []build.Road{r}, nil
	}
}

// make builds an artefact and opens it.
func make1(tb testing.TB, in *build.Input, o *build.Options) (*artefact.File, *artefact.Header) {
	tb.Helper()
	f, err := os.Create(filepath.Join(tb.TempDir(), "a"))
	assert.NilError(tb, err)
	tb.Cleanup(func() { _ = f.Close() })
	h, err := build.Build(context.Background(), f, in, o)
	assert.NilError(tb, err)
	info, err := f.Stat()
	assert.NilError(tb, err)
	a, err := artefact.Open(f, info.Size())
	assert.NilError(tb, err)
	assert.NilError(tb, a.Verify(context.Background(), func(int, int) {}))
	return a, h
}

func at(tb testing.TB, a *artefact.File, p *scan.PlacedScene, s, t float64) *artefact.Cell {
	tb.Helper()
	x, y := p.World(s, t)
	c, ok, err := a.Reader().At(0, x, y)
	assert.NilError(tb, err)
	assert.Assert(tb, ok, "no cell at %v, %v", s, t)
	return &c
}

// TestBuild builds an artefact of a file and a road and looks into it.
func TestBuild(t *testing.T) {
	p := scene()
	a, h := make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", survey(t, p, scanner()))}, Roads: roads(p)}, options(t))
	assert.Equal(t, h.EPSG, 32630)
	assert.Equal(t, h.Vertical, "EPSG:5701 (drawn height)")
	assert.Equal(t, h.SurveyDates(), "2025-06-02/2025-06-02")
	assert.Assert(t, h.QA.Points > 100_000 && h.QA.Used > h.QA.Points/3 && h.QA.SurfaceRMS < 0.01, "%+v", h.QA)
	for _, lane := range []float64{-1.75, 1.75} {
		free := at(t, a, p, 15, lane)
		assert.Equal(t, free.State(), artefact.Free)
		assert.Assert(t, math.Abs(free.Surface) < 0.01)
		c := at(t, a, p, 29, lane)
		assert.Equal(t, c.State(), artefact.Measured)
		assert.Equal(t, c.Kind, artefact.Structure)
		assert.Equal(t, c.Lane, map[bool]int{true: 1, false: 2}[lane > 0])
		assert.Assert(t, c.Headroom > 4.46 && c.Headroom < 4.505 && c.Safe() < 4.5 && c.Safe() > 4.40, "%+v", c)
	}
	rows, err := structures.Find(context.Background(), a, func(int, int) {})
	assert.NilError(t, err)
	assert.Equal(t, len(rows), 2)
	for i, s := range rows {
		assert.Equal(t, s.Lane, i+1)
		assert.Assert(t, s.Clearance > 4.46 && s.Clearance < 4.505 && s.Clearance-2*s.Uncertainty < 4.5, "%+v", s)
		x, y, err := a.Project(s.Lat, s.Lon)
		assert.NilError(t, err)
		along, across := p.Frame(x, y)
		assert.Assert(t, along > 24 && along < 34 && math.Abs(across) < 4)
	}
	// What is exported is a source too, and decides where there is no survey.
	var text strings.Builder
	assert.NilError(t, structures.Write(&text, rows))
	again, err := structures.Read(strings.NewReader(text.String()))
	assert.NilError(t, err)
	b, h := make1(t, &build.Input{EPSG: 32630, Tables: []build.Table{{Name: "s.csv", SHA256: "cd", Rows: again}}, Roads: roads(p)}, options(t))
	assert.Equal(t, h.Sources[0].Kind, "table")
	x, y, err := b.Project(again[0].Lat, again[0].Lon)
	assert.NilError(t, err)
	c, ok, err := b.Reader().At(0, x, y)
	assert.NilError(t, err)
	assert.Assert(t, ok && c.State() == artefact.Measured && c.Safe() <= rows[0].Clearance-2*rows[0].Uncertainty+1e-9 && c.Flags&artefact.Surveyed == 0, "%+v", c)
}

// TestViews wants undersides to be believed from below only, and a survey of which many
// points are left out to be too sparse.
func TestViews(t *testing.T) {
	t.Parallel()
	p := scene()
	file := survey(t, p, scanner())
	for _, view := range []string{build.Above, build.Unknown, ""} {
		in := cloud(t, "a.las", file)
		in.View = view
		a, _ := make1(t, &build.Input{Clouds: []*build.Cloud{in}, Roads: roads(p)}, options(t))
		c := at(t, a, p, 29, 1.75)
		assert.Equal(t, c.Kind, artefact.Deck, view)
		assert.Equal(t, c.State(), artefact.Insufficient)
	}
	o := options(t)
	o.MostPoints = 20_000 // of some hundred thousand: what is left is too sparse
	a, _ := make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", file)}, Roads: roads(p)}, o)
	assert.Equal(t, at(t, a, p, 15, 1.75).State(), artefact.Insufficient)
}

// TestNoiseOverhead has a survey that calls the returns of a deck noise, by both classes, or
// withholds them: where they are, nothing passes, and they are no sign of a scanner that looks up.
func TestNoiseOverhead(t *testing.T) {
	t.Parallel()
	p := scene()
	p.Length = 45
	c := scanner()
	c.Doubted = 1
	file := survey(t, p, c)
	const record, class, flags = 30, 16, 15
	held := bytes.Clone(file)
	for i := int(binary.LittleEndian.Uint32(held[96:])); i+record <= len(held); i += record {
		if held[i+class] != 1 {
			held[i+class], held[i+flags] = 1, held[i+flags]|4
		}
	}
	mast := scene()
	mast.Length = 45
	mast.Objects = []scan.Object{&scan.Block{S0: 3, S1: 3.2, T0: 4.4, T1: 4.6, Bottom: [3]float64{-1}, Top: [3]float64{8}, What: scan.Solid, Pass: -1}}
	up := survey(t, mast, scanner()) // without the deck; that scanner looks up
	for name, one := range map[string][]byte{"classes": file, "withheld": held} {
		a, h := make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", one)}, Roads: roads(p)}, options(t))
		assert.Assert(t, h.QA.Withheld > 1000, name)
		for s := 5.0; s < 40; s += 0.5 {
			assert.Assert(t, at(t, a, p, s, 1.75).State() != artefact.Free, "%s: %v", name, s)
		}
		a, _ = make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", one), cloud(t, "b.las", up)}, Roads: roads(p)}, options(t))
		for s := 25.5; s < 32.5; s += 0.5 {
			assert.Equal(t, at(t, a, p, s, 1.75).State(), artefact.Insufficient, "%s: %v", name, s)
		}
		assert.Equal(t, at(t, a, p, 15, 1.75).State(), artefact.Free, name)
	}
}

// TestScannerThatLooksDown has a scanner that sees the road alone: that nothing is overhead does not
// follow.
func TestScannerThatLooksDown(t *testing.T) {
	p := scene()
	p.Length = 40
	c := scanner()
	c.Passes, c.Blind = 1, 1
	a, _ := make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", survey(t, p, c))}, Roads: roads(p)}, options(t))
	for s := 5.0; s < 35; s += 0.5 {
		assert.Assert(t, at(t, a, p, s, 1.75).State() != artefact.Free, "%v", s)
	}
}

// TestScannerThatLooksDownFromABridge drives a scanner that sees nothing above itself over a bridge
// and below it, in one pass: that something is high above another thing is no sign that it looks up.
func TestScannerThatLooksDownFromABridge(t *testing.T) {
	p := scene()
	p.Length, p.Turn = 40, 0
	over := &scan.PlacedScene{Scene: &scan.Scene{Length: 20, Half: 3.5, Lanes: 2}, X: p.X + 10, Y: p.Y - 10, Turn: math.Pi / 2, Z: 5.3}
	c := scanner()
	c.Passes, c.Blind = 1, 1
	file, err := scan.LAS(rand.New(rand.NewPCG(1, 1)), scan.WKT(32630, 5701), c, p, over)
	assert.NilError(t, err)
	a, _ := make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", onePass(file))}, Roads: roads(p)}, options(t))
	for s := 20.0; s < 35; s += 0.5 {
		assert.Assert(t, at(t, a, p, s, 1.75).State() != artefact.Free, "%v", s)
	}
}

// TestManyPasses has a scanner that looks down and one that looks up elsewhere, with 255 more
// passes in between.
func TestManyPasses(t *testing.T) {
	down, up := scene(), scene()
	down.Length, up.Length, up.Y = 40, 40, down.Y+200
	c := scanner()
	c.Passes, c.Blind = 1, 1
	first := survey(t, down, c)
	const record, at20 = 30, 20
	from := int(binary.LittleEndian.Uint32(first[96:]))
	for i := range 256 {
		binary.LittleEndian.PutUint16(first[from+i*record+at20:], uint16(i))
	}
	c.Blind = 0
	a, _ := make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", first), cloud(t, "b.las", survey(t, up, c))}, Roads: func(p *coordinates.Plane, b build.Box) ([]build.Road, error) {
		one, err := roads(down)(p, b)
		two, _ := roads(up)(p, b)
		return append(one, two...), err
	}}, options(t))
	for s := 5.0; s < 35; s += 0.5 {
		assert.Assert(t, at(t, a, down, s, 1.75).State() != artefact.Free, "%v", s)
	}
	assert.Equal(t, at(t, a, up, 15, 1.75).State(), artefact.Free)
}

// onePass has all points of a file of the format 6 be of one source, as in many files.
func onePass(file []byte) []byte {
	const record, at = 30, 20
	from := int(binary.LittleEndian.Uint32(file[96:]))
	for i := from; i+record <= len(file); i += record {
		binary.LittleEndian.PutUint16(file[i+at:], 0)
	}
	return file
}

// TestDeckFromTheAir scans from above, where the underside is not seen.
func TestDeckFromTheAir(t *testing.T) {
	p := scene()
	c := scanner()
	c.Above, c.Line = true, 0.05
	a, _ := make1(t, &build.Input{Clouds: []*build.Cloud{func() *build.Cloud { s := cloud(t, "air.las", survey(t, p, c)); s.View = build.Above; return s }()}, Roads: roads(p)}, options(t))
	for s := 24.0; s < 34; s += 0.25 {
		x, y := p.World(s, 1.75)
		cell, ok, err := a.Reader().At(0, x, y)
		assert.NilError(t, err)
		if ok {
			assert.Assert(t, cell.State() == artefact.Insufficient || cell.State() == artefact.NotSurveyed || cell.State() == artefact.Free && (s < 25 || s > 33), "%v: %+v", s, cell)
		}
	}
}

// TestRealSurveysFromTheAir measures along a line through real files. They are far too sparse
// for wires, and show no underside: nothing may pass on them.
func TestRealSurveysFromTheAir(t *testing.T) {
	for _, name := range []string{"feeds/pointcloud/ahn_2386_9702.laz", "feeds/pointcloud/ahn_2397_9705.laz"} {
		f := pointcloudtest.Open(t, realdata.File(t, name))
		in := &build.Cloud{Name: "ahn.laz", File: f, EPSG: 28992, Vertical: "EPSG:5709", From: "2015-01-01", To: "2015-12-31"}
		h := f.Header
		middle := (h.Min[1] + h.Max[1]) / 2
		a, made := make1(t, &build.Input{Clouds: []*build.Cloud{in}, Roads: func(*coordinates.Plane, build.Box) ([]build.Road, error) {
			return []build.Road{{AX: h.Min[0], AY: middle, BX: h.Max[0], BY: middle, Half: 6, Lanes: 2}}, nil
		}}, options(t))
		assert.Equal(t, made.QA.Points, h.Points)
		assert.Assert(t, made.QA.Surveyed > 100, "%+v", made.QA)
		assert.Assert(t, made.Sources[0].View != build.Below)
		assert.NilError(t, a.Each(t.Context(), func(_ artefact.Entry, tile *artefact.Tile) error {
			for i := range artefact.TileCells * artefact.TileCells {
				if c, ok := tile.Cell(i%artefact.TileCells, i/artefact.TileCells); ok {
					assert.Assert(t, c.State() == artefact.NotSurveyed || c.State() == artefact.Insufficient, "%+v", c)
				}
			}
			return nil
		}))
	}
}

// TestBordersDoNotMatter puts the deck on the border of parts and away from it.
func TestBordersDoNotMatter(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 3))
	for range 2 {
		p := scene()
		p.X, p.Y, p.Turn = 500032-29+64*r.Float64(), 5700064+1.5, 0
		a, _ := make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", survey(t, p, scanner()))}, Roads: roads(p)}, options(t))
		for s := 5.0; s < 55; s += 0.25 {
			for _, lane := range []float64{-1.75, 1.75} {
				c := at(t, a, p, s, lane)
				switch under := s > 25.5 && s < 32.5; {
				case under:
					assert.Assert(t, c.Kind == artefact.Structure && c.Headroom > 4.45 && c.Headroom < 4.51, "%v %v: %+v", s, lane, c)
				case s < 24 || s > 34:
					assert.Assert(t, c.Kind == artefact.Nothing && c.Flags&artefact.Surveyed != 0, "%v %v: %+v", s, lane, c)
				}
			}
		}
	}
}

// timed changes the time of the last point of a file of the format 6.
func timed(file []byte, seconds float64) []byte {
	const record, at = 30, 22
	binary.LittleEndian.PutUint64(file[len(file)-record+at:], math.Float64bits(seconds))
	return file
}

func TestSourcesAreRefused(t *testing.T) {
	p := scene()
	p.Length, p.Objects = 3, nil
	coarse := scanner()
	coarse.Line, coarse.Angle, coarse.Passes = 1, 0.05, 1
	file := func(wkt string) []byte {
		b, err := scan.LAS(rand.New(rand.NewPCG(1, 1)), wkt, coarse, p)
		assert.NilError(t, err)
		return b
	}
	good := scan.WKT(32630, 5701)
	feet := strings.Replace(good, `UNIT["metre",1]`, `UNIT["US survey foot",0.304800609601219]`, 1)
	heights := strings.Replace(good, `"drawn height",UNIT["metre",1]`, `"drawn height",UNIT["foot",0.3048]`, 1)
	degrees := `GEOGCS["WGS 84",UNIT["degree",0.0174532925],AUTHORITY["EPSG","4326"]]`
	noVertical := `PROJCS["drawn",UNIT["metre",1],AUTHORITY["EPSG","32630"]]`
	for want, change := range map[string]func(in *build.Input){
		"unit is 0.30480061 m (the US survey foot)": func(in *build.Input) { in.Clouds[0] = cloud(t, "a", file(feet)) },
		"its vertical unit is 0.3048 m (the foot)":  func(in *build.Input) { in.Clouds[0] = cloud(t, "a", file(heights)) },
		"heights of EPSG:6360 are feet": func(in *build.Input) {
			in.Clouds[0] = cloud(t, "a", file(scan.WKT(32630, 6360)))
		},
		"heights of EPSG:8228 HEIGHT are feet": func(in *build.Input) {
			in.Clouds[0] = cloud(t, "a", file(noVertical))
			in.Clouds[0].Vertical = "epsg:8228 height"
		},
		"coordinates are degrees":          func(in *build.Input) { in.Clouds[0] = cloud(t, "a", file(degrees)) },
		"no EPSG code: give it with --crs": func(in *build.Input) { in.Clouds[0] = cloud(t, "a", file("")) },
		"vertical datum is unknown":        func(in *build.Input) { in.Clouds[0] = cloud(t, "a", file(noVertical)) },
		"--crs says EPSG:27700":            func(in *build.Input) { in.Clouds[0].EPSG = 27700 },
		"do not fit EPSG:27700": func(in *build.Input) {
			in.Clouds[0] = cloud(t, "a", file(scan.WKT(27700, 5701)))
		},
		"EPSG:9999 is not a supported": func(in *build.Input) { in.Clouds[0] = cloud(t, "a", file(scan.WKT(9999, 5701))) },
		"surveys of one artefact need the same": func(in *build.Input) {
			in.Clouds = append(in.Clouds, cloud(t, "b", file(scan.WKT(32630, 5709))))
		},
		"give them with --dates": func(in *build.Input) {
			b := file(good)
			b[6] &^= 1
			in.Clouds[0] = cloud(t, "a", b)
		},
		"1 of its points have no time": func(in *build.Input) { in.Clouds[0] = cloud(t, "a", timed(file(good), 0)) },
		"the times of its points are not those of a survey": func(in *build.Input) {
			in.Clouds[0] = cloud(t, "a", timed(file(good), 3e9)) // in the year 2106
		},
		"neither a survey nor a table": func(in *build.Input) { in.Clouds = nil },
		"no road of the region": func(in *build.Input) {
			in.Roads = func(*coordinates.Plane, build.Box) ([]build.Road, error) { return nil, nil }
		},
	} {
		in := &build.Input{Clouds: []*build.Cloud{cloud(t, "a", file(good))}, Roads: roads(p)}
		change(in)
		_, err := build.Build(context.Background(), nil, in, options(t))
		assert.ErrorContains(t, err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := build.Build(ctx, nil, &build.Input{Clouds: []*build.Cloud{cloud(t, "a", file(good))}, Roads: roads(p)}, options(t))
	assert.ErrorIs(t, err, context.Canceled)
}
