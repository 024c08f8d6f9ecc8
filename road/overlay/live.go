package overlay

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/road/graph"
)

// Change is a closure or live speed of one edge.
type Change struct {
	Edge   graph.Edge // an original
	Closed bool
	Speed  uint8 // km/h of the traffic where it is not closed, 0 where not known
	// The change holds from From until before Until; the zero time is without
	// end on that side.
	From, Until time.Time
}

func (c *Change) holds(at time.Time) bool {
	return (c.From.IsZero() || !at.Before(c.From)) && (c.Until.IsZero() || at.Before(c.Until))
}

// lasts reports whether the change holds for all of the day after a moment.
func (c *Change) lasts(at time.Time) bool {
	return c.holds(at) && (c.Until.IsZero() || !c.Until.Before(at.Add(openEnded)))
}

// openEnded is how long a closure without an end is taken to last, for journeys with a
// time.
const openEnded = 24 * time.Hour

// Roads is the input of a Snapshot: everything known about the roads at one time beyond the
// map.
type Roads struct {
	Taken   time.Time
	Changes []Change
	Speeds  []uint8 // live, by original edge in km/h, 0 where not known; may be shorter
	Network []bool  // by original edge: traffic data cover it, live or not; may be shorter
	// Turns are the least times of turns, in seconds.
	Turns   map[Turn]float32
	Profile *Profile // usual speeds by the time of the week; nil where none are known
}

// Snapshot has the reports of feeds on the roads at one moment. It is immutable and
// shared by all requests that began while it was the newest.
type Snapshot struct {
	Roads
	live     []uint8
	closures map[graph.Edge][]Change // closures, all of them
	passing  bool                    // some of them, not over yet, do not last

	mu     sync.Mutex
	layers map[View]*Layer
	before map[View]*Layer // of the snapshot before it: what is the same is shared
}

// NewSnapshot returns a snapshot, which keeps its argument. before is the previous snapshot
// or nil.
func NewSnapshot(r Roads, before *Snapshot) *Snapshot {
	s := &Snapshot{Roads: r, live: r.Speeds, closures: map[graph.Edge][]Change{}, layers: map[View]*Layer{}}
	own := false
	for _, c := range r.Changes {
		switch {
		case c.Closed:
			s.closures[c.Edge] = append(s.closures[c.Edge], c)
			s.passing = s.passing || !c.lasts(r.Taken) && (c.Until.IsZero() || c.Until.After(r.Taken))
		case c.Speed > 0 && c.holds(r.Taken):
			if !own {
				s.live, own = slices.Clone(s.live), true
			}
			if missing := int(c.Edge) + 1 - len(s.live); missing > 0 {
				s.live = append(s.live, make([]uint8, missing)...)
			}
			s.live[c.Edge] = c.Speed
		}
	}
	if before != nil {
		before.mu.Lock()
		s.before = maps.Clone(before.layers)
		before.mu.Unlock()
	}
	return s
}

// Passing reports whether there are closures that begin or end after the snapshot and
// do not last for the day to come.
func (s *Snapshot) Passing() bool { return s != nil && s.passing }

// LiveSpeed returns the live speed of an original edge in km/h, 0 where none is known.
func (s *Snapshot) LiveSpeed(e graph.Edge) uint8 {
	if s == nil {
		return 0
	}
	return speedIn(s.live, e)
}

// speedIn returns the speed of an original edge in a list that may be shorter, 0 where it
// is unknown.
func speedIn(speeds []uint8, e graph.Edge) uint8 {
	if int(e) >= len(speeds) {
		return 0
	}
	return speeds[e]
}

// Covers reports whether traffic data cover an original edge, however old they are.
func (s *Snapshot) Covers(e graph.Edge) bool {
	return s != nil && int(e) < len(s.Network) && s.Network[e]
}

// Closures returns the times at which an original edge is closed.
func (s *Snapshot) Closures(e graph.Edge) []Change {
	if s == nil {
		return nil
	}
	return s.closures[e]
}

// Closing selects the closures of a view.
type Closing uint8

// The kinds of closing: none; the closures at the time of the snapshot; those that last for
// all of the day to come, where a Clock handles the others.
const (
	NoClosures Closing = iota
	HoldingClosures
	LastingClosures
)

// View selects the part of a snapshot that applies to a request.
type View struct {
	Closing Closing
	Live    bool   // live speeds and turns count
	Hour    uint16 // of the week from Monday 0:00, and one more, whose usual speeds count; 0 is none
}

// Layer is the part of a snapshot that a view selects. It is immutable; two snapshots that
// agree for a view share one layer.
type Layer struct {
	closed map[graph.Edge]bool
	speed  []uint8 // by original edge; 0 where not known
	turns  map[Turn]float32
	Taken  time.Time
}

// Empty reports whether a layer changes nothing.
func (l *Layer) Empty() bool { return l == nil || len(l.closed)+len(l.turns) == 0 && l.speed == nil }

// Bytes returns about how much memory a layer takes.
func (l *Layer) Bytes() int64 {
	return int64(len(l.speed)) + 16*int64(len(l.closed)) + 32*int64(len(l.turns))
}

func (l *Layer) equal(o *Layer) bool {
	return maps.Equal(l.closed, o.closed) && maps.Equal(l.turns, o.turns) && slices.Equal(l.speed, o.speed)
}

// Changed calls yield for every original edge on which two layers differ: in its closure,
// its speed, or the time of a turn from or into it. It may do so several times for one
// edge. A nil layer is empty.
func (l *Layer) Changed(from *Layer, yield func(e graph.Edge)) {
	nothing := &Layer{}
	l, from = cmp.Or(l, nothing), cmp.Or(from, nothing)
	l.missing(from, yield)
	from.missing(l, yield)
}

// missing calls yield for the edges of a layer that another lacks or has otherwise.
func (l *Layer) missing(other *Layer, yield func(e graph.Edge)) {
	for e := range l.closed {
		if !other.closed[e] {
			yield(e)
		}
	}
	for e, kmh := range l.speed {
		if kmh != speedIn(other.speed, graph.Edge(e)) {
			yield(graph.Edge(e))
		}
	}
	for t, seconds := range l.turns {
		if s, ok := other.turns[t]; !ok || s != seconds {
			yield(t.From)
			yield(t.To)
		}
	}
}

// Layer returns the layer of a view. It is computed once.
func (s *Snapshot) Layer(v View) *Layer {
	if s == nil || v == (View{}) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, ok := s.layers[v]; ok {
		return l
	}
	l := s.layer(v)
	if old := s.before[v]; old != nil && old.equal(l) {
		l = old
	}
	s.layers[v] = l
	return l
}

func (s *Snapshot) layer(v View) *Layer {
	l := &Layer{closed: map[graph.Edge]bool{}, Taken: s.Taken}
	for e, list := range s.closures {
		switch v.Closing {
		case NoClosures:
		case HoldingClosures:
			l.closed[e] = slices.ContainsFunc(list, func(c Change) bool { return c.holds(s.Taken) })
		case LastingClosures:
			l.closed[e] = slices.ContainsFunc(list, func(c Change) bool { return c.lasts(s.Taken) })
		}
	}
	maps.DeleteFunc(l.closed, func(_ graph.Edge, closed bool) bool { return !closed })
	if v.Live && slices.ContainsFunc(s.live, func(kmh uint8) bool { return kmh > 0 }) {
		l.speed = s.live
	}
	if v.Live {
		l.turns = s.Turns
	}
	if v.Hour > 0 && s.Profile != nil {
		l.speed = s.Profile.fill(l.speed, int(v.Hour)-1)
	}
	return l
}

// ClosedAt reports whether an original edge is closed at a moment. What has no end
// or no beginning is taken to hold for a day after or before the snapshot.
func (s *Snapshot) ClosedAt(e graph.Edge, at time.Time) bool {
	return slices.ContainsFunc(s.Closures(e), func(c Change) bool {
		c = s.ended(c)
		return c.holds(at)
	})
}

// Changing lists the original edges that a closure begins or ends to close after a moment and
// until another, in order. What has no end within a day of the snapshot has none.
func (s *Snapshot) Changing(after, until time.Time) (list []graph.Edge) {
	if s == nil {
		return nil
	}
	if end := s.Taken.Add(openEnded); !until.Before(end) {
		until = end.Add(-1)
	}
	within := func(t time.Time) bool { return t.After(after) && !t.After(until) }
	for e, closures := range s.closures {
		if slices.ContainsFunc(closures, func(c Change) bool { return within(c.From) || within(c.Until) }) {
			list = append(list, e)
		}
	}
	slices.Sort(list)
	return list
}

// AnyClosure reports whether a closure that is not over when the snapshot was taken, on an
// original edge that fits, begins within a day of it.
func (s *Snapshot) AnyClosure(fits func(e graph.Edge) bool) bool {
	if s == nil {
		return false
	}
	for e, closures := range s.closures {
		if fits(e) && slices.ContainsFunc(closures, func(c Change) bool {
			return (c.Until.IsZero() || c.Until.After(s.Taken)) && c.From.Before(s.Taken.Add(openEnded))
		}) {
			return true
		}
	}
	return false
}

// ended returns a closure with a beginning and an end.
func (s *Snapshot) ended(c Change) Change {
	if c.Until.IsZero() {
		c.Until = s.Taken.Add(openEnded)
	}
	if c.From.IsZero() {
		c.From = s.Taken.Add(-openEnded)
	}
	return c
}

// NextChange returns the first moment after another at which a closure or speed
// begins or ends; the zero time where there is none.
func (s *Snapshot) NextChange(after time.Time) (next time.Time) {
	if s == nil {
		return next
	}
	for i := range s.Changes {
		for _, t := range [...]time.Time{s.Changes[i].From, s.Changes[i].Until} {
			if t.After(after) && (next.IsZero() || t.Before(next)) {
				next = t
			}
		}
	}
	return next
}

// Live is a variable with the newest snapshot. The zero value has none. A feed replaces the
// snapshot as a whole; requests under way use the one they began with.
type Live struct{ newest atomic.Pointer[Snapshot] }

// Set replaces the newest snapshot.
func (l *Live) Set(s *Snapshot) { l.newest.Store(s) }

// Get returns the newest snapshot, nil where there is none.
func (l *Live) Get() *Snapshot { return l.newest.Load() }

// Counts returns a view without the parts that the snapshot lacks, so that requests to
// which the same applies share computed results.
func (s *Snapshot) Counts(v View) View {
	if len(s.live)+len(s.Turns) == 0 {
		v.Live = false
	}
	if len(s.closures) == 0 {
		v.Closing = NoClosures
	}
	if s.Profile.Edges() == 0 {
		v.Hour = 0
	}
	return v
}
