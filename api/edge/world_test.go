package edge

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/world"
)

// spot is an input about one place.
type spot struct {
	Regional
	Lon float64 `query:"lon" minimum:"-180" maximum:"180"`
}

// Points returns the place.
func (s *spot) Points() []geo.Point { return []geo.Point{{Lon: s.Lon, Lat: 0.5}} }

// TestRegions checks that a request is answered from the region that its places
// lie in, and refused where they lie in none.
func TestRegions(t *testing.T) {
	region := func(id string, west float64) *world.Region {
		return &world.Region{ID: id, Engine: engine.Unimplemented{}, Bounds: geo.Bounds{Min: geo.Point{Lon: west}, Max: geo.Point{Lon: west + 1, Lat: 1}}}
	}
	current, err := world.New(nil, region("west", 0), region("east", 10))
	if err != nil {
		t.Fatal(err)
	}
	row := On(Row{Method: http.MethodGet, Path: "/spot", Auth: Public, Class: Free}, func(_ context.Context, in *spot) (*string, error) { return &in.Region.ID, nil })
	e := testEdge(t, row)
	e.options.Acquire = func() (*world.World, func()) { return current, func() {} }
	for query, want := range map[string]string{"lon=0.5": `"west"`, "lon=10.5": `"east"`, "lon=5": "lies in none of the regions", "lon=500": "must be between -180 and 180"} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/spot?"+query, nil))
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %s", query, w.Code, w.Body, want)
		}
	}
	e.options.Acquire = func() (*world.World, func()) { return nil, func() {} }
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/spot?lon=x", nil))
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("without a region: %d %s", w.Code, w.Body)
	}
	defer func() {
		if recover() == nil {
			t.Error("an input that is about no place is given a region")
		}
	}()
	On(row, func(context.Context, *Regional) (*struct{}, error) { return nil, nil })
}

// TestNeeds checks that a row whose deployment lacks what it needs says so before
// the request is read.
func TestNeeds(t *testing.T) {
	alone, err := world.New(nil, &world.Region{Engine: engine.Unimplemented{}})
	if err != nil {
		t.Fatal(err)
	}
	row := Row{Method: http.MethodGet, Path: "/spot", Auth: Public, Class: Free, Needs: Need{engine.CallMatrix, "spots"}}
	e := testEdge(t, On(row, func(context.Context, *spot) (*struct{}, error) { return new(struct{}), nil }))
	e.options.Acquire = func() (*world.World, func()) { return alone, func() {} }
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/spot?lon=x", nil))
	if w.Code != http.StatusNotImplemented || !strings.Contains(w.Body.String(), `"capability":"spots"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
