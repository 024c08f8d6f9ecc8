package along_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/surroundings"
	"github.com/waygate/waygate/world"
)

// unmapped is an archive without tiles.
type unmapped struct{}

func (unmapped) TileIn(context.Context, int, int, int) ([]byte, bool, error) { return nil, false, nil }

func TestObservations(t *testing.T) {
	line := geo.EncodePolyline([]geo.Point{{Lon: 9.4, Lat: 47.4}, {Lon: 9.5, Lat: 47.4}}, 6)
	body := func(more string) string {
		text, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		return `{"geometry_polyline6":` + string(text) + more + `}`
	}
	const path = "/v1/route/observations"
	apitest.Start(t).Send("POST", path, body("")).Problem(t, 501, "observations-not-enabled")

	g := apitest.Start(t, func(o *api.Options) {
		o.Acquire = apitest.Changed(t, o.Acquire, func(r *world.Region) { r.Surroundings = surroundings.New(unmapped{}) })
	})
	r := g.Send("POST", path, body(`,"units":"kilometers","min_gap_m":0,"max_observations":200`))
	if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "10" {
		t.Fatalf("%d %v %s", r.Status, r.Header, r.Body)
	}
	// Kinds that the map lacks are counted, and nothing is claimed of them.
	if fmt.Sprint(r.At(t, "observations")) != "[]" || r.At(t, "coverage", "tiles_missing").(float64) < 6 || r.At(t, "coverage", "route_share_measured") != 0.0 || r.At(t, "coverage", "elevation_dataset") != nil {
		t.Errorf("%s", r.Body)
	}
	if !apitest.Near(r.At(t, "route", "length_m"), 7526.6) || r.At(t, "route", "shape_points") != 2.0 {
		t.Errorf("%s", r.Body)
	}

	wide := geo.EncodePolyline([]geo.Point{{Lon: 9.4, Lat: 47.4}, {Lon: 59.4, Lat: 47.4}}, 6)
	repeated := geo.EncodePolyline([]geo.Point{{Lon: 9.4, Lat: 47.4}, {Lon: 9.4, Lat: 47.4}}, 6)
	one := geo.EncodePolyline([]geo.Point{{Lon: 9.4, Lat: 47.4}}, 6)
	for _, c := range []struct{ body, says string }{
		{`{}`, "geometry_polyline6"},
		{body(`,"language":"de"`), "language"},
		{body(`,"costing":"auto"`), "costing"},
		{body(`,"units":"km"`), "units"},
		{body(`,"min_gap_m":-1`), "min_gap_m"},
		{body(`,"max_observations":0`), "max_observations"},
		{body(`,"max_observations":201`), "max_observations"},
		{body(`,"max_observations":2.5`), "max_observations"},
		{fmt.Sprintf(`{"geometry_polyline6":%q}`, one), "two positions"},
		{fmt.Sprintf(`{"geometry_polyline6":%q}`, repeated), "no length"},
		{fmt.Sprintf(`{"geometry_polyline6":%q}`, wide), "2000 km"},
		{`{"geometry_polyline6":"\u0001~~"}`, "polyline"},
		{`{"geometry_polyline6":[[9,47],[9,48]]}`, "must be a string"},
		{`{"geometry_polyline6":"` + strings.Repeat("?@", 200_000) + `"}`, "positions"},
		// A line of seven digits leaves the globe.
		{fmt.Sprintf(`{"geometry_polyline6":%q}`, geo.EncodePolyline([]geo.Point{{Lon: 9.4, Lat: 47.4}, {Lon: 9.5, Lat: 47.4}}, 7)), "six digits"},
	} {
		p := g.Send("POST", path, c.body).Problem(t, 400, "bad-request")
		if !strings.Contains(fmt.Sprint(p), c.says) {
			t.Errorf("%.80s: %v does not say %s", c.body, p, c.says)
		}
	}
	g.Send("POST", path+"?lang=%3Cb%3E", body("")).Problem(t, 400, "bad-request")
	if r := g.Send("POST", path+"?lang=de", body("")); r.Status != 200 {
		t.Errorf("%s", r.Body)
	}
}
