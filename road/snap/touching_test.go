package snap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// TestTouching compares with looking at every segment.
func TestTouching(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		b := graph.NewBuilder()
		n := 2 + r.IntN(120)
		for i := range n {
			b.AddNode(graph.NodeFacts{OSM: int64(i), Access: graph.AllModes, Position: geo.Fixed{Lon: r.Int32N(1e6), Lat: r.Int32N(1e6)}})
		}
		for range r.IntN(2 * n) {
			u, v := graph.AddedNode(r.IntN(n)), graph.AddedNode(r.IntN(n))
			if u != v {
				shape := []geo.Fixed{b.Node(u).Position}
				for range r.IntN(3) * r.IntN(40) {
					shape = append(shape, geo.Fixed{Lon: r.Int32N(1e6), Lat: r.Int32N(1e6)})
				}
				b.AddSegment(graph.SegmentFacts{From: u, To: v, Forward: graph.Direction{Access: graph.AllModes, Speed: 10}}, append(shape, b.Node(v).Position))
			}
		}
		g := b.Build()
		tree := Build(g)
		for range 10 {
			p := geo.Fixed{Lon: r.Int32N(1e6), Lat: r.Int32N(1e6)}.Point()
			metres := r.Float64() * 3000
			box := Around(p, metres)
			got := tree.Touching(nil, box)
			slices.Sort(got)
			var want []graph.Segment
			for s := range graph.Segment(g.Segments()) {
				for part := range parts(g, s) {
					own := boxOf(part.line(g))
					if own.MinLon <= box.MaxLon && box.MinLon <= own.MaxLon && own.MinLat <= box.MaxLat && box.MinLat <= own.MaxLat {
						want = append(want, s)
						break
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d segments touch the box, want %d", len(got), len(want))
			}
			NewQuery(g, tree).Nearest(p, metres, func(c Candidate) bool {
				if !slices.Contains(got, c.Segment) {
					t.Fatalf("segment %d is %.1f m off and not in the box of %.1f m", c.Segment, c.Metres, metres)
				}
				return true
			})
		}
	}
	if b := Around(geo.Point{Lon: 180, Lat: 89.99}, math.MaxFloat32); b.MinLat > b.MaxLat || b.MinLon > b.MaxLon {
		t.Errorf("the box of everything is %v", b)
	}
}

func TestSideOfBox(t *testing.T) {
	if got := Build(graph.NewBuilder().Build()).Side(); got != 0 {
		t.Errorf("an empty network is %v m wide", got)
	}
	g := scattered(rand.New(rand.NewPCG(3, 4)), 60)
	tree := Build(g)
	b := tree.Boxes[len(tree.Boxes)-1]
	low, high := geo.Fixed{Lon: b.MinLon, Lat: b.MinLat}.Point(), geo.Fixed{Lon: b.MaxLon, Lat: b.MaxLat}.Point()
	for _, lat := range []float64{low.Lat, high.Lat} {
		across := geo.Distance(geo.Point{Lon: low.Lon, Lat: lat}, geo.Point{Lon: high.Lon, Lat: lat})
		if got := tree.Side(); got < across*0.999 || got < geo.Distance(low, geo.Point{Lon: low.Lon, Lat: high.Lat})*0.999 {
			t.Errorf("%v m are less than %v", got, across)
		}
	}
}
