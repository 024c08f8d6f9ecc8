package embedded

import (
	"cmp"
	"context"
	"math"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/profile"
)

// defaultAccuracy is the standard deviation of positions in metres, Valhalla's
// default, where a trace does not show that it is more.
const defaultAccuracy = 5

// matching is a matched trace with the request it answers.
type matching struct {
	e       *Engine
	r       *engine.MatchRequest
	costing *profile.Costing
	result  *match.Result
}

// TraceRoute answers with routes along the matched way. See engine.Engine.
func (e *Engine) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.TraceAnswer, error) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	m, err := e.match(ctx, r, s)
	if err != nil {
		return nil, err
	}
	a, o := &engine.TraceAnswer{Points: m.points()}, m.output()
	a.Routes, a.Warnings = routesOf(e.g, r.Want, o, m.routes()), e.warnings(r.Costing, &r.Options, o)
	for i := range a.Routes {
		a.Confidence = append(a.Confidence, m.confidence(i))
	}
	return a, nil
}

// output is how the routes are to be written: of a trace with steps unless the
// request says what is shown of the whole line.
func (m *matching) output() *engine.Output {
	o := m.r.Output
	o.Steps = o.Steps || o.Overview == ""
	return &o
}

// TraceAttributes tells of the edges of the matched way. See engine.Engine.
func (e *Engine) TraceAttributes(ctx context.Context, r *engine.MatchRequest) (*engine.AttributesAnswer, error) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	m, err := e.match(ctx, r, s)
	if err != nil {
		return nil, err
	}
	a := m.attributes()
	a.Warnings = e.warnings(r.Costing, &r.Options, &r.Output)
	return a, nil
}

// match matches a trace. The result is good until s is given back.
func (e *Engine) match(ctx context.Context, r *engine.MatchRequest, s *scratch) (*matching, error) {
	if s.match == nil {
		s.match = match.NewQuery(e.g, e.tree)
	}
	m := &matching{e: e, r: r, costing: profile.New(e.g, r.Options.Of(r.Costing))}
	return m, m.find(ctx, s.match)
}

// find matches the trace in the way that was asked for.
func (m *matching) find(ctx context.Context, q *match.Query) (err error) {
	trace := make([]match.Point, len(m.r.Trace))
	for i, p := range m.r.Trace {
		trace[i] = match.Point{At: p.Point, Time: math.NaN()}
		if p.Heading != nil {
			trace[i].Course, trace[i].Within = *p.Heading, cmp.Or(p.HeadingTolerance, engine.UsualHeadingTolerance)
		}
	}
	if m.r.How != engine.MapSnap {
		walk := match.EdgeWalk()
		walk.OmitExcluded = m.r.OmitExcluded
		if m.result, err = q.Match(ctx, m.costing, trace, walk); err != nil {
			return err
		}
		if len(m.result.Matches) > 0 {
			m.times()
			return nil
		}
	}
	if m.r.How == engine.EdgeWalk {
		return engine.Refused(engine.CodeNoWalk, "the trace does not follow the roads exactly, which shape_match edge_walk needs: it is for the shape of an earlier route; use map_snap or walk_or_snap")
	}
	for i, p := range m.r.Trace {
		if p.Time != nil {
			trace[i].Time = *p.Time
		}
	}
	var o match.Options
	optionsFor := func(accuracy float64) match.Options {
		o = tuned(m.r, accuracy)
		return o
	}
	if t := &m.r.Tuning; t.GPSAccuracy == nil {
		m.result, err = q.MatchUnknown(ctx, m.costing, trace, match.Unknown{Usual: defaultAccuracy, Whole: t.Interpolation != nil, Options: optionsFor})
	} else {
		m.result, err = q.Match(ctx, m.costing, trace, optionsFor(accuracy(m.r)))
	}
	if err != nil {
		return err
	}
	switch {
	case len(m.result.Matches) > 0:
		m.times()
		return nil
	case !m.result.Near:
		return engine.Refused(engine.CodeNoSegment, "none of the %d positions of the trace has a road usable by %s within %g m; the first is %s", len(trace), m.r.Costing, o.Radius, trace[0].At)
	}
	return engine.Refused(engine.CodeNoMatch, "no way for %s joins any two neighbouring positions of the trace; they are too far apart (breakage_distance is %g m), too fast for their times, or on roads that do not meet", m.r.Costing, o.Breakage)
}

// accuracy is the standard deviation of a trace's positions in metres, as given.
func accuracy(r *engine.MatchRequest) float64 {
	if a := r.Tuning.GPSAccuracy; a != nil {
		return math.Max(1, *a) // better would leave no road near enough
	}
	return defaultAccuracy
}

// tuned gives the parameters of the model for an accuracy in metres.
func tuned(r *engine.MatchRequest, accuracy float64) match.Options {
	t, o := &r.Tuning, match.ForAccuracy(accuracy)
	o.OmitExcluded = r.OmitExcluded
	set := func(to *float64, v *float64) {
		if v != nil {
			*to = *v
		}
	}
	set(&o.Radius, t.SearchRadius)
	set(&o.Breakage, t.Breakage)
	set(&o.Interpolation, t.Interpolation)
	set(&o.Turn, t.TurnPenalty)
	return o
}

// times puts times and costs on the matched paths.
func (m *matching) times() {
	for i := range m.result.Matches {
		path := m.result.Matches[i].Path
		for k := range path {
			s := &path[k]
			share, original := s.End-s.Begin, m.e.g.Original(s.Edge)
			s.Seconds = m.costing.Seconds(original) * share
			s.Cost = float64(m.costing.EdgeAtEnd(original)) / 1000 * share
			if k == 0 || s.Begin > 0 {
				continue // turned round on the way, which no costing knows
			}
			if d := m.costing.Turn(path[k-1].Edge, original); d.Cost != profile.Forbidden {
				s.Turn = d.Seconds
				s.TurnCost = float64(d.Cost) / 1000
				s.Cost += s.TurnCost
			}
		}
		if m.r.UseTimestamps {
			m.clock(i)
		}
	}
}

// clock puts the trace's own times on a matched path: between two positions
// that took part and have times, what the costing says is stretched to what passed.
func (m *matching) clock(match int) {
	path := m.result.Matches[match].Path
	by := make([]stretching, len(path))
	var last *int
	for i := range m.result.Places {
		if m.result.Places[i].Match != match || !m.timed(i) {
			continue
		}
		if last != nil {
			m.stretch(path, by, *last, i)
		}
		last = &i
	}
	for k := range path {
		if s := &path[k]; by[k].at {
			s.Seconds, s.Turn = max(0, s.Seconds+s.Turn+by[k].seconds), 0
		}
	}
}

// stretching is by how much a step becomes longer, where it is stretched.
type stretching struct {
	at      bool
	seconds float64
}

func (m *matching) timed(i int) bool {
	return m.result.Places[i].Kind == match.Matched && m.r.Trace[i].Time != nil
}

func (m *matching) stretch(path graph.Path, by []stretching, from, to int) {
	a, b := &m.result.Places[from], &m.result.Places[to]
	passed := *m.r.Trace[to].Time - *m.r.Trace[from].Time
	seconds := func(k int) float64 {
		s := &path[k]
		begin, end, turn := s.Begin, s.End, s.Turn
		if k == a.Step {
			begin, turn = a.Along, 0
		}
		if k == b.Step {
			end = b.Along
		}
		if s.End <= s.Begin {
			return turn
		}
		return turn + s.Seconds*(end-begin)/(s.End-s.Begin)
	}
	sum := 0.0
	for k := a.Step; k <= b.Step; k++ {
		by[k].at = true
		sum += seconds(k)
	}
	if sum <= 0 { // stood still
		by[a.Step].seconds += passed
		return
	}
	for k := a.Step; k <= b.Step; k++ {
		by[k].seconds += seconds(k) * (passed/sum - 1)
	}
}
