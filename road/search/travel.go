package search

import (
	"math"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
)

// Travel is the cost of travelling a part of an edge at a time.
type Travel struct {
	Cost    uint64 // in 1024ths of a millisecond of weighted time
	Millis  int64
	Seconds float64
	Limits  graph.SpeedLimits // as it begins or, by a clock of arrival, ends; where they depend on the time
}

// Travel returns what a share of the length of an original edge takes to who comes to it at a
// time of the clock, nil for no time, or with a clock of arrival is at its end then.
//
// Where speed limits depend on the time it costs what it would if it were travelled at the
// clock's moment, and, for each millisecond that it really takes longer, what a millisecond
// of waiting does. So being somewhere earlier is never worse than waiting there, and most
// journeys, during which no limit changes, have the costs that the limits of their hour make.
func (w *Weights) Travel(k *overlay.Clock, e graph.Edge, share float64, at int64) Travel {
	if !k.Limited(e) {
		seconds := w.Seconds(e) * share
		return Travel{Cost: w.part(e, share) << waitShift, Millis: millis(seconds), Seconds: seconds}
	}
	live := math.Inf(1)
	if v, slow := w.Overlay.Speed(e); slow {
		live = v
	}
	c := w.Costing
	kmh := func(l graph.SpeedLimits) float64 { return c.KmhUnder(e, l, live) }
	now := k.LimitsAt(e, 0)
	metres := c.Graph().EdgeLength(e) * share
	free := millis(metres * 3.6 / kmh(now))
	took := k.Travel(e, metres, at, kmh)
	cost := uint64(math.Round(float64(c.EdgeUnder(e, now, live))*share)) << waitShift
	if took >= free {
		cost += uint64(took-free) * k.Wait
	} else {
		cost -= min(cost, uint64(free-took)*k.Wait)
	}
	// Rounded, too, it is no less than at the best of times.
	return Travel{Cost: max(cost, w.part(e, share)<<waitShift), Millis: took, Seconds: float64(took) / 1000, Limits: k.LimitsAt(e, at)}
}
