package order

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/road/graph"
)

// dissected is Dissect in a test.
func dissected(t *testing.T, n Network) *Dissection {
	t.Helper()
	d, err := Dissect(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// grid draws streets, some missing, with a river over which few bridges lead.
func grid(r *rand.Rand, w, h int) Network {
	var n Network
	at := func(x, y int) graph.Node { return graph.Node(y*w + x) }
	for y := range h {
		for x := range w {
			n.X, n.Y = append(n.X, int32(x*100+r.IntN(40))), append(n.Y, int32(y*100+r.IntN(40)))
		}
	}
	river := h / 2
	for y := range h {
		for x := range w {
			if x+1 < w && r.IntN(10) > 0 {
				n.Roads = append(n.Roads, [2]graph.Node{at(x, y), at(x+1, y)})
			}
			if y+1 < h && (y+1 != river && r.IntN(10) > 0 || y+1 == river && x%10 == 5) {
				n.Roads = append(n.Roads, [2]graph.Node{at(x, y), at(x, y+1)})
			}
		}
	}
	return n
}

// The order holds every road once, and is the same however many cores there
// are; a river is where the network is cut.
func TestDissect(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := grid(r, 20+r.IntN(40), 20+r.IntN(40))
		for range r.IntN(30) { // loops, parallel roads and shortcuts
			n.Roads = append(n.Roads, [2]graph.Node{graph.Node(r.IntN(len(n.X))), graph.Node(r.IntN(len(n.X)))})
		}
		d := dissected(t, n)
		seen := slices.Sorted(slices.Values(d.Roads))
		for i, road := range seen {
			if int(road) != i {
				t.Fatalf("seed %d: the order is no permutation of %d roads", seed, len(n.Roads))
			}
		}
		if !slices.Equal(d.Roads, dissected(t, n).Roads) {
			t.Fatalf("seed %d: another order the second time", seed)
		}
	}
	for _, n := range []Network{{}, {X: []int32{0}, Y: []int32{0}}, {X: []int32{0}, Y: []int32{0}, Roads: [][2]graph.Node{{0, 0}, {0, 0}}}} {
		if got := len(dissected(t, n).Roads); got != len(n.Roads) {
			t.Errorf("%d roads of %d", got, len(n.Roads))
		}
	}
}

func TestRiverIsCut(t *testing.T) {
	d := dissected(t, grid(rand.New(rand.NewPCG(7, 7)), 60, 60))
	// Few nodes hang together with nothing at all, so the river may come a
	// level later.
	if cut := max(d.Levels[0].Cut, d.Levels[1].Cut); cut > 8 {
		t.Errorf("the first cuts take %d roads, and six bridges lead over the river", cut)
	}
	if d.Levels[0].Balance < 0.2 && d.Levels[1].Balance < 0.2 {
		t.Errorf("%+v", d.Levels[:2])
	}
}

// slowCut returns the value of a maximum flow by augmenting along any path.
func slowCut(f *flow) int {
	value := 0
	used := make([]int8, len(f.head))
	for {
		from := make([]int, len(f.nodes))
		for i := range from {
			from[i] = -1
		}
		var queue []uint32
		for i, s := range f.side {
			if s == source {
				queue = append(queue, uint32(i))
				from[i] = -2
			}
		}
		end := -1
		for k := 0; k < len(queue) && end < 0; k++ {
			v := queue[k]
			for a := f.first[v]; a < f.first[v+1]; a++ {
				if w := f.head[a]; used[a] != 1 && from[w] == -1 {
					from[w] = int(a)
					if f.side[w] == sink {
						end = int(w)
						break
					}
					queue = append(queue, w)
				}
			}
		}
		if end < 0 {
			return value
		}
		value++
		for v := end; from[v] >= 0; {
			a := from[v]
			used[a]++
			used[f.twin[a]]--
			v = int(f.head[f.twin[a]])
		}
	}
}

// The flow is a maximum one, and the cut found has its size.
func TestFlow(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := grid(r, 3+r.IntN(8), 3+r.IntN(8))
		nodes, roads := make([]graph.Node, len(n.X)), make([]graph.Segment, len(n.Roads))
		for i := range nodes {
			nodes[i] = graph.Node(i)
		}
		for i := range roads {
			roads[i] = graph.Segment(i)
		}
		f := newFlow(t.Context(), n, nodes, roads)
		for i := range f.side {
			f.side[i] = []uint8{free, free, free, source, sink}[r.IntN(5)]
		}
		f.side[0], f.side[len(f.side)-1] = source, sink
		want := slowCut(f)
		got, ok := f.maxFlow(len(f.head))
		if !ok || got != want {
			t.Fatalf("seed %d: flow %d, want %d", seed, got, want)
		}
		side := make([]uint8, len(nodes))
		f.sidesOfCut(side)
		cut := 0
		for _, e := range f.ends {
			if side[e[0]] != side[e[1]] {
				cut++
			}
		}
		if cut != want {
			t.Fatalf("seed %d: the cut takes %d roads, the flow is %d", seed, cut, want)
		}
	}
}
