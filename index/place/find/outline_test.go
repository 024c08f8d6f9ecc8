package find_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
)

// grounds draws a municipality 4 km wide with its town in the west of it and a village just
// beyond its eastern border, a hamlet that covers some ground, a park with a pond cut out of it,
// a station 240 m long, and a kiosk.
func grounds(t *testing.T, middle geo.Point) (*find.Index, ground) {
	t.Helper()
	g := ground{middle}
	b := &build.Builder{}
	number := int64(0)
	ring := func(east, north, wide, high float64) []geo.Fixed {
		var r []geo.Fixed
		for _, c := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}} {
			r = append(r, g.at(east+c[0]*wide/2, north+c[1]*high/2).Fix())
		}
		return r
	}
	add := func(e build.Entry, east, north float64, name string) {
		number++
		e.Number, e.At = number, g.at(east, north).Fix()
		if name != "" {
			e.Names = []place.Name{{Text: name}}
		}
		b.Add(&e)
	}
	area := func(wide, high float64, e build.Entry, east, north float64, name string) {
		e.Source, e.Outline = place.Way, [][]geo.Fixed{ring(east, north, wide, high)}
		add(e, east, north, name)
	}
	add(build.Entry{Kind: place.Locality, Class: "town"}, -1500, 0, "Ashton")
	area(4000, 4000, build.Entry{Kind: place.Area, Class: "", Population: 4000}, 0, 0, "Ashton")
	area(30_000, 30_000, build.Entry{Kind: place.Area, Class: "county"}, 0, 0, "Ashshire")
	add(build.Entry{Kind: place.Locality, Class: "village"}, 2050, 0, "Brackley")
	add(build.Entry{Kind: place.Locality, Class: "hamlet"}, 0, -1500, "Combe")
	area(300, 300, build.Entry{Kind: place.Locality, Class: place.Ground}, 50, -1500, "Combe")
	area(300, 300, build.Entry{Kind: place.Locality, Class: place.Ground}, 50, 1500, "Nobody's Estate")
	park := build.Entry{Kind: place.POI, Source: place.Relation, Categories: []string{"park", "leisure"}, Outline: [][]geo.Fixed{ring(0, 0, 400, 400), ring(100, 100, 60, 60)}}
	add(park, 0, 0, "Great Park")
	area(240, 30, build.Entry{Kind: place.POI, Categories: []string{"station", "railway"}}, 600, 0, "Long Station")
	area(60, 60, build.Entry{Kind: place.POI, Categories: []string{"garden", "leisure"}}, -150, -150, "Rose Garden")
	add(build.Entry{Kind: place.POI, Categories: []string{"kiosk", "shop"}}, 0, 120, "Kiosk")
	add(build.Entry{Kind: place.POI, Categories: []string{"kiosk", "shop"}}, 690, 70, "Platform Kiosk")
	row := build.Entry{Kind: place.Address, House: "1", Street: "Long Row"}
	area(90, 10, row, 1000, 0, "")
	row.House = "3"
	add(row, 1000, 20, "")
	add(build.Entry{Kind: place.Street, Source: place.Way, Class: "residential", Line: []geo.Fixed{g.at(900, -30).Fix(), g.at(1100, -30).Fix()}}, 1000, -30, "Long Row")
	return index(t, b), g
}

func TestReverseWithinAreas(t *testing.T) {
	for _, middle := range []geo.Point{{Lon: -3, Lat: 51.58}, {Lon: 100, Lat: 0}, {Lon: 25, Lat: 69}, {Lon: 170, Lat: -44}} {
		x, g := grounds(t, middle)
		for _, c := range []struct {
			how         string
			east, north float64
			kinds       place.Kinds
			want        string // the first ones, in order
		}{
			{"inside a park, a kiosk 70 m off", 0, 50, 0, "Great Park, Kiosk"},
			{"the same of points of interest", 0, 50, place.Of(place.POI), "Great Park, Kiosk"},
			{"at the kiosk", 2, 118, 0, "Kiosk, Great Park"},
			{"the garden in the park", -150, -140, 0, "Rose Garden, Great Park"},
			{"the pond is not the park", 100, 100, place.Of(place.POI), "Great Park"}, // 30 m to its shore
			{"the end of a long building, a kiosk 70 m off", 690, 0, 0, "Long Station, Platform Kiosk"},
			{"beside a long building", 500, 40, place.Of(place.POI), "Long Station"},
			{"the end of a row of houses", 1040, 3, 0, "1 Long Row, Long Row, 3 Long Row"},
			{"beside its end, nearer to another's door", 1040, 8, place.Of(place.Address), "1 Long Row"},
			{"its municipality before the nearest village", 1990, 0, place.Of(place.Locality), "Ashton, Brackley"},
			{"beyond its border", 2010, 0, place.Of(place.Locality), "Brackley"},
			{"the ground of a hamlet", 150, -1400, place.Of(place.Locality), "Combe, Ashton"},
			{"areas, the small first", 150, -1400, place.Of(place.Locality, place.Area), "Combe, Ashton, Ashshire"},
			{"areas alone", 0, 0, place.Of(place.Area), "Ashshire"},
			{"no settlement has the name of the estate", 50, 1500, place.Of(place.Locality), "Ashton"},
		} {
			near, err := x.Reverse(t.Context(), g.at(c.east, c.north), c.kinds, 5, 2500, "")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, n := range near {
				got = append(got, n.Name)
				if i > 0 && n.Order < near[i-1].Order {
					t.Errorf("%s at %v: %q is out of order", c.how, middle, n.Name)
				}
			}
			if !strings.HasPrefix(strings.Join(got, ", ")+",", c.want+",") {
				t.Errorf("%s at %v: %q, want %q first", c.how, middle, got, c.want)
			}
		}
		near, err := x.Reverse(t.Context(), g.at(100, 100), place.Of(place.POI), 1, 2500, "")
		if err != nil || len(near) != 1 || near[0].Metres < 25 || near[0].Metres > 35 {
			t.Errorf("from the middle of the pond at %v the park is %+v, %v", middle, near, err)
		}
		near, err = x.Reverse(t.Context(), g.at(1040, 3), place.Of(place.Address), 1, 2500, "")
		if err != nil || len(near) != 1 || near[0].Metres != 0 {
			t.Errorf("within a house: %+v, %v", near, err)
		}
	}
}

// TestReverseBesideANestedAddress has a building of one address, in it the door of another, and a
// door of a third in the street.
func TestReverseBesideANestedAddress(t *testing.T) {
	g := ground{geo.Point{Lon: -3, Lat: 51.58}}
	b := &build.Builder{}
	add := func(number int64, house, street string, east, north float64, outline ...[]geo.Fixed) {
		e := build.Entry{Kind: place.Address, Number: number, House: house, Street: street, At: g.at(east, north).Fix(), Outline: outline}
		b.Add(&e)
	}
	var ring []geo.Fixed
	for _, c := range [][2]float64{{-20, -10}, {20, -10}, {20, 10}, {-20, 10}, {-20, -10}} {
		ring = append(ring, g.at(c[0], c[1]).Fix())
	}
	add(1, "1", "Mill Street", 0, 0, ring)
	add(2, "2", "Back Lane", 19, 9.5) // on the wall
	add(3, "3", "Fore Lane", -20, 14) // outside
	x := index(t, b)
	for _, c := range []struct {
		how         string
		east, north float64
		want        string
	}{
		{"in the middle", 0, 0, "Mill Street"},
		{"at the door", 19, 9.5, "Back Lane"},
		{"inside behind the door", 17, 7, "Back Lane"},
		{"before the door", 19, 12, "Back Lane"},
		{"6 m inside", 13, 9, "Mill Street"},
		{"inside near a door of the street", -19, 9, "Mill Street"},
		{"at the door of the street", -20, 14, "Fore Lane"},
	} {
		near, err := x.Reverse(t.Context(), g.at(c.east, c.north), place.Of(place.Address), 3, 100, "")
		if err != nil || len(near) != 3 || near[0].Street != c.want {
			t.Errorf("%s: %+v, %v, want %s", c.how, near, err, c.want)
		}
	}
}
