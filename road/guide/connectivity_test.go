package guide_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

// links reads lanes as OSM writes them: "1:1|2:2,(3)".
func links(text string) (out []graph.LaneLink) {
	for statement := range strings.SplitSeq(text, "|") {
		from, rest, _ := strings.Cut(statement, ":")
		for to := range strings.SplitSeq(rest, ",") {
			l := graph.LaneLink{From: from[0] - '0'}
			if inner, ok := strings.CutPrefix(to, "("); ok {
				l.Optional, to = 1, inner
			}
			l.To = to[0] - '0'
			out = append(out, l)
		}
	}
	return out
}

// marked writes lanes as their arrows' numbers, valid ones with ! and active
// ones with !!.
func marked(lanes []guidance.Lane) string {
	var out []string
	for _, l := range lanes {
		s := strconv.Itoa(int(l.Indications))
		switch {
		case l.Active:
			s += "!!" + strconv.Itoa(int(l.Take))
		case l.Valid:
			s += "!" + strconv.Itoa(int(l.Take))
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestConnectedLanes(t *testing.T) {
	type joined map[string]string // letters of a path to lanes
	cross := func(sign []string, lanes joined) sketch.Sketch {
		s := sketch.Sketch{
			Picture: `
          n
          .
          .
w.........x.........e
          .
          .
          s`,
			Ways: []sketch.Way{
				{Places: "sx", Name: "South", Sign: sign},
				{Places: "xn", Name: "North"},
				{Places: "wxe", Name: "Ring"},
			},
		}
		if len(sign) > 0 && strings.HasPrefix(sign[0], "turn:") {
			s.Ways[0].Edge = graph.HasLanes
		}
		for through, text := range lanes {
			s.Lanes = append(s.Lanes, sketch.Connection{Through: through, Links: links(text)})
		}
		return s
	}
	arrows := func(text string) []string { return []string{"turn:lanes:forward", text} }
	three := []string{"lanes:forward", "3"}
	fork := func(lanes string, join joined) sketch.Sketch {
		s := sketch.Sketch{
			Picture: `
     a
     . b
     .
     .
     x
     .
     s`,
			Ways: []sketch.Way{{Places: "sx", Oneway: true}, {Places: "xa", Oneway: true}, {Places: "xb", Oneway: true}},
		}
		if lanes != "" {
			s.Ways[0].Sign = []string{"lanes", lanes}
		}
		for through, text := range join {
			s.Lanes = append(s.Lanes, sketch.Connection{Through: through, Links: links(text)})
		}
		return s
	}
	dual := func(sign []string, lanes joined) sketch.Sketch {
		s := dualCarriageway(sketch.Way{Sign: sign})
		if len(sign) > 0 && strings.HasPrefix(sign[0], "turn:") {
			s.Ways[2].Edge = graph.HasLanes
		}
		for through, text := range lanes {
			s.Lanes = append(s.Lanes, sketch.Connection{Through: through, Links: links(text)})
		}
		return s
	}
	all := joined{"sxw": "1:1", "sxn": "1:1|2:2", "sxe": "3:1"}
	for _, c := range []struct {
		name   string
		sketch sketch.Sketch
		path   string
		want   string
	}{
		{"arrows confirmed", cross(arrows("left|through|right"), joined{"sxw": "1:1"}), "sxw", "8!!8 2 64"},
		{"a way without a connection goes by its arrows", cross(arrows("left|through|right"), joined{"sxw": "1:1"}), "sxn", "8 2!!2 64"},
		{"more lanes than the arrows show", cross(arrows("left|through|right"), joined{"sxn": "1:1|2:2"}), "sxn", "8!!8 2!!2 64"},
		{"fewer lanes than the arrows show", cross(arrows("through|through|through;right"), joined{"sxn": "1:1|2:2"}), "sxn", "2!!2 2!!2 66"},
		{"lanes that leave their course", cross(arrows("left|through|right"), joined{"sxn": "1:(1)|2:2"}), "sxn", "8!8 2!!2 64"},
		{"all lanes leave their course", cross(arrows("left|through|right"), joined{"sxn": "1:(1)|2:(2)"}), "sxn", "8!!8 2!!2 64"},
		{"more lanes mapped than painted", cross(arrows("left|through|right"), joined{"sxw": "1:1|4:2"}), "sxw", "8!!8 2 64"},
		{"nothing painted, the turn mapped", cross(arrows("none|none"), joined{"sxe": "2:1"}), "sxe", "10 64!!64"},
		{"one lane bare, the turn mapped", cross(arrows("left|none|none"), joined{"sxe": "3:1"}), "sxe", "8 2 64!!64"},
		{"turning round", cross(arrows("left|through|right"), joined{"sxs": "1:1"}), "sxs", "8!!8 2 64"},
		{"turning round from a bare lane", cross(arrows("none|through|right"), joined{"sxs": "1:1"}), "sxs", "256!!256 2 64"},
		{"one arrow only", cross(arrows("through"), joined{"sxn": "1:1|2:2"}), "sxn", ""},

		{"no arrows, all ways mapped", cross(nil, all), "sxw", "10!!8 2 64"},
		{"no arrows, all ways mapped, straight on", cross(nil, all), "sxn", "10!!2 2!!2 64"},
		{"no arrows, all ways mapped, right", cross(nil, all), "sxe", "10 2 64!!64"},
		{"no arrows, a way untold, number unknown", cross(nil, joined{"sxw": "1:1", "sxe": "3:1"}), "sxw", ""},
		{"no arrows, a lane untold, number unknown", cross(nil, joined{"sxw": "1:1", "sxn": "1:1", "sxe": "3:1"}), "sxw", ""},
		{"no arrows, one lane for all", cross(nil, joined{"sxw": "1:1", "sxn": "1:1", "sxe": "1:1"}), "sxw", ""},
		{"no arrows, number known, one way mapped", cross(three, joined{"sxe": "3:1"}), "sxe", "0 0 64!!64"},
		{"no arrows, number known, another way", cross(three, joined{"sxe": "3:1"}), "sxn", ""},
		{"no arrows, more lanes mapped than there are", cross([]string{"lanes:forward", "2"}, all), "sxe", ""},
		{"no arrows, both directions counted", cross([]string{"lanes", "6"}, joined{"sxe": "3:1"}), "sxe", "0 0 64!!64"},
		{"no arrows, both directions counted, odd", cross([]string{"lanes", "5"}, joined{"sxe": "2:1"}), "sxe", ""},
		{"no arrows, the mapped lane is for buses", cross(append(three, "bus:lanes:forward", "||designated"), joined{"sxe": "3:1"}), "sxe", ""},
		{"no arrows, one of the mapped lanes is for buses", cross(append(three, "bus:lanes:forward", "||designated"), joined{"sxe": "2:1|3:2"}), "sxe", "0 64!!64 64"},

		{"a parting with a lane for both", fork("3", joined{"sxa": "1:1|2:2", "sxb": "2:1|3:2"}), "sxb", "2 34!!32 32!!32"},
		{"a parting with a lane for both, left", fork("3", joined{"sxa": "1:1|2:2", "sxb": "2:1|3:2"}), "sxa", "2!!2 34!!2 32"},
		{"a parting, number untold", fork("", joined{"sxa": "1:1|2:2", "sxb": "2:1|3:2"}), "sxa", "2!!2 34!!2 32"},

		{"over a way", dual(arrows("left|left|through"), joined{"sxyd": "1:1"}), "sxyd", "8!!8 8 2"},
		{"over a way, from node to node", dual(arrows("left|left|through"), joined{"sxy": "1:1|2:2|3:3", "xyd": "1:1"}), "sxyd", "8!!8 8 2"},
		{"over a way, the furthest mapped counts", dual(arrows("left|left|through"), joined{"sxy": "1:1", "sxyd": "2:1"}), "sxyd", "8 8!!8 2"},
		{"only into a junction", dual(arrows("left|left|through"), joined{"sxy": "1:1"}), "sxyd", "8!!8 8!!8 2"},
		{"no arrows, only into a junction", dual([]string{"lanes:forward", "3"}, joined{"sxy": "1:1"}), "sxyd", ""},
		{"no arrows, all ways mapped over a way", dual(nil, joined{"sxyd": "1:1", "sxyn": "2:1|3:2", "sxb": "3:1"}), "sxyn", "8 2!!2 66!!2"},
		{"lanes that change on the way", dual(arrows("left|through|through"), joined{"sxy": "1:1|2:(1)|3:3", "xyd": "1:1"}), "sxyd", "8!!8 2!2 2"},
	} {
		d := c.sketch.Draw()
		if got := marked(guide.LanesAt(d.Graph, d.Path(c.path), 0, graph.Auto)); got != c.want {
			t.Errorf("%s: lanes %q, want %q", c.name, got, c.want)
		}
	}
}

// Two junctions follow one another; the lanes to be in at the first are those
// that lead into the ones wanted at the second.
func TestLanesLeadToTheNextJunction(t *testing.T) {
	town := func(between string, lanes map[string]string) sketch.Sketch {
		s := sketch.Sketch{
			Picture: `
                     l
                     .
a..........x....m....y
           .         .
           .         .
           k         r`,
			Ways: []sketch.Way{
				{Places: "kx", Name: "South Street", Edge: graph.HasLanes, Sign: []string{"turn:lanes:forward", "left|right|right|right"}},
				{Places: "ax", Name: "Long Road"},
				{Places: "xm", Name: "Long Road", Edge: graph.HasLanes, Sign: []string{"turn:lanes:forward", between}, Oneway: true},
				{Places: "my", Name: "Long Road", Edge: graph.HasLanes, Sign: []string{"turn:lanes:forward", "left|left;right|right"}, Oneway: true},
				{Places: "lyr", Name: "Cross Street"},
			},
		}
		for through, text := range lanes {
			s.Lanes = append(s.Lanes, sketch.Connection{Through: through, Links: links(text)})
		}
		return s
	}
	for _, c := range []struct {
		name, between string
		lanes         map[string]string
		path, want    string
	}{
		{"without connections the lane on the side", "none|none|none", nil, "kxmyr", "8 64!64 64!64 64!!64"},
		{"without connections the lane on the side, left", "none|none|none", nil, "kxmyl", "8 64!!64 64!64 64!64"},
		{"lanes mapped to both", "none|none|none", map[string]string{"kxm": "2:1|3:2|4:3"}, "kxmyr", "8 64!64 64!!64 64!!64"},
		{"lanes mapped to both, left", "none|none|none", map[string]string{"kxm": "2:1|3:2|4:3"}, "kxmyl", "8 64!!64 64!!64 64!64"},
		{"mapped on from one to the next", "none|none", map[string]string{"kxm": "2:1|3:2", "xmy": "1:1|2:2,3"}, "kxmyr", "8 64!64 64!!64 64"},
		{"those that keep their course are better", "none|none", map[string]string{"kxm": "2:1|3:2", "xmy": "1:1,(2)|2:2,3"}, "kxmyr", "8 64!64 64!!64 64"},
		{"leaving the course where nothing else leads on", "none|none", map[string]string{"kxm": "2:1|3:1", "xmy": "1:1,(3)|2:3"}, "kxmyr", "8 64!!64 64!!64 64"},
		{"lanes that change untold", "none|none", map[string]string{"kxm": "2:1|3:2"}, "kxmyr", "8 64!64 64!!64 64"},
		{"none leads on", "none|none|none", map[string]string{"kxm": "2:1"}, "kxmyr", "8 64!!64 64 64"},
		{"more lanes mapped than painted", "none|none|none", map[string]string{"kxmy": "2:1|3:4"}, "kxmyr", "8 64!64 64!!64 64"},
	} {
		d := town(c.between, c.lanes).Draw()
		path := d.Path(c.path)
		list := guide.Manoeuvres(d.Graph, path, guide.Shape(d.Graph, path), guide.Options{})
		check(t, c.name, d.Graph, path, guide.Shape(d.Graph, path), list)
		if len(list) != 4 {
			t.Fatalf("%s: %d manoeuvres", c.name, len(list))
		}
		if got := marked(list[1].Lanes); got != c.want {
			t.Errorf("%s: lanes %q, want %q", c.name, got, c.want)
		}
	}
}

// At random junctions with random connections a lane is valid where, and only
// where, a link says so, whatever the arrows; without arrows there are as many
// lanes as are mapped, and each shows one arrow at least that it follows.
func TestConnectionsDecide(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	words := []string{"", "none", "through", "left", "right", "slight_left", "slight_right", "reverse", "merge_to_left", "through;right", "left;through"}
	mapped := 0
	for n := range 4000 {
		var g *graph.Graph
		var in graph.Edge
		var outs []graph.Edge
		lanes := 1 + r.IntN(5)
		painted := r.IntN(2) == 0
		byWay := map[geo.Fixed]map[int]uint8{} // lanes that lead to a place, 1 where only aside
		g, in, outs = star(r, lanes, painted, words, func(b *graph.Builder, from graph.DirectedSegment, to []graph.DirectedSegment, heads []graph.AddedNode) {
			for k, h := range to {
				if r.IntN(3) == 0 {
					continue
				}
				join := randomLinks(r, 5)
				b.Connect(graph.LaneConnection{Path: []graph.DirectedSegment{from, h}, Links: join})
				by := map[int]uint8{}
				for _, l := range join {
					if was, ok := by[int(l.From)]; !ok || was == 1 {
						by[int(l.From)] = l.Optional
					}
				}
				byWay[b.Node(heads[k]).Position] = by
			}
		})
		for _, e := range outs {
			by := byWay[g.Position[g.ByEdge[e].Head]]
			got := guide.LanesAt(g, graph.Path{{Edge: in, End: 1}, {Edge: e, End: 1}}, 0, graph.Auto)
			valid := false
			for _, l := range got {
				valid = valid || l.Valid
				if l.Valid != (l.Take != 0) || l.Active && !l.Valid || l.Take&^l.Indications != 0 || l.Take&(l.Take-1) != 0 {
					t.Fatalf("star %d: lane %+v", n, l)
				}
			}
			if got != nil && (!valid || len(got) < 2 || len(got) != lanes) {
				t.Fatalf("star %d: lanes %+v of %d", n, got, lanes)
			}
			most, firm := 0, false
			for i, aside := range by {
				most, firm = max(most, i), firm || aside == 0
			}
			if len(by) == 0 || most > lanes || lanes < 2 {
				if !painted && got != nil {
					t.Fatalf("star %d: lanes %+v of nothing", n, got)
				}
				continue
			}
			mapped++
			if got == nil {
				t.Fatalf("star %d: no lanes where %v lead on", n, by)
			}
			for i, l := range got {
				aside, ok := by[i+1]
				if l.Valid != ok || l.Active != (ok && (aside == 0 || !firm)) {
					t.Fatalf("star %d: lane %d is %+v; mapped %v", n, i+1, l, by)
				}
			}
		}
	}
	if mapped < 1000 {
		t.Errorf("only %d ways with connections, which proves little", mapped)
	}
}
