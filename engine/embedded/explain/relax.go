package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// relaxation is one thing that may stand in a route's way, and the options
// without it; nil lifts what bends the roads. None of them heeds the time.
type relaxation struct {
	constraint string
	value      any
	lift       func(*costing.Options)
	declared   bool // by the caller; the others are the costing's own
	remark     string
}

// maxEarly is the constraint of the time of travel.
const maxEarly = "date_time"

// relaxations lists what the request's options forbid, in the order in which
// they are tried: what the caller declared comes first.
func (p *explainer) relaxations() []relaxation {
	o := &p.Who.Options
	var list []relaxation
	add := func(on bool, constraint string, value any) {
		if on {
			list = append(list, relaxation{constraint: constraint, value: value, declared: true})
		}
	}
	add(p.Query.When != nil, maxEarly, p.LocalTime.Format(engine.TimeForm))
	if p.Excludes {
		var names []string
		together := 0
		for _, one := range []struct {
			name string
			n    int
		}{{"exclude_polygons", len(p.Query.ExcludePolygons)}, {"avoid_zones", len(p.Query.ExcludeAreas)}, {"exclude_locations", len(p.Query.ExcludeLocations)}} {
			if one.n > 0 {
				names, together = append(names, one.name), together+one.n
			}
		}
		add(true, strings.Join(names, ","), together)
	} else {
		add(!p.Weights.Overlay.Empty() || p.closesByTime(), "live_closures", true)
	}
	for _, x := range forbidding(o) {
		row := x.Row()
		var value any = row.Get(o)
		switch row.Kind {
		case costing.Bool:
			value = true
		case costing.Choice:
			value = p.Query.Options.Text(x)
		}
		lift := func(o *costing.Options) { row.Set(o, row.Free()) }
		remark := ""
		if x == costing.ADRTunnelCode && p.Query.Options.CodeAssumed {
			remark = costing.AsAssumed
		}
		list = append(list, relaxation{row.Name, value, lift, p.Query.Options.Given(x), remark})
	}
	slices.SortStableFunc(list, func(a, b relaxation) int { return first(a.declared) - first(b.declared) })
	return list
}

// closesByTime reports whether closures have times though the request has none.
func (p *explainer) closesByTime() bool { return p.Clock != nil && p.Query.When == nil }

// forbidding lists the options that keep a traveller off roads: what a load
// closes and the size of its vehicle, caps, and what is excluded.
func forbidding(o *costing.Options) []costing.Option {
	var list []costing.Option
	for _, x := range costing.Of(o.Costing) {
		if x.Row().Forbids(o) {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b costing.Option) int {
		x, y := a.Row(), b.Row()
		return cmp.Or(cmp.Compare(x.Effect, y.Effect), cmp.Compare(max(y.Kind, costing.Integer), max(x.Kind, costing.Integer)))
	})
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
	if x.lift == nil && x.constraint != maxEarly {
		return x.constraint
	}
	return x.constraint + " = " + fmt.Sprint(x.value) + x.remark
}

// relaxed returns the traveller and the weights with constraints lifted.
func (p *explainer) relaxed(list ...relaxation) (metric.Traveller, metric.Weights) {
	who, w := p.Who, p.Weights
	for _, x := range list {
		switch {
		case x.lift != nil:
			x.lift(&who.Options)
		case x.constraint != maxEarly:
			w.Overlay = nil
		}
	}
	if who != p.Who {
		w = metric.Weights{Weights: search.Weights{Costing: profile.New(p.Base.Graph, who.Options), Overlay: w.Overlay}}
	}
	return who, w
}

// without finds the cheapest path with constraints lifted.
func (p *explainer) without(ctx context.Context, from, to []search.End, list ...relaxation) (search.Found, bool, error) {
	who, w := p.relaxed(list...)
	return p.Astar(ctx, who, w, nil, from, to)
}

// blockage finds constraints without which there is a path, and that path: a
// single one where one is enough. There are none where nothing that may be
// lifted is in the way. The search with all of them lifted shows which may
// matter at all; where the bound is reached after that, these are the answer.
func (p *explainer) blockage(ctx context.Context, from, to []search.End) ([]relaxation, search.Found, error) {
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
		case errors.Is(err, errTooFar) && len(together) > 0:
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
func (p *explainer) blocks(x relaxation, all []relaxation, f search.Found) bool {
	if x.lift == nil {
		_, _, shut := p.firstBlocked(f, x)
		return shut
	}
	others := slices.DeleteFunc(slices.Clone(all), func(y relaxation) bool { return x.constraint == y.constraint })
	_, w := p.relaxed(others...)
	return slices.ContainsFunc(f.Edges, func(e graph.Edge) bool {
		o := p.Base.Graph.Original(e)
		return !w.Costing.Allowed(o) || w.Costing.Excluded(o)
	})
}

// firstBlocked finds the first edge of a path without constraints that these
// keep the request from.
func (p *explainer) firstBlocked(f search.Found, list ...relaxation) (at geo.Point, way int64, ok bool) {
	g := p.Base.Graph
	var options, roads, clock bool
	for _, x := range list {
		options = options || x.lift != nil
		roads = roads || x.lift == nil && x.constraint != maxEarly
		clock = clock || x.constraint == maxEarly || roads && p.closesByTime()
	}
	now := int64(0)
	if clock && p.Clock.Backwards() {
		for i := range f.Edges {
			now -= p.Millis(f, i)
		}
	}
	for i, e := range f.Edges {
		o := g.Original(e)
		shut := options && (!p.Costing.Allowed(o) || p.Costing.Excluded(o)) || roads && p.Weights.Overlay.Closed(o)
		if clock && i > 0 {
			_, open := p.Clock.Enter(f.Edges[i-1], o, now)
			shut = shut || !open
		}
		if shut {
			return g.Position[g.ByEdge[o].Tail].Point(), g.WayID[g.Segment(o)], true
		}
		now += p.Millis(f, i)
	}
	return geo.Point{}, 0, false
}
