package boundary_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/geo"
	index "github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/region/regiontest"
)

func box(west, south, east, north float64) [][][]geo.Fixed {
	at := func(lon, lat float64) geo.Fixed { return geo.Point{Lon: lon, Lat: lat}.Fix() }
	return [][][]geo.Fixed{{{at(west, south), at(east, south), at(east, north), at(west, north), at(west, south)}}}
}

func open(t *testing.T, areas ...index.Outlined) *index.Index {
	t.Helper()
	x, err := index.Open(regiontest.Of(t, index.SectionName, index.Version, index.Build(areas).Write))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// format formats areas for comparison: level, ISO code, name, side of the road and its basis of each.
func format(admins []boundary.Admin) string {
	var all []string
	for _, a := range admins {
		iso, right := "null", "null"
		if a.ISO != nil {
			iso = *a.ISO
		}
		if a.DriveOnRight != nil {
			right = fmt.Sprint(*a.DriveOnRight)
		}
		all = append(all, fmt.Sprint(a.Level, " ", iso, " ", a.Name, " ", right, " ", a.Basis))
	}
	return strings.Join(all, ", ")
}

// TestAt looks places up in two regions that overlap, of which one has more areas of the
// places in both, and in an index that answers for all regions.
func TestAt(t *testing.T) {
	wales := []index.Name{{Lang: "cy", Text: "Cymru"}}
	rich := open(t,
		index.Outlined{Area: index.Area{Level: 2, ISO: "GB", Name: "United Kingdom", Drives: index.Left}, Polygons: box(0, 50, 4, 54)},
		index.Outlined{Area: index.Area{Level: 4, ISO: "GB-WLS", Name: "Wales", Names: wales}, Polygons: box(0, 50, 2, 54)},
		index.Outlined{Area: index.Area{Level: 8, Name: "Newport"}, Polygons: box(1, 51, 2, 52)},
	)
	poor := open(t,
		index.Outlined{Area: index.Area{Level: 2, ISO: "FR", Name: "France", Drives: index.Right, Coarse: true}, Polygons: box(1, 49, 8, 53)},
		index.Outlined{Area: index.Area{Level: 6, Name: "Nobody's"}, Polygons: box(20, 50, 21, 51)},
	)
	world := open(t, index.Outlined{Area: index.Area{Level: 2, ISO: "IE", Name: "Ireland"}, Polygons: box(0, 50, 4, 54)})
	both := []*index.Index{poor, rich}
	const newport = "2 GB United Kingdom false mapped, 4 GB-WLS Wales false mapped, 8 null Newport false mapped"
	for _, c := range []struct {
		what     string
		service  boundary.Service
		indexes  []*index.Index
		lon, lat float64
		lang     string
		want     string
	}{
		{"the region that knows the most", boundary.Service{}, both, 1.5, 51.5, "", newport},
		{"the same, in whatever order the regions are", boundary.Service{}, []*index.Index{rich, poor}, 1.5, 51.5, "", newport},
		{"a name in the language asked for", boundary.Service{}, both, 0.5, 52.5, "cy-GB", "2 GB United Kingdom false mapped, 4 GB-WLS Cymru false mapped"},
		{"a coarse outline", boundary.Service{}, both, 6, 52, "", "2 FR France true coarse"},
		{"an area whose country is not known", boundary.Service{}, both, 20.5, 50.5, "", "6 null Nobody's null mapped"},
		{"a place in no area", boundary.Service{}, both, -20, 20, "", ""},
		{"an index in the place of all regions", boundary.Service{Instead: world}, both, 1.5, 51.5, "", "2 IE Ireland null mapped"},
		{"the same where no region has boundaries", boundary.Service{Instead: world}, nil, 1.5, 51.5, "", "2 IE Ireland null mapped"},
		{"the same beyond what it knows", boundary.Service{Instead: world}, both, 6, 52, "", ""},
	} {
		admins, err := c.service.At(c.indexes, geo.Point{Lon: c.lon, Lat: c.lat}, c.lang)
		if got := format(admins); err != nil || admins == nil || got != c.want {
			t.Errorf("%s: it is %q, %v; want %q", c.what, got, err, c.want)
		}
	}
}

// TestNoBoundaries checks that a deployment without boundaries says so, rather than that a place
// lies in no area.
func TestNoBoundaries(t *testing.T) {
	admins, err := (&boundary.Service{}).At(nil, geo.Point{}, "")
	if admins != nil || !errors.Is(err, boundary.ErrNone) || !fault.IsNotEnabled(err) {
		t.Errorf("without any index it answers %v, %v", admins, err)
	}
}
