package guide_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

// shown writes lanes as their arrows' numbers, those that lead on with !.
func shown(lanes []guidance.Lane) string {
	var out []string
	for _, l := range lanes {
		s := fmt.Sprint(l.Indications)
		if l.Valid {
			s += "!" + fmt.Sprint(l.Take)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// dualCarriageway returns a ring road of two carriageways that a road crosses: its
// southern arm is as given.
func dualCarriageway(south sketch.Way) sketch.Sketch {
	south.Places, south.Name = "sx", "South"
	return sketch.Sketch{
		Picture: `
            n
            .
d...........y...........c
            .
a...........x...........b
            .
            s`,
		Ways: []sketch.Way{
			{Places: "axb", Name: "Ring", Oneway: true},
			{Places: "cyd", Name: "Ring", Oneway: true},
			south,
			{Places: "xy"},
			{Places: "yn", Name: "North"},
		},
	}
}

func TestLanesAt(t *testing.T) {
	cross := func(lanes string, more ...string) sketch.Sketch {
		return sketch.Sketch{
			Picture: `
          n
          .
          .
w.........x.........e
          .
          .
          s`,
			Ways: []sketch.Way{
				{Places: "sx", Name: "South", Edge: graph.HasLanes, Sign: append([]string{"turn:lanes:forward", lanes}, more...)},
				{Places: "xn", Name: "North"},
				{Places: "wxe", Name: "Ring"},
			},
		}
	}
	tee := func(lanes string) sketch.Sketch {
		s := cross(lanes)
		s.Ways = []sketch.Way{s.Ways[0], s.Ways[2]}
		return s
	}
	dual := func(lanes string) sketch.Sketch {
		return dualCarriageway(sketch.Way{Edge: graph.HasLanes, Sign: []string{"turn:lanes:forward", lanes}})
	}
	median := sketch.Sketch{
		Picture: `
d...........y...........c
            .
a...........x...........b`,
		Ways: []sketch.Way{
			{Places: "ax", Name: "Ring", Oneway: true, Edge: graph.HasLanes, Sign: []string{"turn:lanes", "none|right"}},
			{Places: "xb", Name: "Ring", Oneway: true},
			{Places: "cyd", Name: "Ring", Oneway: true},
			{Places: "xy"},
		},
	}
	parting := func(before, left, right string) sketch.Sketch {
		way := func(places, lanes string) sketch.Way {
			w := sketch.Way{Places: places, Oneway: true}
			if lanes != "" {
				w.Sign = []string{"lanes", lanes}
			}
			return w
		}
		return sketch.Sketch{
			Picture: `
     a
     . b
     .
     .
     x
     .
     s`,
			Ways: []sketch.Way{way("sx", before), way("xa", left), way("xb", right)},
		}
	}
	// Two ways that leave side by side and part later.
	fork := func(lanes string) sketch.Sketch {
		return sketch.Sketch{
			Picture: `
       b

     a




     x
     .
     s`,
			Ways: []sketch.Way{
				{Places: "sx", Oneway: true, Edge: graph.HasLanes, Sign: []string{"turn:lanes", lanes}},
				{Places: "xa", Oneway: true},
				{Places: "xb", Oneway: true},
			},
		}
	}
	// A road that bends a little to the left where another leaves to the right.
	bend := func(lanes string) sketch.Sketch {
		return sketch.Sketch{
			Picture: `
     n



        x........e

        .
        s`,
			Ways: []sketch.Way{
				{Places: "sx", Oneway: true, Edge: graph.HasLanes, Sign: []string{"turn:lanes", lanes}},
				{Places: "xn"},
				{Places: "xe"},
			},
		}
	}
	// A lane for turning right leaves alongside the road, which bends to the left.
	channel := func(lanes string) sketch.Sketch {
		return sketch.Sketch{
			Cell: 4, Picture: `
  n


wyz....................e
        3

     2
     1




      x

      s`,
			Ways: []sketch.Way{
				{Places: "sx", Oneway: true, Edge: graph.HasLanes, Sign: []string{"turn:lanes", lanes}},
				{Places: "xy", Oneway: true},
				{Places: "x123e", Oneway: true, Use: graph.TurnChannel},
				{Places: "yn", Oneway: true},
				{Places: "wyz"},
				{Places: "ze"},
			},
		}
	}
	// Two roads to the left of one that goes on.
	lefts := func(lanes string) sketch.Sketch {
		return sketch.Sketch{
			Picture: `
a          n
   .       .
       .   .
b..........x
           .
           s`,
			Ways: []sketch.Way{
				{Places: "sx", Oneway: true, Edge: graph.HasLanes, Sign: []string{"turn:lanes", lanes}},
				{Places: "xn"},
				{Places: "xa"},
				{Places: "xb"},
			},
		}
	}
	for _, c := range []struct {
		name   string
		sketch sketch.Sketch
		path   string
		want   string
	}{
		{"left of three", cross("left|through|right"), "sxw", "8!8 2 64"},
		{"straight of three", cross("left|through|right"), "sxn", "8 2!2 64"},
		{"shared lane", cross("left;through|through;right"), "sxn", "10!2 66!2"},
		{"shared lane right", cross("left;through|through;right"), "sxe", "10 66!64"},
		{"tee with slight arrows", tee("slight_left|slight_right"), "sxe", "16 32!32"},
		{"one lane", cross("left"), "sxw", ""},
		{"nothing painted", cross("none|none"), "sxw", ""},
		{"unknown words", cross("left|hither|through"), "sxw", "8!8 2 2"},
		{"bare lanes go straight on", cross("left||"), "sxn", "8 2!2 66!2"},
		{"the outer bare lane turns right too", cross("left||"), "sxe", "8 2 66!64"},
		{"bare lanes before a T", tee("left|"), "sxe", ""},
		{"closed to cars", cross("left|through|right", "access:lanes:forward", "yes|yes|no"), "sxe", ""},
		{"one of two closed to cars", cross("through|through|right", "vehicle:lanes:forward", "yes|no|yes"), "sxn", "2!2 2 64"},
		{"turning round with an arrow", cross("reverse;left|through|right"), "sxs", "264!256 2 64"},
		{"turning round over a median from a bare lane", median, "axyd", "10!8 64"},
		{"turning round without one", cross("left|through|right"), "sxs", "8!8 2 64"},
		{"too many lanes", cross(strings.Repeat("through|", 20)), "sxn", ""},
		{"left over a dual carriageway", dual("left|through|through;right"), "sxyd", "8!8 2 66"},
		{"straight over a dual carriageway", dual("left|through|through;right"), "sxyn", "8 2!2 66!2"},
		{"right into a dual carriageway", dual("left|through|through;right"), "sxb", "8 2 66!64"},
		{"a fork, its right", fork("through|through|right"), "sxb", "2 2 64!64"},
		{"a fork, its left", fork("through|through|right"), "sxa", "2!2 2!2 64"},
		{"a fork to the left", fork("left|left|through|through"), "sxa", "8!8 8!8 2 2"},
		{"a fork to the left, its right", fork("left|left|through|through"), "sxb", "8 8 2!2 2!2"},
		{"arrows of a junction further on", bend("left|through|through"), "sxn", "8 2!2 2!2"},
		{"arrows of a fork further on", bend("left|left"), "sxn", "8!8 8!8"},
		{"a lane for turning", channel("left|left;through|right"), "sxe", "8 10 64!64"},
		{"beside a lane for turning", channel("left|left;through|right"), "sxyn", "8 10!2 64"},
		{"a lane for the first road to the left", lefts("left|through"), "sxb", "8!8 2"},
		{"the same for the second", lefts("left|through"), "sxa", "8!8 2"},
		{"not for the road on", lefts("left|left"), "sxn", ""},
		{"for buses", cross("left|left|through", "bus:lanes:forward", "|designated|"), "sxw", "8!8 8 2"},
		{"for buses by the value", cross("left|left|through", "access:lanes:forward", "yes|psv|yes"), "sxw", "8!8 8 2"},
		{"for buses and open", cross("left|left|through", "psv:lanes:forward", "|designated|", "motorcar:lanes:forward", "|yes|"), "sxw", "8!8 8!8 2"},
		{"for bicycles", cross("left|through|none|right", "bicycle:lanes:forward", "||designated|"), "sxn", "8 2!2 2 64"},
		{"the outermost lane for bicycles", cross("left|none|none", "vehicle:lanes:forward", "||no"), "sxe", "8 66!64 2"},
		{"for others by a value of another number of lanes", cross("left|left|through", "bus:lanes:forward", "|designated"), "sxw", "8!8 8!8 2"},
		{"parting", parting("3", "2", "1"), "sxb", "2 2 32!32"},
		{"parting, the main road", parting("3", "2", "1"), "sxa", "2!2 2!2 32"},
		{"parting with a lane for both", parting("3", "2", "2"), "sxa", ""},
		{"parting with lanes untold", parting("3", "2", ""), "sxa", ""},
	} {
		d := c.sketch.Draw()
		path := d.Path(c.path)
		if got := shown(guide.LanesAt(d.Graph, path, 0, graph.Auto)); got != c.want {
			t.Errorf("%s: lanes %q, want %q", c.name, got, c.want)
		}
	}
}

// A star of ways leaves a junction at random bearings under random arrows. An
// arrow leads into one of the ways at most, but for several turns to its side,
// and a lane that is valid follows one of its own arrows.
func TestArrowsLeadSomewhere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"", "none", "through", "left", "right", "slight_left", "slight_right", "sharp_left", "sharp_right", "reverse", "merge_to_left", "through;right", "left;through"}
	valid := 0
	for n := range 3000 {
		g, in, outs := star(r, 1+r.IntN(5), true, words, nil)
		taken := map[guidance.Directions]int{} // arrow to way
		for i, e := range outs {
			lanes := guide.LanesAt(g, graph.Path{{Edge: in, End: 1}, {Edge: e, End: 1}}, 0, graph.Auto)
			if lanes != nil && len(lanes) < 2 {
				t.Fatalf("star %d: %d lanes", n, len(lanes))
			}
			for _, l := range lanes {
				if l.Valid != (l.Take != 0) || l.Active && !l.Valid || l.Take&^l.Indications != 0 || l.Take&(l.Take-1) != 0 {
					t.Fatalf("star %d: lane %+v", n, l)
				}
				if !l.Valid {
					continue
				}
				valid++
				turn := func(i int) float64 { return geo.Turn(float64(g.Arrival(in))+180, float64(g.Bearing(outs[i]))) - 180 }
				if was, ok := taken[l.Take]; ok && was != i && !(min(turn(was), turn(i)) > 44 || max(turn(was), turn(i)) < -44) {
					t.Fatalf("star %d: arrow %d leads into ways %d and %d", n, l.Take, was, i)
				}
				taken[l.Take] = i
			}
		}
	}
	if valid < 3000 {
		t.Errorf("only %d lanes lead on, which proves little", valid)
	}
}

// star returns a road into a junction and the ways out of it from left to right,
// none of which is a reversal. The road has so many lanes, with random words
// for arrows if painted; more, unless nil, adds to it before it is built, given
// the edges and the nodes that the ways lead to.
func star(r *rand.Rand, count int, painted bool, words []string, more func(b *graph.Builder, in graph.DirectedSegment, outs []graph.DirectedSegment, heads []graph.AddedNode)) (g *graph.Graph, in graph.Edge, outs []graph.Edge) {
	b := graph.NewBuilder()
	node := func(bearing, metres float64) graph.AddedNode {
		p := geo.Destination(sketch.Origin, bearing, metres)
		return b.AddNode(graph.NodeFacts{Position: p.Fix(), OSM: int64(b.Nodes()), Access: graph.AllModes})
	}
	centre := node(0, 0)
	var lanes []string
	for range count {
		lanes = append(lanes, words[r.IntN(len(words))])
	}
	add := func(from, to graph.AddedNode, sign ...string) graph.DirectedSegment {
		s := graph.SegmentFacts{From: from, To: to, Class: graph.Residential}
		s.Forward.Access = graph.AllModes
		s.Forward.Attributes = b.Set(sign...)
		if slices.Contains(sign, "turn:lanes") {
			s.Forward.Flags = graph.HasLanes
		}
		return b.AddSegment(s, []geo.Fixed{b.Node(from).Position, b.Node(to).Position}).Forwards()
	}
	from := graph.DirectedSegment(0)
	if text := strings.Join(lanes, "|"); painted && text != "" {
		from = add(node(180, 100), centre, "turn:lanes", text)
	} else {
		from = add(node(180, 100), centre, "lanes", strconv.Itoa(count))
	}
	turns := r.Perm(30)[:1+r.IntN(4)]
	slices.Sort(turns)
	heads, directed := make([]graph.AddedNode, len(turns)), []graph.DirectedSegment(nil)
	for i, k := range turns {
		heads[i] = node(float64(k*10-145+360), 100)
		directed = append(directed, add(centre, heads[i]))
	}
	if more != nil {
		more(b, from, directed, heads)
	}
	g = b.Build()
	// The builder orders nodes; positions find them again.
	find := func(from, to geo.Fixed) graph.Edge {
		for e := range g.ByEdge {
			if g.ByEdge[e].Access != 0 && g.Position[g.ByEdge[e].Tail] == from && g.Position[g.ByEdge[e].Head] == to {
				return graph.Edge(e)
			}
		}
		panic("no such edge")
	}
	middle := sketch.Origin.Fix()
	in = find(geo.Destination(sketch.Origin, 180, 100).Fix(), middle)
	for _, k := range turns {
		outs = append(outs, find(middle, geo.Destination(sketch.Origin, float64(k*10-145+360), 100).Fix()))
	}
	return g, in, outs
}
