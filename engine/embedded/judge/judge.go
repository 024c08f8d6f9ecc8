// Package judge decides by the roads of a region whether a vehicle may travel a route that
// another engine found. The lines of its legs are laid on the roads exactly, as of an
// earlier route: vertex for vertex, to the digits of an encoded polyline. What has no road
// there is reported as unknown, and is never taken for open.
package judge

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/profile"
)

// Service judges routes by one region. It is safe for many goroutines.
type Service struct{ *plan.Base }

// New returns the service of a region.
func New(b *plan.Base) *Service { return &Service{b} }

// Question has the vehicle and the conditions that a route is judged for.
type Question struct {
	Costing  costing.Costing
	Settings costing.Settings
	Options  []costing.Option // of the settings, those whose limits are judged
	Access   bool             // whether access is judged too: what is open to the class of vehicle
}

// Verdict is the judgement of a route on the roads of the region.
type Verdict struct {
	Tunnels []engine.Tunnel // with an ADR category, in order; never nil
	Blocks  []engine.Block  // what is closed to the vehicle, in order, one for each run of a way
	Metres  float64         // of the route
	Unknown float64         // metres of it that the region has no road for
}

// mostBlocks bounds the blocks of one verdict: a route through more is closed all the same.
const mostBlocks = 64

// strayMetres is how much of a line may be off the roads all the same, and how much of a road
// at an end is no travel on it: the rounding of positions, and of the ends of a leg.
const strayMetres = 3

// Judge judges the legs' lines of a route. Limits that hold at times are heeded as at the
// best of them, as of a request without a time. The error is the context's, or that of the
// scheduler, which admits the work.
func (s *Service) Judge(ctx context.Context, q *Question, r *engine.Route) (*Verdict, error) {
	positions := 0
	for i := range r.Legs {
		positions += len(r.Legs[i].Line)
	}
	work := engine.Estimate{Kind: "judge", Work: time.Duration(positions) * metric.MatchNanos, Cores: 1}
	return engine.WorkFor(ctx, work, func(ctx context.Context) (*Verdict, error) {
		j := s.judgement(q)
		scratch := s.Scratch.Get().(*plan.Scratch)
		defer s.Scratch.GiveBack(scratch)
		if scratch.Match == nil {
			scratch.Match = match.NewQuery(s.Graph, s.Tree)
		}
		for i := range r.Legs {
			if err := j.leg(ctx, scratch.Match, r.Legs[i].Line); err != nil {
				return nil, err
			}
		}
		return &j.verdict, nil
	})
}

// judgement is a verdict in the making.
type judgement struct {
	g       *graph.Graph
	free    *profile.Costing // of a vehicle that every road with any access is open to
	all     *profile.Costing // of the same with all options that are judged
	options []option
	access  bool // whether the access of the vehicle's class is judged too
	verdict Verdict

	way      int64 // of the block that grows, with its option; 0 is none
	by       costing.Option
	tunnel   int64 // way of the tunnel before; 0 is none
	category uint8
}

// option is one that is judged, alone.
type option struct {
	costing.Option
	value   string
	costing *profile.Costing
}

func (s *Service) judgement(q *Question) *judgement {
	free, own := q.Settings.Of(q.Costing), q.Settings.Of(q.Costing)
	free = free.LeastRestricted()
	free.IgnoreAccess, free.IgnoreOneways, free.IgnoreRestrictions, free.IgnoreConstruction = true, true, true, true
	all := free
	j := &judgement{g: s.Graph, free: profile.NewOpen(s.Graph, free, s.Metrics.BestTimes[q.Costing]()), verdict: Verdict{Tunnels: []engine.Tunnel{}}}
	for _, o := range q.Options {
		row, one := o.Row(), free
		row.Set(&one, row.Get(&own))
		row.Set(&all, row.Get(&own))
		j.options = append(j.options, option{o, Value(&q.Settings, &own, o), profile.NewOpen(s.Graph, one, s.Metrics.BestTimes[q.Costing]())})
	}
	if j.access = q.Access; q.Access {
		// Conditions are a part of restrictions, and a road may be closed to a class one way.
		all.IgnoreAccess, all.IgnoreRestrictions, all.IgnoreOneways = own.IgnoreAccess, own.IgnoreRestrictions, own.IgnoreOneways
	}
	j.all = profile.NewOpen(s.Graph, all, s.Metrics.BestTimes[q.Costing]())
	return j
}

// leg judges one leg's line.
func (j *judgement) leg(ctx context.Context, q *match.Query, line []geo.Point) error {
	metres := geo.Length(line)
	j.verdict.Metres += metres
	if len(line) < 2 || metres == 0 {
		return nil
	}
	trace := make([]match.Point, len(line))
	for i, p := range line {
		trace[i] = match.Point{At: p, Time: math.NaN()}
	}
	o := match.EdgeWalk()
	o.Strict = false // a stretch that the region lacks leaves the others to be judged
	found, err := q.Match(ctx, j.free, trace, o)
	if err != nil {
		return err
	}
	if unknown := unmatched(line, found); unknown > strayMetres {
		j.verdict.Unknown += unknown
	}
	for i := range found.Matches {
		path := found.Matches[i].Path
		for k := range path {
			if k%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if end := k == 0 || k == len(path)-1; !end || !j.touches(&path[k]) {
				j.step(&path[k])
			}
		}
		j.way, j.tunnel = 0, 0
	}
	return nil
}

// unmatched returns the metres of a line between positions that are not on one path.
func unmatched(line []geo.Point, r *match.Result) float64 {
	sum, last := 0.0, 0
	for i := 1; i < len(line); i++ {
		if r.Places[i].Kind == match.Unmatched && i < len(line)-1 {
			continue
		}
		a, b := &r.Places[last], &r.Places[i]
		if a.Kind == match.Unmatched || b.Kind == match.Unmatched || a.Match != b.Match || i-last > 1 {
			sum += geo.Length(line[last : i+1])
		}
		last = i
	}
	return sum
}

// touches reports whether a step is no more than the place where a path begins or ends: one
// at a junction may lie on any of its roads.
func (j *judgement) touches(s *graph.Step) bool {
	return s.End-s.Begin < 1 && j.g.EdgeLength(s.Edge)*(s.End-s.Begin) <= strayMetres
}

// step judges a stretch of an edge.
func (j *judgement) step(s *graph.Step) {
	e := j.g.Original(s.Edge)
	way := j.g.WayID[j.g.Segment(e)]
	category := j.g.Limits[j.g.ByEdge[e].Limit].Tunnel
	if category != 0 && (way != j.tunnel || category != j.category) {
		j.verdict.Tunnels = append(j.verdict.Tunnels, engine.Tunnel{Category: string(rune(category)), Location: kernel.PointAlong(j.g, e, s.Begin), WayID: way})
	}
	j.tunnel, j.category = 0, category
	if category != 0 {
		j.tunnel = way
	}
	by := j.closed(e)
	if by == nil {
		j.way = 0
		return
	}
	if way == j.way && by.Option == j.by || len(j.verdict.Blocks) == mostBlocks {
		return
	}
	j.way, j.by = way, by.Option
	b := engine.Block{Option: by.Option, Value: by.value, WayID: way, From: kernel.PointAlong(j.g, e, s.Begin), Middle: kernel.PointAlong(j.g, e, (s.Begin+s.End)/2)}
	if by.Option == costing.ADRTunnelCode && category != 0 {
		b.Category = string(rune(category))
	}
	j.verdict.Blocks = append(j.verdict.Blocks, b)
}

// byAccess stands for access among the options that close roads.
var byAccess = option{}

// closed returns the option that closes an edge which is open without it, byAccess for one
// that is closed to the class of vehicle; nil where none does.
func (j *judgement) closed(e graph.Edge) *option {
	if j.all.Allowed(e) || !j.free.Allowed(e) {
		return nil
	}
	i := slices.IndexFunc(j.options, func(o option) bool { return !o.costing.Allowed(e) })
	switch {
	case i >= 0:
		return &j.options[i]
	case j.access:
		return &byAccess
	}
	return &j.options[0] // they close it together, as a condition on two of them does
}

// Value returns an option's value as a request has it, for people.
func Value(s *costing.Settings, own *costing.Options, o costing.Option) string {
	row := o.Row()
	switch row.Kind {
	case costing.Choice:
		return s.Text(o)
	case costing.Bool:
		return "true"
	case costing.Number, costing.Integer:
	}
	return strconv.FormatFloat(row.Get(own), 'g', -1, 64)
}
