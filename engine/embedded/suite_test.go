package embedded_test

import (
	"encoding/csv"
	"errors"
	"os"
	"strconv"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
)

// open opens the kernel on an extract's region.
func open(t testing.TB, extract string) *embedded.Engine {
	t.Helper()
	return opened(t, importertest.Region(t, extract))
}

// opened opens the kernel on the region in a folder.
func opened(t testing.TB, dir string) *embedded.Engine {
	t.Helper()
	e, err := embedded.New(regiontest.Open(t, dir))
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

func (p pair) request(t testing.TB, by costing.Costing) *engine.RouteRequest {
	t.Helper()
	s, unknown, bad := costing.Parse(by, nil, "")
	if len(unknown)+len(bad) > 0 {
		t.Fatal(unknown, bad)
	}
	return &engine.RouteRequest{Costing: by, Options: s, Locations: []engine.Location{{Point: p.from}, {Point: p.to}}, Output: engine.Output{Format: engine.Native}}
}
