package guide_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

// randomTown returns a grid of streets of every kind, some bent, some one-way.
func randomTown(r *rand.Rand, side int) *graph.Graph { return townOf(r, side, 25) }

// townOf returns one of a number of kinds of street.
func townOf(r *rand.Rand, side, kinds int) *graph.Graph {
	b := graph.NewBuilder()
	for i := range side * side {
		p := geo.Destination(geo.Destination(sketch.Origin, 180, float64(i/side)*60+r.Float64()*20), 90, float64(i%side)*60+r.Float64()*20)
		b.AddNode(graph.NodeFacts{Position: p.Fix(), OSM: int64(i), Access: graph.AllModes, Flags: graph.NodeFlags(r.IntN(2))*graph.Gate | graph.NodeFlags(r.IntN(60)/59)*graph.Lift})
	}
	type handle struct {
		edge     graph.DirectedSegment
		from, to int
	}
	var handles []handle
	add := func(from, to int) {
		if r.IntN(10) == 0 {
			return
		}
		s := graph.SegmentFacts{From: graph.AddedNode(from), To: graph.AddedNode(to), Class: graph.Class(r.IntN(min(8, kinds))), Use: graph.Use(r.IntN(kinds)), Surface: graph.Surface(r.IntN(8))}
		for _, f := range []graph.SegFlags{graph.Roundabout, graph.Toll, graph.DriveOnLeft} {
			if r.IntN(5) == 0 && r.IntN(25) < kinds {
				s.Flags |= f
			}
		}
		switch r.IntN(min(3, kinds)) {
		case 0:
			s.Name = b.Set("name", fmt.Sprint("Street ", r.IntN(min(5, kinds))))
		case 1:
			s.Name = b.Set("name", fmt.Sprint("Street ", r.IntN(min(5, kinds))), "ref", fmt.Sprint("A", r.IntN(3)))
		}
		if r.IntN(50) == 0 {
			s.Flags |= graph.Indoor
		}
		if r.IntN(50) == 0 {
			s.Flags |= graph.HasLevels
			s.Name = b.Set("name", fmt.Sprint("Street ", r.IntN(5)), "level", []string{"0", "1", "0;1", "1-3"}[r.IntN(4)], "level:ref", []string{"", "Lobby", "A;B"}[r.IntN(3)])
		}
		s.Forward = graph.Direction{Access: graph.AllModes, Attributes: b.Set("junction:ref", "1", "destination", "Newport")}
		if r.IntN(4) > 0 || kinds == 1 {
			s.Backward.Access = graph.AllModes
		}
		if r.IntN(3) == 0 {
			lanes := []string{"left|through|right", "through||right", "left;through|slight_right", "reverse|through"}
			s.Forward.Flags |= graph.HasLanes
			s.Forward.Attributes = b.Set("junction:ref", "1", "destination", "Newport", "turn:lanes", lanes[r.IntN(len(lanes))])
		}
		line := []geo.Fixed{b.Node(s.From).Position}
		for range r.IntN(4) {
			p := line[len(line)-1]
			line = append(line, geo.Fixed{Lon: p.Lon + r.Int32N(2000) - 1000, Lat: p.Lat + r.Int32N(2000) - 1000})
		}
		x := b.AddSegment(s, append(line, b.Node(s.To).Position))
		handles = append(handles, handle{x.Forwards(), from, to}, handle{x.Backwards(), to, from})
	}
	for i := range side * side {
		if i%side+1 < side {
			add(i, i+1)
		}
		if i+side < side*side {
			add(i, i+side)
		}
	}
	for range 4 * side * side {
		at := handles[r.IntN(len(handles))]
		c := graph.LaneConnection{Path: []graph.DirectedSegment{at.edge}, Links: randomLinks(r, 4)}
		for range 1 + r.IntN(2) {
			for _, k := range r.Perm(len(handles)) {
				if handles[k].from == at.to {
					at = handles[k]
					c.Path = append(c.Path, at.edge)
					break
				}
			}
		}
		if len(c.Path) > 1 {
			b.Connect(c)
		}
	}
	return b.Build()
}

// randomLinks joins a few lanes of up to so many.
func randomLinks(r *rand.Rand, most int) (links []graph.LaneLink) {
	for range 1 + r.IntN(4) {
		links = append(links, graph.LaneLink{From: uint8(1 + r.IntN(most)), To: uint8(1 + r.IntN(most)), Optional: uint8(r.IntN(2))})
	}
	return links
}

// walk goes anywhere, turns round within edges too, and begins and ends
// within an edge, sometimes at its very end.
func walk(r *rand.Rand, g *graph.Graph, n int) graph.Path {
	return wander(r, g, n, func(e graph.Edge) graph.Edge {
		node := g.ByEdge[e].Head
		return g.FirstOut[node] + graph.Edge(r.IntN(int(g.FirstOut[node+1]-g.FirstOut[node])))
	})
}

// wander is walk with a way of its own to choose the next edge.
func wander(r *rand.Rand, g *graph.Graph, n int, next func(e graph.Edge) graph.Edge) graph.Path {
	var p graph.Path
	e := graph.Edge(r.IntN(g.Edges()))
	ends := []float64{0, 1, r.Float64()}
	s := graph.Step{Edge: e, Begin: ends[r.IntN(3)], End: 1}
	for range n {
		switch r.IntN(12) {
		case 0: // passes a location
			at := s.Begin + (1-s.Begin)*r.Float64()
			s.End = at
			p = append(p, s)
			s = graph.Step{Edge: e, Begin: at, End: 1}
			continue
		case 1: // turns round
			at := s.Begin + (1-s.Begin)*r.Float64()
			s.End = at
			p = append(p, s)
			e = g.ByEdge[e].Opposite
			s = graph.Step{Edge: e, Begin: 1 - at, End: 1}
			continue
		}
		p = append(p, s)
		e = next(e)
		s = graph.Step{Edge: e, End: 1, Turn: r.Float64()}
	}
	s.End = s.Begin + (1-s.Begin)*ends[r.IntN(3)]
	p = append(p, s)
	for i := range p {
		p[i].Seconds = g.EdgeLength(p[i].Edge) * (p[i].End - p[i].Begin) / 9
		p[i].Cost = 2*p[i].Seconds + p[i].Turn
	}
	return p
}

func TestEveryPathIsCovered(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	modes := []graph.Modes{0, graph.Auto, graph.Bicycle, graph.Pedestrian, graph.Truck}
	for n := range 60 {
		g := randomTown(r, 5)
		for m := range 30 {
			p := walk(r, g, r.IntN(20))
			line := guide.Shape(g, p)
			what := fmt.Sprintf("town %d, walk %d", n, m)
			list := guide.Manoeuvres(g, p, line, guide.Options{Modes: modes[r.IntN(len(modes))]})
			check(t, what, g, p, line, list)
			for i, text := range english(list) {
				if text.Instruction == "" || text.Pre == "" {
					t.Errorf("%s: manoeuvre %d of type %d has no words", what, i, list[i].Type)
				}
			}
			if t.Failed() {
				t.Fatal("path:", p)
			}
		}
	}
}

// The line of a path is judged against points taken along each edge.
func TestShapeAgainstSampling(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		g := randomTown(r, 4)
		p := walk(r, g, 6)
		line := guide.Shape(g, p)
		if len(line.Step) != len(p)+1 || line.Step[len(p)] != len(line.Points)-1 {
			t.Fatalf("%d steps have bounds %v in %d points", len(p), line.Step, len(line.Points))
		}
		for i := 1; i < len(line.Points); i++ {
			if line.Points[i] == line.Points[i-1] {
				t.Fatalf("point %d is there twice", i)
			}
		}
		for i, s := range p {
			part := line.Points[line.Step[i] : line.Step[i+1]+1]
			whole := g.AppendShape(nil, s.Edge)
			for _, c := range []struct{ share, along float64 }{{s.Begin, 0}, {s.End, 1}, {(s.Begin + s.End) / 2, 0.5}} {
				want, got := at(whole, c.share), at(part, c.along)
				if d := geo.Distance(want, got); d > 0.01 {
					t.Fatalf("step %d %+v: %v at %g of it, %v at %g of the edge, %g m apart", i, s, got, c.along, want, c.share, d)
				}
			}
		}
	}
}

// at returns the point at a share of a line's length.
func at(line []geo.Point, share float64) geo.Point {
	left := geo.Length(line) * share
	for i := 1; i < len(line); i++ {
		d := geo.Distance(line[i-1], line[i])
		if left <= d && d > 0 {
			t := left / d
			a, b := line[i-1], line[i]
			return geo.Point{Lon: a.Lon + (b.Lon-a.Lon)*t, Lat: a.Lat + (b.Lat-a.Lat)*t}
		}
		left -= d
	}
	return line[len(line)-1]
}

func TestSideOf(t *testing.T) {
	line := []geo.Point{sketch.Origin, geo.Destination(sketch.Origin, 90, 100)}
	end := line[1]
	for _, c := range []struct {
		place   geo.Point
		atStart bool
		want    guidance.Side
	}{
		{geo.Destination(end, 0, 10), false, guidance.LeftSide},
		{geo.Destination(end, 180, 10), false, guidance.RightSide},
		{geo.Destination(end, 180, 4), false, guidance.NoSide},
		{geo.Destination(end, 90, 40), false, guidance.NoSide},
		{geo.Destination(end, 0, 1200), false, guidance.NoSide},
		{end, false, guidance.NoSide},
		{geo.Destination(line[0], 0, 10), true, guidance.LeftSide},
		{geo.Destination(line[0], 180, 10), true, guidance.RightSide},
	} {
		if got := guide.SideOf(line, c.atStart, c.place, 5, 1000); got != c.want {
			t.Errorf("%v from the line is on side %d, want %d", c.place, got, c.want)
		}
	}
	if got := guide.SideOf(line[:1], false, sketch.Origin, 5, 1000); got != guidance.NoSide {
		t.Errorf("a line of one point has side %d", got)
	}
}
