package plan

import (
	"math"
	"time"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// WallClock returns the time that a clock on the wall shows, in the location UTC.
func WallClock(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// pathTimer walks paths by the clock.
type pathTimer struct {
	*Request
	s         *Scratch
	turnCosts turnCosts
}

// Timed is the time that a path takes on the clock, in milliseconds from the
// moment.
type Timed struct {
	begin   int64                 // at its start
	end     int64                 // at its end
	Waits   []int64               // before each edge; nil where nothing on the path depends on the time
	Limited map[int]search.Travel // by place in the path, of edges whose speed limits depend on the time
	ok      bool                  // nothing stays closed
}

// timeless reports whether nothing on a path depends on the time.
func (p *pathTimer) timeless(f search.Found) bool {
	if p.Clock == nil {
		return true
	}
	before := graph.Edge(graph.None)
	for _, e := range f.Edges {
		if p.Clock.Timed(before, p.Base.Graph.Original(e)) {
			return false
		}
		before = e
	}
	return true
}

// Millis converts seconds to whole milliseconds.
func Millis(seconds float64) int64 { return int64(math.Round(seconds * 1000)) }

// Times walks a path by the clock: from the moment on or, where that is the
// arrival, from as late as it can be.
func (p *pathTimer) Times(f search.Found) Timed {
	if p.timeless(f) {
		return Timed{ok: true}
	}
	t := Timed{Waits: make([]int64, len(f.Edges)), ok: true}
	if p.Clock.Backwards() {
		for i := len(f.Edges) - 1; i > 0 && t.ok; i-- {
			o := p.Base.Graph.Original(f.Edges[i])
			latest := t.begin - p.travel(f, i, t.begin).Millis - p.turnMillis(f, i)
			t.begin, t.ok = p.Clock.Enter(f.Edges[i-1], o, latest)
			t.Waits[i] = latest - t.begin
		}
		if !t.ok {
			return t
		}
		t.begin -= p.travel(f, 0, t.begin).Millis
		// Forwards it is early rather than late: it waits where it must.
		p.Clock.Arrive = false
		defer func() { p.Clock.Arrive = true }()
	}
	at := t.begin + t.add(p, f, 0, t.begin)
	for i := 1; i < len(f.Edges) && t.ok; i++ {
		o := p.Base.Graph.Original(f.Edges[i])
		var when int64
		when, t.ok = p.Clock.Enter(f.Edges[i-1], o, at)
		t.Waits[i] = when - at
		at = when + p.turnMillis(f, i)
		at += t.add(p, f, i, at)
	}
	t.end = at
	return t
}

// add notes what edge i takes to who comes to it at a time, where its speed limits depend on
// that, and gives the milliseconds.
func (t *Timed) add(p *pathTimer, f search.Found, i int, at int64) int64 {
	x := p.travel(f, i, at)
	if p.Clock.Limited(p.Base.Graph.Original(f.Edges[i])) {
		if t.Limited == nil {
			t.Limited = map[int]search.Travel{}
		}
		t.Limited[i] = x
	}
	return x.Millis
}

// travel returns the time of the part travelled of a path's edge for a traveller who comes to it at a time of
// the clock or, with one of arrival, is at its end then.
func (p *pathTimer) travel(f search.Found, i int, at int64) search.Travel {
	begin, end := Travelled(f, i)
	return p.Weights.Travel(p.Clock, p.Base.Graph.Original(f.Edges[i]), end-begin, at)
}

// Millis returns the time that the part travelled of a path's edge takes at no time.
func (p *pathTimer) Millis(f search.Found, i int) int64 {
	begin, end := Travelled(f, i)
	return Millis(p.Weights.Seconds(p.Base.Graph.Original(f.Edges[i])) * (end - begin))
}

// turnMillis returns the time on the clock of the turn into a path's edge.
func (p *pathTimer) turnMillis(f search.Found, i int) int64 {
	d := p.turns(f)[i]
	return p.Clock.TurnMillis(d.Seconds, d.Cost)
}

// turnCosts has the costs of the turns of a path, which several ask for in turn.
type turnCosts struct {
	of     *graph.Edge     // the first edge of the path
	delays []profile.Delay // in the scratch
}

// turns returns the delays of the turns into a path's edges; that of the first is none.
func (p *pathTimer) turns(f search.Found) []profile.Delay {
	t := &p.turnCosts
	if t.of == &f.Edges[0] && len(t.delays) == len(f.Edges) {
		return t.delays
	}
	list := p.s.delays[:0]
	list = append(list, profile.Delay{})
	for i := 1; i < len(f.Edges); i++ {
		list = append(list, p.Weights.Turn(f.Edges[i-1], p.Base.Graph.Original(f.Edges[i])))
	}
	t.of, t.delays, p.s.delays = &f.Edges[0], list, list
	return list
}

// Travelled returns the part of a path's edge that is.
func Travelled(f search.Found, i int) (begin, end float64) {
	end = 1
	if i == 0 {
		begin = f.From.Along
	}
	if i == len(f.Edges)-1 {
		end = f.To.Along
	}
	return begin, end
}

// arrivesAlike reports whether a path meets nothing closed at its time, so that there is no waiting
// on it, and no speed limit makes it dearer than at the best of times.
func (p *pathTimer) arrivesAlike(f search.Found) bool {
	more, ok := p.passes(f)
	return ok && more == 0
}

// passes walks a path by the clock. ok is whether it meets nothing closed at its time, more
// is by how much speed limits make it dearer than at the best of times, in milliseconds of
// weighted time.
func (p *pathTimer) passes(f search.Found) (more uint64, ok bool) {
	if p.timeless(f) {
		return 0, true
	}
	back := p.Clock.Backwards()
	at := int64(0)
	pass := func(i int) {
		x := p.travel(f, i, at)
		if at += x.Millis; back {
			at -= 2 * x.Millis
		}
		if o := p.Base.Graph.Original(f.Edges[i]); p.Clock.Limited(o) {
			begin, end := Travelled(f, i)
			more += x.Cost - p.Weights.Travel(nil, o, end-begin, 0).Cost
		}
	}
	for k := range len(f.Edges) - 1 {
		i := k + 1
		if back {
			i = len(f.Edges) - 1 - k
		}
		o := p.Base.Graph.Original(f.Edges[i])
		turn := p.turnMillis(f, i)
		if back {
			pass(i)
			at -= turn
		} else {
			pass(i - 1)
		}
		if when, ok := p.Clock.Enter(f.Edges[i-1], o, at); !ok || when != at {
			p.meet(p.Clock.LiveClosedAt(o, at))
			return 0, false
		}
		if !back {
			at += turn
		}
	}
	if back {
		pass(0)
	} else {
		pass(len(f.Edges) - 1)
	}
	return more >> 10, true
}
