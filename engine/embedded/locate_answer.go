package embedded

import (
	"context"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/island"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// Locate tells where a route from each location would set out: the edges and
// nodes of the nearest place that the traveller may use and that is connected
// to the network. See engine.Engine.
func (e *Engine) Locate(ctx context.Context, r *engine.LocateRequest) (*engine.LocateAnswer, error) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	p := &planner{e: e, s: s, ctx: ctx, r: &engine.RouteRequest{Locations: r.Locations, Costing: r.Costing, Options: r.Options}, who: traveller{options: r.Options.Of(r.Costing)}}
	p.weights = e.metrics.get(p.who, false)
	p.costing = p.weights.Costing
	a := &engine.LocateAnswer{Places: make([]engine.Located, len(r.Locations))}
	for i := range r.Locations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a.Places[i] = p.located(i, r.Verbose)
	}
	a.Warnings = p.warnings
	return a, ctx.Err() // the last may have been given up
}

func (p *planner) located(i int, verbose bool) engine.Located {
	found, err := p.locate(i, atDeparture)
	if err != nil {
		return engine.Located{}
	}
	p.warnPlace("locations", i, found.remarks, &found.waypoint.location)
	out := engine.Located{Edges: make([]engine.LocatedEdge, len(found.ends)), Nodes: []engine.LocatedNode{}}
	seen := map[graph.Node]bool{}
	for j, end := range found.ends {
		c := found.places[j]
		one := &out.Edges[j]
		*one = engine.LocatedEdge{Way: p.e.g.WayID[c.Segment], On: c.Point, Side: p.sideOfStreet(&p.r.Locations[i], end, c), Along: end.Along}
		if verbose {
			one.Detail = p.edgeDetail(end, c)
		}
		n, at := p.nodeAt(end)
		if !at || seen[n] {
			continue
		}
		seen[n] = true
		node := engine.LocatedNode{At: p.e.g.Position[n].Point()}
		if verbose {
			node.Detail = p.nodeDetail(n)
		}
		out.Nodes = append(out.Nodes, node)
	}
	return out
}

// sideOfStreet tells on which side of an edge, in its direction, a location
// lies: left or right, neither where it is too near, too far, or at an end of
// the edge.
func (p *planner) sideOfStreet(l *engine.Location, end search.End, c snap.Candidate) string {
	least, most := sideWindow(l)
	if c.Metres < least || c.Metres > most || end.Along <= 0 || end.Along >= 1 {
		return "neither"
	}
	if c.Right != p.e.g.Backward(end.Edge) {
		return "right"
	}
	return "left"
}

// nodeAt gives the node at which a place on an edge lies, if it is at an end.
func (p *planner) nodeAt(end search.End) (node graph.Node, ok bool) {
	switch {
	case end.Along <= 0:
		return p.e.g.ByEdge[end.Edge].Tail, true
	case end.Along >= 1:
		return p.e.g.ByEdge[end.Edge].Head, true
	}
	return 0, false
}

// reachOf counts the edges that can be reached from one, up to island.Enough.
func (p *planner) reachOf(e graph.Edge, d direction) int {
	if p.s.island.Nodes(p.costing, e, d) >= island.Enough {
		return island.Enough
	}
	return p.s.island.Edges()
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

// lineOf is a segment's line in the direction of its way.
func lineOf(g *graph.Graph, s graph.Segment) []geo.Point {
	shape := g.SegmentShape(s)
	line := make([]geo.Point, len(shape))
	for i, f := range shape {
		line[i] = f.Point()
	}
	return line
}
