package along_test

import (
	"errors"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// TestWhenALineComesToPlaces compares the times along a line, taken from a matrix, with the
// pace of a walker on a level road.
func TestWhenALineComesToPlaces(t *testing.T) {
	town := street(t)
	s := ranker(t, town)
	r := request(t, costing.Pedestrian)
	ahead := along.Ahead{Line: points(town, "abcdk"), Costing: r.Costing, Options: r.Options}
	w, err := s.Way(t.Context(), ahead, along.Search{Timed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, metres := range []float64{0, 100, 650, w.Length()} {
		if got, ok := w.Seconds(metres); !ok || !near(got, walked(metres), 0.02*walked(metres)+1) {
			t.Errorf("it comes to metre %.0f after %.1f s (%v), want %.1f", metres, got, ok, walked(metres))
		}
	}
	if d := w.Route.Duration; d == nil || !near(*d, walked(w.Length()), 0.02*walked(w.Length())) {
		t.Errorf("the whole line takes %v", d)
	}
	if w, err = s.Way(t.Context(), ahead, along.Search{}); err != nil || w.Route.Duration != nil {
		t.Errorf("a line whose times nobody asked for: %+v, %v", w, err)
	}
	if _, ok := w.Seconds(100); ok {
		t.Error("a line whose times nobody asked for has some")
	}
	ahead.Line = []geo.Point{{Lon: 60, Lat: -40}, {Lon: 60.01, Lat: -40}}
	if _, err := s.Way(t.Context(), ahead, along.Search{Timed: true}); !fault.Is(err, fault.BadRequest) {
		t.Errorf("a line that no road is near: %v", err)
	}
}

// An estimate of a search has its records, its times and its detours, each of which adds to
// it, and asks the engine for nothing.
func TestEstimateOfASearch(t *testing.T) {
	town := street(t)
	s := ranker(t, town)
	r := request(t, costing.Auto)
	estimate := func(search along.Search) time.Duration {
		t.Helper()
		only := &scheduled.Request{EstimateOnly: true}
		_, err := s.Way(scheduled.WithRequest(t.Context(), only), along.Ahead{Line: points(town, "abcdk"), Costing: r.Costing, Options: r.Options}, search)
		sum, ok := only.Estimated()
		if !errors.Is(err, scheduled.ErrEstimated) || !ok {
			t.Fatalf("%+v: %v", search, err)
		}
		return sum.Work
	}
	near := []*corridor.Index{corridor.PointIndex(points(town, "abcdkabcdkabcdk"))}
	line := estimate(along.Search{})
	records := estimate(along.Search{Near: near, Metres: 100})
	timed := estimate(along.Search{Near: near, Metres: 100, Timed: true})
	detours := estimate(along.Search{Near: near, Metres: 100, Timed: true, Detours: true})
	if line <= 0 || records <= line || timed <= records || detours <= timed {
		t.Errorf("a line takes %v, with records %v, times %v, detours %v", line, records, timed, detours)
	}
}

// TestWayBetweenStops checks that the line of a route that is found is the one returned, and
// what is measured along it.
func TestWayBetweenStops(t *testing.T) {
	town := street(t)
	s := ranker(t, town)
	r := request(t, costing.Pedestrian)
	w, err := s.Way(t.Context(), along.Ahead{Stops: points(town, "ak"), Costing: r.Costing, Options: r.Options}, along.Search{Timed: true})
	if err != nil {
		t.Fatal(err)
	}
	line, err := geo.DecodePolyline(w.Route.Shape, 6)
	if err != nil || len(line) != len(w.Line()) {
		t.Fatalf("%d points of %d, %v", len(line), len(w.Line()), err)
	}
	for i, p := range line {
		if d := geo.Distance(p, w.Line()[i]); d > 0.2 {
			t.Errorf("point %d is told %.1f m from where it is", i, d)
		}
	}
	if !near(w.Route.Distance, w.Length(), 1) || w.Route.Duration == nil || !near(*w.Route.Duration, walked(w.Length()), 0.02*walked(w.Length())+1) {
		t.Errorf("%+v, of %.0f m", w.Route, w.Length())
	}
}
