package journey_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/transit/journey"
)

// town is a timetable with the walks between its stops.
type town struct {
	x     *timetable.Index
	n     *journey.Network
	stops []uint32
	walk  map[uint32][]journey.Walk
}

func (d *town) walks(stop uint32) []journey.Walk { return d.walk[stop] }

// read writes a timetable and reads it again.
func read(t testing.TB, b *timetable.Builder) *timetable.Index {
	t.Helper()
	x, _ := b.Build()
	s, err := region.ReadSection(timetable.SectionName, regiontest.Written(t, x.Write))
	if err != nil {
		t.Fatal(err)
	}
	if x, err = timetable.Read(s); err != nil {
		t.Fatal(err)
	}
	return x
}

// without says what a random town does not have.
type without struct {
	inexact  bool
	headways bool
	known    *rand.Rand // draws what is known of wheelchairs; nil has nothing known
}

// wheelchair draws what is known of getting on in one: mostly that one can.
func (w without) wheelchair() uint8 {
	if w.known == nil {
		return 0
	}
	return []uint8{0, timetable.Inaccessible, 1, 1, 1, 1}[w.known.IntN(6)]
}

// random draws a town on the days around a change of clocks: lines with loops, headways, times
// past midnight, blocks, rules of boarding and of changing.
func random(t testing.TB, r *rand.Rand, w without) *town {
	b := timetable.NewBuilder()
	feed := b.AddFeed(timetable.Feed{Name: "town"})
	agencies := []int{}
	for _, zone := range []string{"Europe/London", "Europe/Paris"} {
		a, err := b.AddAgency(timetable.Agency{ID: zone, Name: zone, Zone: zone, Feed: feed})
		if err != nil {
			t.Fatal(err)
		}
		agencies = append(agencies, a)
	}
	monday := gtfs.Date(19812) // 30 March 2024, before clocks go forward
	if r.IntN(2) == 0 {
		monday = 20022 // 26 October 2024
	}
	services := []int{}
	for _, days := range [][]gtfs.Date{{0, 1, 2}, {0}, {1}, {2}, {0, 2}} {
		for i := range days {
			days[i] += monday
		}
		services = append(services, b.AddService(days))
	}
	count := 4 + r.IntN(5)
	stops := []int{}
	for i := range count {
		at := geo.Point{Lon: -0.1 + float64(i/2)*0.01, Lat: 51.5 + float64(i%2)*0.0008}
		stops = append(stops, b.AddStop(timetable.Stop{ID: fmt.Sprint(i), Name: fmt.Sprint(i), At: at, Parent: -1, Wheelchair: w.wheelchair()}))
	}
	var lines, trips []int
	for l := range 2 + r.IntN(4) {
		line := b.AddLine(timetable.Line{ID: fmt.Sprint(l), ShortName: fmt.Sprint(l), Agency: agencies[r.IntN(2)], Mode: timetable.Bus + timetable.Mode(r.IntN(8)/7), Colour: timetable.None, Ink: timetable.None})
		lines = append(lines, line)
		var route []int
		for range 2 + r.IntN(4) {
			if s := r.IntN(count); len(route) == 0 || route[len(route)-1] != s {
				route = append(route, s)
			}
		}
		if len(route) < 2 {
			continue
		}
		rules := make([]uint8, len(route))
		for i := range rules {
			if r.IntN(8) == 0 {
				rules[i] = []uint8{timetable.Never, timetable.Never << 2, timetable.ByPhone, timetable.AskDriver}[r.IntN(4)]
			}
		}
		for n := range 1 + r.IntN(5) {
			trip := timetable.Trip{ID: fmt.Sprint(l, "-", n), Line: line, Service: services[r.IntN(len(services))], Direction: 2, Wheelchair: w.wheelchair()}
			if r.IntN(3) == 0 {
				trip.Block = fmt.Sprint(r.IntN(2))
			}
			at := int32(r.IntN(27*6)) * 600
			for i, s := range route {
				depart := at + int32(r.IntN(3))*60
				trip.Visits = append(trip.Visits, timetable.Visit{Stop: int32(stops[s]), Call: timetable.Call{Arrive: at, Depart: depart}, Rules: rules[i]})
				at = depart + int32(1+r.IntN(30))*60
			}
			if !w.headways && r.IntN(6) == 0 {
				begin := int32(0)
				for range 1 + r.IntN(2) {
					begin += int32(r.IntN(14)) * 3600
					end := begin + int32(1+r.IntN(20))*600
					h := timetable.Headway{Start: begin, End: end, Every: int32(1+r.IntN(40)) * 60}
					if w.inexact || r.IntN(2) == 0 {
						h.Exact = 1
					}
					trip.Headways = append(trip.Headways, h)
					begin = end
				}
			}
			trips = append(trips, b.AddTrip(trip))
		}
	}
	for range r.IntN(6) {
		c := timetable.Change{From: stops[r.IntN(count)], To: stops[r.IntN(count)], FromLine: -1, ToLine: -1, FromTrip: -1, ToTrip: -1, Kind: uint8(r.IntN(4)), Seconds: -1}
		if c.Kind == timetable.Minimum {
			c.Seconds = int32(r.IntN(30)) * 60
		}
		if r.IntN(3) == 0 {
			c.FromLine = lines[r.IntN(len(lines))]
		}
		if r.IntN(3) == 0 {
			c.ToLine = lines[r.IntN(len(lines))]
		}
		if r.IntN(3) == 0 && len(trips) > 0 {
			c.FromTrip = trips[r.IntN(len(trips))]
		}
		if r.IntN(3) == 0 && len(trips) > 0 {
			c.ToTrip = trips[r.IntN(len(trips))]
		}
		b.AddChange(c)
	}
	for range r.IntN(4) {
		if len(trips) > 1 {
			b.AddChange(timetable.Change{From: -1, To: -1, FromLine: -1, ToLine: -1, FromTrip: trips[r.IntN(len(trips))], ToTrip: trips[r.IntN(len(trips))], Kind: timetable.InSeat, Seconds: -1})
		}
	}
	d := &town{x: read(t, b), walk: map[uint32][]journey.Walk{}}
	for i := range count {
		s, _ := d.x.Find(fmt.Sprint(i))
		d.stops = append(d.stops, s)
	}
	for range r.IntN(2 * count) {
		a, z := d.stops[r.IntN(count)], d.stops[r.IntN(count)]
		if a == z || slices.ContainsFunc(d.walk[a], func(w journey.Walk) bool { return w.To == z }) {
			continue
		}
		seconds := int32(r.IntN(900))
		d.walk[a] = append(d.walk[a], journey.Walk{To: z, Seconds: seconds})
		if r.IntN(4) > 0 {
			d.walk[z] = slices.DeleteFunc(d.walk[z], func(w journey.Walk) bool { return w.To == a })
			d.walk[z] = append(d.walk[z], journey.Walk{To: a, Seconds: seconds})
		}
	}
	d.n = journey.NewNetwork(d.x, d.walks)
	return d
}

// ask draws a question about a town.
func (d *town) ask(r *rand.Rand) *journey.Query {
	q := &journey.Query{Direct: -1, Modes: timetable.All, MinChange: int32(r.IntN(3)) * 90, MaxRides: r.IntN(5)}
	if r.IntN(8) == 0 {
		q.Modes = timetable.Road
	}
	for range 1 + r.IntN(3) {
		q.From = append(q.From, journey.Access{Stop: d.stops[r.IntN(len(d.stops))], Seconds: int32(r.IntN(700))})
		q.To = append(q.To, journey.Access{Stop: d.stops[r.IntN(len(d.stops))], Seconds: int32(r.IntN(700))})
	}
	if r.IntN(3) == 0 {
		q.Direct = int32(r.IntN(8000))
	}
	first, _, _ := d.x.Span()
	q.At = time.Unix(int64(first)*gtfs.Day, 0).Add(time.Duration(r.IntN(70*3600)) * time.Second)
	return q
}

// changes draws what is late or cancelled.
func (d *town) changes(r *rand.Rand) (list []journey.Change) {
	first, last, _ := d.x.Span()
	for p := range uint32(d.x.Patterns()) {
		begin, count := d.x.PatternTrips(p)
		for i := range count {
			for day := first; day <= last; day++ {
				if r.IntN(3) > 0 || len(d.x.Headways(p)) > 0 || !d.x.Runs(begin+i, day) {
					continue
				}
				c := journey.Change{Trip: begin + i, Day: day, Cancelled: r.IntN(3) == 0}
				late := int32(r.IntN(4000)) - 300
				for _, call := range d.x.Times(p, i) {
					late += int32(r.IntN(300))
					call = timetable.Call{Arrive: call.Arrive + late, Depart: call.Depart + late}
					if r.IntN(9) == 0 {
						call = journey.Skipped
					}
					c.Calls = append(c.Calls, call)
				}
				if !slices.ContainsFunc(c.Calls, func(call timetable.Call) bool { return call != journey.Skipped }) {
					c.Cancelled = true
				}
				list = append(list, c)
			}
		}
	}
	return list
}

// values returns those of journeys, whose legs it checks.
func values(t testing.TB, o *oracle, q *journey.Query, found []journey.Journey) (list []value) {
	t.Helper()
	for _, j := range found {
		if j.Rides == 0 {
			continue
		}
		v := value{j.Depart.Unix(), j.Arrive.Unix(), j.Rides, 0}
		walked, rides := int32(0), 0
		var before *journey.Leg
		at := j.Depart
		for i := range j.Legs {
			l := &j.Legs[i]
			if l.Depart.Before(at) {
				t.Errorf("%+v departs before it can", l)
			}
			if !l.Ride {
				walked += l.Walk
				v.steps = sum(v.steps, steps(l.Walk))
				at = l.Arrive
				continue
			}
			if !l.StaySeated {
				rides++
			}
			checkRide(t, o, q, l, before)
			if before == nil && l.Depart.Add(-time.Duration(l.Every)*time.Second).Before(at) {
				t.Errorf("%+v is waited for less than a headway", l)
			}
			before, at = l, l.Arrive
		}
		if at != j.Arrive || walked != j.Walk || rides != j.Rides {
			t.Errorf("legs come at %v, walk %d s, ride %d: %+v", at, walked, rides, j)
		}
		list = append(list, v)
	}
	order(list)
	return list
}

func checkRide(t testing.TB, o *oracle, q *journey.Query, l, before *journey.Leg) {
	t.Helper()
	s := boarding{trip: l.Trip, day: l.Day, pos: l.FromPosition}
	stops := o.x.PatternStops(o.of[l.Trip])
	if !o.runs(l.Trip, l.Day) || o.of[l.Trip] != l.Pattern || stops[l.FromPosition] != l.From || stops[l.ToPosition] != l.To || l.FromPosition >= l.ToPosition {
		t.Errorf("a ride that is not in the timetable: %+v", l)
	}
	if hs := o.headways(l.Trip); len(hs) > 0 {
		s.start = l.Depart.Unix() - int64(o.x.Times(l.Pattern, l.Trip-first(o, l.Pattern))[l.FromPosition].Depart)
		if o.waits(s) != int64(l.Every) {
			t.Errorf("a ride waits %d, want %d: %+v", l.Every, o.waits(s), l)
		}
	} else if _, depart, ok := o.call(s); ok && depart != l.Depart.Unix() {
		t.Errorf("a ride departs at %v: %+v", time.Unix(depart, 0).UTC(), l)
	}
	s.pos = l.ToPosition
	if arrive, _, ok := o.call(s); ok && arrive != l.Arrive.Unix() {
		t.Errorf("a ride arrives at %v: %+v", time.Unix(arrive, 0).UTC(), l)
	}
	if before == nil {
		return
	}
	if l.StaySeated {
		if o.onward(boarding{trip: before.Trip, day: before.Day}) != l.Trip || before.Day != l.Day {
			t.Errorf("the vehicle of %+v does not go on as %+v", before, l)
		}
		return
	}
	walk, there := o.ways(before.To)[l.From]
	needs, ok := o.needs(q, before.To, l.From, before.Trip, l.Trip, walk)
	if !there || !ok || before.Arrive.Unix()+needs > l.Depart.Unix()-int64(l.Every) {
		t.Errorf("no change in time from %+v to %+v", before, l)
	}
}

func first(o *oracle, pattern uint32) uint32 {
	n, _ := o.x.PatternTrips(pattern)
	return n
}

func find(t testing.TB, n *journey.Network, q *journey.Query) []journey.Journey {
	t.Helper()
	found, err := n.Find(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// drop takes from values what their question does not compare.
func drop(list []value, depart, arrive bool) []value {
	out := slices.Clone(list)
	for i := range out {
		if depart {
			out[i].depart = 0
		}
		if arrive {
			out[i].arrive = 0
		}
	}
	order(out)
	return out
}

// Journeys are those that a search of all finds.
func TestRandomTowns(t *testing.T) {
	for seed := range uint64(searchtest.Cases(200)) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := without{inexact: seed%2 == 0, headways: seed%4 < 2}
		d := random(t, r, w)
		for range 3 {
			q := d.ask(r)
			var changes []journey.Change
			if r.IntN(3) == 0 {
				changes = d.changes(r)
				q.Live = d.n.Live(changes)
			}
			o := newOracle(d.x, d.walks, changes)
			kind := "once"
			found := find(t, d.n, q)
			got := drop(values(t, o, q, found), true, false)
			want := drop(o.once(q), true, false)
			if slices.Equal(got, want) {
				kind = "latest"
				q.ArriveBy = true
				got, want = drop(values(t, o, q, find(t, d.n, q)), false, true), drop(o.latest(q), false, true)
				q.ArriveBy = false
			}
			if slices.Equal(got, want) {
				kind = "window"
				q.Window = time.Duration(1+r.IntN(6*3600)) * time.Second
				got, want = values(t, o, q, find(t, d.n, q)), o.window(q)
			}
			if slices.Equal(got, want) && w.inexact {
				kind = "arrivals"
				q.ArriveBy = true
				got, want = values(t, o, q, find(t, d.n, q)), o.arrivals(q)
			}
			if !slices.Equal(got, want) || t.Failed() {
				t.Fatalf("town %d, %s: %+v:\n%v, want\n%v", seed, kind, q, got, want)
			}
		}
	}
}
