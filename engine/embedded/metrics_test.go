package embedded_test

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
)

// journey is a request with the cost that a kernel without any hierarchy finds.
type journey struct {
	request engine.RouteRequest
	cost    float64 // -1 where there is no route
}

func costOf(t testing.TB, e *embedded.Engine, r engine.RouteRequest) float64 {
	t.Helper()
	a, err := e.Route(t.Context(), &r)
	if engine.Code(err) == engine.CodeNoRoute || engine.Code(err) == engine.CodeNoSegment {
		return -1
	}
	if err != nil {
		t.Error(err)
		return math.NaN()
	}
	return a.Routes[0].Cost
}

func (j *journey) check(t testing.TB, e *embedded.Engine) {
	t.Helper()
	if got := costOf(t, e, j.request); !(math.Abs(got-j.cost) <= 0.01) {
		t.Errorf("%v to %v costs %g, want %g", j.request.Locations[0].Point, j.request.Locations[1].Point, got, j.cost)
	}
}

// journeys returns some of each of a number of options.
func journeys(t testing.TB, e *embedded.Engine, places func(n int) []engine.Location, options, each int) [][]journey {
	t.Helper()
	plain := e.WithoutHierarchy()
	all := make([][]journey, options)
	for i := range all {
		s := chosen(t, costing.Auto, fmt.Sprintf(`"use_highways": 0.%d, "top_speed": %d`, i+1, 80+i))
		for range each {
			j := journey{request: engine.RouteRequest{Costing: costing.Auto, Options: s, Locations: places(2)}}
			j.cost = costOf(t, plain, j.request)
			all[i] = append(all[i], j)
		}
	}
	return all
}

func settled(t testing.TB, e *embedded.Engine) (bytes int64, own int) {
	t.Helper()
	waittest.Until(t, "no metric is in the making", func() bool {
		var busy int
		bytes, own, busy = e.Audit()
		return busy == 0
	})
	if bytes != e.Memory() {
		t.Errorf("%d bytes are counted, %d are taken", e.Memory(), bytes)
	}
	return bytes, own
}

// TestMetricMemory asks with many options under several bounds of memory.
// TestSearchesEnd asks for a way by options that nobody had before, where searches end
// at once: the hierarchy's metric is made for it, if there is memory, and past a closure of
// the request's own there is none but the search.
func TestSearchesEnd(t *testing.T) {
	town := towntest.Draw(t, `
		a----b----c----d
		|              |
		e--------------f`,
		towntest.Ways{{"ab", "primary"}, {"bc", "primary"}, {"cd", "primary"}, {"ae", "residential"}, {"ef", "residential"}, {"fd", "residential"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	e.SetSearches(0, 0)
	way := func(options string, b engine.Conditions) (string, error) {
		_, a, err := ask(t, e, &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, "a", "d"), Conditions: b}, options)
		if err != nil {
			return "", err
		}
		return a.Trip.passes(t, town), nil
	}
	closed := engine.Conditions{ExcludeLocations: []engine.Location{{Point: town.Between("b", "c", 0.5)}}}
	if path, err := way(`"use_tolls": 0.9, "maneuver_penalty": 1`, engine.Conditions{}); err != nil || path != "abcd" {
		t.Errorf("new options: it passes %s, %v", path, err)
	}
	if _, err := way("", closed); engine.Code(err) != engine.CodeTooFar {
		t.Errorf("past a closure: %v", err)
	}
	e.SetMetricMemory(1)
	if _, err := way(`"use_tolls": 0.8, "maneuver_penalty": 1`, engine.Conditions{}); engine.Code(err) != engine.CodeTooFar {
		t.Errorf("new options without memory: %v", err)
	}
	e.SetSearches(512, 32)
	if path, err := way("", closed); err != nil || path != "aefd" {
		t.Errorf("past a closure, with room to search: it passes %s, %v", path, err)
	}
}

func TestMetricMemory(t *testing.T) {
	e, places := county(t)
	all := journeys(t, e, places, 6, 4)
	one := int64(0)
	t.Run("usual bound", func(t *testing.T) {
		bytes, own := int64(0), 0
		for n := 0; own == 0; n++ {
			if n == 10_000 {
				t.Fatal("no metric after options came often")
			}
			all[0][n%len(all[0])].check(t, e)
			bytes, own = settled(t, e)
			if n < 2 && own > 0 {
				t.Fatalf("%d metrics of %d bytes after options came twice", own, bytes)
			}
		}
		if own != 1 || bytes == 0 {
			t.Fatalf("%d metrics of %d bytes", own, bytes)
		}
		one = bytes
		for i := range all[0] {
			all[0][i].check(t, e)
		}
	})
	t.Run("lowered", func(t *testing.T) {
		e.SetMetricMemory(one - 1)
		if bytes, own := settled(t, e); bytes != 0 || own != 0 {
			t.Errorf("%d bytes are kept", bytes)
		}
	})
	for name, bound := range map[string]int64{"none": 0, "less than one": one - 1} {
		t.Run(name, func(t *testing.T) {
			e.SetMetricMemory(bound)
			for round := range 4 {
				for i := range all {
					all[i][round].check(t, e)
					if e.Memory() != 0 {
						t.Fatalf("%d bytes are kept", e.Memory())
					}
				}
			}
			if bytes, own := settled(t, e); bytes != 0 || own != 0 {
				t.Errorf("%d bytes are kept", bytes)
			}
		})
	}
	t.Run("mixed", func(t *testing.T) { mixedTravellers(t, e, places, all, 4*one) })
}

// mixedTravellers has several ask at once, for more options than the bound has
// room for, and lets nothing go beyond it at any time.
func mixedTravellers(t *testing.T, e *embedded.Engine, places func(n int) []engine.Location, all [][]journey, bound int64) {
	e.SetMetricMemory(bound)
	var most atomic.Int64
	look := func() {
		if b := e.Memory(); b > most.Load() {
			most.Store(b)
		}
	}
	here := places(3)
	var everyone sync.WaitGroup
	for who := range 3 {
		everyone.Go(func() {
			for i := range 60 {
				// Some come more often than others.
				mine := all[min(i%(len(all)+3), len(all)-1)*(who+1)%len(all)]
				j := mine[i%len(mine)]
				switch i % 10 {
				case 3:
					if _, err := e.Matrix(t.Context(), &engine.MatrixRequest{Sources: here, Targets: here, Costing: costing.Auto, Options: j.request.Options}); err != nil {
						t.Error(err)
					}
				case 5:
					if _, err := e.Isochrone(t.Context(), &engine.IsochroneRequest{Location: here[0], Contours: []engine.Contour{{Minutes: 3}}, Costing: costing.Auto, Options: j.request.Options}); err != nil {
						t.Error(err)
					}
				case 7:
					j.request.Alternates = 1
					fallthrough
				default:
					j.check(t, e)
				}
				look()
			}
		})
	}
	var over atomic.Bool
	var looking sync.WaitGroup
	looking.Go(func() {
		for !over.Load() {
			look()
			time.Sleep(100 * time.Microsecond)
		}
	})
	everyone.Wait()
	over.Store(true)
	looking.Wait()
	bytes, own := settled(t, e)
	if most.Load() > bound || bytes > bound {
		t.Errorf("%d bytes were kept under a bound of %d", max(bytes, most.Load()), bound)
	}
	if own == 0 || own == len(all) {
		t.Errorf("%d of %d options have their metric: the bound proves nothing", own, len(all))
	}
}
