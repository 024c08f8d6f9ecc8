package overlay

import (
	"context"
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// ClosePolygon closes all that lies in a ring or crosses it: of each edge the
// part from where it first touches the ring to where it last does. Only the maker
// of an overlay may call it. A ring may cross the antimeridian. The error is the context's.
func (o *Overlay) ClosePolygon(ctx context.Context, g *graph.Graph, t *snap.Tree, r geo.Ring) error {
	if len(r) < 3 {
		return nil
	}
	for _, turn := range r.Turns() {
		if err := o.closeTurn(ctx, g, t, turn); err != nil {
			return err
		}
	}
	return nil
}

// closeTurn closes what lies in a ring, of which longitudes may go on beyond 180 degrees.
func (o *Overlay) closeTurn(ctx context.Context, g *graph.Graph, t *snap.Tree, r geo.Ring) error {
	box := geo.NoBounds()
	for _, p := range r {
		p.Lon = min(max(p.Lon, -180), 180)
		box = box.Extend(p)
	}
	low, high := box.Min.Fix(), box.Max.Fix()
	for i, s := range t.Touching(nil, snap.Box{MinLon: low.Lon, MinLat: low.Lat, MaxLon: high.Lon, MaxLat: high.Lat}) {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		span, ok := coveredSpan(r, g.SegmentShape(s))
		if !ok {
			continue
		}
		forward := g.Forward[s]
		o.Close(forward, span)
		o.Close(g.ByEdge[forward].Opposite, Span{1 - span.To, 1 - span.From})
	}
	return nil
}

// checkEvery is how many segments are compared with a ring, which may have a thousand
// corners, between two looks at the context.
const checkEvery = 32

// miss is by how many degrees lines may miss each other that count as meeting.
const miss = 1e-6

// coveredSpan returns the part of a line from where it first touches the ring to
// where it last does; ok is false where it never does.
func coveredSpan(r geo.Ring, shape []geo.Fixed) (s Span, ok bool) {
	first, last := math.Inf(1), math.Inf(-1)
	travelled := 0.0
	touch := func(at float64) { first, last = min(first, at), max(last, at) }
	a := shape[0].Point()
	if r.Contains(a) {
		touch(0)
	}
	for i := 1; i < len(shape); i++ {
		b := shape[i].Point()
		metres := geo.Distance(a, b)
		south, north := min(a.Lat, b.Lat)-miss, max(a.Lat, b.Lat)+miss
		across := geo.Across(shape[i-1], shape[i]) // two metres, of which the ends tell
		for j := range r {
			if across {
				break
			}
			if c, d := r[j].Lat, r[(j+1)%len(r)].Lat; c < south && d < south || c > north && d > north {
				continue
			}
			if from, to, meets := geo.Crossing(a, b, r[j], r[(j+1)%len(r)]); meets {
				touch(travelled + from*metres)
				touch(travelled + to*metres)
			}
		}
		travelled += metres
		if r.Contains(b) {
			touch(travelled)
		}
		a = b
	}
	if first > last {
		return Span{}, false
	}
	if travelled == 0 {
		return Whole, true
	}
	return Span{first / travelled, last / travelled}, true
}
