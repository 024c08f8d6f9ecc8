package live

import (
	"context"
	"math"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/profile"
)

// Travelled is how long a given way takes who sets out now, and where it is closed
// when he comes there.
type Travelled struct {
	Seconds  float64
	Metres   float64
	Closures []geo.Point
}

// Travel follows a line on the roads with what is live now. A line that is on none of
// the traveller's roads is refused with CodeNoMatch.
func (e *Roads) Travel(ctx context.Context, r *engine.RouteRequest, line []geo.Point) (*Travelled, error) {
	q := *r
	q.Locations = engine.Stops([]geo.Point{line[0], line[len(line)-1]})
	q.When = &engine.When{}
	s := e.base.Scratch.Get().(*plan.Scratch)
	defer e.base.Scratch.GiveBack(s)
	p := (&plan.Request{Base: e.base, Query: &q, Ctx: ctx}).Searcher(s)
	if err := p.Prepare(); err != nil {
		return nil, err
	}
	if s.Match == nil {
		s.Match = match.NewQuery(e.base.Graph, e.base.Tree)
	}
	points := make([]match.Point, len(line))
	for i, at := range line {
		points[i] = match.Point{At: at, Time: math.NaN()}
	}
	// A closed road is found too: the costing is that of the open roads.
	found, err := s.Match.Match(ctx, profile.New(e.base.Graph, p.Who.Options), points, match.EdgeWalk())
	if err == nil && len(found.Matches) != 1 {
		found, err = s.Match.Match(ctx, profile.New(e.base.Graph, p.Who.Options), points, match.ForAccuracy(10))
	}
	if err != nil {
		return nil, err
	}
	if len(found.Matches) != 1 {
		return nil, engine.Refused(engine.CodeNoMatch, "the line does not follow roads that %s may use", r.Costing)
	}
	out := &Travelled{}
	live, now := e.base.Current.Get(), e.base.Now()
	path := found.Matches[0].Path
	for i, step := range path {
		o := e.base.Graph.Original(step.Edge)
		share := step.End - step.Begin
		if i > 0 {
			out.Seconds += p.Weights.Turn(path[i-1].Edge, o).Seconds
		}
		if share > 0 && live.ClosedAt(o, now.Add(time.Duration(out.Seconds*float64(time.Second)))) {
			out.Closures = append(out.Closures, kernel.PointAlong(e.base.Graph, o, step.Begin))
		}
		if p.Clock.Limited(o) {
			out.Seconds += p.Weights.Travel(p.Clock, o, share, plan.Millis(out.Seconds)).Seconds
		} else {
			out.Seconds += p.SecondsAt(o, out.Seconds) * share
		}
		out.Metres += e.base.Graph.EdgeLength(o) * share
	}
	return out, nil
}
