package embedded

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// noRoute is the refusal of a pair of locations with no way between them. It
// names the one of them that is cut off, and the constraint that blocks, as far
// as that is found within mostExplained.
func (p *planner) noRoute(ctx context.Context, to int, a, b snapped) error {
	err := engine.Refused(engine.CodeNoRoute, "no %s route leads from locations[%d] (%s) to locations[%d] (%s)", p.r.Costing, to-1, a.waypoint.location.Point, to, b.waypoint.location.Point)
	index, place, d := to, b, atArrival
	out, in := p.reachable(a.ends, atDeparture), p.reachable(b.ends, atArrival)
	if out < in {
		index, place, d = to-1, a, atDeparture
	}
	err.With("location_index", index)
	if len(place.places) > 0 {
		p.describeNearest(err, place.places[0])
	}
	why, failed := p.cause(ctx, a.ends, b.ends)
	if failed != nil {
		return failed
	}
	why.describe(err)
	if why.blocked == nil && !why.unknown && out != in {
		p.describeCutOff(err, index, d)
	}
	return err
}

// blockedBy tells what blocks the way, and where on a path that there is without it.
func (p *planner) blockedBy(list []relaxation, f search.Found) cause {
	blocked, words := blocking(list)
	if at, way, ok := p.firstBlocked(f, list...); ok {
		blocked["location"], blocked["way_id"] = at, way
	}
	why := cause{blocked: blocked, detail: "; without " + words + " there is one"}
	if slices.ContainsFunc(list, func(x relaxation) bool { return x.constraint == "adr_tunnel_code" }) {
		why.detail += p.tunnelReasons(f)
	}
	return why
}

// describeCutOff adds to a refusal that a location is on a scrap of the network,
// and where the nearest road is that leads on.
func (p *planner) describeCutOff(err *fault.Error, index int, d direction) {
	l := &p.r.Locations[index]
	err.Detail += fmt.Sprintf("; locations[%d] is on a road that is cut off from the others", index)
	p.nearby(l.Point, farCutoff, func(c snap.Candidate) bool {
		ends := p.usable(l, c)
		if len(ends) == 0 || !p.connected(ends, d) {
			return true
		}
		err.Detail += ", and the nearest road that is not is " + distance(c.Metres) + " away"
		p.describeNearest(err, c)
		return false
	})
}

// nearestRoad is the member of a refusal that has the metres to the nearest usable road.
const nearestRoad = "nearest_road_m"

// describeNearest adds to a refusal which road is nearest to its location.
func (p *planner) describeNearest(err *fault.Error, c snap.Candidate) {
	err.With(nearestRoad, math.Round(c.Metres)).With("nearest_road", c.Point.Fix().Point()).With("nearest_way_id", p.e.g.WayID[c.Segment])
}

// noSegment is the refusal of a location with no usable road within reach, as far as roads
// were looked at: looked says that these were all. It names the nearest usable road, and
// what keeps the traveller off a nearer one.
func (p *planner) noSegment(index int, cutoff float64, looked bool) error {
	l := &p.r.Locations[index]
	err := engine.Refused(engine.CodeNoSegment, "locations[%d] (%s) has no road usable by %s within %.0f m", index, l.Point, p.r.Costing, cutoff).With("location_index", index)
	var barred *snap.Candidate
	known := false
	far := float64(farCutoff)
	if !looked { // farther away no more would be looked at either
		far = cutoff
	}
	looked = p.nearby(l.Point, far, func(c snap.Candidate) bool {
		if len(p.usable(l, c)) == 0 {
			if barred == nil && c.Metres <= cutoff {
				barred = &c
			}
			return true
		}
		known = true
		err.Detail += "; the nearest is " + distance(c.Metres) + " away"
		p.describeNearest(err, c)
		return false
	})
	if gone := p.contextError(); gone != nil {
		return gone
	}
	switch {
	case known:
	case !looked:
		err.Detail += fmt.Sprintf("; none is among the %d nearest roads, which are all that are looked at", lookBounds.of(p.locations()))
	case barred != nil:
		err.Detail += "; there is none within 100 km"
	default:
		err.Detail += "; there is none within 100 km: is it in the region this server covers, and are lat and lon the right way round?"
	}
	if barred != nil {
		p.describeForbidden(err, l, *barred)
	}
	return err
}

// describeForbidden adds what keeps the traveller off a road near a location: the
// first constraint without which it were usable, those that keep off together,
// or the costing itself.
func (p *planner) describeForbidden(err *fault.Error, l *engine.Location, c snap.Candidate) {
	blocked, words := blocking(p.barrier(l, c))
	blocked["location"], blocked["way_id"] = c.Point.Fix().Point(), p.e.g.WayID[c.Segment]
	err.With("blocked_by", blocked)
	if blocked["constraint"] == "costing" {
		err.Detail += fmt.Sprintf("; a road %s away is not open to this costing", distance(c.Metres))
		return
	}
	err.Detail += fmt.Sprintf("; a road %s away is closed to it by %s", distance(c.Metres), words)
}

func (p *planner) barrier(l *engine.Location, c snap.Candidate) []relaxation {
	always := func(*costing.Options) {}
	free := *l
	if l.Heading != nil {
		if free.Heading = nil; len(p.usable(&free, c)) > 0 {
			return []relaxation{{constraint: "heading", value: *l.Heading, lift: always}}
		}
		free.Heading = l.Heading
	}
	if free.Filter = (engine.SearchFilter{}); l.Filter != free.Filter && len(p.usable(&free, c)) > 0 {
		return []relaxation{{constraint: "search_filter", value: true, lift: always}}
	}
	all := slices.DeleteFunc(p.relaxations(), func(x relaxation) bool { return x.lift == nil })
	usable := func(lifted ...relaxation) bool {
		q := *p
		_, q.weights = p.relaxed(lifted...)
		q.costing = q.weights.Costing
		return len(q.usable(l, c)) > 0
	}
	for _, x := range all {
		if usable(x) {
			return []relaxation{x}
		}
	}
	if !usable(all...) {
		return []relaxation{{constraint: "costing", value: p.r.Costing.String(), lift: always}}
	}
	var together []relaxation
	for i, x := range all {
		if !usable(slices.Delete(slices.Clone(all), i, i+1)...) {
			together = append(together, x)
		}
	}
	return together
}

func (p *planner) tunnelReasons(f search.Found) string {
	g, code := p.e.g, p.r.Options.Text(costing.ADRTunnelCode)
	seen := map[string]bool{}
	var reasons []string
	for _, e := range f.Edges {
		if c := g.Limits[g.ByEdge[e].Limit].Tunnel; c != 0 && costing.TunnelForbids(code, string(rune(c))) && !seen[string(rune(c))] {
			seen[string(rune(c))] = true
			reasons = append(reasons, costing.TunnelReason(code, string(rune(c))))
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return ": " + strings.Join(reasons, "; ")
}
