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

// edge gives the timetable of an original edge, nil where no timed rule concerns
// the traveller and the costing alone decides.
func (k *Clock) edge(e graph.Edge) *timetable {
	r := k.conditions.rulesOf(e, k.traveller.Mode)
	if r == nil {
		return nil
	}
	by := edgeTimes{r, k.traveller.Lawful(e)}
	if t := k.edges[by]; t != nil {
		return t
	}
	minutes := []int{0}
	if r.hours != nil {
		minutes = append(minutes, r.hours.Minutes()...)
	}
	for i := range r.rules {
		for j := range r.rules[i].Clauses {
			minutes = minutesOf(minutes, &r.rules[i].Clauses[j].If)
		}
	}
	t := k.table(minutes, func(at time.Time) bool { return k.open(r, by.lawful, at) })
	k.edges[by] = t
	return t
}

// edgeTimes is what makes the timetable of an edge, which those of a way and of many others
// share.
type edgeTimes struct {
	rules  *edgeRules
	lawful bool
}

// open tells whether an edge is open at a moment; lawful is whether it is when
// no rule holds. The last rule that holds decides.
func (k *Clock) open(r *edgeRules, lawful bool, at time.Time) bool {
	if r.hours != nil && r.hours.At(at) == hours.Closed {
		return false
	}
	open := lawful
	for i := range r.rules {
		rule := &r.rules[i]
		if rule.Modes&k.traveller.Mode == 0 {
			continue
		}
		for j := range rule.Clauses {
			c := &rule.Clauses[j]
			if c.If.At(at, k.traveller.Vehicle) != hours.Open {
				continue
			}
			switch rule.Permits(c.Value) {
			case conditional.Allows:
				open = true
			case conditional.Forbids:
				open = false
			case conditional.ToDestinations:
				open = k.toDestinations
			case conditional.Unclear:
			}
		}
	}
	return open
}

// turn gives the timetable of a turn that is forbidden while the condition of
// an attribute set is met.
func (k *Clock) turn(set graph.Set) *timetable {
	if t := k.turns[set]; t != nil {
		return t
	}
	c := k.conditions.turns[set]
	t := k.table(minutesOf([]int{0}, c), func(at time.Time) bool { return c.At(at, k.traveller.Vehicle) != hours.Open })
	k.turns[set] = t
	return t
}

func minutesOf(list []int, c *conditional.Condition) []int {
	for _, s := range c.Times {
		list = append(list, s.Minutes()...)
	}
	return list
}

// table works out a timetable by asking open at each of the minutes of a day at
// which it may change. Before and after the days it is for, things stay as they
// are at its ends.
func (k *Clock) table(minutes []int, open func(time.Time) bool) *timetable {
	slices.Sort(minutes)
	minutes = slices.Compact(minutes)
	t := &timetable{}
	was := false
	y, m, d := k.moment.Date()
	for day := -daysAround; day <= daysAround; day++ {
		for _, minute := range minutes {
			at := time.Date(y, m, d+day, 0, minute, 0, 0, time.UTC)
			is := open(at)
			if is == was {
				continue
			}
			since := at.Sub(k.moment).Milliseconds()
			if len(t.open) == 0 && day == -daysAround && minute == 0 {
				since = -never
			}
			t.open = append(t.open, since)
			was = is
		}
	}
	if was {
		t.open = append(t.open, never)
	}
	return t
}
