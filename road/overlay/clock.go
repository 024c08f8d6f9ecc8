package overlay

import (
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// longestWait is how long after the departure (before the arrival, where that is given) a
// traveller waits for something to open, in milliseconds. Whatever opens later is treated
// as closed for good.
const longestWait = 24 * 3600 * 1000

// Clock computes when the edges and turns of a graph are open to one traveller. Times are
// milliseconds from a moment, that of the departure or of the arrival. It caches timetables
// and is not safe for concurrent use.
type Clock struct {
	Arrive bool // the moment is the arrival, so times are at or below 0
	Frozen bool // the whole journey happens at the moment, without waiting
	// Wait is the cost of a millisecond of waiting, in 1024ths of a millisecond of weighted
	// time. It must be below the cost of a millisecond on any edge, or driving round in
	// circles would be cheaper than waiting.
	Wait uint64
	// Roads has live closures with times; nil has none. A traveller does not wait for one
	// to end. Ahead is the offset from UTC of the local time of the moment.
	Roads *Snapshot
	Ahead time.Duration

	ends []graph.Edge
	timetables

	steady steadiness // of a clock by Stopped
}

// Traveller is the traveller that a clock is made for.
type Traveller struct {
	Mode      graph.Modes
	Vehicle   *conditional.Vehicle
	HasAccess func(e graph.Edge) bool // reports whether an original edge is open by access, without any condition
	Always    func(e graph.Edge) bool // reports whether it is open to a request without a time
}

// NewClock returns the clock of a journey at a moment of local time.
func NewClock(c *Conditions, t Traveller, at time.Time) *Clock {
	return &Clock{timetables: newTimetables(c, t, at)}
}

// Clone returns a clock of the same moment and traveller, for another goroutine.
func (k *Clock) Clone() *Clock {
	other := *k
	other.timetables = newTimetables(k.conditions, k.traveller, k.localTime)
	other.toDestinations = k.toDestinations
	return &other
}

// Stopped returns a clock at which the whole journey happens at the moment, and which
// measures for how long that makes no difference (see ValidFor). It returns nil where k is
// such a clock, or nil.
func (k *Clock) Stopped() *Clock {
	if k == nil || k.Frozen {
		return nil
	}
	still := k.Clone()
	still.Frozen, still.steady = true, steadiness{noted: true, arrive: k.Arrive, millis: never}
	return still
}

// ValidFor returns, of a clock by Stopped, for how many milliseconds after the departure, or
// before the arrival, all answers of Enter stay as they are at the moment.
func (k *Clock) ValidFor() int64 { return k.steady.millis }

// steadiness is how long all answers of a clock stay as they are at its moment.
type steadiness struct {
	noted  bool // note has an effect
	arrive bool
	millis int64
}

// note notes times, in milliseconds from the moment, at which something opens or closes.
func (s *steadiness) note(times ...int64) {
	if !s.noted {
		return
	}
	for _, at := range times {
		switch {
		case s.arrive && at <= 0:
			s.millis = min(s.millis, -at)
		case !s.arrive && at > 0:
			s.millis = min(s.millis, at)
		}
	}
}

// TurnMillis returns the time of a turn on the clock, in milliseconds: its real time, but
// at most as long as the same cost would wait. Many turns cost less than the seconds they
// take, and driving round in circles must not be a cheaper way to let time pass than
// waiting.
func (k *Clock) TurnMillis(seconds float64, cost uint32) int64 {
	took := int64(math.Round(seconds * 1000))
	if k.Wait == 0 {
		return took
	}
	return min(took, int64(uint64(cost)<<10/k.Wait))
}

// Backwards reports whether a search with the clock has to go from the end, against time.
// It is false for nil.
func (k *Clock) Backwards() bool { return k != nil && k.Arrive && !k.Frozen }

// Set sets another moment.
func (k *Clock) Set(at time.Time) {
	k.setMoment(at)
}

// Epoch returns the moment that times count from.
func (k *Clock) Epoch() time.Time { return k.localTime }

// SetEnds sets the edges that the journey begins and ends on. Where one of them is open to
// destinations only at some times, all such roads are open to the journey.
func (k *Clock) SetEnds(ends ...graph.Edge) {
	k.ends = ends
	k.openDestinations(slices.ContainsFunc(ends, k.DestinationOnly))
}

// Enter returns when a traveller at the end of edge e (a copy perhaps) at a time can enter
// the original f: at once, or when both turn and edge have opened. With a clock of arrival
// it returns the latest time to enter f that is not after the given one. ok is false where
// they stay closed.
func (k *Clock) Enter(e, f graph.Edge, at int64) (when int64, ok bool) {
	g := k.conditions.g
	if k.LiveClosedAt(f, at) {
		return 0, false
	}
	if g.ByEdge[e].Flags&graph.Turning == 0 && g.ByEdge[f].Flags&graph.Conditional == 0 {
		return at, true
	}
	switch {
	case k.Frozen:
		if k.steady.noted {
			k.each(e, f, func(t *timetable) { k.steady.note(t.open...) })
		}
		return at, k.next(e, f, 0) == 0
	case k.Arrive:
		if when = k.last(e, f, at); when < at && when < -longestWait {
			return 0, false
		}
		return when, true
	}
	if when = k.next(e, f, at); when > at && when > longestWait {
		return 0, false
	}
	return when, true
}

// Timed reports whether entering the original f from edge e (a copy perhaps, graph.None
// where a path begins) depends on the time in any way.
func (k *Clock) Timed(e, f graph.Edge) bool {
	g := k.conditions.g
	if g.ByEdge[f].Flags&graph.Conditional != 0 || k.Roads != nil && len(k.Roads.closures[f]) > 0 {
		return true
	}
	return e != graph.None && g.ByEdge[e].Flags&graph.Turning != 0 &&
		slices.ContainsFunc(g.TurnsFrom(e), func(x graph.Turn) bool { return x.To == f && x.When == graph.AtTimes })
}

// OpenThroughout reports whether everything that is closed to the traveller at times is
// open, and all speed limits are at their highest, for as long before and after the moment
// as a journey may wait, so that nothing depends on the time.
func (k *Clock) OpenThroughout() bool {
	if k.Roads != nil && len(k.Roads.closures) > 0 {
		return false
	}
	around := k.around()
	for _, e := range k.conditions.g.Timed {
		if t := k.edge(e); t != nil && !t.throughout(around) {
			return false
		}
		if l := k.conditions.speedRules(e, k.traveller.Mode); l != nil {
			if !k.limitsOf(e).all(-around, around, l.Fastest(k.conditions.g.SpeedLimits(e, k.traveller.Mode), k.traveller.Mode)) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(k.conditions.bans, func(x graph.Turn) bool {
		return x.Modes&k.traveller.Mode != 0 && !k.turn(&x).throughout(around)
	})
}

// around returns for how long before and after the moment opening times matter.
func (k *Clock) around() int64 {
	if k.Frozen {
		return 0
	}
	return longestWait
}

// Exception is an edge or a turn that is closed at some time of a journey though it is open
// to requests without a time.
type Exception struct {
	From graph.Edge // graph.None for an edge
	To   graph.Edge
	Shut bool // closed all the time
}

// Exceptions yields what is closed at some time within so many milliseconds after the
// moment, or before it for a clock of arrival, of all that is open to requests without a
// time.
func (k *Clock) Exceptions(within int64, yield func(Exception) bool) {
	from, to := k.window(within)
	for _, e := range k.conditions.g.Timed {
		t := k.edge(e)
		if t == nil || !k.traveller.Always(e) {
			continue
		}
		if open, shut := t.during(from, to); !open && !yield(Exception{graph.None, e, shut}) {
			return
		}
	}
	for _, x := range k.conditions.bans {
		if x.Modes&k.traveller.Mode == 0 {
			continue
		}
		if open, shut := k.turn(&x).during(from, to); !open && !yield(Exception{x.From, x.To, shut}) {
			return
		}
	}
	if k.Roads == nil {
		return
	}
	for e, list := range k.Roads.closures {
		open, shut := true, false
		for _, c := range list {
			begins, ends := k.span(c)
			open = open && (to < begins || ends <= from)
			shut = shut || begins <= from && to < ends
		}
		if !open && !yield(Exception{graph.None, e, shut}) {
			return
		}
	}
}

// span returns the begin and end of a closure, in milliseconds from the moment.
func (k *Clock) span(c Change) (begins, ends int64) {
	c = k.Roads.ended(c)
	return c.From.Add(k.Ahead).Sub(k.localTime).Milliseconds(), c.Until.Add(k.Ahead).Sub(k.localTime).Milliseconds()
}

// Constant reports whether an original edge with opening times stays open, or stays closed,
// for so many milliseconds.
func (k *Clock) Constant(e graph.Edge, within int64) bool {
	t := k.edge(e)
	if t == nil {
		return true
	}
	open, shut := t.during(k.window(within))
	return open || shut
}

// window returns the times up to so many milliseconds after the moment or, with a clock of
// arrival, before it.
func (k *Clock) window(within int64) (from, to int64) {
	switch {
	case k.Frozen:
		return 0, 0
	case k.Arrive:
		return -within, 0
	}
	return 0, within
}

// Closed reports whether a live closure with times closes an original edge at the clock's
// moment. It is false for nil.
func (k *Clock) Closed(e graph.Edge) bool {
	return k != nil && k.Roads != nil && k.Roads.ClosedAt(e, k.localTime.Add(-k.Ahead))
}

// LiveClosedAt reports whether a live closure with times closes an original edge at a time of the
// clock. Journeys may begin and end on the edge all the same.
func (k *Clock) LiveClosedAt(e graph.Edge, at int64) bool {
	if k.Roads == nil || len(k.Roads.closures[e]) == 0 || slices.Contains(k.ends, e) {
		return false
	}
	if k.steady.noted {
		for _, c := range k.Roads.closures[e] {
			k.steady.note(k.span(c))
		}
	}
	if k.Frozen {
		at = 0
	}
	return k.Roads.ClosedAt(e, k.localTime.Add(time.Duration(at)*time.Millisecond-k.Ahead))
}
