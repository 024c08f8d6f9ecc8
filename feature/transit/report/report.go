// Package report measures what public transport offers at stops: how often vehicles leave
// and from when until when, how many people and places are near a stop that is served so
// often, and what can be reached from each stop.
//
// Local transport authorities in England assess bus connectivity every year by such
// measures. Those here are what timetables, the map and points that the caller brings allow:
// each says how it is worked out (Methods), and none is a measure of how vehicles came.
package report

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/wire/null"
)

// Bounds of a report.
const (
	MostSets   = 16     // sets of destinations
	MostPoints = 50_000 // of all sets together
)

// Set has what may be reached: places of one kind, or people. Weight is 1 for a place, and
// the people who live at a point.
type Set struct {
	Name   string
	Points []Point
}

// Point is one of a set.
type Point struct {
	At     geo.Point
	Weight float64
}

// ReachQuery asks for the reach from a stop at a time.
type ReachQuery struct {
	From   uint32
	At     time.Time
	Within time.Duration
}

// Reach calls yield for the stops that are reached, with the seconds that each takes, the
// wait included.
type Reach func(ctx context.Context, q ReachQuery, yield func(stop uint32, seconds int32)) error

// Request asks for a report.
type Request struct {
	Bounds   geo.Bounds
	Contains func(geo.Point) bool // within Bounds; nil contains all of them
	Day      gtfs.Date            // of the weekday; 0 for the first Tuesday, Wednesday or Thursday from today that the timetable has
	Modes    timetable.Modes
	Sets     []Set
	Reach    Reach // nil leaves reach out
	Most     int   // stops: more are refused
	Progress func(done, all int)
}

// Report is the measures of an area and of each of its stops.
type Report struct {
	Days    Days              `json:"days"`
	Methods map[string]string `json:"methods" doc:"how each measure is worked out"`
	Area    Totals            `json:"area"`
	Stops   []Stop            `json:"stops" nullable:"false" doc:"from south to north"`
}

// Days are the service days that were measured.
type Days struct {
	Weekday  *string `json:"weekday" doc:"YYYY-MM-DD; null where the timetable does not have it"`
	Saturday *string `json:"saturday" doc:"the first after the weekday"`
	Sunday   *string `json:"sunday"`
}

// Totals is the measures of all stops together.
type Totals struct {
	Stops      int         `json:"stops" doc:"where vehicles of the modes call"`
	Served     int         `json:"served" doc:"of these, with a departure on the weekday"`
	Catchments []Catchment `json:"catchments" nullable:"false" doc:"of each set of destinations"`
}

// Catchment is how much of a set is near a stop that is served so often.
type Catchment struct {
	Of     string  `json:"of"`
	Total  float64 `json:"total" doc:"people or places in the area"`
	Any    float64 `json:"any" doc:"within 400 m of a stop with a departure on the weekday"`
	Hourly float64 `json:"hourly" doc:"of a stop with at least one departure an hour between 07:00 and 19:00"`
	Half   float64 `json:"half_hourly" doc:"at least two"`
	Often  float64 `json:"quarter_hourly" doc:"at least four"`
}

// Stop is the measures of a stop.
type Stop struct {
	ID        string           `json:"id"`
	Name      string           `json:"name"`
	Indicator *string          `json:"indicator"`
	Locality  *string          `json:"locality"`
	Lat       float64          `json:"lat"`
	Lon       float64          `json:"lon"`
	Lines     []string         `json:"lines" nullable:"false"`
	Weekday   Service          `json:"weekday"`
	Saturday  Service          `json:"saturday"`
	Sunday    Service          `json:"sunday"`
	Reached   map[string]*Near `json:"reach,omitempty" doc:"of each set of destinations, on the weekday"`

	number uint32
}

// Near counts the elements of a set that are reached from a stop.
type Near struct {
	Nearest *float64 `json:"nearest_min" decimals:"1" doc:"minutes to the nearest, the median over six departures; null where most of them do not reach it within 60 minutes"`
	Within  Within   `json:"within" doc:"people or places, the mean over six departures"`
}

// Within is how much is reached in so many minutes.
type Within struct {
	M30 float64 `json:"30_min" decimals:"1"`
	M45 float64 `json:"45_min" decimals:"1"`
	M60 float64 `json:"60_min" decimals:"1"`
}

// Methods says how each measure is worked out.
var Methods = map[string]string{
	"frequency": "Departures from the stop in a period of the service day, divided by the hours of the period. A trip that only ends there, or where nobody may board, is none. Trips with a headway count at the times that it gives.",
	"span":      "The first and the last departure of the service day, and the longest time without one between 07:00 and 19:00, or on Sundays between 09:00 and 18:00, the beginning and the end included.",
	"catchment": "People or places in the area that are no more than 400 m, in a straight line, from a stop inside the area or near its border.",
	"reach":     "Minutes from standing at the stop to the place by walking and vehicles, waits included, at 07:00 and every 20 minutes until 08:40. The walk from the last stop is a straight line times 1.3 at 4.8 km/h, and no more than 800 m; a place that near to the stop is reached on foot.",
	"nearest":   "The median of the minutes to the nearest place of the set over those departures.",
}

// Measure makes a report. It fails where the area has more stops than the request allows,
// or none, where the sets have more than MostPoints, and with the context's error when that ends.
func Measure(ctx context.Context, x *timetable.Index, now time.Time, r *Request) (*Report, error) {
	day, err := weekday(x, now, r.Day)
	if err != nil {
		return nil, err
	}
	points := 0
	for _, set := range r.Sets {
		points += len(set.Points)
	}
	if points > MostPoints {
		return nil, fault.Invalid(fault.Violation{Location: "places", Value: points, Message: fmt.Sprintf("are more than the %d places and points of people that a report may have", MostPoints)})
	}
	stops := stopsOf(x, r)
	switch {
	case len(stops) == 0:
		return nil, fault.Invalid(fault.Violation{Location: "polygon", Message: "has no stop where vehicles of these modes call"})
	case len(stops) > r.Most:
		return nil, fault.Invalid(fault.Violation{Location: "polygon", Message: fmt.Sprintf("has %d stops and may have %d", len(stops), r.Most)})
	}
	saturday := day + gtfs.Date(5-day.Weekday())
	m := &measuring{x: x, r: r, days: [3]gtfs.Date{day, saturday, saturday + 1}}
	out := &Report{Days: m.named(), Methods: Methods, Stops: make([]Stop, len(stops)), Area: Totals{Stops: len(stops), Catchments: []Catchment{}}}
	for i, n := range stops {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.Stops[i] = m.stop(n)
		if out.Stops[i].Weekday.Departures > 0 {
			out.Area.Served++
		}
	}
	if out.Area.Catchments, err = m.catchments(ctx); err != nil {
		return nil, err
	}
	return out, m.reaches(ctx, out.Stops)
}

// measuring is a report that is being made.
type measuring struct {
	x    *timetable.Index
	r    *Request
	days [3]gtfs.Date // weekday, Saturday, Sunday
}

func (m *measuring) named() Days {
	first, last, _ := m.x.Span()
	name := func(d gtfs.Date) *string {
		if d < first || d > last {
			return nil
		}
		return null.IfZero(d.String())
	}
	return Days{name(m.days[0]), name(m.days[1]), name(m.days[2])}
}

// weekday returns the day that is measured.
func weekday(x *timetable.Index, now time.Time, day gtfs.Date) (gtfs.Date, error) {
	first, last, ok := x.Span()
	if !ok {
		return 0, fault.New(fault.NotFound, "the timetable has no trip")
	}
	if day != 0 {
		switch {
		case day < first || day > last:
			return 0, fault.Invalid(fault.Violation{Location: "day", Value: day.String(), Message: fmt.Sprintf("is not in the timetable, which has %s to %s", first, last)})
		case day.Weekday() > 4:
			return 0, fault.Invalid(fault.Violation{Location: "day", Value: day.String(), Message: "must be a day from Monday to Friday; the Saturday and the Sunday after it are measured too"})
		}
		return day, nil
	}
	for d := max(first, min(gtfs.DateOf(now), last-6)); d <= last; d++ {
		if w := d.Weekday(); w >= 1 && w <= 3 {
			return d, nil
		}
	}
	return 0, fault.New(fault.NotFound, "the timetable from %s to %s has no Tuesday, Wednesday or Thursday: name a day", first, last)
}

// stopsOf lists the stops of the area where vehicles call.
func stopsOf(x *timetable.Index, r *Request) (list []uint32) {
	x.Inside(r.Bounds, func(stop uint32) {
		if x.ServedBy(stop, r.Modes) && (r.Contains == nil || r.Contains(x.Stop(stop).At)) {
			list = append(list, stop)
		}
	})
	slices.Sort(list)
	return list
}

func (m *measuring) stop(n uint32) Stop {
	s := m.x.Stop(n)
	zone := m.x.Zone(n)
	return Stop{
		ID: s.ID, Name: s.Name, Indicator: null.IfZero(s.Indicator), Locality: null.IfZero(s.Locality), Lat: s.At.Lat, Lon: s.At.Lon,
		Lines:   m.x.LinesAt(n, m.r.Modes, ""),
		Weekday: m.service(n, m.days[0], zone, weekdayPeriods, 7, 19), Saturday: m.service(n, m.days[1], zone, weekendPeriods, 7, 19), Sunday: m.service(n, m.days[2], zone, weekendPeriods, 9, 18),
		number: n,
	}
}
