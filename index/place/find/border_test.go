package find_test

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
)

// frontier draws a street of houses that runs east across a border, which lies at metre 0. West
// of it are the town of Westrun and the village of Farrun of one municipality, east of it is Eastrun.
// The village is nearer to the houses than either town.
func frontier(t *testing.T, national bool) (*find.Index, ground) {
	t.Helper()
	g := ground{geo.Point{Lon: 6, Lat: 51}}
	country := func(p geo.Point) string {
		if national && p.Lon >= g.middle.Lon {
			return "DE"
		}
		return "NL"
	}
	b := &build.Builder{
		Country:      country,
		CountryNames: func(code string) []string { return map[string][]string{"NL": {"Netherlands"}, "DE": {"Germany"}}[code] },
		Areas: func(p geo.Point) []build.Within {
			town := "Westrun"
			if p.Lon >= g.middle.Lon {
				town = "Eastrun"
			}
			return []build.Within{{Names: []string{town}, Level: 8}, {Names: []string{"Country"}, Level: 2, Country: country(p)}}
		},
	}
	number := int64(0)
	add := func(e build.Entry, names ...string) {
		number++
		e.Number = number
		for _, name := range names {
			e.Names = append(e.Names, place.Name{Text: name})
		}
		b.Add(&e)
	}
	at := func(east, north float64) geo.Fixed { return g.at(east, north).Fix() }
	add(build.Entry{Kind: place.Locality, At: at(-4000, 0), Class: "town"}, "Westrun")
	add(build.Entry{Kind: place.Locality, At: at(3000, 0), Class: "town"}, "Eastrun")
	add(build.Entry{Kind: place.Locality, At: at(-100, 300), Class: "village"}, "Farrun")
	add(build.Entry{Kind: place.Street, Source: place.Way, At: at(-300, 0), Line: []geo.Fixed{at(-600, 0), at(200, 0)}, Class: "residential"}, "Long Row")
	for n := range 40 {
		add(build.Entry{Kind: place.Address, At: at(-580+20*float64(n), 12), House: fmt.Sprint(n + 1), Street: "Long Row"})
	}
	add(build.Entry{Kind: place.Address, At: at(150, -12), House: "7", Street: "Long Row"})
	add(build.Entry{Kind: place.Address, At: at(160, -12), House: "99", Street: "Long Row", City: "Thirdrun"})
	return index(t, b), g
}

func TestHousesAtABorderHaveTheirOwnTown(t *testing.T) {
	for _, national := range []bool{false, true} {
		x, _ := frontier(t, national)
		east := "NL"
		if national {
			east = "DE"
		}
		for _, c := range []struct{ q, name, town, country string }{
			{"Long Row 35, Eastrun", "35", "Eastrun", east},
			{"Long Row 35", "35", "Eastrun", east},
			{"Long Row 20, Westrun", "20", "Westrun", "NL"},
			{"Long Row 29, Westrun", "29", "Westrun", "NL"},
			{"Long Row 31, Eastrun", "31", "Eastrun", east},
			{"Long Row 7, Eastrun", "7", "Eastrun", east},
			{"Long Row 7, Westrun", "7", "Westrun", "NL"},
			{"Long Row 99, Thirdrun", "99", "Thirdrun", east},
			{"Long Row, Eastrun", "", "Westrun", "NL"}, // one street, which has the town of its middle
		} {
			hits, err := x.Search(t.Context(), &place.Query{Text: c.q, Limit: 5})
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) == 0 || hits[0].House != c.name || hits[0].Locality != c.town || hits[0].CountryCode != c.country || hits[0].Street != "Long Row" {
				t.Errorf("national %v: %q finds %+v, want number %s in %s, %s", national, c.q, hits, c.name, c.town, c.country)
				continue
			}
			if p, ok := x.Find(hits[0].ID, ""); !ok || p.Locality != c.town || p.CountryCode != c.country {
				t.Errorf("the id of %q is of %+v", c.q, p)
			}
		}
		if national {
			hits, err := x.Search(t.Context(), &place.Query{Text: "Long Row 7, Germany", Limit: 5})
			if err != nil || len(hits) == 0 || hits[0].CountryCode != "DE" || hits[0].House != "7" {
				t.Errorf("in Germany there is %+v, %v", hits, err)
			}
		}
	}
}
