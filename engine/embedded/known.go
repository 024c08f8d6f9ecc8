package embedded

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// The walk along a line: every so many metres, the road that leads the same way
// nearest to the place counts, no farther off than so many.
const (
	knownStep   = 25
	knownRadius = 30
	knownOff    = 45 // degrees
)

// KnownAlong walks a line and tells of each step how long it is, how far along it
// begins, and what is known of the traffic there: of the nearest road that leads
// that way, and no other. The error is the context's.
func (e *Engine) KnownAlong(ctx context.Context, line []geo.Point, yield func(arc, metres float64, k engine.Known)) error {
	if len(line) < 2 {
		return nil
	}
	live := e.live.Get()
	now := time.Now()
	some := live != nil && (len(live.Network) > 0 || live.Profile.Edges() > 0)
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	ruler := geo.NewRuler(line)
	length := ruler.Length()
	for n, arc := 0, 0.0; arc < length; n, arc = n+1, arc+knownStep {
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		step := math.Min(knownStep, length-arc)
		var k engine.Known
		if some {
			if x, ok := e.roadAt(s.snap, ruler.At(arc+step/2)); ok {
				usual, told, moves := live.Profile.Knows(x), live.Covers(x), live.LiveSpeed(x) > 0
				k = engine.Known{Covered: told || usual, Live: moves, Usual: usual, Old: told && !moves && !live.ClosedAt(x, now)}
			}
		}
		yield(arc, step, k)
	}
	return nil
}

// roadAt is the edge that a traveller at a mark is on.
func (e *Engine) roadAt(q *snap.Query, m geo.Mark) (found graph.Edge, ok bool) {
	q.Nearest(m.Point, knownRadius, func(c snap.Candidate) bool {
		shape := e.g.SegmentShape(c.Segment)
		course := geo.Bearing(shape[c.Piece].Point(), shape[c.Piece+1].Point())
		forward := e.g.Forward[c.Segment]
		for _, x := range []graph.Edge{forward, e.g.ByEdge[forward].Opposite} {
			if x != forward {
				course += 180
			}
			if e.g.ByEdge[x].Access&graph.Motor != 0 && math.Abs(math.Remainder(course-m.Course, 360)) <= knownOff {
				found, ok = x, true
				return false
			}
		}
		return true
	})
	return found, ok
}

// LiveRoad is a road whose traffic is known at the moment, in one direction.
type LiveRoad struct {
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
func (e *Engine) LiveIn(ctx context.Context, box geo.Bounds, most int) (list []LiveRoad, more bool, err error) {
	live := e.live.Get()
	if live == nil || len(live.Speeds)+len(live.Changes) == 0 {
		return nil, false, nil
	}
	low, high := box.Min.Fix(), box.Max.Fix()
	segments := e.tree.Touching(nil, snap.Box{MinLon: low.Lon, MinLat: low.Lat, MaxLon: high.Lon, MaxLat: high.Lat})
	if len(segments) > mostTouched {
		segments, more = segments[:mostTouched], true
	}
	slices.SortStableFunc(segments, func(a, b graph.Segment) int { return cmp.Compare(e.g.BySegment[a].Class, e.g.BySegment[b].Class) })
	now := time.Now()
	for i, s := range segments {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		forward := e.g.Forward[s]
		for _, x := range []graph.Edge{forward, e.g.ByEdge[forward].Opposite} {
			kmh, closed := live.LiveSpeed(x), live.ClosedAt(x, now)
			if kmh == 0 && !closed || e.g.ByEdge[x].Access&graph.Motor == 0 {
				continue
			}
			if len(list) == most {
				return list, true, nil
			}
			list = append(list, LiveRoad{Line: e.g.AppendShape(nil, x), Kmh: kmh, Free: e.g.ByEdge[x].Speed, Closed: closed, Class: e.g.BySegment[s].Class.String()})
		}
	}
	return list, more, nil
}
