package embedded

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// relaxation is one thing that may stand in a route's way, and the options
// without it; nil lifts what bends the roads. None of them heeds the time.
type relaxation struct {
	constraint string
	value      any
	lift       func(*profile.Options)
	declared   bool // by the caller; the others are the costing's own
}

// timely is the constraint of the time of travel.
const timely = "date_time"

// relaxations lists what the request's options forbid, in the order in which
// they are tried: what the caller declared comes first.
func (p *planner) relaxations() []relaxation {
	o := &p.who.options
	var list []relaxation
	add := func(on bool, constraint string, value any, lift func(*profile.Options)) {
		if on {
			list = append(list, relaxation{constraint, value, lift, lift == nil || p.r.Options.Given(constraint)})
		}
	}
	add(p.clock != nil, timely, p.moment.Format(engine.TimeForm), nil)
	polygons, places := len(p.r.ExcludePolygons), len(p.r.ExcludeLocations)
	switch {
	case p.excludes && polygons > 0 && places > 0:
		add(true, "exclude_polygons,exclude_locations", polygons+places, nil)
	case p.excludes && polygons > 0:
		add(true, "exclude_polygons", polygons, nil)
	case p.excludes:
		add(true, "exclude_locations", places, nil)
	default:
		add(!p.weights.Overlay.Empty(), "live_closures", true, nil)
	}
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
	slices.SortStableFunc(list, func(a, b relaxation) int { return first(a.declared) - first(b.declared) })
	return list
}

// first puts what holds before what does not.
func first(holds bool) int {
	if holds {
		return 0
	}
	return 1
}

// blocking gives constraints as a member of a refusal, and in words. Those that
// block together have their values under their names.
func blocking(list []relaxation) (blocked map[string]any, words string) {
	names, all := make([]string, len(list)), make([]string, len(list))
	values := map[string]any{}
	for i, x := range list {
		names[i], all[i], values[x.constraint] = x.constraint, x.worded(), x.value
	}
	blocked = map[string]any{"constraint": strings.Join(names, ","), "value": any(values)}
	if len(list) == 1 {
		blocked["value"] = list[0].value
	}
	return blocked, strings.Join(all, " and ")
}

// worded names the constraint for people.
func (x *relaxation) worded() string {
	if x.lift == nil && x.constraint != timely {
		return x.constraint
	}
	return x.constraint + " = " + fmt.Sprint(x.value)
}

func (p *planner) text(option string) string {
	if p.r.Options.Has(option) {
		return p.r.Options.Text(option)
	}
	return ""
}

// relaxed gives the traveller and the weights with constraints lifted.
func (p *planner) relaxed(list ...relaxation) (traveller, weights) {
	who, w := p.who, p.weights
	for _, x := range list {
		switch {
		case x.lift != nil:
			x.lift(&who.options)
		case x.constraint != timely:
			w.Overlay = nil
		}
	}
	if who != p.who {
		w = weights{Weights: search.Weights{Costing: profile.New(p.e.g, who.options), Overlay: w.Overlay}}
	}
	return who, w
}

// without finds the cheapest path with constraints lifted.
func (p *planner) without(ctx context.Context, from, to []search.End, list ...relaxation) (search.Found, bool, error) {
	who, w := p.relaxed(list...)
	return p.aimed(ctx, who, w, nil, from, to)
}

// blockage finds constraints without which there is a path, and that path: a
// single one where one is enough. There are none where nothing that may be
// lifted is in the way. The search with all of them lifted tells which may
// matter at all; where the time runs out after that, these are the answer.
func (p *planner) blockage(ctx context.Context, from, to []search.End) ([]relaxation, search.Found, error) {
	all := p.relaxations()
	if len(all) == 0 {
		return nil, search.Found{}, nil
	}
	path, ok, err := p.without(ctx, from, to, all...)
	if err != nil || !ok {
		return nil, search.Found{}, err
	}
	if len(all) == 1 {
		return all, path, nil
	}
	together := slices.DeleteFunc(slices.Clone(all), func(x relaxation) bool { return !p.blocks(x, all, path) })
	likely := slices.Clone(all)
	slices.SortStableFunc(likely, func(x, y relaxation) int { return first(contains(together, x)) - first(contains(together, y)) })
	for _, x := range likely {
		found, ok, err := p.without(ctx, from, to, x)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && len(together) > 0:
			return together, path, nil
		case err != nil:
			return nil, search.Found{}, err
		case ok:
			return []relaxation{x}, found, nil
		}
	}
	return together, path, nil
}

func contains(list []relaxation, x relaxation) bool {
	return slices.ContainsFunc(list, func(y relaxation) bool { return x.constraint == y.constraint })
}

// blocks reports whether a path with all constraints lifted is closed by one of
// them.
func (p *planner) blocks(x relaxation, all []relaxation, f search.Found) bool {
	if x.lift == nil {
		_, _, shut := p.firstBlocked(f, x)
		return shut
	}
	others := slices.DeleteFunc(slices.Clone(all), func(y relaxation) bool { return x.constraint == y.constraint })
	_, w := p.relaxed(others...)
	return slices.ContainsFunc(f.Edges, func(e uint32) bool {
		o := p.e.g.Original(e)
		return !w.Costing.Allowed(o) || w.Costing.Excluded(o)
	})
}

// firstBlocked finds the first edge of a path without constraints that these
// keep the request from.
func (p *planner) firstBlocked(f search.Found, list ...relaxation) (at geo.Point, way int64, ok bool) {
	g := p.e.g
	var options, roads, clock bool
	for _, x := range list {
		options = options || x.lift != nil
		roads = roads || x.lift == nil && x.constraint != timely
		clock = clock || x.constraint == timely
	}
	now := int64(0)
	if clock && p.clock.Backwards() {
		for i := range f.Edges {
			now -= p.millis(f, i)
		}
	}
	for i, e := range f.Edges {
		o := g.Original(e)
		shut := options && (!p.costing.Allowed(o) || p.costing.Excluded(o)) || roads && p.weights.Overlay.Closed(o)
		if clock && i > 0 {
			_, open := p.clock.Enter(f.Edges[i-1], o, now)
			shut = shut || !open
		}
		if shut {
			return g.Position[g.Tail[o]].Point(), g.WayID[g.Segment(o)], true
		}
		now += p.millis(f, i)
	}
	return geo.Point{}, 0, false
}
