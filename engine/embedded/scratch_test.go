package embedded_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/towntest"
)

// towns draws so many towns each way, of twelve streets each way about a hundred
// metres apart. A road leads from each to the next ones.
func towns(n int) *towntest.Town {
	const streets = 12
	data := &osm.Data{}
	residential, secondary := osm.Tags{{Key: "highway", Value: "residential"}}, osm.Tags{{Key: "highway", Value: "secondary"}}
	id := func(town, x, y int) int64 { return int64(1 + (town*streets+y)*streets + x) }
	way := func(tags osm.Tags, nodes ...int64) {
		data.Ways = append(data.Ways, osm.Way{ID: int64(1 + len(data.Ways)), Tags: tags, Nodes: nodes})
	}
	for town := range n * n {
		for y := range streets {
			var row, column []int64
			for x := range streets {
				data.Nodes = append(data.Nodes, osm.Node{ID: id(town, x, y), Lon: 90_000_000 + int32(town%n*40+x)*13_000, Lat: 470_000_000 + int32(town/n*40+y)*9000})
				row, column = append(row, id(town, x, y)), append(column, id(town, y, x))
			}
			way(residential, row...)
			way(residential, column...)
		}
		if (town+1)%n != 0 {
			way(secondary, id(town, streets-1, 6), id(town+1, 0, 6))
		}
		if town+n < n*n {
			way(secondary, id(town, 6, streets-1), id(town+n, 6, 0))
		}
	}
	return towntest.Of(data)
}

// corner returns a place in the first of the towns.
func corner(x, y float64) engine.Location {
	return engine.Location{Point: geo.Point{Lon: 9 + x*0.0013, Lat: 47 + y*0.0009}}
}

// TestScratchDoesNotGrow asks the same of a town alone and of that town among
// sixty-four: what a request allocates, all that it works with included, is
// about the same.
func TestScratchDoesNotGrow(t *testing.T) {
	from, to := corner(2.4, 2), corner(9, 8.3)
	square := geo.Ring{corner(5.2, 5.2).Point, corner(6.3, 5.2).Point, corner(6.3, 6.3).Point, corner(5.2, 6.3).Point, corner(5.2, 5.2).Point}
	morning := &engine.When{Type: engine.Depart, Local: time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)}
	fresh := 0
	// once gives options that nobody has asked for, which have no metric.
	once := func() costing.Settings {
		fresh++
		return chosen(t, costing.Auto, fmt.Sprintf(`"maneuver_penalty": %d`, 10+fresh))
	}
	usual := func() costing.Settings { return chosen(t, costing.Auto, "") }
	places := []engine.Location{from, to, corner(4, 4.5), corner(7.5, 3)}
	route := func(r engine.RouteRequest) func(e *embedded.Engine) error {
		return func(e *embedded.Engine) error {
			r.Costing, r.Locations = costing.Auto, []engine.Location{from, to}
			_, err := e.Route(t.Context(), &r)
			return err
		}
	}
	range_ := func(options func() costing.Settings, c engine.Conditions, reverse bool) func(e *embedded.Engine) error {
		return func(e *embedded.Engine) error {
			_, err := e.Isochrone(t.Context(), &engine.IsochroneRequest{Location: from, Costing: costing.Auto, Options: options(), Conditions: c, Contours: []engine.Contour{{Minutes: 1}}, Reverse: reverse})
			return err
		}
	}
	table := func(options func() costing.Settings, c engine.Conditions) func(e *embedded.Engine) error {
		return func(e *embedded.Engine) error {
			_, err := e.Matrix(t.Context(), &engine.MatrixRequest{Sources: places, Targets: places, Costing: costing.Auto, Options: options(), Conditions: c})
			return err
		}
	}
	asked := map[string]func(e *embedded.Engine) error{
		"route":                     route(engine.RouteRequest{}),
		"route with alternates":     route(engine.RouteRequest{Alternates: 2}),
		"route past a square":       route(engine.RouteRequest{Conditions: engine.Conditions{ExcludePolygons: []geo.Ring{square}}}),
		"route in the morning":      route(engine.RouteRequest{Conditions: engine.Conditions{When: morning}}),
		"route by other options":    func(e *embedded.Engine) error { return route(engine.RouteRequest{Options: once()})(e) },
		"isochrone":                 range_(usual, engine.Conditions{}, false),
		"isochrone towards":         range_(usual, engine.Conditions{}, true),
		"isochrone past a square":   range_(usual, engine.Conditions{ExcludePolygons: []geo.Ring{square}}, false),
		"isochrone in the morning":  range_(usual, engine.Conditions{When: morning}, false),
		"isochrone by other option": range_(once, engine.Conditions{}, false),
		"matrix":                    table(usual, engine.Conditions{}),
		"matrix in the morning":     table(usual, engine.Conditions{When: morning}),
	}
	few, many := kernel(t, towns(1)), kernel(t, towns(8))
	for name, ask := range asked {
		t.Run(name, func(t *testing.T) {
			a, b := takes(t, few, ask), takes(t, many, ask)
			t.Logf("%d and %d bytes", a, b)
			// An array with a word for each edge has 138 kB.
			if b > a+a/4+40_000 {
				t.Errorf("%d bytes in the town alone, %d among others", a, b)
			}
		})
	}
}

// kernel opens the kernel on a drawn town.
func kernel(t *testing.T, town *towntest.Town) *embedded.Engine {
	t.Helper()
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// takes returns the bytes that a request allocates that finds no scratch of earlier ones: the least
// of several, as the engine works in the background for those to come.
func takes(t *testing.T, e *embedded.Engine, ask func(e *embedded.Engine) error) uint64 {
	t.Helper()
	if err := ask(e); err != nil { // what the engine keeps for all is there afterwards
		t.Fatal(err)
	}
	least := uint64(math.MaxUint64)
	for range 4 {
		runtime.GC()
		runtime.GC() // the second one empties pools
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := ask(e); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
