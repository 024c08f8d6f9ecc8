// Package along ranks places along a route by the detour that calling at them takes,
// measured on the road network.
package along

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// MaxPlaces is how many places one request may bring.
const MaxPlaces = 500

// Request is a route and the places that may be called at. It is checked
// before it comes here: two stops or more, or a line of two points or more.
type Request struct {
	Stops      []geo.Point // the route; nil where Line is
	Line       []geo.Point // a route that is given as it runs
	Costing    costing.Costing
	Options    costing.Settings
	Conditions engine.Conditions
	Places     []Place
	// Corridor, in metres, leaves out the places further from the line, and of those
	// within it all but the MaxPlaces nearest to it. With 0 all Places are measured, of
	// which there must not be more than MaxPlaces.
	Corridor  float64
	Kind      *Kind    // in place of Places: those of a kind in the corridor, MostOfKind at most
	MaxDetour *float64 // seconds; nil is any
	Limit     int      // 0 is all

	known *engine.Route // through the stops; nil where it is still to be worked out
	// placed leaves out of the answer where on the route places are: the caller has
	// found them there.
	placed bool
}

// Place is one that a caller brings.
type Place struct {
	ID         string
	Name       string
	Point      geo.Point
	Properties json.RawMessage
}

// Answer is the places in the order of their detours.
type Answer struct {
	Route       Route         `json:"route"`
	Places      []Ranked      `json:"places" doc:"the cheapest detour first"`
	Excluded    Excluded      `json:"excluded"`
	Unreachable []Unreachable `json:"unreachable" doc:"places that cannot be called at on the way"`
}

// Route is the route without any detour.
type Route struct {
	Distance float64  `json:"distance_m" decimals:"1"`
	Duration *float64 `json:"duration_s" decimals:"1" doc:"null where it is not known: of a line that is given as it runs, where the answer needs no times along it"`
	Shape    string   `json:"shape" doc:"encoded polyline of six digits"`
}

// Ranked is a place with its detour.
type Ranked struct {
	Index      int             `json:"index" doc:"in the request's places, or in the key's own; of places of a kind only a number"`
	ID         string          `json:"id,omitempty"`
	Name       string          `json:"name,omitempty"`
	Lat        float64         `json:"lat"`
	Lon        float64         `json:"lon"`
	Snapped    Position        `json:"snapped" doc:"the place on the road"`
	Arc        float64         `json:"arc_m" decimals:"1" doc:"metres along the route to where it passes the place most closely"`
	OffLine    float64         `json:"route_distance_m" decimals:"1" doc:"metres between the place and the route, straight"`
	Detour     float64         `json:"detour_s" minimum:"0" doc:"seconds that calling at the place adds; the stop itself apart"`
	DetourM    float64         `json:"detour_m" decimals:"1" doc:"metres that it adds; below zero where the way by the place is slower and shorter"`
	Leg        int             `json:"leg_index" doc:"of the leg it is called at on: between two locations, or two samples of a line"`
	Properties json.RawMessage `json:"properties,omitempty" doc:"as sent; of a place of a kind its categories, address and opening_hours, and open_now where open ones are asked for and it is known to be"`
}

// Position is a place in degrees.
type Position struct {
	Lat float64 `json:"lat" decimals:"6"`
	Lon float64 `json:"lon" decimals:"6"`
}

// Excluded counts what was left out.
type Excluded struct {
	Detour int `json:"over_max_detour" doc:"places whose detour is longer than max_detour_s"`
	Limit  int `json:"beyond_limit" doc:"places that limit left no room for"`

	Corridor int `json:"beyond_corridor,omitempty" doc:"of own places and those of a kind: those further from the route than corridor_m"`
	Nearest  int `json:"beyond_nearest,omitempty" doc:"of own places: those within the corridor that are not among the 500 nearest to the route, which alone are measured; of a kind, the 100 nearest"`
}

// Unreachable is a place that cannot be called at.
type Unreachable struct {
	Index  int    `json:"index"`
	ID     string `json:"id,omitempty"`
	Reason string `json:"reason"`
}

// Service ranks with one engine, which is required.
type Service struct {
	Engine engine.Engine
}

// Rank measures the detour to every place. Where the route has stops, a
// detour is measured against the fastest way between two of them; where it is
// a line, against the line between samples of it.
func (s *Service) Rank(ctx context.Context, r *Request) (*Answer, error) {
	line, anchors, reach := r.Line, []engine.Location(nil), 2
	var route Route
	var err error
	if line == nil {
		j := r.known
		if j == nil {
			j, err = engine.Best(ctx, s.Engine, &engine.RouteRequest{Costing: r.Costing, Options: r.Options, Conditions: r.Conditions, Locations: engine.Stops(r.Stops)})
		}
		if err != nil {
			return nil, err
		}
		line, reach = j.Line(), 1
		route = Route{Distance: j.Metres, Duration: &j.Seconds}
		for _, p := range r.Stops {
			anchors = append(anchors, engine.Location{Point: p})
		}
	}
	ruler, err := rulerOf(ctx, line)
	if err != nil {
		return nil, err
	}
	if r.Line != nil {
		anchors = samples(ruler)
	}
	if r.Kind != nil {
		of := *r
		if of.Places, err = r.Kind.along(ctx, line, r.Corridor); err != nil {
			return nil, err
		}
		r = &of
	}
	left, excluded, err := candidates(ctx, r, line)
	if err != nil {
		return nil, err
	}
	m, err := s.measure(ctx, r, left, anchors, reach)
	if err != nil {
		return nil, err
	}
	if r.Line != nil {
		route = Route{Distance: ruler.Length(), Duration: m.planned}
	}
	route.Shape = geo.EncodePolyline(line, 6)
	a := &Answer{Route: route, Places: []Ranked{}, Excluded: excluded, Unreachable: []Unreachable{}}
	return a, engine.Work(ctx, rankEffort(len(left), len(line)), func(ctx context.Context) error { return a.rank(ctx, r, ruler, m, left) })
}

// rank adds the places that were measured, in the order of their detours.
func (a *Answer) rank(ctx context.Context, r *Request, ruler *geo.Ruler, m *measured, left []int) error {
	for i, index := range left {
		if ctx.Err() != nil { // each place is compared with all of the line
			return ctx.Err()
		}
		p := &r.Places[index]
		d, ok := m.detour(i)
		switch {
		case !ok:
			a.Unreachable = append(a.Unreachable, Unreachable{index, p.ID, m.reason(i)})
			continue
		case r.MaxDetour != nil && roundTenths(d.seconds) > *r.MaxDetour:
			a.Excluded.Detour++
			continue
		}
		on := geo.Mark{}
		if !r.placed {
			on, _ = ruler.Nearest(p.Point, nil)
		}
		at := m.places[i].Point
		a.Places = append(a.Places, Ranked{
			Index: index, ID: p.ID, Name: p.Name, Lat: p.Point.Lat, Lon: p.Point.Lon, Properties: p.Properties,
			Snapped: Position{at.Lat, at.Lon}, Arc: on.Arc, OffLine: on.Metres,
			Detour: roundTenths(d.seconds), DetourM: d.metres, Leg: d.leg,
		})
	}
	slices.SortStableFunc(a.Places, func(x, y Ranked) int {
		return cmp.Or(cmp.Compare(x.Detour, y.Detour), cmp.Compare(x.DetourM, y.DetourM), cmp.Compare(x.Arc, y.Arc))
	})
	a.Places, a.Excluded.Limit = Truncate(a.Places, r.Limit)
	return nil
}

// A line is left and joined again at samples of it: one every sampleEvery
// metres, at least two and at most maxSamples.
const (
	sampleEvery = 1000
	maxSamples  = 25
)

// samples returns places on a line, those between its ends with the line's course.
func samples(ruler *geo.Ruler) []engine.Location {
	n := max(2, min(maxSamples, int(ruler.Length()/sampleEvery)+1))
	out := make([]engine.Location, n)
	for i := range out {
		m := ruler.At(ruler.Length() * float64(i) / float64(n-1))
		out[i] = engine.Location{Point: m.Point}
		if i > 0 && i < n-1 {
			out[i].Heading = &m.Bearing
		}
	}
	return out
}

// measured is the matrices between the anchors of a route and the places.
type measured struct {
	out     [][]engine.MatrixCell // by anchor but the last, to each place and then to each anchor but the first
	back    [][]engine.MatrixCell // by place, to each anchor but the first
	places  []engine.Snapped
	reach   int      // anchors that a detour may leave out, and one
	planned *float64 // seconds along all anchors; nil where no way leads from one to the next
}

func (s *Service) measure(ctx context.Context, r *Request, left []int, anchors []engine.Location, reach int) (*measured, error) {
	places := make([]engine.Location, len(left))
	for i, index := range left {
		places[i] = engine.Location{Point: r.Places[index].Point}
	}
	last := len(anchors) - 1
	out, err := s.Engine.Matrix(ctx, &engine.MatrixRequest{Sources: anchors[:last], Targets: slices.Concat(places, anchors[1:]), Costing: r.Costing, Options: r.Options, Conditions: r.Conditions})
	if err != nil {
		return nil, err
	}
	m := &measured{out: out.Cells, places: out.Targets[:len(places)], reach: reach}
	// A call with no place on the network has no matrix from them either.
	if !slices.ContainsFunc(m.places, func(p engine.Snapped) bool { return p.Miss == "" }) {
		m.back = make([][]engine.MatrixCell, len(places))
		for i := range m.back {
			m.back[i] = make([]engine.MatrixCell, last)
		}
	} else {
		back, err := s.Engine.Matrix(ctx, &engine.MatrixRequest{Sources: places, Targets: anchors[1:], Costing: r.Costing, Options: r.Options, Conditions: r.Conditions})
		if err != nil {
			return nil, err
		}
		m.back = back.Cells
	}
	if len(m.out) != last || len(m.back) != len(places) {
		return nil, fault.New(fault.Upstream, "the routing engine's matrix has not the size that was asked for").With("upstream_status", 200)
	}
	m.planned = m.along()
	return m, nil
}

// along returns the time along all anchors; nil where no way leads along them.
func (m *measured) along() *float64 {
	seconds := 0.0
	for k := range m.out {
		leg := m.leg(k)
		if !leg.Reached {
			return nil
		}
		seconds += leg.Seconds
	}
	return &seconds
}

// leg returns the way from an anchor to the next.
func (m *measured) leg(k int) engine.MatrixCell { return m.out[k][len(m.places)+k] }

type detour struct {
	seconds, metres float64
	leg             int
}

// detour finds where calling at a place costs the least time.
func (m *measured) detour(place int) (best detour, ok bool) {
	for i := range m.out {
		to := m.out[i][place]
		if !to.Reached {
			continue
		}
		planned := engine.MatrixCell{Reached: true}
		for j := i; j < min(i+m.reach, len(m.out)); j++ {
			leg := m.leg(j)
			from := m.back[place][j]
			planned.Seconds, planned.Metres = planned.Seconds+leg.Seconds, planned.Metres+leg.Metres
			if !leg.Reached {
				break
			}
			if !from.Reached {
				continue
			}
			d := detour{math.Max(0, to.Seconds+from.Seconds-planned.Seconds), to.Metres + from.Metres - planned.Metres, i}
			if !ok || d.seconds < best.seconds || d.seconds == best.seconds && d.metres < best.metres {
				best, ok = d, true
			}
		}
	}
	return best, ok
}

// reason returns why a place cannot be called at.
func (m *measured) reason(place int) string {
	if miss := m.places[place].Miss; miss != "" {
		return miss
	}
	for i := range m.out {
		if m.out[i][place].Reached {
			return "no way leads from the place back to the route"
		}
	}
	return "no way leads from the route to the place"
}

// roundTenths rounds seconds as answers have them: the rounded detours decide
// what is over the limit, and what comes first.
func roundTenths(seconds float64) float64 { return math.Round(seconds*10) / 10 }
