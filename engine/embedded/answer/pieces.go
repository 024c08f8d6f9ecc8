package answer

import (
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// pieces cuts the leg at hand at its points. One that goes nowhere has one piece
// of no length, as it is drawn with two points.
func (t *routeBuilder) pieces() []engine.Piece {
	g := t.g
	out := make([]engine.Piece, 0, max(1, len(t.line.Points)-1))
	for i := range t.path {
		step := &t.path[i]
		original := g.Original(step.Edge)
		_, live := t.source.Live.Speed(original)
		limit := limitsOf(g, step).All
		from := len(out)
		total := 0.0
		for k := t.line.Step[i]; k < t.line.Step[i+1]; k++ {
			p := engine.Piece{Metres: geo.Distance(t.line.Points[k], t.line.Points[k+1]), Limit: limit, Live: live}
			total += p.Metres
			out = append(out, p)
		}
		for k := from; k < len(out); k++ {
			share := 1 / float64(len(out)-from)
			if total > 0 {
				share = out[k].Metres / total
			}
			out[k].Seconds, out[k].Cost = step.Seconds*share, step.Cost*share
		}
	}
	if len(out) == 0 {
		out = append(out, engine.Piece{})
	}
	return out
}

// nodes lists the OSM nodes of the points of the leg at hand.
func (t *routeBuilder) nodes() []int64 {
	ids := make([]int64, max(2, len(t.line.Points)))
	var line []geo.Point
	var nodes []int64
	for i := range t.path {
		e := t.path[i].Edge
		line, nodes = t.g.AppendShape(line[:0], e), t.g.AppendNodes(nodes[:0], e)
		next := 0 // in the edge's line
		for k := t.line.Step[i]; k <= t.line.Step[i+1]; k++ {
			if at := slices.Index(line[next:], t.line.Points[k]); at >= 0 {
				ids[k] = nodes[next+at]
				next += at + 1
			}
		}
	}
	return ids
}

// limitsOf returns the speed limits of a step of a path while it is travelled: of usual ones that
// for all.
func limitsOf(g *graph.Graph, s *graph.Step) graph.SpeedLimits {
	if s.Limits != (graph.SpeedLimits{}) {
		return s.Limits
	}
	return graph.SpeedLimits{All: g.ByEdge[g.Original(s.Edge)].Limited}
}
