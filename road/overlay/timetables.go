package overlay

import (
	"slices"
	"time"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// timetables works out, and keeps, when edges and turns are open to a traveller and which
// speed limits hold, around a moment.
type timetables struct {
	conditions     *Conditions
	traveller      Traveller
	localTime      time.Time // local
	toDestinations bool      // edges for destinations only are open
	edges          map[edgeTimes]*timetable
	turns          map[turnTimes]*timetable
	limits         map[limitTimes]*limits
}

func newTimetables(c *Conditions, t Traveller, at time.Time) timetables {
	return timetables{conditions: c, traveller: t, localTime: at, edges: map[edgeTimes]*timetable{}, turns: map[turnTimes]*timetable{}, limits: map[limitTimes]*limits{}}
}

func (s *timetables) setMoment(at time.Time) {
	if !at.Equal(s.localTime) {
		s.localTime = at
		clear(s.edges)
		clear(s.turns)
		clear(s.limits)
	}
}

// openDestinations sets whether edges for destinations only are open.
func (s *timetables) openDestinations(open bool) {
	if open != s.toDestinations {
		s.toDestinations = open
		clear(s.edges)
	}
}

// DestinationOnly reports whether an edge is open to destinations only at some
// times.
func (s *timetables) DestinationOnly(e graph.Edge) bool {
	l := s.conditions.timedRules(e, s.traveller.Mode)
	return l != nil && l.ForDestinations(s.traveller.Vehicle)
}

// Destinations lists the edges that are open to destinations only at some times.
func (s *timetables) Destinations() (all []graph.Edge) {
	for _, e := range s.conditions.g.Timed {
		if s.DestinationOnly(e) {
			all = append(all, e)
		}
	}
	return all
}

// edgeTimes has the inputs of an edge's timetable, which those of a way and of many others
// share.
type edgeTimes struct {
	law    *edgeRules
	lawful bool
	near   conditional.Near // where that matters
}

// edge returns the timetable of an original edge, nil where no condition with times
// concerns the traveller and the costing alone decides.
func (s *timetables) edge(e graph.Edge) *timetable {
	l := s.conditions.timedRules(e, s.traveller.Mode)
	if l == nil {
		return nil
	}
	by := edgeTimes{law: l, lawful: s.traveller.HasAccess(e)}
	if l.placed {
		by.near = s.conditions.near(s.conditions.g.ByEdge[e].Tail, s.conditions.g.Segment(e))
	}
	if t := s.edges[by]; t != nil {
		return t
	}
	t := s.table(by.near, l.placed, l.MinutesOn, func(m *conditional.LocalTime) bool {
		p := l.Of(by.lawful, m, s.traveller.Vehicle, conditional.Unheeded)
		return p.Open && p.Fits && (!p.AtTimes || s.toDestinations)
	})
	s.edges[by] = t
	return t
}

// turnTimes has the inputs of a turn's timetable.
type turnTimes struct {
	set  graph.Set
	near conditional.Near // where that matters
}

// turn returns the timetable of a turn that is forbidden while its condition is met.
func (s *timetables) turn(x *graph.Turn) *timetable {
	c := s.conditions.turns[x.Set]
	by := turnTimes{set: x.Set}
	if c.placed {
		by.near = s.conditions.near(s.conditions.g.ByEdge[x.To].Tail, s.conditions.g.Segment(x.To))
	}
	if t := s.turns[by]; t != nil {
		return t
	}
	t := s.table(by.near, c.placed, c.MinutesOn, func(m *conditional.LocalTime) bool { return c.At(m, s.traveller.Vehicle) != hours.Open })
	s.turns[by] = t
	return t
}

// table works out a timetable by asking open at each of the minutes at which it may
// change; minutesOn gives those of a day.
func (s *timetables) table(near conditional.Near, placed bool, minutesOn func([]int, conditional.LocalTime) []int, open func(*conditional.LocalTime) bool) *timetable {
	t := &timetable{}
	was := false
	s.eachChange(near, placed, minutesOn, func(since int64, m *conditional.LocalTime) {
		if is := open(m); is != was {
			t.open = append(t.open, since)
			was = is
		}
	})
	if was {
		t.open = append(t.open, never)
	}
	return t
}

// eachChange calls do for the minutes at which something may change on the days around the
// moment, in order, with the milliseconds since that; minutesOn gives those of a day. Before
// and after these days things stay as they are at their ends, so that the first is -never.
func (s *timetables) eachChange(near conditional.Near, placed bool, minutesOn func([]int, conditional.LocalTime) []int, do func(since int64, m *conditional.LocalTime)) {
	m := conditional.LocalTime{}
	if placed {
		m.Place = near.Place()
	}
	y, month, d := s.localTime.Date()
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
	last := first.AddDate(0, 0, 2*daysAround+1)
	for _, at := range times {
		if at.Before(first) || !at.Before(last) {
			continue
		}
		m.Local = at
		since := at.Sub(s.localTime).Milliseconds()
		if at.Equal(first) {
			since = -never
		}
		do(since, &m)
	}
}

// limitTimes has the inputs of the limits of an edge over time, which those of a way share.
type limitTimes struct {
	law   *edgeRules
	usual graph.SpeedLimits
	near  conditional.Near // where that matters
}

// limitsOf returns the limits of an edge that Limited reports.
func (s *timetables) limitsOf(e graph.Edge) *limits {
	l := s.conditions.speedRules(e, s.traveller.Mode)
	by := limitTimes{law: l, usual: s.conditions.g.SpeedLimits(e, s.traveller.Mode)}
	if l.speedsPlaced {
		by.near = s.conditions.near(s.conditions.g.ByEdge[e].Tail, s.conditions.g.Segment(e))
	}
	if x := s.limits[by]; x != nil {
		return x
	}
	x := &limits{}
	s.eachChange(by.near, l.speedsPlaced, l.SpeedMinutesOn, func(since int64, m *conditional.LocalTime) {
		is := l.LimitsAt(by.usual, m, s.traveller.Vehicle)
		if n := len(x.are); n == 0 || x.are[n-1] != is {
			x.from, x.are = append(x.from, since), append(x.are, is)
		}
	})
	s.limits[by] = x
	return x
}

// next returns the first time from at on when turn and edge are open; never where there is
// none.
func (s *timetables) next(e, f graph.Edge, at int64) int64 {
	for {
		begin := at
		s.each(e, f, func(t *timetable) { at = t.next(at) })
		if at == begin {
			return at
		}
	}
}

// last returns the last time up to at when turn and edge are open; -never where there is
// none.
func (s *timetables) last(e, f graph.Edge, at int64) int64 {
	for {
		begin := at
		s.each(e, f, func(t *timetable) { at = t.last(at) })
		if at == begin {
			return at
		}
	}
}

// each calls yield for the timetables of the original f and of each timed ban on
// the turn from e into it.
func (s *timetables) each(e, f graph.Edge, yield func(*timetable)) {
	if t := s.edge(f); t != nil {
		yield(t)
	}
	for _, x := range s.conditions.g.TurnsFrom(e) {
		if x.To == f && x.When == graph.AtTimes && x.Replace == graph.None && x.Modes&s.traveller.Mode != 0 {
			yield(s.turn(&x))
		}
	}
}
