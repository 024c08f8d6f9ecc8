package guide_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

func english(list []guidance.Manoeuvre) []narrate.Text {
	l, _ := narrate.Find("")
	return l.Leg(list, false)
}

func TestScenarios(t *testing.T) {
	var out strings.Builder
	for _, s := range scenarios {
		d := s.sketch.Draw()
		for _, p := range s.paths {
			fmt.Fprintf(&out, "== %s: %s\n", s.name, p)
			path := d.Path(p)
			line := guide.Shape(d.Graph, path)
			list := guide.Manoeuvres(d.Graph, path, line, s.o)
			check(t, s.name+" "+p, d.Graph, path, line, list)
			texts := english(list)
			for i := range list {
				describe(&out, &list[i], &texts[i])
			}
		}
	}
	golden.Assert(t, out.String(), "scenarios.golden")
}

func describe(out *strings.Builder, m *guidance.Manoeuvre, t *narrate.Text) {
	fmt.Fprintf(out, "%2d %3d>%3d %4.0fm  %s", m.Type, m.Before, m.After, m.Metres, t.Instruction)
	for _, f := range []struct {
		on   bool
		name string
	}{
		{m.Toll, "toll"},
		{m.Highway, "highway"},
		{m.Ferry, "ferry"},
		{m.Unpaved, "rough"},
		{m.Gate, "gate"},
		{m.Timed, "timed"},
		{m.ToStayOn, "stays"},
		{t.Multi, "multi"},
	} {
		if f.on {
			fmt.Fprintf(out, " [%s]", f.name)
		}
	}
	if m.Exits > 0 {
		fmt.Fprintf(out, " [exit %d]", m.Exits)
	}
	if m.Lanes != nil {
		fmt.Fprintf(out, " [lanes %s]", shown(m.Lanes))
	}
	if m.Sign.Counts != nil {
		fmt.Fprintf(out, " [signed in a row %v]", *m.Sign.Counts)
	}
	if len(m.BeginNames) > 0 {
		fmt.Fprintf(out, " [begins %v, then %v]", m.BeginNames, m.Names)
	}
	out.WriteByte('\n')
}

// check checks what is true of every list.
func check(t *testing.T, what string, g *graph.Graph, path graph.Path, line guide.Line, list []guidance.Manoeuvre) {
	t.Helper()
	if len(list) < 2 {
		t.Fatalf("%s: %d manoeuvres, want a start and a destination at least", what, len(list))
	}
	switch list[0].Type {
	case guidance.Start, guidance.StartRight, guidance.StartLeft, guidance.Elevator, guidance.Steps, guidance.Escalator, guidance.LevelChange:
	default:
		t.Errorf("%s: begins with type %d", what, list[0].Type)
	}
	var metres, seconds, cost float64
	step, shape := 0, 0
	for i, m := range list {
		if m.Begin != step || m.BeginShape != shape || m.End < m.Begin || m.EndShape < m.BeginShape {
			t.Errorf("%s: manoeuvre %d has steps [%d,%d) and points %d to %d, want a begin of %d and %d", what, i, m.Begin, m.End, m.BeginShape, m.EndShape, step, shape)
		}
		if m.Before < 0 || m.Before > 359 || m.After < 0 || m.After > 359 {
			t.Errorf("%s: manoeuvre %d has courses %d and %d", what, i, m.Before, m.After)
		}
		destination := m.Type >= guidance.Destination && m.Type <= guidance.DestinationLeft
		if destination != (i == len(list)-1) {
			t.Errorf("%s: manoeuvre %d of %d has type %d", what, i, len(list), m.Type)
		}
		for _, l := range m.Lanes {
			if l.Valid != (l.Take != 0) || l.Active && !l.Valid || l.Take&^l.Indications != 0 {
				t.Errorf("%s: manoeuvre %d has the lane %+v", what, i, l)
			}
		}
		if len(m.Lanes) == 1 || len(m.Lanes) > 0 && (i == 0 || destination || m.Type == guidance.RoundaboutEnter || m.Type == guidance.RoundaboutExit) {
			t.Errorf("%s: manoeuvre %d of type %d has %d lanes", what, i, m.Type, len(m.Lanes))
		}
		step, shape = m.End, m.EndShape
		metres, seconds, cost = metres+m.Metres, seconds+m.Seconds, cost+m.Cost
	}
	if step != len(path) || shape != len(line.Points)-1 {
		t.Errorf("%s: ends at step %d of %d, point %d of %d", what, step, len(path), shape, len(line.Points))
	}
	want := 0.0
	for _, s := range path {
		want += s.Cost
	}
	if math.Abs(metres-path.Metres(g)) > 1e-6 || math.Abs(seconds-path.Seconds()) > 1e-6 || math.Abs(cost-want) > 1e-6 {
		t.Errorf("%s: sums to %g m, %g s, cost %g; the path has %g, %g, %g", what, metres, seconds, cost, path.Metres(g), path.Seconds(), want)
	}
	if l := geo.Length(line.Points); math.Abs(l-metres) > 0.1+metres*1e-4 {
		t.Errorf("%s: the line is %g m long, the manoeuvres %g m", what, l, metres)
	}
}

// The table leaves a node at every angle, where three one-way roads come in
// from behind: nothing else may be entered, and no name stays.
func TestTurnAngles(t *testing.T) {
	for _, c := range []struct {
		turn int
		want guidance.Type // None where nothing is said
	}{
		{0, guidance.None},
		{8, guidance.None},
		{33, guidance.SlightRight},
		{43, guidance.SlightRight},
		{47, guidance.Right},
		{90, guidance.Right},
		{133, guidance.Right},
		{138, guidance.SharpRight},
		{157, guidance.SharpRight},
		{170, guidance.UturnRight},
		{190, guidance.UturnLeft},
		{203, guidance.SharpLeft},
		{223, guidance.SharpLeft},
		{227, guidance.Left},
		{270, guidance.Left},
		{314, guidance.Left},
		{317, guidance.SlightLeft},
		{327, guidance.SlightLeft},
		{352, guidance.None},
	} {
		g, path := bend(float64(c.turn))
		list := guide.Manoeuvres(g, path, guide.Shape(g, path), guide.Options{})
		got := guidance.None
		if len(list) == 3 {
			got = list[1].Type
		}
		if len(list) > 3 || got != c.want {
			t.Errorf("a turn of %d degrees gives %d in a list of %d, want %d", c.turn, got, len(list), c.want)
		}
	}
}

// bend returns a road north, then at a turn into another; three more join there
// from behind.
func bend(turn float64) (*graph.Graph, graph.Path) {
	b := graph.NewBuilder()
	centre := sketch.Origin
	add := func(bearing, metres float64) (graph.AddedNode, geo.Point) {
		p := geo.Destination(centre, bearing, metres)
		return b.AddNode(graph.NodeFacts{Position: p.Fix(), OSM: int64(b.Nodes()), Access: graph.AllModes}), p
	}
	x, _ := add(0, 0)
	road := func(name string, bearing float64, inward bool) {
		n, p := add(bearing, 100)
		s := graph.SegmentFacts{From: x, To: n, Class: graph.Residential, Name: b.Set("name", name)}
		s.Forward.Access = graph.AllModes
		line := []geo.Fixed{centre.Fix(), p.Fix()}
		if inward {
			s.From, s.To = n, x
			line[0], line[1] = line[1], line[0]
		}
		b.AddSegment(s, line)
	}
	road("Old Road", 180, true)
	road("New Road", turn, false)
	for _, bearing := range []float64{178, 180, 182} {
		road("Side Road", bearing, true)
	}
	g := b.Build()
	var path graph.Path
	for _, name := range []string{"Old Road", "New Road"} {
		for e := range g.ByEdge {
			if !g.Backward(graph.Edge(e)) && g.NameOf(graph.Edge(e), "name") == name {
				path = append(path, graph.Step{Edge: graph.Edge(e), End: 1})
			}
		}
	}
	return g, path
}
