package reach

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/contour"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/sparse"
)

// outliner turns roads that were reached into outlines. It is scratch, for one
// request at a time.
type outliner struct {
	weights  search.Weights
	clock    *overlay.Clock // nil for no time
	costing  *profile.Costing
	overlay  *overlay.Overlay
	reverse  bool
	bound    search.Measure
	drawer   *contour.Drawer
	strokes  []contour.Stroke
	parts    [][]contour.Part // by level
	whole    [][]contour.Line // by level
	bands    []cch.Band       // by level
	ranked   [][]cch.Block    // scratch, by level
	roads    []contour.Road   // scratch, as
	segments []graph.Segment  // the segments that these are of
	// How far an edge is follows from the fastest way to it, of those to its copies and of
	// those at several times: an edge's span is kept until all of them are known.
	spans  sparse.Table[span] // by original
	edges  []graph.Edge       // those that have one
	lately [1024]drawn        // by the lower bits of the segment's number
}

// drawn is a segment drawn as a whole, plus 1.
type drawn struct {
	segment uint32
	level   uint32
}

// span has the times to get to the nearer end of an edge and to the farther
// one.
type span struct {
	near, far search.Measure
	reached   bool
}

// begin forgets the last request. bound is 0 in a measure that no contour is
// of.
func (o *outliner) begin(w search.Weights, clock *overlay.Clock, reverse bool, bound search.Measure, bands []cch.Band) {
	o.spans.Reset()
	o.edges, o.bands = o.edges[:0], bands
	o.weights, o.clock, o.costing, o.overlay = w, clock, w.Costing, w.Overlay
	if !o.overlay.Empty() {
		o.costing = w.Costing.WithOverlay(o.overlay) // which has the times of slowed roads
	}
	o.reverse, o.bound, o.strokes = reverse, bound, o.strokes[:0]
	o.whole, o.parts = byLevel(o.whole, len(bands)), byLevel(o.parts, len(bands))
	clear(o.lately[:])
}

// byLevel gives so many lists, empty ones.
func byLevel[T any](lists [][]T, n int) [][]T {
	lists = slices.Grow(lists[:0], n)[:n]
	for i := range lists {
		clear(lists[i])
		lists[i] = lists[i][:0]
	}
	return lists
}

// bands are, by level, the range of measures in which an outline passes an edge
// neither by nor tapering; none where levels are of several measures.
func (e *Service) bands(levels []contour.Level, by costing.Costing) []cch.Band {
	list, widest := make([]cch.Band, len(levels)), 0.0
	for _, l := range levels {
		if l.Measure != levels[0].Measure {
			return nil
		}
		widest = max(widest, 2*l.Limit)
	}
	if levels[0].Measure == contour.Seconds {
		widest *= fastest(by)
	}
	reach := contour.MostReach(min(widest, e.Tree.Side())) // one grid is for all levels
	for i, l := range levels {
		most, least := l.Limit-l.Slope*reach, 0.0
		for _, m := range levels {
			if m.Limit < l.Limit {
				least = max(least, m.Limit)
			}
		}
		if most < 0 {
			list[i] = noBand
			continue
		}
		b := &list[i]
		b.Most = search.Measure{Millis: math.MaxUint32, Decimetres: math.MaxUint32}
		if l.Measure == contour.Seconds {
			b.Least.Millis, b.Most.Millis = uint32(math.Ceil(least*1000)), uint32(most*1000)
		} else {
			b.Least.Decimetres, b.Most.Decimetres = uint32(math.Ceil(least*10)), uint32(most*10)
		}
	}
	return list
}

// noBand has nothing in it.
var noBand = cch.Band{Least: search.Measure{Millis: math.MaxUint32, Decimetres: math.MaxUint32}}

// fastest returns the most metres a second one gets ahead by road. Where a ferry or an
// empty motorway is faster the outline tapers a little less than it would.
func fastest(by costing.Costing) float64 {
	switch by {
	case costing.Pedestrian:
		return 4
	case costing.Bicycle:
		return 15
	}
	return 40
}

// addBlocks notes edges of the hierarchy, all of which are in the band of a level.
func (o *outliner) addBlocks(level int, t *cch.Topology, blocks []cch.Block, kept *patches) {
	for _, b := range blocks {
		p, worth := kept.get(b.Number)
		if worth {
			p = o.patch(t, b.Number)
			kept.put(b.Number, p)
		}
		if p == nil {
			for e := range t.Edges(b) {
				o.addWhole(level, e)
			}
			continue
		}
		o.parts[level] = append(o.parts[level], contour.Part{Patch: p, Roads: b.Ranks})
	}
}

// patch draws all edges of a block.
func (o *outliner) patch(t *cch.Topology, number uint32) *contour.Patch {
	g := o.costing.Graph()
	roads, segments := o.roads[:0], o.segments[:0]
	i := 0
	for e := range t.Edges(t.Block(number)) {
		s := g.Segment(g.Original(e))
		k := len(segments) - 1 // both directions mostly follow one another
		for k >= 0 && segments[k] != s {
			k--
		}
		if k < 0 {
			k = len(segments)
			roads, segments = append(roads, contour.Road{Line: g.SegmentShape(s)}), append(segments, s)
		}
		roads[k].Bits |= 1 << i
		i++
	}
	o.segments = segments
	o.roads = roads
	return o.drawer.Patch(roads)
}

// addWhole notes an edge, all of which is in the band of a level.
func (o *outliner) addWhole(level int, e graph.Edge) {
	g := o.costing.Graph()
	s := g.Segment(g.Original(e))
	// Both directions of a segment mostly follow one another.
	d := drawn{uint32(s) + 1, uint32(level)}
	if last := &o.lately[s%graph.Segment(len(o.lately))]; *last != d {
		*last = d
		o.whole[level] = append(o.whole[level], g.SegmentShape(s))
	}
}

// measure returns the time and length of a part of the place's own edge.
func (o *outliner) measure(e graph.Edge, part float64) search.Measure {
	metres := o.costing.Graph().EdgeLength(e)
	if o.clock.Limited(e) {
		return search.MeasureOf(o.weights.Travel(o.clock, e, part, 0).Seconds, metres*part)
	}
	return share(search.MeasureOf(o.costing.Seconds(e), metres), part)
}

// add notes the edges that a search reached.
func (o *outliner) add(reached []search.Reached) { o.addBut(reached, o.addWhole) }

// addRanked is add for edges of a hierarchy in the order of their ranks, of which those that
// are in a band make blocks.
func (o *outliner) addRanked(reached []search.Reached, t *cch.Topology, kept *patches) {
	o.ranked = byLevel(o.ranked, len(o.bands))
	o.addBut(reached, func(level int, e graph.Edge) {
		list, v := o.ranked[level], t.Rank[e]
		b := cch.Block{Number: uint32(v / 64), Ranks: 1 << (v % 64)}
		if n := len(list) - 1; n >= 0 && list[n].Number == b.Number {
			list[n].Ranks |= b.Ranks
			return
		}
		o.ranked[level] = append(list, b)
	})
	for level, list := range o.ranked {
		o.addBlocks(level, t, list, kept)
	}
}

// addBut is add, but for edges in the band of a level, which whole is called with.
func (o *outliner) addBut(reached []search.Reached, whole func(level int, e graph.Edge)) {
	g := o.costing.Graph()
	for i := range reached {
		x := &reached[i]
		near, far := x.Minus(x.Own), x.Measure
		if o.reverse {
			near, far = x.Measure, x.Plus(x.Own)
		}
		if level := slices.IndexFunc(o.bands, func(b cch.Band) bool { return b.Contains(near, far) }); level >= 0 {
			whole(level, x.Edge)
			continue
		}
		e := g.Original(x.Edge)
		if o.bound.Decimetres == 0 {
			o.stroke(e, 0, 1, near, far) // the soonest of all is what is drawn
			continue
		}
		switch s := o.spans.At(uint32(e)); {
		case !s.reached:
			*s = span{near, far, true}
			o.edges = append(o.edges, e)
		case near.Millis < s.near.Millis:
			s.near, s.far = near, far
		}
	}
}

// draw returns the outlines of what was taken and of the edges of the place
// itself.
func (o *outliner) draw(ctx context.Context, place []search.End, levels []contour.Level, r *engine.IsochroneRequest) ([][]contour.Polygon, error) {
	for _, e := range o.edges {
		s := o.spans.At(uint32(e))
		o.stroke(e, 0, 1, s.near, s.far)
	}
	for _, p := range place {
		begun := search.Measure{Millis: p.Begun}
		if o.reverse {
			begin := o.overlay.OpenFrom(p.Edge, p.Along)
			o.stroke(p.Edge, begin, p.Along, begun, begun.Plus(o.measure(p.Edge, p.Along-begin)))
		} else {
			end := o.overlay.OpenUntil(p.Edge, p.Along)
			o.stroke(p.Edge, p.Along, end, begun, begun.Plus(o.measure(p.Edge, end-p.Along)))
		}
	}
	options := contour.Options{Denoise: 1, Tolerance: -1}
	if r.Denoise != nil {
		options.Denoise = *r.Denoise
	}
	if r.Generalize != nil {
		options.Tolerance = *r.Generalize
	}
	return o.drawer.Draw(ctx, &contour.Reached{Strokes: o.strokes, Whole: o.whole, Parts: o.parts}, levels, options)
}

func share(t search.Measure, part float64) search.Measure {
	return search.Measure{Millis: uint32(float64(t.Millis) * part), Decimetres: uint32(float64(t.Decimetres) * part)}
}

// stroke adds a part of an edge, begin to end in the direction of travel, as
// far as it is within the bound. One gets there from its nearer end: the
// beginning, or the end of one that leads to the place.
func (o *outliner) stroke(e graph.Edge, begin, end float64, near, far search.Measure) {
	part := max(shareWithin(near.Millis, far.Millis, o.bound.Millis), shareWithin(near.Decimetres, far.Decimetres, o.bound.Decimetres))
	if part <= 0 {
		return
	}
	first, last := pointValues(near), pointValues(far)
	if part < 1 {
		for m := range last {
			last[m] = first[m] + (last[m]-first[m])*float32(part)
		}
	}
	if o.reverse {
		begin, first, last = end-(end-begin)*part, last, first
	} else {
		end = begin + (end-begin)*part
	}
	g := o.costing.Graph()
	if g.Backward(e) {
		begin, end, first, last = 1-end, 1-begin, last, first
	}
	o.strokes = append(o.strokes, contour.Stroke{Line: g.SegmentShape(g.Segment(e)), Begin: begin, End: end, AtBegin: first, AtEnd: last})
}

func pointValues(t search.Measure) contour.Values {
	return contour.Values{float32(t.Millis) / 1000, float32(t.Decimetres) / 10}
}

// shareWithin returns how much of the way from near to far is within a bound.
func shareWithin(near, far, bound uint32) float64 {
	switch {
	case bound == 0 || near > bound:
		return 0
	case far <= bound:
		return 1
	}
	return float64(bound-near) / float64(far-near)
}
