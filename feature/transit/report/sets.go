package report

import (
	"context"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/transit/journey"
)

// People is the name of the set of people.
const People = "people"

// beyondArea is how far from an area its people may come within an hour, in metres.
const beyondArea = 40_000

// minChange is the least time between two vehicles of the measures, in seconds.
const minChange = 60

// PlacesOf returns the places of some categories in an area and up to 40 km around it, at
// most 20,000 of them, as a set.
func PlacesOf(ctx context.Context, x *find.Index, name string, categories []string, area geo.Bounds) (Set, error) {
	s := Set{Name: name}
	metres := geo.Distance(area.Centre(), area.Min) + beyondArea
	err := x.Around(ctx, area.Centre(), metres, categories, "", func(n place.Near) bool {
		s.Points = append(s.Points, Point{n.At, 1})
		return true
	})
	return s, err
}

// ReachIn returns the reach in a network by vehicles of some modes.
func ReachIn(n *journey.Network, modes timetable.Modes) Reach {
	return func(ctx context.Context, q ReachQuery, yield func(stop uint32, seconds int32)) error {
		return n.Reach(ctx, &journey.Query{From: []journey.Access{{Stop: q.From}}, At: q.At, Modes: modes, MinChange: minChange, MaxRides: journey.DefaultRides}, q.Within, func(stop uint32, seconds int32, _ bool) { yield(stop, seconds) })
	}
}
