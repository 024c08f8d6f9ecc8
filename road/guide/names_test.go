package guide_test

import (
	"testing"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

func TestLanguageOfNames(t *testing.T) {
	b := graph.NewBuilder()
	line := sketch.Sketch{Picture: "a.........b", Ways: []sketch.Way{{Places: "ab"}}}.Draw()
	pa, pb := line.At('a'), line.At('b')
	n := b.AddNode(graph.NodeFacts{Position: pa.Fix(), Access: graph.AllModes})
	m := b.AddNode(graph.NodeFacts{Position: pb.Fix(), Access: graph.AllModes})
	s := graph.SegmentFacts{From: n, To: m, Name: b.Set("name", "Heol y Bont", "name:en", "Bridge Street"), Class: graph.Residential}
	s.Forward.Access = graph.AllModes
	shape := line.Graph.SegmentShape(0)
	b.AddSegment(s, shape)
	g := b.Build()
	var p graph.Path
	for e := range g.Head {
		if !g.Backward(graph.Edge(e)) {
			p = graph.Path{{Edge: graph.Edge(e), End: 1}}
		}
	}
	for language, want := range map[string]string{"": "Heol y Bont", "en": "Bridge Street", "cy": "Heol y Bont"} {
		list := guide.Manoeuvres(g, p, guide.Shape(g, p), guide.Options{Language: language})
		if got := list[0].Names[0].Text; got != want {
			t.Errorf("in %q the street is %q, want %q", language, got, want)
		}
	}
}
