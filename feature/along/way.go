package along

import (
	"context"
	"fmt"
	"sort"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Ahead is a route that something is looked for on: stops that it is worked out
// for, or a line as it runs.
type Ahead struct {
	Stops   []geo.Point
	Line    []geo.Point // in place of stops
	Costing costing.Costing
	Options costing.Settings
	Depart  time.Time
}

// Way is a route, ready to be compared with records.
type Way struct {
	*corridor.Corridor
	Ahead
	Route Route // without its line where the caller has that

	found *engine.Route // of stops
	marks []mark
}

// mark is when the route comes to a place.
type mark struct{ arc, seconds float64 }

// Way works out the route that a question is about. timed has the times along a
// line worked out too, by a matrix between samples of it; those along stops are
// there anyway.
func (s *Service) Way(ctx context.Context, a Ahead, timed bool) (*Way, error) {
	w := &Way{Ahead: a}
	if a.Line != nil {
		w.Corridor = corridor.New(a.Line)
		w.Route.Distance = w.Length()
		if timed {
			return w, s.time(ctx, w)
		}
		return w, nil
	}
	r, err := engine.Best(ctx, s.Engine, &engine.RouteRequest{Costing: a.Costing, Options: a.Options, Locations: engine.Stops(a.Stops), Want: engine.WantPieces})
	if err != nil {
		return nil, err
	}
	w.found = r
	w.Corridor = corridor.New(r.Line())
	w.Route = Route{Distance: r.Metres, Duration: &r.Seconds, Shape: geo.EncodePolyline(w.Line(), 6)}
	w.paced(r)
	return w, nil
}

// What it takes to look for records near a way, in nanoseconds: for each of its vertices, and
// for each that is compared with a record.
const (
	vertexNanos = 1000
	pairNanos   = 300
)

// nearEffort is about what it takes to find the records of an index within so many metres of a
// route.
func nearEffort(c *corridor.Corridor, x *corridor.Index, metres float64) engine.Estimate {
	n := len(c.Line())
	nanos := float64(n)*vertexNanos + c.Pairs(x, metres)*pairNanos
	return engine.Estimate{Kind: "along", Work: time.Duration(nanos), Bytes: 8<<20 + int64(n)*100, Cores: 1, Cheaper: "a shorter line"}
}

// Near is that of corridor.Corridor, once there is a processor for it.
func (w *Way) Near(ctx context.Context, x *corridor.Index, metres float64, each func(record int, near []corridor.Part) bool) error {
	return engine.Work(ctx, nearEffort(w.Corridor, x, metres), func(ctx context.Context) error {
		return w.Corridor.Near(ctx, x, metres, each)
	})
}

// Line is the route as it runs.
func (w *Way) Line() []geo.Point { return w.Corridor.Line() }

// paced takes the times that the engine has for each piece, or for each leg. The
// lengths that go with them are as those of the line, or nearly.
func (w *Way) paced(r *engine.Route) {
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

// time works out when a line comes to samples of it.
func (s *Service) time(ctx context.Context, w *Way) error {
	ruler := geo.NewRuler(w.Line())
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

// offRoad refuses a line that no road is near: when it comes to a place is not known.
func offRoad(w *Way) error {
	first := w.Line()[0]
	return fault.Invalid(fault.Violation{Location: "shape", Message: fmt.Sprintf("begins at lat %.5f, lon %.5f and runs where no road usable by %s is near, so that the times along it are not known: it must be encoded with six digits, and follow roads of this region", first.Lat, first.Lon, w.Costing)})
}

// Seconds is how long after the departure the route comes to a place, by the
// metres from its start; ok is false where that is not known.
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

// Nearest is the pass of a place that is nearest to it, among those within so many
// metres.
func (w *Way) Nearest(p geo.Point, metres float64, near []corridor.Part) (best corridor.Pass, ok bool) {
	for _, pass := range w.Passes(p, metres, near, nil) {
		if !ok || pass.Metres < best.Metres {
			best, ok = pass, true
		}
	}
	return best, ok
}

// Detours measures what calling at places costs, as Rank does. Where on the way they
// are it does not tell: who asks has found them there.
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

// Coverage is what one source can tell of, and how far it can be relied on.
type Coverage struct {
	Source    string     `json:"source" doc:"id of the source, as records name it"`
	Name      string     `json:"name"`
	Area      *string    `json:"area" doc:"what it covers, in words; null where it does not say"`
	Licence   *string    `json:"licence" doc:"SPDX identifier or a name; null where it does not say"`
	State     feed.State `json:"state" enum:"waiting,ok,failing,stale,down" doc:"stale: what it says is older than it should be; failing: it could not be read again lately; down, waiting: it says nothing yet"`
	UpdatedAt *time.Time `json:"updated_at" doc:"what time its records are of"`
	AgeS      *float64   `json:"age_s" decimals:"0" doc:"seconds since then"`
	Records   int        `json:"records" doc:"it has, everywhere"`
}

// Feed is a feed of any kind.
type Feed interface {
	Source() *feed.Source
	Status() feed.Status
}

// Covered tells of feeds.
func Covered[F Feed](feeds []F) []Coverage {
	list := make([]Coverage, 0, len(feeds))
	for _, f := range feeds {
		source, s := f.Source(), f.Status()
		list = append(list, Coverage{Source: source.ID, Name: source.Title(), Area: said(source.Area), Licence: said(source.Licence), State: s.State, UpdatedAt: s.At, AgeS: s.AgeS, Records: s.Records})
	}
	return list
}

// Relied says of a list of sources what a caveat has to; "" where all is well.
func Relied(list []Coverage) string {
	text := ""
	for _, c := range list {
		switch c.State {
		case feed.Stale:
			text += c.Name + " is out of date. "
		case feed.Down, feed.Waiting:
			text += c.Name + " says nothing at the moment. "
		}
	}
	return text
}

func said(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Attributed gathers the attributions of sources, each once.
type Attributed []string

// Add adds what a source asks to be shown.
func (a *Attributed) Add(text string) {
	if text == "" {
		return
	}
	for _, there := range *a {
		if there == text {
			return
		}
	}
	*a = append(*a, text)
}
