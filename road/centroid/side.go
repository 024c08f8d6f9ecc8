package centroid

import (
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/heap"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/sparse"
)

// side is the search of one traveller.
type side struct {
	from   []search.End
	labels sparse.Table[label]           // by edge
	heap   heap.Heap[uint64, graph.Edge] // edges by cost
}

// label is the cost up to the head of an edge, the edge before it, and whether it is
// settled. The zero value is that of an edge not reached, so the cost is stored plus 1.
type label struct {
	costPlus1 uint64 // cost + 1
	parent    graph.Edge
	done      bool
}

type labelValue struct {
	cost   uint64
	parent graph.Edge
}

type settledEdge struct {
	cost uint64
	edge graph.Edge
}

func (s *side) reset() {
	s.labels.Reset()
	s.heap, s.from = s.heap[:0], nil
}

func (s *side) label(e graph.Edge) labelValue {
	l := s.labels.At(uint32(e))
	return labelValue{l.costPlus1 - 1, l.parent}
}

// improve lowers the cost of an edge for traveller i. Costs above that of the best
// meeting place are of no use.
func (q *Query) improve(i int, e graph.Edge, cost uint64, parent graph.Edge) {
	if cost > q.best.Total {
		return
	}
	s := &q.sides[i]
	l := s.labels.At(uint32(e))
	if l.costPlus1 != 0 && l.costPlus1 <= cost+1 {
		return
	}
	l.costPlus1, l.parent = cost+1, parent
	s.heap.Push(cost, e)
}

// top returns the least cost of the unsettled edges.
func (s *side) top() uint64 {
	for len(s.heap) > 0 {
		t := s.heap[0]
		if l := s.labels.At(uint32(t.Value)); !l.done && l.costPlus1 == t.Key+1 {
			return t.Key
		}
		s.heap.Pop()
	}
	return unreached
}

// pop settles the edge whose cost top returned.
func (s *side) pop() settledEdge {
	t := s.heap.Pop()
	s.labels.At(uint32(t.Value)).done = true
	return settledEdge{t.Key, t.Value}
}
