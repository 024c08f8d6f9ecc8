package overlay

import (
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

// Snapshot is all that the live feeds report at one moment. It is immutable and
// shared by all requests that began while it was the newest.
type Snapshot struct {
	changes []Change
	Taken   time.Time
}

// NewSnapshot gives a snapshot of a list of changes, which it keeps.
func NewSnapshot(taken time.Time, changes []Change) *Snapshot {
	return &Snapshot{changes: changes, Taken: taken}
}

// Changes lists the changes; the list must not be written to.
func (s *Snapshot) Changes() []Change {
	if s == nil {
		return nil
	}
	return s.changes
}

// View says which changes of a snapshot apply to a request.
type View struct {
	At         time.Time
	NoClosures bool // the traveller ignores closures
	NoSpeeds   bool // the request does not want live speeds
}

// Apply adds the changes of a snapshot that hold at the moment of the view.
func (o *Overlay) Apply(s *Snapshot, v View) {
	for i := range s.Changes() {
		c := &s.changes[i]
		switch {
		case !c.holds(v.At):
		case c.Closed && !v.NoClosures:
			o.CloseThrough(c.Edge)
		case !c.Closed && c.Speed > 0 && !v.NoSpeeds:
			o.SetSpeed(c.Edge, c.Speed)
		}
	}
}

// Live holds the newest snapshot. The zero value has none. A feed replaces it as a
// whole; requests under way keep the one they began with.
type Live struct{ newest atomic.Pointer[Snapshot] }

// Set replaces the newest snapshot.
func (l *Live) Set(s *Snapshot) { l.newest.Store(s) }

// Get gives the newest snapshot, nil where there is none.
func (l *Live) Get() *Snapshot { return l.newest.Load() }
