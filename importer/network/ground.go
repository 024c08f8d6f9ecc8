package network

import (
	"context"
	"slices"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/multipolygon"
	"github.com/waygate/waygate/importer/tags"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// ground is one outline with its holes on which people walk freely, or one line along
// which they walk.
type ground struct {
	facts    *wayFacts
	tags     osm.Tags
	rings    [][]nodeNumber // not closed; nil for a line
	line     []nodeNumber
	inside   []nodeNumber // where ways end or meet inside
	box      geo.Bounds
	joined   bool // it is joined to the network, perhaps by way of others
	terminal map[nodeNumber]bool
}

// other is a way or a ground: the index of a way in assembler.facts, or -1 less the
// index of a ground in grounds.list.
type other int32

func groundOther(i int) other { return other(-1 - i) }

// grounds makes edges of areas.
type grounds struct {
	a      *assembler
	list   []ground
	of     map[nodeNumber][]other    // ways and grounds that have a node that some ground has
	sides  map[[2]nodeNumber][]other // those that have a line between two such nodes
	pieces []groundPiece
}

// groundPiece is a line between two nodes that becomes a segment.
type groundPiece struct {
	ground  int
	members []nodeNumber
}

const (
	// terminalMetres is the distance between nodes at which ground is joined to a way
	// that runs along its edge.
	terminalMetres = 25
	// fewEnds is the number of ends of lines below which corners of the edge,
	// cornerMetres apart, are ends as well: people may set out from there.
	fewEnds, cornerMetres = 6, 40
	// nearRing is the length in metres of a piece of ring that is dropped in favour of
	// the line across between its ends.
	nearRing = 60
	// mostInside is how many nodes inside ground may be joined to ways.
	mostInside = 16
)

// walk finds the pieces of all areas. Ways are cut where these end, so this runs after
// the facts of the ways are read and before they are cut.
func (s *grounds) walk(ctx context.Context) error {
	c := s.a.c
	c.areas.sort()
	for i := range c.areas.list {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.read(ctx, &c.areas.list[i])
	}
	if len(s.list) == 0 {
		return nil
	}
	s.meet()
	s.findInside()
	s.join()
	for i := range s.list {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if g := &s.list[i]; !g.joined {
			c.counts["areas_apart"]++
		} else if c.counts["areas"]++; g.rings == nil {
			s.terminals(i, g.line, false)
			s.cut(i, g.line, nil)
		} else {
			s.cross(i)
		}
	}
	return nil
}

// read makes grounds of an area. An area that is not valid, such as one cut by the
// extract's edge, becomes the lines of its outline.
func (s *grounds) read(ctx context.Context, x *area) {
	c := s.a.c
	first, known := c.areas.firstKnown(x), true
	if first == none {
		return
	}
	var members []multipolygon.Member
	for _, l := range x.lines {
		m := multipolygon.Member{Inner: l.inner}
		for _, n := range l.nodes {
			known = known && c.known[n]
			m.Nodes = append(m.Nodes, int64(n))
		}
		members = append(members, m)
	}
	f, ok := tags.ReadWalked(x.tags, s.a.borders.At(c.at[first].Point()))
	if !ok {
		return
	}
	facts := &wayFacts{&way{id: x.way, tags: x.tags}, f}
	if known && !x.open {
		nodeAt := map[orb.Point]nodeNumber{}
		polygons, broken := multipolygon.Assemble(multipolygon.NewEffort(ctx), members, func(id int64) (orb.Point, bool) {
			at := c.at[nodeNumber(id)]
			p := orb.Point{float64(at.Lon), float64(at.Lat)}
			if n, ok := nodeAt[p]; !ok || c.uses[n] == 0 {
				nodeAt[p] = nodeNumber(id)
			}
			return p, true
		}, 0) // none that crosses the antimeridian is walked over
		if broken == 0 && !across(polygons) {
			for _, polygon := range polygons {
				g := ground{facts: facts, tags: x.tags, box: geo.NoBounds()}
				for _, r := range polygon {
					ring := make([]nodeNumber, len(r)-1)
					for i := range ring {
						ring[i] = nodeAt[r[i]]
						g.box = g.box.Extend(c.at[ring[i]].Point())
					}
					g.rings = append(g.rings, ring)
				}
				s.list = append(s.list, g)
			}
			return
		}
	}
	for _, l := range x.lines {
		var line []nodeNumber
		for _, n := range l.nodes {
			last := len(line) - 1
			if last >= 0 && (!c.known[n] || geo.Across(c.at[line[last]], c.at[n])) {
				s.addLine(facts, x.tags, line)
				line, last = nil, -1
			}
			if c.known[n] && (last < 0 || line[last] != n) {
				line = append(line, n)
			}
		}
		s.addLine(facts, x.tags, line)
	}
}

func (s *grounds) addLine(facts *wayFacts, t osm.Tags, line []nodeNumber) {
	if len(line) > 1 {
		s.list = append(s.list, ground{facts: facts, tags: t, line: line})
	}
}

// across reports whether an area crosses the antimeridian, or is too large for one on
// which people walk freely.
func across(areas orb.MultiPolygon) bool {
	const widest = 1e7 // a degree
	b := areas.Bound()
	return b.Max[0]-b.Min[0] > widest || b.Max[1]-b.Min[1] > widest
}

// eachLine calls yield for the lines of a ground, rings with their first node repeated.
func (g *ground) eachLine(yield func(line []nodeNumber)) {
	if g.rings == nil {
		yield(g.line)
	}
	for _, r := range g.rings {
		yield(append(slices.Clone(r), r[0]))
	}
}

// sideOf returns the key of the line between two nodes, in either order.
func sideOf(a, b nodeNumber) [2]nodeNumber { return [2]nodeNumber{min(a, b), max(a, b)} }

func sidesOf(line []nodeNumber) (list [][2]nodeNumber) {
	for k := 1; k < len(line); k++ {
		list = append(list, sideOf(line[k-1], line[k]))
	}
	return list
}

// meet finds the ways and grounds that have a node in common with a ground, and those
// that run along its edge.
func (s *grounds) meet() {
	s.of, s.sides = map[nodeNumber][]other{}, map[[2]nodeNumber][]other{}
	c := s.a.c
	onGround := make([]bool, len(c.nodes.ids))
	for i := range s.list {
		s.list[i].eachLine(func(line []nodeNumber) {
			for _, n := range line {
				onGround[n] = true
			}
			s.note(groundOther(i), line, onGround)
		})
	}
	for i := range s.a.facts {
		f := &s.a.facts[i]
		if refs := c.refs[f.way.first : f.way.first+f.way.count]; s.walked(f) {
			s.note(other(i), refs, onGround)
		}
	}
}

// walked reports whether some users of areas may use a way.
func (s *grounds) walked(f *wayFacts) bool {
	const feet = graph.Pedestrian | graph.Wheelchair | graph.Bicycle
	return (f.tags.Forward.Access|f.tags.Backward.Access)&feet != 0 && !f.tags.Ferry
}

// note adds a line of a way or ground to those at its nodes and between them.
func (s *grounds) note(x other, line []nodeNumber, onGround []bool) {
	for k, n := range line {
		if !onGround[n] {
			continue
		}
		if list := s.of[n]; len(list) == 0 || list[len(list)-1] != x {
			s.of[n] = append(list, x)
		}
		if k > 0 && onGround[line[k-1]] && line[k-1] != n {
			side := sideOf(line[k-1], n)
			s.sides[side] = append(s.sides[side], x)
		}
	}
}

// tagsOf returns the tags of a way or ground.
func (s *grounds) tagsOf(x other) osm.Tags {
	if x < 0 {
		return s.list[-1-x].tags
	}
	return s.a.facts[x].way.tags
}

// touches reports whether a ground and another with a common node meet there: they do
// unless they are on different floors.
func (s *grounds) touches(g *ground, x other) bool {
	return graph.ShareLevel(g.tags.Get(graph.LevelKey), s.tagsOf(x).Get(graph.LevelKey))
}

// join finds which grounds are joined to the network: those that meet a way, and those
// that meet them.
func (s *grounds) join() {
	var queue []int
	mark := func(i int) {
		if !s.list[i].joined {
			s.list[i].joined = true
			queue = append(queue, i)
		}
	}
	for i := range s.list {
		g := &s.list[i]
		if len(g.inside) > 0 {
			mark(i)
		}
		g.eachLine(func(line []nodeNumber) {
			for _, n := range line {
				for _, x := range s.of[n] {
					if x >= 0 && s.touches(g, x) {
						mark(i)
					}
				}
			}
		})
	}
	for len(queue) > 0 {
		g := &s.list[queue[0]]
		queue = queue[1:]
		g.eachLine(func(line []nodeNumber) {
			for _, n := range line {
				for _, x := range s.of[n] {
					if x < 0 && s.touches(g, x) {
						mark(int(-1 - x))
					}
				}
			}
		})
	}
}
