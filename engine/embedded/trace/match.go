// Package trace answers calls about traces of positions.
package trace

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/answer"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// defaultAccuracy is the standard deviation of positions in metres, Valhalla's
// default, where a trace does not show that it is more.
const defaultAccuracy = 5

// Service matches traces to the roads.
type Service struct{ *plan.Base }

// New returns the service of a region.
func New(b *plan.Base) *Service { return &Service{b} }

// matching is a matched trace with the request it answers.
type matching struct {
	e       *plan.Base
	r       *engine.MatchRequest
	costing *profile.Costing
	result  *match.Result
}

// TraceRoute answers with routes along the matched way. See engine.Engine.
func (e *Service) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.TraceAnswer, error) {
	s := e.Scratch.Get().(*plan.Scratch)
	defer e.Scratch.GiveBack(s)
	m, err := e.match(ctx, r, s)
	if err != nil {
		return nil, err
	}
	a, o := &engine.TraceAnswer{Points: m.points()}, m.output()
	a.Routes, a.Warnings = answer.Routes(e.Graph, r.Want, o, m.routes()), answer.Warnings(e.Graph, r.Costing, &r.Options, o)
	for i := range a.Routes {
		a.Confidence = append(a.Confidence, m.confidence(i))
	}
	return a, nil
}

// output returns how the routes are to be written: of a trace with steps unless the
// request sets what is shown of the whole line.
func (m *matching) output() *engine.Output {
	o := m.r.Output
	o.Steps = o.Steps || o.Overview == ""
	return &o
}

// TraceAttributes describes the edges of the matched way. See engine.Engine.
func (e *Service) TraceAttributes(ctx context.Context, r *engine.MatchRequest) (*engine.AttributesAnswer, error) {
	s := e.Scratch.Get().(*plan.Scratch)
	defer e.Scratch.GiveBack(s)
	m, err := e.match(ctx, r, s)
	if err != nil {
		return nil, err
	}
	a := m.attributes()
	a.Warnings = answer.Warnings(e.Graph, r.Costing, &r.Options, &r.Output)
	return a, nil
}

// match matches a trace. The result is good until s is given back.
func (e *Service) match(ctx context.Context, r *engine.MatchRequest, s *plan.Scratch) (*matching, error) {
	if s.Match == nil {
		s.Match = match.NewQuery(e.Graph, e.Tree)
	}
	m := &matching{e: e.Base, r: r, costing: profile.New(e.Graph, r.Options.Of(r.Costing))}
	return m, m.find(ctx, s.Match)
}

// find matches the trace in the way that was asked for.
func (m *matching) find(ctx context.Context, q *match.Query) (err error) {
	trace := make([]match.Point, len(m.r.Trace))
	for i, p := range m.r.Trace {
		trace[i] = match.Point{At: p.Point, Time: math.NaN()}
		if p.Heading != nil {
			trace[i].Heading, trace[i].Within = *p.Heading, cmp.Or(p.HeadingTolerance, engine.UsualHeadingTolerance)
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
		o = Tuned(m.r, accuracy)
		return o
	}
	if t := &m.r.Tuning; t.GPSAccuracy == nil {
		m.result, err = q.MatchUnknown(ctx, m.costing, trace, match.Unknown{Usual: defaultAccuracy, Whole: t.Interpolation != nil, Options: optionsFor})
	} else {
		m.result, err = q.Match(ctx, m.costing, trace, optionsFor(Accuracy(m.r)))
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

// Accuracy returns the standard deviation of a trace's positions in metres, as given.
func Accuracy(r *engine.MatchRequest) float64 {
	if a := r.Tuning.GPSAccuracy; a != nil {
		return math.Max(1, *a) // better would leave no road near enough
	}
	return defaultAccuracy
}

// Tuned returns the parameters of the model for an accuracy in metres.
func Tuned(r *engine.MatchRequest, accuracy float64) match.Options {
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

// times puts times and costs on the matched paths. Where the request has a time, speed
// limits are those of it.
func (m *matching) times() {
	w, clock := search.Weights{Costing: m.costing}, m.limitClock()
	if clock != nil {
		w.Costing = profile.NewOpen(m.e.Graph, m.costing.Options(), m.e.Metrics.BestTimes[m.r.Costing]())
	}
	at := int64(0)
	for i := range m.result.Matches {
		found := &m.result.Matches[i]
		if passed := m.passed(0, found.First); passed > 0 {
			at = plan.Millis(passed)
		}
		begin := at
		for k := range found.Path {
			s := &found.Path[k]
			if d := m.turn(found.Path, k); d.Cost != profile.Forbidden {
				s.Turn, s.TurnCost = d.Seconds, float64(d.Cost)/1000
			}
			at += plan.Millis(s.Turn)
			if o, share := m.e.Graph.Original(s.Edge), s.End-s.Begin; clock.Limited(o) {
				x := w.Travel(clock, o, share, at)
				s.Seconds, s.Cost, s.Limits = x.Seconds, float64(x.Cost)/1024/1000, x.Limits
			} else {
				s.Seconds, s.Cost = m.costing.Seconds(o)*share, float64(m.costing.EdgeAtEnd(o))/1000*share
			}
			s.Cost += s.TurnCost
			at += plan.Millis(s.Seconds)
		}
		if !m.r.UseTimestamps {
			continue
		}
		m.clock(i)
		at = begin
		for k := range found.Path {
			s := &found.Path[k]
			at += plan.Millis(s.Turn)
			if o := m.e.Graph.Original(s.Edge); clock.Limited(o) {
				s.Limits = clock.LimitsAt(o, at)
			}
			at += plan.Millis(s.Seconds)
		}
	}
}

// limitClock returns the clock whose moment is that of the trace's first position; nil where the
// request has no time.
func (m *matching) limitClock() *overlay.Clock {
	when, g := m.r.When, m.e.Graph
	if when == nil || m.costing.Mode()&graph.Motor == 0 {
		return nil
	}
	local := when.Local
	switch when.Type {
	case engine.Now:
		zone, known := conditional.Zone(g.Country[g.Segment(m.result.Matches[0].Path[0].Edge)])
		if !known {
			zone = time.UTC
		}
		local = plan.WallClock(m.e.Now().In(zone))
	case engine.Arrive:
		seconds := m.passed(0, len(m.r.Trace)-1)
		if seconds == 0 {
			for i := range m.result.Matches {
				for _, s := range m.result.Matches[i].Path {
					seconds += m.costing.Seconds(g.Original(s.Edge)) * (s.End - s.Begin)
				}
			}
		}
		local = local.Add(-time.Duration(seconds * float64(time.Second)))
	}
	o := m.costing.Options()
	k := overlay.NewClock(m.e.Conditions(), overlay.Traveller{Mode: m.costing.Mode(), Vehicle: profile.Vehicle(&o)}, local)
	k.Wait, k.Frozen = m.costing.Wait(), when.Type == engine.Invariant
	return k
}

// passed returns the seconds from one position of the trace to another, 0 without times.
func (m *matching) passed(from, to int) float64 {
	a, b := m.r.Trace[from].Time, m.r.Trace[to].Time
	if a == nil || b == nil {
		return 0
	}
	return *b - *a
}

// turn returns the delay before a step of a matched path; none where it begins, or turns
// round on the way, for which no costing has a delay.
func (m *matching) turn(path graph.Path, k int) profile.Delay {
	if k == 0 || path[k].Begin > 0 {
		return profile.Delay{}
	}
	return m.costing.Turn(path[k-1].Edge, m.e.Graph.Original(path[k].Edge))
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
