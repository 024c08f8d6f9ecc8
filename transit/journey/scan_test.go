package journey_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/transit/journey"
)

// events are all calls of all trips of some days in the order of their times: a search of
// them from the first on settles what can be come to, without any of the structure of a
// timetable. It is for timetables without headways and rules of changing.
type events struct {
	list []event
	runs int
	next []int // the run that the vehicle of each goes on as, or -1
}

type event struct {
	at       int64
	run, pos int
	departs  bool
	stop     uint32
	may      bool // board, or get off
	last     bool // call
}

func newEvents(t testing.TB, x *timetable.Index, first, last gtfs.Date) *events {
	t.Helper()
	e := &events{}
	number := map[string]int{}
	var trips []uint32
	var days []gtfs.Date
	for p := range uint32(x.Patterns()) {
		if len(x.Headways(p)) > 0 {
			t.Fatal("the feed has headways")
		}
		begin, count := x.PatternTrips(p)
		stops, rules := x.PatternStops(p), x.PatternRules(p)
		for i := range count {
			for day := first; day <= last; day++ {
				if !x.Runs(begin+i, day) {
					continue
				}
				zero := day.Begin(x.LineZone(x.PatternLine(p))).Unix()
				for n, c := range x.Times(p, i) {
					e.list = append(
						e.list,
						event{zero + int64(c.Arrive), e.runs, n, false, stops[n], n > 0 && timetable.Alighting(rules[n]) != timetable.Never, n == len(stops)-1},
						event{zero + int64(c.Depart), e.runs, n, true, stops[n], n < len(stops)-1 && timetable.Boarding(rules[n]) != timetable.Never, false},
					)
				}
				number[key(begin+i, day)] = e.runs
				trips, days = append(trips, begin+i), append(days, day)
				e.runs++
			}
		}
	}
	for run, trip := range trips {
		e.next = append(e.next, -1)
		for _, c := range x.Continuations(trip) {
			if n, runs := number[key(c, days[run])]; runs {
				e.next[run] = n
				break
			}
		}
	}
	slices.SortFunc(e.list, func(a, b event) int {
		departs := 0
		if a.departs != b.departs {
			departs = 1
			if b.departs {
				departs = -1
			}
		}
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.run, b.run), cmp.Compare(a.pos, b.pos), departs)
	})
	return e
}

// waiting is someone at a stop who can board from a time on.
type waiting struct {
	from         int64
	rides, steps int
}

// from finds the best arrivals of journeys that depart at a time. MinChange has to be more
// than 0.
func (e *events) from(d *town, q *journey.Query, at int64, exact bool) (found []value) {
	const rides = journey.DefaultRides
	at0, _ := slices.BinarySearchFunc(e.list, at, func(v event, at int64) int { return cmp.Compare(v.at, at) })
	type seats [journey.MostSeated + 1][rides + 1]int // steps, one more than they are, by times of staying seated and rides
	aboard := map[int]*seats{}
	pending := map[uint32][]waiting{}
	for _, a := range q.From {
		pending[a.Stop] = append(pending[a.Stop], waiting{at + int64(a.Seconds), 0, steps(a.Seconds)})
	}
	egress := map[uint32][]int32{}
	for _, a := range q.To {
		egress[a.Stop] = append(egress[a.Stop], a.Seconds)
	}
	end := at + longest
	for _, v := range e.list[at0:] {
		if v.at > end {
			break
		}
		if v.departs {
			if !v.may {
				continue
			}
			for _, w := range pending[v.stop] {
				if w.from > v.at || w.rides == rides || exact && w.rides == 0 && w.from != v.at {
					continue
				}
				if aboard[v.run] == nil {
					aboard[v.run] = &seats{}
				}
				if b := &aboard[v.run][0][w.rides+1]; *b == 0 || *b > w.steps+1 {
					*b = w.steps + 1
				}
			}
			continue
		}
		b := aboard[v.run]
		if b == nil {
			continue
		}
		if next := e.next[v.run]; v.last && next >= 0 {
			if aboard[next] == nil {
				aboard[next] = &seats{}
			}
			for seated := range journey.MostSeated {
				for n, walked := range b[seated] {
					if on := &aboard[next][seated+1][n]; walked > 0 && (*on == 0 || walked < *on) {
						*on = walked
					}
				}
			}
		}
		for n := 1; n <= rides && v.may; n++ {
			walked := journey.MostSteps + 1
			for seated := range b {
				if b[seated][n] > 0 {
					walked = min(walked, b[seated][n]-1)
				}
			}
			if walked > journey.MostSteps {
				continue
			}
			for _, seconds := range egress[v.stop] {
				if arrive := v.at + int64(seconds); arrive <= at+longest {
					found = append(found, value{at, arrive, n, sum(walked, steps(seconds))})
					if !q.ArriveBy {
						end = min(end, arrive+slack)
					}
				}
			}
			note := func(stop uint32, from int64, w int) {
				if !slices.ContainsFunc(pending[stop], func(o waiting) bool { return o.from <= from && o.rides <= n && o.steps <= w && (!exact || o.rides > 0) }) {
					pending[stop] = append(pending[stop], waiting{from, n, w})
				}
			}
			note(v.stop, v.at+int64(q.MinChange), walked)
			for _, w := range d.walk[v.stop] {
				note(w.To, v.at+int64(max(w.Seconds, q.MinChange)), sum(walked, steps(w.Seconds)))
			}
		}
	}
	return best(found)
}

// moments are when journeys can depart between two times.
func (e *events) moments(q *journey.Query, from, until int64) (list []int64) {
	for _, a := range q.From {
		for _, v := range e.list {
			if d := v.at - int64(a.Seconds); v.departs && v.may && v.stop == a.Stop && d >= from && d < until {
				list = append(list, d)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Journeys in real timetables are those that a search of all events finds: at one time, of a
// window, and by an arrival: no departure a second later arrives by then.
func TestRealTimetables(t *testing.T) {
	for n, feed := range []string{newport, "newport-20230613_gtfs.zip", "chester-20230816-small_gtfs.zip"} {
		t.Run(feed, func(t *testing.T) {
			d := real(t, feed)
			r := rand.New(rand.NewPCG(uint64(n), 2))
			o := newOracle(d.x, d.walks, nil)
			for days := range searchtest.Cases(1) {
				q := d.realQuestion(r)
				date := gtfs.DateOf(q.At)
				e := newEvents(t, d.x, date-2, date+2)
				for range 20 {
					q.From, q.To = d.around(d.stops[r.IntN(len(d.stops))]), d.around(d.stops[r.IntN(len(d.stops))])
					q.At = time.Unix(int64(date)*gtfs.Day+int64(r.IntN(gtfs.Day)), 0)
					q.Window, q.ArriveBy = 0, false
					at := q.At.Unix()
					want := o.timely(q, e.from(d, q, at, false))
					got := values(t, o, q, find(t, d.n, q))
					if got, want := drop(got, true, false), drop(want, true, false); !slices.Equal(got, want) {
						t.Fatalf("%s, %d: %+v: %v, want %v", feed, days, q, got, want)
					}
					if len(want) == 0 {
						continue
					}
					q.ArriveBy, q.At = true, time.Unix(want[0].arrive, 0)
					for _, v := range values(t, o, q, find(t, d.n, q)) {
						better := func(w value) bool {
							return w.arrive <= q.At.Unix() && w.rides <= v.rides && w.steps <= v.steps
						}
						if !slices.ContainsFunc(e.from(d, q, v.depart, false), better) || slices.ContainsFunc(e.from(d, q, v.depart+1, false), better) {
							t.Fatalf("%s, %d: %+v: %v is not the latest departure", feed, days, q, v)
						}
					}
					if r.IntN(4) > 0 {
						continue
					}
					q.ArriveBy, q.At, q.Window = false, time.Unix(at, 0), time.Hour
					until := at + 3600
					all := e.from(d, q, until, false)
					for _, m := range e.moments(q, at, until) {
						all = append(all, e.from(d, q, m, true)...)
					}
					want = slices.DeleteFunc(o.timely(q, best(all)), func(v value) bool { return v.depart >= until })
					if got := values(t, o, q, find(t, d.n, q)); !slices.Equal(got, want) {
						t.Fatalf("%s, %d: %+v: %v, want %v", feed, days, q, got, want)
					}
				}
			}
		})
	}
}
