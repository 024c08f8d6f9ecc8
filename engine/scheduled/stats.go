package scheduled

import (
	"maps"
	"time"

	"github.com/waygate/waygate/engine"
)

// Counts are of all calls since the start.
type Counts struct {
	TakenBack int64 // calls whose slots were taken back, since they went on though their callers had left
	Moved     int64 // small calls that turned out dear
	MostHeld  int64 // bytes, at any moment
}

// ClassStats is how a class stands.
type ClassStats struct {
	Name           string // tiny, small, dear, remote or background
	Slots          int    // that there are; 0 is no bound
	Taken, Waiting int
	Queued         time.Duration // expected work of those that wait
	Calls          int64         // that had slots
	Waited         time.Duration // by them, together
}

var classNames = [...]string{tiny: "tiny", small: "small", dear: "dear", remote: "remote", background: "background"}

// Stats is how a scheduler stands.
type Stats struct {
	Counts
	Classes []ClassStats
	Overdue int   // calls whose slots were taken back and that go on
	Held    int64 // bytes of calls under way and of answers being sent
	Memory  int64 // that there may be of them
	Refused map[Reason]int64
}

// Stats returns how the scheduler stands.
func (s *Scheduler) Stats() Stats {
	s.takeBack()
	s.mu.Lock()
	defer s.mu.Unlock()
	x := Stats{Counts: s.counts, Overdue: len(s.overdue), Held: s.allHeld(), Memory: s.options.Memory, Refused: maps.Clone(s.refused)}
	for i, name := range classNames {
		l := &s.classes[i]
		y := ClassStats{Name: name, Slots: l.most, Taken: l.taken, Waiting: l.waiting, Queued: l.queued, Calls: l.calls, Waited: l.waited}
		if l.most == unbounded {
			y.Slots = 0
		}
		x.Classes = append(x.Classes, y)
	}
	return x
}

// Limits apply to every call.
type Limits struct {
	Small  time.Duration // most work of a small call
	Queue  int           // most calls that wait
	Memory int64         // bytes that calls may hold together
	Slots  int           // of dear calls
}

// Limits returns what holds for every call.
func (s *Scheduler) Limits() Limits {
	return Limits{Small: s.options.Small, Queue: s.options.Queue, Memory: s.options.Memory, Slots: s.classes[dear].most}
}

// Forecast predicts the admission of a call.
type Forecast struct {
	Class    string
	Accepted bool
	Reason   string // why it would be turned down; "" where it would not
}

// Forecast returns what would become of a call of a request that may take limit,
// by its corrected estimate, if nobody else were there.
func (s *Scheduler) Forecast(e engine.Estimate, limit time.Duration) Forecast {
	g := &grant{s: s, estimate: e, work: e.Work, class: dear}
	switch {
	case e.Cores == 0:
		return Forecast{Class: classNames[remote], Accepted: true}
	case e.Work <= s.options.Small:
		return Forecast{Class: classNames[small], Accepted: true}
	}
	f := Forecast{Class: classNames[dear], Accepted: true}
	if alone := g.alone(s); alone > limit {
		f.Accepted, f.Reason = false, tooDear(g, alone, limit).Detail
	}
	return f
}
