package find_test

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
)

// added is a place that a test adds to an index, in metres east and north of its middle.
type added struct {
	kind       place.Kind
	source     place.Source
	class      string
	names      string
	categories []string
	at         [2]float64
	line       [][2]float64
	extent     [4]float64 // west, south, east, north
	byName     bool
}

func indexOf(t *testing.T, g ground, list ...added) *find.Index {
	t.Helper()
	b := &build.Builder{}
	for i, a := range list {
		e := build.Entry{Kind: a.kind, Source: a.source, Number: int64(i + 1), At: g.at(a.at[0], a.at[1]).Fix(), Class: a.class, Categories: a.categories, ByName: a.byName, Names: []place.Name{{Text: a.names}}}
		for _, p := range a.line {
			e.Line = append(e.Line, g.at(p[0], p[1]).Fix())
		}
		if a.extent != [4]float64{} {
			e.Extent = [2]geo.Fixed{g.at(a.extent[0], a.extent[1]).Fix(), g.at(a.extent[2], a.extent[3]).Fix()}
		}
		b.Add(&e)
	}
	x, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return find.New(x)
}

func asked(t *testing.T, x *find.Index, q place.Query) []place.Hit {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 10
	}
	hits, err := x.Search(t.Context(), &q)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// TestRiverIsOne checks that the pieces of a river are one hit, which lies on it where it is
// nearest to the bias, and that one of its name elsewhere is another.
func TestRiverIsOne(t *testing.T) {
	for _, middle := range []geo.Point{{Lon: -3, Lat: 51.6}, {Lon: 180, Lat: -17}} {
		g := ground{middle}
		river := []string{"river", "waterway"}
		var list []added
		for i := range 20 {
			west := float64(i-10) * 1000
			list = append(list, added{kind: place.POI, source: place.Way, names: "River Wend", categories: river, byName: true, line: [][2]float64{{west, 0}, {west + 400, 0}, {west + 900, 0}}})
		}
		list = append(list,
			added{kind: place.POI, source: place.Way, names: "River Wend", categories: river, byName: true, line: [][2]float64{{0, 90_000}, {500, 90_000}}},
			added{kind: place.Street, source: place.Way, names: "Wend Lane", class: "residential", line: [][2]float64{{0, 60}, {300, 60}}},
			added{kind: place.POI, names: "Wend Kiosk", categories: []string{"kiosk", "shop"}, at: [2]float64{70, 70}})
		x := indexOf(t, g, list...)
		hits := asked(t, x, place.Query{Text: "River Wend"})
		if len(hits) < 2 || hits[0].Name != "River Wend" || hits[1].Name != "River Wend" || len(hits) > 2 && hits[2].Name == "River Wend" {
			t.Fatalf("%v", hits)
		}
		for _, at := range [][2]float64{{-7300, 2000}, {8450, -40}} {
			bias := g.at(at[0], at[1])
			if h := asked(t, x, place.Query{Text: "river wend", Bias: &bias})[0]; geo.Distance(h.At, g.at(at[0], 0)) > 15 {
				t.Errorf("from %v it is at %v, %.0f m off", at, h.At, geo.Distance(h.At, g.at(at[0], 0)))
			}
		}
		north := g.at(0, 80_000)
		if h := asked(t, x, place.Query{Text: "river wend", Bias: &north})[0]; geo.Distance(h.At, g.at(0, 90_000)) > 15 {
			t.Errorf("from the north it is at %v", h.At)
		}
		near, err := x.Reverse(t.Context(), g.at(0, 1), 0, 10, 500, "")
		if err != nil || len(near) != 2 || near[0].Kind != place.Street || near[1].Name != "Wend Kiosk" {
			t.Errorf("near the river are %v, %v", near, err)
		}
	}
}

// TestMappedTwice checks that several mapped things of one name that are one thing are one
// hit, and others of the same name are not.
func TestMappedTwice(t *testing.T) {
	g := ground{geo.Point{Lon: 9, Lat: 47}}
	water, estate, school := []string{"water", "natural"}, []string{"residential", "landuse"}, []string{"school", "amenity"}
	x := indexOf(
		t, g,
		added{kind: place.POI, source: place.Way, names: "Mere", categories: water, at: [2]float64{0, 0}, extent: [4]float64{-900, -500, 900, 500}},
		added{kind: place.POI, source: place.Relation, names: "Mere", categories: water, at: [2]float64{300, 100}, extent: [4]float64{-900, -600, 1500, 800}},
		added{kind: place.POI, names: "Mere", categories: []string{"pub", "amenity"}, at: [2]float64{350, 600}},
		added{kind: place.Locality, names: "Larkfield", class: "neighbourhood", at: [2]float64{5000, 0}},
		added{kind: place.POI, source: place.Way, names: "Larkfield", categories: estate, byName: true, at: [2]float64{5300, 0}, extent: [4]float64{4800, -300, 5800, 300}},
		added{kind: place.POI, source: place.Way, names: "Hill School", categories: school, at: [2]float64{0, 5000}, extent: [4]float64{-300, 4800, 300, 5200}},
		added{kind: place.POI, names: "Hill School", categories: school, at: [2]float64{-280, 4850}},
		added{kind: place.POI, source: place.Way, names: "Hill School", categories: school, at: [2]float64{4000, 5000}, extent: [4]float64{3900, 4900, 4100, 5100}},
	)
	for q, want := range map[string]string{
		"Mere":        "poi.n3 poi.r2",
		"Larkfield":   "locality.n4",
		"Hill School": "poi.w6 poi.w8",
	} {
		got := ""
		for i, h := range asked(t, x, place.Query{Text: q}) {
			if h.Name == q {
				if i > 0 {
					got += " "
				}
				got += h.ID
			}
		}
		if got != want {
			t.Errorf("%q is %s, want %s", q, got, want)
		}
	}
}

// TestRoadNumberIsOne checks that the streets of a road's number are one hit by that, at the
// place nearest to the bias, and each a hit by its name.
func TestRoadNumberIsOne(t *testing.T) {
	g := ground{geo.Point{Lon: -3, Lat: 51.6}}
	b := &build.Builder{}
	for i := range 8 {
		west := float64(i) * 1000
		b.Add(&build.Entry{
			Kind: place.Street, Source: place.Way, Number: int64(i + 1), At: g.at(west, 0).Fix(), Line: []geo.Fixed{g.at(west, 0).Fix(), g.at(west+900, 0).Fix()}, Class: "primary",
			Names: []place.Name{{Text: fmt.Sprintf("%c Street", 'P'+i)}, {Text: "A48"}},
		})
	}
	built, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	x := find.New(built)
	bias := g.at(3200, 500)
	hits := asked(t, x, place.Query{Text: "a48", Bias: &bias})
	if len(hits) != 1 || geo.Distance(hits[0].At, g.at(3200, 0)) > 10 {
		t.Errorf("A48 is %v", hits)
	}
	if hits := asked(t, x, place.Query{Text: "T Street", Bias: &bias}); len(hits) == 0 || hits[0].Name != "T Street" {
		t.Errorf("%v", hits)
	}
}
