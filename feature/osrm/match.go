package osrm

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Traces matches traces with one engine, which is required.
type Traces struct {
	Engine engine.Matcher
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

// farApart is a gap that no two positions on one continent have, in metres.
const farApart = 20_000

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
			v, err := strconv.ParseFloat(entry, 64)
			if err != nil || !(v > 0) || v > 100 {
				return "must be metres above 0 and at most 100"
			}
			t.accuracy = max(t.accuracy, v)
			return ""
		}),
		"gaps":      compatible.Word(func(_ *compatible.Query, v string) { t.together = v == "ignore" }, "split", "ignore"),
		"tidy":      compatible.Flag(func(*compatible.Query, bool) {}), // positions close together never take part twice
		"waypoints": compatible.Indices(func(_ *compatible.Query, list []int) { t.stops = list }),
	}
}

// MatchParameters lists every parameter of the service.
func MatchParameters() []string {
	return names(new(Trace).parameters(), compatible.Drawing, compatible.Places, compatible.Vehicle)
}

// Read checks a request.
func (s *Traces) Read(profile, coordinates, query string) (*Trace, error) {
	t := &Trace{}
	q, err := compatible.Read(profile, coordinates, query, compatible.Limits{Least: 2, Most: MaxTrace, Bounds: s.Bounds}, t.parameters(), compatible.Drawing, compatible.Places, compatible.Vehicle)
	if err != nil {
		return nil, err
	}
	if err := q.Drawn(); err != nil {
		return nil, err
	}
	if err := q.Settle(); err != nil {
		return nil, err
	}
	r := &q.Route
	last := len(r.Locations) - 1
	if t.stops != nil && (!slices.Contains(t.stops, 0) || !slices.Contains(t.stops, last)) {
		return nil, compatible.Refuse(compatible.InvalidValue, "waypoints must have the first and the last coordinate, 0 and %d", last)
	}
	t.Match = engine.MatchRequest{
		Trace: make([]engine.TracePoint, len(r.Locations)), How: engine.MapSnap, Costing: r.Costing, Options: r.Options,
		Face: engine.Compatible, Miles: r.Miles, Language: r.Language,
		Telling: r.Telling,
		Drawing: &engine.Drawing{Steps: r.Steps, Overview: r.Overview, Geometries: r.Geometries, Annotations: r.Annotations, Voice: r.Voice, Banners: r.Banners},
	}
	for i := range r.Locations {
		p := &t.Match.Trace[i]
		p.Point, p.Stop = r.Locations[i].Point, engine.Via
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
func (s *Traces) Answer(ctx context.Context, t *Trace) ([]byte, error) {
	a, err := s.Engine.TraceRoute(ctx, &t.Match)
	switch engine.Code(err) {
	case engine.CodeNoMatch, engine.CodeNoWalk:
		return nil, compatible.Refuse(noMatch, "%v", err)
	}
	if err != nil {
		return nil, err
	}
	return a.Body, nil
}
