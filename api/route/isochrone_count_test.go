package route_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// TestIsochroneCount counts what lies within outlines: two houses and a pub beside the road,
// and others a kilometre off.
func TestIsochroneCount(t *testing.T) {
	g, town := apitest.DrawnWith(t, func(town *towntest.Town, r *world.Region) {
		b := &build.Builder{}
		far := geo.Destination(town.Point("b"), 0, 1000)
		for i, e := range []build.Entry{
			{Kind: place.Address, At: town.Point("b").Fix(), House: "1", Street: "High Street"},
			{Kind: place.Address, At: town.Between("b", "c", 0.5).Fix(), House: "3", Street: "High Street"},
			{Kind: place.Address, At: far.Fix(), House: "99", Street: "High Street"},
			{Kind: place.POI, At: town.Point("c").Fix(), Categories: []string{"pub", "amenity"}},
			{Kind: place.POI, At: far.Fix(), Categories: []string{"pub", "amenity"}},
		} {
			e.Source, e.Number = place.Node, int64(i+1)
			b.Add(&e)
		}
		x, err := b.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r.Places = find.New(x)
	})
	at := `"costing":"pedestrian","locations":[` + apitest.At(town.Point("b")) + `]`
	for _, polygons := range []string{"true", "false"} {
		r := g.Send("POST", "/isochrone", `{`+at+`,"contours":[{"time":0.5},{"time":10},{"distance":1.5}],"count":true,"polygons":`+polygons+`}`)
		var got []string
		for _, w := range r.At(t, "within").([]any) {
			w := w.(apitest.Object)
			got = append(got, fmt.Sprintf("%v %v: %v, %v, %v", w["contour"], w["metric"], w["addresses"], w["places"], w["more"]))
		}
		if want := "[1.5 distance: 2, 1, false 10 time: 2, 1, false 0.5 time: 1, 0, false]"; r.Status != 200 || fmt.Sprint(got) != want {
			t.Errorf("polygons %s: %d %v", polygons, r.Status, got)
		}
	}
	if r := g.Send("POST", "/isochrone", `{`+at+`,"contours":[{"time":1}]}`); strings.Contains(string(r.Body), `"within"`) {
		t.Errorf("nobody asked for a count: %s", r.Body)
	}
	g.Send("POST", "/isochrone", `{`+at+`,"contours":[{"time":1}],"count":3}`).Problem(t, 400, "bad-request")

	bare, _ := apitest.Drawn(t)
	for who, r := range map[string]apitest.Reply{
		"built without places": bare.Send("POST", "/isochrone", `{`+at+`,"contours":[{"time":1}],"count":true}`),
		"another server":       apitest.Many(t, nil).Send("POST", "/isochrone", `{"costing":"auto",`+thresholdURL+`,"count":true}`),
	} {
		if warnings := fmt.Sprint(r.At(t, "warnings")); r.Status != 200 || !strings.Contains(warnings, "count had no effect") || !strings.Contains(warnings, who) || strings.Contains(string(r.Body), `"within"`) {
			t.Errorf("%s: %d %s", who, r.Status, r.Body)
		}
	}
}
