// Package overlay has the changes that one request, a live feed or the time of day makes to
// the road graph. The graph and its hierarchy are shared and never change; a
// request carries its changes beside them and the searches of packages search and
// profile look there first.
//
// Overlay has closures (excluded polygons and places, live closures), live
// speeds and slow turns. Each makes paths dearer or impossible, never cheaper, so that lower
// bounds worked out for the unchanged graph hold for the changed one, and A* may
// use them. Live has the newest Snapshot of feeds; a request sees a
// Layer of it, which all requests of its kind share. Conditions
// are the restrictions that hold at times, read once from the graph, and a Clock
// is when edges and turns are open for one traveller at one moment.
package overlay

import (
	"maps"
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// Span is a part of an edge's length, from its tail, 0 to 1.
type Span struct{ From, To float64 }

// Whole is all of an edge.
var Whole = Span{0, 1}

// Overlay is the changes that one request sees. The zero value and nil change
// nothing. It is immutable once it has been made.
type Overlay struct {
	closed        map[graph.Edge]Span // by original edge: what of it may not be travelled
	shared        map[graph.Edge]Span // the same, of a Closure
	closedThrough map[graph.Edge]bool // original edges that a path may begin and end on but not pass
	speeds        map[graph.Edge]uint8
	turns         map[Turn]float32 // seconds that they take at least
	layer         *Layer           // shared with other requests
	applied       bool             // the searched metric includes the layer
}

// WithLayer returns the overlay of a layer. applied is true where the searched metric and
// hierarchy include the layer already, so that it changes nothing in them.
func WithLayer(l *Layer, applied bool) *Overlay { return &Overlay{layer: l, applied: applied} }

// Empty reports whether nothing is changed, beside what is applied.
func (o *Overlay) Empty() bool {
	return o == nil || len(o.closed)+len(o.shared)+len(o.closedThrough)+len(o.speeds)+len(o.turns) == 0 && (o.applied || o.layer.Empty())
}

// Unchanged reports whether the overlay has no change at all.
func (o *Overlay) Unchanged() bool {
	return o == nil || len(o.closed)+len(o.shared)+len(o.closedThrough)+len(o.speeds)+len(o.turns) == 0 && o.layer.Empty()
}

func (o *Overlay) through(e graph.Edge) bool {
	return o.closedThrough[e] || o.layer != nil && o.layer.closed[e]
}

// Close closes a part of an original edge, and what lies between it and a part
// closed before. Only the maker of an overlay may call it.
func (o *Overlay) Close(e graph.Edge, s Span) {
	if o.closed == nil {
		o.closed = map[graph.Edge]Span{}
	}
	if old, ok := o.closed[e]; ok {
		s = Span{min(s.From, old.From), max(s.To, old.To)}
	}
	o.closed[e] = s
}

// CloseThrough closes an original edge to paths that pass it; they may begin
// and end on it. Only the maker of an overlay may call it.
func (o *Overlay) CloseThrough(e graph.Edge) {
	if o.closedThrough == nil {
		o.closedThrough = map[graph.Edge]bool{}
	}
	o.closedThrough[e] = true
}

// ClosedThrough reports whether CloseThrough closed an original edge.
func (o *Overlay) ClosedThrough(e graph.Edge) bool { return o != nil && o.through(e) }

// SetSpeed sets the live speed of an original edge, in km/h. Only the maker of an
// overlay may call it.
func (o *Overlay) SetSpeed(e graph.Edge, kmh uint8) {
	if o.speeds == nil {
		o.speeds = map[graph.Edge]uint8{}
	}
	o.speeds[e] = kmh
}

// Closed reports whether an original edge cannot be travelled from end to end.
func (o *Overlay) Closed(e graph.Edge) bool {
	if o == nil {
		return false
	}
	_, ok := o.span(e)
	return ok || o.through(e)
}

// Changes reports whether an original edge is closed or has a live speed.
func (o *Overlay) Changes(e graph.Edge) bool {
	if o.Closed(e) {
		return true
	}
	_, slowed := o.Speed(e)
	return slowed
}

// Free reports whether a part of an original edge can be travelled at an end
// of a path.
func (o *Overlay) Free(e graph.Edge, part Span) bool {
	if o == nil {
		return true
	}
	s, ok := o.span(e)
	return !ok || part.To < s.From || part.From > s.To
}

// OpenUntil returns how far along an original edge, 0 to 1, it is open from a place on
// it onwards.
func (o *Overlay) OpenUntil(e graph.Edge, along float64) float64 {
	if o == nil {
		return 1
	}
	switch s, ok := o.span(e); {
	case !ok || s.To < along:
		return 1
	default:
		return max(s.From, along)
	}
}

// OpenFrom gives from where along an original edge, 0 to 1, it is open up to a
// place on it.
func (o *Overlay) OpenFrom(e graph.Edge, along float64) float64 {
	if o == nil {
		return 0
	}
	switch s, ok := o.span(e); {
	case !ok || s.From > along:
		return 0
	default:
		return min(s.To, along)
	}
}

// Speed returns the live speed of an original edge in km/h; ok is false where none is
// set.
func (o *Overlay) Speed(e graph.Edge) (kmh float64, ok bool) {
	if o == nil {
		return 0, false
	}
	v, ok := o.speeds[e]
	if !ok && o.layer != nil {
		v = speedIn(o.layer.speed, e)
		ok = v > 0
	}
	return float64(v), ok
}

// Affects reports whether any change, beside what is applied, affects travelling a
// part of an original edge.
func (o *Overlay) Affects(e graph.Edge, part Span) bool {
	if o.Empty() {
		return false
	}
	_, slowed := o.speeds[e]
	if slowed || part == Whole && o.closedThrough[e] || !o.Free(e, part) {
		return true
	}
	if o.applied || o.layer == nil {
		return false
	}
	return part == Whole && o.layer.closed[e] || speedIn(o.layer.speed, e) > 0
}

// Changed lists the original edges that are closed, are slowed or have a turn from or
// into them that is, beside what is applied; ok is false where these may be more than so many.
func (o *Overlay) Changed(most int) (list []graph.Edge, ok bool) {
	if o.Empty() {
		return nil, true
	}
	n := len(o.closed) + len(o.shared) + len(o.closedThrough) + len(o.speeds) + 2*len(o.turns)
	live := !o.applied && o.layer != nil
	if live {
		n += len(o.layer.closed) + 2*len(o.layer.turns)
	}
	if n > most || live && o.layer.speed != nil {
		return nil, false
	}
	list = slices.AppendSeq(make([]graph.Edge, 0, n), maps.Keys(o.closed))
	list = slices.AppendSeq(list, maps.Keys(o.shared))
	list = slices.AppendSeq(list, maps.Keys(o.closedThrough))
	list = slices.AppendSeq(list, maps.Keys(o.speeds))
	for t := range o.turns {
		list = append(list, t.From, t.To)
	}
	if live {
		o.layer.Changed(nil, func(e graph.Edge) { list = append(list, e) })
	}
	slices.Sort(list)
	return slices.Compact(list), true
}
