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
	list    []event
	runs    int
	next    []int              // the run that the vehicle of each goes on as, or -1
	departs map[uint32][]int64 // when one can board at each stop
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
	e := &events{departs: map[uint32][]int64{}}
	type run struct {
		trip uint32
		day  gtfs.Date
	}
	number := map[run]int{}
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
				number[run{begin + i, day}] = e.runs
				trips, days = append(trips, begin+i), append(days, day)
				e.runs++
			}
		}
	}
	for i, trip := range trips {
		e.next = append(e.next, -1)
		for _, c := range x.Continuations(trip) {
			if n, runs := number[run{c, days[i]}]; runs {
				e.next[i] = n
				break
			}
		}
	}
	slices.SortFunc(e.list, func(a, b event) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		departs := 0
		if a.departs != b.departs {
			departs = 1
			if b.departs {
				departs = -1
			}
		}
		return cmp.Or(cmp.Compare(a.run, b.run), cmp.Compare(a.pos, b.pos), departs)
	})
	for _, v := range e.list {
		if v.departs && v.may {
			e.departs[v.stop] = append(e.departs[v.stop], v.at)
		}
	}
	return e
}

// waiting is someone at a stop who can board from a time on.
type waiting struct {
	from         int64
	rides, steps int
}

// from finds the best arrivals of journeys that depart at a time, with ArriveBy those until
// q.At. MinChange has to be more than 0.
func (e *events) from(d *town, q *journey.Query, at int64, exact bool) (found []value) {
	const rides = journey.DefaultRides
	at0, _ := slices.BinarySearchFunc(e.list, at, func(v event, at int64) int { return cmp.Compare(v.at, at) })
	type seats [journey.MostSeated + 1][rides + 1]int // steps, one more than they are, by times of staying seated and rides
	aboard := make([]*seats, e.runs)
	pending := make([][]waiting, d.x.Stops())
	for _, a := range q.From {
		pending[a.Stop] = append(pending[a.Stop], waiting{at + int64(a.Seconds), 0, steps(a.Seconds)})
	}
	egress := map[uint32][]int32{}
	for _, a := range q.To {
		egress[a.Stop] = append(egress[a.Stop], a.Seconds)
	}
	until := at + longest
	if q.ArriveBy {
		until = min(until, q.At.Unix())
	}
	end := until
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
				if arrive := v.at + int64(seconds); arrive <= until {
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
		for _, departs := range e.departs[a.Stop] {
			if at := departs - int64(a.Seconds); at >= from && at < until {
				list = append(list, at)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// window finds the journeys that depart in a window.
func (e *events) window(d *town, q *journey.Query) []value {
	from, until := q.At.Unix(), q.At.Add(q.Window).Unix()
	all := e.from(d, q, until, false)
	for _, at := range e.moments(q, from, until) {
		all = append(all, e.from(d, q, at, true)...)
	}
	return all
}

// arrivals finds the journeys that arrive in a window, or with none those that depart last of
// all that arrive until q.At. What departs more than Slack before one that arrives before the
// window does not count.
func (e *events) arrivals(d *town, q *journey.Query) (all []value) {
	at := q.At.Unix()
	last := at - int64(q.Window/time.Second)
	known := last - longest
	for _, m := range slices.Backward(e.moments(q, last-longest, at)) {
		if m < known-slack {
			break
		}
		for _, v := range e.from(d, q, m, true) {
			if v.arrive <= last {
				known = max(known, m)
			}
			if q.Window == 0 {
				v.arrive = at
			}
			all = append(all, v)
		}
	}
	return all
}

// Journeys in real timetables are those that a search of all events finds: at one time and by an
// arrival, and those of windows. WAYGATE_SEED draws other questions.
func TestRealTimetables(t *testing.T) {
	for n, feed := range []string{newport, "newport-20230613_gtfs.zip", "chester-20230816-small_gtfs.zip"} {
		t.Run(feed, func(t *testing.T) {
			d := real(t, feed)
			r := rand.New(rand.NewPCG(uint64(n), searchtest.Seed(2)))
			o := newOracle(d.x, d.walks, nil)
			asked, answered := map[string]int{}, map[string]int{}
			ask := func(kind string, q *journey.Query, want []value) {
				got := values(t, o, q, find(t, d.n, q))
				if q.Window == 0 {
					got, want = drop(got, !q.ArriveBy, q.ArriveBy), drop(want, !q.ArriveBy, q.ArriveBy)
				}
				asked[kind]++
				if len(want) > 0 {
					answered[kind]++
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, %+v: %v, want %v", kind, q, got, want)
				}
			}
			for range searchtest.Cases(1) {
				q := d.realQuestion(r)
				date := gtfs.DateOf(q.At)
				e := newEvents(t, d.x, date-2, date+2)
				for range 20 {
					q.From, q.To = d.around(d.stops[r.IntN(len(d.stops))]), d.around(d.stops[r.IntN(len(d.stops))])
					at := time.Unix(int64(date)*gtfs.Day+int64(r.IntN(gtfs.Day)), 0)
					q.At, q.Window, q.ArriveBy = at, 0, false
					once := o.timely(q, e.from(d, q, at.Unix(), false))
					ask("departure", q, once)
					if len(once) == 0 {
						continue
					}
					q.At, q.ArriveBy = time.Unix(once[0].arrive, 0), true
					latest := best(o.leaving(q, e.arrivals(d, q)))
					ask("arrival", q, latest)
					if r.IntN(4) > 0 {
						continue
					}
					q.Window = time.Hour
					last := q.At.Add(-q.Window).Unix()
					ask("window of arrivals", q, slices.DeleteFunc(o.leaving(q, best(e.arrivals(d, q))), func(v value) bool { return v.arrive <= last }))
					q.At, q.ArriveBy = time.Unix(latest[0].depart-int64(r.IntN(3600)), 0), false
					until := q.At.Add(q.Window).Unix()
					ask("window", q, slices.DeleteFunc(o.timely(q, best(e.window(d, q))), func(v value) bool { return v.depart >= until }))
				}
			}
			t.Logf("questions: %v, with journeys: %v", asked, answered)
		})
	}
}
