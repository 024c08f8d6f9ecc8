package compatible

import (
	"errors"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

const pair = "9.5,47.1;9.6,47.2"

var county = geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 10, Lat: 48}}

func TestProfiles(t *testing.T) {
	reached := map[costing.Costing]bool{}
	for _, p := range Profiles() {
		c, err := Costing(p)
		if err != nil || !c.Known() {
			t.Errorf("%s: %v %v", p, c, err)
		}
		reached[c] = true
	}
	if len(reached) != len(costing.All) {
		t.Errorf("the profiles reach %v", reached)
	}
	if _, err := Costing("plane"); err == nil || !strings.Contains(err.Error(), "driving") {
		t.Errorf("plane: %v", err)
	}
}

func TestCoordinates(t *testing.T) {
	line := []geo.Point{{Lon: 9.5, Lat: 47.1}, {Lon: 9.6, Lat: 47.2}}
	for _, path := range []string{pair, pair + ".json", "+9.5,47.10;9.6,472e-1", "polyline(" + geo.EncodePolyline(line, 5) + ")", "polyline6(" + geo.EncodePolyline(line, 6) + ").json"} {
		got, err := Coordinates(path, 2, 50, county)
		if err != nil || len(got) != 2 || geo.Distance(got[0], line[0])+geo.Distance(got[1], line[1]) > 0.1 {
			t.Errorf("%s: %v %v", path, got, err)
		}
	}
	for path, code := range map[string]string{
		"": InvalidOptions, "9,47": InvalidOptions, ";": InvalidURL, "9,47;": InvalidURL, "9,47;9": InvalidURL, "9,47;9,47,1": InvalidURL, "9,47;0x1,2": InvalidURL,
		"9,47;Inf,2": InvalidURL, "9,47;9, 47": InvalidURL, "9,47;9,91": InvalidValue, "polyline()": InvalidOptions, "polyline(!!)": InvalidURL,
		strings.Repeat("9,47;", 50) + "9,47": TooBig,
	} {
		_, err := Coordinates(path, 2, 50, county)
		var e *fault.Error
		if !errors.As(err, &e) || e.Fields["code"] != code {
			t.Errorf("%q: %v, want %s", path, err, code)
		}
	}
}

func FuzzCoordinates(f *testing.F) {
	for _, seed := range []string{pair, "polyline(_p~iF~ps|U_ulLnnqC)", "polyline6(??)", "9,47;NaN,1e400", ";;,,.json"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		line, err := Coordinates(path, 2, 50, county)
		if err != nil {
			var e *fault.Error
			if !errors.As(err, &e) || e.Slug != fault.BadRequest || e.Fields["code"] == nil || len(e.Detail) > 1000 {
				t.Fatalf("%v", err)
			}
			return
		}
		if len(line) < 2 || len(line) > 50 {
			t.Fatalf("%d coordinates", len(line))
		}
		for _, p := range line {
			if !p.Valid() {
				t.Fatalf("off the globe: %v", p)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add("driving", pair, "overview=false&steps=true&hints=;&radiuses=;5&bearings=1,2;&approaches=curb;")
	f.Add("truck", "9,47", "height=4&tunnel_code=B%2FD&annotations=true,nodes&snapping=any")
	f.Add("foot", "polyline(_p~iF~ps|U_ulLnnqC)", "avoid_ferries=true&voice_units=imperial&language=de-CH&a=%zz")
	f.Fuzz(func(t *testing.T, profile, coordinates, query string) {
		q, err := Read(profile, coordinates, query, Limits{1, 100, county}, Drawing, Places, Vehicle)
		var e *fault.Error
		switch {
		case err == nil && (!q.Route.Costing.Known() || len(q.Route.Locations) == 0):
			t.Fatalf("%+v", q.Route)
		case err != nil && (!errors.As(err, &e) || e.Slug != fault.BadRequest && e.Slug != fault.InvalidAvoid || e.Fields["code"] == nil || len(e.Detail) > 2000):
			t.Fatalf("%v", err)
		}
	})
}
