package guide_test

import (
	"testing"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

func TestSpokenText(t *testing.T) {
	d := sketch.Sketch{
		Picture: `
w..........x...............................e
           .
           s`,
		Cell: 10, Ways: []sketch.Way{{Places: "sx", Name: "Mill Lane"}, {Places: "wxe", Name: "High Street;Old Road", Ref: "A48"}},
	}.Draw()
	p := d.Path("sxe")
	list := guide.Manoeuvres(d.Graph, p, guide.Shape(d.Graph, p), guide.Options{To: guide.LeftSide})
	got := guide.Narrate(list, guide.Speech{})
	for i, want := range []guide.Text{
		{
			Instruction: "Head north on Mill Lane.",
			Pre:         "Head north on Mill Lane. Then at the end of the road, turn right into High Street / Old Road.",
			Succinct:    "Head north. Then at the end of the road, turn right into High Street / Old Road.",
			Post:        "Continue for 20 metres.", Multi: true,
		},
		{
			Instruction: "At the end of the road, turn right into High Street / Old Road / A48.",
			Alert:       "At the end of the road, turn right into High Street / Old Road.",
			Pre:         "At the end of the road, turn right into High Street / Old Road.",
			Succinct:    "Turn right.", Post: "Continue for 300 metres.",
		},
		{Instruction: "Your destination is on the left.", Alert: "Your destination will be on the left.", Pre: "Your destination is on the left."},
	} {
		if got[i] != want {
			t.Errorf("manoeuvre %d\n got %+v\nwant %+v", i, got[i], want)
		}
	}
}

func TestSpokenLengths(t *testing.T) {
	for _, c := range []struct {
		metres          float64
		metric, british string
	}{
		{3, "10 metres", "10 yards"},
		{44, "40 metres", "50 yards"},
		{120, "100 metres", "150 yards"},
		{380, "400 metres", "a quarter of a mile"},
		{800, "800 metres", "half a mile"},
		{960, "1 kilometre", "half a mile"},
		{1200, "1 kilometre", "three quarters of a mile"},
		{1500, "1.5 kilometres", "1 mile"},
		{3239, "3 kilometres", "2 miles"},
		{15600, "16 kilometres", "9.5 miles"},
		{99700, "100 kilometres", "62 miles"},
	} {
		list := []guide.Manoeuvre{{Type: guide.Start, Metres: c.metres, Seconds: 100}, {Type: guide.Destination}}
		if got, want := guide.Narrate(list, guide.Speech{})[0].Post, "Continue for "+c.metric+"."; got != want {
			t.Errorf("%g m: %q, want %q", c.metres, got, want)
		}
		if got, want := guide.Narrate(list, guide.Speech{Miles: true})[0].Post, "Continue for "+c.british+"."; got != want {
			t.Errorf("%g m: %q, want %q", c.metres, got, want)
		}
	}
}

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
		if !g.Backward(uint32(e)) {
			p = graph.Path{{Edge: uint32(e), End: 1}}
		}
	}
	for language, want := range map[string]string{"": "Heol y Bont", "en": "Bridge Street", "cy": "Heol y Bont"} {
		list := guide.Manoeuvres(g, p, guide.Shape(g, p), guide.Options{Language: language})
		if got := list[0].Names[0].Text; got != want {
			t.Errorf("in %q the street is %q, want %q", language, got, want)
		}
	}
}
