package embedded

import (
	"context"
	"math"
	"time"

	"github.com/waygate/waygate/engine"
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
func (e *Engine) Travel(ctx context.Context, r *engine.RouteRequest, line []geo.Point) (*Travelled, error) {
	q := *r
	q.Locations = engine.Stops([]geo.Point{line[0], line[len(line)-1]})
	q.When = &engine.When{}
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	p := &planner{e: e, s: s, r: &q, ctx: ctx}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	if s.match == nil {
		s.match = match.NewQuery(e.g, e.tree)
	}
	points := make([]match.Point, len(line))
	for i, at := range line {
		points[i] = match.Point{At: at, Time: math.NaN()}
	}
	// A closed road is found too: the costing is that of the open roads.
	found, err := s.match.Match(ctx, profile.New(e.g, p.who.options), points, match.EdgeWalk())
	if err == nil && len(found.Matches) != 1 {
		found, err = s.match.Match(ctx, profile.New(e.g, p.who.options), points, match.ForAccuracy(10))
	}
	if err != nil {
		return nil, err
	}
	if len(found.Matches) != 1 {
		return nil, engine.Refused(engine.CodeNoMatch, "the line does not follow roads that %s may use", r.Costing)
	}
	out := &Travelled{}
	live, now := e.live.Get(), time.Now()
	path := found.Matches[0].Path
	for i, step := range path {
		o := e.g.Original(step.Edge)
		share := step.End - step.Begin
		if i > 0 {
			out.Seconds += p.weights.Turn(path[i-1].Edge, o).Seconds
		}
		if share > 0 && live.ClosedAt(o, now.Add(time.Duration(out.Seconds*float64(time.Second)))) {
			out.Closures = append(out.Closures, pointAlong(e.g, o, step.Begin))
		}
		out.Seconds += p.secondsAt(o, out.Seconds) * share
		out.Metres += e.g.EdgeLength(o) * share
	}
	return out, nil
}
