package embedded

import (
	"math"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/island"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

const (
	// farCutoff is how far we look to tell how far the nearest road is.
	farCutoff = 100_000
	// sameSpot is the distance in metres within which roads are equally near:
	// those that meet at the nearest place.
	sameSpot = 0.5
	// nodeSnap is the distance in metres from a junction within which a location
	// lies at it, on all its roads (Valhalla's node_snap_tolerance).
	nodeSnap = 5
	// maxDetour is how much further in metres than the nearest road, on an island, a
	// better connected one may be.
	maxDetour = 1000.0
)

// direction says whether a place is where a path begins or ends.
type direction = island.Direction

const (
	atDeparture = island.Departing
	atArrival   = island.Arriving
)

// snapped is a location on the network.
type snapped struct {
	waypoint waypoint
	ends     []search.End
	places   []snap.Candidate // by end
	remarks
	// eitherWay is true where it is known to be the same for the other direction.
	eitherWay bool
}

// remarks are what callers are told of how a location is on the network.
type remarks struct {
	cut    int  // the nearest so many roads count, of more within the radius; 0 where all do
	turned bool // where it heads no path leads on, or none comes from, and it does not head there
	moved  moved
}

// place is a candidate with the ways to set out from it or arrive there.
type place struct {
	snap.Candidate
	ends   []search.End
	turned bool // the ends do not head where the location does
}

// locating is scratch for the location at work.
type locating struct {
	chosen, scraps, junctions []place
	ends                      []search.End // of all of these
	seen                      []graph.Node
	// What locations keep is cut from these and never given twice.
	keptEnds   []search.End
	keptPlaces []snap.Candidate
}

// keptAtOnce is how many ends memory is allotted for at a time.
const keptAtOnce = 128

// usable is the planner's, good until the next location.
func (s *locating) usable(p *planner, l *engine.Location, c snap.Candidate) []search.End {
	from := len(s.ends)
	s.ends = p.appendUsable(s.ends, l, c)
	return s.ends[from:len(s.ends):len(s.ends)]
}

// locate finds where on the network a location is. It fails with NoSegment.
func (p *planner) locate(index int, d direction) (snapped, error) {
	l := &p.r.Locations[index]
	cutoff := searchCutoff(l)
	at := &p.s.locating
	at.chosen, at.scraps, at.ends = at.chosen[:0], at.scraps[:0], at.ends[:0]
	eitherWay, cutAt := true, 0
	var first nearest
	mostRoads, mostScraps := roadBounds.of(p.locations()), scrapBounds.of(p.locations())
	looked := p.nearby(l.Point, math.Max(cutoff, l.Radius), func(c snap.Candidate) bool {
		ends := at.usable(p, l, c)
		first.see(c.Metres, len(ends) > 0)
		if len(ends) == 0 {
			return true
		}
		connected, turned := p.connected(ends, d), false
		if !connected && l.Heading != nil {
			// The way on is to turn round there, not to set out elsewhere.
			free := *l
			free.Heading = nil
			if either := at.usable(p, &free, c); p.connected(either, d) {
				ends, connected, turned = either, true, true
			}
		}
		eitherWay = eitherWay && !turned && p.knowsMainland && connected == p.ofMainland(ends, !d)
		if !connected {
			at.scraps = append(at.scraps, place{c, ends, false})
			return len(at.scraps) < mostScraps
		}
		if len(at.chosen) == 0 && len(at.scraps) > 0 && c.Metres > at.scraps[0].Metres+maxDetour {
			return false
		}
		if len(at.chosen) == mostRoads {
			cutAt = mostRoads
			return false
		}
		at.chosen = append(at.chosen, place{c, ends, turned})
		p.s.snap.Narrow(math.Max(at.chosen[0].Metres+sameSpot, l.Radius))
		return true
	})
	if len(at.chosen) == 0 {
		for _, c := range at.scraps {
			if c.Metres > math.Max(at.scraps[0].Metres+sameSpot, l.Radius) {
				break
			}
			if len(at.chosen) == mostRoads {
				cutAt = mostRoads
				break
			}
			at.chosen = append(at.chosen, c)
		}
	}
	if len(at.chosen) == 0 {
		if err := p.contextError(); err != nil {
			return snapped{}, err
		}
		return snapped{}, p.noSegment(index, cutoff, looked)
	}
	chosen := p.atJunctions(l, at.chosen)
	if len(chosen) > mostRoads && l.Radius > 0 {
		chosen, cutAt = chosen[:mostRoads], mostRoads
	}
	s := snapped{waypoint: waypoint{location: *l, snapped: chosen[0].Point, index: index}, remarks: remarks{cutAt, chosen[0].turned, first.movedTo(at.chosen[0].Metres)}, eitherWay: eitherWay}
	ends := 0
	for i := range chosen {
		ends += len(chosen[i].ends)
	}
	s.ends, s.places = cut(&at.keptEnds, ends, keptAtOnce), cut(&at.keptPlaces, ends, keptAtOnce)
	for _, c := range chosen {
		for _, e := range c.ends {
			s.ends = append(s.ends, e)
			s.places = append(s.places, c.Candidate)
		}
	}
	p.preferSide(l, &s)
	if d == atDeparture {
		p.enterPrivate(s.ends)
	}
	return s, nil
}

// enterPrivate adds the cost of entering private roads to those that end where a journey
// begins on public ones: it does not begin on them.
func (p *planner) enterPrivate(ends []search.End) {
	private := func(x search.End) bool { return p.costing.Private(x.Edge) }
	if !slices.ContainsFunc(ends, func(x search.End) bool { return !private(x) }) {
		return
	}
	for i := range ends {
		if at := ends[i].Along; (at <= 0 || at >= 1) && private(ends[i]) {
			ends[i].Extra = profile.PrivateEntry
		}
	}
}

// atJunctions puts the places that are at a junction on all roads there that the
// traveller may use.
func (p *planner) atJunctions(l *engine.Location, chosen []place) []place {
	g, s := p.e.g, &p.s.locating
	list, seen := s.junctions[:0], s.seen[:0]
	for _, c := range chosen {
		n, ok := p.junction(l.Point, c.Candidate)
		if ok && slices.Contains(seen, n) {
			continue
		}
		before := len(list)
		if at := g.Position[n].Point(); ok {
			seen = append(seen, n)
			for e := g.FirstOut[n]; e < g.FirstOut[n+1]; e++ {
				here := snap.Candidate{Segment: g.Segment(e), Point: at, Metres: geo.Distance(l.Point, at)}
				if g.Backward(e) {
					here.Along, here.Piece = 1, len(g.SegmentShape(here.Segment))-2
				}
				if ends := s.usable(p, l, here); len(ends) > 0 {
					list = append(list, place{here, ends, false})
				}
			}
		}
		if len(list) == before {
			list = append(list, c)
		}
	}
	s.junctions, s.seen = list, seen
	return list
}

// junction gives the end of a place's segment that a location is at: the nearer one,
// and of two that are about as near the begin of the way.
func (p *planner) junction(at geo.Point, c snap.Candidate) (graph.Node, bool) {
	g := p.e.g
	forward := g.Forward[c.Segment]
	tail, head := g.ByEdge[forward].Tail, g.ByEdge[forward].Head
	toTail, toHead := toNode(at, g.Position[tail].Point()), toNode(at, g.Position[head].Point())
	switch {
	case c.Along <= 0 || toTail < nodeSnap && toTail < toHead+sameSpot:
		return tail, true
	case c.Along >= 1 || toHead < nodeSnap:
		return head, true
	}
	return 0, false
}

// toNode is how far a node is in metres; more than it may be where its latitude alone
// tells that no location lies at it.
func toNode(at, node geo.Point) float64 {
	const far = 2 * nodeSnap / 111_000.0 // degrees of latitude
	if math.Abs(at.Lat-node.Lat) > far {
		return math.Inf(1)
	}
	return geo.Distance(at, node)
}

// usable gives the places on a segment where the traveller may set out or
// arrive, one for each direction that is allowed and that the location's
// filter and heading admit.
func (p *planner) usable(l *engine.Location, c snap.Candidate) []search.End {
	return p.appendUsable(nil, l, c)
}

func (p *planner) appendUsable(ends []search.End, l *engine.Location, c snap.Candidate) []search.End {
	g := p.e.g
	if !admits(p.costing, &l.Filter, c.Segment) {
		return ends
	}
	for _, e := range p.edgesOf(c.Segment) {
		if !p.costing.Allowed(e) || p.omitExcluded && p.costing.Excluded(e) || !p.heading(l, e, c) || l.Filter.ExcludeClosures && (p.weights.Overlay.ClosedThrough(e) || p.clock.Closed(e)) {
			continue
		}
		along := c.Along
		if g.Backward(e) {
			along = 1 - along
		}
		ends = append(ends, search.End{Edge: e, Along: along})
	}
	return ends
}

// edgesOf gives the two original edges of a segment.
func (p *planner) edgesOf(s graph.Segment) [2]graph.Edge {
	forward := p.e.g.Forward[s]
	return [2]graph.Edge{forward, p.e.g.ByEdge[forward].Opposite}
}

// heading reports whether an edge leads the way a location wants to go.
func (p *planner) heading(l *engine.Location, e graph.Edge, c snap.Candidate) bool {
	if l.Heading == nil {
		return true
	}
	tolerance := l.HeadingTolerance
	if tolerance == 0 {
		tolerance = engine.UsualHeadingTolerance
	}
	off := geo.Turn(*l.Heading, courseAt(p.e.g, e, c.Point))
	return math.Min(off, 360-off) <= tolerance
}

// courseAt is the bearing of an edge where it passes a point.
func courseAt(g *graph.Graph, e graph.Edge, at geo.Point) float64 {
	line := g.AppendShape(nil, e)
	best, course := math.Inf(1), 0.0
	for i := 1; i < len(line); i++ {
		if _, _, square := geo.Nearest(at, line[i-1], line[i]); square < best && line[i-1] != line[i] {
			best, course = square, geo.Bearing(line[i-1], line[i])
		}
	}
	return course
}

// admits applies a location's search filter to a segment.
func admits(c *profile.Costing, f *engine.SearchFilter, s graph.Segment) bool {
	if *f == (engine.SearchFilter{}) {
		return true
	}
	g := c.Graph()
	flags, use, class := g.BySegment[s].Flags, g.BySegment[s].Use, g.BySegment[s].Class
	if f.ExcludeTunnel && flags&graph.Tunnel != 0 || f.ExcludeBridge && flags&graph.Bridge != 0 || f.ExcludeToll && (c.Tolled(g.Forward[s]) || c.Tolled(g.ByEdge[g.Forward[s]].Opposite)) {
		return false
	}
	if f.ExcludeRamp && use == graph.Ramp || f.ExcludeFerry && (use == graph.Ferry || use == graph.RailFerry) {
		return false
	}
	if least, ok := graph.ParseClass(f.MinClass); ok && class > least {
		return false
	}
	if most, ok := graph.ParseClass(f.MaxClass); ok && class < most {
		return false
	}
	return true
}

// sideWindow gives how far from the road, at least and at most, a location must
// be to lie on a side of it.
func sideWindow(l *engine.Location) (least, most float64) {
	least, most = engine.UsualSideTolerance, engine.UsualSideMaxDistance
	if l.SideTolerance != nil {
		least = *l.SideTolerance
	}
	if l.SideMaxDistance != nil {
		most = *l.SideMaxDistance
	}
	return least, most
}

// preferSide keeps, of the ways to arrive, those that have the location on the
// side the traveller wants, where the location is clearly on a side and any
// such way is left.
func (p *planner) preferSide(l *engine.Location, s *snapped) {
	if l.Side == "" || l.Side == engine.EitherSide {
		return
	}
	nearest, farthest := sideWindow(l)
	lowest, limited := graph.ParseClass(l.SideCutoff)
	g := p.e.g
	s.keep(func(i int) bool {
		c := s.places[i]
		clear := c.Metres >= nearest && c.Metres <= farthest && (!limited || g.BySegment[c.Segment].Class <= lowest)
		onRight := c.Right != g.Backward(s.ends[i].Edge)
		same := onRight != (g.BySegment[c.Segment].Flags&graph.DriveOnLeft != 0)
		return !clear || same == (l.Side == engine.SameSide)
	})
}

// keep keeps those of the ways of using a place that are wanted, or all where none is.
func (s *snapped) keep(wanted func(i int) bool) {
	kept := snapped{waypoint: s.waypoint, remarks: s.remarks, eitherWay: s.eitherWay}
	for i, c := range s.places {
		if wanted(i) {
			kept.ends, kept.places = append(kept.ends, s.ends[i]), append(kept.places, c)
		}
	}
	if len(kept.ends) > 0 {
		*s = kept
	}
}

// connected reports whether some way of using a place leads on into the
// network.
func (p *planner) connected(ends []search.End, d direction) bool {
	p.findMainland()
	return p.ofMainland(ends, d) || !p.knowsMainland && p.reachable(ends, d) >= island.Enough
}

// reachable is how many nodes the best way of using a place leads to, up to
// island.Enough.
func (p *planner) reachable(ends []search.End, d direction) int {
	most := 0
	for _, end := range ends {
		if most = max(most, p.s.island.Nodes(p.costing, end.Edge, d)); most >= island.Enough {
			break
		}
	}
	return most
}

// findMainland finds what the region knows of the traveller's mainland: all where
// options open the same roads as the default ones, some of it where roads that open at
// times count as open.
func (p *planner) findMainland() {
	if p.mainlandOf == p.costing {
		return
	}
	o := p.costing.Options()
	p.mainlandOf, p.mainland, p.knowsMainland = p.costing, &island.Mainland{}, false
	if m := p.e.mainlands[o.Costing]; m != nil && o.SameRoads(costing.Default(o.Costing)) {
		p.mainland, p.knowsMainland = m, !p.who.open
	}
}

// ofMainland reports whether some way of using a place is known to be on no island.
func (p *planner) ofMainland(ends []search.End, d direction) bool {
	return slices.ContainsFunc(ends, func(end search.End) bool { return p.mainland.Has(end.Edge, d) })
}
