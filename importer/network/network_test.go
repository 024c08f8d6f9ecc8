package network

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/osm/osmtest"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/graph"
)

// tagged reads key=value pairs between commas.
func tagged(s string) osm.Tags {
	var t osm.Tags
	for _, pair := range strings.Split(s, ", ") {
		if k, v, ok := strings.Cut(pair, "="); ok {
			t = append(t, osm.Tag{Key: k, Value: v})
		}
	}
	return t
}

// sketch is a small OSM data set in the making. Nodes are letters; a letter
// that no place is given for is a node that the extract lacks.
type sketch struct{ osm.Data }

func (s *sketch) node(name byte, x, y int32, t string) {
	s.Nodes = append(s.Nodes, osm.Node{ID: int64(name), Lon: 95_000_000 + x*10_000, Lat: 470_000_000 + y*10_000, Tags: tagged(t)})
}

func (s *sketch) way(id int64, nodes, t string) {
	w := osm.Way{ID: id, Tags: tagged(t)}
	for i := range nodes {
		w.Nodes = append(w.Nodes, int64(nodes[i]))
	}
	s.Ways = append(s.Ways, w)
}

// rule adds a restriction; members as in "1 from, 3 via, c via, 2 to": digits
// are ways, a letter is a node.
func (s *sketch) rule(id int64, members, t string) {
	r := osm.Relation{ID: id, Tags: tagged(t)}
	for _, m := range strings.Split(members, ", ") {
		ref, role, _ := strings.Cut(m, " ")
		member := osm.Member{Kind: osm.KindWay, Role: role}
		if ref[0] > '9' {
			member.Kind, member.Ref = osm.KindNode, int64(ref[0])
		} else if _, err := fmt.Sscan(ref, &member.Ref); err != nil {
			panic(err)
		}
		r.Members = append(r.Members, member)
	}
	s.Relations = append(s.Relations, r)
}

// crossroads: roads 1 to 4 from n, e, s and w to c; the eastern ends at e,
// where 5 goes on to x and 6 to y.
func crossroads() *sketch {
	s := &sketch{}
	s.node('c', 0, 0, "")
	s.node('n', 0, 1, "")
	s.node('e', 1, 0, "")
	s.node('s', 0, -1, "")
	s.node('w', -1, 0, "")
	s.node('x', 2, 1, "")
	s.node('y', 2, -1, "")
	for i, line := range []string{"nc", "ce", "sc", "wc", "ex", "ey"} {
		s.way(int64(i+1), line, "highway=residential, name="+line)
	}
	return s
}

func (s *sketch) xml(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".pbf") {
		err = osm.WritePBF(f, &s.Data)
	} else {
		err = osmtest.WriteXML(f, &s.Data)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

type made struct {
	t      testing.TB
	g      *graph.Graph
	counts map[string]int64
	bounds geo.Bounds
	sum    string
}

// build runs the stage and opens what it made.
func build(t testing.TB, opt Options) made {
	t.Helper()
	dir := t.TempDir()
	opt.Out = filepath.Join(dir, "graph.new")
	counts, bounds, err := Build(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	info, err := region.Adopt(dir, opt.Out, graph.SectionName, graph.Version)
	if err != nil {
		t.Fatal(err)
	}
	if err := region.Seal(dir, &region.Manifest{ID: "x", Bounds: bounds, Sections: []region.SectionInfo{info}}); err != nil {
		t.Fatal(err)
	}
	r := regiontest.Open(t, dir)
	g, err := graph.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Verify(); err != nil {
		t.Fatal(err)
	}
	return made{t, g, counts.Counts, bounds, info.SHA256}
}

func (s *sketch) build(t testing.TB) made {
	t.Helper()
	return build(t, Options{Sources: []string{s.xml(t, "x.osm")}})
}

// segments lists the segments as the letters of their ends and their number of
// points, sorted.
func (m made) segments() string {
	var all []string
	for s := range graph.Segment(m.g.Segments()) {
		e := m.g.Forward[s]
		all = append(all, fmt.Sprintf("%c%c%d", m.g.NodeID[m.g.ByEdge[e].Tail], m.g.NodeID[m.g.ByEdge[e].Head], len(m.g.SegmentShape(s))))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// edge finds the edge between two nodes by their letters.
func (m made) edge(name string) graph.Edge {
	m.t.Helper()
	for e := range m.g.Base {
		if m.g.NodeID[m.g.ByEdge[e].Tail] == int64(name[0]) && m.g.NodeID[m.g.ByEdge[e].Head] == int64(name[1]) {
			return e
		}
	}
	m.t.Fatalf("no edge %s in %s", name, m.segments())
	return 0
}

// closed reports for whom the last turn of a walk is forbidden always, and
// whether it is forbidden at times.
func (m made) closed(walk string) (modes graph.Modes, timed bool) {
	m.t.Helper()
	edges := strings.Fields(walk)
	at := m.edge(edges[0])
	for i, name := range edges[1:] {
		to := m.edge(name)
		if m.g.ByEdge[to].Tail != m.g.ByEdge[at].Head {
			m.t.Fatalf("%s: no way on to %s", walk, name)
		}
		next := to
		for _, turn := range m.g.TurnsFrom(at) {
			switch {
			case turn.To != to:
			case turn.Replace != graph.None:
				next = turn.Replace
			case i < len(edges)-2:
			case turn.When == graph.AtTimes:
				timed = true
			default:
				modes |= turn.Modes
			}
		}
		at = next
	}
	return modes, timed
}

func TestSplitting(t *testing.T) {
	for _, c := range []struct {
		what   string
		draw   func(s *sketch)
		want   string
		counts map[string]int64
	}{
		{"ends meet", func(*sketch) {}, "ce2 ex2 ey2 nc2 sc2 wc2", map[string]int64{"nodes": 7, "segments": 6, "edges": 12, "ways": 6}},
		{"a way through a junction", func(s *sketch) { s.Ways = nil; s.way(1, "wce", "highway=primary"); s.way(2, "nc", "highway=primary") }, "ce2 nc2 wc2", nil},
		{"bends do not split", func(s *sketch) { s.Ways = nil; s.way(1, "nwcesy", "highway=primary") }, "ny6", map[string]int64{"nodes": 2}},
		{"two ways crossing in their middles", func(s *sketch) {
			s.Ways = nil
			s.way(1, "wce", "highway=primary")
			s.way(2, "ncs", "highway=primary")
		}, "ce2 cs2 nc2 wc2", nil},
		{"a way that nobody travels does not count twice", func(s *sketch) {
			s.Ways = nil
			s.way(1, "wce", "highway=primary")
			s.way(2, "ncs", "building=yes")
		}, "we3", map[string]int64{"ways": 1}},
		{"a way that crosses itself", func(s *sketch) { s.Ways = nil; s.way(1, "wcexnc", "highway=primary") }, "cx3 wc2 xc3", nil},
		{"a ring", func(s *sketch) { s.Ways = nil; s.way(1, "neswn", "highway=primary, junction=roundabout") }, "ns3 sn3", nil},
		{"a ring with an arm", func(s *sketch) {
			s.Ways = nil
			s.way(1, "neswn", "highway=primary")
			s.way(2, "ex", "highway=primary")
		}, "en4 ex2 ne2", nil},
		{"a ring with one junction elsewhere", func(s *sketch) {
			s.Ways = nil
			s.way(1, "neswn", "highway=primary")
			s.way(2, "nx", "highway=primary")
		}, "ns3 nx2 sn3", nil},
		{"a triangle", func(s *sketch) { s.Ways = nil; s.way(1, "nesn", "highway=primary") }, "ns3 sn2", nil},
		{"out and back", func(s *sketch) {
			s.Ways = nil
			s.way(1, "nen", "highway=primary")
			s.way(2, "sw", "highway=primary")
		}, "sw2", map[string]int64{"dropped_degenerate_rings": 1}},
		{"a node twice in a row", func(s *sketch) { s.Ways = nil; s.way(1, "nncces", "highway=primary") }, "cs3 nc2", nil},
		{"one node only", func(s *sketch) {
			s.Ways = nil
			s.way(1, "n", "highway=primary")
			s.way(2, "ss", "highway=primary")
			s.way(3, "cw", "highway=primary")
		}, "cw2", map[string]int64{"dropped_ways_without_line": 1}},
		{"two nodes at one place", func(s *sketch) {
			s.Ways = nil
			s.node('z', 1, 0, "")
			s.way(1, "ez", "highway=primary")
			s.way(2, "zx", "highway=primary")
		}, "ez2 zx2", nil},
		{"a missing node", func(s *sketch) { s.Ways = nil; s.way(1, "nc?se", "highway=primary") }, "nc2 se2", map[string]int64{"missing_nodes": 1}},
		{"missing nodes at the ends", func(s *sketch) { s.Ways = nil; s.way(1, "??ncs?", "highway=primary") }, "ns3", map[string]int64{"missing_nodes": 3}},
		{"one node left between missing ones", func(s *sketch) {
			s.Ways = nil
			s.way(1, "?n?cs", "highway=primary")
		}, "cs2", map[string]int64{"missing_nodes": 2}},
		{"nobody may use it", func(s *sketch) { s.way(9, "xy", "highway=service, access=no") }, "ce2 ex2 ey2 nc2 sc2 wc2", map[string]int64{"dropped_ways_without_access": 1}},
		{"a gate in the middle", func(s *sketch) {
			s.Ways, s.Nodes[0].Tags = nil, tagged("barrier=gate")
			s.way(1, "wce", "highway=primary")
		}, "ce2 wc2", nil},
		{"a signal in the middle", func(s *sketch) {
			s.Ways, s.Nodes[0].Tags = nil, tagged("highway=traffic_signals")
			s.way(1, "wce", "highway=primary")
		}, "we3", nil},
		{"a restriction's node in the middle", func(s *sketch) {
			s.Ways = nil
			s.way(1, "wce", "highway=primary")
			s.rule(1, "1 from, c via, 1 to", "type=restriction, restriction=no_u_turn")
		}, "ce2 wc2", map[string]int64{"restrictions": 1}},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := crossroads()
			c.draw(s)
			m := s.build(t)
			want := strings.Fields(c.want)
			slices.Sort(want)
			if got := m.segments(); got != strings.Join(want, " ") {
				t.Errorf("segments %s, want %s", got, want)
			}
			for name, n := range c.counts {
				if m.counts[name] != n {
					t.Errorf("%s: %d, want %d", name, m.counts[name], n)
				}
			}
		})
	}
}

const restrictedToAll = graph.Vehicles

func TestRestrictions(t *testing.T) {
	for _, c := range []struct {
		what    string
		members string
		tags    string
		closed  map[string]graph.Modes // walks, and for whom their last turn is closed
		timed   string                 // a walk closed at times
		count   string                 // that is 1 beside or instead of "restrictions"
	}{
		{
			what: "no turn", members: "1 from, c via, 2 to", tags: "restriction=no_left_turn",
			closed: map[string]graph.Modes{"nc ce": restrictedToAll, "nc cs": 0, "sc ce": 0, "ec cn": 0},
		},
		{
			what: "only one turn", members: "1 from, c via, 3 to", tags: "restriction=only_straight_on",
			closed: map[string]graph.Modes{"nc cs": 0, "nc ce": restrictedToAll, "nc cw": restrictedToAll, "nc cn": restrictedToAll, "wc ce": 0},
		},
		{
			what: "no turning round", members: "1 from, c via, 1 to", tags: "restriction=no_u_turn",
			closed: map[string]graph.Modes{"nc cn": restrictedToAll, "nc ce": 0},
		},
		{
			what: "no entry, from several", members: "1 from, 3 from, c via, 2 to", tags: "restriction=no_entry",
			closed: map[string]graph.Modes{"nc ce": restrictedToAll, "sc ce": restrictedToAll, "wc ce": 0},
		},
		{
			what: "no exit, to several", members: "1 from, c via, 2 to, 3 to", tags: "restriction=no_exit",
			closed: map[string]graph.Modes{"nc ce": restrictedToAll, "nc cs": restrictedToAll, "nc cw": 0},
		},
		{
			what: "over a way", members: "1 from, 2 via, 5 to", tags: "restriction=no_left_turn", count: "restrictions_via_way",
			closed: map[string]graph.Modes{"nc ce ex": restrictedToAll, "nc ce ey": 0, "sc ce ex": 0, "nc ce": 0},
		},
		{
			what: "only over a way", members: "1 from, 2 via, 5 to", tags: "restriction=only_left_turn", count: "restrictions_via_way",
			closed: map[string]graph.Modes{"nc ce ex": 0, "nc ce ey": restrictedToAll, "sc ce ey": 0},
		},
		{
			what: "over two ways", members: "1 from, 2 via, 5 via, 7 to", tags: "restriction=no_u_turn", count: "restrictions_via_way",
			closed: map[string]graph.Modes{"nc ce ex xy": restrictedToAll, "sc ce ex xy": 0, "ye ex xy": 0},
		},
		{
			what: "except for some", members: "1 from, c via, 2 to", tags: "restriction=no_left_turn, except=psv;bicycle",
			closed: map[string]graph.Modes{"nc ce": graph.Vehicles &^ (graph.Bus | graph.Taxi | graph.Bicycle)},
		},
		{
			what: "for lorries", members: "1 from, c via, 2 to", tags: "restriction:hgv=no_left_turn",
			closed: map[string]graph.Modes{"nc ce": graph.Truck},
		},
		{
			what: "for lorries by type", members: "1 from, c via, 2 to", tags: "type=restriction:hgv, restriction=no_left_turn",
			closed: map[string]graph.Modes{"nc ce": graph.Truck},
		},
		{
			what: "for caravans alone", members: "1 from, c via, 2 to", tags: "restriction:caravan=no_left_turn", count: "dropped_restrictions_unknown",
			closed: map[string]graph.Modes{"nc ce": 0},
		},
		{
			what: "at times", members: "1 from, c via, 2 to", tags: "restriction:conditional=no_left_turn @ (Mo-Fr 07:00-09:00)", timed: "nc ce",
			closed: map[string]graph.Modes{"nc ce": 0},
		},
		{
			what: "at times for lorries", members: "1 from, c via, 2 to", tags: "restriction:hgv:conditional=no_left_turn @ (Mo-Fr 07:00-09:00)", timed: "nc ce",
			closed: map[string]graph.Modes{"nc ce": 0},
		},
		{
			what: "lifted for lorries", members: "1 from, c via, 2 to", tags: "restriction=no_left_turn, restriction:conditional=none @ (hgv)",
			closed: map[string]graph.Modes{"nc ce": graph.Vehicles &^ graph.Truck},
		},
		{
			what: "lifted at times", members: "1 from, c via, 2 to", tags: "restriction=no_left_turn, restriction:conditional=none @ (22:00-06:00)",
			closed: map[string]graph.Modes{"nc ce": graph.Vehicles},
		},
		{
			what: "at the hours of old", members: "1 from, c via, 2 to", tags: "restriction=no_left_turn, day_on=Monday, day_off=Friday, hour_on=07:00, hour_off=09:00", timed: "nc ce",
			closed: map[string]graph.Modes{"nc ce": 0},
		},
		{what: "no from", members: "c via, 2 to", tags: "restriction=no_left_turn", count: "dropped_restrictions_incomplete"},
		{what: "no via", members: "1 from, 2 to", tags: "restriction=no_left_turn", count: "dropped_restrictions_incomplete"},
		{what: "no to", members: "1 from, c via", tags: "restriction=no_left_turn", count: "dropped_restrictions_incomplete"},
		{what: "no kind", members: "1 from, c via, 2 to", tags: "note=here", count: "dropped_restrictions_unknown", closed: map[string]graph.Modes{"nc ce": 0}},
		{what: "an unknown kind", members: "1 from, c via, 2 to", tags: "restriction=maybe", count: "dropped_restrictions_unknown", closed: map[string]graph.Modes{"nc ce": 0}},
		{what: "ways that do not meet", members: "1 from, c via, 5 to", tags: "restriction=no_left_turn", count: "dropped_restrictions_unconnected"},
		{what: "a way that is not there", members: "1 from, c via, 99 to", tags: "restriction=no_left_turn", count: "dropped_restrictions_unconnected"},
		{what: "a node that is not there", members: "1 from, z via, 2 to", tags: "restriction=no_left_turn", count: "dropped_restrictions_unconnected"},
		{
			what: "several ways it comes from", members: "1 from, 4 from, c via, 2 to", tags: "restriction=no_left_turn", count: "dropped_restrictions_ambiguous",
			closed: map[string]graph.Modes{"nc ce": 0, "wc ce": 0},
		},
		{
			what: "while a signal is red", members: "1 from, c via, 2 to", tags: "restriction=no_left_turn_on_red", count: "dropped_restrictions_unknown",
			closed: map[string]graph.Modes{"nc ce": 0},
		},
		{
			what: "a way that goes on beyond the node", members: "8 from, c via, 2 to", tags: "restriction=no_left_turn", count: "dropped_restrictions_ambiguous",
			closed: map[string]graph.Modes{"pc ce": 0, "qc ce": 0},
		},
		{
			what: "a one-way road that goes on beyond the node", members: "9 from, c via, 2 to", tags: "restriction=no_left_turn",
			closed: map[string]graph.Modes{"uc ce": restrictedToAll},
		},
		{
			what: "from one piece of a way over another way", members: "8 from, 2 via, 5 to", tags: "restriction=no_left_turn", count: "dropped_restrictions_ambiguous",
			closed: map[string]graph.Modes{"pc ce": 0},
		},
		{
			what: "exceptions between commas", members: "1 from, c via, 2 to", tags: "restriction=no_left_turn, except=bus,bicycle",
			closed: map[string]graph.Modes{"nc ce": restrictedToAll &^ (graph.Bus | graph.Bicycle)},
		},
		{
			what: "an only one with several ways out", members: "1 from, c via, 2 to, 3 to", tags: "restriction=only_straight_on", count: "dropped_restrictions_ambiguous",
			closed: map[string]graph.Modes{"nc cw": 0, "nc ce": 0},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := crossroads()
			s.way(7, "xy", "highway=residential")
			s.node('p', 1, 1, "")
			s.node('q', -1, -1, "")
			s.way(8, "pcq", "highway=residential")
			s.node('u', -1, 1, "")
			s.node('v', 1, -1, "")
			s.way(9, "ucv", "highway=residential, oneway=yes")
			kind := "type=restriction, "
			if strings.HasPrefix(c.tags, "type=") {
				kind = ""
			}
			s.rule(1, c.members, kind+c.tags)
			m := s.build(t)
			for walk, want := range c.closed {
				if got, _ := m.closed(walk); got != want {
					t.Errorf("%s is closed to %#x, want %#x", walk, got, want)
				}
			}
			if c.timed != "" {
				if _, timed := m.closed(c.timed); !timed {
					t.Errorf("%s is not closed at times", c.timed)
				}
			}
			want := int64(1)
			if strings.HasPrefix(c.count, "dropped") {
				want = 0
			}
			if m.counts["restrictions"] != want || c.count != "" && m.counts[c.count] != 1 {
				t.Errorf("counts %v, want %s", m.counts, c.count)
			}
		})
	}
}

func TestConditionIsKept(t *testing.T) {
	for given, want := range map[string]string{
		"restriction:conditional=no_left_turn @ (Mo-Fr 07:00-09:00)":                                                    "(Mo-Fr 07:00-09:00)",
		"restriction:conditional=no_left_turn @ 07:00-09:00":                                                            "07:00-09:00",
		"restriction=no_left_turn, hour_on=07:00, hour_off=09:00":                                                       "(07:00-09:00)",
		"restriction=no_left_turn, day_on=Monday, day_off=Friday, hour_on=07:00, hour_off=09:00":                        "(Mo-Fr 07:00-09:00)",
		"restriction=no_left_turn, day_on=Sunday":                                                                       "(Su)",
		"restriction:conditional=no_left_turn @ (Mo-Fr 07:00-09:00), hour_on=05:00, hour_off=06:00, day_on=T, day_off=": "(Mo-Fr 07:00-09:00)",
	} {
		s := crossroads()
		s.rule(77, "1 from, c via, 2 to", "type=restriction, "+given)
		m := s.build(t)
		turns := m.g.TurnsFrom(m.edge("nc"))
		if len(turns) != 1 || m.g.Attribute(turns[0].Set, "condition") != want || m.g.Attribute(turns[0].Set, "id") != "77" {
			t.Errorf("%s: turns %v, condition %q", given, turns, m.g.Attribute(turns[0].Set, "condition"))
		}
	}
}

// busy returns a data set with a bit of everything.
func busy() *sketch {
	s := crossroads()
	s.Timestamp = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s.Nodes[0].Tags = tagged("highway=traffic_signals")
	s.way(8, "xyn", "highway=primary, oneway=yes, maxheight=3.5")
	s.way(9, "wne?", "highway=cycleway")
	s.way(10, "sew", "building=yes")
	s.rule(1, "1 from, c via, 2 to", "type=restriction, restriction=no_left_turn, restriction:hgv=no_right_turn")
	s.rule(2, "1 from, 2 via, 5 to", "type=restriction, restriction=no_left_turn")
	s.rule(3, "3 from, 2 via, 6 to", "type=restriction, restriction=no_left_turn")
	s.rule(4, "9 ", "type=route, route=bicycle")
	s.rule(5, "1 from, c via, 2 to", "type=connectivity, connectivity=1:1|2:2")
	s.rule(6, "1 from, c via, 2 to", "type=connectivity, connectivity=2:(2)|3:2")
	s.rule(7, "3 from, 2 via, 5 to", "type=connectivity, connectivity=1:1,2")
	return s
}

// TestOrderDoesNotMatter shuffles the objects and writes them in several
// files and formats: the graph is the same to the byte.
func TestOrderDoesNotMatter(t *testing.T) {
	want := build(t, Options{Sources: []string{busy().xml(t, "x.osm.pbf")}})
	if want.counts["restrictions"] != 4 || want.counts["missing_nodes"] != 1 {
		t.Fatalf("counts %v", want.counts)
	}
	r := rand.New(rand.NewPCG(31, 32))
	for i := range 12 {
		s := busy()
		r.Shuffle(len(s.Nodes), func(i, j int) { s.Nodes[i], s.Nodes[j] = s.Nodes[j], s.Nodes[i] })
		r.Shuffle(len(s.Ways), func(i, j int) { s.Ways[i], s.Ways[j] = s.Ways[j], s.Ways[i] })
		r.Shuffle(len(s.Relations), func(i, j int) { s.Relations[i], s.Relations[j] = s.Relations[j], s.Relations[i] })
		files := []string{s.xml(t, "x.osm")}
		switch i % 3 {
		case 1: // nodes, ways and relations apart, the last first
			nodes, ways, relations := &sketch{}, &sketch{}, &sketch{}
			nodes.Nodes, ways.Ways, relations.Relations = s.Nodes, s.Ways, s.Relations
			files = []string{relations.xml(t, "r.osm"), ways.xml(t, "w.osm.pbf"), nodes.xml(t, "n.osm")}
		case 2: // two extracts that overlap
			a, b := &sketch{}, &sketch{}
			a.Data, b.Data = s.Data, s.Data
			a.Ways, b.Ways = s.Ways[:6], s.Ways[3:]
			a.Nodes, b.Nodes = s.Nodes[:5], s.Nodes[2:]
			a.Relations, b.Relations = s.Relations[:5], s.Relations[1:]
			files = []string{b.xml(t, "b.osm.pbf"), a.xml(t, "a.osm")}
		}
		got := build(t, Options{Sources: files})
		if got.sum != want.sum {
			t.Errorf("shuffle %d: another graph: %s, counts %v; want %s, %v", i, got.segments(), got.counts, want.segments(), want.counts)
		}
	}
}

// TestNumberedByPlace draws two villages whose ways are numbered in turn, of some the
// first node is lacking: the roads of each follow one another.
func TestNumberedByPlace(t *testing.T) {
	s := &sketch{}
	for i := range int32(8) {
		s.node('A'+byte(i), i%3, i/3, "")
		s.node('a'+byte(i), 5000+i%3, i/3, "")
	}
	for i := range int64(7) {
		lack := strings.Repeat("?", int(i%2))
		s.way(2*i+1, lack+"ABCDEFGH"[i:i+2], "highway=residential")
		s.way(2*i+2, lack+"abcdefgh"[i:i+2], "highway=residential")
	}
	g := s.build(t).g
	var villages []int64
	for _, way := range g.WayID {
		villages = append(villages, way%2)
	}
	if len(villages) != 14 || len(slices.Compact(villages)) != 2 {
		t.Errorf("the ways of segments are %v", g.WayID)
	}
}

func TestProcessorsDoNotMatter(t *testing.T) {
	path := busy().xml(t, "x.osm.pbf")
	var sums []string
	for _, n := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(n)
		sums = append(sums, build(t, Options{Sources: []string{path}}).sum)
		runtime.GOMAXPROCS(before)
	}
	if len(slices.Compact(sums)) != 1 {
		t.Errorf("graphs differ: %v", sums)
	}
}

func TestBounds(t *testing.T) {
	m := crossroads().build(t)
	if want := (geo.Bounds{Min: geo.Point{Lon: 9.499, Lat: 46.999}, Max: geo.Point{Lon: 9.502, Lat: 47.001}}); m.bounds != want {
		t.Errorf("bounds %v, want %v", m.bounds, want)
	}
}

func TestCountry(t *testing.T) {
	atSea := crossroads()
	for i := range atSea.Nodes {
		atSea.Nodes[i].Lon -= 400_000_000
	}
	for _, c := range []struct {
		what, fallback string
		s              *sketch
		code           uint16
		left           bool
	}{
		{"in Switzerland", "GB", crossroads(), 'C'<<8 | 'H', false},
		{"at sea", "", atSea, 0, false},
		{"at sea, British", "GB", atSea, 'G'<<8 | 'B', true},
	} {
		m := build(t, Options{Sources: []string{c.s.xml(t, "x.osm")}, Country: c.fallback})
		if m.g.Country[0] != c.code || (m.g.BySegment[0].Flags&graph.DriveOnLeft != 0) != c.left {
			t.Errorf("%s: country %#x, flags %#x", c.what, m.g.Country[0], m.g.BySegment[0].Flags)
		}
	}
}

// A road over the Rhine leads from Liechtenstein into Switzerland.
func TestCountryOnEitherSideOfABorder(t *testing.T) {
	s := &sketch{}
	s.node('a', 30, 150, "")
	s.node('b', 20, 150, "")
	s.node('c', -40, 150, "")
	s.node('d', -60, 150, "")
	s.node('n', 20, 151, "")
	s.node('m', -40, 151, "")
	s.way(1, "abcd", "highway=primary")
	s.way(2, "bn", "highway=residential")
	s.way(3, "cm", "highway=residential")
	m := s.build(t)
	for places, want := range map[string]string{"ab": "LI", "cd": "CH", "bn": "LI", "cm": "CH"} {
		c := m.g.Country[m.g.Segment(m.edge(places))]
		if got := string([]byte{byte(c >> 8), byte(c)}); got != want {
			t.Errorf("%s lies in %s, want %s", places, got, want)
		}
	}
}

// The border on the map counts for more than the built-in one, if it is whole.
func TestCountryByTheBorderOnTheMap(t *testing.T) {
	for _, c := range []struct {
		what, north string // of the way along the northern border
		want        map[string]string
	}{
		{"whole", "boundary=administrative, admin_level=2", map[string]string{"ab": "CH", "bc": "LI"}},
		{"with a way that is none of a border", "natural=cliff", map[string]string{"ab": "LI", "bc": "LI"}},
	} {
		s := &sketch{}
		s.node('a', 30, 150, "") // in Liechtenstein in fact
		s.node('b', 20, 150, "")
		s.node('c', 16, 150, "")
		s.way(1, "abc", "highway=primary")
		s.node('n', 20, 151, "")
		s.way(2, "bn", "highway=residential")
		s.node('1', 21, 140, "")
		s.node('2', 21, 160, "")
		s.node('3', 10, 160, "")
		s.node('4', 10, 140, "")
		s.way(3, "3412", "boundary=administrative, admin_level=2")
		s.way(4, "23", c.north)
		s.Relations = append(s.Relations, osm.Relation{
			ID: 1, Tags: tagged("type=boundary, boundary=administrative, admin_level=2, ISO3166-1=LI"),
			Members: []osm.Member{{Kind: osm.KindWay, Ref: 3, Role: "outer"}, {Kind: osm.KindWay, Ref: 4, Role: "outer"}, {Kind: osm.KindNode, Ref: 'a', Role: "label"}},
		})
		m := s.build(t)
		for places, want := range c.want {
			n := m.g.Country[m.g.Segment(m.edge(places))]
			if got := string([]byte{byte(n >> 8), byte(n)}); got != want {
				t.Errorf("%s: %s lies in %s, want %s", c.what, places, got, want)
			}
		}
	}
}

func TestFerryTakesItsTime(t *testing.T) {
	s := crossroads()
	s.way(20, "xn", "route=ferry, duration=00:03")
	m := s.build(t)
	e := m.edge("xn")
	seconds := m.g.EdgeLength(e) * 3.6 / float64(m.g.ByEdge[e].Speed)
	if m.g.BySegment[m.g.Segment(e)].Use != graph.Ferry || seconds < 140 || seconds > 220 { // speeds are whole numbers
		t.Errorf("%v at %d km/h takes %v s", m.g.EdgeLength(e), m.g.ByEdge[e].Speed, seconds)
	}
}

func TestSignsWithinASegment(t *testing.T) {
	for _, c := range []struct {
		tags              string
		forward, backward graph.EdgeFlags
	}{
		{"highway=traffic_signals", graph.HeadSignal, graph.HeadSignal},
		{"highway=traffic_signals, traffic_signals:direction=forward", graph.HeadSignal, 0},
		{"highway=stop, direction=backward", 0, graph.HeadStop},
		{"highway=stop, direction=both", graph.HeadStop, graph.HeadStop},
		{"highway=give_way", graph.HeadGiveWay, 0}, // nearer the end of the way
	} {
		s := &sketch{}
		s.node('a', 0, 0, "")
		s.node('b', 5, 0, "")
		s.node('c', 9, 0, c.tags)
		s.node('d', 10, 0, "")
		s.way(1, "abcd", "highway=primary")
		m := s.build(t)
		const signs = graph.HeadSignal | graph.HeadStop | graph.HeadGiveWay
		if f, b := m.g.ByEdge[m.edge("ad")].Flags&signs, m.g.ByEdge[m.edge("da")].Flags&signs; f != c.forward || b != c.backward {
			t.Errorf("%s: %#x and %#x, want %#x and %#x", c.tags, f, b, c.forward, c.backward)
		}
	}
}

func TestBuiltUp(t *testing.T) {
	const n = 60
	town := &sketch{} // a grid of streets a hundred metres apart, six kilometres wide
	id := int64(1000)
	for y := range int32(n) {
		for x := range int32(n) {
			town.Nodes = append(town.Nodes, osm.Node{ID: id + int64(y*n+x), Lon: 95_000_000 + x*13_000, Lat: 470_000_000 + y*9_000})
		}
	}
	for i := range int64(n) {
		row, column := osm.Way{ID: 1 + i, Tags: tagged("highway=residential")}, osm.Way{ID: 101 + i, Tags: tagged("highway=residential")}
		for j := range int64(n) {
			row.Nodes, column.Nodes = append(row.Nodes, id+i*n+j), append(column.Nodes, id+j*n+i)
		}
		town.Ways = append(town.Ways, row, column)
	}
	m := town.build(t)
	density := func(x, y int64) uint8 { // of a road from a crossing
		at := graph.Node(slices.Index(m.g.NodeID, id+y*n+x))
		return m.g.BySegment[m.g.Segment(m.g.FirstOut[at])].Flags.Density()
	}
	if density(n/2, n/2) <= graph.MaxRural {
		t.Error("the middle of a town is not built up")
	}
	if density(0, 0) >= density(n/2, n/2) {
		t.Error("the very corner of a town is as built up as its middle")
	}
	if m := crossroads().build(t); m.g.BySegment[0].Flags.Density() > graph.MaxRural {
		t.Error("a crossroads is built up")
	}
}

func TestNoRoads(t *testing.T) {
	empty, noRoads, noNodes := &sketch{}, &sketch{}, &sketch{}
	noRoads.node('a', 0, 0, "")
	noRoads.node('b', 1, 0, "")
	noRoads.way(1, "ab", "building=yes")
	noNodes.way(1, "ab", "highway=primary")
	noNodes.node('a', 0, 0, "")
	for _, s := range []*sketch{empty, noRoads, noNodes} {
		out := filepath.Join(t.TempDir(), "graph.new")
		if _, _, err := Build(context.Background(), Options{Sources: []string{s.xml(t, "x.osm.pbf")}, Out: out}); !errors.Is(err, ErrNoRoads) {
			t.Errorf("got %v", err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("something was written")
		}
	}
}

func TestBuildStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Build(ctx, Options{Sources: []string{busy().xml(t, "x.osm")}, Out: filepath.Join(t.TempDir(), "x")}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestProgressRises(t *testing.T) {
	last := int64(-1)
	build(t, Options{Sources: []string{busy().xml(t, "x.osm"), crossroads().xml(t, "y.osm.pbf")}, Progress: func(done, size int64) {
		if done < 0 || done > size {
			t.Errorf("%d of %d", done, size)
		}
		last = done
	}})
	if last <= 0 {
		t.Error("no progress was reported")
	}
}

// TestIDIndex compares with a map.
func TestIDIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	var x idIndex[uint32]
	want := map[int64]uint32{}
	if _, ok := x.find(1); ok {
		t.Error("found in nothing")
	}
	for range 20_000 {
		id := r.Int64N(15_000) - 5_000 // editors give new objects negative ids
		n, isNew := x.add(id)
		old, known := want[id]
		if isNew == known || known && n != old {
			t.Fatalf("%d: number %d, new %v; had %d, %v", id, n, isNew, old, known)
		}
		want[id] = n
	}
	for id := int64(-6_000); id < 11_000; id++ {
		n, ok := x.find(id)
		if w, known := want[id]; ok != known || ok && n != w {
			t.Fatalf("%d: found %d, %v; want %d, %v", id, n, ok, w, known)
		}
	}
}
