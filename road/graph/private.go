package graph

// markBehindPrivate extends EdgeRecord.Private from the roads that tags close to all but
// those with leave to the roads that are reached by way of them alone, for each mode: to
// enter them one has to pass a private road, and who is there may leave by it.
//
// Private roads that lead to a ferry anybody may take are left out: they are passed to
// board it.
func markBehindPrivate(g *Graph) {
	p := privateRoads{g: g}
	for m := Modes(1); m <= AllModes; m <<= 1 {
		if m&AllModes != 0 {
			p.mark(m)
		}
	}
}

// privateRoads finds what lies behind private roads, for one mode after another.
type privateRoads struct {
	g      *Graph
	mode   Modes
	kind   []roadKind // by segment
	alike  []Segment  // by segment: the one before it among those of its kind that join
	joined []Segment  // likewise among those that join, of whatever kind
}

// roadKind is the kind of road that a segment is for a mode.
type roadKind uint8

const (
	closedRoad roadKind = iota
	publicRoad
	privateRoad
)

func (p *privateRoads) mark(m Modes) {
	p.mode = m
	if !p.sort() {
		return
	}
	p.join()
	if p.leaveFerries() {
		p.sort()
		p.join()
	}
	p.markPockets()
	p.markWaysOut()
}

// sort finds the kinds of all segments and reports whether one is private. A segment is
// public where one of its directions is.
func (p *privateRoads) sort() (private bool) {
	g := p.g
	if p.kind == nil {
		p.kind = make([]roadKind, g.Segments())
	}
	for s := range p.kind {
		p.kind[s] = closedRoad
		for _, e := range g.edgesOf(Segment(s)) {
			switch r := &g.ByEdge[e]; {
			case r.Access&p.mode == 0:
			case r.Private&p.mode == 0:
				p.kind[s] = publicRoad
			case p.kind[s] == closedRoad:
				p.kind[s], private = privateRoad, true
			}
		}
	}
	return private
}

// edgesOf returns the two original edges of a segment.
func (g *Graph) edgesOf(s Segment) [2]Edge {
	return [2]Edge{g.Forward[s], g.ByEdge[g.Forward[s]].Opposite}
}

// join joins the segments that meet at nodes which the mode may pass.
func (p *privateRoads) join() {
	g := p.g
	if p.alike == nil {
		p.alike, p.joined = make([]Segment, g.Segments()), make([]Segment, g.Segments())
	}
	for s := range p.alike {
		p.alike[s], p.joined[s] = Segment(s), Segment(s)
	}
	for n := range g.ByNode {
		if g.ByNode[n].Access&p.mode == 0 {
			continue
		}
		last := [...]Segment{publicRoad: None, privateRoad: None}
		before := Segment(None)
		for e := g.FirstOut[n]; e < g.FirstOut[n+1]; e++ {
			s := g.Segment(e)
			kind := p.kind[s]
			if kind == closedRoad {
				continue
			}
			if last[kind] != None {
				union(p.alike, last[kind], s)
			}
			if before != None {
				union(p.joined, before, s)
			}
			last[kind], before = s, s
		}
	}
}

// find returns the segment that stands for all that are joined with one.
func find(of []Segment, s Segment) Segment {
	for of[s] != s {
		of[s] = of[of[s]]
		s = of[s]
	}
	return s
}

func union(of []Segment, a, b Segment) {
	a, b = find(of, a), find(of, b)
	of[max(a, b)] = min(a, b)
}

// leaveFerries takes the mark from the private roads by which a public ferry is reached,
// and reports whether there are such.
func (p *privateRoads) leaveFerries() (some bool) {
	g := p.g
	boards := map[Segment]bool{}
	for s, kind := range p.kind {
		if use := g.BySegment[s].Use; kind != publicRoad || use != Ferry && use != RailFerry {
			continue
		}
		for _, out := range g.edgesOf(Segment(s)) {
			n := g.ByEdge[out].Tail
			for e := g.FirstOut[n]; e < g.FirstOut[n+1]; e++ {
				if p.kind[g.Segment(e)] == privateRoad {
					boards[find(p.alike, g.Segment(e))] = true
				}
			}
		}
	}
	if len(boards) == 0 {
		return false
	}
	for s, kind := range p.kind {
		if kind == privateRoad && boards[find(p.alike, Segment(s))] {
			for _, e := range g.edgesOf(Segment(s)) {
				g.ByEdge[e].Private &^= p.mode
			}
		}
	}
	return true
}

// markPockets marks the public roads that private ones alone join with a larger part of
// the public network.
func (p *privateRoads) markPockets() {
	size := make([]uint32, len(p.kind)) // by the segment that stands for its part
	for s, kind := range p.kind {
		if kind == publicRoad {
			size[find(p.alike, Segment(s))]++
		}
	}
	largest := make([]Segment, len(p.kind)) // likewise: the largest part joined with it
	for s := range largest {
		largest[s] = None
	}
	for s, n := range size {
		if n == 0 {
			continue
		}
		if l := &largest[find(p.joined, Segment(s))]; *l == None || n > size[*l] {
			*l = Segment(s)
		}
	}
	for s, kind := range p.kind {
		if kind == publicRoad && largest[find(p.joined, Segment(s))] != find(p.alike, Segment(s)) {
			for _, e := range p.g.edgesOf(Segment(s)) {
				p.g.ByEdge[e].Private |= p.mode & p.g.ByEdge[e].Access
			}
		}
	}
}

// markWaysOut marks one-way roads to which private ones alone lead: ways out.
func (p *privateRoads) markWaysOut() {
	g := p.g
	var queue []Edge
	for s, kind := range p.kind {
		if kind != privateRoad {
			continue
		}
		for _, e := range g.edgesOf(Segment(s)) {
			if g.ByEdge[e].Private&p.mode != 0 {
				queue = append(queue, e)
			}
		}
	}
	for len(queue) > 0 {
		n := g.ByEdge[queue[len(queue)-1]].Head
		queue = queue[:len(queue)-1]
		if g.ByNode[n].Access&p.mode == 0 || p.isReached(n) {
			continue
		}
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			if p.isPublic(f) && g.ByEdge[g.ByEdge[f].Opposite].Access&p.mode == 0 {
				g.ByEdge[f].Private |= p.mode
				queue = append(queue, f)
			}
		}
	}
}

// isReached reports whether a public road leads to a node.
func (p *privateRoads) isReached(n Node) bool {
	for f := p.g.FirstOut[n]; f < p.g.FirstOut[n+1]; f++ {
		if p.isPublic(p.g.ByEdge[f].Opposite) {
			return true
		}
	}
	return false
}

// isPublic reports whether the mode may take an edge whatever its destination.
func (p *privateRoads) isPublic(e Edge) bool {
	r := &p.g.ByEdge[e]
	return r.Access&p.mode != 0 && r.Private&p.mode == 0
}
