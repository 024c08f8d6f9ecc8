package cch

import (
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Router finds cheapest paths between places on edges, as search.Query does, with a Query in
// a metric that was computed before. It is for one goroutine at a time.
type Router struct {
	q      *Query
	c      *profile.Costing
	best   uint64
	direct directPath // the best path of one or two edges
	path   []graph.Edge
	to     search.ByEdge // the ends of the journey
	judge  side          // of alternatives
}

// directPath is a path of one or two edges, which needs no hierarchy.
type directPath struct {
	from, to search.End
	last     graph.Edge // the edge of to, a copy perhaps
	single   bool
}

// NewRouter returns a router over a topology.
func NewRouter(t *Topology) *Router { return &Router{q: NewQuery(t)} }

// Shortest finds the cheapest path from any of the places from to any of the
// places to; ok is false where there is none. m must be of the costing. The
// path found shares no memory with the router.
func (r *Router) Shortest(c *profile.Costing, m *Metric, from, to []search.End) (f search.Found, ok bool) {
	r.begin(Journey{c, m, from, to})
	cost, top := r.q.Run(r.best)
	if cost == Unreached {
		if r.best == Unreached {
			return search.Found{}, false
		}
		return r.directFound(), true
	}
	r.path = r.q.Path(r.path[:0], top)
	return r.unpacked(cost, from, to), true
}

// begin sets the ends of a journey in the query.
func (r *Router) begin(j Journey) {
	r.c, r.best = j.Costing, Unreached
	r.q.Begin(j.Metric)
	r.to.Reset(j.To)
	for _, s := range j.From {
		r.addSource(s)
	}
	for _, t := range j.To {
		r.addTarget(t)
	}
}

func (r *Router) part(e graph.Edge, share float64) uint64 { return search.PartCost(r.c, e, share) }

func (r *Router) start(s search.End) uint64 { return r.part(s.Edge, 1-s.Along) + uint64(s.Extra) }
func (r *Router) end(t search.End) uint64   { return r.part(t.Edge, t.Along) + uint64(t.Extra) }

// turn returns the edge that turning from e into the original f leads to, and the cost.
func (r *Router) turn(e, f graph.Edge) (to graph.Edge, cost uint64, ok bool) {
	c := r.c.Turn(e, f).Cost
	if c == profile.Forbidden {
		return 0, 0, false
	}
	to, ok = r.c.Follow(e, f)
	return to, uint64(c), ok
}

// addSource lets paths begin at a place, with the edges that follow its own, and
// looks at the direct paths from it.
func (r *Router) addSource(s search.End) {
	g := r.c.Graph()
	begun := r.start(s)
	for _, t := range r.to.On(s.Edge) {
		if s.Along <= t.Along {
			if cost := r.part(s.Edge, t.Along-s.Along) + uint64(s.Extra) + uint64(t.Extra); cost < r.best {
				r.best, r.direct = cost, directPath{from: s, to: t, last: s.Edge, single: true}
			}
		}
	}
	n := g.ByEdge[s.Edge].Head
	for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
		next, turn, ok := r.turn(s.Edge, f)
		if !ok {
			continue
		}
		for _, t := range r.to.On(f) {
			if cost := begun + turn + r.end(t); cost < r.best {
				r.best, r.direct = cost, directPath{from: s, to: t, last: next}
			}
		}
		if w := r.c.Edge(f); w != profile.Forbidden {
			r.q.From(next, begun+turn+uint64(w))
		}
	}
}

// addTarget lets paths end at a place, after the edges that lead to its own.
func (r *Router) addTarget(t search.End) {
	rest := r.end(t)
	r.c.Graph().EachPredecessor(t.Edge, func(e graph.Edge) {
		if _, turn, ok := r.turn(e, t.Edge); ok {
			r.q.To(e, turn+rest)
		}
	})
}

// directFound returns the best path of one or two edges.
func (r *Router) directFound() search.Found {
	f := search.Found{From: r.direct.from, To: r.direct.to, Cost: r.best, Edges: []graph.Edge{r.direct.from.Edge}}
	if !r.direct.single {
		f.Edges = append(f.Edges, r.direct.last)
	}
	return f
}

// unpacked returns the path over the edges found by the query, with the ends between which
// it is cheapest.
func (r *Router) unpacked(cost uint64, from, to []search.End) search.Found {
	f := search.Found{Cost: cost, Edges: make([]graph.Edge, 1, len(r.path)+2)}
	least := uint64(Unreached)
	first, last := r.path[0], r.path[len(r.path)-1]
	for _, s := range from {
		if r.c.Graph().ByEdge[s.Edge].Head != r.c.Graph().ByEdge[first].Tail {
			continue
		}
		next, turn, ok := r.turn(s.Edge, r.c.Graph().Original(first))
		if c := r.start(s) + turn; ok && next == first && c < least {
			least, f.From, f.Edges[0] = c, s, s.Edge
		}
	}
	least = Unreached
	f.Edges = append(f.Edges, r.path...)
	final := graph.Edge(0)
	for _, t := range to {
		if r.c.Graph().ByEdge[t.Edge].Tail != r.c.Graph().ByEdge[last].Head {
			continue
		}
		next, turn, ok := r.turn(last, t.Edge)
		if c := r.end(t) + turn; ok && c < least {
			least, f.To, final = c, t, next
		}
	}
	f.Edges = append(f.Edges, final)
	return f
}
