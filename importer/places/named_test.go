package places_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/towntest"
)

// TestNamedThings asks for things that are no streets, towns or shops by what they are called.
func TestNamedThings(t *testing.T) {
	town := towntest.Draw(t, `
		a----1----2----3----b     i-j     k-l
		                          m-n     o-p
		c----4----5----6----d
		     7    8    9    0     q-r     s-t
		e----A----B----C----f     u-v     w-x
		     D    E    F    G
		g----H----I----J----h     y-z
		     K    L    M    N     P-Q
		R----S----T----U----V
	`, towntest.At(geo.Point{Lon: 1.2, Lat: 52.6}), towntest.Ways{
		{"ab", `highway=motorway ref=M9`},
		{"c4", `waterway=river name="River Ense" name:cy="Afon Ens"`},
		{"45", `waterway=river name="River Ense"`},
		{"56d", `waterway=river name="River Ense"`},
		{"ijnmi", `landuse=forest name="Foxhill Wood"`},
		{"klpok", `landuse=residential name="Larch Estate"`},
		{"qrvuq", `highway=pedestrian area=yes name="Market Cross"`},
		{"stxws", `natural=water name="Moor Mere"`},
		{"eA", `highway=primary name="Quay Road" bridge=yes bridge:name="Kings Bridge" bridge:name:cy="Pont y Brenin"`},
		{"AB", `highway=primary name="Quay Road" tunnel=yes tunnel:name="Moor Tunnel"`},
		{"BC", `waterway=canal name="Ense Navigation" lock=yes lock_name="Top Lock"`},
		{"Cf", `railway=rail name="Marsh Line"`},
		{"gH", `natural=ridge name="Long Edge"`},
		{"HI", `natural=valley name="Glen Ense"`},
		{"IJ", `aerialway=gondola name="Edge Cabin"`},
		{"Jh", `highway=residential name:left="Parson Row" name:right="Deacon Row"`},
		{"yzQPy", `boundary=political name="Moor Ward"`},
		{"RS", `highway=unclassified ref=B4591;C12 name="Mill Lane" alt_name="Old Lane;Coach Lane" old_name_1="Drovers Way"`},
		{"ST", `highway=path`},
		{"TU", `waterway=stream`},
	}, towntest.Nodes{
		{"0", `place=town name=Norwick population=20000`},
		{"1", `highway=motorway_junction ref=24 name="Coldran Interchange"`},
		{"2", `highway=motorway_junction ref=25A`},
		{"3", `highway=motorway_junction name="Nameless Fork"`},
		{"7", `barrier=toll_booth name="Ense Toll"`},
		{"8", `power=plant name="Gridley Power Station"`},
		{"9", `club=sport name="Ense Rowing Club"`},
		{"D", `aerialway=station name="Cable Top"`},
		{"E", `mountain_pass=yes name="Snake Pass"`},
		{"F", `natural=valley name="Glen Foo"`},
		{"G", `highway=bus_stop name="Library" naptan:Indicator="Stop C"`},
		{"K", `railway=train_station_entrance name="Station Arch" ref=3`},
		{"L", `aeroway=gate ref=B12`},
		{"M", `shop=supermarket brand=Tasco name=Tasco branch=Moorside`},
		{"N", `tourism=alpine_hut official_name="Edge Hut" short_name="The Hut"`},
		{"P", `amenity=post_box operator="Royal Mail" ref="NR1 77"`},
		{"z", `name="Sheepfold"`},
		{"V", `highway=traffic_signals name="Five Ways"`},
		{"S", `junction=yes name="Carrefour Mouton"`},
		{"Q", `natural=cape loc_name="Ness Head"`},
	}, towntest.Relations{
		{"type=multipolygon natural=water name=\"Moor Mere\" name:cy=\"Llyn y Rhos\"", "outer:stxws"},
		{"type=route route=hiking name=\"Ense Way\" ref=EW", "ST"},
		{"type=waterway waterway=stream name=\"Hidden Brook\"", "TU"},
	})
	x := built(t, places.Options{Sources: []string{town.PBF(t)}, Country: "GB"})
	middle := func(a, b string) geo.Point { return town.Between(a, b, 0.5) }
	for q, want := range map[string]geo.Point{
		"River Ense": town.Point("6"), "Afon Ens": town.Point("6"), "Norwick": town.Point("0"),
		"Coldran Interchange": town.Point("1"), "M9 J24": town.Point("1"), "M9 junction 24": town.Point("1"), "junction 24": town.Point("1"), "J24": town.Point("1"), "m9 exit 24": town.Point("1"),
		"M9 J25A": town.Point("2"), "Nameless Fork": town.Point("3"),
		"Foxhill Wood": middle("i", "n"), "Larch Estate": middle("k", "p"), "Market Cross": middle("q", "v"), "Moor Mere": middle("s", "x"), "Llyn y Rhos": middle("s", "x"),
		"Kings Bridge": middle("e", "A"), "Pont y Brenin": middle("e", "A"), "Moor Tunnel": middle("A", "B"), "Top Lock": middle("B", "C"), "Ense Navigation": middle("B", "C"), "Marsh Line": middle("C", "f"),
		"Long Edge": middle("g", "H"), "Glen Ense": middle("H", "I"), "Edge Cabin": middle("I", "J"), "Parson Row": middle("J", "h"), "Deacon Row": middle("J", "h"), "Moor Ward": middle("y", "Q"),
		"B4591": middle("R", "S"), "C12": middle("R", "S"), "Old Lane": middle("R", "S"), "Coach Lane": middle("R", "S"), "Drovers Way": middle("R", "S"),
		"Ense Toll": town.Point("7"), "Gridley Power Station": town.Point("8"), "Ense Rowing Club": town.Point("9"), "Cable Top": town.Point("D"), "Snake Pass": town.Point("E"), "Glen Foo": town.Point("F"),
		"Library Stop C": town.Point("G"), "Station Arch": town.Point("K"), "Station Arch 3": town.Point("K"), "Gate B12": town.Point("L"), "Tasco Moorside": town.Point("M"), "Edge Hut": town.Point("N"), "The Hut": town.Point("N"),
		"Royal Mail NR1 77": town.Point("P"), "Sheepfold": town.Point("z"), "Five Ways": town.Point("V"), "Carrefour Mouton": town.Point("S"), "Ness Head": town.Point("Q"),
		"Ense Way": town.Point("T"), "Hidden Brook": middle("T", "U"), "Ense Way, Norwick": town.Point("T"),
	} {
		if h := first(t, x, q); geo.Distance(h.At, want) > 25 {
			t.Errorf("%q finds %s %q at %v, %.0f m off", q, h.Kind, h.Name, h.At, geo.Distance(h.At, want))
		}
	}
	for _, q := range []string{"River Ense", "Moor Mere", "Coldran Interchange"} {
		hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 10})
		if err != nil || len(hits) == 0 || len(hits) > 1 && hits[1].Name == q {
			t.Errorf("%q finds %v, %v", q, hits, err)
		}
	}
	// A place that is found by its name alone does not count as near.
	near, err := x.Reverse(t.Context(), middle("k", "p"), place.Of(place.POI), 1, 60, "")
	if err != nil || len(near) != 0 {
		t.Errorf("near the middle of the estate are %v, %v", near, err)
	}
}

// TestJunctionsByCountry checks that a junction is found by the words of its country and, where
// it has no name, is called by them.
func TestJunctionsByCountry(t *testing.T) {
	for name, c := range map[string]struct {
		at    geo.Point
		shown string
		asked []string
	}{
		"Germany": {geo.Point{Lon: 8.7, Lat: 50}, "A 5 Anschlussstelle 12", []string{"A5 Anschlussstelle 12", "Anschlussstelle 12", "A 5 Ausfahrt 12", "A5 AS 12", "a5 exit 12"}},
		"France":  {geo.Point{Lon: 2.3, Lat: 47}, "A 5 Sortie 12", []string{"A5 sortie 12", "sortie 12", "A5 junction 12"}},
		"Canada":  {geo.Point{Lon: -75, Lat: 46}, "A 5 Exit 12", []string{"A5 exit 12", "Exit 12"}},
	} {
		t.Run(name, func(t *testing.T) {
			town := towntest.Draw(t, `a----1----b`, towntest.At(c.at), towntest.Ways{{"a1b", `highway=motorway ref="A 5"`}}, towntest.Nodes{{"1", `highway=motorway_junction ref=12`}})
			x := built(t, places.Options{Sources: []string{town.PBF(t)}})
			for _, q := range c.asked {
				if h := first(t, x, q); h.Name != c.shown || geo.Distance(h.At, town.Point("1")) > 1 {
					t.Errorf("%q finds %q at %v, want %q", q, h.Name, h.At, c.shown)
				}
			}
		})
	}
}

// named is something of an extract that has a name: its name, and the points that it is drawn
// through.
type named struct {
	name   string
	points []geo.Point
	area   bool
}

// namedIn reads what has a name in an extract, of roads and all else, apart from the stage.
func namedIn(t *testing.T, path string) []named {
	t.Helper()
	at := map[int64]geo.Point{}
	var list []named
	if _, err := osm.Scan(t.Context(), path, osm.Options{SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Nodes {
			n := &b.Nodes[i]
			p := geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
			at[n.ID] = p
			if name := n.Tags.Get("name"); name != "" {
				list = append(list, named{strings.Clone(name), []geo.Point{p}, false})
			}
		}
		for i := range b.Ways {
			w := &b.Ways[i]
			one := named{name: strings.Clone(w.Tags.Get("name")), area: w.Nodes[0] == w.Nodes[len(w.Nodes)-1]}
			for _, n := range w.Nodes {
				if p, ok := at[n]; ok {
					one.points = append(one.points, p)
				}
			}
			if one.name != "" && len(one.points) > 0 {
				list = append(list, one)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// is reports whether a hit is the thing: it lies within 50 m of it, or the thing is a piece of it.
func (n *named) is(h *place.Hit) bool {
	box := geo.NoBounds()
	for i, p := range n.points {
		box = box.Extend(p)
		if _, _, square := geo.Nearest(h.At, n.points[max(0, i-1)], p); square <= 50*50 {
			return true
		}
	}
	return n.area && box.Contains(h.At) || h.Extent != nil && len(n.points) > 1 && h.Extent.Intersects(box)
}

// TestNearlyAllThatIsNamed asks for things of real places by their names, near them: nearly all
// come first.
func TestNearlyAllThatIsNamed(t *testing.T) {
	for _, extract := range []string{"osm/newport-wales-20230613.osm.pbf", "osm/andorra-20211028.osm.pbf", "osm/malta-20180827.osm.pbf"} {
		t.Run(filepath.Base(extract), func(t *testing.T) {
			file := realdata.File(t, extract)
			x := ofReal(t, places.Options{Sources: []string{file}})
			list := namedIn(t, file)
			r := rand.New(rand.NewPCG(5, 8))
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:min(600, len(list))]
			good := 0
			for _, one := range list {
				hits, err := x.Search(t.Context(), &place.Query{Text: one.name, Limit: 1, Bias: &one.points[len(one.points)/2]})
				if err != nil {
					t.Fatal(err)
				}
				if len(hits) > 0 && one.is(&hits[0]) {
					good++
				} else {
					t.Logf("%q at %v finds %v", one.name, one.points[0], hits)
				}
			}
			atLeast(t, "named things first", float64(good)/float64(len(list)), 0.94)
		})
	}
}
