package search

import (
	"math"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
)

// Weights are the costs that a search minimises: those of a costing on a graph that an
// overlay changes. Metric has the costing's costs precomputed for all edges and turns; it
// may be nil.
type Weights struct {
	Costing *profile.Costing
	Metric  *profile.Metric  // nil computes each edge and turn by the costing
	Overlay *overlay.Overlay // nil changes nothing
}

// PartCost returns the cost of a part of an edge at an end of a path, where excluded edges are
// allowed.
func PartCost(c *profile.Costing, e graph.Edge, share float64) uint64 {
	return uint64(math.Round(float64(c.EdgeAtEnd(e)) * share))
}

// part returns the measure of a part of an edge at an end of a path.
func (w *Weights) part(e graph.Edge, share float64) uint64 {
	return uint64(math.Round(w.Cost(e) * share))
}

// edge returns the cost of an original edge, or Forbidden.
func (w *Weights) edge(e graph.Edge) uint32 {
	if w.Overlay.Closed(e) {
		return profile.Forbidden
	}
	var cost uint32
	if w.Metric != nil {
		cost = w.Metric.Edge(e)
	} else {
		cost = w.Costing.Edge(e)
	}
	if v, slow := w.Overlay.Speed(e); slow && cost != profile.Forbidden {
		return w.Costing.EdgeSlowed(e, v)
	}
	return cost
}

// turn returns the edge reached by turning from e (a copy perhaps) into the original f, and
// the turn's cost.
func (w *Weights) turn(g *graph.Graph, e, f graph.Edge) (to graph.Edge, cost uint64, ok bool) {
	to, ok = w.Costing.Follow(e, f)
	if !ok {
		return 0, 0, false
	}
	var c uint32
	if w.Metric != nil {
		c = w.Metric.Turn(g.Original(e), f)
	} else {
		c = w.Costing.Turn(e, f).Cost
	}
	if w.Overlay != nil && c != profile.Forbidden {
		if least, slow := w.Overlay.TurnSeconds(g.Original(e), f); slow {
			c = w.Costing.TurnSlowed(e, f, least).Cost
		}
	}
	return to, uint64(c), c != profile.Forbidden
}

// Turn returns the delay of going from edge e (a copy perhaps) into the original f.
func (w *Weights) Turn(e, f graph.Edge) profile.Delay {
	if least, slow := w.Overlay.TurnSeconds(w.Costing.Graph().Original(e), f); slow {
		return w.Costing.TurnSlowed(e, f, least)
	}
	return w.Costing.Turn(e, f)
}

// canDepart reports whether the edge of a place is open from there to its end.
func (w *Weights) canDepart(s End) bool {
	return w.Overlay.Free(s.Edge, overlay.Span{From: s.Along, To: 1})
}

// canArrive reports whether the edge of a place is open from its start to there.
func (w *Weights) canArrive(t End) bool {
	return w.Overlay.Free(t.Edge, overlay.Span{From: 0, To: t.Along})
}

// onOneEdge reports whether a path leads from one place to another on the edge of
// both.
func (w *Weights) onOneEdge(s, t End) bool {
	return s.Edge == t.Edge && s.Along <= t.Along && w.Overlay.Free(s.Edge, overlay.Span{From: s.Along, To: t.Along})
}

// Seconds returns the time an original edge takes.
func (w *Weights) Seconds(e graph.Edge) float64 {
	if v, slow := w.Overlay.Speed(e); slow {
		return w.Costing.SecondsAt(e, v)
	}
	return w.Costing.Seconds(e)
}

// Cost returns the cost in milliseconds of an original edge that may be used, if only at an
// end of a path.
func (w *Weights) Cost(e graph.Edge) float64 {
	if v, slow := w.Overlay.Speed(e); slow {
		return float64(w.Costing.EdgeSlowed(e, v))
	}
	return float64(w.Costing.EdgeAtEnd(e))
}
