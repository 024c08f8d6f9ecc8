package sample

import (
	"math"

	"github.com/waygate/waygate/osm"
)

// builder holds the county while it grows.
type builder struct {
	land     *terrain
	islands  []island
	streams  []river
	towns    []settlement
	roads    []*road
	lines    *segIndex // roads laid on the ground; of is the index in roads
	barriers *segIndex // coast, rivers, railways and dual carriageways
	streets  int       // how many streets have been numbered
	marks    map[string]mark
	out      *writer
	waters   []patch
	houses   []*building
	farmsAt  []pt
	ferries  []ferry
	cycleway []pt
	ridge    []pt
	arms     map[pt][]arm
	pathsAt  map[pt]bool // vertices of paths
	taken    map[pt]bool // junctions with a rule of their own
	chosen   map[*road]bool
	cut      map[pt]bool // vertices where ways must end
	turns    []restriction
	notes    []note
	lots     []lot
	stops    []Stop
	routes   []busRoute
	written  map[*road][]int64 // the ways of each road
	area     *segIndex         // outlines of lots and buildings
	town     map[pt]*osm.Tags  // tags of vertices of roads
}

// mark is a place to be found again.
type mark struct{ at pt }

func newBuilder() *builder {
	b := &builder{
		land: ground(), islands: coasts(), streams: rivers(), towns: settlements(),
		lines: newSegIndex(60), barriers: newSegIndex(120),
		marks: map[string]mark{}, town: map[pt]*osm.Tags{}, area: newSegIndex(40),
		taken: map[pt]bool{}, chosen: map[*road]bool{}, cut: map[pt]bool{}, pathsAt: map[pt]bool{},
	}
	for _, is := range b.islands {
		b.barriers.addLine(is.ring, -1)
	}
	for i := range b.streams {
		s := &b.streams[i]
		s.line = b.toSea(s.line)
		b.barriers.addLine(s.line, -2)
	}
	return b
}

// toSea ends a river just beyond the coast it flows to.
func (b *builder) toSea(line []pt) []pt {
	coast := newSegIndex(300)
	for _, is := range b.islands {
		coast.addLine(is.ring, 0)
	}
	for i := 1; i < len(line); i++ {
		if _, at, ok := coast.hit(line[i-1], line[i]); ok {
			return append(line[:i:i], snap(at.lerp(line[i], 0.1)))
		}
	}
	return line
}

// add lays a road on the ground.
func (b *builder) add(r *road) *road {
	b.roads = append(b.roads, r)
	switch {
	case r.level != 0:
	case r.apart:
		b.barriers.addLine(r.pts, len(b.roads)-1)
	default:
		b.lines.addLine(r.pts, len(b.roads)-1)
	}
	return r
}

// reindex rebuilds the index of roads after their lines were cut.
func (b *builder) reindex() {
	b.lines = newSegIndex(60)
	b.barriers = newSegIndex(120)
	for _, is := range b.islands {
		b.barriers.addLine(is.ring, -1)
	}
	for _, s := range b.streams {
		b.barriers.addLine(s.line, -2)
	}
	for i, r := range b.roads {
		switch {
		case r.level != 0:
		case r.apart:
			b.barriers.addLine(r.pts, i)
		default:
			b.lines.addLine(r.pts, i)
		}
	}
}

// joined ends a line on the road it crosses in its last stretch, or else on
// the nearest one.
func (b *builder) joined(line []pt) []pt {
	total := length(line)
	for gone, i := 0.0, 1; i < len(line); i++ {
		gone += line[i-1].dist(line[i])
		if gone < 300 || gone < total-700 {
			continue
		}
		if s, at, ok := b.lines.hit(line[i-1], line[i]); ok {
			at = snap(at)
			if at.dist(s.a) < 5 {
				at = s.a
			} else if at.dist(s.b) < 5 {
				at = s.b
			}
			return append(line[:i:i], at)
		}
	}
	last := line[len(line)-1]
	if s, at, d, ok := b.lines.nearest(last, 900); ok && d > 0 {
		at = snap(at)
		if at.dist(s.a) < 5 {
			at = s.a
		} else if at.dist(s.b) < 5 {
			at = s.b
		}
		return appendPt(line, at)
	}
	return line
}

func (b *builder) street() int {
	b.streets++
	return b.streets
}

// tag puts a tag on the vertex of a road.
func (b *builder) tag(p pt, kv ...string) {
	t := b.town[p]
	if t == nil {
		t = &osm.Tags{}
		b.town[p] = t
	}
	for i := 0; i+1 < len(kv); i += 2 {
		*t = with(*t, kv[i], kv[i+1])
	}
}

// dryLand reports whether p lies at least metres from the shore.
func (b *builder) dryLand(p pt, metres float64) bool { return b.land.inland(p) > metres }

// wind draws a road through control points; it wanders by up to amp metres,
// less near the middle of a town.
func (b *builder) wind(seed uint64, amp float64, control ...pt) []pt {
	line := spline(control, 30, false)
	out := make([]pt, 0, len(line))
	gone, total := 0.0, length(line)
	for i, p := range line {
		a, c := line[max(0, i-1)], line[min(len(line)-1, i+1)]
		gone += a.dist(p)
		calm := math.Min(1, math.Min(gone, total-gone)/400)
		for k := range b.towns {
			t := &b.towns[k]
			if t.kind == "town" {
				calm = math.Min(calm, p.dist(t.centre)/600)
			}
		}
		by := calm * amp * (noise(p, 520, seed) + 0.6*noise(p, 210, seed+3))
		out = appendPt(out, snap(p.add(c.sub(a).unit().left().mul(by))))
	}
	return out
}
