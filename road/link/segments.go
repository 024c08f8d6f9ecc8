package link

import (
	"context"
	"math"

	"github.com/waygate/waygate/road/graph"
)

// Speed is the speed of one edge.
type Speed struct {
	Edge graph.Edge // an original
	Kmh  uint8      // 0 is closed
	At   uint32     // Unix seconds when it was so, of the oldest part; 0 where unknown
}

// pairs finds segments by their nodes: a table with open addressing, since there
// may be millions.
type pairs struct {
	list  []Segment
	slots []uint32 // index in list and one more; 0 is free
	mask  uint64
}

func newPairs(ctx context.Context, list []Segment) (*pairs, error) {
	size := 1
	for size < 2*len(list) {
		size *= 2
	}
	p := &pairs{list: list, slots: make([]uint32, size), mask: uint64(size - 1)}
	for i := range list {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := p.slot(list[i].From, list[i].To)
		p.slots[at] = uint32(i + 1) // of several reports the last counts
	}
	return p, nil
}

// slot returns where two nodes are, or would be.
func (p *pairs) slot(from, to int64) uint64 {
	h := (uint64(from)*0x9e3779b97f4a7c15 ^ uint64(to)) * 0xff51afd7ed558ccd
	for at := (h ^ h>>29) & p.mask; ; at = (at + 1) & p.mask {
		i := p.slots[at]
		if i == 0 || p.list[i-1].From == from && p.list[i-1].To == to {
			return at
		}
	}
}

func (p *pairs) find(from, to int64) *Segment {
	if i := p.slots[p.slot(from, to)]; i != 0 {
		return &p.list[i-1]
	}
	return nil
}

// leastShare is how much of an edge must be known for its speed to be.
const leastShare = 0.5

// Segments returns the speeds of edges by those between their nodes: of an edge in
// parts the mean by the time they take, where half of it is known. Its only error
// is that of its context.
func Segments(ctx context.Context, g *graph.Graph, list []Segment) ([]Speed, error) {
	if len(list) == 0 {
		return nil, nil
	}
	p, err := newPairs(ctx, list)
	if err != nil {
		return nil, err
	}
	j := joiner{g: g, p: p}
	for s := range graph.Segment(g.Segments()) {
		if s%lookEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		j.segment(s)
	}
	return j.found, nil
}

// lookEvery is after how many segments the context is looked at.
const lookEvery = 256

// Nodes returns the edges that lie between neighbours of each list of nodes.
func Nodes(ctx context.Context, g *graph.Graph, lists [][]int64) ([][]graph.Edge, error) {
	var all []Segment
	for i, nodes := range lists {
		for k := 1; k < len(nodes); k++ {
			// Which list it is of stands in for the time.
			all = append(all, Segment{From: nodes[k-1], To: nodes[k], Kmh: 1, At: uint32(i + 1)})
		}
	}
	found, err := Segments(ctx, g, all)
	if err != nil {
		return nil, err
	}
	edges := make([][]graph.Edge, len(lists))
	for _, f := range found {
		edges[f.At-1] = append(edges[f.At-1], f.Edge)
	}
	return edges, nil
}

// joiner goes through the segments of a graph.
type joiner struct {
	g     *graph.Graph
	p     *pairs
	nodes []int64
	found []Speed
}

func (j *joiner) segment(s graph.Segment) {
	forward := j.g.Forward[s]
	back := j.g.ByEdge[forward].Opposite
	tail, head := j.g.NodeID[j.g.ByEdge[forward].Tail], j.g.NodeID[j.g.ByEdge[forward].Head]
	// Most sources report speeds between junctions, or between all nodes.
	a, b := j.p.find(tail, head), j.p.find(head, tail)
	if a != nil {
		j.found = append(j.found, Speed{forward, a.Kmh, a.At})
	}
	if b != nil {
		j.found = append(j.found, Speed{back, b.Kmh, b.At})
	}
	if a != nil && b != nil || j.g.ShapeAt[s+1]-j.g.ShapeAt[s] <= 2 {
		return
	}
	j.nodes = j.g.AppendNodes(j.nodes[:0], forward)
	if a == nil {
		j.parts(s, forward, func(i int) (from, to int64) { return j.nodes[i], j.nodes[i+1] })
	}
	if b == nil {
		j.parts(s, back, func(i int) (from, to int64) { return j.nodes[i+1], j.nodes[i] })
	}
}

// parts joins the speeds of the parts of an edge.
func (j *joiner) parts(s graph.Segment, e graph.Edge, pair func(i int) (from, to int64)) {
	shape := j.g.SegmentShape(s)
	var all, known, hours float64
	out := Speed{Edge: e}
	for i := range len(shape) - 1 {
		x, y := float64(shape[i+1].Lon-shape[i].Lon), float64(shape[i+1].Lat-shape[i].Lat)
		metres := math.Hypot(x*0.6, y) // a share is all that matters
		all += metres
		from, to := pair(i)
		t := j.p.find(from, to)
		if t == nil {
			continue
		}
		if out.At == 0 || t.At != 0 && t.At < out.At {
			out.At = t.At
		}
		if t.Kmh == 0 {
			j.found = append(j.found, Speed{e, 0, t.At})
			return
		}
		known += metres
		hours += metres / float64(t.Kmh)
	}
	if known > 0 && known >= leastShare*all {
		out.Kmh = uint8(math.Max(1, math.Round(known/hours)))
		j.found = append(j.found, out)
	}
}
