package openlr

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// How a way is found; most after TomTom's reference decoder.
const (
	radius        = 50  // metres within which a point's roads are looked for
	maxOff        = 45  // degrees that a road may differ from a point's bearing
	minScore      = 0.3 // of a candidate, up to 1
	maxCandidates = 8   // of one point
	lengthShare   = 0.1 // by which the length of a stretch may differ from that of the reference
	lengthSlack   = 30 + lengthStep/2
	maxPairs      = 24   // pairs of candidates that are tried for a stretch
	middle        = 0.15 // less for a place between junctions
	atJunction    = 4    // metres from a junction within which a point is at it
)

// ErrNotFound is a reference that means no road of the map.
var ErrNotFound = errors.New("no way on the map fits the reference")

// Decoder finds ways on a graph. It is scratch for one goroutine at a time.
type Decoder struct {
	g    *graph.Graph
	near *snap.Query
	walk walk
	line []geo.Point
}

// NewDecoder returns a decoder over a graph and its index.
func NewDecoder(g *graph.Graph, t *snap.Tree) *Decoder {
	return &Decoder{g: g, near: snap.NewQuery(g, t), walk: walk{g: g}}
}

// candidate is a place where the way may go through a point.
type candidate struct {
	edge  graph.Edge
	along float64
	score float64
}

// Decode finds the way that a reference means.
func (d *Decoder) Decode(l *Line) (graph.Path, error) {
	lists := make([][]candidate, len(l.Points))
	for i := range l.Points {
		lists[i] = d.candidates(&l.Points[i], i == len(l.Points)-1)
		if len(lists[i]) == 0 {
			return nil, ErrNotFound
		}
	}
	var path graph.Path
	var from *candidate
	first, last := 0.0, 0.0 // metres of the first and the last stretch
	for i := range len(lists) - 1 {
		part, to, metres, ok := d.stretch(&l.Points[i], from, lists[i], lists[i+1])
		if !ok && from != nil {
			// The stretch before ended on the wrong road.
			part, to, metres, ok = d.stretch(&l.Points[i], nil, lists[i], lists[i+1])
			ok = ok && joins(d.g, path, part)
		}
		if !ok {
			return nil, ErrNotFound
		}
		if i == 0 {
			first = metres
		}
		last = metres
		path = join(path, part)
		from = &to
	}
	return trim(d.g, path, l.Begin*first, l.End*last)
}

// candidates lists the places where a way may go through a point, the best first.
func (d *Decoder) candidates(p *Point, last bool) []candidate {
	var list []candidate
	d.near.Nearest(p.At, radius, func(c snap.Candidate) bool {
		forward := d.g.Forward[c.Segment]
		for _, e := range []graph.Edge{forward, d.g.ByEdge[forward].Opposite} {
			if !usable(d.g, e) {
				continue
			}
			along := c.Along
			if e != forward {
				along = 1 - along
			}
			if x, ok := d.score(p, e, along, c.Metres, last); ok {
				list = append(list, x)
			}
		}
		return len(list) < 64
	})
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return list[:min(len(list), maxCandidates)]
}

// score judges a place on an edge by how near it is to a point and how like the road
// there is to the reference.
func (d *Decoder) score(p *Point, e graph.Edge, along, metres float64, last bool) (candidate, bool) {
	s := d.g.Segment(e)
	// Points stand at junctions, but for the steps of the binary form.
	node, end := d.g.ByEdge[e].Tail, 0.0
	if last {
		node, end = d.g.ByEdge[e].Head, 1
	}
	switch off := geo.Distance(p.At, d.g.Position[node].Point()); {
	case off <= atJunction:
		along, metres = end, off
	case along*d.g.EdgeLength(e) < atJunction && last || (1-along)*d.g.EdgeLength(e) < atJunction && !last:
		return candidate{}, false // nothing of the edge is on the way
	}
	d.line = d.g.AppendShape(d.line[:0], e)
	off := apart(bearing(d.line, geo.Length(d.line), along, last), p.Bearing)
	off = max(0, off-sector/2)
	if off > maxOff {
		return candidate{}, false
	}
	class := math.Abs(float64(classOf(d.g, s)) - float64(p.Class))
	score := (1 - metres/radius + 1 - off/maxOff + 1 - class/7 + formScore(formOf(d.g, s), p.Form)) / 4
	if along > 0 && along < 1 {
		score -= middle
	}
	return candidate{e, along, score}, score >= minScore
}

// formScore returns how like two forms of way are, 0 to 1.
func formScore(a, b uint8) float64 {
	switch {
	case a == b:
		return 1
	case a == formUndefined || b == formUndefined || a == formOther || b == formOther:
		return 0.5
	case a+b == formMotorway+formDual || a+b == formDual+formSingle || a+b == formRoundabout+formSquare || a+b == formSingle+formSlip:
		return 0.5
	}
	return 0
}

// stretch finds the way from a point to the next: from the candidate where the stretch
// before ended where there is one, else from the best.
func (d *Decoder) stretch(p *Point, begun *candidate, from, to []candidate) (part graph.Path, end candidate, metres float64, ok bool) {
	if begun != nil {
		from = []candidate{*begun}
	}
	type pair struct {
		a, b  candidate
		score float64
	}
	var pairs []pair
	for _, a := range from {
		for _, b := range to {
			pairs = append(pairs, pair{a, b, a.score + b.score})
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(y.score, x.score) })
	slack := lengthShare*p.Metres + lengthSlack
	if p.Metres >= MaxMetres {
		slack = 2 * lengthStep
	}
	for _, x := range pairs[:min(len(pairs), maxPairs)] {
		part, metres, ok = d.walk.between(x.a, x.b, p.Metres+slack, p.Lowest)
		if ok && math.Abs(metres-p.Metres) <= slack {
			return part, x.b, metres, true
		}
	}
	return nil, candidate{}, 0, false
}

// joins reports whether a path goes on in another without a gap.
func joins(g *graph.Graph, path, next graph.Path) bool {
	a, b := path[len(path)-1], next[0]
	return a.Edge == b.Edge && a.End == b.Begin || a.End == 1 && b.Begin == 0 && g.ByEdge[a.Edge].Head == g.ByEdge[b.Edge].Tail
}

// join puts two paths together; what they share of an edge is one step.
func join(path, next graph.Path) graph.Path {
	if len(path) > 0 && len(next) > 0 {
		if a, b := &path[len(path)-1], next[0]; a.Edge == b.Edge && a.End == b.Begin {
			a.End = b.End
			next = next[1:]
		}
	}
	return append(path, next...)
}

// trim takes metres off both ends of a path.
func trim(g *graph.Graph, path graph.Path, begin, end float64) (graph.Path, error) {
	for begin > 0 && len(path) > 0 {
		s := &path[0]
		metres := g.EdgeLength(s.Edge) * (s.End - s.Begin)
		if metres > begin {
			s.Begin += begin / g.EdgeLength(s.Edge)
			break
		}
		path, begin = path[1:], begin-metres
	}
	for end > 0 && len(path) > 0 {
		s := &path[len(path)-1]
		metres := g.EdgeLength(s.Edge) * (s.End - s.Begin)
		if metres > end {
			s.End -= end / g.EdgeLength(s.Edge)
			break
		}
		path, end = path[:len(path)-1], end-metres
	}
	if len(path) == 0 {
		return nil, ErrNotFound
	}
	return path, nil
}
