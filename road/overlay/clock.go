package overlay

import (
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// longestWait is how long after the departure (before the arrival, where that is
// given) a traveller still waits for something to open, in milliseconds. What is
// closed later than that counts as closed for good.
const longestWait = 24 * 3600 * 1000

// Clock says when the edges and turns of a graph are open to one traveller. Times
// are milliseconds from a moment, that of the departure or of the arrival. It
// caches the timetables it works out, and is for one goroutine.
type Clock struct {
	Arrive bool // the moment is that of the arrival: times are at or below 0
	Frozen bool // all of the journey happens at the moment: nobody waits
	// Wait is what a millisecond of waiting costs, in 1024ths of a millisecond
	// of weighted time. It must be below the cost of a millisecond on any edge,
	// or driving round in circles would be cheaper than waiting.
	Wait uint64
	// Roads has closures of its own times; nil has none. Ahead is by how much the
	// local time that the moment is in is ahead of UTC. Nobody waits for one to end:
	// who comes while it holds goes another way.
	Roads *Snapshot
	Ahead time.Duration

	ends           []graph.Edge
	conditions     *Conditions
	traveller      Traveller
	moment         time.Time // local
	toDestinations bool
	edges          map[edgeTimes]*timetable
	turns          map[turnTimes]*timetable

	watches bool
	stands  int64 // milliseconds from the moment for which all that was entered stays as it is
}

// Traveller is who the times are for.
type Traveller struct {
	Mode    graph.Modes
	Vehicle *conditional.Vehicle
	Lawful  func(e graph.Edge) bool // whether an original edge is open by access, without any condition
	Always  func(e graph.Edge) bool // whether it is open to who tells no time
}

// NewClock gives the clock of a journey at a moment of local time.
func NewClock(c *Conditions, t Traveller, moment time.Time) *Clock {
	return &Clock{conditions: c, traveller: t, moment: moment, edges: map[edgeTimes]*timetable{}, turns: map[turnTimes]*timetable{}}
}

// Clone gives a clock of the same moment and traveller for another goroutine.
func (k *Clock) Clone() *Clock {
	other := *k
	other.edges, other.turns = map[edgeTimes]*timetable{}, map[turnTimes]*timetable{}
	return &other
}

// Still gives a clock at which all of a journey happens at the moment, and which
// watches for how long that makes no difference; nil where k is such, or nil.
func (k *Clock) Still() *Clock {
	if k == nil || k.Frozen {
		return nil
	}
	still := k.Clone()
	still.Frozen, still.watches, still.stands = true, true, never
	return still
}

// Stands is for how many milliseconds from the moment of a clock by Still all that
// Enter was asked about stays as it is at the moment: after the departure, or before
// the arrival.
func (k *Clock) Stands() int64 { return k.stands }

// changes notes at which times something opens or closes.
func (k *Clock) changes(times ...int64) {
	for _, at := range times {
		switch {
		case k.Arrive && at <= 0:
			k.stands = min(k.stands, -at)
		case !k.Arrive && at > 0:
			k.stands = min(k.stands, at)
		}
	}
}

// TurnMillis is the time in milliseconds that a turn takes on the clock: its real
// time, but at most what waiting for the same cost would take. Many a turn costs
// less than the seconds it takes, and driving round in circles must not be a
// cheaper way to let time pass than waiting.
func (k *Clock) TurnMillis(seconds float64, cost uint32) int64 {
	took := int64(math.Round(seconds * 1000))
	if k.Wait == 0 {
		return took
	}
	return min(took, int64(uint64(cost)<<10/k.Wait))
}

// Backwards reports whether a search with the clock has to go from the end, against
// time; false for nil.
func (k *Clock) Backwards() bool { return k != nil && k.Arrive && !k.Frozen }

// Set moves the clock to another moment.
func (k *Clock) Set(moment time.Time) {
	if !moment.Equal(k.moment) {
		k.moment = moment
		clear(k.edges)
		clear(k.turns)
	}
}

// Moment is the moment that times count from.
func (k *Clock) Moment() time.Time { return k.moment }

// SetEnds sets the edges that the journey begins and ends on. Where one of them is
// at times open to destinations only, all such roads are open to the journey.
func (k *Clock) SetEnds(ends ...graph.Edge) {
	k.ends = ends
	inside := slices.ContainsFunc(ends, k.DestinationOnly)
	if inside != k.toDestinations {
		k.toDestinations = inside
		clear(k.edges)
	}
}

// DestinationOnly reports whether an edge is open to destinations only at some
// times.
func (k *Clock) DestinationOnly(e graph.Edge) bool {
	l := k.conditions.timedLaw(e, k.traveller.Mode)
	return l != nil && l.ForDestinations(k.traveller.Vehicle)
}

// Destinations lists the edges that are open to destinations only at some times.
func (k *Clock) Destinations() (all []graph.Edge) {
	for _, e := range k.conditions.g.Timed {
		if k.DestinationOnly(e) {
			all = append(all, e)
		}
	}
	return all
}

// Enter gives when a traveller who is at the end of edge e (a copy perhaps) at a
// time enters the original f: at once, or when both turn and edge have opened.
// With a clock of arrival it gives the latest time to enter f that is not after
// the one given. ok is false where they stay closed.
func (k *Clock) Enter(e, f graph.Edge, at int64) (when int64, ok bool) {
	g := k.conditions.g
	if k.shut(f, at) {
		return 0, false
	}
	if g.ByEdge[e].Flags&graph.Turning == 0 && g.ByEdge[f].Flags&graph.Conditional == 0 {
		return at, true
	}
	switch {
	case k.Frozen:
		if k.watches {
			k.each(e, f, func(t *timetable) { k.changes(t.open...) })
		}
		_, ok = k.next(e, f, 0)
		return at, ok
	case k.Arrive:
		return k.last(e, f, at)
	}
	return k.next(e, f, at)
}

// Timed reports whether anything about entering the original f from edge e (a copy
// perhaps, graph.None where a path begins) depends on the time.
func (k *Clock) Timed(e, f graph.Edge) bool {
	g := k.conditions.g
	if g.ByEdge[f].Flags&graph.Conditional != 0 || k.Roads != nil && len(k.Roads.closures[f]) > 0 {
		return true
	}
	return e != graph.None && g.ByEdge[e].Flags&graph.Turning != 0 &&
		slices.ContainsFunc(g.TurnsFrom(e), func(x graph.Turn) bool { return x.To == f && x.When == graph.AtTimes })
}

// OpenThroughout reports whether all that is closed to the traveller at times is open
// for as long before and after the moment as anybody waits, so that nothing depends
// on the time of a journey. It ends with the first that is not.
func (k *Clock) OpenThroughout() bool {
	if k.Roads != nil && len(k.Roads.closures) > 0 {
		return false
	}
	for _, e := range k.conditions.g.Timed {
		if t := k.edge(e); t != nil && !k.throughout(t) {
			return false
		}
	}
	return !slices.ContainsFunc(k.conditions.bans, func(x graph.Turn) bool {
		return x.Modes&k.traveller.Mode != 0 && !k.throughout(k.turn(&x))
	})
}

// throughout reports whether a timetable is open as long as anybody waits.
func (k *Clock) throughout(t *timetable) bool {
	around := int64(longestWait)
	if k.Frozen {
		around = 0
	}
	for i := 0; i < len(t.open); i += 2 {
		if t.open[i] <= -around && around < t.open[i+1] {
			return true
		}
	}
	return false
}

// Exception is an edge, or a turn, that is closed at some time of a journey though it
// is open to who tells no time.
type Exception struct {
	From graph.Edge // graph.None for an edge
	To   graph.Edge
	Shut bool // closed all the time
}

// Exceptions yields what is closed at some time from the moment on for so many
// milliseconds, or before it for a clock of arrival, to a traveller to whom all that
// is lawful is open.
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

// span gives when a closure begins and ends, in milliseconds from the moment.
func (k *Clock) span(c Change) (begins, ends int64) {
	c = k.Roads.ended(c)
	return c.From.Add(k.Ahead).Sub(k.moment).Milliseconds(), c.Until.Add(k.Ahead).Sub(k.moment).Milliseconds()
}

// Steady reports whether an original edge with hours stays open, or closed, as long.
func (k *Clock) Steady(e graph.Edge, within int64) bool {
	t := k.edge(e)
	if t == nil {
		return true
	}
	open, shut := t.during(k.window(within))
	return open || shut
}

// window is from the moment on or, with a clock of arrival, before it.
func (k *Clock) window(within int64) (from, to int64) {
	switch {
	case k.Frozen:
		return 0, 0
	case k.Arrive:
		return -within, 0
	}
	return 0, within
}

// Closed reports whether a closure of its own times holds on an original edge at the
// clock's moment; false for nil.
func (k *Clock) Closed(e graph.Edge) bool {
	return k != nil && k.Roads != nil && k.Roads.ClosedAt(e, k.moment.Add(-k.Ahead))
}

// shut reports whether a closure of its own times holds on an edge. Journeys may
// begin and end on it.
func (k *Clock) shut(e graph.Edge, at int64) bool {
	if k.Roads == nil || len(k.Roads.closures[e]) == 0 || slices.Contains(k.ends, e) {
		return false
	}
	if k.watches {
		for _, c := range k.Roads.closures[e] {
			k.changes(k.span(c))
		}
	}
	if k.Frozen {
		at = 0
	}
	return k.Roads.ClosedAt(e, k.moment.Add(time.Duration(at)*time.Millisecond-k.Ahead))
}

// next is the first time from at on when turn and edge are open.
func (k *Clock) next(e, f graph.Edge, at int64) (int64, bool) {
	when := at
	for {
		begin := when
		k.each(e, f, func(t *timetable) { when = t.next(when) })
		if when == begin {
			break
		}
	}
	if when == never || when > at && (k.Frozen || when > longestWait) {
		return 0, false
	}
	return when, true
}

// last is the last time up to at when turn and edge are open.
func (k *Clock) last(e, f graph.Edge, at int64) (int64, bool) {
	when := at
	for {
		begin := when
		k.each(e, f, func(t *timetable) { when = t.last(when) })
		if when == begin {
			break
		}
	}
	if when == -never || when < at && when < -longestWait {
		return 0, false
	}
	return when, true
}

// each calls yield for the timetables of the original f and of each timed ban on
// the turn from e into it.
func (k *Clock) each(e, f graph.Edge, yield func(*timetable)) {
	if t := k.edge(f); t != nil {
		yield(t)
	}
	for _, x := range k.conditions.g.TurnsFrom(e) {
		if x.To == f && x.When == graph.AtTimes && x.Replace == graph.None && x.Modes&k.traveller.Mode != 0 {
			yield(k.turn(&x))
		}
	}
}
