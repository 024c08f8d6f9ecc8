package network

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// insideCell is the side, in units of geo.Fixed, of the cells by which the areas at a
// place are found: some hundred metres. An area in more than mostCells of them is not
// joined inside.
const (
	insideCell = 10_000
	mostCells  = 1 << 10
)

type groundCell struct{ x, y int32 }

func groundCellOf(at geo.Fixed) groundCell {
	return groundCell{floorDiv(at.Lon, insideCell), floorDiv(at.Lat, insideCell)}
}

func floorDiv(a, b int32) int32 {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// findInside finds the nodes inside areas at which ways on the same level end or meet,
// as stairs and lifts do in the middle of a square.
func (s *grounds) findInside() {
	cells := map[groundCell][]int{}
	for i := range s.list {
		g := &s.list[i]
		if g.rings == nil {
			continue
		}
		low, high := groundCellOf(g.box.Min.Fix()), groundCellOf(g.box.Max.Fix())
		if (int(high.x-low.x)+1)*(int(high.y-low.y)+1) > mostCells {
			continue
		}
		for x := low.x; x <= high.x; x++ {
			for y := low.y; y <= high.y; y++ {
				cells[groundCell{x, y}] = append(cells[groundCell{x, y}], i)
			}
		}
	}
	c := s.a.c
	away := map[groundNode]bool{} // what some way rules out
	for i := range s.a.facts {
		f := &s.a.facts[i]
		if !s.walked(f) {
			continue
		}
		refs := c.refs[f.way.first : f.way.first+f.way.count]
		for k, n := range refs {
			if c.uses[n] < 2 || !c.known[n] {
				continue
			}
			for _, at := range cells[groundCellOf(c.at[n])] {
				s.tryInside(at, n, f, k == 0 || k == len(refs)-1, away)
			}
		}
	}
}

type groundNode struct {
	ground int
	node   nodeNumber
}

// tryInside joins an area to a way at a node of the way inside the area, unless a way
// over or under the area has the node too.
func (s *grounds) tryInside(i int, n nodeNumber, f *wayFacts, end bool, away map[groundNode]bool) {
	g, key := &s.list[i], groundNode{i, n}
	if away[key] {
		return
	}
	at := -1
	for k, other := range g.inside {
		if other == n {
			at = k
		}
	}
	fits := levelWith(g.tags, f.way.tags, end && upright(f))
	switch {
	case !fits && at >= 0:
		g.inside = append(g.inside[:at], g.inside[at+1:]...)
		away[key] = true
	case at >= 0 || len(g.inside) >= mostInside:
	case s.inArea(g, n):
		if fits {
			g.inside = append(g.inside, n)
		} else {
			away[key] = true
		}
	}
}

// upright reports whether a way leads from one level to another.
func upright(f *wayFacts) bool {
	return f.tags.Use == graph.Steps || f.tags.Use == graph.Escalator || f.tags.Use == graph.Elevator
}

// levelWith reports whether a way that passes within an area is on its level. A way
// that comes up or goes down may be of another layer.
func levelWith(area, way osm.Tags, upright bool) bool {
	for _, key := range [...]string{"layer", "bridge", "tunnel"} {
		if !upright && plainly(area.Get(key)) != plainly(way.Get(key)) {
			return false
		}
	}
	level, other := area.Get(graph.LevelKey), way.Get(graph.LevelKey)
	if upright && (level == "" || other == "") {
		return true
	}
	return (level == "") == (other == "") && graph.ShareLevel(level, other)
}

// plainly returns "" for a value that means the same as an absent tag.
func plainly(value string) string {
	if value == "0" || value == "no" {
		return ""
	}
	return value
}

// inArea reports whether a node lies inside an area, on no ring of it.
func (s *grounds) inArea(g *ground, n nodeNumber) bool {
	p := s.a.c.at[n]
	if !g.box.Contains(p.Point()) {
		return false
	}
	in := false
	for _, ring := range g.rings {
		from := ring[len(ring)-1]
		for _, to := range ring {
			if to == n {
				return false
			}
			a, b := s.a.c.at[from], s.a.c.at[to]
			if (a.Lat > p.Lat) != (b.Lat > p.Lat) {
				left := (int64(b.Lon)-int64(a.Lon))*(int64(p.Lat)-int64(a.Lat)) - (int64(b.Lat)-int64(a.Lat))*(int64(p.Lon)-int64(a.Lon))
				if (left > 0) == (b.Lat > a.Lat) {
					in = !in
				}
			}
			from = to
		}
	}
	return in
}
