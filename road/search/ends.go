package search

import (
	"slices"

	"github.com/waygate/waygate/road/profile"
)

// ApplyOverlay returns equal weights without an overlay: a costing and a metric in which it
// is applied. A search without overlays may use them, from the ends of Departures to those of
// Arrivals; paths along a single edge are found by Direct.
func (w *Weights) ApplyOverlay() Weights {
	if w.Overlay.Empty() {
		return Weights{Costing: w.Costing, Metric: w.Metric}
	}
	b := Weights{Costing: w.Costing.WithOverlay(w.Overlay)}
	if w.Metric != nil {
		b.Metric = w.Metric.WithOverlay(b.Costing)
	}
	return b
}

// Entry returns the part of the cost that all paths from some places to others have in common
// because they begin on public roads and end on private ones: profile.PrivateEntry, or 0.
func Entry(c *profile.Costing, from, to []End) uint64 {
	if allPrivate(c, to) && allPublic(c, from) {
		return profile.PrivateEntry
	}
	return 0
}

func allPrivate(c *profile.Costing, ends []End) bool {
	return len(ends) > 0 && !slices.ContainsFunc(ends, func(x End) bool { return !c.Private(x.Edge) })
}

// allPublic reports whether no place lies on a private road but where using it costs as
// much as entering that road.
func allPublic(c *profile.Costing, ends []End) bool {
	return !slices.ContainsFunc(ends, func(x End) bool { return c.Private(x.Edge) && x.Extra < profile.PrivateEntry })
}

// Departures returns those places from which the rest of their edge is open.
func (w *Weights) Departures(ends []End) []End {
	if w.Overlay.Empty() {
		return ends
	}
	return slices.DeleteFunc(slices.Clone(ends), func(x End) bool { return !w.canDepart(x) })
}

// Arrivals returns those places to which their edge is open from its start.
func (w *Weights) Arrivals(ends []End) []End {
	if w.Overlay.Empty() {
		return ends
	}
	return slices.DeleteFunc(slices.Clone(ends), func(x End) bool { return !w.canArrive(x) })
}

// Direct returns the cheapest path that stays on one edge; ok is false where there
// is none.
func (w *Weights) Direct(from, to []End) (cost uint64, took Measure, ok bool) {
	cost = unreached
	for _, s := range from {
		for _, t := range to {
			if !w.onOneEdge(s, t) {
				continue
			}
			if sum := w.part(s.Edge, t.Along-s.Along) + uint64(s.Extra) + uint64(t.Extra); sum < cost {
				share := t.Along - s.Along
				cost, took = sum, MeasureOf(w.Seconds(s.Edge)*share, w.Costing.Graph().EdgeLength(s.Edge)*share)
			}
		}
	}
	return cost, took, cost != unreached
}
