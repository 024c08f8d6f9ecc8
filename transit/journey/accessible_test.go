package journey_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/transit/journey"
)

// Journeys by wheelchair are those that a search of all finds among the stops and the trips
// that are known as accessible.
func TestAccessible(t *testing.T) {
	fewer := 0
	for seed := range uint64(searchtest.Cases(100)) {
		r := rand.New(rand.NewPCG(seed, 6))
		d := random(t, r, without{known: r})
		n := d.n.Accessible()
		for range 3 {
			q := d.ask(r)
			all := len(values(t, newOracle(d.x, d.walks, nil), q, find(t, d.n, q)))
			var changes []journey.Change
			if r.IntN(3) == 0 {
				changes = d.changes(r)
				q.Live = n.Live(changes)
			}
			o := newOracle(d.x, d.walks, changes)
			o.wheelchair = true
			got, want := drop(values(t, o, q, find(t, n, q)), true, false), drop(o.once(q), true, false)
			if changes == nil && len(got) < all {
				fewer++
			}
			if slices.Equal(got, want) {
				q.Window = time.Duration(1+r.IntN(6*3600)) * time.Second
				got, want = values(t, o, q, find(t, n, q)), o.window(q)
			}
			if !slices.Equal(got, want) || t.Failed() {
				t.Fatalf("town %d: %+v:\n%v, want\n%v", seed, q, got, want)
			}
		}
	}
	if fewer == 0 {
		t.Error("wheelchairs make no difference")
	}
}

// A walk within a station may have steps: nobody is sent over it in a wheelchair, other than
// over the same walk on a street.
func TestAccessibleStation(t *testing.T) {
	b := timetable.NewBuilder()
	agency, err := b.AddAgency(timetable.Agency{ID: "1", Zone: "Europe/London", Feed: b.AddFeed(timetable.Feed{})})
	if err != nil {
		t.Fatal(err)
	}
	line := b.AddLine(timetable.Line{ID: "1", Agency: agency, Mode: timetable.Rail, Colour: timetable.None, Ink: timetable.None})
	service := b.AddService([]gtfs.Date{20000})
	var stops []int
	for _, id := range []string{"A", "B", "C", "D", "E", "F"} {
		stops = append(stops, b.AddStop(timetable.Stop{ID: id, At: geo.Point{Lon: 9.5, Lat: 47.5 + float64(len(stops))/1000}, Parent: -1, Wheelchair: timetable.Accessible}))
	}
	b.AddWalk(stops[1], stops[2], 60, 70)
	for i, at := range []int32{28800, 30000, 31200} {
		b.AddTrip(timetable.Trip{ID: "t", Line: line, Service: service, Direction: 2, Wheelchair: timetable.Accessible, Visits: []timetable.Visit{
			{Stop: int32(stops[2*i]), Call: timetable.Call{Arrive: at, Depart: at}}, {Stop: int32(stops[2*i+1]), Call: timetable.Call{Arrive: at + 600, Depart: at + 600}},
		}})
	}
	x := read(t, b)
	at := func(id string) uint32 {
		n, _ := x.Find(id)
		return n
	}
	for _, c := range []struct {
		inside         bool // the walk from B to C is within a station
		plain, chaired int
	}{{true, 1, 0}, {false, 1, 1}} {
		n := journey.NewNetwork(x, func(stop uint32) []journey.Walk {
			switch {
			case c.inside && stop == at("B"):
				return []journey.Walk{{To: at("C"), Seconds: 60}}
			case !c.inside && stop == at("D"):
				return []journey.Walk{{To: at("E"), Seconds: 60}}
			}
			return nil
		})
		from, to := "A", "D"
		if !c.inside {
			from, to = "C", "F"
		}
		q := &journey.Query{From: []journey.Access{{Stop: at(from)}}, To: []journey.Access{{Stop: at(to)}}, Direct: -1, At: time.Unix(20000*gtfs.Day, 0), Modes: timetable.All}
		for _, q.ArriveBy = range []bool{false, true} {
			if q.ArriveBy {
				q.At = q.At.Add(12 * time.Hour)
			}
			if got, wheelchair := len(find(t, n, q)), len(find(t, n.Accessible(), q)); got != c.plain || wheelchair != c.chaired {
				t.Errorf("%+v: %d journeys, %d by wheelchair", c, got, wheelchair)
			}
		}
	}
}
