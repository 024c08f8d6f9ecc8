package live

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// The walk along a line: every so many metres, the road that leads the same way
// nearest to the place counts, no farther off than so many.
const (
	stepMetres = 25
	nearMetres = 30
	mostOff    = 45 // degrees
)

// TrafficAlong walks a line and yields for each step how long it is, how far along it
// begins, and what is known of the traffic there: of the nearest road that leads
// that way, and no other. The error is the context's.
func (e *Roads) TrafficAlong(ctx context.Context, line []geo.Point, yield func(arc, metres float64, k engine.TrafficFacts)) error {
	if len(line) < 2 {
		return nil
	}
	live := e.base.Current.Get()
	now := e.base.Now()
	some := live != nil && (len(live.Network) > 0 || live.Profile.Edges() > 0)
	s := e.base.Scratch.Get().(*plan.Scratch)
	defer e.base.Scratch.GiveBack(s)
	ruler := geo.NewRuler(line)
	length := ruler.Length()
	for n, arc := 0, 0.0; arc < length; n, arc = n+1, arc+stepMetres {
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		step := math.Min(stepMetres, length-arc)
		var k engine.TrafficFacts
		if some {
			if x, ok := e.roadAt(s.Snap, ruler.At(arc+step/2)); ok {
				usual, covered, moves := live.Profile.HasSpeeds(x), live.Covers(x), live.LiveSpeed(x) > 0
				k = engine.TrafficFacts{Covered: covered || usual, Live: moves, Usual: usual, Old: covered && !moves && !live.ClosedAt(x, now)}
			}
		}
		yield(arc, step, k)
	}
	return nil
}

// roadAt returns the edge that a traveller at a mark is on.
func (e *Roads) roadAt(q *snap.Query, m geo.Mark) (found graph.Edge, ok bool) {
	q.Nearest(m.Point, nearMetres, func(c snap.Candidate) bool {
		shape := e.base.Graph.SegmentShape(c.Segment)
		bearing := geo.Bearing(shape[c.Piece].Point(), shape[c.Piece+1].Point())
		forward := e.base.Graph.Forward[c.Segment]
		for _, x := range []graph.Edge{forward, e.base.Graph.ByEdge[forward].Opposite} {
			if x != forward {
				bearing += 180
			}
			if e.base.Graph.ByEdge[x].Access&graph.Motor != 0 && math.Abs(math.Remainder(bearing-m.Bearing, 360)) <= mostOff {
				found, ok = x, true
				return false
			}
		}
		return true
	})
	return found, ok
}

// Road is a road whose traffic is known at the moment, in one direction.
type Road struct {
	Line   []geo.Point
	Kmh    uint8 // 0 is closed
	Free   uint8 // of free traffic
	Closed bool
	Class  string
}

// mostTouched is how many roads of a box are looked at.
const mostTouched = 200_000

// LiveIn lists roads in a box whose traffic is known, the most important first, and
// at most so many; more reports that there are others. The error is the context's.
func (e *Roads) LiveIn(ctx context.Context, box geo.Bounds, most int) (list []Road, more bool, err error) {
	live := e.base.Current.Get()
	if live == nil || len(live.Speeds)+len(live.Changes) == 0 {
		return nil, false, nil
	}
	var segments []graph.Segment
	for _, part := range box.Split() {
		low, high := part.Min.Fix(), part.Max.Fix()
		segments = e.base.Tree.Touching(segments, snap.Box{MinLon: low.Lon, MinLat: low.Lat, MaxLon: high.Lon, MaxLat: high.Lat})
	}
	if len(segments) > mostTouched {
		segments, more = segments[:mostTouched], true
	}
	slices.SortStableFunc(segments, func(a, b graph.Segment) int {
		return cmp.Compare(e.base.Graph.BySegment[a].Class, e.base.Graph.BySegment[b].Class)
	})
	now := e.base.Now()
	for i, s := range segments {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		forward := e.base.Graph.Forward[s]
		for _, x := range []graph.Edge{forward, e.base.Graph.ByEdge[forward].Opposite} {
			kmh, closed := live.LiveSpeed(x), live.ClosedAt(x, now)
			if kmh == 0 && !closed || e.base.Graph.ByEdge[x].Access&graph.Motor == 0 {
				continue
			}
			if len(list) == most {
				return list, true, nil
			}
			list = append(list, Road{Line: e.base.Graph.AppendShape(nil, x), Kmh: kmh, Free: e.base.Graph.ByEdge[x].Speed, Closed: closed, Class: e.base.Graph.BySegment[s].Class.String()})
		}
	}
	return list, more, nil
}
