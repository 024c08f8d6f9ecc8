package journey_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/transit/journey"
)

// Pages of windows have each journey of a window as long as all of them once.
func TestPages(t *testing.T) {
	seeds := []uint64{2650, 7542} // where what waits for no board is better beyond the window
	for seed := range uint64(searchtest.Cases(80)) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 3))
		d := random(t, r, without{})
		q := d.ask(r)
		q.ArriveBy = r.IntN(2) == 0
		o := newOracle(d.x, d.walks, nil)
		part := time.Duration(1+r.IntN(3*3600)) * time.Second
		pages := 1 + r.IntN(6)
		q.Window = part * time.Duration(pages)
		want := values(t, o, q, find(t, d.n, q))
		var got []value
		q.Window = part
		for range pages {
			got = append(got, values(t, o, q, find(t, d.n, q))...)
			if q.ArriveBy {
				q.At = q.At.Add(-part)
			} else {
				q.At = q.At.Add(part)
			}
		}
		order(got)
		if !slices.Equal(got, want) {
			t.Fatalf("town %d, %d pages of %v: %v, want %v", seed, pages, part, got, want)
		}
	}
}

// Reach has the earliest arrival at each stop, or the latest departure from there.
func TestReach(t *testing.T) {
	for seed := range uint64(searchtest.Cases(40)) {
		r := rand.New(rand.NewPCG(seed, 4))
		d := random(t, r, without{})
		q := d.ask(r)
		q.Direct = -1
		within := time.Duration(1+r.IntN(20*3600)) * time.Second
		o := newOracle(d.x, d.walks, nil)
		for _, by := range []bool{false, true} {
			q.ArriveBy = by
			got, want := map[uint32]int32{}, map[uint32]int32{}
			if err := d.n.Reach(context.Background(), q, within, func(stop uint32, seconds int32, _ bool) {
				if _, repeated := got[stop]; repeated {
					t.Errorf("stop %d twice", stop)
				}
				got[stop] = seconds
			}); err != nil {
				t.Fatal(err)
			}
			note := func(stop uint32, seconds int64) {
				if had, there := want[stop]; (!there || int32(seconds) < had) && seconds <= int64(within/time.Second) {
					want[stop] = int32(seconds)
				}
			}
			ends := q.From
			if by {
				ends = q.To
			}
			for _, a := range o.ends(ends) {
				note(a.Stop, int64(a.Seconds))
			}
			for _, stop := range d.stops {
				one := *q
				at := []journey.Access{{Stop: stop}}
				for _, other := range d.stops {
					from, to := other, stop
					if by {
						from, to = stop, other
					}
					plain := slices.ContainsFunc(d.walk[from], func(w journey.Walk) bool { return w.To == to })
					if walk := o.ways(from)[to]; other != stop && (plain || general(d.x, from, to)) && !forbidden(d.x, from, to) {
						at = append(at, journey.Access{Stop: other, Seconds: walk})
					}
				}
				if !by {
					one.To = at
					for _, v := range o.from(&one, q.At.Unix(), q.At.Unix()+longest, false) {
						note(stop, v.arrive-q.At.Unix())
					}
					continue
				}
				one.From = at
				for _, v := range o.latest(&one) {
					note(stop, q.At.Unix()-v.depart)
				}
			}
			if !maps.Equal(got, want) {
				t.Fatalf("town %d, by %v, %v of %+v: %v, want %v", seed, by, within, q, got, want)
			}
		}
	}
}

// general reports whether a rule is about all changes between two stops.
func general(x *timetable.Index, from, to uint32) bool {
	return slices.ContainsFunc(x.Transfers(from), func(t timetable.Transfer) bool {
		return t.To == to && t.FromLine == timetable.None && t.ToLine == timetable.None && t.FromTrip == timetable.None && t.ToTrip == timetable.None
	})
}

// forbidden reports whether a rule forbids all changes between two stops.
func forbidden(x *timetable.Index, from, to uint32) bool {
	for _, t := range x.Transfers(from) {
		if t.To == to && t.FromLine == timetable.None && t.ToLine == timetable.None && t.FromTrip == timetable.None && t.ToTrip == timetable.None {
			return t.Kind == timetable.Impossible
		}
	}
	return false
}

// Searches give up where their context ends, and take what is out of bounds as none.
func TestBounds(t *testing.T) {
	d := drawing{trips: []string{"t A@8:00 B@8:10"}}.build(t)
	q := &journey.Query{From: []journey.Access{{Stop: d.stop(t, "A")}}, To: []journey.Access{{Stop: d.stop(t, "B")}}, Direct: -1, At: time.Unix(int64(drawnDay+1)*gtfs.Day, 0), Modes: timetable.All}
	ended, end := context.WithCancel(context.Background())
	end()
	for _, window := range []time.Duration{0, time.Hour} {
		q.Window = window
		if _, err := d.n.Find(ended, q); !errors.Is(err, context.Canceled) {
			t.Errorf("window %v: %v", window, err)
		}
	}
	if err := d.n.Reach(ended, q, time.Hour, func(uint32, int32, bool) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	q.Window = 1000 * time.Hour
	if got := find(t, d.n, q); len(got) != 1 {
		t.Errorf("a window that is too long: %v", got)
	}
	for name, change := range map[string]func(q *journey.Query){
		"no stop":              func(q *journey.Query) { q.From = nil },
		"a stop that is none":  func(q *journey.Query) { q.From = []journey.Access{{Stop: 1 << 30}} },
		"a walk before it":     func(q *journey.Query) { q.To[0].Seconds = -1 },
		"before the timetable": func(q *journey.Query) { q.At = time.Unix(0, 0) },
		"after the timetable":  func(q *journey.Query) { q.At = time.Unix(1<<33, 0) },
		"no mode":              func(q *journey.Query) { q.Modes = 0 },
	} {
		for _, by := range []bool{false, true} {
			c := *q
			c.To, c.ArriveBy, c.At = slices.Clone(q.To), by, q.At.Add(12*time.Hour)
			change(&c)
			for _, c.Window = range []time.Duration{0, time.Hour} {
				if got := find(t, d.n, &c); len(got) != 0 {
					t.Errorf("%s: %v", name, got)
				}
			}
		}
	}
	if n := journey.NewNetwork(read(t, timetable.NewBuilder()), func(uint32) []journey.Walk { return nil }); len(find(t, n, &journey.Query{Direct: 60, At: q.At})) != 1 {
		t.Error("a timetable of nothing")
	}
}

// Searches of many days at once, and of changes, give what they give alone.
func TestFindAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	d := drawing{trips: []string{"t,block=b A@8:00 B@8:10", "u,block=b B@8:15 C@8:30", "v A@9:00 C@9:50", "late A@26:00 C@26:20"}, walks: []string{"A B 600"}}.build(t)
	live := d.n.Live([]journey.Change{{Trip: 0, Day: drawnDay + 1, Cancelled: true}})
	var queries []*journey.Query
	var want [][]value
	for range 60 {
		q := &journey.Query{From: []journey.Access{{Stop: d.stop(t, "A")}}, To: []journey.Access{{Stop: d.stop(t, "C")}}, Direct: -1, Modes: timetable.All, At: time.Unix(int64(drawnDay)*gtfs.Day+int64(r.IntN(3*gtfs.Day)), 0), ArriveBy: r.IntN(2) == 0, Window: time.Duration(r.IntN(2)) * 6 * time.Hour}
		if r.IntN(2) == 0 {
			q.Live = live
		}
		queries = append(queries, q)
		want = append(want, plainValues(find(t, d.n, q)))
	}
	n := journey.NewNetwork(d.x, d.walks) // whose days nobody asked for yet
	changed := n.Live([]journey.Change{{Trip: 0, Day: drawnDay + 1, Cancelled: true}})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i, q := range queries {
				if q.Live != nil {
					c := *q
					q, c.Live = &c, changed
				}
				found, err := n.Find(context.Background(), q)
				if got := plainValues(found); err != nil || !slices.Equal(got, want[i]) {
					t.Errorf("%+v: %v, %v, want %v", q, got, err, want[i])
				}
				if err := n.Reach(context.Background(), q, time.Hour, func(uint32, int32, bool) {}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// plainValues returns those of journeys, unchecked.
func plainValues(found []journey.Journey) (list []value) {
	for _, j := range found {
		list = append(list, value{j.Depart.Unix(), j.Arrive.Unix(), j.Rides, int(j.Walk)})
	}
	return list
}
