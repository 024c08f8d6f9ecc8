package transit

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
)

// A vehicle stands for a departure if it was seen lately and near the stop.
const (
	seenWithin = 5 * time.Minute
	nearStop   = 3000 // metres, straight
)

// Live is a vehicle that is on its way to a departure. It is no promise that it comes.
type Live struct {
	Vehicle  string  `json:"vehicle" doc:"id, as /v1/transit/vehicles has it"`
	Distance float64 `json:"distance_m" decimals:"0" doc:"from the vehicle to the stop, straight"`
	Age      float64 `json:"age_s" decimals:"0" doc:"seconds since it was there"`
}

// live finds the vehicle of each departure of a board, nil where none is known: one that is
// on the trip of the departure and before the stop.
func (s *Service) live(indexes []*timetable.Index, x *timetable.Index, board []timetable.Departure) []*Live {
	out := make([]*Live, len(board))
	fleet, ok := s.Feeds.View()
	if !ok || len(board) == 0 {
		return out
	}
	now := s.Now()
	for _, v := range fleet.near(indexes, x.Stop(board[0].Stop).At, linesOn(x, board), now) {
		trip, ok := v.identify(x)
		if !ok {
			continue
		}
		for i, d := range board {
			distance := geo.Distance(v.At, x.Stop(d.Stop).At)
			if d.Trip == trip.Trip && d.Day == trip.Day && d.Position >= trip.Next && distance <= nearStop && (out[i] == nil || distance < out[i].Distance) {
				out[i] = &Live{v.name, distance, math.Max(0, now.Sub(v.Seen).Seconds())}
			}
		}
	}
	return out
}

// identified is which trip of a timetable a vehicle is on.
type identified struct {
	index *timetable.Index
	trip  timetable.Running
	ok    bool
}

// identify finds the trip of a timetable that a vehicle is on, once for each snapshot.
func (v *located) identify(x *timetable.Index) (timetable.Running, bool) {
	if known := v.trip.Load(); known != nil && known.index == x {
		return known.trip, known.ok
	}
	trip, ok := x.Identify(linesOf(x, v), timetable.Sighting{At: v.At, Bearing: v.Bearing, Seen: v.Seen, Trip: v.Trip, StartDate: v.StartDate, Direction: v.Direction})
	v.trip.Store(&identified{x, trip, ok})
	return trip, ok
}

// linesOn lists the lines of a board, in small letters.
func linesOn(x *timetable.Index, board []timetable.Departure) (names []string) {
	for _, d := range board {
		if name := strings.ToLower(x.LineName(x.LineOf(d))); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// near lists the vehicles of some lines that were seen lately near a place.
func (f *Fleet) near(indexes []*timetable.Index, at geo.Point, lines []string, now time.Time) (list []*located) {
	all := f.with(indexes)
	for _, line := range lines {
		for _, i := range all.byLine[line] {
			if v := &all.vehicles[i]; now.Sub(v.Seen) <= seenWithin && geo.Distance(v.At, at) <= 2*nearStop {
				list = append(list, v)
			}
		}
	}
	return list
}

// linesOf lists the lines of a timetable that a vehicle can be on: of its name and its
// operator, where it has one.
func linesOf(x *timetable.Index, v *located) (lines []uint32) {
	for _, n := range x.LinesByName(strings.ToLower(v.Line)) {
		if v.Operator == "" || strings.EqualFold(v.Operator, x.Agency(x.Line(n).Agency).Code) {
			lines = append(lines, n)
		}
	}
	return lines
}
