package timetable_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// TestDeparturesAreThoseOfTheTrips compares boards with all departures of all trips, looked at
// one by one: trips that overtake each other, that end after midnight, that run on some days,
// that repeat at headways, and stops at which nobody may board.
func TestDeparturesAreThoseOfTheTrips(outer *testing.T) {
	const firstDay = gtfs.Date(20000)
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		outer.Fatal(err)
	}
	rapid.Check(outer, func(t *rapid.T) {
		b := timetable.NewBuilder()
		agency, err := b.AddAgency(timetable.Agency{ID: "1", Zone: "Europe/London", Feed: b.AddFeed(timetable.Feed{Name: "f"})})
		if err != nil {
			t.Fatal(err)
		}
		modes := []timetable.Mode{timetable.Bus, timetable.Rail}
		var lines, stops []int
		for i, m := range modes {
			lines = append(lines, b.AddLine(timetable.Line{ID: fmt.Sprint(i), Agency: agency, Mode: m, Colour: timetable.None, Ink: timetable.None}))
		}
		for i := range 3 {
			stops = append(stops, b.AddStop(timetable.Stop{ID: fmt.Sprint(i), At: geo.Point{Lon: 9.5, Lat: 47.5 + float64(i)/100}, Parent: -1}))
		}
		var trips []timetable.Trip
		var services [][]gtfs.Date
		for n := range rapid.IntRange(1, 12).Draw(t, "trips") {
			var days []gtfs.Date
			for d := range 4 {
				if d == 0 || rapid.Bool().Draw(t, "day") {
					days = append(days, firstDay+gtfs.Date(d*rapid.SampledFrom([]int{1, 30}).Draw(t, "gap")))
				}
			}
			slices.Sort(days)
			days = slices.Compact(days)
			line := rapid.IntRange(0, 1).Draw(t, "line")
			trip := timetable.Trip{ID: fmt.Sprint("t", n), Line: lines[line], Service: b.AddService(days), Direction: 2}
			at := rapid.Int32Range(0, 40).Draw(t, "begin") * 3600
			for _, s := range stops {
				v := timetable.Visit{Stop: int32(s), Call: timetable.Call{Arrive: at, Depart: at + rapid.Int32Range(0, 2).Draw(t, "stay")*60}, Rules: rapid.SampledFrom([]uint8{timetable.Regular, timetable.Regular, timetable.Never, timetable.ByPhone}).Draw(t, "rule")}
				trip.Visits = append(trip.Visits, v)
				at = v.Call.Depart + rapid.Int32Range(0, 30).Draw(t, "ride")*60
			}
			if rapid.IntRange(0, 3).Draw(t, "repeats") == 0 {
				from := rapid.Int32Range(0, 30).Draw(t, "from") * 3600
				trip.Headways = []timetable.Headway{{Start: from, End: from + rapid.Int32Range(0, 5).Draw(t, "long")*1800, Every: rapid.Int32Range(1, 40).Draw(t, "every") * 60, Exact: rapid.Uint32Range(0, 1).Draw(t, "exact")}}
			}
			b.AddTrip(trip)
			trips, services = append(trips, trip), append(services, days)
		}
		x, made := b.Build()
		if made.Repeated > 0 {
			return // which of two equal trips stays is no matter of boards
		}
		x = readBack(outer, x)
		board := timetable.DepartureQuery{
			Modes: timetable.All, From: firstDay.Begin(zone).Add(time.Duration(rapid.Int64Range(-10, 80*3600).Draw(t, "from")) * time.Second),
			Window: time.Duration(rapid.Int64Range(0, 30*3600).Draw(t, "window")) * time.Second, Limit: rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "limit"),
		}
		if rapid.Bool().Draw(t, "one mode") {
			board.Modes = modes[0].Set()
		}
		type leaving struct {
			at    time.Time
			trip  string
			stop  string
			every int32
		}
		var want []leaving
		for n, trip := range trips {
			if board.Modes != timetable.All && trip.Line != lines[0] {
				continue
			}
			for i, v := range trip.Visits[:len(trip.Visits)-1] {
				if timetable.Boarding(v.Rules) == timetable.Never {
					continue
				}
				times := []int32{v.Call.Depart}
				every := int32(0)
				for _, h := range trip.Headways {
					times = nil
					if every = h.Every; h.Exact == 1 {
						every = 0
					}
					for s := h.Start; s < h.End; s += h.Every {
						times = append(times, s+v.Call.Depart-trip.Visits[0].Call.Depart)
					}
				}
				for _, day := range services[n] {
					for _, s := range times {
						if at := day.Begin(zone).Add(time.Duration(s) * time.Second); !at.Before(board.From) && at.Before(board.From.Add(board.Window)) {
							want = append(want, leaving{at, trip.ID, fmt.Sprint(i), every})
						}
					}
				}
			}
		}
		order := func(a, b leaving) int {
			return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.trip, b.trip), cmp.Compare(a.stop, b.stop))
		}
		slices.SortFunc(want, order)
		for s := range uint32(x.Stops()) {
			board.Stops = append(board.Stops, s)
		}
		var got []leaving
		for i, d := range x.Departures(board) {
			got = append(got, leaving{d.At, x.TripID(d.Trip), x.Stop(d.Stop).ID, d.Every})
			if i > 0 && d.At.Before(got[i-1].at) {
				t.Fatalf("%v comes after %v", d.At, got[i-1].at)
			}
		}
		if len(got) != min(len(want), board.Limit) {
			t.Fatalf("%d departures of %d, at most %d", len(got), len(want), board.Limit)
		}
		slices.SortFunc(got, order)
		for i, l := range got {
			if !l.at.Equal(want[i].at) { // of several at the last time some are left out
				t.Fatalf("departure %d is at %v, want %v", i, l.at, want[i].at)
			}
			if !slices.ContainsFunc(want, func(w leaving) bool { return order(l, w) == 0 && w.every == l.every }) {
				t.Fatalf("%+v is no departure of a trip", l)
			}
		}
		// Within a pattern no trip overtakes another, and trips that need no pattern of their own have none.
		for p := range uint32(x.Patterns()) {
			_, count := x.PatternTrips(p)
			for n := uint32(1); n < count && len(x.Headways(p)) == 0; n++ {
				before, after := x.Times(p, n-1), x.Times(p, n)
				for i := range after {
					if after[i].Arrive < before[i].Arrive || after[i].Depart < before[i].Depart {
						t.Fatalf("pattern %d: a trip overtakes another: %v %v", p, before, after)
					}
				}
			}
		}
	})
}

// TestTripsInARowAreOnePattern has twenty trips that follow one another, and one that overtakes.
func TestTripsInARowAreOnePattern(t *testing.T) {
	for express, want := range map[bool]int{false: 1, true: 2} {
		b := timetable.NewBuilder()
		agency, err := b.AddAgency(timetable.Agency{ID: "1", Zone: "Europe/London", Feed: b.AddFeed(timetable.Feed{Name: "f"})})
		if err != nil {
			t.Fatal(err)
		}
		line, service := b.AddLine(timetable.Line{ID: "1", Agency: agency, Mode: timetable.Bus}), b.AddService([]gtfs.Date{20000})
		var stops []int
		for i := range 3 {
			stops = append(stops, b.AddStop(timetable.Stop{ID: fmt.Sprint(i), At: geo.Point{Lon: 9.5, Lat: 47.5 + float64(i)/100}, Parent: -1}))
		}
		for n := range int32(20) {
			ride := int32(600)
			if express && n == 10 {
				ride = 60
			}
			trip := timetable.Trip{ID: fmt.Sprint("t", n), Line: line, Service: service, Direction: 2}
			for i, s := range stops {
				at := n*300 + int32(i)*ride
				trip.Visits = append(trip.Visits, timetable.Visit{Stop: int32(s), Call: timetable.Call{Arrive: at, Depart: at}})
			}
			b.AddTrip(trip)
		}
		x, _ := b.Build()
		if x.Patterns() != want {
			t.Errorf("%d patterns, want %d", x.Patterns(), want)
		}
	}
}

// readBack writes a timetable and reads it.
func readBack(t *testing.T, x *timetable.Index) *timetable.Index {
	t.Helper()
	s, err := region.ReadSection(timetable.SectionName, regiontest.Written(t, x.Write))
	if err != nil {
		t.Fatal(err)
	}
	if x, err = timetable.Read(s); err != nil {
		t.Fatal(err)
	}
	return x
}

// TestSectionComesBack writes a timetable with everything in it, reads it and writes it again.
func TestSectionComesBack(t *testing.T) {
	whole := regiontest.Written(t, drawn(t).Write)
	x := readBack(t, drawn(t))
	if again := regiontest.Written(t, x.Write); !slices.Equal(again, whole) {
		t.Error("what was read is written otherwise")
	}
}
