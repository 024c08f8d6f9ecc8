package embedded_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/sample"
)

// countyData is the sample county, drawn once.
var countyData = sync.OnceValue(sample.County)

// county opens the kernel on the sample county, and gives places in it.
func county(t testing.TB) (*embedded.Engine, func(n int) []engine.Location) {
	t.Helper()
	data := countyData()
	r := rand.New(rand.NewPCG(4, 2))
	return opened(t, importertest.County(t)), func(n int) []engine.Location {
		list := make([]engine.Location, n)
		for i := range list {
			// Near a node of the county, which most often has a road.
			p := data.Nodes[r.IntN(len(data.Nodes))]
			list[i].Point = geo.Destination(geo.Fixed{Lon: p.Lon, Lat: p.Lat}.Point(), 360*r.Float64(), 300*r.Float64())
		}
		return list
	}
}

// TestMany asks for many ways at once in the county.
func TestMany(t *testing.T) {
	for name, test := range map[string]func(*testing.T, *embedded.Engine, func(n int) []engine.Location){
		"matrix is routes": matrixIsRoutes, "matrix without a hierarchy": matrixWithoutHierarchy, "the caller goes": manyStop, "callers go": callersGo, "isochrone contains": isochroneContains,
	} {
		t.Run(name, func(t *testing.T) {
			e, places := county(t) // the same ones whatever goes before
			test(t, e, places)
		})
	}
}

func chosen(t testing.TB, c costing.Costing, options string) costing.Settings {
	t.Helper()
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte("{"+options+"}"), &raw); err != nil {
		t.Fatal(err)
	}
	s, unknown, bad := costing.Parse(c, raw, "")
	if len(unknown)+len(bad) > 0 {
		t.Fatal(unknown, bad)
	}
	return s
}

// matrixIsRoutes compares every cell with the route between its places.
func matrixIsRoutes(t *testing.T, e *embedded.Engine, places func(n int) []engine.Location) {
	for _, c := range []struct {
		costing costing.Costing
		options string
	}{
		{costing.Auto, ""},
		{costing.Truck, ""},
		{costing.Bicycle, ""},
		{costing.Pedestrian, ""},
		{costing.Auto, `"use_highways": 0.1, "top_speed": 90`}, // without a hierarchy at first
		{costing.Truck, `"height": 4.5, "hazmat": true`},
	} {
		sources, targets := places(11), places(9)
		sources[3].Point = geo.Point{Lon: 40, Lat: 10} // far from all roads
		s := chosen(t, c.costing, c.options)
		a, err := e.Matrix(t.Context(), &engine.MatrixRequest{Sources: sources, Targets: targets, Costing: c.costing, Options: s})
		if err != nil {
			t.Fatal(err)
		}
		reached, differ := 0, 0
		for i, from := range sources {
			for j, to := range targets {
				got := a.Cells[i][j]
				route, err := engine.Best(t.Context(), e, &engine.RouteRequest{Costing: c.costing, Options: s, Locations: []engine.Location{from, to}})
				if (err == nil) != got.Reached {
					t.Errorf("%s %s: from %v to %v: %+v, and the route %v", c.costing, c.options, from.Point, to.Point, got, err)
					continue
				}
				if err != nil {
					continue
				}
				reached++
				// Ways of one cost may differ in time and length.
				if math.Abs(got.Seconds-route.Seconds) > 0.5 || math.Abs(got.Metres-route.Metres) > 5 {
					differ++
				}
			}
		}
		if reached < 60 || differ > reached/50 {
			t.Errorf("%s %s: %d cells, %d of them other than their routes", c.costing, c.options, reached, differ)
		}
		if a.Sources[3].Miss == "" || a.Sources[3].Point != (geo.Point{}) {
			t.Errorf("%s: a place without a road is %+v", c.costing, a.Sources[3])
		}
	}
}

// matrixWithoutHierarchy compares what is answered before the hierarchy of
// some options is there with what is answered after.
func matrixWithoutHierarchy(t *testing.T, e *embedded.Engine, places func(n int) []engine.Location) {
	r := &engine.MatrixRequest{Sources: places(3), Targets: places(20), Costing: costing.Auto, Options: chosen(t, costing.Auto, `"use_highways": 0.3`)}
	first, err := e.Matrix(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		time.Sleep(20 * time.Millisecond)
		again, err := e.Matrix(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		differ := 0
		for i := range first.Cells {
			for j, c := range first.Cells[i] {
				d := again.Cells[i][j]
				if c.Reached != d.Reached || math.Abs(c.Seconds-d.Seconds) > 0.5 {
					differ++
				}
			}
		}
		if differ > 1 {
			t.Fatalf("%d cells differ from one request to the next", differ)
		}
	}
}

// manyStop checks that no work is done for a caller who has gone.
func manyStop(t *testing.T, e *embedded.Engine, places func(n int) []engine.Location) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := e.Matrix(ctx, &engine.MatrixRequest{Sources: places(2), Targets: places(2), Costing: costing.Auto, Options: chosen(t, costing.Auto, "")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the matrix ended with %v", err)
	}
	_, err = e.Isochrone(ctx, &engine.IsochroneRequest{Location: places(1)[0], Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Contours: []engine.Contour{{Minutes: 5}}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the isochrone ended with %v", err)
	}
	if testing.Short() {
		return
	}
	goneHalfWay(t, "in the middle", func(ctx context.Context) error {
		_, err := e.Matrix(ctx, &engine.MatrixRequest{Sources: places(500), Targets: places(500), Costing: costing.Auto, Options: chosen(t, costing.Auto, `"top_speed": 77`)})
		return err
	})
}

// goneHalfWay checks that work for a caller who goes in the middle of it ends within few
// looks at its context, at whichever of them the caller goes.
func goneHalfWay(t *testing.T, what string, ask func(ctx context.Context) error) {
	t.Helper()
	stopped := 0
	for _, at := range []int64{1, 3, 10, 30, 100, 300} {
		ctx, cancel := context.WithCancel(t.Context())
		gone := &looks{Context: ctx, at: at, look: cancel}
		err := ask(gone)
		cancel()
		switch after := gone.n.Load() - at; {
		case err == nil && after < 0:
			continue // there was less to do than that
		case !errors.Is(err, context.Canceled):
			t.Errorf("%s: it ended with %v", what, err)
		case after > 50:
			t.Errorf("%s: %d looks came after look %d, when the caller had gone", what, after, at)
		}
		stopped++
	}
	if stopped < 3 {
		t.Errorf("%s: it was done %d times of 6 before the caller went", what, 6-stopped)
	}
}

// passage has the time to a place, or from there, and where it lies on the
// road.
type passage struct {
	cell engine.MatrixCell
	at   engine.Snapped
}

// passages works out the passages from a place to others, or in reverse from
// them to it; not ok where one of the places is in the wilds.
func passages(t *testing.T, e *embedded.Engine, m engine.MatrixRequest, place, others []engine.Location, reverse bool) (list []passage, ok bool) {
	t.Helper()
	m.Sources, m.Targets = place, others
	if reverse {
		m.Sources, m.Targets = others, place
	}
	times, err := e.Matrix(t.Context(), &m)
	if engine.Code(err) == engine.CodeNoSegment {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range others {
		if reverse {
			list = append(list, passage{times.Cells[i][0], times.Sources[i]})
		} else {
			list = append(list, passage{times.Cells[0][i], times.Targets[i]})
		}
	}
	return list, true
}

// isochroneContains checks outlines against the times of a matrix: places
// well within the limit are inside, and of those well beyond it only such as
// lie beside a road that is within.
func isochroneContains(t *testing.T, e *embedded.Engine, places func(n int) []engine.Location) {
	inside, outside, beside := 0, 0, 0
	for round, c := range []struct {
		costing costing.Costing
		minutes float64
		options string
	}{
		{costing.Auto, 5, ""},
		{costing.Auto, 10, ""},
		{costing.Truck, 8, ""},
		{costing.Bicycle, 25, ""},
		{costing.Pedestrian, 60, ""},
		{costing.Auto, 6, `"top_speed": 60`}, // without a hierarchy
	} {
		s := chosen(t, c.costing, c.options)
		for _, reverse := range []bool{false, true} {
			place, others := places(1), places(400)
			list, ok := passages(t, e, engine.MatrixRequest{Costing: c.costing, Options: s}, place, others, reverse)
			if !ok {
				continue
			}
			none := 0.0
			asked := &engine.IsochroneRequest{
				Location: place[0], Costing: c.costing, Options: s, Contours: []engine.Contour{{Minutes: c.minutes}}, Polygons: true, Reverse: reverse, Denoise: &none,
			}
			a, err := e.Isochrone(t.Context(), asked)
			if err != nil {
				t.Fatal(err)
			}
			area := enginetest.ReadArea(t, asked, a)[0]
			for _, j := range list {
				cell, at := j.cell, j.at
				switch in := area.Contains(at.Point); {
				case !cell.Reached:
				case cell.Seconds < c.minutes*60-30:
					inside++
					if !in {
						t.Errorf("round %d, reverse %v: %v takes %.0f s of %g min and is outside", round, reverse, at.Point, cell.Seconds, c.minutes)
					}
				case cell.Seconds > c.minutes*60+30:
					outside++
					if in {
						beside++
					}
				}
			}
		}
	}
	t.Logf("%d places inside, %d outside, %d of them beside a road within reach", inside, outside, beside)
	if inside < 300 || outside < 1000 || beside > outside/20 {
		t.Errorf("%d places inside, %d outside, %d of them beside a road within reach", inside, outside, beside)
	}
}
