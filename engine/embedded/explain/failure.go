package explain

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// noRoute is the refusal of a pair of locations with no way between them. It
// names the one of them that is cut off, and the constraint that blocks, as far
// as that is found within mostExplained.
func (p *explainer) noRoute(ctx context.Context, to int, a, b plan.Snapped) error {
	err := engine.Refused(engine.CodeNoRoute, "no %s route leads from locations[%d] (%s) to locations[%d] (%s)", p.Query.Costing, to-1, a.Waypoint.Location.Point, to, b.Waypoint.Location.Point)
	index, place, d := to, b, plan.AtArrival
	out, in := p.Reachable(a.Ends, plan.AtDeparture), p.Reachable(b.Ends, plan.AtArrival)
	if out < in {
		index, place, d = to-1, a, plan.AtDeparture
	}
	err.With("location_index", index)
	if len(place.Places) > 0 {
		p.describeNearest(err, place.Places[0])
	}
	why, failed := p.cause(ctx, a.Ends, b.Ends)
	if failed != nil {
		return failed
	}
	why.describe(err)
	if why.blocked == nil && !why.unknown && out != in {
		p.describeCutOff(err, index, d)
	}
	return err
}

// blockedBy describes what blocks the way, and where it lies on the path without it.
func (p *explainer) blockedBy(list []relaxation, f search.Found) cause {
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
func (p *explainer) describeCutOff(err *fault.Error, index int, d plan.Direction) {
	l := &p.Query.Locations[index]
	err.Detail += fmt.Sprintf("; locations[%d] is on a road that is cut off from the others", index)
	p.Nearby(l.Point, plan.FarCutoff, func(c snap.Candidate) bool {
		ends := p.Usable(l, c)
		if len(ends) == 0 || !p.Connected(ends, d) {
			return true
		}
		err.Detail += ", and the nearest road that is not is " + plan.InWords(c.Metres) + " away"
		p.describeNearest(err, c)
		return false
	})
}

// NearestRoad is the member of a refusal that has the metres to the nearest usable road.
const NearestRoad = "nearest_road_m"

// describeNearest adds to a refusal which road is nearest to its location.
func (p *explainer) describeNearest(err *fault.Error, c snap.Candidate) {
	err.With(NearestRoad, math.Round(c.Metres)).With("nearest_road", c.Point.Fix().Point()).With("nearest_way_id", p.Base.Graph.WayID[c.Segment])
}

// noSegment is the refusal of a location with no usable road within reach, as far as roads
// were looked at: looked says that these were all. It names the nearest usable road, and
// what keeps the traveller off a nearer one.
func (p *explainer) noSegment(index int, cutoff float64, looked bool) error {
	l := &p.Query.Locations[index]
	err := engine.Refused(engine.CodeNoSegment, "locations[%d] (%s) has no road usable by %s within %.0f m", index, l.Point, p.Query.Costing, cutoff).With("location_index", index)
	var barred *snap.Candidate
	known := false
	far := float64(plan.FarCutoff)
	if !looked { // farther away no more would be looked at either
		far = cutoff
	}
	looked = p.Nearby(l.Point, far, func(c snap.Candidate) bool {
		if len(p.Usable(l, c)) == 0 {
			if barred == nil && c.Metres <= cutoff {
				barred = &c
			}
			return true
		}
		known = true
		err.Detail += "; the nearest is " + plan.InWords(c.Metres) + " away"
		p.describeNearest(err, c)
		return false
	})
	if gone := p.ContextError(); gone != nil {
		return gone
	}
	switch {
	case known:
	case !looked:
		err.Detail += fmt.Sprintf("; none is among the %d nearest roads, which are all that are looked at", plan.LookBounds.Of(p.Locations()))
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
func (p *explainer) describeForbidden(err *fault.Error, l *engine.Location, c snap.Candidate) {
	blocked, words := blocking(p.barrier(l, c))
	blocked["location"], blocked["way_id"] = c.Point.Fix().Point(), p.Base.Graph.WayID[c.Segment]
	err.With("blocked_by", blocked)
	if blocked["constraint"] == "costing" {
		err.Detail += fmt.Sprintf("; a road %s away is not open to this costing", plan.InWords(c.Metres))
		return
	}
	err.Detail += fmt.Sprintf("; a road %s away is closed to it by %s", plan.InWords(c.Metres), words)
}

func (p *explainer) barrier(l *engine.Location, c snap.Candidate) []relaxation {
	always := func(*costing.Options) {}
	free := *l
	if l.Heading != nil {
		if free.Heading = nil; len(p.Usable(&free, c)) > 0 {
			return []relaxation{{constraint: "heading", value: *l.Heading, lift: always}}
		}
		free.Heading = l.Heading
	}
	if free.Filter = (engine.SearchFilter{}); l.Filter != free.Filter && len(p.Usable(&free, c)) > 0 {
		return []relaxation{{constraint: "search_filter", value: true, lift: always}}
	}
	all := slices.DeleteFunc(p.relaxations(), func(x relaxation) bool { return x.lift == nil })
	usable := func(lifted ...relaxation) bool {
		q := *p.Request
		_, q.Weights = p.relaxed(lifted...)
		q.Costing = q.Weights.Costing
		return len(q.Usable(l, c)) > 0
	}
	for _, x := range all {
		if usable(x) {
			return []relaxation{x}
		}
	}
	if !usable(all...) {
		return []relaxation{{constraint: "costing", value: p.Query.Costing.String(), lift: always}}
	}
	var together []relaxation
	for i, x := range all {
		if !usable(slices.Delete(slices.Clone(all), i, i+1)...) {
			together = append(together, x)
		}
	}
	return together
}

func (p *explainer) tunnelReasons(f search.Found) string {
	g, code := p.Base.Graph, p.Query.Options.Text(costing.ADRTunnelCode)
	seen := map[string]bool{}
	var reasons []string
	for _, e := range f.Edges {
		if c := g.Limits[g.ByEdge[e].Limit].Tunnel; c != 0 && costing.TunnelForbids(code, string(rune(c))) && !seen[string(rune(c))] {
			seen[string(rune(c))] = true
			reasons = append(reasons, costing.TunnelReason(code, p.Query.Options.CodeAssumed, string(rune(c))))
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return ": " + strings.Join(reasons, "; ")
}
