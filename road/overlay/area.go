package overlay

import (
	"context"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// Closure is the set of edges that an area closes in a graph. It is immutable and shared by
// the overlays of all requests that avoid the area.
type Closure struct{ closed map[graph.Edge]Span }

// Edges returns the number of edges closed, in part or whole.
func (c *Closure) Edges() int { return len(c.closed) }

// NewClosure closes what lies within an area: of each edge the part from where it first
// enters the area to where it last leaves it. An edge that only touches the border stays
// open. The error is the context's.
func NewClosure(ctx context.Context, g *graph.Graph, t *snap.Tree, a *geo.Area) (*Closure, error) {
	c := &Closure{map[graph.Edge]Span{}}
	box := a.Bounds()
	if box.Empty() {
		return c, nil
	}
	low, high := box.Min.Fix(), box.Max.Fix()
	var line []geo.Point
	for i, s := range t.Touching(nil, snap.Box{MinLon: low.Lon, MinLat: low.Lat, MaxLon: high.Lon, MaxLat: high.Lat}) {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line = line[:0]
		for _, f := range g.SegmentShape(s) {
			line = append(line, f.Point())
		}
		in := a.Within(geo.NewTrack(line))
		if len(in) == 0 {
			continue
		}
		span := Whole
		if first, last := in[0].From, in[len(in)-1].To; first > 0 || last < float64(len(line)-1) {
			span = Span{along(line, first), along(line, last)}
		}
		forward := g.Forward[s]
		c.closed[forward] = span
		c.closed[g.ByEdge[forward].Opposite] = Span{1 - span.To, 1 - span.From}
	}
	return c, nil
}

// JoinClosures closes what any of the closures closes: of an edge everything from its first
// closed part to its last.
func JoinClosures(all []*Closure) *Closure {
	joined := &Closure{map[graph.Edge]Span{}}
	for _, c := range all {
		for e, s := range c.closed {
			if old, ok := joined.closed[e]; ok {
				s = Span{min(s.From, old.From), max(s.To, old.To)}
			}
			joined.closed[e] = s
		}
	}
	return joined
}

// along returns the length of a line up to a point on it, as a share of the whole.
func along(line []geo.Point, place float64) float64 {
	before, all := 0.0, 0.0
	for i := 1; i < len(line); i++ {
		metres := geo.Distance(line[i-1], line[i])
		all += metres
		before += metres * min(max(place-float64(i-1), 0), 1)
	}
	if all == 0 {
		return 0
	}
	return before / all
}

// Share closes a Closure in an overlay without copying it. An overlay has at most one. Only
// the code that makes the overlay may call it.
func (o *Overlay) Share(c *Closure) { o.shared = c.closed }

// span returns the part of an original edge that may not be travelled.
func (o *Overlay) span(e graph.Edge) (s Span, ok bool) {
	s, ok = o.closed[e]
	if o.shared == nil {
		return s, ok
	}
	other, also := o.shared[e]
	switch {
	case also && ok:
		return Span{min(s.From, other.From), max(s.To, other.To)}, true
	case also:
		return other, true
	}
	return s, ok
}
