package embedded

import (
	"context"
	"math"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// located is one location of an answer in the form of Valhalla's locate.
type located struct {
	InputLat float64       `json:"input_lat"`
	InputLon float64       `json:"input_lon"`
	Edges    []locatedEdge `json:"edges"` // null where no road is near
	Nodes    []locatedNode `json:"nodes"`
	Reason   string        `json:"reason,omitempty"`
}

type locatedEdge struct {
	WayID        int64   `json:"way_id,omitempty"` // in edge_info of a verbose answer
	Lat          float64 `json:"correlated_lat"`
	Lon          float64 `json:"correlated_lon"`
	SideOfStreet string  `json:"side_of_street"`
	PercentAlong float64 `json:"percent_along"`
	*edgeDetail
}

type locatedNode struct {
	Lon float64 `json:"lon"`
	Lat float64 `json:"lat"`
	*nodeDetail
}

// Locate tells where a route from each location would set out: the edges and
// nodes of the nearest place that the traveller may use and that is connected
// to the network. See engine.Engine.
func (e *Engine) Locate(ctx context.Context, r *engine.LocateRequest) (*engine.LocateAnswer, error) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	p := &planner{e: e, s: s, ctx: ctx, r: &engine.RouteRequest{Locations: r.Locations, Costing: r.Costing, Options: r.Options}, who: traveller{options: r.Options.Of(r.Costing)}}
	p.weights = e.metrics.at(p.who, false)
	p.costing = p.weights.Costing
	out := make([]located, len(r.Locations))
	for i := range r.Locations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = p.located(i, r.Verbose)
	}
	if err := ctx.Err(); err != nil {
		return nil, err // the last may have been given up
	}
	body, err := encode(out)
	if err != nil {
		return nil, err
	}
	return &engine.LocateAnswer{Body: body}, nil
}

func (p *planner) located(i int, verbose bool) located {
	l := &p.r.Locations[i]
	out := located{InputLat: round(l.Point.Lat, 6), InputLon: round(l.Point.Lon, 6)}
	found, err := p.locate(i, departing)
	if err != nil {
		if verbose {
			out.Reason = "No data found for location"
		}
		return out
	}
	out.Edges, out.Nodes = make([]locatedEdge, 0, len(found.ends)), []locatedNode{}
	seen := map[graph.Node]bool{}
	for j, end := range found.ends {
		c := found.places[j]
		one := locatedEdge{
			WayID: p.e.g.WayID[c.Segment], Lat: round(c.Point.Lat, 6), Lon: round(c.Point.Lon, 6),
			SideOfStreet: p.sideOfStreet(l, end, c), PercentAlong: round(end.Along, 5),
		}
		if verbose {
			one.WayID, one.edgeDetail = 0, p.edgeDetail(end, c)
		}
		out.Edges = append(out.Edges, one)
		n, at := p.nodeAt(end)
		if !at || seen[n] {
			continue
		}
		seen[n] = true
		where := p.e.g.Position[n].Point()
		node := locatedNode{Lon: round(where.Lon, 6), Lat: round(where.Lat, 6)}
		if verbose {
			node.nodeDetail = p.nodeDetail(n)
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
		return p.e.g.Tail[end.Edge], true
	case end.Along >= 1:
		return p.e.g.Head[end.Edge], true
	}
	return 0, false
}

// edgeDetail is what a verbose answer tells of an edge, in Valhalla's names.
// What the graph does not hold (lane counts, road shoulders, live and predicted
// speeds, linear references, in some regions heights) is left out or empty, not
// made up.
type edgeDetail struct {
	Distance           float64   `json:"distance"` // metres from the location
	Heading            float64   `json:"heading"`  // of the edge where the location is
	OutboundReach      int       `json:"outbound_reach"`
	InboundReach       int       `json:"inbound_reach"`
	EdgeID             graphID   `json:"edge_id"`
	EdgeInfo           edgeInfo  `json:"edge_info"`
	Edge               edgeFacts `json:"edge"`
	AccessRestrictions []any     `json:"access_restrictions"`
	LiveSpeed          struct{}  `json:"live_speed"`
	PredictedSpeeds    []int     `json:"predicted_speeds"`
}

// graphID numbers an edge or node. Valhalla's has a level and a tile; here
// there is one number, good for this region's build only.
type graphID struct {
	Level  int    `json:"level"`
	TileID int    `json:"tile_id"`
	ID     uint32 `json:"id"`
	Value  uint32 `json:"value"`
}

func idOf[N graph.Node | graph.Edge](n N) graphID { return graphID{ID: uint32(n), Value: uint32(n)} }

type edgeInfo struct {
	WayID         int64    `json:"way_id"`
	Names         []string `json:"names"`
	Shape         string   `json:"shape"` // polyline6, in the way's direction
	SpeedLimit    int      `json:"speed_limit"`
	MeanElevation *int     `json:"mean_elevation"` // metres; null where not known
}

func (p *planner) edgeDetail(end search.End, c snap.Candidate) *edgeDetail {
	g := p.e.g
	line := make([]geo.Point, 0, 8)
	for _, f := range g.SegmentShape(c.Segment) {
		line = append(line, f.Point())
	}
	d := &edgeDetail{
		Distance: round(c.Metres, 1), Heading: round(courseAt(g, end.Edge, c.Point), 1),
		OutboundReach: p.reachOf(end.Edge, departing), InboundReach: p.reachOf(end.Edge, arriving),
		EdgeID: idOf(end.Edge),
		EdgeInfo: edgeInfo{
			WayID: g.WayID[c.Segment], Names: namesOf(g, end.Edge), Shape: geo.EncodePolyline(line, 6), SpeedLimit: int(g.Limited[end.Edge]),
		},
		Edge:               factsOf(g, end.Edge),
		AccessRestrictions: []any{}, PredictedSpeeds: []int{},
	}
	if slope, ok := g.SlopeOf(end.Edge); ok {
		d.EdgeInfo.MeanElevation = &slope.Mean
	}
	return d
}

// reachOf counts the edges that can be reached from one, up to enoughReach.
func (p *planner) reachOf(e graph.Edge, d direction) int {
	if p.s.reach.enough(p.e.g, p.costing, e, d) {
		return enoughReach
	}
	return len(p.s.reach.queue)
}

// namesOf lists an edge's names and numbers.
func namesOf(g *graph.Graph, e graph.Edge) []string {
	names := []string{}
	for _, key := range []string{"name", "ref"} {
		if v := g.NameOf(e, key); v != "" {
			names = append(names, v)
		}
	}
	return names
}

// metresOf is a length in whole metres.
func metresOf(m float64) int { return int(math.Round(m)) }
