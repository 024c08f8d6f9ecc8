package zone_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

func square(west, south, side float64) *zone.Geometry {
	return &zone.Geometry{Polygons: []geo.Polygon{{{{Lon: west, Lat: south}, {Lon: west + side, Lat: south}, {Lon: west + side, Lat: south + side}, {Lon: west, Lat: south + side}}}}}
}

func named(id string, g *zone.Geometry, replaces ...string) zone.Zone {
	return zone.Zone{ID: id, Name: strings.ToUpper(id), TimeZone: "Europe/London", Replaces: replaces, Rules: []zone.Rule{}, Boundary: zone.Boundary{Geometry: g}}
}

func TestCrossedInOrder(t *testing.T) {
	x := zone.NewIndex(
		zone.Place([]zone.Zone{named("b", square(3, 0, 1)), named("a", square(1, 0, 1), "osm:r1")}, false),
		zone.Place([]zone.Zone{named("osm:r1", square(1, 0, 1)), named("osm:r2", square(9, 9, 1)), named("b", square(0, 0, 9))}, true))
	if n := len(x.All()); n != 3 {
		t.Fatalf("%d zones are left of those that others stand for", n)
	}
	var ids []string
	for _, c := range x.Crossed([]geo.Point{{Lon: 0, Lat: 0.5}, {Lon: 2.5, Lat: 0.5}, {Lon: 3.5, Lat: 0.5}}) {
		ids = append(ids, c.ID)
		if c.ID == "b" && (len(c.Stretches) != 1 || c.Stretches[0] != geo.Stretch{From: 1.5, To: 2}) {
			t.Errorf("b is crossed on %v", c.Stretches)
		}
	}
	if strings.Join(ids, " ") != "a b" {
		t.Errorf("crossed %v", ids)
	}
	if none := (*zone.Index)(nil).Crossed([]geo.Point{{}, {Lon: 1}}); none != nil {
		t.Errorf("no zones: %v", none)
	}
}

func TestSection(t *testing.T) {
	amount := 12.5
	want := []zone.Zone{named("a", square(1, 2, 0.25)), {
		ID: "z", Name: "Z", TimeZone: "Europe/London", Charges: &zone.Source{Publisher: "p", URL: "https://e.org", Licence: "CC0-1.0", Checked: "2026-01-01"},
		Rules:    []zone.Rule{{Effect: "charge", Vehicles: []string{"car"}, MinimumEuro: map[string]int{"diesel": 6}, Amount: &amount, Currency: "GBP", Per: "day"}},
		Boundary: zone.Boundary{Geometry: square(5, 5, 1)},
	}}
	r := regiontest.Of(t, zone.SectionName, zone.SectionVersion, func(path string) error { return zone.Write(path, want) })
	got, err := zone.Open(r)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%+v\nwant\n%+v", err, got, want)
	}
}

func TestReadGeoJSON(t *testing.T) {
	const ring = `[[[0,0],[1,0],[1,1],[0,0]]]`
	for text, polygons := range map[string]int{
		`{"type":"Polygon","coordinates":` + ring + `}`:                                                                                 1,
		`{"type":"MultiPolygon","coordinates":[` + ring + `,` + ring + `]}`:                                                             2,
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":` + ring + `}}]}`:         1,
		`{"type":"GeometryCollection","geometries":[{"type":"Polygon","coordinates":` + ring + `}]}`:                                    1,
		`{"type":"Point","coordinates":[0,0]}`:                                                                                          -1,
		`{"type":"Polygon","coordinates":[[[0,91],[1,0],[1,1]]]}`:                                                                       -1,
		`{"type":"Polygon","coordinates":[[[0]]]}`:                                                                                      -1,
		strings.Repeat(`{"type":"Feature","geometry":`, 20) + `{"type":"Polygon","coordinates":` + ring + `}` + strings.Repeat(`}`, 20): -1,
	} {
		g, err := zone.ReadGeoJSON([]byte(text))
		if (err != nil) != (polygons < 0) || err == nil && len(g.Polygons) != polygons {
			t.Errorf("%s: %v, %v", text, g, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for text, why := range map[string]string{
		`{"format":"waygate-zones","version":1,"zones":[]}`:                  "",
		`{"format":"waygate-zones","version":2,"zones":[]}`:                  "version",
		`{"format":"geojson","version":1,"zones":[]}`:                        "format",
		`{"format":"waygate-zones","version":1,"zones":[{"vehicle":"car"}]}`: "unknown field",
		`{"format":"waygate-zones","version":1,"zones":[]} {}`:               "more",
	} {
		if _, err := zone.Read(strings.NewReader(text)); (err == nil) != (why == "") || err != nil && !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzRead reads damaged files of zones: an error, or zones that come back the
// same and can be crossed.
func FuzzRead(f *testing.F) {
	whole, err := json.Marshal(zone.Dataset{Format: zone.Format, Version: zone.Version, Zones: []zone.Zone{named("a", square(0, 0, 1), "osm:r1")}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"format":"waygate-zones","version":1,"zones":[{"id":"a","boundary":{"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1]],[]]}}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := zone.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		x := zone.NewIndex(zone.Place(d.Zones, false))
		x.Crossed([]geo.Point{{Lon: -1, Lat: 0.5}, {Lon: 0.5, Lat: 0.5}, {Lon: 179, Lat: 89}})
		again, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := zone.Read(bytes.NewReader(again)); err != nil {
			t.Errorf("what was read and written cannot be read: %v", err)
		}
	})
}

// FuzzSection damages a section: reading it gives an error, or zones.
func FuzzSection(f *testing.F) {
	whole := regiontest.Written(f, func(path string) error { return zone.Write(path, []zone.Zone{named("a", square(0, 0, 1))}) })
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Fuzz(func(t *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(zone.SectionName, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		zones, err := zone.ReadSection(s)
		if err == nil && len(zone.Place(zones, true)) != len(zones) {
			t.Error("a zone without a boundary")
		}
	})
}
