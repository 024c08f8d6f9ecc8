package journey

import (
	"context"
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
)

// drawnDays are the service days of drawn networks.
var drawnDays = []gtfs.Date{20000, 20001}

// drawnNetwork draws lines of trips with times of their own, some past midnight, between six
// stops with walks between some, without rules of changing. Between two calls they take a minute
// or more, or with instant no time at all, too.
func drawnNetwork(t *testing.T, r *rand.Rand, instant bool) *Network {
	t.Helper()
	b := timetable.NewBuilder()
	agency, err := b.AddAgency(timetable.Agency{ID: "1", Zone: "Europe/London", Feed: b.AddFeed(timetable.Feed{})})
	if err != nil {
		t.Fatal(err)
	}
	least := 1
	if instant {
		least = 0
	}
	services := []int{b.AddService(drawnDays), b.AddService(drawnDays[1:])}
	const count = 6
	for i := range count {
		b.AddStop(timetable.Stop{ID: string(rune('A' + i)), At: geo.Point{Lon: 9.5, Lat: 47.5 + float64(i)/100}, Parent: -1})
	}
	hours := 26
	if r.IntN(2) == 0 {
		hours = 3 // trips overtake those of other lines
	}
	for range 1 + r.IntN(4) {
		line := b.AddLine(timetable.Line{ID: "l", Agency: agency, Mode: timetable.Bus, Colour: timetable.None, Ink: timetable.None})
		route := r.Perm(count)[:2+r.IntN(4)]
		for range 1 + r.IntN(6) {
			trip, at := timetable.Trip{ID: "t", Line: line, Service: services[r.IntN(2)], Direction: 2}, int32(r.IntN(hours*12))*300
			for _, s := range route {
				depart := at + int32(r.IntN(3))*60
				rules := uint8(0)
				if r.IntN(8) == 0 {
					rules = []uint8{timetable.Never, timetable.Never << 2}[r.IntN(2)]
				}
				trip.Visits = append(trip.Visits, timetable.Visit{Stop: int32(s), Call: timetable.Call{Arrive: at, Depart: depart}, Rules: rules})
				at = depart + int32(least+r.IntN(20))*60
			}
			b.AddTrip(trip)
		}
	}
	made, _ := b.Build()
	s, err := region.ReadSection(timetable.SectionName, regiontest.Written(t, made.Write))
	if err != nil {
		t.Fatal(err)
	}
	x, err := timetable.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	walks := map[uint32][]Walk{}
	for range r.IntN(6) {
		from, to := uint32(r.IntN(count)), uint32(r.IntN(count))
		if from != to {
			walks[from] = append(walks[from], Walk{to, int32(r.IntN(900))})
		}
	}
	return NewNetwork(x, func(stop uint32) []Walk { return walks[stop] })
}

// plainHop is a trip of a day from one of its calls to the next, in seconds since 1970.
type plainHop struct {
	run            [2]uint32 // trip, day
	pos            int       // of the call
	from, to       uint32
	depart, arrive int64
	board, alight  bool
}

func plainHops(x *timetable.Index) (list []plainHop) {
	for p := range uint32(x.Patterns()) {
		first, count := x.PatternTrips(p)
		stops, rules := x.PatternStops(p), x.PatternRules(p)
		for i := range count {
			for _, day := range drawnDays {
				if !x.Runs(first+i, day) {
					continue
				}
				zero, calls := day.Begin(x.LineZone(x.PatternLine(p))).Unix(), x.Times(p, i)
				for n := range len(stops) - 1 {
					list = append(list, plainHop{
						[2]uint32{first + i, uint32(day)},
						n, stops[n], stops[n+1], zero + int64(calls[n].Depart), zero + int64(calls[n+1].Arrive),
						timetable.Boarding(rules[n]) != timetable.Never, timetable.Alighting(rules[n+1]) != timetable.Never,
					})
				}
			}
		}
	}
	return list
}

// A day's hops are those of its trips at which somebody may board or get off, in the order of
// their departures.
func TestHops(t *testing.T) {
	for seed := range uint64(searchtest.Cases(50)) {
		n := drawnNetwork(t, rand.New(rand.NewPCG(seed, 1)), seed%2 == 0)
		for _, date := range drawnDays {
			d := n.day(date)
			l := n.hops(d)
			type hop struct {
				from, to       uint32
				depart, arrive int64
				board, alight  bool
			}
			var got, want []hop
			for i, m := range l.moments[:len(l.moments)-1] {
				if next := l.moments[i+1]; next.at <= m.at || next.first <= m.first {
					t.Fatalf("seed %d: moments %v", seed, l.moments)
				}
				for h := m.first; h < l.moments[i+1].first; h++ {
					got = append(got, hop{l.stop[0][h], l.stop[1][h], d.begin[0] + int64(m.at), d.begin[0] + int64(l.arrive[h]), l.of[h]&1 != 0, l.of[h]>>1&1 != 0})
				}
			}
			for _, h := range plainHops(n.x) {
				if h.run[1] == uint32(date) && (h.board || h.alight) {
					want = append(want, hop{h.from, h.to, h.depart, h.arrive, h.board, h.alight})
				}
			}
			for _, h := range got {
				i := slices.Index(want, h)
				if i < 0 {
					t.Fatalf("seed %d: a hop %+v that is none", seed, h)
				}
				want = slices.Delete(want, i, i+1)
			}
			if len(want) > 0 {
				t.Fatalf("seed %d: no hops %+v", seed, want)
			}
		}
	}
}

// A sweep ahead has the earliest times at which one leaves a vehicle at each stop and can board
// one there, or backward the latest, as hops that are gone over until nothing is better have
// them. The sweep behind it has until when one has to be where to come to its end in time: the
// same from the other end, of what is on a way there; and what it has of where stops lead is no
// worse than what is so. Where vehicles take no time from one call
// to the next a sweep may come somewhere sooner than they do, and never later.
func TestSweeps(t *testing.T) {
	met, led := 0, 0
	for seed := range uint64(searchtest.Cases(500)) {
		r := rand.New(rand.NewPCG(seed, 2))
		instant := seed%3 == 2
		n := drawnNetwork(t, r, instant)
		list := plainHops(n.x)
		stop := func() []Access { return []Access{{uint32(r.IntN(6)), int32(r.IntN(600))}} }
		q := &Query{From: stop(), To: stop(), At: time.Unix(int64(drawnDays[0])*gtfs.Day+int64(r.IntN(10)*r.IntN(3*3600)), 0), Modes: timetable.All, MinChange: int32(r.IntN(3)) * 90, ArriveBy: seed%2 == 1}
		s := n.scratch.Get().(*search)
		s.begin(q, 1, false, Longest)
		s.limit = longest
		ahead := s.sweep(s.back)
		ahead.limit = longest
		if err := ahead.ahead(context.Background(), 0, never); err != nil {
			t.Fatal(err)
		}
		left, ready := plainSweep(n, list, s, s.back, s.origin, 0, longest)
		for i := range n.x.Stops() {
			a := struct{ left, ready int32 }{ahead.left[i], ahead.soonest[i]}
			if a.left > left[i] || a.ready > ready[i] || !instant && (a.left < left[i] || a.ready < ready[i]) {
				t.Fatalf("seed %d: %+v: at stop %d %+v, want %d and %d", seed, q, i, a, left[i], ready[i])
			}
		}
		// The end of the search: its earliest arrival, and what is at least as good from there.
		first := int32(never)
		for _, a := range s.target {
			if l := left[a.Stop]; l != never && l+a.Seconds <= longest {
				first = min(first, l+a.Seconds)
			}
		}
		forward := s.sweep(s.back)
		forward.limit = longest
		forward.aim(0, -1)
		if err := forward.ahead(context.Background(), 0, never); err != nil {
			t.Fatal(err)
		}
		if forward.first > first || !instant && forward.first < first {
			t.Fatalf("seed %d: %+v: first at the end at %d, want %d", seed, q, forward.first, first)
		}
		if first = forward.first; first != never {
			limit := min(longest, later(first))
			behind := s.sweep(1 - s.back)
			behind.limit, behind.leads = 0, true
			if err := behind.sweepBack(context.Background(), forward, -limit); err != nil {
				t.Fatal(err)
			}
			back, due := plainSweep(n, list, s, 1-s.back, s.target, -limit, 0)
			for i := range n.x.Stops() {
				a := struct{ left, ready int32 }{behind.left[i], behind.soonest[i]}
				// Only where both sweeps come is there a way: elsewhere the backward sweep finds less.
				if left[i] != never && due[i] != never && left[i] <= -due[i] {
					met++
					if a.ready > -left[i] {
						t.Fatalf("seed %d: %+v: one is at stop %d at %d, in time, and has to be there by %d", seed, q, i, left[i], -a.ready)
					}
				}
				if !instant && (a.left < back[i] || a.ready < due[i]) {
					t.Fatalf("seed %d: %+v: at stop %d backward %+v, and the best is %d and %d", seed, q, i, a, back[i], due[i])
				}
			}
			for _, h := range list {
				i, at := h.to, int32(h.arrive-s.zero)
				if s.back == backward {
					i, at = h.from, int32(s.zero-h.depart)
				}
				if at < left[i] {
					continue
				}
				if end := plainEnd(n, list, s, i, at, limit); end != never {
					led++
					y := behind.ways[behind.wayOf[i]]
					if (y.walk == never || at+y.walk > end) && y.left.end(at) > end {
						t.Fatalf("seed %d: %+v: who leaves a vehicle at stop %d at %d is at the end by %d, and not by %d", seed, q, i, at, end, y.left.end(at))
					}
				}
			}
			behind.close()
		}
		forward.close()
		ahead.close()
		s.end()
	}
	if met == 0 {
		t.Error("sweeps meet at no stop")
	}
	if led == 0 {
		t.Error("no stop leads to an end")
	}
}

// plainEnd returns the earliest end of the search until a limit, of who leaves a vehicle at a stop.
func plainEnd(n *Network, list []plainHop, s *search, stop uint32, at, limit int32) int32 {
	var changes []Access
	for _, c := range n.changes[s.back].of(stop) {
		changes = append(changes, Access{c.to, max(c.seconds, s.change)})
	}
	left, _ := plainSweep(n, list, s, s.back, changes, at, limit)
	left[stop] = min(left[stop], at)
	end := int32(never)
	for _, a := range s.target {
		if l := left[a.Stop]; l != never && l+a.Seconds <= limit {
			end = min(end, l+a.Seconds)
		}
	}
	return end
}

// plainSweep goes over all hops until nothing is better. Its times are in the order of the
// direction, from a time on, and no later than a limit.
func plainSweep(n *Network, list []plainHop, s *search, back int, origin []Access, at, limit int32) (left, ready []int32) {
	left, ready = fill(nil, n.x.Stops(), never), fill(nil, n.x.Stops(), never)
	for _, a := range origin {
		if at+a.Seconds <= limit {
			ready[a.Stop] = min(ready[a.Stop], at+a.Seconds)
		}
	}
	on := map[[2]uint32]int{} // the call from which on one is in the vehicle of a run
	for better := true; better; {
		better = false
		for _, h := range list {
			begin, end, board, alight := int32(h.depart-s.zero), int32(h.arrive-s.zero), h.board, h.alight
			from, to := h.from, h.to
			pos := h.pos
			if back == backward {
				begin, end, from, to, board, alight, pos = -end, -begin, to, from, alight, board, -pos
			}
			since, in := on[h.run]
			if board && ready[from] <= begin && (!in || pos < since) {
				on[h.run], since, in, better = pos, pos, true, true
			}
			if !in || pos < since || !alight || end > limit || end >= left[to] {
				continue
			}
			left[to], better = end, true
			for _, c := range n.changes[back].of(to) {
				walk := max(c.seconds, s.change)
				if end+walk <= limit && end+walk < ready[c.to] {
					ready[c.to] = end + walk
				}
			}
		}
	}
	return left, ready
}
