package link

import (
	"context"

	"github.com/waygate/waygate/road/graph"
)

// TurnTime is the least time of a turn between two original edges.
type TurnTime struct {
	From, To graph.Edge
	Seconds  float32
	At       uint32 // as of a Segment
}

// Turns finds turns by their nodes; missed is the number of turns that the graph does not
// have, such as those at a node where no roads meet. Of several reports of a turn the last
// counts. The only error is that of the context.
func Turns(ctx context.Context, g *graph.Graph, list []Turn) (found []TurnTime, missed int, err error) {
	if len(list) == 0 {
		return nil, 0, nil
	}
	at := make(map[int64][]int32, len(list)) // by the node of the turn
	for i := range list {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		at[list[i].Via] = append(at[list[i].Via], int32(i))
	}
	f := turnFinder{g: g, number: map[[2]graph.Edge]int{}}
	missed = len(list)
	for n := range graph.Node(len(g.NodeID)) {
		if n%lookEvery == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		for _, i := range at[g.NodeID[n]] {
			if f.add(n, &list[i]) {
				missed--
			}
		}
	}
	return f.found, missed, nil
}

type turnFinder struct {
	g      *graph.Graph
	number map[[2]graph.Edge]int // in found
	found  []TurnTime
	nodes  []int64
}

// add takes a turn at a node of the graph, for each two edges that it means.
func (f *turnFinder) add(n graph.Node, t *Turn) (any bool) {
	g := f.g
	for back := g.FirstOut[n]; back < g.FirstOut[n+1]; back++ {
		if !f.leads(back, t.From) {
			continue
		}
		for to := g.FirstOut[n]; to < g.FirstOut[n+1]; to++ {
			if !f.leads(to, t.To) {
				continue
			}
			any = true
			turn := TurnTime{g.ByEdge[back].Opposite, to, t.Seconds, t.At}
			if i, again := f.number[[2]graph.Edge{turn.From, to}]; again {
				f.found[i] = turn
				continue
			}
			f.number[[2]graph.Edge{turn.From, to}] = len(f.found)
			f.found = append(f.found, turn)
		}
	}
	return any
}

// leads reports whether a node is the first after the beginning of an edge, or the
// one at its end.
func (f *turnFinder) leads(e graph.Edge, to int64) bool {
	g := f.g
	if g.NodeID[g.ByEdge[e].Head] == to {
		return true
	}
	if s := g.Segment(e); g.ShapeAt[s+1]-g.ShapeAt[s] <= 2 {
		return false
	}
	f.nodes = g.AppendNodes(f.nodes[:0], e)
	return len(f.nodes) > 1 && f.nodes[1] == to
}
