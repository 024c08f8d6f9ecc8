package openlr

import (
	"container/heap"

	"github.com/waygate/waygate/road/graph"
)

// walk finds shortest ways, by length alone: those of references heed neither
// speeds nor turn restrictions. Its memory is bounded by maxSettled.
type walk struct {
	g      *graph.Graph
	labels map[graph.Edge]reached
	heap   queue
}

// maxSettled is how many edges a stretch may be looked for among.
const maxSettled = 20_000

// classSlack is by how much a road on the way may be less important than the one
// in the reference: maps differ.
const classSlack = 3

type reached struct {
	metres float64 // at the end of the edge
	from   graph.Edge
	done   bool
}

type queued struct {
	metres float64
	edge   graph.Edge
}

type queue []queued

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].metres < q[j].metres }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(queued)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// between finds the shortest way from one place to another, no longer than limit
// metres, over roads no less important than class by more than a little.
func (w *walk) between(a, b candidate, limit float64, lowest uint8) (path graph.Path, metres float64, ok bool) {
	g := w.g
	if a.edge == b.edge && a.along < b.along {
		return graph.Path{{Edge: a.edge, Begin: a.along, End: b.along}}, g.EdgeLength(a.edge) * (b.along - a.along), true
	}
	if w.labels == nil {
		w.labels = map[graph.Edge]reached{}
	}
	clear(w.labels)
	w.heap = w.heap[:0]
	begun := g.EdgeLength(a.edge) * (1 - a.along)
	rest := g.EdgeLength(b.edge) * b.along
	goal := g.ByEdge[b.edge].Tail
	// The first edge is not labelled: a way may come back to it.
	at, from, settled := g.ByEdge[a.edge].Head, graph.Edge(graph.None), 0
	so := begun
	for {
		if at == goal && so+rest <= limit && (from != graph.None || b.edge != g.ByEdge[a.edge].Opposite) {
			return w.path(a, b, from), so + rest, true
		}
		for f := g.FirstOut[at]; f < g.FirstOut[at+1]; f++ {
			back := from
			if back == graph.None {
				back = a.edge
			}
			if f == g.ByEdge[back].Opposite || !usable(g, f) || classOf(g, g.Segment(f)) > lowest+classSlack {
				continue
			}
			m := so + g.EdgeLength(f)
			if old, known := w.labels[f]; m+rest > limit || known && old.metres <= m {
				continue
			}
			w.labels[f] = reached{metres: m, from: from}
			heap.Push(&w.heap, queued{m, f})
		}
		for {
			if len(w.heap) == 0 || settled == maxSettled {
				return nil, 0, false
			}
			next := heap.Pop(&w.heap).(queued)
			if l := w.labels[next.edge]; l.done || l.metres < next.metres {
				continue
			}
			l := w.labels[next.edge]
			l.done = true
			w.labels[next.edge] = l
			settled++
			at, from, so = g.ByEdge[next.edge].Head, next.edge, next.metres
			break
		}
	}
}

func (w *walk) path(a, b candidate, last graph.Edge) graph.Path {
	path := graph.Path{{Edge: b.edge, Begin: 0, End: b.along}}
	for e := last; e != graph.None; e = w.labels[e].from {
		path = append(path, graph.Step{Edge: e, Begin: 0, End: 1})
	}
	path = append(path, graph.Step{Edge: a.edge, Begin: a.along, End: 1})
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}
