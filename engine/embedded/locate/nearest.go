package locate

import (
	"context"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/road/snap"
)

// Nearest lists the usable roads near a location. Unlike where a route sets out
// they need not lead on into the network. See engine.Engine.
func (e *Service) Nearest(ctx context.Context, r *engine.NearestRequest) (*engine.NearestAnswer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := e.Scratch.Get().(*plan.Scratch)
	defer e.Scratch.GiveBack(s)
	p := e.Plain(ctx, &engine.RouteRequest{Locations: []engine.Location{r.Location}, Costing: r.Costing, Options: r.Options}).Searcher(s)
	p.OmitExcluded = true
	l := &p.Query.Locations[0]
	cutoff := plan.SearchCutoff(l)
	a := &engine.NearestAnswer{}
	var nodes []int64
	looked := p.Nearby(l.Point, cutoff, func(c snap.Candidate) bool {
		directions := p.Usable(l, c)
		if len(directions) == 0 {
			return true
		}
		nodes = e.Graph.AppendNodes(nodes[:0], e.Graph.Forward[c.Segment])
		beside := [2]int64{nodes[c.Piece], nodes[c.Piece+1]}
		if len(directions) == 1 && e.Graph.Backward(directions[0].Edge) {
			beside[0], beside[1] = beside[1], beside[0]
		}
		a.Roads = append(a.Roads, engine.NearRoad{Point: c.Point, Metres: c.Metres, WayID: e.Graph.WayID[c.Segment], Nodes: beside})
		return len(a.Roads) < r.Number
	})
	if len(a.Roads) == 0 {
		return nil, e.refusals.Explained(ctx, p, &plan.OffRoad{Index: 0, Cutoff: cutoff, Looked: looked})
	}
	return a, nil
}
