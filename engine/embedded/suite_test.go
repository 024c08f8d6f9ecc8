package embedded_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
)

// open imports an extract without its map and opens the kernel on it.
func open(t testing.TB, extract string) *embedded.Engine {
	t.Helper()
	dir := t.TempDir()
	if _, err := importer.Run(context.Background(), importer.Options{Dir: dir, Sources: []string{extract}, ID: "test", NoMap: true}); err != nil {
		t.Fatal(err)
	}
	r, err := region.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	e, err := embedded.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSuite(t *testing.T) {
	enginetest.Run(t, open(t, enginetest.Extract(t)))
}

// pair is a journey in Liechtenstein with Valhalla's length and time.
type pair struct {
	from, to        geo.Point
	metres, seconds float64
}

func pairs(t testing.TB) []pair {
	t.Helper()
	f, err := os.Open(realdata.Beside(t, "peers/pairs_reference.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(f).ReadAll()
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	var list []pair
	for _, row := range rows[1:] {
		var n [8]float64
		for i, field := range row {
			if n[i], err = strconv.ParseFloat(field, 64); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, pair{geo.Point{Lon: n[0], Lat: n[1]}, geo.Point{Lon: n[2], Lat: n[3]}, n[4], n[6]})
	}
	return list
}

func (p pair) request(t testing.TB, costing engine.Costing) *engine.RouteRequest {
	t.Helper()
	s, unknown, bad := engine.ParseSettings(costing, nil, "")
	if len(unknown)+len(bad) > 0 {
		t.Fatal(unknown, bad)
	}
	return &engine.RouteRequest{Costing: costing, Options: s, Locations: []engine.Location{{Point: p.from}, {Point: p.to}}}
}

// TestAgreesWithValhalla routes the thousand pairs that the figures of a real
// Valhalla exist for: each must have a route, four in five lengths agree
// within 5 %, and times not drift apart.
func TestAgreesWithValhalla(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	list := pairs(t)
	agree, ratio := 0, 0.0
	for i, p := range list {
		a, err := e.Route(context.Background(), p.request(t, engine.Auto))
		if err != nil {
			t.Errorf("pair %d: %v", i, err)
			continue
		}
		var got struct {
			Trip struct {
				Summary struct{ Length, Time float64 }
			}
		}
		if err := json.Unmarshal(a.Body, &got); err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Trip.Summary.Length*1000-p.metres) <= 0.05*p.metres {
			agree++
		}
		ratio += got.Trip.Summary.Time / p.seconds / float64(len(list))
	}
	t.Logf("%d of %d lengths agree within 5 %%; times are %.3f of Valhalla's on average", agree, len(list), ratio)
	if agree < len(list)*8/10 {
		t.Errorf("only %d of %d lengths agree within 5 %%", agree, len(list))
	}
	if ratio < 0.9 || ratio > 1.1 {
		t.Errorf("times are %.3f of Valhalla's on average", ratio)
	}
}
