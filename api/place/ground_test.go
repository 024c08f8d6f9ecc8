package place_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/feature/elevation"
	"github.com/waygate/waygate/geo"
	boundaries "github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/world"
)

// slope rises by a metre for each thousandth of a degree of latitude north of
// 47; south of it nothing is known.
type slope struct{ damaged []error }

func (s slope) Heights(_ context.Context, places []geo.Point) (metres []float64, damaged []error, err error) {
	for _, p := range places {
		h := (p.Lat - 47) * 1000
		if p.Lat < 47 {
			h = math.NaN()
		}
		metres = append(metres, h)
	}
	return metres, s.damaged, nil
}

func onSlope(t *testing.T, damaged ...error) *apitest.Gateway {
	return apitest.Start(t, func(o *api.Options) {
		o.Heights = &elevation.Service{Heights: slope{damaged}, Dataset: "drawn"}
	})
}

func TestElevation(t *testing.T) {
	g := onSlope(t)
	r := g.Send("POST", "/elevation", `{"locations":[{"lat":47.5,"lon":9},{"lat":46.5,"lon":9}],"datum":"EGM96"}`)
	if r.Status != 200 || r.At(t, "dataset") != "drawn" || !strings.Contains(string(r.Body), "datum") {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	list := r.At(t, "elevations").([]any)
	if a, b := list[0].(apitest.Object), list[1].(apitest.Object); len(list) != 2 || a["elevation_m"] != 500.0 || a["lat"] != 47.5 || b["elevation_m"] != nil {
		t.Errorf("%s", r.Body)
	}

	for body, says := range map[string]string{
		`{}`:                                 "locations",
		`{"locations":[]}`:                   "locations",
		`{"locations":[{"lat":91,"lon":0}]}`: "lat",
		`{"locations":[{"lat":1}]}`:          "lon",
		`{"locations":[` + strings.Repeat(`{"lat":1,"lon":2},`, 500) + `{"lat":1,"lon":2}]}`: "500",
	} {
		if r := g.Send("POST", "/elevation", body); !strings.Contains(string(r.Body), says) {
			t.Errorf("%.60s: %s", body, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
}

func TestElevationAlong(t *testing.T) {
	g := onSlope(t)
	r := g.Send("POST", "/elevation/along", `{"shape":[{"lat":47,"lon":9},{"lat":47.01,"lon":9},{"lat":47,"lon":9}],"interval_m":50}`)
	if r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	up, down := r.At(t, "ascent_m").(float64), r.At(t, "descent_m").(float64)
	if math.Abs(up-10) > 1 || math.Abs(down-10) > 1 || r.At(t, "coverage") != 1.0 || r.At(t, "smoothing", "window_m") == nil {
		t.Errorf("%s", r.Body)
	}
	line := geo.EncodePolyline([]geo.Point{{Lon: 9, Lat: 47.1}, {Lon: 9, Lat: 49.1}}, 6)
	if r := g.Send("POST", "/elevation/along", fmt.Sprintf(`{"encoded_polyline":%q}`, line)); r.Status != 200 || len(r.At(t, "samples").([]any)) > elevation.MostPlaces {
		t.Errorf("%d %.200s", r.Status, r.Body)
	}
	for body, says := range map[string]string{
		fmt.Sprintf(`{"encoded_polyline":%q,"interval_m":100}`, line):               "at least 446",
		`{"shape":[{"lat":47,"lon":9},{"lat":47,"lon":9}]}`:                         "no length",
		`{"shape":[{"lat":47,"lon":9}]}`:                                            "shape",
		`{"interval_m":50}`:                                                         "shape",
		`{"encoded_polyline":"??","shape":[{"lat":47,"lon":9},{"lat":48,"lon":9}]}`: "encoded_polyline",
	} {
		if r := g.Send("POST", "/elevation/along", body); !strings.Contains(string(r.Body), says) {
			t.Errorf("%.60s: %s", body, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
}

type wide struct{}

func (wide) Heights(context.Context, []geo.Point) (metres []float64, damaged []error, err error) {
	return nil, nil, &height.SpreadError{Tiles: 65}
}

func TestElevationFarApart(t *testing.T) {
	g := apitest.Start(t, func(o *api.Options) { o.Heights = &elevation.Service{Heights: wide{}} })
	p := g.Send("POST", "/elevation", `{"locations":[{"lat":47.5,"lon":9}]}`).Problem(t, 400, "bad-request")
	if !strings.Contains(p["detail"].(string), "65") {
		t.Error(p)
	}
}

// Damaged files degrade the answer, which says so and no more.
func TestDamagedHeights(t *testing.T) {
	g := onSlope(t, fmt.Errorf("heights /srv/N47E009.hgt: it holds 5 bytes"))
	r := g.Send("POST", "/elevation", `{"locations":[{"lat":47.5,"lon":9}]}`)
	if r.Status != 200 || strings.Contains(string(r.Body), "/srv") || !strings.Contains(string(r.Body), "could not be read") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

func TestWithoutHeights(t *testing.T) {
	g := apitest.Start(t)
	for _, path := range []string{"/elevation", "/elevation/along"} {
		p := g.Send("POST", path, `{"locations":[{"lat":47.5,"lon":9}],"shape":[{"lat":47,"lon":9},{"lat":47.01,"lon":9}]}`).Problem(t, 501, "elevation-not-enabled")
		if p["capability"] != "elevation" {
			t.Error(p)
		}
	}
}

func TestTimezone(t *testing.T) {
	g := apitest.Start(t)
	for _, at := range []string{"1782907200", "2026-07-01T12:00:00Z", "2026-07-01T14:00:00%2B02:00"} {
		r := g.Send("GET", "/timezone?lat=51.5&lon=-0.12&timestamp="+at, "")
		if r.Status != 200 || r.At(t, "timezone_id") != "Europe/London" || r.At(t, "utc_offset_s") != 3600.0 || r.At(t, "dst_offset_s") != 3600.0 || r.At(t, "timestamp") != "2026-07-01T12:00:00Z" {
			t.Errorf("%s: %d %s", at, r.Status, r.Body)
		}
	}
	if r := g.Send("GET", "/timezone?lat=0&lon=-30", ""); r.Status != 200 || r.At(t, "timezone_id") != "Etc/GMT+2" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	for query, says := range map[string]string{
		"lat=51.5": "lon", "lat=91&lon=0": "lat", "lat=1&lon=2&timestamp=yesterday": "timestamp",
		"lat=1&lon=2&timestamp=99999999999999999": "9999", "lat=1&lon=2&timestamp=2026-07-01": "timestamp",
	} {
		if r := g.Send("GET", "/timezone?"+query, ""); !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %s", query, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
}

// land returns a square on the equator.
func land() *boundaries.Index {
	square := []geo.Fixed{{Lon: 0, Lat: 0}, {Lon: 10_000_000, Lat: 0}, {Lon: 10_000_000, Lat: 10_000_000}, {Lon: 0, Lat: 10_000_000}, {}}
	return boundaries.Build([]boundaries.Outlined{
		{Area: boundaries.Area{Level: 2, ISO: "XX", Name: "Land", Drives: boundaries.Left, Names: []boundaries.Name{{Lang: "fr", Text: "Pays"}}}, Polygons: [][][]geo.Fixed{{square}}},
	})
}

// bounded has a region with these boundaries.
func bounded(t *testing.T, index *boundaries.Index) *apitest.Gateway {
	return apitest.Start(t, func(o *api.Options) {
		acquire := o.Acquire
		o.Acquire = func() (*world.World, func()) {
			w, release := acquire()
			here := *w.Regions()[0]
			here.Boundaries = index
			with, err := world.New(nil, &here)
			if err != nil {
				t.Error(err)
			}
			return with, release
		}
	})
}

func TestBoundary(t *testing.T) {
	g := bounded(t, land())
	r := g.Send("GET", "/boundary?lat=51.5&lon=-0.12&depth=2", "")
	if r.Status != 200 || len(r.At(t, "admins").([]any)) != 0 || r.At(t, "point", "lat") != 51.5 || !strings.Contains(string(r.Body), "depth") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	for query, says := range map[string]string{
		"lat=51.5": "lon", "lat=91&lon=0": "lat", "lat=x&lon=0": "lat", "lat=1&lon=-181": "lon", "lat=1&lon=2&lang=" + strings.Repeat("x", 36): "lang",
	} {
		if r := g.Send("GET", "/boundary?"+query, ""); !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %s", query, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
	landed(t, g)
}

func landed(t *testing.T, g *apitest.Gateway) {
	t.Helper()
	r := g.Send("GET", "/boundary?lat=0.5&lon=0.5&lang=fr-CA", "")
	list, _ := r.At(t, "admins").([]any)
	if len(list) != 1 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if a := list[0].(apitest.Object); a["name"] != "Pays" || a["iso_code"] != "XX" || a["drive_on_right"] != false || a["admin_level"] != 2.0 || a["basis"] != "mapped" {
		t.Errorf("%s", r.Body)
	}
}

func TestWithoutBoundaries(t *testing.T) {
	if p := bounded(t, nil).Send("GET", "/boundary?lat=51.5&lon=-0.12", "").Problem(t, 501, "boundary-not-enabled"); p["capability"] != "boundary" {
		t.Error(p)
	}
}

func TestBoundariesOfAnotherFolder(t *testing.T) {
	landed(t, apitest.Start(t, func(o *api.Options) { o.Boundaries = &boundary.Service{Instead: land()} }))
}

func TestInViewRefuses(t *testing.T) {
	g := apitest.Start(t)
	const at = "lat=51.5&lon=-0.12&bearing_deg=40&name=inn"
	for query, says := range map[string]string{
		"lon=-0.12&bearing_deg=40&name=inn": "lat", "lat=51.5&lon=-0.12&name=inn": "bearing_deg", "lat=51.5&lon=-0.12&bearing_deg=361&name=inn": "bearing_deg",
		at + "&fov_deg=0": "fov_deg", at + "&fov_deg=361": "fov_deg", at + "&fov_deg=NaN": "fov_deg", at + "&radius_m=0": "radius_m", at + "&radius_m=5001": "radius_m",
		at + "&limit=0": "limit", at + "&limit=26": "limit", at + "&limit=1.5": "limit", at + "&eye_height_m=-1": "eye_height_m", at + "&target_height_m=1001": "target_height_m",
		at + "&visible_only=perhaps": "visible_only", "lat=51.5&lon=-0.12&bearing_deg=40": "categories", "lat=51.5&lon=-0.12&bearing_deg=40&categories=,,": "categories",
		"lat=51.5&lon=-0.12&bearing_deg=40&name=%21": "name", "lat=51.5&lon=-0.12&bearing_deg=40&name=" + strings.Repeat("x", 201): "name",
		"lat=51.5&lon=-0.12&bearing_deg=40&categories=" + strings.Repeat("a,b", 200):             "categories",
		"lat=51.5&lon=-0.12&bearing_deg=40&categories=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u": "at most 20",
	} {
		if r := g.Send("GET", "/v1/places/in-view?"+query, ""); !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %s", query, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
	if p := g.Send("GET", "/v1/places/in-view?"+at, "").Problem(t, 501, "in-view-not-enabled"); p["capability"] != "in-view" {
		t.Error(p)
	}
}
