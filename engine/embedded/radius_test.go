package embedded_test

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
)

// looks counts how often work looks at its context, and calls look at one of them.
type looks struct {
	context.Context
	n    atomic.Int64
	at   int64 // 0 is none
	look func()
}

func (l *looks) Err() error {
	if l.n.Add(1) == l.at {
		l.look()
	}
	return l.Context.Err()
}

// TestRadiusIsBounded has locations take in every road of the county: no more than the
// nearest count, each call says so, and none goes on for long.
func TestRadiusIsBounded(t *testing.T) {
	const each, together = 256, 2048
	e, draw := county(t)
	wide := func(n int) []engine.Location {
		list := draw(n)
		for i := range list {
			list[i].Radius = 10_000
		}
		return list
	}
	warned := func(call string, warnings []engine.Warning) {
		t.Helper()
		if !slices.ContainsFunc(warnings, func(w engine.Warning) bool { return w.Code == engine.WarnRoads }) {
			t.Errorf("%s does not say that only the nearest roads count: %v", call, warnings)
		}
	}
	ctx := &looks{Context: t.Context()}
	for _, n := range []int{1, 100} {
		a, err := e.Locate(ctx, &engine.LocateRequest{Locations: wide(n), Costing: costing.Auto, Verbose: true})
		if err != nil {
			t.Fatal(err)
		}
		warned("locate", a.Warnings)
		edges := 0
		for _, p := range a.Places {
			edges += len(p.Edges)
			if len(p.Edges) > 2*each {
				t.Errorf("%d edges of a location, of at most %d roads", len(p.Edges), each)
			}
		}
		if edges < n*10 || edges > 2*together {
			t.Errorf("%d edges of %d locations", edges, n)
		}
	}
	route, err := e.Route(ctx, &engine.RouteRequest{Locations: wide(2), Costing: costing.Auto})
	if err != nil {
		t.Fatal(err)
	}
	warned("route", route.Warnings)
	matrix, err := e.Matrix(ctx, &engine.MatrixRequest{Sources: wide(100), Targets: wide(100), Costing: costing.Auto})
	if err != nil {
		t.Fatal(err)
	}
	warned("matrix", matrix.Warnings)
	outline, err := e.Isochrone(ctx, &engine.IsochroneRequest{Location: wide(1)[0], Contours: []engine.Contour{{Minutes: 10}}, Costing: costing.Auto})
	if err != nil {
		t.Fatal(err)
	}
	warned("isochrone", outline.Warnings)
	centroid, err := e.Centroid(ctx, &engine.RouteRequest{Locations: wide(10), Costing: costing.Auto})
	if err != nil {
		t.Fatal(err)
	}
	warned("centroid", centroid.Warnings)
	if n := ctx.n.Load(); n > 50_000 {
		t.Errorf("the calls looked at their context %d times", n)
	}

	narrow := draw(2)
	narrow[0].Radius, narrow[1].Radius = 20, 20
	plain, err := e.Route(t.Context(), &engine.RouteRequest{Locations: narrow, Costing: costing.Auto})
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(plain.Warnings, func(w engine.Warning) bool { return w.Code == engine.WarnRoads }) {
		t.Errorf("a radius of 20 m: %v", plain.Warnings)
	}
}

// TestRadiusAgrees compares matrices of locations on many roads with the routes between
// them, by the hierarchy and by searches of the roads.
func TestRadiusAgrees(t *testing.T) {
	e, draw := county(t)
	for name, e := range map[string]interface {
		Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error)
		Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error)
	}{"hierarchy": e, "roads": e.WithoutHierarchy()} {
		list := draw(8)
		for i := range list {
			list[i].Radius = float64(30 + 20*i) // so few roads that all count in both
		}
		m, err := e.Matrix(t.Context(), &engine.MatrixRequest{Sources: list, Targets: list, Costing: costing.Auto})
		if err != nil {
			t.Fatal(err)
		}
		compared, apart := 0, 0
		for i := range list {
			for j := range list {
				if i == j {
					if c := m.Cells[i][j]; !c.Reached || c.Seconds != 0 {
						t.Errorf("%s: from a location to itself: %+v", name, c)
					}
					continue
				}
				a, err := e.Route(t.Context(), &engine.RouteRequest{Locations: []engine.Location{list[i], list[j]}, Costing: costing.Auto})
				if c := m.Cells[i][j]; c.Reached != (err == nil) {
					t.Fatalf("%s: %d to %d is reached: %v, and the route: %v", name, i, j, c.Reached, err)
				}
				if err != nil {
					continue
				}
				compared++
				if math.Abs(a.Routes[0].Seconds-m.Cells[i][j].Seconds) > 1 {
					apart++ // another of two that cost the same, perhaps
				}
			}
		}
		if compared < 30 || apart > compared/20 {
			t.Errorf("%s: %d of %d cells take another time than their route", name, apart, compared)
		}
	}
}
