package zone_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
)

// TestGeoJSONAtItsLimits has positions, rings and nesting at a limit and beyond.
func TestGeoJSONAtItsLimits(t *testing.T) {
	ring := func(positions string) string { return `{"type":"Polygon","coordinates":[[` + positions + `]]}` }
	nested := func(n int) string {
		return strings.Repeat(`{"type":"GeometryCollection","geometries":[`, n) + ring("[0,0],[1,0],[1,1],[0,0]") + strings.Repeat(`]}`, n)
	}
	for text, corners := range map[string]int{
		ring("[0,0],[1,0],[1,1],[0,0]"): 3, ring("[0,0],[1,0],[1,1]"): 3, ring("[0,0,5],[1,0,5],[1,1,5],[0,0,5]"): 3, ring("[180,90],[-180,90],[-180,-90],[180,90]"): 3,
		ring("[180.1,0],[1,0],[1,1]"): -1, ring("[0,-90.1],[1,0],[1,1]"): -1, ring("[0],[1,0],[1,1]"): -1, ring("[],[1,0],[1,1]"): -1, ring(`"x"`): -1,
		nested(1): 3, nested(8): 3, nested(9): -1,
		`{"type":"Feature","geometry":` + ring("[0,0],[1,0],[1,1]") + `}`: 3, `{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1]]],[[[5,5],[6,5],[6,6],[5,5]]]]}`: 6,
		`{"type":"MultiPolygon","coordinates":[7]}`: -1, `{"type":"MultiPolygon","coordinates":7}`: -1, `{"type":"LineString","coordinates":[[0,0],[1,1]]}`: -1, `{}`: -1, `7`: -1, ``: -1, `{"type":"FeatureCollection","features":[7]}`: -1,
	} {
		g, err := zone.ReadGeoJSON([]byte(text))
		if (err != nil) != (corners < 0) {
			t.Errorf("%.120s: %v", text, err)
			continue
		}
		if err != nil {
			continue
		}
		n := 0
		for _, p := range g.Polygons {
			for _, r := range p {
				n += len(r)
			}
		}
		if n != corners {
			t.Errorf("%.120s has %d corners, want %d", text, n, corners)
		}
	}
}

// TestGeometriesAreWrittenClosed writes what was read: rings end where they begin, and seven digits stay.
func TestGeometriesAreWrittenClosed(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}`:                                          `[[[[0,0],[1,0],[1,1],[0,0]]]]`,
		`{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}`:          `[[[[0,0],[4,0],[4,4],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]]`,
		`{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1]]],[[[5,5],[6,5],[6,6]]]]}`:             `[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]`,
		`{"type":"Polygon","coordinates":[[[0.123456789,-0.00000004],[1.00000006,0],[1,1.5],[0.1,0.1]]]}`: `[[[[0.1234568,0],[1.0000001,0],[1,1.5],[0.1,0.1],[0.1234568,0]]]]`,
		`{"type":"Polygon","coordinates":[]}`:                                                             `[]`,
		`{"type":"Polygon","coordinates":[[]]}`:                                                           `[[[]]]`,
	} {
		g, err := zone.ReadGeoJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(g)
		if got := strings.ReplaceAll(string(out), "-0]", "0]"); err != nil || got != `{"type":"MultiPolygon","coordinates":`+want+`}` {
			t.Errorf("%s is written %s (%v)", text, out, err)
		}
	}
}

// TestZonesThatAreLeftOut has zones without an area, of an id that was there, and replaced ones.
func TestZonesThatAreLeftOut(t *testing.T) {
	ids := func(lists ...[]zone.Placed) string {
		var all []string
		for _, p := range zone.NewIndex(lists...).All() {
			all = append(all, p.ID)
		}
		return strings.Join(all, " ")
	}
	place := func(zones ...zone.Zone) []zone.Placed { return zone.Place(zones, false) }
	for i, c := range []struct{ got, want string }{
		{ids(), ""},
		{ids(place(named("a", nil))), ""},
		{ids(place(named("a", square(0, 0, 1)), named("b", square(0, 0, 1)))), "a b"},
		{ids(place(named("a", square(0, 0, 1))), place(named("a", square(5, 5, 1)), named("b", square(0, 0, 1)))), "a b"},
		{ids(place(named("a", square(0, 0, 1), "x", "y")), place(named("x", square(0, 0, 1)), named("z", square(0, 0, 1)), named("y", square(0, 0, 1)))), "a z"},
		{ids(place(named("x", square(0, 0, 1))), place(named("a", square(0, 0, 1), "x"))), "x a"},
		{fmt.Sprint((*zone.Index)(nil).All()), "[]"},
	} {
		if c.got != c.want {
			t.Errorf("case %d: %q, want %q", i, c.got, c.want)
		}
	}
	x := zone.NewIndex(place(named("a", square(0, 0, 1))))
	for n, want := range []int{0, 0, 1} {
		if got := x.Crossed([]geo.Point{{Lon: -1, Lat: 0.5}, {Lon: 2, Lat: 0.5}}[:n]); len(got) != want {
			t.Errorf("a line of %d points crosses %d zones", n, len(got))
		}
	}
	if got := x.Crossed([]geo.Point{{Lon: -1, Lat: 1.5}, {Lon: 2, Lat: 1.5}}); got != nil {
		t.Errorf("a line beside it crosses %v", got)
	}
}

func TestVersionsOfDatasets(t *testing.T) {
	for version, ok := range map[int]bool{-1: false, 0: false, zone.Version: true, zone.Version + 1: false} {
		_, err := zone.Read(strings.NewReader(fmt.Sprintf(`{"format":%q,"version":%d,"zones":[]}`, zone.Format, version)))
		if ok != (err == nil) {
			t.Errorf("version %d: %v", version, err)
		}
	}
}
