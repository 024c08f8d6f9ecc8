package world

import (
	"context"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/watch"
	"github.com/waygate/waygate/geo"
)

// Look returns the present travel time of a watched route, and whether its region is in
// service.
func (s *Set) Look(ctx context.Context, w *watch.Watch) (now watch.Now, ok bool, err error) {
	current, done := s.Acquire()
	if current == nil {
		return now, false, nil
	}
	defer done()
	first, last := w.Line[0], w.Line[len(w.Line)-1]
	r, err := current.At(first, last)
	if err != nil || r.embedded == nil {
		return now, false, nil // the region is out of service, or gone
	}
	t, err := r.embedded.Travel(ctx, &engine.RouteRequest{Costing: w.Costing, Options: w.Options}, w.Line)
	if err != nil {
		return now, false, err
	}
	now.Seconds, now.Closures = t.Seconds, t.Closures
	if len(t.Closures) == 0 && !w.Closed && abs(t.Seconds-w.Duration) <= w.Threshold {
		return now, true, nil // there is nothing to report, so no other route is searched
	}
	best, err := engine.Best(ctx, r.Engine, &engine.RouteRequest{Locations: engine.Stops([]geo.Point{first, last}), Costing: w.Costing, Options: w.Options, Conditions: engine.Conditions{When: &engine.When{}}})
	switch {
	case err == nil:
		now.Alternative = &watch.Alternative{Duration: best.Seconds, Distance: best.Metres, Shape: geo.EncodePolyline(best.Line(), 6)}
	case engine.Code(err) == 0:
		return now, false, err
	}
	return now, true, nil
}

func abs(v float64) float64 { return max(v, -v) }
