package timetable_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// TestStopsByPlace compares what is near a point, and in a box, with all stops one by one: with
// stops on both sides of the antimeridian, in one row and in many.
func TestStopsByPlace(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		middle := geo.Point{Lon: rapid.SampledFrom([]float64{0, 9.5, 179.999, -179.999}).Draw(t, "lon"), Lat: rapid.SampledFrom([]float64{-47, 0, 60}).Draw(t, "lat")}
		spread := rapid.SampledFrom([]float64{0.0005, 0.02, 0.3}).Draw(t, "spread")
		point := func() geo.Point {
			return geo.Point{Lon: math.Remainder(middle.Lon+spread*rapid.Float64Range(-1, 1).Draw(t, "east"), 360), Lat: middle.Lat + spread*rapid.Float64Range(-1, 1).Draw(t, "north")}
		}
		b := timetable.NewBuilder()
		for i := range rapid.IntRange(0, 20).Draw(t, "stops") {
			b.AddStop(timetable.Stop{ID: fmt.Sprint(i), At: point(), Parent: -1})
		}
		x, _ := b.Build()
		p, metres := point(), spread*rapid.Float64Range(0, 100_000).Draw(t, "metres")
		got := map[uint32]bool{}
		x.Near(p, metres, func(stop uint32, away float64) {
			if got[stop] || away > metres || math.Abs(away-geo.Distance(p, x.Stop(stop).At)) > 1e-6 {
				t.Fatalf("stop %d comes twice, or is %g m away", stop, away)
			}
			got[stop] = true
		})
		box := geo.Bounds{Min: point(), Max: point()}
		if box.Min.Lat > box.Max.Lat {
			box.Min.Lat, box.Max.Lat = box.Max.Lat, box.Min.Lat
		}
		in := map[uint32]bool{}
		x.Inside(box, func(stop uint32) { in[stop] = true })
		low, high := box.Min.Fix(), box.Max.Fix()
		for n := range uint32(x.Stops()) {
			at := x.Stop(n).At
			if d := geo.Distance(p, at); math.Abs(d-metres) > 0.01 && got[n] != (d < metres) { // at the edge the last bit decides
				t.Fatalf("stop %d, %g m away, is within %g m: %v", n, d, metres, got[n])
			}
			f := at.Fix()
			east := f.Lon >= low.Lon && f.Lon <= high.Lon
			if low.Lon > high.Lon {
				east = f.Lon >= low.Lon || f.Lon <= high.Lon
			}
			if want := east && f.Lat >= low.Lat && f.Lat <= high.Lat; in[n] != want {
				t.Fatalf("stop %d at %v is in %v: %v", n, at, box, in[n])
			}
			if found, ok := x.Find(x.Stop(n).ID); !ok || found != n {
				t.Fatalf("the id of stop %d finds %d", n, found)
			}
		}
		if _, ok := x.Find("none"); ok {
			t.Fatal("an id of no stop is found")
		}
	})
}

// TestTripsOfLines compares what leaves a stop at a second, and what an id stands for, with all
// trips one by one.
func TestTripsOfLines(t *testing.T) {
	x := readBack(t, drawn(t))
	line := x.LineByID("1")[0]
	type run struct {
		at   int32
		stop uint32
	}
	want := map[run]int{}
	starts := map[int32]int{}
	for n := range 20 {
		trips := x.TripsByID(fmt.Sprint("t", n))
		if len(trips) != 1 || !x.HasTrip(fmt.Sprint("t", n)) {
			t.Fatalf("trip %d is %v", n, trips)
		}
		r, ok := x.RunOf(trips[0])
		if !ok || r.Trip != trips[0] || r.Line != line || r.Direction != 2 || r.Repeats != (n > 17) || len(r.Stops) != 3 || len(r.Calls) != 3 {
			t.Fatalf("trip %d is %+v", n, r)
		}
		if p := x.PatternOf(trips[0]); p == timetable.None || !slices.Equal(x.PatternStops(p), r.Stops) {
			t.Fatalf("trip %d is of pattern %d", n, p)
		}
		if x.TripAccessible(trips[0]) != (n%3 == 1) {
			t.Errorf("trip %d takes a wheelchair: %v", n, x.TripAccessible(trips[0]))
		}
		if n <= 17 {
			for i, s := range r.Stops {
				if at := int32(n*600 + i*100); r.Calls[i].Depart != at {
					t.Errorf("trip %d leaves stop %d at %d", n, i, r.Calls[i].Depart)
				}
				want[run{int32(n*600 + i*100), s}]++
			}
			starts[int32(n*600)]++
		} else if r.Calls[0].Depart != 0 || r.Calls[2].Depart != 200 {
			t.Errorf("the times of a trip at headways are %v", r.Calls)
		}
	}
	if x.HasTrip("none") || len(x.TripsByID("none")) != 0 || x.PatternOf(20) != timetable.None {
		t.Error("a trip that is not there is found")
	}
	if _, ok := x.RunOf(20); ok {
		t.Error("a trip after the last is described")
	}
	for second := int32(-1); second < 12_000; second++ {
		for s := range uint32(x.Stops()) {
			n := 0
			x.Leaving(line, s, second, func(r timetable.Run) { n++ })
			if n != want[run{second, s}] {
				t.Fatalf("%d trips leave stop %d at %d", n, s, second)
			}
		}
		n := 0
		x.Starting(line, second, func(timetable.Run) { n++ })
		if n != starts[second] {
			t.Fatalf("%d trips start at %d", n, second)
		}
	}
}

// TestRunsAtHeadways has the runs of a trip that repeats, to the second and not.
func TestRunsAtHeadways(t *testing.T) {
	for exact, want := range []bool{false, true} {
		b := timetable.NewBuilder()
		agency, err := b.AddAgency(timetable.Agency{ID: "1", Zone: "Europe/London", Feed: b.AddFeed(timetable.Feed{Name: "f"})})
		if err != nil {
			t.Fatal(err)
		}
		line, service := b.AddLine(timetable.Line{ID: "1", Agency: agency, Mode: timetable.Bus}), b.AddService([]gtfs.Date{20000})
		trip := timetable.Trip{ID: "t", Line: line, Service: service, Direction: 1, Headways: []timetable.Headway{{Start: 1000, End: 2000, Every: 300, Exact: uint32(exact)}}}
		for i := range int32(3) {
			s := b.AddStop(timetable.Stop{ID: fmt.Sprint(i), At: geo.Point{Lon: 9.5, Lat: 47.5 + float64(i)/100}, Parent: -1})
			trip.Visits = append(trip.Visits, timetable.Visit{Stop: int32(s), Call: timetable.Call{Arrive: 500 + 60*i, Depart: 500 + 60*i}})
		}
		b.AddTrip(trip)
		built, _ := b.Build()
		x := readBack(t, built)
		for second := int32(0); second < 2500; second++ {
			starts := second == 1000 || second == 1300 || second == 1600 || second == 1900
			if got := x.StartsAt(0, second); got != (starts && want) {
				t.Errorf("exact %v: a run starts at %d: %v", want, second, got)
			}
		}
		if x.StartsAt(1, 1000) {
			t.Error("a trip after the last starts")
		}
		begin := gtfs.Date(20000).Begin(x.LineZone(0))
		board := timetable.DepartureQuery{Modes: timetable.All, From: begin, Window: time.Hour, Limit: 100}
		for s := range uint32(3) {
			board.Stops = append(board.Stops, s)
		}
		list := x.Departures(board)
		if len(list) != 8 {
			t.Fatalf("%d departures", len(list))
		}
		for _, d := range list {
			at := int32(d.At.Sub(begin) / time.Second)
			if start := x.RunStart(d); start != at-int32(d.Position)*60 || (start-1000)%300 != 0 {
				t.Errorf("what leaves stop %d at %d started at %d", d.Position, at, start)
			}
		}
	}
}

// TestStationsAndTheirStops has stops of one station, of two and of none, and what is known of
// boarding there.
func TestStationsAndTheirStops(t *testing.T) {
	b := timetable.NewBuilder()
	var added []int
	for i, s := range []timetable.Stop{
		{ID: "S", Kind: timetable.KindStation, Wheelchair: timetable.Accessible},
		{ID: "R", Kind: timetable.KindStation, Wheelchair: timetable.Inaccessible},
		{ID: "S1"},
		{ID: "S2", Wheelchair: timetable.Inaccessible},
		{ID: "R1"},
		{ID: "R2", Wheelchair: timetable.Accessible},
		{ID: "N"},
		{ID: "M", Wheelchair: timetable.Accessible},
	} {
		s.At, s.Parent = geo.Point{Lon: 9.5, Lat: 47.5 + float64(i)/100}, -1
		added = append(added, b.AddStop(s))
	}
	for i, parent := range map[int]int{2: 0, 3: 0, 4: 1, 5: 1} {
		b.SetParent(added[i], added[parent])
	}
	x, _ := b.Build()
	number := func(id string) uint32 {
		n, ok := x.Find(id)
		if !ok {
			t.Fatal(id)
		}
		return n
	}
	station := map[string]string{"S": "S", "S1": "S", "S2": "S", "R": "R", "R1": "R", "R2": "R", "N": "N", "M": "M"}
	for a := range station {
		for b := range station {
			if got := x.SamePlace(number(a), number(b)); got != (station[a] == station[b]) {
				t.Errorf("%s and %s are one place: %v", a, b, got)
			}
		}
	}
	for id, want := range map[string]bool{"S": true, "R": false, "S1": true, "S2": false, "R1": false, "R2": true, "N": false, "M": true} {
		if x.StopAccessible(number(id)) != want {
			t.Errorf("one can board at %s: %v", id, !want)
		}
	}
	for id, want := range map[string]string{"S": "S S1 S2", "R": "R R1 R2", "S1": "S1", "N": "N"} {
		var got []string
		for _, n := range x.Within(number(id)) {
			got = append(got, x.Stop(n).ID)
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("within %s are %v", id, got)
		}
	}
}

// TestLinesInOrder has lines by their numbers, with letters, without and of other modes, and names
// in other languages.
func TestLinesInOrder(t *testing.T) {
	b := timetable.NewBuilder()
	agency, err := b.AddAgency(timetable.Agency{ID: "1", Zone: "Europe/London", Feed: b.AddFeed(timetable.Feed{Name: "f"})})
	if err != nil {
		t.Fatal(err)
	}
	service := b.AddService([]gtfs.Date{20000})
	var stops []int
	for i := range 2 {
		stops = append(stops, b.AddStop(timetable.Stop{
			ID: fmt.Sprint(i), Name: "Mill", NameIn: []timetable.Name{{Language: "cy", Text: "Melin"}, {Language: "CY", Text: "Twice"}, {Language: "pt-BR", Text: "Moinho"}}, At: geo.Point{Lon: 9.5, Lat: 47.5 + float64(i)/100}, Parent: -1,
		}))
	}
	for i, l := range []timetable.Line{
		{ShortName: "10A"}, {ShortName: "10"}, {ShortName: "2"}, {ShortName: "X"}, {ShortName: "A1"}, {ShortName: "002B"}, {LongName: "Airport"}, {ShortName: "10"}, {ShortName: "1", Mode: timetable.Rail}, {ShortName: "3", ShortIn: []timetable.Name{{Language: "cy", Text: "tri"}}},
	} {
		l.ID, l.Agency, l.Mode = fmt.Sprint(i), agency, max(l.Mode, timetable.Bus)
		if l.ShortName == "1" {
			l.Mode = timetable.Rail
		}
		trip := timetable.Trip{ID: fmt.Sprint(i), Line: b.AddLine(l), Service: service}
		for k, s := range stops {
			trip.Visits = append(trip.Visits, timetable.Visit{Stop: int32(s), Call: timetable.Call{Arrive: int32(k * 60), Depart: int32(k * 60)}})
		}
		b.AddTrip(trip)
	}
	built, _ := b.Build()
	x := readBack(t, built)
	stop, _ := x.Find("0")
	for _, c := range []struct {
		of             timetable.Modes
		language, want string
	}{
		{timetable.Bus.Set(), "", "002B 2 3 10 10A A1 Airport X"},
		{timetable.Bus.Set(), "cy", "002B 2 10 10A A1 Airport X tri"},
		{timetable.Bus.Set(), "cy-GB", "002B 2 10 10A A1 Airport X tri"},
		{timetable.Bus.Set(), "de", "002B 2 3 10 10A A1 Airport X"},
		{timetable.Rail.Set(), "", "1"},
		{timetable.All, "", "1 002B 2 3 10 10A A1 Airport X"},
	} {
		if got := strings.Join(x.LinesAt(stop, c.of, c.language), " "); got != c.want {
			t.Errorf("%v in %q: %s, want %s", c.of, c.language, got, c.want)
		}
	}
	if !x.ServedBy(stop, timetable.Rail.Set()) || x.ServedBy(stop, timetable.Ferry.Set()) || x.Modes(stop) != timetable.Rail.Set()|timetable.Bus.Set() {
		t.Errorf("modes %v", x.Modes(stop))
	}
	for language, want := range map[string]string{"": "Mill", "cy": "Melin", "CY": "Melin", "cy-GB": "Melin", "pt": "Moinho", "pt-br": "Moinho", "pt-PT": "Moinho", "p": "Mill", "de": "Mill"} {
		if got := x.StopName(stop, language); got != want {
			t.Errorf("in %q: %s, want %s", language, got, want)
		}
	}
}
