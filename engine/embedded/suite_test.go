package embedded_test

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
)

// shelf keeps what several tests read, made once: an import under the race
// detector takes as long as all that is asked of it.
var shelf struct {
	sync.Mutex
	dir  string
	made map[string]string // folders of regions by extract
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "embedded")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shelf.dir, shelf.made = dir, map[string]string{}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// imported gives the folder of an extract's region without its map.
func imported(t testing.TB, extract string) string {
	t.Helper()
	shelf.Lock()
	defer shelf.Unlock()
	if dir, ok := shelf.made[extract]; ok {
		return dir
	}
	dir := filepath.Join(shelf.dir, strconv.Itoa(len(shelf.made)))
	if _, err := importer.Run(context.Background(), importer.Options{Dir: dir, Sources: []string{extract}, ID: "test", NoMap: true}); err != nil {
		t.Fatal(err)
	}
	shelf.made[extract] = dir
	return dir
}

// countyExtract gives the file of the sample county.
func countyExtract(t testing.TB, data *osm.Data) string {
	t.Helper()
	shelf.Lock()
	defer shelf.Unlock()
	path := filepath.Join(shelf.dir, "county.osm.pbf")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(osm.WritePBF(f, data), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens the kernel on an extract's region.
func open(t testing.TB, extract string) *embedded.Engine {
	t.Helper()
	r := regiontest.Open(t, imported(t, extract))
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

func (p pair) request(t testing.TB, by costing.Costing) *engine.RouteRequest {
	t.Helper()
	s, unknown, bad := costing.Parse(by, nil, "")
	if len(unknown)+len(bad) > 0 {
		t.Fatal(unknown, bad)
	}
	return &engine.RouteRequest{Costing: by, Options: s, Locations: []engine.Location{{Point: p.from}, {Point: p.to}}}
}
