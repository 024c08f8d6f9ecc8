package guide_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

// shown writes lanes as their arrows' numbers, those that lead on with !.
func shown(lanes []guide.Lane) string {
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
				{Places: "sx", Name: "South", Edge: graph.HasLanes, Sign: []string{"turn:lanes:forward", lanes}},
				{Places: "xy"},
				{Places: "yn", Name: "North"},
			},
		}
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
		{"turning round without one", cross("left|through|right"), "sxs", "8!8 2 64"},
		{"too many lanes", cross(strings.Repeat("through|", 20)), "sxn", ""},
		{"left over a dual carriageway", dual("left|through|through;right"), "sxyd", "8!8 2 66"},
		{"straight over a dual carriageway", dual("left|through|through;right"), "sxyn", "8 2!2 66!2"},
		{"right into a dual carriageway", dual("left|through|through;right"), "sxb", "8 2 66!64"},
		{"parting", parting("3", "2", "1"), "sxb", "2 2 32!32"},
		{"parting, the main road", parting("3", "2", "1"), "sxa", "2!2 2!2 32"},
		{"parting with a lane for both", parting("3", "2", "2"), "sxa", ""},
		{"parting with lanes untold", parting("3", "2", ""), "sxa", ""},
	} {
		d := c.sketch.Draw()
		if got := shown(guide.LanesAt(d.Graph, d.Path(c.path), 0, graph.Auto)); got != c.want {
			t.Errorf("%s: lanes %q, want %q", c.name, got, c.want)
		}
	}
}

// A star of ways leaves a junction at random courses under random arrows. An
// arrow leads into one of the ways at most, and a lane that is valid follows
// one of its own arrows.
func TestArrowsLeadSomewhere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"", "none", "through", "left", "right", "slight_left", "slight_right", "sharp_left", "sharp_right", "reverse", "merge_to_left", "through;right", "left;through"}
	valid := 0
	for n := range 3000 {
		g, in, outs := star(r, 1+r.IntN(5), true, words, nil)
		taken := map[guide.Directions]int{} // arrow to way
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
				if was, ok := taken[l.Take]; ok && was != i {
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

// star is a road into a junction and the ways out of it from left to right,
// none of which is a reversal. The road has so many lanes, with random words
// for arrows if painted; more, unless nil, adds to it before it is built, given
// the edges and the nodes that the ways lead to.
func star(r *rand.Rand, count int, painted bool, words []string, more func(b *graph.Builder, in graph.Handle, outs []graph.Handle, heads []uint32)) (g *graph.Graph, in uint32, outs []uint32) {
	b := graph.NewBuilder()
	node := func(course, metres float64) uint32 {
		p := geo.Destination(sketch.Origin, course, metres)
		return b.AddNode(graph.NodeFacts{Position: p.Fix(), OSM: int64(b.Nodes()), Access: graph.AllModes})
	}
	centre := node(0, 0)
	var lanes []string
	for range count {
		lanes = append(lanes, words[r.IntN(len(words))])
	}
	add := func(from, to uint32, sign ...string) graph.Handle {
		s := graph.SegmentFacts{From: from, To: to, Class: graph.Residential}
		s.Forward.Access = graph.AllModes
		s.Forward.Sign = b.Set(sign...)
		if slices.Contains(sign, "turn:lanes") {
			s.Forward.Flags = graph.HasLanes
		}
		return b.AddSegment(s, []geo.Fixed{b.Node(from).Position, b.Node(to).Position}) << 1
	}
	from := graph.Handle(0)
	if text := strings.Join(lanes, "|"); painted && text != "" {
		from = add(node(180, 100), centre, "turn:lanes", text)
	} else {
		from = add(node(180, 100), centre, "lanes", strconv.Itoa(count))
	}
	turns := r.Perm(30)[:1+r.IntN(4)]
	slices.Sort(turns)
	heads, handles := make([]uint32, len(turns)), []graph.Handle(nil)
	for i, k := range turns {
		heads[i] = node(float64(k*10-145+360), 100)
		handles = append(handles, add(centre, heads[i]))
	}
	if more != nil {
		more(b, from, handles, heads)
	}
	g = b.Build()
	// The builder orders nodes; positions find them again.
	find := func(from, to geo.Fixed) uint32 {
		for e := range g.Head {
			if g.Access[e] != 0 && g.Position[g.Tail[e]] == from && g.Position[g.Head[e]] == to {
				return uint32(e)
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
