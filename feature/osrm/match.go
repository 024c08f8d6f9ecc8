package osrm

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Traces matches traces with one engine, which is required.
type Traces struct {
	Engine engine.Engine
	Bounds geo.Bounds // of the region, for hints
}

// Trace is a checked request to match one.
type Trace struct {
	Match engine.MatchRequest

	times    []float64
	accuracy float64 // metres; 0 is the engine's default
	together bool    // gaps do not split the trace
	stops    []int   // positions that begin or end a leg; nil is all
}

// Costing is the way of travel.
func (t *Trace) Costing() costing.Costing { return t.Match.Costing }

// Points are where its coordinates are.
func (t *Trace) Points() []geo.Point { return t.Match.Points() }

const (
	// farApart is the widest gap in metres that may be bridged, as of a native
	// request.
	farApart = 20_000
	// farOff is the worst accuracy of positions in metres.
	farOff = 100
)

func (t *Trace) parameters() map[string]compatible.Reader {
	return map[string]compatible.Reader{
		"timestamps": func(q *compatible.Query, name, value string) error {
			if value == "" {
				return nil
			}
			entries := strings.Split(value, ";")
			if len(entries) != len(q.Route.Locations) {
				return compatible.Refuse(compatible.InvalidValue, "%s has %d entries and there are %d coordinates", name, len(entries), len(q.Route.Locations))
			}
			for i, entry := range entries {
				v, err := strconv.ParseUint(entry, 10, 63)
				if err != nil {
					return compatible.Refuse(compatible.InvalidValue, "%s[%d] is %q and must be whole seconds since 1970", name, i, fault.Clip(entry))
				}
				if i > 0 && float64(v) < t.times[i-1] {
					return compatible.Refuse(compatible.InvalidValue, "%s[%d] is %d, before the one before it; they must not fall", name, i, v)
				}
				t.times = append(t.times, float64(v))
			}
			return nil
		},
		// The engines know one accuracy for a whole trace: that of its worst
		// position.
		"radiuses": compatible.PerCoordinate(func(_ *compatible.Query, _ int, entry string) string {
			if entry == "unlimited" {
				return "" // of a trace that is the usual one
			}
			v, err := compatible.Decimal(entry)
			if err != nil || v <= 0 {
				return "must be unlimited or a number of metres above 0"
			}
			t.accuracy = max(t.accuracy, v)
			return ""
		}),
		"gaps":      compatible.Word(func(_ *compatible.Query, v string) { t.together = v == "ignore" }, "split", "ignore"),
		"tidy":      compatible.Flag(func(*compatible.Query, bool) {}), // positions close together never take part twice
		"waypoints": compatible.Waypoints(func(_ *compatible.Query, list []int) { t.stops = list }),
	}
}

// MatchParameters lists every parameter of the service that it heeds.
func MatchParameters() []string {
	return unweighed(names(new(Trace).parameters(), compatible.Drawing, compatible.Places, compatible.Vehicle))
}

// Read checks a request.
func (s *Traces) Read(profile, coordinates, query string) (*Trace, error) {
	t := &Trace{}
	q, err := compatible.Read(profile, coordinates, query, compatible.Limits{Least: 2, Most: MaxTrace, Bounds: s.Bounds}, t.parameters(), compatible.Drawing, compatible.Places, compatible.Vehicle)
	if err != nil {
		return nil, err
	}
	if err := q.NoPreference("a trace is matched to the roads it lies on, whatever is preferred"); err != nil {
		return nil, err
	}
	if t.accuracy > farOff {
		return nil, compatible.Refuse(compatible.TooBig, "radiuses has %g metres and may have %d", t.accuracy, farOff)
	}
	r := &q.Route
	t.Match = engine.MatchRequest{
		Trace: make([]engine.TracePoint, len(r.Locations)), How: engine.MapSnap, Costing: r.Costing, Options: r.Options, LeaveOut: true,
		Output: r.Output,
	}
	t.Match.SkipWaypoints = q.SkipWaypoints
	for i := range r.Locations {
		p, l := &t.Match.Trace[i], &r.Locations[i]
		p.Point, p.Heading, p.HeadingTolerance, p.Stop = l.Point, l.Heading, l.HeadingTolerance, engine.Via
		if t.stops == nil || slices.Contains(t.stops, i) {
			p.Stop = engine.BreakThrough
		}
		if t.times != nil {
			p.Time = &t.times[i]
		}
	}
	if t.accuracy > 0 {
		t.Match.Tuning.GPSAccuracy = &t.accuracy
	}
	if t.together {
		v := float64(farApart)
		t.Match.Tuning.Breakage = &v
	}
	return t, nil
}

// Answer matches a trace.
func (s *Traces) Answer(ctx context.Context, t *Trace) (*engine.TraceAnswer, error) {
	a, err := s.Engine.TraceRoute(ctx, &t.Match)
	var e *fault.Error
	if code := engine.Code(err); (code == engine.CodeNoMatch || code == engine.CodeNoWalk) && errors.As(err, &e) {
		return nil, compatible.Refuse(noMatch, "%s", e.Detail)
	}
	if err != nil || t.stops == nil {
		return a, err
	}
	pieces := 0
	for _, p := range a.Points {
		pieces = max(pieces, p.Route+1)
	}
	if pieces > 1 {
		return nil, compatible.Refuse(noMatch, "the trace has gaps and was matched in %d pieces, and the waypoints asked for begin and end the legs of one", pieces)
	}
	for _, i := range t.stops {
		if i < len(a.Points) && a.Points[i].Route < 0 {
			return nil, compatible.Refuse(noMatch, "waypoint %d was not matched to a road", i)
		}
	}
	return a, nil
}
