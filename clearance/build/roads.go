package build

import (
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/road/graph"
)

// Road is a straight piece of a road's centre line in metres of the survey's system.
type Road struct {
	AX, AY, BX, BY float64
	Half           float64 // half the width of the carriageway
	Lanes          int     // over its whole width
	Bridge         bool
	leads          bool // to a bridge, from nearby
	endA, endB     bool // a bridge follows there
}

// laneWidth is taken for each lane, as maps seldom have widths.
const laneWidth = 3.5

// errNoRoads is for surveys that are far from all roads.
var errNoRoads = errors.New("no road of the region is within the survey's bounds: is the reference system right, and is it the region of the survey?")

// Box has the least and the greatest coordinates.
type Box struct{ MinX, MinY, MaxX, MaxY float64 }

// Roads returns the roads of a graph that motor vehicles may use, within the bounds of a
// survey.
func Roads(ctx context.Context, g *graph.Graph, plane *coordinates.Plane, bounds Box) ([]Road, error) {
	box, err := degrees(plane, bounds)
	if err != nil {
		return nil, err
	}
	var all []Road
	for s := range g.BySegment {
		if s%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		forward := g.Forward[s]
		backward := g.ByEdge[forward].Opposite
		if use := g.BySegment[s].Use; (g.ByEdge[forward].Access|g.ByEdge[backward].Access)&graph.Motor == 0 || use == graph.Ferry || use == graph.RailFerry {
			continue
		}
		lanes := lanesOf(g, graph.Segment(s), forward, backward)
		shape := g.SegmentShape(graph.Segment(s))
		for i := 1; i < len(shape); i++ {
			a, b := shape[i-1], shape[i]
			if max(a.Lon, b.Lon) < box[0] || min(a.Lon, b.Lon) > box[2] || max(a.Lat, b.Lat) < box[1] || min(a.Lat, b.Lat) > box[3] {
				continue
			}
			r := Road{Lanes: lanes, Half: laneWidth * float64(lanes) / 2, Bridge: g.BySegment[s].Flags&graph.Bridge != 0}
			from, to := a.Point(), b.Point()
			var wrong1, wrong2 error
			r.AX, r.AY, wrong1 = plane.Project(from.Lat, from.Lon)
			r.BX, r.BY, wrong2 = plane.Project(to.Lat, to.Lon)
			if wrong1 == nil && wrong2 == nil {
				all = append(all, r)
			}
		}
	}
	if len(all) == 0 {
		return nil, errNoRoads
	}
	return all, nil
}

// degrees returns bounds in units of 1e-7 degrees: west, south, east, north.
func degrees(plane *coordinates.Plane, b Box) ([4]int32, error) {
	west, south, east, north := 180.0, 90.0, -180.0, -90.0
	const steps = 8
	for i := range steps + 1 {
		for j := range steps + 1 {
			lat, lon, err := plane.Unproject(b.MinX+(b.MaxX-b.MinX)*float64(i)/steps, b.MinY+(b.MaxY-b.MinY)*float64(j)/steps)
			if err != nil {
				return [4]int32{}, err
			}
			west, east, south, north = min(west, lon), max(east, lon), min(south, lat), max(north, lat)
		}
	}
	const slack = 0.001 // degrees, more than the accuracy of any datum shift
	fix := func(v, most float64) int32 { return int32(math.Round(max(-most, min(most, v)) * 1e7)) }
	return [4]int32{fix(west-slack, 180), fix(south-slack, 90), fix(east+slack, 180), fix(north+slack, 90)}, nil
}

// lanesOf returns how many lanes a segment has in both directions together.
func lanesOf(g *graph.Graph, s graph.Segment, forward, backward graph.Edge) int {
	n, ways := 0, 0
	for _, e := range [2]graph.Edge{forward, backward} {
		if g.ByEdge[e].Access&graph.Motor == 0 {
			continue
		}
		ways++
		if lanes, err := strconv.Atoi(g.EdgeAttribute(e, "lanes")); err == nil && lanes > 0 && lanes <= graph.MaxLanes {
			n += lanes
			continue
		}
		n++
		if class := g.BySegment[s].Class; class <= graph.Trunk && g.BySegment[s].Flags&graph.Oneway != 0 {
			n++
		}
	}
	if ways == 0 {
		n = 2
	}
	return max(n, 1)
}

// beyond reports whether a place is on the bridge that follows the road: on the road's own level
// the lowest surface there may be the underside of the deck.
func (r *Road) beyond(x, y float64) bool {
	dx, dy := r.BX-r.AX, r.BY-r.AY
	f := (x-r.AX)*dx + (y-r.AY)*dy
	return r.endA && f < 0 || r.endB && f > dx*dx+dy*dy
}
