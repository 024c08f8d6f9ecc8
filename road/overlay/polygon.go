package overlay

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// ClosePolygon closes all that lies in a ring or crosses it: of each edge the
// part from where it first touches the ring to where it last does. Only the maker
// of an overlay may call it.
func (o *Overlay) ClosePolygon(g *graph.Graph, t *snap.Tree, r geo.Ring) {
	if len(r) < 3 {
		return
	}
	box := geo.NoBounds()
	for _, p := range r {
		box = box.Extend(p)
	}
	low, high := box.Min.Fix(), box.Max.Fix()
	for _, s := range t.Touching(nil, snap.Box{MinLon: low.Lon, MinLat: low.Lat, MaxLon: high.Lon, MaxLat: high.Lat}) {
		span, ok := coveredSpan(r, g.SegmentShape(s))
		if !ok {
			continue
		}
		forward := g.Forward[s]
		o.Close(forward, span)
		o.Close(g.ByEdge[forward].Opposite, Span{1 - span.To, 1 - span.From})
	}
}

// coveredSpan gives the part of a line from where it first touches the ring to
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
		for j := range r {
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
