package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/heap"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Maker draws requests from a road graph.
type Maker struct {
	Progress func(done, all int) // receives the pairs drawn, whose searches take minutes in a country; nil does not

	g *graph.Graph
	c *profile.Costing
	r *rand.Rand

	cost  []uint64
	round []uint32
	now   uint32
	queue heap.Heap[uint64, graph.Edge] // edges by cost
}

// NewMaker returns a maker for a kind of traveller; the same seed draws the same.
func NewMaker(g *graph.Graph, kind costing.Costing, seed uint64) *Maker {
	return &Maker{
		g: g, c: profile.New(g, costing.Default(kind)), r: rand.New(rand.NewPCG(seed, 0x77617967)),
		cost: make([]uint64, g.Base), round: make([]uint32, g.Base),
	}
}

// usable draws an edge that the traveller may use.
func (m *Maker) usable() (graph.Edge, error) {
	for range 10_000 {
		if e := graph.Edge(m.r.Uint32N(uint32(m.g.Base))); m.c.Edge(e) != profile.Forbidden {
			return e, nil
		}
	}
	return 0, fmt.Errorf("hardly an edge is open to %s", m.c.Options().Costing)
}

// middle returns the point half-way along an edge.
func (m *Maker) middle(e graph.Edge) geo.Point {
	line := m.g.AppendShape(nil, e)
	return along(line, geo.Length(line)/2)
}

// along returns the point at some metres of a line.
func along(line []geo.Point, metres float64) geo.Point {
	for i := 1; i < len(line); i++ {
		step := geo.Distance(line[i-1], line[i])
		if metres <= step && step > 0 {
			t := metres / step
			return geo.Point{Lon: line[i-1].Lon + (line[i].Lon-line[i-1].Lon)*t, Lat: line[i-1].Lat + (line[i].Lat-line[i-1].Lat)*t}
		}
		metres -= step
	}
	return line[len(line)-1]
}

// Routes draws n pairs: for each source the targets are the edges that a
// search settles as the 2^k-th, so that near and far pairs weigh the same
// (Dijkstra ranks: Sanders and Schultes, 2005).
func (m *Maker) Routes(ctx context.Context, n int) ([]Request, error) {
	var set []Request
	for tries := 0; len(set) < n; tries++ {
		if tries > 10*n+100 {
			return nil, errors.New("the network hangs together too little to draw pairs from")
		}
		from, err := m.usable()
		if err != nil {
			return nil, err
		}
		targets, err := m.ranked(ctx, from)
		if err != nil {
			return nil, err
		}
		for rank, to := range targets {
			if rank >= lowestRank && len(set) < n {
				set = append(set, Request{Kind: Route, Costing: m.c.Options().Costing.String(), Rank: rank, Points: []Position{At(m.middle(from)), At(m.middle(to))}})
			}
		}
		if m.Progress != nil {
			m.Progress(len(set), n)
		}
	}
	return set, nil
}

// lowestRank is the least that is worth a request.
const lowestRank = 6

// ranked returns the edges that a search from an edge settles as the 2^k-th. The error is
// the context's.
func (m *Maker) ranked(ctx context.Context, from graph.Edge) ([]graph.Edge, error) {
	g := m.g
	m.now++
	m.queue = m.queue[:0]
	m.queue.Push(0, from)
	m.cost[from], m.round[from] = 0, m.now
	var found []graph.Edge
	settled := 0
	for len(m.queue) > 0 {
		top := m.queue.Pop()
		if top.Key != m.cost[top.Value] {
			continue
		}
		if settled++; settled == 1<<len(found) {
			found = append(found, top.Value)
		}
		if settled%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := g.ByEdge[top.Value].Head
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			turn, edge := m.c.Turn(top.Value, f).Cost, m.c.Edge(f)
			if turn == profile.Forbidden || edge == profile.Forbidden {
				continue
			}
			if c := top.Key + uint64(turn) + uint64(edge); m.round[f] != m.now || c < m.cost[f] {
				m.round[f], m.cost[f] = m.now, c
				m.queue.Push(c, f)
			}
		}
	}
	return found, ctx.Err()
}

// Matrices draws n squares of size random points.
func (m *Maker) Matrices(n, size int) ([]Request, error) {
	set := make([]Request, n)
	for i := range set {
		set[i] = Request{Kind: Matrix, Costing: m.c.Options().Costing.String()}
		for range size {
			e, err := m.usable()
			if err != nil {
				return nil, err
			}
			set[i].Points = append(set[i].Points, At(m.middle(e)))
		}
	}
	return set, nil
}

// Noise is how a drive is recorded.
type Noise struct {
	Metres float64 // standard deviation of a position
	Every  float64 // seconds between two
}

// Traces draws n drives of at most size positions.
func (m *Maker) Traces(ctx context.Context, n, size int, noise Noise) ([]Request, error) {
	q := search.NewQuery(m.g)
	var set []Request
	for tries := 0; len(set) < n; tries++ {
		if tries > 10*n+100 {
			return nil, errors.New("the network hangs together too little to draw drives from")
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from, err := m.usable()
		if err != nil {
			return nil, err
		}
		to, err := m.usable()
		if err != nil {
			return nil, err
		}
		f, ok, err := q.Shortest(ctx, search.Weights{Costing: m.c}, []search.End{{Edge: from}}, []search.End{{Edge: to, Along: 1}})
		if err != nil {
			return nil, err
		}
		if points := m.drive(f, size, noise); ok && len(points) >= 10 {
			set = append(set, Request{Kind: Trace, Costing: m.c.Options().Costing.String(), Points: points})
		}
	}
	return set, nil
}

// drive records a path.
func (m *Maker) drive(f search.Found, size int, noise Noise) []Position {
	var points []Position
	wait := 0.0
	for _, e := range f.Edges {
		o := m.g.Original(e)
		line := m.g.AppendShape(nil, o)
		length, seconds := geo.Length(line), m.c.Seconds(o)
		for ; wait < seconds && len(points) < size; wait += noise.Every {
			points = append(points, m.blur(along(line, length*wait/seconds), noise.Metres))
		}
		wait -= seconds
	}
	return points
}

// blur moves a point by a normal deviate to the north and to the east.
func (m *Maker) blur(p geo.Point, metres float64) Position {
	const degree = 111_195 // metres
	p.Lat += m.r.NormFloat64() * metres / degree
	p.Lon += m.r.NormFloat64() * metres / degree / math.Cos(p.Lat*math.Pi/180)
	return At(p)
}
