package network

import (
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/walkable"
	"github.com/waygate/waygate/road/graph"
)

// others counts the ways and grounds that a ground meets at a node; along is the last of
// them.
func (s *grounds) others(i int, n nodeNumber) (count int, along other) {
	for _, x := range s.of[n] {
		if x != groundOther(i) && s.touches(&s.list[i], x) {
			count++
			along = x
		}
	}
	return count, along
}

// free reports whether lines of a ground may end at a node: if it meets no other there,
// on any floor.
func (s *grounds) free(i int, n nodeNumber) bool {
	return !slices.ContainsFunc(s.of[n], func(x other) bool { return x != groundOther(i) && !s.touches(&s.list[i], x) })
}

// terminals finds the nodes of a line of a ground where it is joined to others: all at
// which it meets some, but of a run along one way or ground only the ends and, between
// them, nodes some way apart.
func (s *grounds) terminals(i int, line []nodeNumber, closed bool) {
	g := &s.list[i]
	if g.terminal == nil {
		g.terminal = map[nodeNumber]bool{}
	}
	c := s.a.c
	metres, chosen := 0.0, false
	for k, n := range line {
		if k > 0 {
			metres += geo.Distance(c.at[line[k-1]].Point(), c.at[n].Point())
		}
		count, along := s.others(i, n)
		if count == 0 {
			continue
		}
		inner := false // of a run along the only other one
		if before, after := k-1, k+1; count == 1 && (closed || before >= 0 && after < len(line)) {
			before, after = (before+len(line))%len(line), after%len(line)
			inner = slices.Contains(s.sides[sideOf(line[before], n)], along) && slices.Contains(s.sides[sideOf(n, line[after])], along)
		}
		switch {
		case inner && along < 0 && int(-1-along) < i: // that one has chosen
			g.terminal[n] = s.list[-1-along].terminal[n]
			continue
		case inner && metres < terminalMetres && (along < 0 || c.uses[n] < 2) && (!closed || chosen):
			continue
		}
		g.terminal[n], chosen = true, true
		metres = 0
	}
}

// cut makes pieces of a line of a ground, from one terminal to the next, except where
// another runs already, and short ones between ends that are joined.
func (s *grounds) cut(i int, line []nodeNumber, joined map[[2]nodeNumber]bool) {
	g, c := &s.list[i], s.a.c
	from, metres := 0, 0.0
	for k := 1; k < len(line); k++ {
		metres += geo.Distance(c.at[line[k-1]].Point(), c.at[line[k]].Point())
		if k < len(line)-1 && !g.terminal[line[k]] {
			continue
		}
		needless := metres < nearRing && joined[sideOf(line[from], line[k])]
		if !needless && slices.ContainsFunc(sidesOf(line[from:k+1]), func(side [2]nodeNumber) bool { return !s.taken(i, side) }) {
			s.piece(i, line[from:k+1])
		}
		from, metres = k, 0
	}
}

// taken reports whether a way on which people walk, or a ground whose pieces come
// before those of this one, runs between two nodes and meets it there.
func (s *grounds) taken(i int, side [2]nodeNumber) bool {
	return slices.ContainsFunc(s.sides[side], func(x other) bool {
		return (x >= 0 && whole(&s.a.facts[x]) || x < 0 && int(-1-x) < i) && s.touches(&s.list[i], x)
	})
}

// piece adds a piece. One that ends where it begins is cut in two.
func (s *grounds) piece(i int, members []nodeNumber) {
	if n := len(members); members[0] == members[n-1] {
		if n < 4 {
			return
		}
		s.piece(i, members[:n/2+1])
		s.piece(i, members[n/2:])
		return
	}
	for _, n := range [2]nodeNumber{members[0], members[len(members)-1]} {
		s.a.c.uses[n] = 2
	}
	s.pieces = append(s.pieces, groundPiece{i, slices.Clone(members)})
}

// cross makes the pieces of an area: along its rings, and across.
func (s *grounds) cross(i int) {
	g := &s.list[i]
	for _, r := range g.rings {
		s.terminals(i, r, true)
	}
	shape, nodes := s.shape(g)
	var ends, corners []int
	for k, n := range nodes {
		if k >= len(nodes)-len(g.inside) || g.terminal[n] {
			ends = append(ends, k)
		} else if s.free(i, n) {
			corners = append(corners, k)
		}
	}
	if len(ends) > walkable.MostEnds {
		ends = shape.Spread(nil, ends, walkable.MostEnds, 0)
	}
	more := shape.Spread(ends, corners, fewEnds-len(ends), cornerMetres)
	for _, k := range more {
		g.terminal[nodes[k]] = true
	}
	ends = append(ends, more...)
	at := make([]nodeNumber, len(ends))
	for e, k := range ends {
		at[e] = nodes[k]
	}
	joined := map[[2]nodeNumber]bool{}
	lines := shape.Cross(ends, s.ways(g, at))
	for _, line := range append(lines, newParts(g, nodes, lines).link(shape)...) {
		members := make([]nodeNumber, len(line))
		for k, point := range line {
			members[k] = nodes[point]
		}
		joined[sideOf(members[0], members[len(members)-1])] = true
		s.piece(i, slices.Compact(members))
	}
	for _, r := range g.rings {
		if first := slices.IndexFunc(r, func(n nodeNumber) bool { return g.terminal[n] }); first >= 0 {
			s.cut(i, append(slices.Clone(r[first:]), r[:first+1]...), joined)
		}
	}
}

// shape returns the area for its lines, with the node of each of its points.
func (s *grounds) shape(g *ground) (*walkable.Area, []nodeNumber) {
	shape := &walkable.Area{}
	var nodes []nodeNumber
	for _, r := range g.rings {
		ring := make([]int, len(r))
		for k := range r {
			ring[k] = len(nodes) + k
		}
		shape.Rings = append(shape.Rings, ring)
		nodes = append(nodes, r...)
	}
	nodes = append(nodes, g.inside...)
	for _, n := range nodes {
		shape.Points = append(shape.Points, s.a.c.at[n])
	}
	return shape, nodes
}

// ways returns the ways that there are between the ends of lines across: along the rings,
// and by ways that have several of them.
func (s *grounds) ways(g *ground, ends []nodeNumber) (list []walkable.Way) {
	c := s.a.c
	endOf := make(map[nodeNumber]int, len(ends))
	for e, n := range ends {
		endOf[n] = e
	}
	measure := func(line []nodeNumber) {
		last, metres := -1, 0.0
		for k, n := range line {
			if k > 0 {
				metres += geo.Distance(c.at[line[k-1]].Point(), c.at[n].Point())
			}
			if end, ok := endOf[n]; ok {
				if last >= 0 && last != end {
					list = append(list, walkable.Way{A: last, B: end, Metres: metres})
				}
				last, metres = end, 0
			}
		}
	}
	for _, r := range g.rings {
		if first := slices.IndexFunc(r, func(n nodeNumber) bool { return g.terminal[n] }); first >= 0 {
			measure(append(slices.Clone(r), r[:first+1]...))
		}
	}
	seen := map[other]bool{}
	for _, n := range ends {
		for _, x := range s.of[n] {
			if x < 0 || seen[x] {
				continue
			}
			seen[x] = true
			f := &s.a.facts[x]
			if whole(f) && s.touches(g, x) {
				measure(c.refs[f.way.first : f.way.first+f.way.count])
			}
		}
	}
	return list
}

// whole reports whether people may walk on a way in both directions.
func whole(f *wayFacts) bool {
	return f.tags.Forward.Access&f.tags.Backward.Access&graph.Pedestrian != 0 && f.tags.Use != graph.Construction
}

// build makes segments of the pieces.
func (s *grounds) build() {
	a := s.a
	for i := range s.pieces {
		p := &s.pieces[i]
		a.line = a.line[:0]
		for _, n := range p.members {
			a.line = append(a.line, a.c.at[n])
		}
		a.segment(s.list[p.ground].facts, a.line, p.members, 0)
	}
	a.line = a.line[:0]
	a.c.counts["area_segments"] = int64(len(s.pieces))
}
