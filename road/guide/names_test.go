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
	for e := range g.ByEdge {
		if !g.Backward(graph.Edge(e)) {
			p = graph.Path{{Edge: graph.Edge(e), End: 1}}
		}
	}
	for _, c := range []struct {
		country, language, want string
		translated              bool
	}{
		{"GB", "", "Heol y Bont", false},
		{"GB", "en", "Bridge Street", false},
		{"GB", "cy", "Heol y Bont", false},
		{"GB", "de", "Heol y Bont", false},
		{"FI", "en", "Heol y Bont", false},
		{"", "en", "Heol y Bont", false}, // the signs there are not in English
		{"FI", "en", "Bridge Street", true},
		{"FI", "de", "Heol y Bont", true}, // there is no such name
		{"FI", "", "Heol y Bont", true},
	} {
		g.Country[0] = 0
		if c.country != "" {
			g.Country[0] = uint16(c.country[0])<<8 | uint16(c.country[1])
		}
		list := guide.Manoeuvres(g, p, guide.Shape(g, p), guide.Options{Language: c.language, Translated: c.translated})
		if got := list[0].Names[0].Text; got != c.want {
			t.Errorf("in %q in %q the street is %q, want %q", c.country, c.language, got, c.want)
		}
	}
}
