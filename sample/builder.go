package sample

import (
	"math"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/extract"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// builder has the county while it is drawn.
type builder struct {
	land     *land.Terrain
	islands  []land.Island
	streams  []land.River
	towns    []land.Settlement
	roads    []*network.Road
	lines    *plane.Index // roads laid on the ground; of is the index in roads
	barriers *plane.Index // coast, rivers, railways and dual carriageways
	streets  int          // how many streets have been numbered
	marks    map[string]mark
	out      *extract.Writer
	waters   []patch
	houses   []*building
	farmsAt  []plane.Point
	ferries  []ferry
	cycleway []plane.Point
	ridge    []plane.Point
	arms     map[plane.Point][]arm
	pathsAt  map[plane.Point]bool // vertices of paths
	taken    map[plane.Point]bool // junctions with a rule of their own
	chosen   map[*network.Road]bool
	cut      map[plane.Point]bool // vertices where ways must end
	turns    []restriction
	notes    []note
	lots     []lot
	stops    []Stop
	routes   []busRoute
	written  map[*network.Road][]int64 // the ways of each road
	area     *plane.Index              // outlines of lots and buildings
	town     map[plane.Point]*osm.Tags // tags of vertices of roads
}

// The steps in which the county is drawn, one after the other, each on what the builder has
// so far.
type (
	// roadPlanner lays main roads, railways, paths and bridges.
	roadPlanner struct{ *builder }
	// streetPlanner lays the streets of towns.
	streetPlanner struct{ *builder }
	// siteDrawer draws waters, fields, plots and buildings.
	siteDrawer struct{ *builder }
	// signDrawer draws signs, lanes for turns and restrictions of turns.
	signDrawer struct{ *builder }
	// busPlanner draws bus routes with their stops.
	busPlanner struct{ *builder }
	// countyWriter writes what was drawn as OSM data.
	countyWriter struct{ *builder }
)

// mark is a place to be found again.
type mark struct{ at plane.Point }

func newBuilder() *builder {
	b := &builder{
		land: land.Ground(), islands: land.Coasts(), streams: land.Rivers(), towns: land.Settlements(),
		lines: plane.NewIndex(60), barriers: plane.NewIndex(120),
		marks: map[string]mark{}, town: map[plane.Point]*osm.Tags{}, area: plane.NewIndex(40),
		taken: map[plane.Point]bool{}, chosen: map[*network.Road]bool{}, cut: map[plane.Point]bool{}, pathsAt: map[plane.Point]bool{},
	}
	for _, is := range b.islands {
		b.barriers.AddLine(is.Ring, -1)
	}
	for i := range b.streams {
		s := &b.streams[i]
		s.Line = b.toSea(s.Line)
		b.barriers.AddLine(s.Line, -2)
	}
	return b
}

// toSea ends a river just beyond the coast it flows to.
func (b *builder) toSea(line []plane.Point) []plane.Point {
	coast := plane.NewIndex(300)
	for _, is := range b.islands {
		coast.AddLine(is.Ring, 0)
	}
	for i := 1; i < len(line); i++ {
		if _, at, ok := coast.Hit(line[i-1], line[i]); ok {
			return append(line[:i:i], plane.Snap(at.Lerp(line[i], 0.1)))
		}
	}
	return line
}

// add lays a road on the ground.
func (b *builder) add(r *network.Road) *network.Road {
	b.roads = append(b.roads, r)
	switch {
	case r.Level != 0:
	case r.Apart:
		b.barriers.AddLine(r.Pts, len(b.roads)-1)
	default:
		b.lines.AddLine(r.Pts, len(b.roads)-1)
	}
	return r
}

// reindex rebuilds the index of roads after their lines were cut.
func (b *builder) reindex() {
	b.lines = plane.NewIndex(60)
	b.barriers = plane.NewIndex(120)
	for _, is := range b.islands {
		b.barriers.AddLine(is.Ring, -1)
	}
	for _, s := range b.streams {
		b.barriers.AddLine(s.Line, -2)
	}
	for i, r := range b.roads {
		switch {
		case r.Level != 0:
		case r.Apart:
			b.barriers.AddLine(r.Pts, i)
		default:
			b.lines.AddLine(r.Pts, i)
		}
	}
}

// joined ends a line on the road it crosses in its last stretch, or else on
// the nearest one.
func (b *builder) joined(line []plane.Point) []plane.Point {
	total := plane.Length(line)
	for gone, i := 0.0, 1; i < len(line); i++ {
		gone += line[i-1].Dist(line[i])
		if gone < 300 || gone < total-700 {
			continue
		}
		if s, at, ok := b.lines.Hit(line[i-1], line[i]); ok {
			at = plane.Snap(at)
			if at.Dist(s.A) < 5 {
				at = s.A
			} else if at.Dist(s.B) < 5 {
				at = s.B
			}
			return append(line[:i:i], at)
		}
	}
	last := line[len(line)-1]
	if s, at, d, ok := b.lines.Nearest(last, 900); ok && d > 0 {
		at = plane.Snap(at)
		if at.Dist(s.A) < 5 {
			at = s.A
		} else if at.Dist(s.B) < 5 {
			at = s.B
		}
		return plane.AppendPt(line, at)
	}
	return line
}

func (b *builder) street() int {
	b.streets++
	return b.streets
}

// tag puts a tag on the vertex of a road.
func (b *builder) tag(p plane.Point, kv ...string) {
	t := b.town[p]
	if t == nil {
		t = &osm.Tags{}
		b.town[p] = t
	}
	for i := 0; i+1 < len(kv); i += 2 {
		*t = network.With(*t, kv[i], kv[i+1])
	}
}

// dryLand reports whether p lies at least metres from the shore.
func (b *builder) dryLand(p plane.Point, metres float64) bool { return b.land.Inland(p) > metres }

// wind draws a road through control points; it wanders by up to amp metres,
// less near the middle of a town.
func (b *builder) wind(seed uint64, amp float64, control ...plane.Point) []plane.Point {
	line := plane.Spline(control, 30, false)
	out := make([]plane.Point, 0, len(line))
	gone, total := 0.0, plane.Length(line)
	for i, p := range line {
		a, c := line[max(0, i-1)], line[min(len(line)-1, i+1)]
		gone += a.Dist(p)
		calm := math.Min(1, math.Min(gone, total-gone)/400)
		for k := range b.towns {
			t := &b.towns[k]
			if t.Kind == "town" {
				calm = math.Min(calm, p.Dist(t.Centre)/600)
			}
		}
		by := calm * amp * (plane.Noise(p, 520, seed) + 0.6*plane.Noise(p, 210, seed+3))
		out = plane.AppendPt(out, plane.Snap(p.Add(c.Sub(a).Unit().Left().Mul(by))))
	}
	return out
}
