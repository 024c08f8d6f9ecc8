package basemap

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/osm/osmtest"
)

// town returns a small place by the sea with one of most things.
func town() *sketch {
	s := newSketch()
	s.way(tags("natural=coastline"), -50, 0, 100, 10, 250, 0) // land to the north
	s.way(tags("highway=residential", "name=High Street", "name:cy=Stryd Fawr", "name:en=High Street"), 0, 40, 50, 40)
	s.way(tags("highway=residential", "name=High Street", "name:cy=Stryd Fawr"), 50, 40, 90, 45)
	s.way(tags("highway=motorway", "ref=M 4;E 30", "oneway=yes"), 0, 100, 200, 100)
	s.way(tags("highway=primary", "ref=A48", "bridge=yes"), 100, 60, 100, 140)
	s.way(tags("highway=primary_link", "tunnel=yes"), 100, 60, 110, 40)
	s.way(tags("highway=footway"), 60, 40, 60, 60)
	s.way(tags("highway=construction"), 70, 40, 70, 60)
	s.way(tags("railway=rail", "name=Coast Line"), 0, 20, 200, 30)
	s.way(tags("waterway=river", "name=Afon"), 150, 150, 150, 10)
	s.way(tags("waterway=stream", "tunnel=culvert"), 140, 150, 140, 10)
	s.box(tags("building=yes", "building:levels=3", "addr:housenumber=7"), 10, 50, 12, 52)
	s.box(tags("landuse=forest", "name=Wood"), 20, 110, 60, 150)
	s.box(tags("leisure=park", "name=Green"), 20, 60, 40, 80)
	outer := s.box(tags(), 160, 60, 190, 90)
	island := s.box(tags("natural=scrub"), 170, 70, 180, 80)
	s.relation(tags("type=multipolygon", "natural=water", "water=lake", "name=Llyn"), []int64{outer}, []int64{island})
	border := s.way(tags("boundary=administrative", "admin_level=8"), 5, -20, 5, 160)
	s.relation(tags("type=boundary", "boundary=administrative", "admin_level=6"), []int64{border}, nil)
	s.node(45, 45, "place=town", "name=Trefach", "population=12000")
	s.node(30, 70, "amenity=pub", "name=The Ship")
	s.node(31, 71, "amenity=bench")
	s.node(80, 120, "natural=peak", "name=Bryn", "ele=123.4")
	return s
}

// What closes a country along the antimeridian or round its waters is no line on the ground.
func TestBordersThatAreNone(t *testing.T) {
	line := orb.MultiLineString{{{0.5, 0.5}, {0.6, 0.5}}}
	for tag, drawn := range map[string]bool{"name=Border": true, "maritime=yes": false, "closure_segment=yes": false, "natural=coastline": false} {
		if _, ok := boundaryFeature(tags("boundary=administrative", "admin_level=2", tag), 0, line); ok != drawn {
			t.Errorf("with %s it is drawn: %v", tag, ok)
		}
	}
}

func TestTownInDetail(t *testing.T) {
	r, summary := build(t, &town().data, Options{Name: "Trefach"})
	var b strings.Builder
	for _, zoom := range []int{6, 9, 12, 14, 15} {
		b.WriteString("zoom " + string(rune('0'+zoom/10)) + string(rune('0'+zoom%10)) + "\n")
		b.WriteString(describeFeatures(zoomLayers(t, r, zoom)))
	}
	golden.Assert(t, b.String(), "town.txt")
	if summary.Broken != 0 || summary.Dangling != 0 || summary.Dropped != 0 || summary.LooseEnds != 0 {
		t.Errorf("sound data, but %+v", summary)
	}
	meta := r.Metadata()
	if meta.Name != "Trefach" || meta.Attribution != DefaultAttribution || len(meta.VectorLayers) != int(hillshade) {
		t.Errorf("metadata %+v", meta)
	}
	for _, l := range meta.VectorLayers {
		if l.ID == "roads" && (l.Fields["is_bridge"] != "Boolean" || l.Fields["min_zoom"] != "Number" || l.Fields["shield_text"] != "String") {
			t.Errorf("fields of roads %v", l.Fields)
		}
	}
}

func TestResultDependsOnTheDataAlone(t *testing.T) {
	data := town().data
	dir := t.TempDir()
	whole := writePBF(t, filepath.Join(dir, "whole.osm.pbf"), &data)
	var halves [2]osm.Data
	for i, w := range data.Ways {
		halves[i%2].Ways = append(halves[i%2].Ways, w)
	}
	for i := range halves {
		halves[i].Nodes = data.Nodes
	}
	halves[1].Relations = data.Relations
	// The second file has older versions too, which must not count.
	stale := data.Ways[1]
	stale.Version = 0
	stale.Tags = tags("highway=motorway")
	halves[1].Ways = append(halves[1].Ways, stale)
	one := writePBF(t, filepath.Join(dir, "one.osm.pbf"), &halves[0])
	two := writePBF(t, filepath.Join(dir, "two.osm.pbf"), &halves[1])

	bounds := geo.Bounds{Min: geo.Point{Lon: 0.995, Lat: 50.998}, Max: geo.Point{Lon: 1.02, Lat: 51.015}}
	var first []byte
	for i, o := range []Options{
		{Sources: []string{whole}, Workers: 1},
		{Sources: []string{whole}, Workers: 7},
		{Sources: []string{one, two}, Workers: 2},
		{Sources: []string{two, one}, Workers: 2},
		{Sources: []string{backwards(t, dir, &data)}},
	} {
		o.Out, o.Bounds = filepath.Join(dir, "out.pmtiles"), bounds
		buildFrom(t, o)
		b, err := os.ReadFile(o.Out)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = b
		} else if !bytes.Equal(first, b) {
			t.Errorf("variant %d gives another map", i)
		}
	}
}

// backwards writes a file with relations first, then ways, then nodes, each
// from the last to the first.
func backwards(t *testing.T, dir string, data *osm.Data) string {
	t.Helper()
	var b bytes.Buffer
	if err := osmtest.WriteXML(&b, data); err != nil {
		t.Fatal(err)
	}
	var objects []string
	rest := b.String()
	for _, line := range strings.SplitAfter(rest, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "<node"), strings.HasPrefix(trimmed, "<way"), strings.HasPrefix(trimmed, "<relation"):
			objects = append(objects, line)
		case len(objects) > 0 && !strings.HasPrefix(trimmed, "</osm"):
			objects[len(objects)-1] += line
		}
	}
	slices.Reverse(objects)
	path := filepath.Join(dir, "backwards.osm")
	text := "<osm version=\"0.6\">\n" + strings.Join(objects, "") + "</osm>\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBrokenDataIsCounted(t *testing.T) {
	s := town()
	half := s.way(tags(), 300, 60, 320, 60, 320, 80)
	hole := s.box(tags(), 305, 65, 310, 70)
	s.relation(tags("type=multipolygon", "landuse=meadow"), []int64{half}, []int64{hole})
	s.relation(tags("type=multipolygon", "natural=water"), []int64{999999}, nil)
	s.data.Ways = append(s.data.Ways, osm.Way{ID: 5000, Tags: tags("highway=service"), Nodes: []int64{s.spot(0, 40), 888888, s.spot(50, 40), s.spot(60, 40)}})
	r, summary := build(t, &s.data, Options{})
	if summary.Broken != 2 || summary.Dangling != 2 {
		t.Errorf("%d broken, %d dangling; want 2 and 2", summary.Broken, summary.Dangling)
	}
	layers := zoomLayers(t, r, 14)
	if got := find(layers, "landuse", "meadow"); len(got) != 0 {
		t.Errorf("the hole of a broken meadow became a meadow: %v", got)
	}
	for _, f := range find(layers, "roads", "minor_road") {
		if f.Properties["kind_detail"] == "service" && len(f.Geometry.(orb.LineString)) != 2 {
			t.Errorf("the road jumps over its missing node: %v", f.Geometry)
		}
	}
}

func TestOldRelationsTakeTagsFromTheirWays(t *testing.T) {
	s := newSketch()
	s.way(tags("highway=residential"), 0, 0, 200, 200)
	outer := s.box(tags("landuse=forest"), 10, 10, 90, 90)
	inner := s.box(tags(), 30, 30, 60, 60)
	s.relation(tags("type=multipolygon"), []int64{outer}, []int64{inner})
	r, _ := build(t, &s.data, Options{})
	woods := find(zoomLayers(t, r, 14), "landuse", "forest")
	for _, f := range woods {
		if p := f.Geometry.(orb.Polygon); len(p) != 2 {
			t.Errorf("a forest with %d rings, want 2: its clearing is grown over", len(p))
		}
	}
	if len(woods) == 0 {
		t.Error("no forest")
	}
}

// A lake that is tagged on its relation and on its outer way, too, is one lake with its island,
// and has one name.
func TestLakeThatIsWayAndRelation(t *testing.T) {
	for _, c := range [][2]string{{"Llyn", "Llyn"}, {"Llyn", ""}, {"", "Llyn"}} {
		s := newSketch()
		s.way(tags("highway=residential"), 0, 0, 200, 200)
		of, own := tags("natural=water"), tags("type=multipolygon", "natural=water")
		if c[0] != "" {
			of = append(of, tags("name="+c[0])...)
		}
		if c[1] != "" {
			own = append(own, tags("name="+c[1])...)
		}
		outer := s.box(of, 10, 10, 90, 90)
		inner := s.box(tags("natural=wood"), 30, 30, 60, 60)
		s.relation(own, []int64{outer}, []int64{inner})
		r, _ := build(t, &s.data, Options{MaxZoom: 13})
		lakes, names := 0, 0
		for _, f := range zoomLayers(t, r, 13)["water"] {
			switch g := f.Geometry.(type) {
			case orb.Polygon:
				if lakes++; len(g) != 2 {
					t.Errorf("%v: a lake with %d rings, want 2: its island is under water", c, len(g))
				}
			case orb.Point:
				if names++; f.Properties["name"] != "Llyn" {
					t.Errorf("%v: named %v", c, f.Properties)
				}
			}
		}
		if lakes != 1 || names != 1 {
			t.Errorf("%v: %d lakes and %d names, want one of each", c, lakes, names)
		}
	}
}

// A building whose corners are in the wrong order crosses itself: both wings are drawn.
func TestBuildingThatCrossesItself(t *testing.T) {
	s := newSketch()
	s.way(tags("highway=residential"), 0, 0, 200, 200)
	s.way(tags("building=yes"), 10, 10, 30, 30, 30, 10, 10, 30, 10, 10) // two wings alike: no area at all
	s.way(tags("building=yes"), 50, 50, 90, 90, 90, 60, 50, 80, 50, 50)
	r, _ := build(t, &s.data, Options{MaxZoom: 14})
	wings := 0
	for _, f := range zoomLayers(t, r, 14)["buildings"] {
		switch g := f.Geometry.(type) {
		case orb.Polygon:
			wings++
		case orb.MultiPolygon:
			wings += len(g)
		}
	}
	if wings != 4 {
		t.Errorf("%d wings, want 4", wings)
	}
}

// The number of a house is drawn once, on whatever of it the address is mapped; those of other
// houses, and of the corner house of another street, stay.
func TestHouseNumbersAreToldOnce(t *testing.T) {
	s := newSketch()
	s.way(tags("highway=residential"), 0, 0, 200, 200)
	s.box(tags("building=yes", "addr:housenumber=7", "addr:street=High Street"), 10, 10, 12, 12)
	s.node(10, 11, "entrance=yes", "addr:housenumber=7", "addr:street=High Street")
	s.node(11, 12, "shop=bakery", "name=Bread", "addr:housenumber=7")
	s.node(12, 13, "addr:housenumber=7", "addr:street=Mill Lane")
	s.node(14, 11, "addr:housenumber=9", "addr:street=High Street")
	s.node(40, 11, "addr:housenumber=7", "addr:street=High Street")
	r, _ := build(t, &s.data, Options{})
	numbers := map[string]int{}
	for _, f := range zoomLayers(t, r, 15)["buildings"] {
		if f.Properties["kind"] == "address" {
			numbers[f.Properties["addr_housenumber"].(string)]++
		}
	}
	if !maps.Equal(numbers, map[string]int{"7": 3, "9": 1}) {
		t.Errorf("house numbers %v, want 7 of two streets and once farther away, and 9", numbers)
	}
}

// Coasts have thousands of islets that small maps cannot show; the largest island of a map is
// shown however small it is.
func TestIsletsOnSmallMaps(t *testing.T) {
	s := newSketch()
	s.box(tags("natural=coastline"), 0, 0, 60, 60)
	for i := range 500 {
		x, y := 100+i%25*8, i/25*8
		s.box(tags("natural=coastline"), x, y, x+4, y+4)
	}
	s.way(tags("highway=residential"), 10, 10, 290, 170)
	r, _ := build(t, &s.data, Options{MaxZoom: 14})
	for zoom, want := range map[int][2]int{0: {1, 1}, 3: {1, 4}, 14: {501, 1000}} { // some are in several tiles
		if islands := len(zoomLayers(t, r, zoom)["earth"]); islands < want[0] || islands > want[1] {
			t.Errorf("%d islands at zoom %d, want %v", islands, zoom, want)
		}
	}
}

func TestInlandIsAllLand(t *testing.T) {
	s := newSketch()
	s.way(tags("highway=residential"), 0, 0, 200, 200)
	r, _ := build(t, &s.data, Options{})
	for zoom := 0; zoom <= DefaultMaxZoom; zoom++ {
		layers := zoomLayers(t, r, zoom)
		if len(find(layers, "earth", "earth")) == 0 || len(find(layers, "water", "ocean")) != 0 {
			t.Errorf("zoom %d: %d earth, %d ocean", zoom, len(layers["earth"]), len(layers["water"]))
		}
	}
}

func TestFarStraysDoNotStretchTheMap(t *testing.T) {
	s := newSketch()
	for i := range 40 {
		s.way(tags("highway=residential"), i*5, 0, i*5, 50, i*5, 100, i*5, 150)
	}
	s.way(tags("highway=motorway"), 0, 0, 90000, 40000)
	path := backwards(t, t.TempDir(), &s.data) // declares no bounds
	_, summary := buildFrom(t, Options{Sources: []string{path}})
	b := summary.Bounds
	if b.Max.Lon > 1.03 || b.Min.Lon < 0.99 || b.Max.Lat > 51.03 {
		t.Errorf("bounds %v", b)
	}
	// The village takes a few tiles; the motorway is drawn on no ground but its own.
	const zoom = 1 << DefaultMaxZoom
	if most := uint64(60 + 2*(9*zoom/360+7*zoom/360)); summary.Tiles.Addressed > most {
		t.Errorf("%d tiles for a village and a motorway, want at most %d", summary.Tiles.Addressed, most)
	}
}

// The bounds that an extract declares may end before its roads do: they are drawn to their
// ends, and the ground under them is.
func TestRoadsLeadBeyondWhatIsDeclared(t *testing.T) {
	s := newSketch()
	for i := range 40 {
		s.way(tags("highway=residential"), i*5, 0, i*5, 50, i*5, 100, i*5, 150)
	}
	s.way(tags("highway=primary"), 200, 150, 400, 150)
	s.data.Bounds = geo.Bounds{Min: geo.Point{Lon: 1.0, Lat: 51.0}, Max: geo.Point{Lon: 1.02, Lat: 51.015}}
	r, summary := build(t, &s.data, Options{})
	last := geo.Point{Lon: 1.04, Lat: 51.015}
	if !summary.Bounds.Contains(last) {
		t.Errorf("bounds %v end before the road", summary.Bounds)
	}
	if meta := r.Metadata(); len(meta.Areas) != 1 || meta.View == nil || meta.View[2] < 1.0195 {
		t.Errorf("view %v, areas %v", meta.View, meta.Areas)
	}
	layers := zoomLayers(t, r, 14)
	if roads := find(layers, "roads", "major_road"); len(roads) == 0 {
		t.Error("the road is not drawn")
	}
}

func TestPlacesFarApartAreMapsOfTheirOwn(t *testing.T) {
	s := newSketch()
	for i := range 10 {
		s.way(tags("highway=residential"), i*10, 0, i*10, 100)
		s.way(tags("highway=residential"), 100000+i*10, 50000, 100000+i*10, 50100)
	}
	s.way(tags("natural=coastline"), -1000, 50, 1000, 50) // land to the north of the first
	path := backwards(t, t.TempDir(), &s.data)
	r, summary := buildFrom(t, Options{Sources: []string{path}})
	if summary.Tiles.Addressed > 100 {
		t.Errorf("%d tiles for two villages", summary.Tiles.Addressed)
	}
	if b := summary.Bounds; b.Max.Lon < 11 || b.Min.Lon > 1.01 {
		t.Errorf("bounds %v leave one out", b)
	}
	sea := find(zoomLayers(t, r, 8), "water", "ocean")
	if len(sea) == 0 {
		t.Error("the first village has lost its sea")
	}
}

// A road over the antimeridian is drawn on either side of it, not around the globe.
func TestRoadAcrossTheAntimeridian(t *testing.T) {
	d := &osm.Data{}
	road := osm.Way{ID: 1, Version: 1, Tags: tags("highway=primary")}
	for i := range int32(80) {
		lon := 1_799_900_000 + int64(i)*2_500
		if lon > 180e7 {
			lon -= 360e7
		}
		d.Nodes = append(d.Nodes, osm.Node{ID: int64(i + 1), Version: 1, Lon: int32(lon), Lat: -168_000_000 + i*100})
		road.Nodes = append(road.Nodes, int64(i+1))
	}
	d.Ways = append(d.Ways, road)
	r, summary := build(t, d, Options{})
	if summary.Tiles.Addressed > 100 {
		t.Errorf("%d tiles for a road of two kilometres", summary.Tiles.Addressed)
	}
	const zoom = 14
	for _, x := range []int{0, 1<<zoom - 1} {
		found := false
		for y := range 1 << zoom {
			_, ok, err := r.Tile(zoom, x, y)
			if err != nil {
				t.Fatal(err)
			}
			found = found || ok
		}
		if !found {
			t.Errorf("nothing is drawn in column %d", x)
		}
	}
}

func TestLargeTilesLoseTheirSmallestFeatures(t *testing.T) {
	s := newSketch()
	for i := range 60 {
		for j := range 60 {
			x, y := i*3, j*3
			s.box(tags("building=yes"), x, y, x+1+(i*j)%2, y+1)
		}
	}
	s.box(tags("building=yes", "height=50"), 200, 0, 260, 60)
	full, before := build(t, &s.data, Options{})
	limited, after := build(t, &s.data, Options{TileLimit: 4000})
	if before.Dropped != 0 || after.Dropped == 0 || after.Largest > 4000 {
		t.Errorf("dropped %d then %d, largest %d", before.Dropped, after.Dropped, after.Largest)
	}
	all, some := count(zoomLayers(t, full, 14)["buildings"]), count(zoomLayers(t, limited, 14)["buildings"])
	if some["building"] >= all["building"] || some["tall"] != all["tall"] || some["tall"] == 0 {
		t.Errorf("buildings %v became %v: the small ones should go, the large one stay", all, some)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	path := writePBF(t, filepath.Join(t.TempDir(), "town.osm.pbf"), &town().data)
	dir := t.TempDir()
	out := filepath.Join(dir, "x.pmtiles")
	for name, o := range map[string]Options{
		"no sources":  {Out: out},
		"no out":      {Sources: []string{path}},
		"zoom 16":     {Sources: []string{path}, Out: out, MaxZoom: 16},
		"flat bounds": {Sources: []string{path}, Out: out, Bounds: geo.Bounds{Min: geo.Point{Lon: 1, Lat: 51}, Max: geo.Point{Lon: 1, Lat: 52}}},
		"no file":     {Sources: []string{filepath.Join(dir, "absent.osm.pbf")}, Out: out},
		"empty":       {Sources: []string{writePBF(t, filepath.Join(t.TempDir(), "e.osm.pbf"), &osm.Data{})}, Out: out},
	} {
		if _, err := Build(context.Background(), o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := Options{Sources: []string{path}, Out: out, Progress: func(stage string, _, _ int64) {
		if stage == "tiles" {
			cancel()
		}
	}}
	if _, err := Build(ctx, stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, but %v", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("%d files are left behind, %v", len(files), err)
	}
}

func TestProjectionIsItsOwnInverse(t *testing.T) {
	for lat := -85.0; lat <= 85; lat += 2.5 {
		p := geo.Point{Lon: lat * 2, Lat: lat}
		if q := plane.Unproject(plane.Project(p)); math.Abs(q.Lon-p.Lon) > 1e-9 || math.Abs(q.Lat-p.Lat) > 1e-9 {
			t.Errorf("%v became %v", p, q)
		}
	}
}

// Islands are named whether their name is on a point, on their coast or on a
// relation of it, from the zoom at which there is room.
func TestIslandsAreNamed(t *testing.T) {
	s := newSketch()
	s.box(tags("natural=coastline", "place=island", "name=Large"), 0, 0, 400, 400)
	s.box(tags("natural=coastline", "place=islet", "name=Small"), 450, 0, 455, 5)
	coast := s.box(tags("natural=coastline"), 500, 100, 600, 200)
	s.relation(tags("type=multipolygon", "place=island", "name=Related"), []int64{coast}, nil)
	s.node(20, 20, "place=island", "name=Point")
	s.way(tags("highway=residential"), 10, 10, 390, 390)
	s.way(tags("highway=residential"), 510, 110, 590, 190)
	r, _ := build(t, &s.data, Options{})
	from := map[any]int{}
	for zoom := DefaultMaxZoom; zoom >= 0; zoom-- {
		layers := zoomLayers(t, r, zoom)
		for _, f := range append(find(layers, "earth", "island"), find(layers, "earth", "islet")...) {
			from[f.Properties["name"]] = zoom
		}
	}
	if len(from) != 4 || from["Large"] >= from["Related"] || from["Related"] >= from["Small"] {
		t.Errorf("islands are named from %v", from)
	}
}
