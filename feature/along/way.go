package along

import (
	"context"
	"fmt"
	"sort"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Ahead is a route on which something is looked for: stops to work it out for, or its line.
type Ahead struct {
	Stops   []geo.Point
	Line    []geo.Point // in place of stops
	Costing costing.Costing
	Options costing.Settings
	Depart  time.Time
}

// Way is a route as a corridor, to compare records with, and its times.
type Way struct {
	*corridor.Corridor
	Ahead
	Route Route // without its shape where the caller gave the line

	found *engine.Route // between stops; nil of a line
	marks []mark
}

// mark is the time at which the route comes to a place on it, since the departure.
type mark struct{ arc, seconds float64 }

// Search describes a search along a route.
type Search struct {
	// Timed is for a search that needs the times along a line too, which are worked out by a matrix between
	// samples of it. A route between stops has them anyway.
	Timed   bool
	Near    []*corridor.Index // records that are compared with the way
	Metres  float64           // from the way within which they are looked for
	Detours bool              // whether detours to some of them are measured
}

// Way works out a route. A request that asks for an estimate only gets one of all that the
// search takes.
func (s *Service) Way(ctx context.Context, a Ahead, search Search) (*Way, error) {
	if err := scheduled.Estimated(ctx, func() engine.Estimate { return s.estimateSearch(&a, &search) }); err != nil {
		return nil, err
	}
	w := &Way{Ahead: a}
	if a.Line != nil {
		if err := w.measure(ctx, a.Line); err != nil {
			return nil, err
		}
		w.Route.Distance = w.Length()
		if search.Timed {
			return w, s.time(ctx, w)
		}
		return w, nil
	}
	r, err := engine.Best(ctx, s.Engine, &engine.RouteRequest{Costing: a.Costing, Options: a.Options, Locations: engine.Stops(a.Stops), Want: engine.WantPieces})
	if err != nil {
		return nil, err
	}
	w.found = r
	if err := w.measure(ctx, r.Line()); err != nil {
		return nil, err
	}
	w.Route = Route{Distance: r.Metres, Duration: &r.Seconds, Shape: geo.EncodePolyline(w.Line(), 6)}
	w.setTimes(r)
	return w, nil
}

// measure makes the corridor of a line.
func (w *Way) measure(ctx context.Context, line []geo.Point) (err error) {
	w.Corridor, err = engine.WorkFor(ctx, lineEffort(len(line)), func(context.Context) (*corridor.Corridor, error) {
		return corridor.New(line), nil
	})
	return err
}

// rulerOf makes the ruler of a line.
func rulerOf(ctx context.Context, line []geo.Point) (*geo.Ruler, error) {
	return engine.WorkFor(ctx, lineEffort(len(line)), func(context.Context) (*geo.Ruler, error) { return geo.NewRuler(line), nil })
}

// lineNanos is about how many nanoseconds it takes to measure a line, for each vertex: its
// lengths, its boxes.
const lineNanos = 100

// lineEffort returns about what it takes to measure a line.
func lineEffort(vertices int) engine.Estimate {
	return engine.Estimate{Kind: "line", Work: time.Duration(vertices * lineNanos), Bytes: int64(vertices) * 100, Cores: 1, Cheaper: "a shorter line"}
}

// About how many nanoseconds it takes to find records near a way: for each of its vertices,
// and for each pair of a vertex and a record that are compared.
const (
	vertexNanos = 1000
	pairNanos   = 300
)

// nearEffort returns about what it takes to find the records of an index within so many metres
// of a route.
func nearEffort(c *corridor.Corridor, x *corridor.Index, metres float64) engine.Estimate {
	n := len(c.Line())
	nanos := float64(n)*vertexNanos + c.Pairs(x, metres)*pairNanos
	return engine.Estimate{Kind: "along", Work: time.Duration(nanos), Bytes: 8<<20 + int64(n)*100, Cores: 1, Cheaper: "a shorter line"}
}

// Near calls each as corridor.Corridor.Near does, once there is a processor for it.
func (w *Way) Near(ctx context.Context, x *corridor.Index, metres float64, each func(record int, near []corridor.Part) bool) error {
	return engine.Work(ctx, nearEffort(w.Corridor, x, metres), func(ctx context.Context) error {
		return w.Corridor.Near(ctx, x, metres, each)
	})
}

// Line returns the route as it runs.
func (w *Way) Line() []geo.Point { return w.Corridor.Line() }

// setTimes takes the times of a route by its pieces, or by its legs where the engine has no
// times of pieces.
func (w *Way) setTimes(r *engine.Route) {
	arc, seconds := 0.0, 0.0
	w.marks = append(w.marks, mark{})
	for i := range r.Legs {
		l := &r.Legs[i]
		if len(l.Pieces) == len(l.Line)-1 {
			for j := range l.Pieces {
				arc += geo.Distance(l.Line[j], l.Line[j+1])
				seconds += l.Pieces[j].Seconds
				w.marks = append(w.marks, mark{arc, seconds})
			}
			continue
		}
		arc, seconds = arc+geo.Length(l.Line), seconds+l.Seconds
		w.marks = append(w.marks, mark{arc, seconds})
	}
}

// time works out the times at samples of a line. It leaves them out where no way leads along
// the samples.
func (s *Service) time(ctx context.Context, w *Way) error {
	ruler, err := rulerOf(ctx, w.Line())
	if err != nil {
		return err
	}
	at := samples(ruler)
	last := len(at) - 1
	m, err := s.Engine.Matrix(ctx, &engine.MatrixRequest{Sources: at[:last], Targets: at[1:], Costing: w.Costing, Options: w.Options})
	if engine.Code(err) == engine.CodeNoSegment {
		return offRoad(w)
	}
	if err != nil {
		return err
	}
	marks := []mark{{}}
	for i := range last {
		cell := m.Cells[i][i]
		if !cell.Reached {
			return nil // the way has no times
		}
		marks = append(marks, mark{ruler.Length() * float64(i+1) / float64(last), marks[i].seconds + cell.Seconds})
	}
	w.marks = marks
	w.Route.Duration = &marks[last].seconds
	return nil
}

// offRoad is the refusal of a line with no road near it, along which no times can be known.
func offRoad(w *Way) error {
	first := w.Line()[0]
	return fault.Invalid(fault.Violation{Location: "shape", Message: fmt.Sprintf("begins at lat %.5f, lon %.5f and runs where no road usable by %s is near, so that the times along it are not known: it must be encoded with six digits, and follow roads of this region", first.Lat, first.Lon, w.Costing)})
}

// Seconds returns how long after the departure the route comes to a place so many metres from
// its start; ok is false where that is not known.
func (w *Way) Seconds(arc float64) (seconds float64, ok bool) {
	if len(w.marks) < 2 {
		return 0, false
	}
	i := sort.Search(len(w.marks), func(i int) bool { return w.marks[i].arc >= arc })
	switch {
	case i == 0:
		return w.marks[0].seconds, true
	case i == len(w.marks):
		return w.marks[i-1].seconds, true
	}
	a, b := w.marks[i-1], w.marks[i]
	if b.arc == a.arc {
		return b.seconds, true
	}
	return a.seconds + (b.seconds-a.seconds)*(arc-a.arc)/(b.arc-a.arc), true
}

// Nearest returns the pass of a place that is nearest to it; ok is false where none is within
// so many metres.
func (w *Way) Nearest(p geo.Point, metres float64, near []corridor.Part) (best corridor.Pass, ok bool) {
	for _, pass := range w.Passes(p, metres, near, nil) {
		if !ok || pass.Metres < best.Metres {
			best, ok = pass, true
		}
	}
	return best, ok
}

// Detours measures what calling at places costs, as Rank does. The answer leaves out where on
// the way the places are, which the caller has found already.
func (s *Service) Detours(ctx context.Context, w *Way, places []Place) (*Answer, error) {
	r := &Request{Stops: w.Stops, Costing: w.Costing, Options: w.Options, Places: places, known: w.found, placed: true}
	if w.Ahead.Line != nil {
		r.Stops, r.Line = nil, w.Ahead.Line
	}
	a, err := s.Rank(ctx, r)
	if r.Line != nil && engine.Code(err) == engine.CodeNoSegment {
		return nil, offRoad(w)
	}
	return a, err
}
