package overlay

import (
	"slices"
	"time"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// daysAround is how many days before and after the moment's timetables are worked
// out for. Beyond them things stay as they are on the first and the last.
const daysAround = 3

// never is later than all times.
const never = 1 << 62

// timetable is when something is open: from open[0] up to but not including
// open[1], from open[2] up to open[3] and so on.
type timetable struct{ open []int64 }

// during reports whether a timetable is open, or shut, from one time to another.
func (t *timetable) during(from, to int64) (open, shut bool) {
	shut = true
	for i := 0; i < len(t.open); i += 2 {
		open = open || t.open[i] <= from && to < t.open[i+1]
		shut = shut && (to < t.open[i] || t.open[i+1] <= from)
	}
	return open, shut
}

// next is the first open time from at on, never where there is none.
func (t *timetable) next(at int64) int64 {
	for i := 0; i < len(t.open); i += 2 {
		if at < t.open[i+1] {
			return max(at, t.open[i])
		}
	}
	return never
}

// last is the last open time up to at, -never where there is none.
func (t *timetable) last(at int64) int64 {
	for i := len(t.open) - 2; i >= 0; i -= 2 {
		if at >= t.open[i] {
			return min(at, t.open[i+1]-1)
		}
	}
	return -never
}

// edgeTimes is what makes the timetable of an edge, which those of a way and of many others
// share.
type edgeTimes struct {
	law    *edgeLaw
	lawful bool
	near   conditional.Near // where that matters
}

// edge gives the timetable of an original edge, nil where no condition with times
// concerns the traveller and the costing alone decides.
func (k *Clock) edge(e graph.Edge) *timetable {
	l := k.conditions.timedLaw(e, k.traveller.Mode)
	if l == nil {
		return nil
	}
	by := edgeTimes{law: l, lawful: k.traveller.Lawful(e)}
	if l.placed {
		by.near = k.conditions.near(k.conditions.g.ByEdge[e].Tail, k.conditions.g.Segment(e))
	}
	if t := k.edges[by]; t != nil {
		return t
	}
	t := k.table(by.near, l.placed, l.MinutesOn, func(m *conditional.Moment) bool {
		p := l.Of(by.lawful, m, k.traveller.Vehicle, conditional.Unheeded)
		return p.Open && p.Fits && (!p.AtTimes || k.toDestinations)
	})
	k.edges[by] = t
	return t
}

// turnTimes is what makes the timetable of a turn.
type turnTimes struct {
	set  graph.Set
	near conditional.Near // where that matters
}

// turn gives the timetable of a turn that is forbidden while its condition is met.
func (k *Clock) turn(x *graph.Turn) *timetable {
	c := k.conditions.turns[x.Set]
	by := turnTimes{set: x.Set}
	if c.placed {
		by.near = k.conditions.near(k.conditions.g.ByEdge[x.To].Tail, k.conditions.g.Segment(x.To))
	}
	if t := k.turns[by]; t != nil {
		return t
	}
	t := k.table(by.near, c.placed, c.MinutesOn, func(m *conditional.Moment) bool { return c.At(m, k.traveller.Vehicle) != hours.Open })
	k.turns[by] = t
	return t
}

// table works out a timetable by asking open at each of the minutes at which it may
// change; minutesOn gives those of a day. Before and after the days it is for, things
// stay as they are at its ends.
func (k *Clock) table(near conditional.Near, placed bool, minutesOn func([]int, conditional.Moment) []int, open func(*conditional.Moment) bool) *timetable {
	m := conditional.Moment{}
	if placed {
		m.Place = near.Place()
	}
	y, month, d := k.moment.Date()
	var times []time.Time
	first := time.Date(y, month, d-daysAround, 0, 0, 0, 0, time.UTC)
	for day := -daysAround - 1; day <= daysAround; day++ {
		m.Local = time.Date(y, month, d+day, 0, 0, 0, 0, time.UTC)
		for _, minute := range minutesOn([]int{0}, m) {
			times = append(times, m.Local.Add(time.Duration(minute)*time.Minute))
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	times = slices.Compact(times)
	t := &timetable{}
	was := false
	last := first.AddDate(0, 0, 2*daysAround+1)
	for _, at := range times {
		if at.Before(first) || !at.Before(last) {
			continue
		}
		m.Local = at
		is := open(&m)
		if is == was {
			continue
		}
		since := at.Sub(k.moment).Milliseconds()
		if at.Equal(first) {
			since = -never
		}
		t.open = append(t.open, since)
		was = is
	}
	if was {
		t.open = append(t.open, never)
	}
	return t
}
