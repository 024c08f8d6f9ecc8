package metric

import (
	"context"
	"sync"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// regionMetrics are the metrics that a region has in its files, and what others are made
// from.
type regionMetrics struct {
	*kernel.Data
	Working       func() int64                    // bytes of a metric in the making, besides those of the metric
	defaults      map[costing.Options]*cch.Metric // the region's
	mapped        map[*cch.Metric]*cch.Measures   // of them
	BestTimes     map[costing.Costing]func() *overlay.BestTimes
	lowerBounds   map[costing.Costing]func() *profile.LowerBound
	vehicleBounds map[costing.Costing]func() *profile.LowerBound // whatever the vehicle
	index         func() *profile.TurnIndex
}

func newRegionMetrics(d *kernel.Data) regionMetrics {
	m := regionMetrics{
		Data: d, defaults: map[costing.Options]*cch.Metric{}, mapped: map[*cch.Metric]*cch.Measures{},
		BestTimes: map[costing.Costing]func() *overlay.BestTimes{}, lowerBounds: map[costing.Costing]func() *profile.LowerBound{},
		vehicleBounds: map[costing.Costing]func() *profile.LowerBound{},
		Working:       sync.OnceValue(d.Topology.WorkingBytes),
		index:         sync.OnceValue(func() *profile.TurnIndex { return turnIndex(d.Graph, d.Topology) }),
	}
	for _, k := range costing.All {
		m.BestTimes[k] = sync.OnceValue(func() *overlay.BestTimes { return d.Conditions().BestTimes(profile.Mode(k)) })
		m.lowerBounds[k] = sync.OnceValue(func() *profile.LowerBound {
			return profile.NewLowerBound(d.Graph, profile.BoundedWith(k), func(k costing.Costing) *overlay.BestTimes { return m.BestTimes[k]() })
		})
		m.vehicleBounds[k] = sync.OnceValue(func() *profile.LowerBound { return profile.NewUsualBound(d.Graph, k) })
	}
	for k, metric := range d.Stored.Usual {
		m.defaults[costing.Default(k)], m.mapped[metric] = metric, d.Stored.Measures[k]
	}
	return m
}

// turnIndex numbers the turns of the graph, of which the hierarchy has no fewer:
// what is made for each must not be as many as a damaged file says.
func turnIndex(g *graph.Graph, t *cch.Topology) *profile.TurnIndex {
	x := profile.NewTurnIndex(g)
	if x.Turns() > len(t.TurnArc) {
		panic("embedded: the graph has more turns than the hierarchy: a section is damaged")
	}
	return x
}

// effort is about what a metric takes to make.
func (m *regionMetrics) effort() engine.Estimate {
	edges := int64(m.Graph.Edges())
	return engine.Estimate{Kind: "customise", Work: time.Duration(edges) * CustomNanos, Bytes: m.Working(), Cores: 1}
}

// Best returns the roads at the best of times for a traveller for whom they are so; nil for
// others. What opens to walkers need not to wheelchairs.
func (m *regionMetrics) Best(who Traveller) *overlay.BestTimes {
	if !who.Open || who.Options.Wheelchair {
		return nil
	}
	return m.BestTimes[who.Options.Costing]()
}

// EstimateHierarchy is about how much memory a metric of the hierarchy and its
// measures take.
func (m *regionMetrics) EstimateHierarchy(k costing.Costing) (hierarchy, measures int64) {
	if usual := m.defaults[costing.Default(k)]; usual != nil {
		return usual.Bytes(), usual.MeasureBytes()
	}
	return m.Topology.MostBytes(), m.Topology.MostMeasureBytes()
}

// customise makes a traveller's hierarchy. It is for all requests with the same options: no request's
// context ends it.
func (m *regionMetrics) customise(who Traveller, w Weights) (h *cch.Metric) {
	ctx := kernel.YieldingContext(context.Background())
	switch {
	case who == anyVehicle(who.Options.Costing):
		least := m.vehicleBounds[who.Options.Costing]()
		h, _ = m.Topology.Customise(ctx, m.Graph, least, least)
	case who.leads:
		h, _ = m.Topology.Customise(ctx, m.Graph, w.Costing, w.Costing.Metric(m.index()))
	default:
		h, _ = m.Topology.Customise(ctx, m.Graph, w.Costing, w.Metric)
	}
	return h
}

// tableCosts works out what tables read of weights, and how many bytes it takes
// with the metric of turns; not ok where the region is being replaced. Its only
// error is that of its context.
func (m *regionMetrics) tableCosts(ctx context.Context, w search.Weights) (costs cch.Costs, bytes int64, ok bool, err error) {
	done, ok := m.Use()
	if !ok {
		return costs, 0, false, nil
	}
	defer done()
	// Reading the error of a context may have the call wait for another slot, and
	// those in the slots may wait for the place among the metrics in the making that this
	// one has: one derived from it ends with it and does not wait.
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if w.Metric == nil {
		if w.Metric, err = w.Costing.MetricContext(ctx, m.index()); err != nil {
			return costs, 0, true, err
		}
	}
	h, err := m.Topology.Customise(ctx, m.Graph, w.Costing, w.Metric)
	if err != nil {
		return costs, 0, true, err
	}
	measures, err := m.Topology.MeasureContext(ctx, w.Costing, h)
	if err != nil {
		return costs, 0, true, err
	}
	costs = cch.Costs{Costing: w.Costing, Metric: h, Measures: measures}
	return costs, w.Metric.Bytes() + h.Bytes() + costs.Measures.Bytes(), true, nil
}

// EstimateOnce is about how much memory a metric under conditions takes with its
// measures: as much as that of usual options.
func (m *regionMetrics) EstimateOnce(k costing.Costing) int64 {
	hierarchy, measures := m.EstimateHierarchy(k)
	return m.Topology.TurnBytes() + hierarchy + measures
}
