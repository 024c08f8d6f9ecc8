package graph

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region/regiontest"
)

// draft builds networks by the names of nodes: a letter is a node, its place
// on a grid of 0.001 degrees, about 111 metres at the equator.
type draft struct {
	b     *Builder
	nodes map[byte]AddedNode
	edge  map[string]DirectedSegment // "ab" is the edge from a to b
}

func newDraft(places map[byte][2]int) *draft {
	d := &draft{b: NewBuilder(), nodes: map[byte]AddedNode{}, edge: map[string]DirectedSegment{}}
	var names []byte
	for n := range places {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		at := geo.Fixed{Lon: int32(places[n][0]) * 10_000, Lat: int32(places[n][1]) * 10_000}
		d.nodes[n] = d.b.AddNode(NodeFacts{Position: at, OSM: int64(n), Access: AllModes})
	}
	return d
}

// road adds a segment along the letters: the first and last are its nodes.
func (d *draft) road(line string, change func(*SegmentFacts)) {
	from, to := line[0], line[len(line)-1]
	s := SegmentFacts{From: d.nodes[from], To: d.nodes[to], Way: int64(len(d.edge)/2 + 1), Class: Residential, Name: d.b.Set("name", line)}
	s.Forward = Direction{Access: AllModes, Speed: 50}
	s.Backward = s.Forward
	if change != nil {
		change(&s)
	}
	var shape []geo.Fixed
	for i := range line {
		shape = append(shape, d.b.Node(d.nodes[line[i]]).Position)
		s.InnerNodes = append(s.InnerNodes, int64(line[i]))
	}
	s.InnerNodes = s.InnerNodes[1 : len(line)-1]
	n := d.b.AddSegment(s, shape)
	d.edge[string([]byte{from, to})] = n.Forwards()
	d.edge[string([]byte{to, from})] = n.Backwards()
}

func (d *draft) ban(only bool, edges ...string) {
	r := Restriction{Only: only, Modes: Vehicles}
	for _, e := range edges {
		x, ok := d.edge[e]
		if !ok {
			panic("no edge " + e)
		}
		r.Path = append(r.Path, x)
	}
	d.b.Restrict(r)
}

// built finds the edges of a built graph by the names of their ends.
type built struct {
	g    *Graph
	edge map[string]Edge
	name []string // by original edge
}

func (d *draft) build(t testing.TB) built {
	t.Helper()
	g := d.b.Build()
	x := built{g: g, edge: map[string]Edge{}, name: make([]string, g.Base)}
	for e := range g.Base {
		name := string([]byte{byte(g.NodeID[g.ByEdge[e].Tail]), byte(g.NodeID[g.ByEdge[e].Head])})
		x.edge[name], x.name[e] = e, name
	}
	if err := g.Verify(); err != nil {
		t.Fatal(err)
	}
	return x
}

// cross returns a crossroads c with four arms, of which the eastern goes on.
func cross() *draft {
	d := newDraft(map[byte][2]int{'c': {0, 0}, 'n': {0, 1}, 'e': {1, 0}, 's': {0, -1}, 'w': {-1, 0}, 'x': {2, 1}, 'y': {2, -1}})
	for _, line := range []string{"nc", "ec", "sc", "wc", "ex", "ey"} {
		d.road(line, nil)
	}
	return d
}

func TestBuild(t *testing.T) {
	d := cross()
	d.road("xny", func(s *SegmentFacts) { // bent: n is only a point of its line
		s.Backward.Access = 0
		s.Flags = Oneway
	})
	x := d.build(t)
	g := x.g
	if g.Nodes() != 7 || g.Segments() != 7 || g.Edges() != 14 || g.Base != 14 {
		t.Fatalf("%d nodes, %d segments, %d edges, base %d", g.Nodes(), g.Segments(), g.Edges(), g.Base)
	}
	for i := 1; i < g.Nodes(); i++ {
		if geo.Hilbert(g.Position[i-1]) > geo.Hilbert(g.Position[i]) {
			t.Errorf("node %d is not along the curve", i)
		}
	}
	for e := Edge(1); e < g.Base; e++ {
		if before := e - 1; g.ByEdge[before].Tail > g.ByEdge[e].Tail || g.ByEdge[before].Tail == g.ByEdge[e].Tail && g.ByEdge[before].Head > g.ByEdge[e].Head {
			t.Errorf("edge %d is not after edge %d by tail and head", e, before)
		}
	}
	for name, e := range x.edge {
		back := x.edge[string([]byte{name[1], name[0]})]
		if g.ByEdge[e].Opposite != back || g.Segment(e) != g.Segment(back) || g.Backward(e) == g.Backward(back) {
			t.Errorf("edges %s and back do not belong together", name)
		}
	}
	xy, yx := x.edge["xy"], x.edge["yx"]
	if g.ByEdge[xy].Access != AllModes || g.ByEdge[yx].Access != 0 || g.Backward(xy) || !g.Backward(yx) {
		t.Error("the one-way is wrong")
	}
	forward, backward := g.AppendShape(nil, xy), g.AppendShape(nil, yx)
	slices.Reverse(backward)
	if len(forward) != 3 || !slices.Equal(forward, backward) || forward[0] != (geo.Point{Lon: 0.002, Lat: 0.001}) {
		t.Errorf("shapes %v and %v", forward, backward)
	}
	if want := geo.Length(forward); g.EdgeLength(xy) < want-0.01 || g.EdgeLength(xy) > want+0.01 {
		t.Errorf("length %v, want %v", g.EdgeLength(xy), want)
	}
	if g.NameOf(xy, "name") != "xny" || g.NameOf(xy, "ref") != "" || g.WayID[g.Segment(xy)] != 7 {
		t.Error("the facts of the bent road are lost")
	}
}

func TestBearings(t *testing.T) {
	at := func(x, y int32) geo.Fixed { return geo.Fixed{Lon: x * 1000, Lat: y * 1000} } // 11 m steps
	for _, c := range []struct {
		what    string
		shape   []geo.Fixed
		out, in float64
	}{
		{"north", []geo.Fixed{at(0, 0), at(0, 10)}, 0, 0},
		{"west", []geo.Fixed{at(0, 0), at(-10, 0)}, 270, 270},
		{"a corner", []geo.Fixed{at(0, 0), at(10, 0), at(10, 10)}, 90, 0},
		{"a kerb at both ends is looked past", []geo.Fixed{{}, {Lon: 8}, at(0, 10), at(10, 10), {Lon: 10_000, Lat: 10_008}}, 0, 90},
		{"a bend is seen part of the way", []geo.Fixed{{}, {Lat: 675}, {Lon: 675, Lat: 675}}, 45, 45},
		{"shorter than the look ahead", []geo.Fixed{{}, {Lon: 500}, {Lon: 500, Lat: 500}}, 45, 45},
		{"no length", []geo.Fixed{{}, {}}, 0, 0},
	} {
		near := func(got, want float64) bool { return math.Abs(geo.Turn(want, got)-180) > 179 }
		if got := bearing(c.shape, false, 15); !near(got, c.out) {
			t.Errorf("%s: leaves at %v, want %v", c.what, got, c.out)
		}
		if got := bearing(c.shape, true, 15); c.what != "no length" && !near(got, math.Mod(c.in+180, 360)) {
			t.Errorf("%s: backwards it leaves at %v, want %v", c.what, got, c.in+180)
		}
	}
}

// TestBearingMetres checks that bearings of larger roads are taken farther from the junction,
// and those of paths nearer to it.
func TestBearingMetres(t *testing.T) {
	for _, c := range []struct {
		class Class
		use   Use
		want  float64
	}{
		{Motorway, Ramp, 24},
		{Trunk, Road, 24},
		{Primary, Road, 21},
		{Tertiary, Road, 21},
		{Unclassified, Road, 15},
		{ServiceOther, Track, 15},
		{ServiceOther, Footway, 7.5},
		{Residential, Steps, 7.5},
		{Tertiary, Cycleway, 10.5},
	} {
		if got := BearingMetres(c.class, c.use); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("class %d with use %d: %g m, want %g", c.class, c.use, got, c.want)
		}
	}
}

// TestBearingCode holds the steps in which bearings are kept: whole degrees, of which
// one in four or so gives way to its neighbour.
func TestBearingCode(t *testing.T) {
	for degrees := range 360 {
		if got := bearingDegrees[bearingCode(float64(degrees))]; max(got, degrees)-min(got, degrees) > 1 {
			t.Errorf("%d degrees are kept as %d", degrees, got)
		}
	}
	for _, c := range [][2]int{{0, 0}, {90, 90}, {180, 180}, {270, 270}, {359, 359}} {
		if got := bearingDegrees[bearingCode(float64(c[0]))]; got != c[1] {
			t.Errorf("%d degrees are kept as %d, want %d", c[0], got, c[1])
		}
	}
	if bearingCode(359.6) != bearingCode(0) {
		t.Error("359.6 degrees are not north")
	}
}

func TestDeadEnds(t *testing.T) {
	x := cross().build(t)
	for name, want := range map[string]bool{"cn": true, "nc": false, "cs": true, "ce": false, "ex": true, "xe": false} {
		if got := x.g.ByEdge[x.edge[name]].Flags&DeadEnd != 0; got != want {
			t.Errorf("%s: dead end is %v", name, got)
		}
	}
}

func TestSetsAndLimitsAreShared(t *testing.T) {
	b := NewBuilder()
	one, same, other := b.Set("name", "High Street", "ref", "A1"), b.Set("name", "High Street", "ref", "A1"), b.Set("ref", "A1", "name", "High Street")
	if one == 0 || one != same || one == other || b.Set() != 0 {
		t.Errorf("sets %d, %d, %d and %d", one, same, other, b.Set())
	}
	low := ForAll(Bounds{Height: 300})
	if b.Limits(Limits{}) != 0 || b.Limits(low) != 1 || b.Limits(ForAll(Bounds{Height: 301})) != 2 || b.Limits(low) != 1 {
		t.Error("limits are not shared")
	}
	g := b.Build()
	if g.Attribute(one, "ref") != "A1" || g.Attribute(one, "lost") != "" || g.Attribute(0, "name") != "" {
		t.Error("attributes are lost")
	}
	if g.String(g.Value(one, NameKey)) != "High Street" || g.Value(one, RefKey) != g.Value(other, RefKey) || g.Value(0, NameKey) != 0 {
		t.Error("values by number differ")
	}
	var all []string
	g.Attributes(one, func(k, v string) bool {
		all = append(all, k+"="+v)
		return true
	})
	if strings.Join(all, " ") != "name=High Street ref=A1" {
		t.Errorf("attributes %v", all)
	}
	g.Attributes(one, func(string, string) bool { all = nil; return false })
	if all != nil {
		t.Error("it went on after yield returned false")
	}
}

// written takes a graph through a region on disk.
func written(t *testing.T, g *Graph) *Graph {
	t.Helper()
	back, err := Open(regiontest.Of(t, SectionName, Version, g.Write))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestPath(t *testing.T) {
	x := cross().build(t)
	p := Path{{Edge: x.edge["nc"], Begin: 0.5, End: 1, Seconds: 4}, {Edge: x.edge["ce"], End: 0.25, Seconds: 2, Turn: 3}}
	if got, want := p.Metres(x.g), 0.5*x.g.EdgeLength(x.edge["nc"])+0.25*x.g.EdgeLength(x.edge["ce"]); got != want {
		t.Errorf("%v m, want %v", got, want)
	}
	if p.Seconds() != 9 {
		t.Errorf("%v s", p.Seconds())
	}
}

func TestClassNames(t *testing.T) {
	for c := Motorway; c <= ServiceOther; c++ {
		if got, ok := ParseClass(c.String()); !ok || got != c {
			t.Errorf("%v reads as %v", c, got)
		}
	}
	if _, ok := ParseClass("lane"); ok {
		t.Error("lane is no class")
	}
	if Construction.String() != "construction" || Impassable.String() != "impassable" || Trail.String() != "path" {
		t.Error("names have slipped")
	}
}
