package embedded

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// explaining bounds the time that is spent on the cause of a failure.
const explaining = 300 * time.Millisecond

// relaxation is one thing that may stand in a route's way, and the options
// without it; nil lifts what bends the roads. None of them heeds the time.
type relaxation struct {
	constraint string
	value      any
	lift       func(*profile.Options)
}

// relaxations lists what the request's options forbid, in the order in which
// they are tried.
func (p *planner) relaxations() []relaxation {
	o := &p.who.options
	var list []relaxation
	add := func(on bool, constraint string, value any, lift func(*profile.Options)) {
		if on {
			list = append(list, relaxation{constraint, value, lift})
		}
	}
	add(p.clock != nil, "date_time", p.moment.Format(engine.TimeForm), nil)
	add(p.excludes && len(p.r.ExcludePolygons) > 0, "exclude_polygons", len(p.r.ExcludePolygons), nil)
	add(p.excludes && len(p.r.ExcludePolygons) == 0, "exclude_locations", len(p.r.ExcludeLocations), nil)
	add(!p.excludes && !p.weights.Overlay.Empty(), "live_closures", true, nil)
	add(o.TunnelFrom != 0, "adr_tunnel_code", p.text("adr_tunnel_code"), func(o *profile.Options) { o.TunnelFrom = 0 })
	add(o.Hazmat, "hazmat", true, func(o *profile.Options) { o.Hazmat = false })
	large := o.Kind <= profile.Bus
	add(large && o.Height > 0, "height", o.Height, func(o *profile.Options) { o.Height = 0 })
	add(large && o.Width > 0, "width", o.Width, func(o *profile.Options) { o.Width = 0 })
	add(large && o.Length > 0, "length", o.Length, func(o *profile.Options) { o.Length = 0 })
	add(large && o.Weight > 0, "weight", o.Weight, func(o *profile.Options) { o.Weight = 0 })
	add(o.Kind == profile.Truck && o.AxleLoad > 0, "axle_load", o.AxleLoad, func(o *profile.Options) { o.AxleLoad = 0 })
	add(o.Kind == profile.Pedestrian, "max_hiking_difficulty", o.MaxHikingDifficulty, func(o *profile.Options) { o.MaxHikingDifficulty = 6 })
	add(o.ExcludeTolls, "exclude_tolls", true, func(o *profile.Options) { o.ExcludeTolls = false })
	add(o.ExcludeFerries, "exclude_ferries", true, func(o *profile.Options) { o.ExcludeFerries = false })
	add(o.ExcludeHighways, "exclude_highways", true, func(o *profile.Options) { o.ExcludeHighways = false })
	add(o.ExcludeBridges, "exclude_bridges", true, func(o *profile.Options) { o.ExcludeBridges = false })
	add(o.ExcludeTunnels, "exclude_tunnels", true, func(o *profile.Options) { o.ExcludeTunnels = false })
	add(o.ExcludeUnpaved, "exclude_unpaved", true, func(o *profile.Options) { o.ExcludeUnpaved = false })
	return list
}

func (p *planner) text(option string) string {
	if p.r.Options.Has(option) {
		return p.r.Options.Text(option)
	}
	return ""
}

// relaxed gives the weights with a constraint lifted.
func (p *planner) relaxed(x relaxation) search.Weights {
	w := p.weights.Weights
	switch {
	case x.constraint == "date_time":
	case x.lift == nil:
		w.Overlay = nil
	default:
		o := p.who.options
		x.lift(&o)
		w.Costing, w.Metric = profile.New(p.e.g, o), nil
	}
	return w
}

// noRoute is the refusal of a pair of locations with no way between them. It
// lifts one constraint at a time to name the one that blocks, for as long as
// explaining may take.
func (p *planner) noRoute(ctx context.Context, to int, a, b snapped) error {
	err := engine.Refused(engine.CodeNoRoute, "no %s route leads from locations[%d] (%s) to locations[%d] (%s)", p.r.Costing, to-1, a.waypoint.location.Point, to, b.waypoint.location.Point).
		With("location_index", to)
	if len(b.places) > 0 {
		p.tellNearest(err, b.places[0])
	}
	within, cancel := context.WithTimeout(ctx, explaining)
	defer cancel()
	for _, x := range p.relaxations() {
		found, ok, searchErr := p.tree().Shortest(within, p.relaxed(x), a.ends, b.ends)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(searchErr, context.DeadlineExceeded):
			err.Detail += "; which constraint blocks was not found out in time"
			return err
		case searchErr != nil:
			return searchErr
		case !ok:
			continue
		}
		blocked := map[string]any{"constraint": x.constraint, "value": x.value}
		if at, way, ok := p.firstBlocked(found); ok {
			blocked["location"], blocked["way_id"] = at, way
		}
		err.With("blocked_by", blocked)
		err.Detail += "; without " + x.constraint + " = " + fmt.Sprint(x.value) + " there is one"
		if x.constraint == "adr_tunnel_code" {
			err.Detail += p.tunnelReasons(found)
		}
		return err
	}
	err.Detail += "; they lie on parts of the network that do not meet for this way of travel"
	return err
}

// tellNearest adds to a refusal which road is nearest to its location.
func (p *planner) tellNearest(err *fault.Error, c snap.Candidate) {
	err.With("nearest_road_m", math.Round(c.Metres)).With("nearest_road", c.Point).With("nearest_way_id", p.e.g.WayID[c.Segment])
}

// noSegment is the refusal of a location with no usable road within reach. It
// tells which one is nearest, and what keeps the traveller off a nearer one.
func (p *planner) noSegment(index int, cutoff float64) error {
	l := &p.r.Locations[index]
	err := engine.Refused(engine.CodeNoSegment, "locations[%d] (%s) has no road usable by %s within %.0f m", index, l.Point, p.r.Costing, cutoff).With("location_index", index)
	var barred *snap.Candidate
	known := false
	p.s.snap.Nearest(l.Point, farCutoff, func(c snap.Candidate) bool {
		if p.gone() {
			return false
		}
		if len(p.usable(l, c)) == 0 {
			if barred == nil && c.Metres <= cutoff {
				barred = &c
			}
			return true
		}
		known = true
		err.Detail += "; the nearest is " + distance(c.Metres) + " away"
		p.tellNearest(err, c)
		return false
	})
	if gone := p.left(); gone != nil {
		return gone
	}
	switch {
	case known:
	case barred != nil:
		err.Detail += "; there is none within 100 km"
	default:
		err.Detail += "; there is none within 100 km: is it in the region this server covers, and are lat and lon the right way round?"
	}
	if barred != nil {
		p.tellBarred(err, l, *barred)
	}
	return err
}

// tellBarred adds what keeps the traveller off a road near a location: the
// first constraint without which it were usable, or the costing itself.
func (p *planner) tellBarred(err *fault.Error, l *engine.Location, c snap.Candidate) {
	constraint, value := p.barrier(l, c)
	err.With("blocked_by", map[string]any{"constraint": constraint, "value": value, "location": c.Point, "way_id": p.e.g.WayID[c.Segment]})
	err.Detail += fmt.Sprintf("; a road %s away is closed to it by %s = %v", distance(c.Metres), constraint, value)
}

func (p *planner) barrier(l *engine.Location, c snap.Candidate) (constraint string, value any) {
	free := *l
	if l.Heading != nil {
		if free.Heading = nil; len(p.usable(&free, c)) > 0 {
			return "heading", *l.Heading
		}
		free.Heading = l.Heading
	}
	if free.Filter = (engine.SearchFilter{}); l.Filter != free.Filter && len(p.usable(&free, c)) > 0 {
		return "search_filter", true
	}
	for _, x := range p.relaxations() {
		if x.lift == nil {
			continue
		}
		q := *p
		q.weights.Weights = p.relaxed(x)
		if q.costing = q.weights.Costing; len(q.usable(l, c)) > 0 {
			return x.constraint, x.value
		}
	}
	return "costing", string(p.r.Costing)
}

// firstBlocked finds the first edge of a relaxed path that the request itself
// may not use.
func (p *planner) firstBlocked(f search.Found) (at geo.Point, way int64, ok bool) {
	g := p.e.g
	for _, e := range f.Edges {
		o := g.Original(e)
		if !p.costing.Allowed(o) || p.costing.Excluded(o) || p.weights.Overlay.Closed(o) {
			return g.Position[g.Tail[o]].Point(), g.WayID[g.Segment(o)], true
		}
	}
	return geo.Point{}, 0, false
}

func (p *planner) tunnelReasons(f search.Found) string {
	g, code := p.e.g, p.text("adr_tunnel_code")
	seen := map[string]bool{}
	var reasons []string
	for _, e := range f.Edges {
		if c := g.Limits[g.Limit[e]].Tunnel; c != 0 && engine.TunnelForbids(code, string(rune(c))) && !seen[string(rune(c))] {
			seen[string(rune(c))] = true
			reasons = append(reasons, engine.TunnelReason(code, string(rune(c))))
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return ": " + strings.Join(reasons, "; ")
}
