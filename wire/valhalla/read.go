package valhalla

import (
	"encoding/json"
	"net/http"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	wirejson "github.com/waygate/waygate/wire/json"
)

// sum is a summary or a manoeuvre's share of one.
type sum struct {
	Length, Time, Cost float64
	Toll               bool    `json:"has_toll"`
	Highway            bool    `json:"has_highway"`
	Ferry              bool    `json:"has_ferry"`
	Timed              bool    `json:"has_time_restrictions"`
	MinLat             float64 `json:"min_lat"`
	MinLon             float64 `json:"min_lon"`
	MaxLat             float64 `json:"max_lat"`
	MaxLon             float64 `json:"max_lon"`
}

func (s *sum) sums(unit float64) engine.Sums {
	return engine.Sums{
		Metres: s.Length * unit, Seconds: s.Time, Cost: s.Cost, Toll: s.Toll, Highway: s.Highway, Ferry: s.Ferry, Timed: s.Timed,
		Bounds: geo.Bounds{Min: geo.Point{Lon: s.MinLon, Lat: s.MinLat}, Max: geo.Point{Lon: s.MaxLon, Lat: s.MaxLat}},
	}
}

// trip is a route of an answer, as far as it is read.
type trip struct {
	Summary  sum
	Language string
	Legs     []struct {
		Summary   sum
		Shape     json.RawMessage
		Maneuvers []struct {
			Type               guidance.Type
			Instruction        string
			Names              []string `json:"street_names"`
			Before             *int     `json:"bearing_before"`
			After              int      `json:"bearing_after"`
			Length, Time, Cost float64
			Begin              int `json:"begin_shape_index"`
			End                int `json:"end_shape_index"`
			Exits              int `json:"roundabout_exit_count"`
			Toll               bool
			Highway            bool
			Ferry              bool
			Rough              bool
			Gate               bool
		}
	}
}

// ReadRoutes reads the routes of an answer that was asked for in an output: the
// trip and its alternates, with their sums, lines and manoeuvres, and the
// language of the instructions. Polylines are of six digits, which is what
// Valhalla writes whatever the request.
func ReadRoutes(doc []byte, o *engine.Output) (routes []engine.Route, language string, err error) {
	var answer struct {
		Trip       trip
		Alternates []struct{ Trip trip }
	}
	if err := json.Unmarshal(doc, &answer); err != nil || len(answer.Trip.Legs) == 0 {
		return nil, "", unlike(err)
	}
	trips := []*trip{&answer.Trip}
	for i := range answer.Alternates {
		trips = append(trips, &answer.Alternates[i].Trip)
	}
	routes = make([]engine.Route, len(trips))
	for i, t := range trips {
		if routes[i], err = t.route(o); err != nil {
			return nil, "", err
		}
	}
	if language = answer.Trip.Language; language == "" {
		language = o.Language
	}
	return routes, language, nil
}

func (t *trip) route(o *engine.Output) (engine.Route, error) {
	unit := 1000.0
	if o.Miles {
		unit = metresPerMile
	}
	r := engine.Route{Sums: t.Summary.sums(unit), Legs: make([]engine.Leg, len(t.Legs))}
	for i := range t.Legs {
		from, to := &t.Legs[i], &r.Legs[i]
		line, err := wirejson.ReadLine(from.Shape, 6)
		if err != nil {
			return r, unlike(err)
		}
		to.Sums, to.Line = from.Summary.sums(unit), line
		for _, m := range from.Maneuvers {
			if line != nil && (m.Begin < 0 || m.Begin >= len(line)) {
				return r, unlike(nil)
			}
			one := guidance.Manoeuvre{
				Type: m.Type, Before: -1, After: m.After, Metres: m.Length * unit, Seconds: m.Time, Cost: m.Cost,
				BeginShape: m.Begin, EndShape: m.End, Exits: m.Exits, Toll: m.Toll, Highway: m.Highway, Ferry: m.Ferry, Unpaved: m.Rough, Gate: m.Gate,
			}
			if m.Before != nil {
				one.Before = *m.Before
			}
			for _, name := range m.Names {
				one.Names = append(one.Names, guidance.Name{Text: name})
			}
			to.Manoeuvres = append(to.Manoeuvres, one)
			to.Instructions = append(to.Instructions, m.Instruction)
		}
	}
	return r, nil
}

func unlike(err error) error {
	return fault.Wrap(err, fault.Upstream, "the routing engine's answer is not a route").With("upstream_status", http.StatusOK)
}
