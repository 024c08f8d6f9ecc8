package embedded

import (
	"fmt"
	"math"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// setTime puts the time of a request on a clock, before it is known what the
// roads cost: what opens at times is open to those who tell one. The time of
// day is that of the roads' own clocks. Local times are held in the location
// UTC, so that a day has 24 hours.
func (p *planner) setTime(now time.Time) {
	w, live := p.r.When, p.e.live.Get()
	if live != nil {
		defer func() {
			if v := live.Counts(p.view(p.moment)); !live.Layer(v).Empty() {
				p.who.view = v
			}
		}()
	}
	heeds := live != nil && p.r.Wants("current") && !p.r.Options.On(costing.IgnoreClosures)
	if w == nil {
		if p.arrives && heeds && live.Passing() {
			// Nothing else of the roads depends on a time that nobody told.
			p.moment = wall(now.UTC())
			p.clock = overlay.NewClock(p.e.conditions(), overlay.Traveller{}, p.moment)
			p.clock.Roads = live
		}
		return
	}
	p.moment = w.Local
	var ahead time.Duration
	if zone := p.zone(w.Type == engine.Now); w.Type == engine.Now {
		p.moment = wall(now.In(zone))
		p.began = p.moment
		ahead = p.moment.Sub(now)
	} else {
		ahead = p.moment.Sub(time.Date(p.moment.Year(), p.moment.Month(), p.moment.Day(), p.moment.Hour(), p.moment.Minute(), 0, 0, zone))
	}
	o := &p.who.options
	v := p.vehicle()
	p.who.open = v.Mode != 0 && len(p.e.metrics.openAtTimes[o.Costing]()) > 0
	p.clock = overlay.NewClock(p.e.conditions(), overlay.Traveller{
		Mode: v.Mode, Vehicle: v, Lawful: func(e graph.Edge) bool { return p.costing.Lawful(e) }, Always: func(e graph.Edge) bool { return p.costing.OpenAlways(e) },
	}, p.moment)
	if heeds {
		p.clock.Roads, p.clock.Ahead = live, ahead
	}
	p.clock.Arrive, p.clock.Frozen = w.Type == engine.Arrive, w.Type == engine.Invariant
}

// vehicle is what conditions ask of the traveller.
func (p *planner) vehicle() *conditional.Vehicle {
	o := &p.who.options
	v := profile.Vehicle(o)
	if o.IgnoreRestrictions || o.IgnoreNonVehicular {
		v.Mode = 0 // whom none concerns
	}
	return v
}

// zone is the time zone of the first location, by the country of the nearest road;
// UTC where that does not tell, with a warning where now is the time to be told.
func (p *planner) zone(now bool) *time.Location {
	zone, known := time.UTC, false
	p.s.snap.Nearest(p.r.Locations[0].Point, farCutoff, func(c snap.Candidate) bool {
		if z, ok := conditional.Zone(p.e.g.Country[c.Segment]); ok {
			zone, known = z, true
		}
		return false
	})
	if !known && now {
		p.warn(engine.WarnZone, "the time zone of the first location is not known: now was taken as UTC")
	}
	return zone
}

// wall is what a clock on the wall shows, in the location UTC.
func wall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// zoneOf is the time zone of a journey that begins and ends in the same one; nil
// where that is not known.
func zoneOf(g *graph.Graph, legs []leg) *time.Location {
	if legs[0].from.at.IsZero() && legs[len(legs)-1].to.at.IsZero() {
		return nil
	}
	first, last := legs[0].path, legs[len(legs)-1].path
	if len(first) == 0 || len(last) == 0 {
		return nil
	}
	zone, known := conditional.Zone(g.Country[g.Segment(first[0].Edge)])
	other, same := conditional.Zone(g.Country[g.Segment(last[len(last)-1].Edge)])
	if !known || !same || zone.String() != other.String() {
		return nil
	}
	return zone
}

// onClock gives a moment in a zone, whose clocks may change between the time that was
// told, which they show, and that.
func onClock(told, at time.Time, zone *time.Location) time.Time {
	begin := time.Date(told.Year(), told.Month(), told.Day(), told.Hour(), told.Minute(), told.Second(), told.Nanosecond(), zone)
	return begin.Add(at.Sub(told))
}

func (p *planner) warn(code int, format string, args ...any) {
	p.warnings = append(p.warnings, engine.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
}

// timed is the time that a path takes on the clock, in milliseconds from the
// moment.
type timed struct {
	begin int64   // at its start
	end   int64   // at its end
	waits []int64 // before each edge; nil where nothing on the path depends on the time
	ok    bool    // nothing stays closed
}

// timeless reports whether nothing on a path depends on the time.
func (p *planner) timeless(f search.Found) bool {
	if p.clock == nil {
		return true
	}
	before := graph.Edge(graph.None)
	for _, e := range f.Edges {
		if p.clock.Timed(before, p.e.g.Original(e)) {
			return false
		}
		before = e
	}
	return true
}

func millis(seconds float64) int64 { return int64(math.Round(seconds * 1000)) }

// times walks a path by the clock: from the moment on or, where that is the
// arrival, from as late as it can be.
func (p *planner) times(f search.Found) timed {
	if p.timeless(f) {
		return timed{ok: true}
	}
	t := timed{waits: make([]int64, len(f.Edges)), ok: true}
	if p.clock.Backwards() {
		for i := len(f.Edges) - 1; i > 0 && t.ok; i-- {
			o := p.e.g.Original(f.Edges[i])
			latest := t.begin - p.millis(f, i) - p.turnMillis(f, i)
			t.begin, t.ok = p.clock.Enter(f.Edges[i-1], o, latest)
			t.waits[i] = latest - t.begin
		}
		if !t.ok {
			return t
		}
		t.begin -= p.millis(f, 0)
		// Forwards it is early rather than late: it waits where it must.
		p.clock.Arrive = false
		defer func() { p.clock.Arrive = true }()
	}
	at := t.begin + p.millis(f, 0)
	for i := 1; i < len(f.Edges) && t.ok; i++ {
		o := p.e.g.Original(f.Edges[i])
		var when int64
		when, t.ok = p.clock.Enter(f.Edges[i-1], o, at)
		t.waits[i] = when - at
		at = when + p.turnMillis(f, i) + p.millis(f, i)
	}
	t.end = at
	return t
}

// millis is the time that the part travelled of a path's edge takes.
func (p *planner) millis(f search.Found, i int) int64 {
	begin, end := travelled(f, i)
	return millis(p.weights.Seconds(p.e.g.Original(f.Edges[i])) * (end - begin))
}

// turnMillis is the time on the clock of the turn into a path's edge.
func (p *planner) turnMillis(f search.Found, i int) int64 {
	d := p.turns(f)[i]
	return p.clock.TurnMillis(d.Seconds, d.Cost)
}

// turned is what the turns of a path cost, which several ask for in turn.
type turned struct {
	of     *graph.Edge     // the first edge of the path
	delays []profile.Delay // in the scratch
}

// turns are the delays of the turns into a path's edges; that of the first is none.
func (p *planner) turns(f search.Found) []profile.Delay {
	t := &p.turned
	if t.of == &f.Edges[0] && len(t.delays) == len(f.Edges) {
		return t.delays
	}
	list := p.s.delays[:0]
	list = append(list, profile.Delay{})
	for i := 1; i < len(f.Edges); i++ {
		list = append(list, p.weights.Turn(f.Edges[i-1], p.e.g.Original(f.Edges[i])))
	}
	t.of, t.delays, p.s.delays = &f.Edges[0], list, list
	return list
}

// travelled is the part of a path's edge that is.
func travelled(f search.Found, i int) (begin, end float64) {
	end = 1
	if i == 0 {
		begin = f.From.Along
	}
	if i == len(f.Edges)-1 {
		end = f.To.Along
	}
	return begin, end
}

// arrivesAlike reports whether a path meets nothing closed at its time, so that
// nobody waits on it.
func (p *planner) arrivesAlike(f search.Found) bool {
	if p.timeless(f) {
		return true
	}
	back := p.clock.Backwards()
	at := int64(0)
	for k := range len(f.Edges) - 1 {
		i := k + 1
		if back {
			i = len(f.Edges) - 1 - k
		}
		o := p.e.g.Original(f.Edges[i])
		turn := p.turnMillis(f, i)
		if back {
			at -= p.millis(f, i) + turn
		} else {
			at += p.millis(f, i-1)
		}
		if when, ok := p.clock.Enter(f.Edges[i-1], o, at); !ok || when != at {
			p.meet(p.clock.Shut(o, at))
			return false
		}
		if !back {
			at += turn
		}
	}
	return true
}
