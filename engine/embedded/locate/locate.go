// Package locate answers calls about places on the network.
package locate

import (
	"context"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/explain"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/island"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// Service answers calls about places on the network.
type Service struct {
	*plan.Base
	refusals *explain.RefusalCache
}

// New returns the service of a region.
func New(b *plan.Base, c *explain.RefusalCache) *Service { return &Service{b, c} }

// Locate describes where a route from each location would set out: the edges and
// nodes of the nearest place that the traveller may use and that is connected
// to the network. See engine.Engine.
func (e *Service) Locate(ctx context.Context, r *engine.LocateRequest) (*engine.LocateAnswer, error) {
	s := e.Scratch.Get().(*plan.Scratch)
	defer e.Scratch.GiveBack(s)
	p := describer{e.Plain(ctx, &engine.RouteRequest{Locations: r.Locations, Costing: r.Costing, Options: r.Options}).Searcher(s)}
	a := &engine.LocateAnswer{Places: make([]engine.Located, len(r.Locations))}
	for i := range r.Locations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a.Places[i] = p.located(i, r.Verbose)
	}
	a.Warnings = p.Warnings
	return a, ctx.Err() // the last may have been given up
}

// describer describes places on the network.
type describer struct{ *plan.Searcher }

func (p *describer) located(i int, verbose bool) engine.Located {
	found, err := p.Locate(i, plan.AtDeparture)
	if err != nil {
		return engine.Located{}
	}
	p.WarnPlace("locations", i, found.SnapWarnings, &found.Waypoint.Location)
	out := engine.Located{Edges: make([]engine.LocatedEdge, len(found.Ends)), Nodes: []engine.LocatedNode{}}
	seen := map[graph.Node]bool{}
	for j, end := range found.Ends {
		c := found.Places[j]
		one := &out.Edges[j]
		*one = engine.LocatedEdge{Way: p.Base.Graph.WayID[c.Segment], On: c.Point, Side: p.sideOfStreet(&p.Query.Locations[i], end, c), Along: end.Along}
		if verbose {
			one.Detail = p.edgeDetail(end, c)
		}
		n, at := p.nodeAt(end)
		if !at || seen[n] {
			continue
		}
		seen[n] = true
		node := engine.LocatedNode{At: p.Base.Graph.Position[n].Point()}
		if verbose {
			node.Detail = p.nodeDetail(n)
		}
		out.Nodes = append(out.Nodes, node)
	}
	return out
}

// sideOfStreet returns on which side of an edge, in its direction, a location
// lies: left or right, neither where it is too near, too far, or at an end of
// the edge.
func (p *describer) sideOfStreet(l *engine.Location, end search.End, c snap.Candidate) string {
	least, most := plan.SideWindow(l)
	if c.Metres < least || c.Metres > most || end.Along <= 0 || end.Along >= 1 {
		return "neither"
	}
	if c.Right != p.Base.Graph.Backward(end.Edge) {
		return "right"
	}
	return "left"
}

// nodeAt returns the node at which a place on an edge lies, if it is at an end.
func (p *describer) nodeAt(end search.End) (node graph.Node, ok bool) {
	switch {
	case end.Along <= 0:
		return p.Base.Graph.ByEdge[end.Edge].Tail, true
	case end.Along >= 1:
		return p.Base.Graph.ByEdge[end.Edge].Head, true
	}
	return 0, false
}

// reachOf counts the edges that can be reached from one, up to island.Enough.
func (p *describer) reachOf(e graph.Edge, d plan.Direction) int {
	if p.Scratch.Island.Nodes(p.Costing, e, d) >= island.Enough {
		return island.Enough
	}
	return p.Scratch.Island.Edges()
}

// namesOf lists an edge's names and numbers.
func namesOf(g *graph.Graph, e graph.Edge) []string {
	var names []string
	for _, key := range []string{"name", "ref"} {
		if v := g.NameOf(e, key); v != "" {
			names = append(names, v)
		}
	}
	return names
}

// lineOf returns a segment's line in the direction of its way.
func lineOf(g *graph.Graph, s graph.Segment) []geo.Point {
	shape := g.SegmentShape(s)
	line := make([]geo.Point, len(shape))
	for i, f := range shape {
		line[i] = f.Point()
	}
	return line
}
