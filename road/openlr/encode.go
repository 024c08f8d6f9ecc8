package openlr

import (
	"errors"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// Encoder makes references to ways of a graph. It is scratch for one goroutine at
// a time.
type Encoder struct {
	g    *graph.Graph
	walk walk
	line []geo.Point
}

// NewEncoder returns an encoder over a graph.
func NewEncoder(g *graph.Graph) *Encoder { return &Encoder{g: g, walk: walk{g: g}} }

// Encode returns the reference to a way of whole edges, originals. It has a point where
// the way begins and ends, and wherever the shortest way would be another.
func (x *Encoder) Encode(edges []graph.Edge) (*Line, error) {
	if len(edges) == 0 {
		return nil, errors.New("a way without edges")
	}
	l := &Line{}
	for from := 0; from < len(edges); {
		to := x.reach(edges, from)
		p, err := x.point(edges[from:to])
		if err != nil {
			return nil, err
		}
		l.Points = append(l.Points, p)
		from = to
	}
	last := edges[len(edges)-1]
	s := x.g.Segment(last)
	x.line = x.g.AppendShape(x.line[:0], last)
	l.Points = append(l.Points, Point{
		At: x.line[len(x.line)-1], Class: classOf(x.g, s), Form: formOf(x.g, s),
		Bearing: bearing(x.line, geo.Length(x.line), 1, true),
	})
	return l, nil
}

// reach returns how many of the edges from one on are the shortest way to their end,
// and short enough for one stretch.
func (x *Encoder) reach(edges []graph.Edge, from int) int {
	metres := x.g.EdgeLength(edges[from])
	to := from + 1
	for ; to < len(edges); to++ {
		metres += x.g.EdgeLength(edges[to])
		if metres > MaxMetres-lengthStep {
			break
		}
	}
	for ; to > from+1; to-- {
		path, _, ok := x.walk.between(candidate{edge: edges[from]}, candidate{edge: edges[to-1], along: 1}, MaxMetres, 7)
		if ok && same(path, edges[from:to]) {
			break
		}
	}
	return to
}

func same(path graph.Path, edges []graph.Edge) bool {
	if len(path) != len(edges) {
		return false
	}
	for i := range path {
		if path[i].Edge != edges[i] {
			return false
		}
	}
	return true
}

// point returns that at the beginning of a stretch.
func (x *Encoder) point(edges []graph.Edge) (Point, error) {
	s := x.g.Segment(edges[0])
	x.line = x.g.AppendShape(x.line[:0], edges[0])
	p := Point{At: x.line[0], Class: classOf(x.g, s), Form: formOf(x.g, s), Bearing: bearing(x.line, geo.Length(x.line), 0, false)}
	for _, e := range edges {
		p.Lowest = max(p.Lowest, classOf(x.g, x.g.Segment(e)))
		p.Metres += x.g.EdgeLength(e)
	}
	if p.Metres > MaxMetres {
		return p, errors.New("an edge is longer than the binary form can tell")
	}
	return p, nil
}
