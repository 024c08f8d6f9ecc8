package overlay

import (
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/road/graph"
)

// Change is what a live feed knows of one edge of one graph.
type Change struct {
	Edge   graph.Edge // an original
	Closed bool
	Speed  uint8 // km/h of the traffic, where it is not closed; 0 where it is not known
	// The change holds from From until before Until; the zero time is without
	// end on that side.
	From, Until time.Time
}

func (c *Change) holds(at time.Time) bool {
	return (c.From.IsZero() || !at.Before(c.From)) && (c.Until.IsZero() || at.Before(c.Until))
}

// Snapshot is all that the live feeds know at one moment. It is immutable and
// shared by all requests that began while it was the newest.
type Snapshot struct {
	changes []Change
	Taken   time.Time
}

// NewSnapshot takes over a list of changes.
func NewSnapshot(taken time.Time, changes []Change) *Snapshot {
	return &Snapshot{changes: changes, Taken: taken}
}

// Changes lists what is known; it must not be changed.
func (s *Snapshot) Changes() []Change {
	if s == nil {
		return nil
	}
	return s.changes
}

// View says what of a snapshot a request sees.
type View struct {
	At         time.Time
	NoClosures bool // the traveller ignores closures
	NoSpeeds   bool // the request does not want current speeds
}

// Apply adds to an overlay what a snapshot says of a moment.
func (o *Overlay) Apply(s *Snapshot, v View) {
	for i := range s.Changes() {
		c := &s.changes[i]
		switch {
		case !c.holds(v.At):
		case c.Closed && !v.NoClosures:
			o.Bar(c.Edge)
		case !c.Closed && c.Speed > 0 && !v.NoSpeeds:
			o.Slow(c.Edge, c.Speed)
		}
	}
}

// Live holds the newest snapshot. The zero value has none. A feed puts a new
// one in its place whole; requests under way keep the one they began with.
type Live struct{ newest atomic.Pointer[Snapshot] }

// Set puts a snapshot in place.
func (l *Live) Set(s *Snapshot) { l.newest.Store(s) }

// Get gives the newest snapshot, nil where there is none.
func (l *Live) Get() *Snapshot { return l.newest.Load() }
