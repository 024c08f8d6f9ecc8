// Package progress works out how far a traveller has come on a plan: where on it they are, what
// is left, and when they will arrive. It stores nothing.
package progress

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// DefaultOffRoute is the distance in metres beyond which a traveller is off the plan, where the
// request has none.
const DefaultOffRoute = 50

// arrivedWithin is how many metres of the plan may be left to a traveller who has arrived.
const arrivedWithin = 30

// Request is a plan and where its traveller is. It is checked before it comes
// here: the plan is a line of two points or more, or an origin and a
// destination. The time of its conditions is that of the position.
type Request struct {
	Line       []geo.Point // the plan; nil where Ends are
	Ends       [2]geo.Point
	Costing    costing.Costing
	Options    costing.Settings
	Conditions engine.Conditions
	Position   geo.Point
	Trace      []Fix     // where the traveller was before, in order
	Heading    *float64  // of the traveller in degrees; nil where unknown
	After      float64   // metres of the plan that are known to lie behind
	OffRoute   float64   // metres; 0 is DefaultOffRoute
	At         time.Time // of the position, zero is now; its offset gives the local time where the time zone is not known

	LineField, PositionField string // names of the line and the position in refusals; "" are shape and position
}

// Progress is the answer.
type Progress struct {
	Snapped           Snapped   `json:"snapped" doc:"the place of the plan where the traveller is"`
	Method            string    `json:"method" enum:"nearest,heading,trace" doc:"how that place was found: the nearest of the plan, the nearest whose course fits the heading, or the one that recent_trace leads to"`
	Arrived           bool      `json:"arrived" doc:"whether at most 30 m of the plan are left, and the position is not off it"`
	Fraction          float64   `json:"progress_fraction" decimals:"4" minimum:"0" maximum:"1" doc:"share of the plan's length that lies behind"`
	Travelled         float64   `json:"travelled_m" decimals:"1" doc:"metres of the plan behind the snapped position"`
	Planned           float64   `json:"plan_distance_m" decimals:"1" doc:"length of the whole plan in metres"`
	PlanLeft          float64   `json:"plan_remaining_m" decimals:"1" doc:"metres of the plan ahead of the snapped position"`
	Remaining         float64   `json:"remaining_distance_m" decimals:"1" doc:"metres to the destination, recomputed by the engine"`
	RemainingDuration float64   `json:"remaining_duration_s" decimals:"1" doc:"seconds to the destination, recomputed by the engine"`
	FollowsPlan       bool      `json:"remaining_follows_plan" doc:"whether what the engine recomputed goes along the rest of the plan"`
	OffRoute          bool      `json:"off_route" doc:"whether the position is further from the plan than off_route_threshold_m"`
	OffRouteBy        float64   `json:"off_route_distance_m" decimals:"1" doc:"metres between the position and the plan, measured"`
	Threshold         float64   `json:"off_route_threshold_m"`
	At                time.Time `json:"at" doc:"time of the position"`
	ETA               time.Time `json:"eta" doc:"at and remaining_duration_s"`
	Traffic           Traffic   `json:"traffic" doc:"what the durations and so the ETA rest on"`
	Note              string    `json:"note,omitempty"`

	Far []int `json:"-"` // positions of the trace that lie off the plan and did not count
}

// Snapped is a place on the plan.
type Snapped struct {
	Lat        float64 `json:"lat" decimals:"6"`
	Lon        float64 `json:"lon" decimals:"6"`
	ShapeIndex int     `json:"shape_index" doc:"of the plan's point at or before it"`
	Bearing    float64 `json:"course" decimals:"1" doc:"of the plan there, in degrees"`
}

// Traffic is where the speeds behind an ETA come from.
type Traffic struct {
	Live       bool     `json:"live" doc:"whether live speeds are claimed"`
	CoveredPct float64  `json:"covered_pct" minimum:"0" maximum:"1" doc:"share of the remaining way with traffic data"`
	Sources    []string `json:"sources" doc:"subset of live, predicted, profile, default; empty where the engine does not say"`
	Stale      bool     `json:"stale" doc:"the data were too old for a live claim"`
	Note       string   `json:"note"`
}

// Service works out progress with one engine.
type Service struct {
	Engine engine.Engine
	Known  *engine.KnownTraffic // nil is a deployment without traffic data
	Now    func() time.Time     // nil is time.Now
	// Zone is the time zone of a place; nil, and what it gives, is not known.
	Zone func(geo.Point) *time.Location
}

// nowFor is how far from now the time of a position may be for live speeds to count.
const nowFor = 5 * time.Minute

// timed returns a request with the time at which the rest is travelled from, where speeds depend
// on it: now, or the local time at the position.
func (s *Service) timed(r Request) *Request {
	now := time.Now()
	if s.Now != nil {
		now = s.Now()
	}
	if r.At.IsZero() {
		r.At = now
	}
	if s.Known == nil {
		return &r
	}
	r.Conditions.When = &engine.When{Type: engine.Now}
	if r.At.Sub(now).Abs() <= nowFor {
		return &r
	}
	at := r.At
	if s.Zone != nil {
		if zone := s.Zone(r.Position); zone != nil {
			at = at.In(zone)
		}
	}
	r.Conditions.When = &engine.When{Type: engine.Depart, Local: time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)}
	return &r
}

// Of works out the progress of a traveller. A refusal of the engine gets a field with the member of
// the request that has no road near it: origin, destination, position, or shape for the line's
// end.
func (s *Service) Of(ctx context.Context, asked *Request) (*Progress, error) {
	r := s.timed(*asked)
	line := r.Line
	if line == nil {
		plan, err := s.route(ctx, r, []engine.Location{{Point: r.Ends[0]}, {Point: r.Ends[1]}})
		if err != nil {
			return nil, named(err, "origin", "destination")
		}
		line = plan.Line()
	}
	threshold := r.OffRoute
	if threshold == 0 {
		threshold = DefaultOffRoute
	}
	at, err := placed(ctx, line, r, threshold)
	if err != nil {
		return nil, err
	}
	ruler, on := at.ruler, at.on
	p := &Progress{
		Snapped: Snapped{on.Point.Lat, on.Point.Lon, on.Index, on.Bearing}, Method: at.method, Far: at.far,
		Travelled: on.Arc, Planned: ruler.Length(), PlanLeft: ruler.Length() - on.Arc,
		OffRoute: on.Metres > threshold, OffRouteBy: on.Metres, Threshold: threshold,
		At: r.At.UTC(), Fraction: 1,
	}
	p.Arrived = !p.OffRoute && p.PlanLeft <= arrivedWithin
	if ruler.Length() > 0 {
		p.Fraction = on.Arc / ruler.Length()
	}
	left, follows, err := s.remaining(ctx, r, ruler, on, p.OffRoute)
	if err != nil {
		end := cmp.Or(r.LineField, "shape")
		if r.Line == nil {
			end = "destination"
		}
		return nil, named(err, cmp.Or(r.PositionField, "position"), end)
	}
	p.Remaining, p.RemainingDuration, p.FollowsPlan = left.Metres, left.Seconds, follows
	if p.Traffic, err = s.traffic(ctx, r, left); err != nil {
		return nil, err
	}
	p.ETA = p.At.Add(time.Duration(left.Seconds * float64(time.Second))).Truncate(time.Second)
	switch {
	case p.OffRoute:
		p.Note = "the position is off the plan; what remains is the engine's way from the position to the destination"
	case !follows:
		p.Note = "the engine's way to the destination is not the rest of the plan; its distance and duration are those of the engine's way"
	}
	return p, nil
}

// position is where on the plan a traveller is, and how that was found.
type position struct {
	ruler  *geo.Ruler // of the plan
	on     geo.Mark
	method string
	far    []int // positions of the trace that are far from the plan
}

// placed finds where on the plan a traveller is. Where the plan passes a place twice, the
// recent trace decides, or the heading and r.After.
func placed(ctx context.Context, line []geo.Point, r *Request, threshold float64) (p position, err error) {
	err = engine.Work(ctx, effort(len(line), len(r.Trace)), func(ctx context.Context) error {
		p.ruler = geo.NewRuler(line)
		if len(r.Trace) > 0 {
			c := corridor.New(line)
			arc, far, ok, err := follow(ctx, c, r, threshold)
			if err != nil {
				return err
			}
			p.far = far
			if ok {
				p.on = p.ruler.At(arc * p.ruler.Length() / c.Length())
				p.on.Metres, p.method = geo.Distance(r.Position, p.on.Point), ByTrace
				return nil
			}
		}
		p.on, p.method = placeOnPlan(p.ruler, r, threshold)
		return nil
	})
	return p, err
}

// placeOnPlan finds where on the plan a traveller is without a trace.
func placeOnPlan(ruler *geo.Ruler, r *Request, threshold float64) (on geo.Mark, method string) {
	ahead := func(arc float64) bool { return arc >= math.Min(r.After, ruler.Length()) }
	if r.Heading != nil {
		m, ok := ruler.Nearest(r.Position, func(bearing, arc float64) bool {
			off := geo.Turn(*r.Heading, bearing)
			return ahead(arc) && math.Min(off, 360-off) <= 90
		})
		if ok && m.Metres <= threshold {
			return m, ByHeading
		}
	}
	if m, ok := ruler.Nearest(r.Position, func(_, arc float64) bool { return ahead(arc) }); ok {
		return m, ByNearest
	}
	m := ruler.At(r.After) // all of the plan lies behind
	m.Metres = geo.Distance(r.Position, m.Point)
	return m, ByNearest
}

// How far the engine's way may differ in length from the rest of the plan and
// still be it: a share, and metres for short ones.
const (
	sameShare  = 0.02
	sameMetres = 50
)

// The engine is made to follow the plan by places on it: one for every holdEvery metres, sampled
// at the most.
const (
	sampled   = 20
	holdEvery = 500
)

// remaining routes from where the traveller is to the destination, along the rest of the plan
// where the engine can be made to follow it.
func (s *Service) remaining(ctx context.Context, r *Request, ruler *geo.Ruler, on geo.Mark, off bool) (left *engine.Route, follows bool, err error) {
	end := engine.Location{Point: ruler.At(ruler.Length()).Point}
	if off {
		left, err = s.routeFrom(ctx, r, []engine.Location{{Point: r.Position, Heading: r.Heading}, end})
		return left, false, err
	}
	from := engine.Location{Point: on.Point, Heading: &on.Bearing}
	rest := ruler.Length() - on.Arc
	if left, err = s.routeFrom(ctx, r, []engine.Location{from, end}); err != nil || same(left.Metres, rest) || r.Line == nil {
		return left, err == nil && same(left.Metres, rest), err
	}
	stops := []engine.Location{from}
	n := min(sampled, int(rest/holdEvery)+1)
	for i := range n {
		m := ruler.At(on.Arc + rest*float64(i+1)/float64(n+1))
		stops = append(stops, engine.Location{Point: m.Point, Heading: &m.Bearing, Stop: engine.Through})
	}
	along, err := s.route(ctx, r, append(stops, end))
	switch {
	case err == nil && same(along.Metres, rest):
		return along, true, nil
	case engine.Code(err) == 0 && err != nil:
		return nil, false, err
	}
	return left, false, nil
}

func same(got, want float64) bool { return math.Abs(got-want) <= math.Max(sameShare*want, sameMetres) }

// routeFrom routes from where the traveller is; without a heading where no road there leads that
// way.
func (s *Service) routeFrom(ctx context.Context, r *Request, stops []engine.Location) (*engine.Route, error) {
	j, err := s.route(ctx, r, stops)
	if engine.Code(err) != 0 && stops[0].Heading != nil {
		stops[0].Heading = nil
		return s.route(ctx, r, stops)
	}
	return j, err
}

func (s *Service) route(ctx context.Context, r *Request, stops []engine.Location) (*engine.Route, error) {
	return engine.Best(ctx, s.Engine, &engine.RouteRequest{Locations: stops, Costing: r.Costing, Options: r.Options, Conditions: r.Conditions})
}

// named adds to a refusal which member of the request the refused location is.
func named(err error, members ...string) error {
	var e *fault.Error
	if engine.Code(err) == 0 || !errors.As(err, &e) {
		return err
	}
	i, ok := e.Fields["location_index"].(int)
	if !ok || i < 0 || i >= len(members) {
		return err
	}
	out := *e
	out.Fields = maps.Clone(e.Fields)
	out.Detail = members[i] + ": " + e.Detail
	return out.With("field", members[i])
}

// traffic returns where the speeds of the remaining way come from.
func (s *Service) traffic(ctx context.Context, r *Request, left *engine.Route) (Traffic, error) {
	if s.Known == nil {
		return s.unknownTraffic(), nil
	}
	shares, err := s.Known.Shares(ctx, r.Costing, &r.Conditions, engine.Stretch{Line: left.Line(), Seconds: left.Seconds})
	return Traffic{Live: shares.Live > 0, CoveredPct: shares.Covered, Sources: shares.Sources(), Stale: s.Known.StaleFor(shares), Note: s.Known.Why(r.Costing, &r.Conditions, shares)}, err
}

// unknownTraffic returns the sources of speeds that the engine has, without traffic data.
func (s *Service) unknownTraffic() Traffic {
	sources := s.Engine.Can().SpeedSources
	if sources == nil {
		return Traffic{Sources: []string{}, Note: "the routing engine does not say whether its speeds come from traffic; none is claimed"}
	}
	return Traffic{Sources: sources, Note: "there is no traffic data here: durations rest on the default speeds of the roads, and the ETA knows of no congestion"}
}
