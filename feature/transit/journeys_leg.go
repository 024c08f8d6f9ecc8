package transit

import (
	"context"
	"slices"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/transit/journey"
	"github.com/waygate/waygate/wire/null"
)

// drawing puts journeys into the terms of an answer.
type drawing struct {
	*ways
	zone *time.Location
}

func (d drawing) time(t time.Time) string { return t.In(d.zone).Format(time.RFC3339) }

// onFoot returns the walk all the way.
func (d drawing) onFoot(ctx context.Context, at time.Time, seconds int32) (Journey, error) {
	took := time.Duration(seconds) * time.Second
	l := journey.Leg{Walk: seconds, From: timetable.None, To: timetable.None, Depart: at, Arrive: at.Add(took)}
	if d.r.ArriveBy {
		l.Depart, l.Arrive = at.Add(-took), at
	}
	j, _, err := d.journey(ctx, &journey.Journey{Depart: l.Depart, Arrive: l.Arrive, Legs: []journey.Leg{l}})
	return j, err
}

// journey draws a journey. It is not possible where a walk between two vehicles takes
// longer, at the caller's pace, than there is time.
func (d drawing) journey(ctx context.Context, found *journey.Journey) (j Journey, possible bool, err error) {
	j = Journey{Depart: d.time(found.Depart), Arrive: d.time(found.Arrive), Duration: int(found.Arrive.Sub(found.Depart) / time.Second), Changes: max(0, found.Rides-1)}
	possible = true
	for i := range found.Legs {
		l := &found.Legs[i]
		if l.Ride {
			j.Legs = append(j.Legs, d.ride(l))
			continue
		}
		way, err := d.of(ctx, l)
		if err != nil {
			return j, false, err
		}
		arrive := l.Depart.Add(time.Duration(way.seconds) * time.Second)
		if i+1 < len(found.Legs) && arrive.After(found.Legs[i+1].Depart) {
			possible = false
		}
		j.Legs = append(j.Legs, JourneyLeg{
			Mode: "walk", From: d.end(l.From, d.r.From), To: d.end(l.To, d.r.To), Depart: d.time(l.Depart), Arrive: d.time(arrive),
			Duration: int(way.seconds), DistanceM: way.metres, Geometry: geo.EncodePolyline(way.line, 6), Exit: d.door(way.out), Entrance: d.door(way.in),
		})
		j.WalkM += way.metres
		j.WalkS += int(way.seconds)
	}
	return j, possible, nil
}

// end returns where a leg begins or ends.
func (d drawing) end(stop uint32, end geo.Point) JourneyPlace {
	if stop == timetable.None {
		return JourneyPlace{Lat: end.Lat, Lon: end.Lon}
	}
	s := d.Timetable.Stop(stop)
	return JourneyPlace{s.At.Lat, s.At.Lon, null.IfZero(s.Name), null.IfZero(s.ID), null.IfZero(s.Indicator)}
}

// orEmpty returns a text, "" where there is none.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// booked returns how one arranges that a vehicle calls, "" where it does anyway.
func booked(rules ...uint8) string {
	switch {
	case slices.Contains(rules, timetable.ByPhone):
		return "phone"
	case slices.Contains(rules, timetable.AskDriver):
		return "driver"
	}
	return ""
}

func (d drawing) ride(l *journey.Leg) JourneyLeg {
	x := d.Timetable
	n := x.PatternLine(l.Pattern)
	line := x.Line(n)
	agency := x.Agency(line.Agency)
	rules := x.PatternRules(l.Pattern)
	of := timetable.Departure{Pattern: l.Pattern, Position: l.FromPosition, Trip: l.Trip}
	ride := JourneyRide{
		Line: x.LineName(n), Colour: orEmpty(colour(line.Colour)), TextColour: orEmpty(colour(line.Ink)),
		Headsign: x.Sign(of), Operator: agency.Code, OperatorName: agency.Name, Trip: x.TripID(l.Trip), ServiceDay: l.Day.String(), Every: int(l.Every), StaySeated: l.StaySeated,
		Booking: booked(timetable.Boarding(rules[l.FromPosition]), timetable.Alighting(rules[l.ToPosition])),
		Stops:   d.calls(l),
	}
	if line.ShortName != "" {
		ride.LineName = line.LongName
	}
	shape := x.Shape(l.Pattern, l.FromPosition, l.ToPosition)
	return JourneyLeg{
		Mode: line.Mode.String(), From: d.end(l.From, geo.Point{}), To: d.end(l.To, geo.Point{}), Depart: d.time(l.Depart), Arrive: d.time(l.Arrive),
		Duration: int(l.Arrive.Sub(l.Depart) / time.Second), DistanceM: geo.Length(shape), Geometry: geo.EncodePolyline(shape, 6), JourneyRide: ride,
	}
}

// calls lists the stops of a ride that the vehicle does not pass by. Those of a line with a
// headway are as far apart as the timetable has them.
func (d drawing) calls(l *journey.Leg) []JourneyStop {
	x := d.Timetable
	first, _ := x.PatternTrips(l.Pattern)
	times := x.Times(l.Pattern, l.Trip-first)
	stops := x.PatternStops(l.Pattern)
	live := d.updates.Calls(l.Trip, l.Day)
	begin := l.Depart.Add(-time.Duration(times[l.FromPosition].Depart) * time.Second)
	if live != nil {
		begin = l.Day.Begin(x.LineZone(x.PatternLine(l.Pattern)))
	}
	at := func(seconds int32) *string {
		return null.IfZero(d.time(begin.Add(time.Duration(seconds) * time.Second)))
	}
	list := make([]JourneyStop, 0, l.ToPosition-l.FromPosition+1)
	for i := l.FromPosition; i <= l.ToPosition; i++ {
		if d.updates.Skips(l.Trip, l.Day, i) {
			continue
		}
		s := x.Stop(stops[i])
		stop := JourneyStop{Stop: s.ID, Name: s.Name, Indicator: null.IfZero(s.Indicator), Lat: s.At.Lat, Lon: s.At.Lon, Basis: "timetable"}
		if i > l.FromPosition {
			stop.Arrive = at(times[i].Arrive)
		}
		if i < l.ToPosition {
			stop.Depart = at(times[i].Depart)
		}
		if live != nil {
			if d.updates.HasPrediction(l.Trip, l.Day, i) {
				stop.Basis, stop.ScheduledArrive, stop.ScheduledDepart = "live", stop.Arrive, stop.Depart
			}
			if stop.Arrive != nil {
				stop.Arrive = at(live[i].Arrive)
			}
			if stop.Depart != nil {
				stop.Depart = at(live[i].Depart)
			}
		}
		list = append(list, stop)
	}
	return list
}

// live reports whether a time of the journey is.
func (j *Journey) live() bool {
	return slices.ContainsFunc(j.Legs, func(l JourneyLeg) bool {
		return slices.ContainsFunc(l.Stops, func(s JourneyStop) bool { return s.Basis == "live" })
	})
}

// next returns the departure of a ride.
func (d drawing) next(l *journey.Leg) *NextDepart {
	of := timetable.Departure{Pattern: l.Pattern, Position: l.FromPosition, Trip: l.Trip}
	line := d.Timetable.PatternLine(l.Pattern)
	return &NextDepart{
		Depart: d.time(l.Depart), Line: d.Timetable.LineName(line), Mode: d.Timetable.PatternMode(l.Pattern).String(),
		Destination: d.Timetable.Sign(of), Stop: d.end(l.From, geo.Point{}),
	}
}

// departure returns the next one near the origin within a week that one can walk to; nil where
// there is none.
func (d drawing) departure(w walks, at time.Time) *NextDepart {
	var best *timetable.Departure
	for _, a := range w.from {
		from := at.Add(time.Duration(a.Seconds) * time.Second)
		list := d.Timetable.Departures(timetable.DepartureQuery{Stops: d.Timetable.Within(a.Stop), Modes: d.r.Modes, From: from, Window: 7 * 24 * time.Hour, Limit: 1})
		if len(list) > 0 && (best == nil || list[0].At.Before(best.At)) {
			best = &list[0]
		}
	}
	if best == nil {
		return nil
	}
	return d.next(&journey.Leg{Pattern: best.Pattern, Trip: best.Trip, FromPosition: best.Position, From: best.Stop, Depart: best.At})
}
