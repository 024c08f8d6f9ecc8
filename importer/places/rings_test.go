package places_test

import (
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/towntest"
)

// TestAreasHoldTheirPlaces draws two municipalities side by side, a hamlet by its ground, a park
// of two ways and a long building with an address. A village of the second municipality is nearer
// to what lies by the border of the first than its own town.
func TestAreasHoldTheirPlaces(t *testing.T) {
	town := towntest.Draw(t, `
		a-----------------------b-----------------------c
		|                       |                       |
		|  1    f--g            |2    m--n      3       |
		|       |  |          x |     |  |              |
		|       i--h    k       |     p--o              |
		|        y              |                       |
		|     q-----------r     |      z                |
		|     s-----------t     |                       |
		d-----------------------e-----------------------j
	`, towntest.Cell(20), towntest.At(geo.Point{Lon: 8, Lat: 50}), towntest.Ways{
		{"be", ``},
		{"bade", ``},
		{"bcje", ``},
		{"fghif", `landuse=residential name=Hamling`},
		{"mno", ``},
		{"mpo", ``},
		{"qrtsq", `building=yes addr:housenumber=12 addr:street="Long Row" name=""`},
		{"ij", `highway=residential name="Long Row"`},
	}, towntest.Nodes{
		{"1", `place=town name=Aburg`},
		{"2", `place=village name=Bedorf`},
		{"3", `place=town name=Cestadt`},
		{"k", `place=hamlet name=Hamling`},
		{"y", `shop=kiosk name=Bude`},
	}, towntest.Relations{
		{`type=boundary boundary=administrative admin_level=8 name=Aburg`, "be bade"},
		{`type=boundary boundary=administrative admin_level=8 name=Zell`, "be bcje"},
		{`type=multipolygon leisure=park name=Stadtpark`, "mno mpo"},
	})
	x := built(t, places.Options{Sources: []string{town.PBF(t)}, Country: "DE"})
	for _, c := range []struct {
		at    geo.Point
		kinds place.Kinds
		want  string
	}{
		{town.Point("x"), place.Of(place.Locality), "Aburg"},
		{town.Between("f", "h", 0.5), place.Of(place.Locality), "Hamling"},
		{town.Point("z"), place.Of(place.Locality), "Zell"}, // no settlement has its name
		{town.Between("m", "o", 0.5), place.Of(place.POI), "Stadtpark"},
		{town.Between("r", "t", 0.5), place.Of(place.Address), "Long Row 12"},
		{town.Between("q", "t", 0.5), 0, "Long Row 12"},
	} {
		near, err := x.Reverse(t.Context(), c.at, c.kinds, 3, 2500, "")
		if err != nil || len(near) == 0 || near[0].Name != c.want || near[0].Metres > 0.5 {
			t.Errorf("at %v: %+v, %v, want %q", c.at, near, err, c.want)
		}
	}
	if h := first(t, x, "Zell"); h.Kind != place.Locality || h.ID != "locality.r2" {
		t.Errorf("the second municipality is %+v", h.Place)
	}
}
