package search

import "slices"

// Bent gives the same weights without the overlay: a costing and a metric that
// heed it. What searches with them begins at Leaving ends, finishes at Arriving
// ones, and knows of paths along one edge alone by Joined.
func (w *Weights) Bent() Weights {
	if w.Overlay.Empty() {
		return Weights{Costing: w.Costing, Metric: w.Metric}
	}
	b := Weights{Costing: w.Costing.Bent(w.Overlay)}
	if w.Metric != nil {
		b.Metric = w.Metric.Bent(b.Costing)
	}
	return b
}

// Leaving gives those places from which the way to the end of their edge is
// free.
func (w *Weights) Leaving(ends []End) []End {
	if w.Overlay.Empty() {
		return ends
	}
	return slices.DeleteFunc(slices.Clone(ends), func(x End) bool { return !w.canDepart(x) })
}

// Arriving gives those places to which the way from the start of their edge is
// free.
func (w *Weights) Arriving(ends []End) []End {
	if w.Overlay.Empty() {
		return ends
	}
	return slices.DeleteFunc(slices.Clone(ends), func(x End) bool { return !w.canArrive(x) })
}

// Joined gives the cheapest path that stays on one edge; ok is false where there
// is none.
func (w *Weights) Joined(from, to []End) (cost uint64, took Took, ok bool) {
	cost = unreached
	for _, s := range from {
		for _, t := range to {
			if !w.onOneEdge(s, t) {
				continue
			}
			if sum := w.part(s.Edge, t.Along-s.Along) + uint64(s.Extra) + uint64(t.Extra); sum < cost {
				share := t.Along - s.Along
				cost, took = sum, TookOf(w.Seconds(s.Edge)*share, w.Costing.Graph().EdgeLength(s.Edge)*share)
			}
		}
	}
	return cost, took, cost != unreached
}
