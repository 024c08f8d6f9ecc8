package osrm

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

const (
	// farApart is the widest gap in metres that may be bridged, as of a native
	// request.
	farApart = 20_000
	// farOff is the worst accuracy of positions in metres.
	farOff = 100
)

// trace has the parameters that only a trace has, while it is read.
type trace struct {
	times    []float64
	accuracy float64 // metres; 0 is the engine's default
	together bool    // gaps do not split the trace
}

// Match is a request to the match service.
type Match struct {
	Match engine.MatchRequest
	Stops []int // positions that begin or end a leg; nil is all
}

// Points returns where the trace is.
func (m *Match) Points() []geo.Point { return m.Match.Points() }

// Costing returns the way of travel.
func (m *Match) Costing() costing.Costing { return m.Match.Costing }

// Match reads a request of the match service.
func (u *URL) Match() (*Match, error) {
	q, err := u.read(MatchService)
	if err != nil {
		return nil, err
	}
	if err := q.noPreference("a trace is matched to the roads it lies on, whatever is preferred"); err != nil {
		return nil, err
	}
	t := &q.trace
	if t.accuracy > farOff {
		return nil, Refuse(TooBig, "radiuses has %g metres and may have %d", t.accuracy, farOff)
	}
	r := q.route
	m := &Match{Stops: q.stops, Match: engine.MatchRequest{
		Trace: make([]engine.TracePoint, len(r.Locations)), How: engine.MapSnap, Costing: r.Costing, Options: r.Options, OmitExcluded: true, Output: r.Output,
	}}
	for i := range r.Locations {
		p, l := &m.Match.Trace[i], &r.Locations[i]
		p.Point, p.Heading, p.HeadingTolerance, p.Stop = l.Point, l.Heading, l.HeadingTolerance, engine.Via
		if q.stops == nil || slices.Contains(q.stops, i) {
			p.Stop = engine.BreakThrough
		}
		if t.times != nil {
			p.Time = &t.times[i]
		}
	}
	if t.accuracy > 0 {
		m.Match.Tuning.GPSAccuracy = &t.accuracy
	}
	if t.together {
		v := float64(farApart)
		m.Match.Tuning.Breakage = &v
	}
	return m, nil
}

// accuracy keeps the worst one: engines take one for a whole trace.
func accuracy(q *query, _ int, entry string) string {
	if entry == "unlimited" {
		return "" // of a trace that is the usual one
	}
	v, err := decimal(entry)
	if err != nil || v <= 0 {
		return "must be unlimited or a number of metres above 0"
	}
	q.trace.accuracy = max(q.trace.accuracy, v)
	return ""
}

func timestamps(q *query, name, value string) error {
	if value == "" {
		return nil
	}
	entries := strings.Split(value, ";")
	if len(entries) != len(q.route.Locations) {
		return Refuse(InvalidValue, "%s has %d entries and there are %d coordinates", name, len(entries), len(q.route.Locations))
	}
	times := make([]float64, len(entries))
	for i, entry := range entries {
		v, ok := schema.Whole(entry)
		if !ok || v < 0 {
			return Refuse(InvalidValue, "%s[%d] is %q and must be whole seconds since 1970", name, i, fault.Clip(entry))
		}
		if times[i] = float64(v); i > 0 && times[i] < times[i-1] {
			return Refuse(InvalidValue, "%s[%d] is %d, before the one before it; they must not fall", name, i, v)
		}
	}
	q.trace.times = times
	return nil
}
