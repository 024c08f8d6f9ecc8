package timetable_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// drawn returns a timetable of three stops, one of them a station's, with times and a headway, a
// shape, rules of changing, a walk, blocks and names in a second language.
func drawn(f testing.TB) *timetable.Index {
	f.Helper()
	b := timetable.NewBuilder()
	feed := b.AddFeed(timetable.Feed{Name: "town"})
	agency, err := b.AddAgency(timetable.Agency{ID: "1", Name: "Buses", Zone: "Europe/London", Feed: feed})
	if err != nil {
		f.Fatal(err)
	}
	line := b.AddLine(timetable.Line{ID: "1", ShortName: "1", Agency: agency, Mode: timetable.Bus, Colour: timetable.None, Ink: timetable.None})
	service := b.AddService([]gtfs.Date{20000, 20001, 20070})
	station := b.AddStop(timetable.Stop{ID: "S", Name: "Station", NameIn: []timetable.Name{{Language: "cy", Text: "Gorsaf"}}, At: geo.Point{Lon: 9.5, Lat: 47.5}, Parent: -1, Kind: timetable.KindStation})
	var stops []int
	for i := range 3 {
		stops = append(stops, b.AddStop(timetable.Stop{ID: fmt.Sprint(i), Name: "Stop", At: geo.Point{Lon: 9.5, Lat: 47.5 + float64(i)/100}, Parent: -1}))
	}
	b.SetParent(stops[0], station)
	shape, _ := b.AddShape([]geo.Point{{Lon: 9.5, Lat: 47.49}, {Lon: 9.501, Lat: 47.51}, {Lon: 9.5, Lat: 47.53}})
	for n := range int32(20) {
		t := timetable.Trip{ID: fmt.Sprint("t", n), Shape: shape, Block: fmt.Sprint(n / 2), Line: line, Service: service, Direction: 2, Wheelchair: uint8(n % 3)}
		for i, s := range stops {
			at := n*600 + int32(i)*100
			t.Visits = append(t.Visits, timetable.Visit{Stop: int32(s), Call: timetable.Call{Arrive: at, Depart: at}})
		}
		if n > 17 {
			t.Headways = []timetable.Headway{{Start: 3600, End: 7200, Every: 300}}
		}
		b.AddTrip(t)
	}
	b.AddChange(timetable.Change{From: station, To: stops[1], FromLine: line, ToLine: -1, FromTrip: 3, ToTrip: -1, Kind: timetable.Minimum, Seconds: 90})
	b.AddChange(timetable.Change{From: stops[1], To: stops[2], FromLine: -1, ToLine: -1, FromTrip: -1, ToTrip: -1, Kind: timetable.Minimum, Seconds: 90})
	b.AddChange(timetable.Change{From: -1, To: -1, FromLine: -1, ToLine: -1, FromTrip: 1, ToTrip: 5, Kind: timetable.InSeat})
	b.AddWalk(stops[0], stops[1], 60, 70)
	b.AddID(stops[2], "other")
	x, _ := b.Build()
	return x
}

// FuzzRead damages a section: reading it gives an error, or a timetable that can be asked
// anything.
func FuzzRead(f *testing.F) {
	whole := regiontest.Written(f, drawn(f).Write)
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Add([]byte(nil), 700)
	from := time.Unix(20000*86400+7000, 0)
	f.Fuzz(func(t *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(timetable.SectionName, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		x, err := timetable.Read(s)
		if err != nil {
			return
		}
		_, _, _ = x.Span()
		_ = x.Feeds()
		for n := range min(uint32(x.Stops()), 10) {
			_, _, _ = x.Stop(n), x.LinesAt(n, timetable.All, "cy"), x.StopAccessible(n)
			for _, d := range x.Departures(timetable.DepartureQuery{Stops: x.Within(n), Modes: timetable.All, From: from, Window: time.Hour, Limit: 5}) {
				if len(patch) == 0 && cut == 0 && (d.At.Before(from) || !d.At.Before(from.Add(time.Hour))) {
					t.Errorf("a departure at %s", d.At)
				}
				_, _, _ = x.Sign(d), x.TripID(d.Trip), x.Boarding(d)
			}
		}
		for p := range min(uint32(x.Patterns()), 10) {
			first, count := x.PatternTrips(p)
			_ = x.LineZone(x.PatternLine(p))
			_, _ = x.PatternRules(p), x.Shape(p, 0, len(x.PatternStops(p))-1)
			for _, h := range x.Headways(p) {
				_ = x.Times(p, h.Trip)
			}
			for trip := range min(count, 10) {
				_, _ = x.Times(p, trip), x.Runs(first+trip, 20000)
				_, _ = x.TripAccessible(first+trip), x.PatternOf(x.Next(first+trip, 20000))
				for _, next := range x.Continuations(first + trip) {
					_ = x.TripID(next)
				}
			}
		}
		for n := range min(uint32(x.Stops()), 10) {
			_ = x.StopName(n, "cy")
			for _, r := range x.Transfers(n) {
				_, _ = x.Stop(r.From), x.Stop(r.To)
			}
			for _, w := range x.Walks(n) {
				_ = x.Stop(w.To)
			}
			_ = x.CallsAt(n)
		}
		x.Near(geo.Point{Lon: 9.5, Lat: 47.5}, 5000, func(uint32, float64) {})
		_, _ = x.Find("1")
		_, _ = x.Identify(x.LinesByName("1"), timetable.Sighting{At: geo.Point{Lon: 9.5, Lat: 47.505}, Bearing: 0, Seen: from})
	})
}
