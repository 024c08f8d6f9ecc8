package plan

import (
	"fmt"
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
	// FarCutoff is how many metres away a road is looked for to report how far it is.
	FarCutoff = 100_000
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

// Direction is whether a place is where a path begins or ends.
type Direction = island.Direction

// The two directions.
const (
	AtDeparture = island.Departing
	AtArrival   = island.Arriving
)

// Snapped is a location on the network.
type Snapped struct {
	Waypoint Waypoint
	Ends     []search.End
	Places   []snap.Candidate // by end
	SnapWarnings
	// EitherWay is true where it is known to be the same for the other direction.
	EitherWay bool
}

// SnapWarnings are warnings to callers about a location on the network.
type SnapWarnings struct {
	cut            int  // the nearest so many roads count, of more within the radius; 0 where all do
	headingIgnored bool // where it heads no path leads on, or none comes from, and it does not head there
	moved          moved
}

// snappedPlace is a candidate with the ways to set out from it or arrive there.
type snappedPlace struct {
	snap.Candidate
	ends           []search.End
	headingIgnored bool // the ends do not head where the location does
}

// locator finds where on the network the locations of a request are.
type locator struct {
	*Request
	s          *Scratch
	checks     int              // how often cancelled was called
	mainland   *island.Mainland // the part of the mainland of mainlandOf that the region lists
	mainlandOf *profile.Costing
	// knowsMainland is true where what is not of mainland is on an island.
	knowsMainland bool
}

// locating is scratch for the location at work.
type locating struct {
	chosen, scraps, junctions []snappedPlace
	ends                      []search.End // of all of these
	seen                      []graph.Node
	// The ends of locations are cut from these and never given twice.
	keptEnds   []search.End
	keptPlaces []snap.Candidate
}

// keptAtOnce is how many ends memory is allotted for at a time.
const keptAtOnce = 128

// usable returns that of the request, good until the next location.
func (s *locating) usable(p *Request, l *engine.Location, c snap.Candidate) []search.End {
	from := len(s.ends)
	s.ends = p.appendUsable(s.ends, l, c)
	return s.ends[from:len(s.ends):len(s.ends)]
}

// cancelEvery is how many roads are looked at between two looks at the context: at some
// 10 µs for one whose surroundings are searched, about a millisecond of work.
const cancelEvery = 128

// cancelled reports whether the caller has gone, with a look at the context once in
// a while: for what is done for one road after another.
func (p *locator) cancelled() bool {
	p.checks++
	return p.Ctx != nil && p.checks%cancelEvery == 0 && p.Ctx.Err() != nil
}

// OffRoad is the error of a location without a usable road within reach. looked is true where
// all roads within cutoff metres were looked at.
type OffRoad struct {
	Index  int
	Cutoff float64
	Looked bool
}

func (x *OffRoad) Error() string { return fmt.Sprintf("locations[%d] is on no road", x.Index) }

// Locate finds where on the network a location is. It fails with offRoad.
func (p *locator) Locate(index int, d Direction) (Snapped, error) {
	l := &p.Query.Locations[index]
	cutoff := SearchCutoff(l)
	at := &p.s.locating
	at.chosen, at.scraps, at.ends = at.chosen[:0], at.scraps[:0], at.ends[:0]
	eitherWay, cutAt := true, 0
	var first nearest
	mostRoads, mostScraps := RoadBounds.Of(p.Locations()), scrapBounds.Of(p.Locations())
	looked := p.Nearby(l.Point, math.Max(cutoff, l.Radius), func(c snap.Candidate) bool {
		ends := at.usable(p.Request, l, c)
		first.see(c.Metres, len(ends) > 0)
		if len(ends) == 0 {
			return true
		}
		connected, turned := p.Connected(ends, d), false
		if !connected && l.Heading != nil {
			// The way on is to turn round there, not to set out elsewhere.
			free := *l
			free.Heading = nil
			if either := at.usable(p.Request, &free, c); p.Connected(either, d) {
				ends, connected, turned = either, true, true
			}
		}
		eitherWay = eitherWay && !turned && p.knowsMainland && connected == p.ofMainland(ends, !d)
		if !connected {
			at.scraps = append(at.scraps, snappedPlace{c, ends, false})
			return len(at.scraps) < mostScraps
		}
		if len(at.chosen) == 0 && len(at.scraps) > 0 && c.Metres > at.scraps[0].Metres+maxDetour {
			return false
		}
		if len(at.chosen) == mostRoads {
			cutAt = mostRoads
			return false
		}
		at.chosen = append(at.chosen, snappedPlace{c, ends, turned})
		p.s.Snap.LimitDistance(math.Max(at.chosen[0].Metres+sameSpot, l.Radius))
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
		if err := p.ContextError(); err != nil {
			return Snapped{}, err
		}
		return Snapped{}, &OffRoad{index, cutoff, looked}
	}
	chosen := p.atJunctions(l, at.chosen)
	if len(chosen) > mostRoads && l.Radius > 0 {
		chosen, cutAt = chosen[:mostRoads], mostRoads
	}
	s := Snapped{Waypoint: Waypoint{Location: *l, Snapped: chosen[0].Point, Index: index}, SnapWarnings: SnapWarnings{cutAt, chosen[0].headingIgnored, first.movedTo(at.chosen[0].Metres)}, EitherWay: eitherWay}
	ends := 0
	for i := range chosen {
		ends += len(chosen[i].ends)
	}
	s.Ends, s.Places = cut(&at.keptEnds, ends, keptAtOnce), cut(&at.keptPlaces, ends, keptAtOnce)
	for _, c := range chosen {
		for _, e := range c.ends {
			s.Ends = append(s.Ends, e)
			s.Places = append(s.Places, c.Candidate)
		}
	}
	p.preferSide(l, &s)
	if d == AtDeparture {
		p.enterPrivate(s.Ends)
	}
	return s, nil
}

// enterPrivate adds the cost of entering private roads to those that end where a journey
// begins on public ones: it does not begin on them.
func (p *locator) enterPrivate(ends []search.End) {
	private := func(x search.End) bool { return p.Costing.Private(x.Edge) }
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
func (p *locator) atJunctions(l *engine.Location, chosen []snappedPlace) []snappedPlace {
	g, s := p.Base.Graph, &p.s.locating
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
				if ends := s.usable(p.Request, l, here); len(ends) > 0 {
					list = append(list, snappedPlace{here, ends, false})
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

// junction returns the end of a place's segment that a location is at: the nearer one,
// and of two that are about as near the begin of the way.
func (p *locator) junction(at geo.Point, c snap.Candidate) (graph.Node, bool) {
	g := p.Base.Graph
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

// toNode returns how far a node is in metres; more than it may be where its latitude alone
// shows that no location lies at it.
func toNode(at, node geo.Point) float64 {
	const far = 2 * nodeSnap / 111_000.0 // degrees of latitude
	if math.Abs(at.Lat-node.Lat) > far {
		return math.Inf(1)
	}
	return geo.Distance(at, node)
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

// SideWindow returns how far from the road, at least and at most, a location must
// be to lie on a side of it.
func SideWindow(l *engine.Location) (least, most float64) {
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
func (p *locator) preferSide(l *engine.Location, s *Snapped) {
	if l.Side == "" || l.Side == engine.EitherSide {
		return
	}
	nearest, farthest := SideWindow(l)
	lowest, limited := graph.ParseClass(l.SideCutoff)
	g := p.Base.Graph
	s.filter(func(i int) bool {
		c := s.Places[i]
		clear := c.Metres >= nearest && c.Metres <= farthest && (!limited || g.BySegment[c.Segment].Class <= lowest)
		onRight := c.Right != g.Backward(s.Ends[i].Edge)
		same := onRight != (g.BySegment[c.Segment].Flags&graph.DriveOnLeft != 0)
		return !clear || same == (l.Side == engine.SameSide)
	})
}

// filter keeps those of the ways of using a place that are wanted, or all where none is.
func (s *Snapped) filter(wanted func(i int) bool) {
	kept := Snapped{Waypoint: s.Waypoint, SnapWarnings: s.SnapWarnings, EitherWay: s.EitherWay}
	for i, c := range s.Places {
		if wanted(i) {
			kept.Ends, kept.Places = append(kept.Ends, s.Ends[i]), append(kept.Places, c)
		}
	}
	if len(kept.Ends) > 0 {
		*s = kept
	}
}

// Connected reports whether some way of using a place leads on into the
// network.
func (p *locator) Connected(ends []search.End, d Direction) bool {
	p.findMainland()
	return p.ofMainland(ends, d) || !p.knowsMainland && p.Reachable(ends, d) >= island.Enough
}

// Reachable returns how many nodes the best way of using a place leads to, up to
// island.Enough.
func (p *locator) Reachable(ends []search.End, d Direction) int {
	most := 0
	for _, end := range ends {
		if most = max(most, p.s.Island.Nodes(p.Costing, end.Edge, d)); most >= island.Enough {
			break
		}
	}
	return most
}

// findMainland finds the region's data about the traveller's mainland: all of it where
// options open the same roads as the default ones, a part where roads that open at times
// count as open.
func (p *locator) findMainland() {
	if p.mainlandOf == p.Costing {
		return
	}
	o := p.Costing.Options()
	p.mainlandOf, p.mainland, p.knowsMainland = p.Costing, &island.Mainland{}, false
	if m := p.Base.Mainlands[o.Costing]; m != nil && o.SameRoads(costing.Default(o.Costing)) {
		p.mainland, p.knowsMainland = m, !p.Who.Open
	}
}

// ofMainland reports whether some way of using a place is known to be on no island.
func (p *locator) ofMainland(ends []search.End, d Direction) bool {
	return slices.ContainsFunc(ends, func(end search.End) bool { return p.mainland.Has(end.Edge, d) })
}
