// Package towntest turns a town drawn in a test into OSM data and a real
// region.
//
//	town := towntest.Draw(t, `
//		a--b--c
//		   |
//		   d`,
//		towntest.Ways{
//			{"abc", `primary name="High Street" oneway=yes`},
//			{"bd", "residential"},
//		},
//		towntest.Turns{{"ab", "b", "bd", "no_right_turn"}},
//		towntest.Nodes{{"b", "traffic_signals"}})
//
// Letters and digits are named places on a grid: one character is one cell,
// 100 m unless Cell says otherwise, columns to the east and lines to the
// south. The strokes between them (- | / \ and the like) are only for the
// reader; Ways names the roads. Where the town stands decides the country
// and so the side of the road: England unless At says otherwise.
package towntest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

// England is farmland in Berkshire, where traffic keeps left.
var England = geo.Point{Lon: -1.5, Lat: 51.5}

// Germany is farmland in Thuringia, where traffic keeps right.
var Germany = geo.Point{Lon: 10.7, Lat: 51.2}

// Plan is a drawn town before it is built. The zero value of all but Drawing
// is good.
type Plan struct {
	Drawing   string
	Ways      Ways
	Turns     Turns
	Nodes     Nodes
	Relations Relations
	At        At      // of the drawing's top left corner; the zero value is England
	Cell      Cell    // 0 is 100 m
	FirstID   FirstID // 0 is 1
}

// Part is one part of a plan, as Draw takes them: Ways, Turns, Nodes,
// Relations, At, Cell or FirstID.
type Part interface{ addTo(p *Plan) }

// Ways lists lines through places, each with its tags: {"abc", "primary"}. A
// line whose last place is its first is closed. A highway or a ferry without a
// name is named by its places ("abc"); name="" leaves it without one.
//
// Tags are key=value, separated by spaces; a value with spaces stands in
// double quotes; a word without "=" is the value of highway.
type Ways [][2]string

// Turns lists turn restrictions: the way it comes from, the node or way it
// goes through, the way it leads to, and the kind:
//
//	{"ab", "b", "bc", "no_left_turn except=bicycle"}
//	{"ab", "bc", "cd", "no_u_turn"}
//	{"ab", "b", "bc", "restriction:hgv=no_left_turn"}
//
// A way is named by two or more consecutive places of it; several via ways are
// separated by spaces. The kind is tags in which a word without "=" is the
// value of restriction.
type Turns [][4]string

// Nodes lists places with tags of their own: {"b", "barrier=gate"}. A word
// without "=" is the value of highway.
type Nodes [][2]string

// Relations lists relations other than turn restrictions by tags and members:
// {"type=multipolygon landuse=forest", "outer:abcda inner:efge"}. A member of
// one letter is a node, any other a way; the role may be absent.
type Relations [][2]string

// At is where the top left corner of the drawing lies.
type At geo.Point

// Cell is the length of a grid cell in metres.
type Cell float64

// FirstID is the lowest OSM identifier of the town's nodes, ways and
// relations, for towns that will share a data set.
type FirstID int64

func (w Ways) addTo(p *Plan)      { p.Ways = append(p.Ways, w...) }
func (t Turns) addTo(p *Plan)     { p.Turns = append(p.Turns, t...) }
func (n Nodes) addTo(p *Plan)     { p.Nodes = append(p.Nodes, n...) }
func (r Relations) addTo(p *Plan) { p.Relations = append(p.Relations, r...) }
func (a At) addTo(p *Plan)        { p.At = a }
func (c Cell) addTo(p *Plan)      { p.Cell = c }
func (f FirstID) addTo(p *Plan)   { p.FirstID = f }

// Town is a built town.
type Town struct {
	origin geo.Point
	cell   float64
	places map[rune]cellAt // of every letter of the drawing
	order  []rune          // the letters, line by line
	nodes  map[rune]int64  // OSM node of each letter that is one
	ways   []line
	data   osm.Data
	built  build
}

type cellAt struct{ col, row int }

type line struct {
	id     int64
	places string
}

// Draw builds a town and fails the test where the plan has a mistake.
func Draw(t testing.TB, drawing string, parts ...Part) *Town {
	t.Helper()
	plan := Plan{Drawing: drawing}
	for _, part := range parts {
		part.addTo(&plan)
	}
	town, err := plan.Build()
	if err != nil {
		t.Fatal(err)
	}
	town.built.owner = t
	return town
}

// Data returns the town as OSM data, sorted by kind and identifier. It must not
// be changed.
func (t *Town) Data() *osm.Data { return &t.data }

// Places returns the letters of the drawing, line by line.
func (t *Town) Places() string { return string(t.order) }

// Bounds returns the box of all places that are nodes of the data.
func (t *Town) Bounds() geo.Bounds {
	b := geo.NoBounds()
	for _, p := range t.NodePlaces() {
		b = b.Extend(t.Point(string(p)))
	}
	return b
}

// NodePlaces returns the letters that are nodes of the data, line by line.
func (t *Town) NodePlaces() string {
	var places []rune
	for _, r := range t.order {
		if _, ok := t.nodes[r]; ok {
			places = append(places, r)
		}
	}
	return string(places)
}

// Point returns the position of a place of the drawing, whether a road leads
// there or not. It panics for a name that the drawing does not have, as every
// method that takes names does.
func (t *Town) Point(name string) geo.Point {
	r := []rune(name)
	if len(r) != 1 {
		panic(fmt.Sprintf("towntest: %q is not one letter of the drawing", name))
	}
	at, ok := t.places[r[0]]
	if !ok {
		panic(fmt.Sprintf("towntest: the drawing has no %q, only %q", name, t.Places()))
	}
	return t.grid(at)
}

// grid returns the position of a cell on the OSM grid, so that it equals the
// position an engine reads from the file.
func (t *Town) grid(at cellAt) geo.Point {
	metres := geo.EarthRadius * math.Pi / 180
	return geo.Point{
		Lon: t.origin.Lon + float64(at.col)*t.cell/(metres*math.Cos(t.origin.Lat*math.Pi/180)),
		Lat: t.origin.Lat - float64(at.row)*t.cell/metres,
	}.Fix().Point()
}

// Between returns the point at a share of the straight line from a to b: 0 is a,
// 1 is b.
func (t *Town) Between(a, b string, share float64) geo.Point {
	p, q := t.Point(a), t.Point(b)
	return geo.Point{Lon: p.Lon + (q.Lon-p.Lon)*share, Lat: p.Lat + (q.Lat-p.Lat)*share}
}

// Offset returns the point some metres east and north of a place.
func (t *Town) Offset(name string, east, north float64) geo.Point {
	p := t.Point(name)
	return geo.Destination(geo.Destination(p, 90, east), 0, north)
}

// NodeID returns the OSM identifier of a place that is a node of the data.
func (t *Town) NodeID(name string) int64 {
	for r, id := range t.nodes {
		if string(r) == name {
			return id
		}
	}
	panic(fmt.Sprintf("towntest: %q is no node of the town: no way, turn or tag uses it", name))
}

// WayID returns the OSM identifier of the one way with these consecutive places,
// in either direction.
func (t *Town) WayID(names string) int64 {
	id, err := t.wayID(names)
	if err != nil {
		panic("towntest: " + err.Error())
	}
	return id
}

func (t *Town) wayID(names string) (int64, error) {
	var found []int64
	for _, w := range t.ways {
		if w.places == names { // the whole way is meant, however many others share it
			return w.id, nil
		}
		if strings.Contains(w.places, names) || strings.Contains(w.places, reverse(names)) {
			found = append(found, w.id)
		}
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("no way runs through %q", names)
	case 1:
		return found[0], nil
	}
	return 0, fmt.Errorf("%d ways run through %q: name one by all its places", len(found), names)
}

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
