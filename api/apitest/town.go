package apitest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// Drawn returns an edge over the embedded engine on a drawn town: a high street
// with a parallel lane, and a ring to the south.
func Drawn(t *testing.T, change ...func(*api.Options)) (*Gateway, *towntest.Town) {
	t.Helper()
	return DrawnWith(t, func(*towntest.Town, *world.Region) {}, change...)
}

// DrawnWith is Drawn with more in its region.
func DrawnWith(t *testing.T, more func(*towntest.Town, *world.Region), change ...func(*api.Options)) (*Gateway, *towntest.Town) {
	t.Helper()
	town := towntest.Draw(t, `
		a-----b-----c-----d
		      |     |
		      e-----f
		            |
		            g`,
		towntest.Ways{
			{"abcd", `primary name="High Street" surface=asphalt`},
			{"be", "residential"},
			{"ef", `residential name="Mill Lane" bridge=yes surface=compacted`},
			{"fc", "residential"},
			{"fg", "service toll=yes"},
		})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	pub := landmark.Place{At: geo.Destination(town.Point("b"), 200, 15), Name: "The Red Lion", Category: "amenity=pub"}
	named := &landmarks.Service{Index: landmark.Build([]landmark.Place{pub})}
	r := &world.Region{Engine: e, Landmarks: named, ID: "town", Name: "Town", Bounds: town.Bounds()}
	more(town, r)
	return Start(t, append(change, func(o *api.Options) { o.Acquire = Serves(t, r) })...), town
}

// At writes a place of a town as a JSON object.
func At(p geo.Point, more ...string) string {
	return fmt.Sprintf(`{"lat":%.6f,"lon":%.6f%s}`, p.Lat, p.Lon, strings.Join(more, ""))
}

// LonLat writes places of a town as coordinates: "0" is in the sea, and "s" is a
// the wrong way round.
func LonLat(town *towntest.Town, places string) string {
	var list []string
	for _, p := range places {
		var at geo.Point
		switch p {
		case '0':
		case 's':
			a := town.Point("a")
			at = geo.Point{Lon: a.Lat, Lat: a.Lon}
		default:
			at = town.Point(string(p))
		}
		list = append(list, fmt.Sprintf("%.6f,%.6f", at.Lon, at.Lat))
	}
	return strings.Join(list, ";")
}
