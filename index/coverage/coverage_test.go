package coverage_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/coverage"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

func TestGrade(t *testing.T) {
	for want, list := range map[coverage.Grade][]coverage.Tally{
		coverage.None:       {{}, {Under: 4, Minor: 1000}},
		coverage.Sparse:     {{Under: 10, UnderTagged: 1}, {Main: 1000, MainTagged: 100, Bridges: 3}},
		coverage.Partial:    {{Under: 10, UnderTagged: 3}, {Under: 2, UnderTagged: 1, Minor: 500}},
		coverage.WellTagged: {{Under: 1, UnderTagged: 1}, {Under: 4, UnderTagged: 3, Minor: 1000, MinorTagged: 500, Main: 900, MainTagged: 900}},
	} {
		for _, tally := range list {
			if got := tally.Grade(); got != want {
				share, _ := tally.Share()
				t.Errorf("%+v is %s (%.2f), want %s", tally, got, share, want)
			}
		}
	}
}

func TestSection(t *testing.T) {
	cells := map[coverage.Cell]*coverage.Tally{{Row: 515, Column: -1}: {Under: 2, UnderTagged: 1}, {Row: -3, Column: 20}: {Main: 7}}
	r := regiontest.Of(t, coverage.SectionName, coverage.Version, func(path string) error { return coverage.Write(path, cells) })
	g, err := coverage.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	if g.Len() != 2 || g.At(coverage.CellOf(geo.Point{Lon: -0.05, Lat: 51.55})).Under != 2 || g.At(coverage.Cell{}) != (coverage.Tally{}) || len(g.GridVersion()) != len("1-123456789012") {
		t.Errorf("%d cells, %s", g.Len(), g.GridVersion())
	}
}

// A line runs through the cells that a walk along it in small steps meets, and no
// cell that the walk comes near to no closer than a step.
func TestTraversedIsTheSlowWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float64Range(-0.35, 0.35)
		var line []geo.Point
		for range rapid.IntRange(1, 6).Draw(t, "points") {
			line = append(line, geo.Point{Lon: coordinate.Draw(t, "lon"), Lat: 51 + coordinate.Draw(t, "lat")})
		}
		got := coverage.Traversed(line)
		near := map[coverage.Cell]bool{coverage.CellOf(line[0]): true}
		const steps = 2000
		for i := 1; i < len(line); i++ {
			for s := range steps + 1 {
				part := float64(s) / steps
				p := geo.Point{Lon: line[i-1].Lon + (line[i].Lon-line[i-1].Lon)*part, Lat: line[i-1].Lat + (line[i].Lat-line[i-1].Lat)*part}
				onBorder := math.Abs(p.Lat*10-math.Round(p.Lat*10)) < 1e-9 || math.Abs(p.Lon*10-math.Round(p.Lon*10)) < 1e-9
				if c := coverage.CellOf(p); !got[c] && !onBorder { // there roundings decide
					t.Fatalf("%v of %v lies in %v, which is not traversed", p, line, c)
				}
				for _, e := range []float64{-1e-3, 0, 1e-3} {
					for _, f := range []float64{-1e-3, 0, 1e-3} {
						near[coverage.CellOf(geo.Point{Lon: p.Lon + e, Lat: p.Lat + f})] = true
					}
				}
			}
		}
		for c := range got {
			if !near[c] {
				t.Fatalf("%v is not on %v", c, line)
			}
		}
	})
}

// FuzzRead damages a section: reading it gives an error, or cells in order.
func FuzzRead(f *testing.F) {
	cells := map[coverage.Cell]*coverage.Tally{}
	for i := range int16(20) {
		cells[coverage.Cell{Row: i, Column: -i}] = &coverage.Tally{Under: uint32(i), UnderTagged: uint32(i / 2)}
	}
	whole := regiontest.Written(f, func(path string) error { return coverage.Write(path, cells) })
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Fuzz(func(t *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(coverage.SectionName, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		g, err := coverage.Read(s)
		if err != nil {
			return
		}
		for c, tally := range g.All {
			if share, _ := tally.Share(); share < 0 || share > 1 || g.At(c) != tally {
				t.Errorf("%v: %v", c, tally)
			}
		}
	})
}
