package embedded_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/search/searchtest"
)

// agreement counts how many routes are as long and take as long as Valhalla's:
// lengths within 2 per cent or 50 m, times within 10 per cent.
type agreement struct{ routes, lengths, times int }

func (a *agreement) add(metres, seconds, theirMetres, theirSeconds float64) {
	a.routes++
	if math.Abs(metres-theirMetres) <= max(50, 0.02*theirMetres) {
		a.lengths++
	}
	if math.Abs(seconds-theirSeconds) <= 0.1*theirSeconds {
		a.times++
	}
}

// ask has both engines answer a request, and adds what they say.
func (a *agreement) ask(t *testing.T, what string, ours, theirs engine.Engine, r *engine.RouteRequest) {
	t.Helper()
	one, err := ours.Route(t.Context(), r)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	other, err := theirs.Route(t.Context(), r)
	if err != nil {
		t.Errorf("%s: Valhalla: %v", what, err)
		return
	}
	metres, seconds := summary(t, enginetest.Text(t, r, one))
	theirMetres, theirSeconds := summary(t, enginetest.Text(t, r, other))
	a.add(metres, seconds, theirMetres, theirSeconds)
}

// want fails where fewer agree than some parts in a hundred.
func (a *agreement) want(t *testing.T, lengths, times float64) {
	t.Helper()
	part := func(n int) float64 { return 100 * float64(n) / float64(max(1, a.routes)) }
	t.Logf("%d routes: %.1f %% of lengths and %.1f %% of times agree", a.routes, part(a.lengths), part(a.times))
	if part(a.lengths) < lengths || part(a.times) < times {
		t.Errorf("%.1f %% of lengths and %.1f %% of times agree, want %v and %v", part(a.lengths), part(a.times), lengths, times)
	}
}

// summary returns the metres and seconds of an answer.
func summary(t *testing.T, body []byte) (metres, seconds float64) {
	t.Helper()
	var got struct {
		Trip struct {
			Summary struct{ Length, Time float64 }
		}
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	return got.Trip.Summary.Length * 1000, got.Trip.Summary.Time
}

// TestAgreesWithFigures drives the thousand pairs for which there are figures of a real
// Valhalla: each must have a route. docs/fidelity.md describes those that differ.
func TestAgreesWithFigures(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	var cars agreement
	list := pairs(t)
	asked := searchtest.Cases(len(list))
	for k := range asked {
		i := k * len(list) / asked
		p := list[i]
		r := p.request(t, costing.Auto)
		a, err := e.Route(context.Background(), r)
		if err != nil {
			t.Errorf("pair %d: %v", i, err)
			continue
		}
		metres, seconds := summary(t, enginetest.Text(t, r, a))
		cars.add(metres, seconds, p.metres, p.seconds)
	}
	cars.want(t, 94, 98) // 96.6 % of all lengths, less of the fourth part that short tests take
}

// alikeFor are options without which costs differ from those of the Valhalla beside us on
// purpose: it is older than what ours follow. It charges a lorry on every turn into a small
// road, whatever it comes from, and weighs these roads like others.
var alikeFor = map[costing.Costing]string{costing.Truck: `"low_class_penalty": 0, "low_class_factor": 1`}

// TestAgreesWithValhalla asks a real Valhalla beside us for the other ways of
// travel, on every fifth pair. Both must find a route. Fewer lengths of bicycles agree
// because that Valhalla has them stop where a road only goes on as another way.
func TestAgreesWithValhalla(t *testing.T) {
	t.Parallel()
	extract := realdata.File(t, "osm/liechtenstein-bench.osm.pbf")
	peer := valhalla.New(enginetest.StartValhalla(t, extract).URL, &http.Client{})
	e, list := open(t, extract), pairs(t)
	for _, c := range []struct {
		costing        costing.Costing
		lengths, times float64
	}{{costing.Truck, 95, 98}, {costing.Bicycle, 80, 97}, {costing.Pedestrian, 94, 98}} {
		t.Run(c.costing.String(), func(t *testing.T) {
			var all agreement
			for i := 0; i < len(list); i += 5 {
				r := list[i].request(t, c.costing)
				r.Options = chosen(t, c.costing, alikeFor[c.costing])
				all.ask(t, fmt.Sprintf("pair %d", i), e, peer, r)
			}
			all.want(t, c.lengths, c.times)
		})
	}
}
