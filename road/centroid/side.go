package centroid

import (
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/heap"
	"github.com/waygate/waygate/road/search"
)

// side is the search of one traveller. Its labels lie in pages that are allocated
// when one of their edges is first reached, so that a search of the neighbourhood
// takes no memory for the rest of the graph.
type side struct {
	from  []search.End
	pages []*page
	used  []uint32                      // pages in use
	heap  heap.Heap[uint64, graph.Edge] // edges by cost
}

const pageSize = 512

type page [pageSize]label

// label is the cost up to the head of an edge, the edge before it, and whether it
// is settled. The zero value is that of an edge not reached, hence cost + 1.
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

// release clears the pages and appends them to spare.
func (s *side) release(spare []*page) []*page {
	for _, n := range s.used {
		clear(s.pages[n][:])
		spare = append(spare, s.pages[n])
		s.pages[n] = nil
	}
	s.used, s.heap, s.from = s.used[:0], s.heap[:0], nil
	return spare
}

func (s *side) label(e graph.Edge) labelValue {
	l := &s.pages[e/pageSize][e%pageSize]
	return labelValue{l.costPlus1 - 1, l.parent}
}

// improve lowers the cost of an edge for traveller i. Costs above that of the best
// meeting place are of no use.
func (q *Query) improve(i int, e graph.Edge, cost uint64, parent graph.Edge) {
	if cost > q.best.Total {
		return
	}
	s := &q.sides[i]
	p := s.pages[e/pageSize]
	if p == nil {
		if n := len(q.spare); n > 0 {
			p, q.spare = q.spare[n-1], q.spare[:n-1]
		} else {
			p = new(page)
		}
		s.pages[e/pageSize] = p
		s.used = append(s.used, uint32(e/pageSize))
	}
	l := &p[e%pageSize]
	if l.costPlus1 != 0 && l.costPlus1 <= cost+1 {
		return
	}
	l.costPlus1, l.parent = cost+1, parent
	s.heap.Push(cost, e)
}

// top gives the least cost of the unsettled edges.
func (s *side) top() uint64 {
	for len(s.heap) > 0 {
		t := s.heap[0]
		if l := &s.pages[t.Value/pageSize][t.Value%pageSize]; !l.done && l.costPlus1 == t.Key+1 {
			return t.Key
		}
		s.heap.Pop()
	}
	return unreached
}

// pop settles the edge whose cost top gave.
func (s *side) pop() settledEdge {
	t := s.heap.Pop()
	s.pages[t.Value/pageSize][t.Value%pageSize].done = true
	return settledEdge{t.Key, t.Value}
}
