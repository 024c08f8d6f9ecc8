package timetable_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// TestModesOfEveryType has each route_type of GTFS, of both lists, and what is in neither.
func TestModesOfEveryType(t *testing.T) {
	hundreds := map[int]timetable.Mode{
		1: timetable.Rail, 2: timetable.Coach, 3: timetable.Rail, 4: timetable.Metro, 5: timetable.Metro, 6: timetable.Metro, 7: timetable.Bus, 8: timetable.Bus, 9: timetable.Tram, 10: timetable.Ferry, 12: timetable.Ferry, 13: timetable.CableCar, 14: timetable.CableCar,
	}
	few := map[int]timetable.Mode{
		0: timetable.Tram, 1: timetable.Metro, 2: timetable.Rail, 3: timetable.Bus, 4: timetable.Ferry, 5: timetable.Tram, 6: timetable.CableCar, 7: timetable.CableCar, 11: timetable.Bus, 12: timetable.Metro,
	}
	for n := -5; n < 1900; n++ {
		want, ok := few[n]
		if !ok && n >= 100 {
			want, ok = hundreds[n/100]
		}
		if !ok {
			want = timetable.Other
		}
		if got := timetable.ModeOfType(n); got != want {
			t.Errorf("type %d is %v, want %v", n, got, want)
		}
	}
}

// TestVehiclesGoOn has what a vehicle goes on as after a trip, by the block of both and by rules.
func TestVehiclesGoOn(t *testing.T) {
	type trip struct {
		block     string
		begin     int32
		from, to  int
		days      []gtfs.Date
		repeating bool
	}
	all := []gtfs.Date{20000, 20001}
	first := trip{"v", 0, 0, 1, all, false}
	for name, c := range map[string]struct {
		trips  []trip
		change []timetable.Change
		want   string // what trip 0 goes on as
	}{
		"the next of its block":          {[]trip{first, {"v", 1000, 1, 2, all, false}}, nil, "1"},
		"of another block":               {[]trip{first, {"w", 1000, 1, 2, all, false}}, nil, ""},
		"of no block":                    {[]trip{{"", 0, 0, 1, all, false}, {"", 1000, 1, 2, all, false}}, nil, ""},
		"one that has left before":       {[]trip{first, {"v", 50, 1, 2, all, false}}, nil, ""},
		"one that leaves as it comes":    {[]trip{first, {"v", 100, 1, 2, all, false}}, nil, "1"},
		"the nearer of two":              {[]trip{first, {"v", 2000, 1, 2, all, false}, {"v", 1000, 1, 2, all, false}}, nil, "2"},
		"each on its days":               {[]trip{first, {"v", 1000, 1, 2, all[:1], false}, {"v", 1500, 1, 2, all[1:], false}}, nil, "1 2"},
		"on a day on which it runs not":  {[]trip{{"v", 0, 0, 1, all[:1], false}, {"v", 1000, 1, 2, all[1:], false}}, nil, ""},
		"from a stop far off":            {[]trip{first, {"v", 1000, 2, 0, all, false}}, nil, ""},
		"at headways":                    {[]trip{first, {"v", 1000, 1, 2, all, true}}, nil, ""},
		"by a rule":                      {[]trip{{"", 0, 0, 1, all, false}, {"", 1000, 1, 2, all, false}}, []timetable.Change{{FromTrip: 0, ToTrip: 1, Kind: timetable.InSeat}}, "1"},
		"by a rule from far off":         {[]trip{{"", 0, 0, 1, all, false}, {"", 1000, 2, 0, all, false}}, []timetable.Change{{FromTrip: 0, ToTrip: 1, Kind: timetable.InSeat}}, "1"},
		"by a rule at headways":          {[]trip{{"", 0, 0, 1, all, false}, {"", 1000, 1, 2, all, true}}, []timetable.Change{{FromTrip: 0, ToTrip: 1, Kind: timetable.InSeat}}, ""},
		"by a rule after what is over":   {[]trip{{"", 0, 0, 1, all, false}, {"", 50, 1, 2, all, false}}, []timetable.Change{{FromTrip: 0, ToTrip: 1, Kind: timetable.InSeat}}, ""},
		"by a rule on which all get off": {[]trip{first, {"v", 1000, 1, 2, all, false}}, []timetable.Change{{FromTrip: 0, ToTrip: 1, Kind: timetable.InSeat + 1}}, ""},
		"of itself at headways":          {[]trip{{"v", 0, 0, 1, all, true}, {"v", 1000, 1, 2, all, false}}, nil, ""},
	} {
		b := timetable.NewBuilder()
		agency, err := b.AddAgency(timetable.Agency{ID: "1", Zone: "Europe/London", Feed: b.AddFeed(timetable.Feed{Name: "f"})})
		if err != nil {
			t.Fatal(err)
		}
		line := b.AddLine(timetable.Line{ID: "1", Agency: agency, Mode: timetable.Bus})
		var stops []int
		for i := range 3 {
			stops = append(stops, b.AddStop(timetable.Stop{ID: fmt.Sprint(i), At: geo.Point{Lon: 9.5, Lat: 47.5 + float64(i)/10}, Parent: -1}))
		}
		for n, x := range c.trips {
			added := timetable.Trip{ID: fmt.Sprint(n), Block: x.block, Line: line, Service: b.AddService(x.days), Direction: 2, Visits: []timetable.Visit{
				{Stop: int32(stops[x.from]), Call: timetable.Call{Arrive: x.begin, Depart: x.begin}}, {Stop: int32(stops[x.to]), Call: timetable.Call{Arrive: x.begin + 100, Depart: x.begin + 100}},
			}}
			if x.repeating {
				added.Headways = []timetable.Headway{{Start: x.begin, End: x.begin + 1000, Every: 100}}
			}
			b.AddTrip(added)
		}
		for _, change := range c.change {
			change.From, change.To, change.FromLine, change.ToLine = -1, -1, -1, -1
			b.AddChange(change)
		}
		built, _ := b.Build()
		x := readBack(t, built)
		var got []string
		for _, next := range x.Continuations(x.TripsByID("0")[0]) {
			got = append(got, x.TripID(next))
		}
		if slices.Sort(got); strings.Join(got, " ") != c.want {
			t.Errorf("%s: it goes on as %v, want %q", name, got, c.want)
		}
	}
}
