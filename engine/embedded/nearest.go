package embedded

import (
	"context"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/snap"
)

// Nearest lists the usable roads near a location. Unlike where a route sets out
// they need not lead on into the network. See engine.Engine.
func (e *Engine) Nearest(ctx context.Context, r *engine.NearestRequest) (*engine.NearestAnswer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	p := &planner{e: e, s: s, ctx: ctx, omitExcluded: true, r: &engine.RouteRequest{Locations: []engine.Location{r.Location}, Costing: r.Costing, Options: r.Options}, who: traveller{options: r.Options.Of(r.Costing)}}
	p.weights = e.metrics.get(p.who, false)
	p.costing = p.weights.Costing
	l := &p.r.Locations[0]
	cutoff := searchCutoff(l)
	a := &engine.NearestAnswer{}
	var nodes []int64
	looked := p.nearby(l.Point, cutoff, func(c snap.Candidate) bool {
		directions := p.usable(l, c)
		if len(directions) == 0 {
			return true
		}
		nodes = e.g.AppendNodes(nodes[:0], e.g.Forward[c.Segment])
		beside := [2]int64{nodes[c.Piece], nodes[c.Piece+1]}
		if len(directions) == 1 && e.g.Backward(directions[0].Edge) {
			beside[0], beside[1] = beside[1], beside[0]
		}
		a.Roads = append(a.Roads, engine.NearRoad{Point: c.Point, Metres: c.Metres, WayID: e.g.WayID[c.Segment], Nodes: beside})
		return len(a.Roads) < r.Number
	})
	if len(a.Roads) == 0 {
		return nil, p.noSegment(0, cutoff, looked)
	}
	return a, nil
}
