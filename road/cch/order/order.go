// Package order finds a nested dissection of a road network: an order in which
// its edges can be contracted so that few shortcuts arise. The network is cut
// in two along few roads, each part again, and so on; the roads of a cut come in
// the order after all roads on either side, so that contracting one side never
// adds a shortcut to the other.
//
// The cuts are those of inertial flow (Schild and Sommer, "On Balanced
// Separators in Road Networks", 2015): the nodes are sorted along a line, the
// first are sources, the last sinks, and a smallest cut between them is found
// by maximum flow; of several lines the best cut is taken. Cutting roads and
// not nodes makes the cut roads, which are the nodes of the turn-expanded
// graph, its separator (Buchhold, Wagner, Zeitz, Zündorf, "Customizable
// Contraction Hierarchies with Turn Costs", 2020).
package order

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/waygate/waygate/road/graph"

	"github.com/waygate/waygate/parallel"
)

// Network is the network to be dissected: nodes on a plane, and roads between them,
// each once whatever its directions. A road of a graph is a segment.
type Network struct {
	X, Y  []int32 // by node
	Roads [][2]graph.Node
}

// Level has the cuts at one depth of the dissection.
type Level struct {
	Parts   int     // that were cut
	Largest int     // nodes of the largest part
	Cut     int     // roads in the largest cut
	Balance float64 // least share of a part's nodes on one side, of parts above 100 nodes
}

// Dissection is the order found, with what the cuts were like.
type Dissection struct {
	Roads  []graph.Segment // every road of the network, in the order of contraction
	Levels []Level         // from the whole network down
}

// Dissect orders the roads of a network, on all cores. It is deterministic. It
// ends with its context, whose error it gives.
func Dissect(ctx context.Context, n Network) (*Dissection, error) {
	d := &dissector{ctx: ctx, n: n, tokens: make(chan struct{}, max(runtime.GOMAXPROCS(0)-1, 0))}
	nodes := make([]graph.Node, len(n.X))
	for i := range nodes {
		nodes[i] = graph.Node(i)
	}
	roads := make([]graph.Segment, len(n.Roads))
	for i := range roads {
		roads[i] = graph.Segment(i)
	}
	out := &Dissection{Roads: make([]graph.Segment, len(n.Roads))}
	d.order(nodes, roads, out.Roads, 0)
	out.Levels = d.levels
	return out, ctx.Err()
}

type dissector struct {
	ctx    context.Context
	n      Network
	tokens chan struct{} // holds a token for each further goroutine at work
	mu     sync.Mutex
	levels []Level
}

// record adds a cut to the statistics of its level.
func (d *dissector) record(depth, nodes, cut, smaller int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.levels) <= depth {
		d.levels = append(d.levels, Level{Balance: 0.5})
	}
	l := &d.levels[depth]
	l.Parts++
	l.Largest = max(l.Largest, nodes)
	l.Cut = max(l.Cut, cut)
	if nodes > 100 {
		l.Balance = min(l.Balance, float64(smaller)/float64(nodes))
	}
}

// order writes the roads among some nodes to out: those of one side, those of the
// other, and last those of the cut. It may reorder nodes and roads.
func (d *dissector) order(nodes []graph.Node, roads, out []graph.Segment, depth int) {
	if len(roads) == 0 || d.ctx.Err() != nil {
		return
	}
	if len(nodes) == 1 { // loops
		copy(out, roads)
		return
	}
	f := newFlow(d.ctx, d.n, nodes, roads)
	left := f.bisect()
	if d.ctx.Err() != nil {
		return
	}
	var sides [2][]graph.Node
	for i, v := range f.nodes {
		sides[left[i]] = append(sides[left[i]], v)
	}
	var parts [3][]graph.Segment
	for i, r := range roads {
		a, b := left[f.ends[i][0]], left[f.ends[i][1]]
		if a != b {
			parts[2] = append(parts[2], r)
		} else {
			parts[a] = append(parts[a], r)
		}
	}
	d.record(depth, len(nodes), len(parts[2]), min(len(sides[0]), len(sides[1])))
	first, second := len(parts[0]), len(parts[0])+len(parts[1])
	copy(out[second:], parts[2])
	var other parallel.Group
	defer other.Wait()
	if len(sides[0]) > 1000 {
		select {
		case d.tokens <- struct{}{}:
			other.Go(func() {
				d.order(sides[0], parts[0], out[:first], depth+1)
				<-d.tokens
			})
			d.order(sides[1], parts[1], out[first:second], depth+1)
			return
		default:
		}
	}
	d.order(sides[0], parts[0], out[:first], depth+1)
	d.order(sides[1], parts[1], out[first:second], depth+1)
}

// sortAlong sorts node indices by their position along a line.
func sortAlong(index []uint32, key []int64) {
	slices.SortFunc(index, func(a, b uint32) int {
		if c := cmp.Compare(key[a], key[b]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
}
