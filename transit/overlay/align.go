package overlay

import (
	"math"

	"github.com/waygate/waygate/feed/tripupdate"
	"github.com/waygate/waygate/index/timetable"
)

// aligner is the scratch of align.
type aligner struct {
	cost [2][]float64 // of the best way to match calls so far, by the position after the last
	from []int32      // by call and position: where the call is, or none
}

// mostCells bounds the work for one trip that calls at a stop twice.
const mostCells = 200_000

// first returns the first position from one on at which a trip calls at a stop, or at another of
// the same station.
func (j *joiner) first(r timetable.Run, id string, from int) int {
	near := none
	for _, stop := range j.stopsOf(id) {
		for i := from; i < len(r.Stops); i++ {
			if r.Stops[i] == stop {
				return i
			}
			if near == none && j.x.SamePlace(r.Stops[i], stop) {
				near = i
			}
		}
	}
	return near
}

// align finds the position of each call of an update on its trip, in j.at: by its stop, and
// where the trip calls there more than once, at the occurrence that fits the calls around it,
// its sequence and its time. Calls at other stops have none.
func (j *joiner) align(u *tripupdate.Update, f found, begin int64) {
	j.at = j.at[:0]
	next, repeated := 0, j.loop(f.Run)
	for i := range u.Calls {
		at := none
		if id := u.Calls[i].Stop; id != "" {
			at = j.first(f.Run, id, next)
			repeated = repeated || at == none && j.first(f.Run, id, 0) != none // the calls are not in order
		}
		j.at = append(j.at, at)
		if at != none {
			next = at + 1
		}
	}
	if repeated && len(u.Calls)*len(f.Stops) <= mostCells {
		j.alignLoop(u, f, begin)
	}
	j.bySequence(u)
}

// loop reports whether a trip calls twice at a stop or a station.
func (j *joiner) loop(r timetable.Run) bool {
	is, known := j.loops[&r.Stops[0]]
	if !known {
		for i, a := range r.Stops {
			for _, b := range r.Stops[:i] {
				is = is || j.x.SamePlace(a, b)
			}
		}
		j.loops[&r.Stops[0]] = is
	}
	return is
}

// What it costs to match a call.
const (
	unmatched   = 1e6
	offPlace    = 1e4 // at another stop of the station
	offSequence = 1e3 // where the sequence counts from neither 0 nor 1
	early       = 4   // times as unlikely as late
	ofNext      = 1e-6
)

// alignLoop is align for trips that call somewhere twice: it matches as many calls in their
// order as it can, and at the times that differ least from the timetable. That the sequences
// count from 0 or 1 is likely and no more.
func (j *joiner) alignLoop(u *tripupdate.Update, f found, begin int64) {
	n, m := len(u.Calls), len(f.Stops)
	s := &j.scratch
	for k := range s.cost {
		s.cost[k] = append(s.cost[k][:0], make([]float64, m+1)...)
	}
	s.from = append(s.from[:0], make([]int32, n*(m+1))...)
	// cost[q] is of the calls so far with all of them before q.
	for i := range n {
		before, after := s.cost[i%2], s.cost[(i+1)%2]
		c := &u.Calls[i]
		stops := j.stopsOf(c.Stop)
		for q := range m + 1 {
			after[q], s.from[i*(m+1)+q] = before[q]+unmatched, none
			if q == 0 {
				continue
			}
			if after[q-1] < after[q] {
				after[q], s.from[i*(m+1)+q] = after[q-1], s.from[i*(m+1)+q-1]
			}
			p := q - 1
			cost := math.Inf(1)
			for _, stop := range stops {
				if f.Stops[p] == stop {
					cost = 0
				} else if j.x.SamePlace(f.Stops[p], stop) {
					cost = min(cost, offPlace)
				}
			}
			if math.IsInf(cost, 1) {
				continue
			}
			cost += before[p] + ofNext*float64(p)
			if c.Sequence != tripupdate.Unknown && int(c.Sequence) != p && int(c.Sequence) != p+1 {
				cost += offSequence
			}
			if late, known := lateness(c, f.Calls[p], begin); known && late < 0 {
				cost -= early * float64(late) / 60
			} else if known {
				cost += float64(late) / 60
			}
			if cost < after[q] {
				after[q], s.from[i*(m+1)+q] = cost, int32(p)
			}
		}
	}
	q := m
	for i := n - 1; i >= 0; i-- {
		p := int(s.from[i*(m+1)+q])
		if j.at[i] = p; p != none {
			q = p
		}
	}
}

// lateness is by how many seconds a call is after its time in the timetable, where the
// update gives a time.
func lateness(c *tripupdate.Call, due timetable.Call, begin int64) (int64, bool) {
	switch {
	case c.Arrive.At != 0:
		return c.Arrive.At - begin - int64(due.Arrive), true
	case c.Depart.At != 0:
		return c.Depart.At - begin - int64(due.Depart), true
	}
	return 0, false
}

// bySequence finds the position of calls that have a sequence alone. The timetable does not
// keep sequences: they count where other calls of the update, that have a stop too, all show
// the same distance between sequence and position.
func (j *joiner) bySequence(u *tripupdate.Update) {
	offset, same := math.MinInt, true
	for i := range u.Calls {
		if c := &u.Calls[i]; c.Sequence != tripupdate.Unknown && j.at[i] != none {
			off := int(c.Sequence) - j.at[i]
			same = same && (offset == math.MinInt || off == offset)
			offset = off
		}
	}
	if offset == math.MinInt || !same {
		return
	}
	for i := range u.Calls {
		if c := &u.Calls[i]; c.Stop == "" && c.Sequence != tripupdate.Unknown {
			j.at[i] = int(c.Sequence) - offset
		}
	}
}
