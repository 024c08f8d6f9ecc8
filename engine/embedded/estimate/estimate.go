// Package estimate works out what a call is expected to take before it is made.
package estimate

import (
	"math"
	"runtime"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/many"
	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/engine/embedded/trace"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// Bytes for each edge of the region that queries hold: the labels of searches.
const (
	routerBytes   = 28
	astarBytes    = 44
	searchBytes   = 40
	treeBytes     = 29
	timedBytes    = 24
	tableBytes    = 28
	rangeBytes    = 61
	outlinerBytes = 10
)

// Bytes of answers, as values and written.
const (
	legBytes     = 96 << 10
	kmBytes      = 2 << 10
	cellBytes    = 80
	pointBytes   = 2 << 10
	contourBytes = 256 << 10
	roadBytes    = 300
	verboseBytes = 6 << 10
	baseBytes    = 32 << 10
)

// cost adds up what a call takes.
type cost struct {
	e      *plan.Base
	nanos  float64
	edges  float64 // of the region
	bytes  float64
	answer float64
	// filters is true where hardly any road may pass the filter of a location.
	filters bool
}

func (c *cost) estimate(kind string, cores int, cheaper string) engine.Estimate {
	return engine.Estimate{
		Kind: kind, Work: time.Duration(c.nanos), Cores: max(1, cores),
		Bytes: int64(c.bytes+c.answer) + baseBytes, Answer: int64(c.answer) + baseBytes, Cheaper: cheaper,
	}
}

// Of returns the work that a call is expected to take. See engine.Engine.
func Of(e *plan.Base, call engine.Call, request any) engine.Estimate {
	c := &cost{e: e, edges: float64(e.Graph.Edges())}
	switch r := request.(type) {
	case *engine.RouteRequest:
		if call == engine.CallCentroid {
			return c.centroid(r)
		}
		return c.route(r)
	case *engine.MatrixRequest:
		return c.matrix(r)
	case *engine.IsochroneRequest:
		return c.isochrone(r)
	case *engine.MatchRequest:
		return c.match(r)
	case *engine.LocateRequest:
		roads := c.snap(r.Locations, len(r.Locations))
		c.answer = (roads + 3*float64(len(r.Locations))) * roadBytes
		if r.Verbose {
			c.nanos += (roads + 3*float64(len(r.Locations))) * metric.VerboseNanos
			c.answer += (roads + 3*float64(len(r.Locations))) * verboseBytes
		}
		return c.estimate(c.filtered("locate"), 1, "fewer locations")
	case *engine.NearestRequest:
		c.snap([]engine.Location{r.Location}, 1)
		c.nanos += float64(r.Number) * metric.RoadNanos
		return c.estimate("nearest", 1, "")
	}
	return c.estimate("", 1, "")
}

// snap adds what it takes to find where on the network some locations are, of so many that
// the request has, and returns how many roads lie within their radii.
func (c *cost) snap(list []engine.Location, of int) (roads float64) {
	c.nanos += metric.SnapNanos * float64(len(list))
	for i := range list {
		l := &list[i]
		if l.Radius > 0 {
			roads += math.Min(c.e.Around(l.Point, l.Radius), float64(plan.RoadBounds.Of(of)))
		}
		if f := &l.Filter; f.MinClass != "" || f.MaxClass != "" { // hardly any road may pass it
			c.nanos += math.Min(c.e.Around(l.Point, plan.SearchCutoff(l)), float64(plan.LookBounds.Of(of))) * metric.LookNanos / 2
			c.filters = true
		}
	}
	c.nanos += roads * metric.RoadNanos
	return roads
}

// filtered names a kind of call whose locations have a filter that hardly any road may pass.
func (c *cost) filtered(kind string) string {
	if c.filters {
		return kind + " filtered"
	}
	return kind
}

// conditions adds what it takes to apply those of a request, and reports whether
// they change the roads.
func (c *cost) conditions(q *engine.Conditions) (changed bool) {
	for _, ring := range q.ExcludePolygons {
		box := geo.BoundsOf(ring)
		near := c.e.Around(box.Centre(), geo.Distance(box.Min, box.Max)/2)
		c.nanos += near * metric.CloseNanos * math.Max(1, float64(len(ring))/100)
	}
	c.nanos += metric.SnapNanos * 3 * float64(len(q.ExcludeLocations))
	return len(q.ExcludePolygons)+len(q.ExcludeAreas)+len(q.ExcludeLocations) > 0 || bends(c.e, q)
}

// kind names a kind of call and how it is answered.
func kind(call string, changed, timed, known bool) string {
	switch {
	case timed:
		return call + " timed"
	case changed:
		return call + " changed"
	case !known:
		return call + " unknown"
	}
	return call
}

// bends reports whether something live that is in no metric may change the roads for a
// request.
func bends(e *plan.Base, q *engine.Conditions) bool {
	live := e.Current.Get()
	if live == nil {
		return false
	}
	if q.When == nil {
		return live.Passing() || !live.Layer(overlay.View{Closing: overlay.HoldingClosures}).Empty()
	}
	return q.When.Type != engine.Now // those of now have metrics of their own
}

func (c *cost) route(r *engine.RouteRequest) engine.Estimate {
	changed, timed := c.conditions(&r.Conditions), r.When != nil
	known, _ := c.e.Metrics.Ready(r.Options.Of(r.Costing))
	hops, km := len(r.Locations)-1, 0.0
	for i := range hops {
		km += geo.Distance(r.Locations[i].Point, r.Locations[i+1].Point) / 1000
	}
	c.nanos += float64(hops)*(metric.HopNanos+metric.GuidedNanos) + km*2e3
	c.snap(r.Locations, len(r.Locations))
	c.bytes += routerBytes * c.edges
	if changed || timed || !known {
		c.nanos += float64(hops)*metric.AstarNanos + km*metric.AstarKmNanos
		c.bytes += astarBytes * c.edges
	}
	name := c.filtered(kind("route", changed, timed, known))
	if r.Alternates > 0 {
		name += " alternates"
		if known {
			c.nanos += float64(hops*r.Alternates) * metric.OtherHopNanos
		} else {
			c.bytes += searchBytes * c.edges
			for i := range hops {
				from, to := r.Locations[i].Point, r.Locations[i+1].Point
				c.nanos += min(c.e.Around(from, geo.Distance(from, to)), search.AlternativesSettled) * (metric.OtherNanos + metric.ScanNanos)
			}
		}
	}
	c.answer = (legBytes*float64(hops) + kmBytes*km) * float64(1+r.Alternates)
	return c.estimate(name, 1, "fewer locations or without alternates")
}

func (c *cost) centroid(r *engine.RouteRequest) engine.Estimate {
	changed := c.conditions(&r.Conditions)
	known, _ := c.e.Metrics.Ready(r.Options.Of(r.Costing))
	n, far := float64(len(r.Locations)), plan.Farthest(r.Locations, r.Locations)
	c.snap(r.Locations, len(r.Locations))
	c.nanos += n*n*metric.HopNanos + n*metric.GuidedNanos + n*c.e.Around(r.Locations[0].Point, far)*metric.SettleNanos
	c.bytes = (routerBytes + n*searchBytes/2) * c.edges
	c.answer = n * (legBytes + kmBytes*far/1000)
	return c.estimate(c.filtered(kind("centroid", changed, false, known)), 1, "fewer locations")
}

func (c *cost) matrix(r *engine.MatrixRequest) engine.Estimate {
	changed, timed := c.conditions(&r.Conditions), r.When != nil || r.Times != nil
	known, measured := c.e.Metrics.Ready(r.Options.Of(r.Costing))
	sources, targets := float64(len(r.Sources)), float64(len(r.Targets))
	cells := sources * targets
	cores := runtime.GOMAXPROCS(0)
	within := c.e.Around(r.Sources[0].Point, plan.Farthest(r.Sources, r.Targets))
	roads := c.places(r)
	c.nanos += cells*metric.CellNanos + roads*sources*metric.RoadPairNanos
	c.answer = cells*cellBytes + (sources+targets)*64
	c.bytes = c.answer/2 + routerBytes*c.edges
	cheaper := "fewer sources or targets"
	if !timed && c.e.Current.Get().Passing() {
		// Ways past closures that begin or end are searched for again by the clock.
		c.nanos += sources * within * metric.TimedNanos / 8
		c.bytes += timedBytes * c.edges * float64(cores)
	}
	switch {
	case timed:
		hubs, others := sources, targets
		if r.Arrives() {
			hubs, others = targets, sources
		}
		// The metric finds nearly all of them: what depends on the time is searched for from
		// few hubs.
		c.nanos += hubs * (others*metric.TimedCellNanos + within*metric.TimedNanos/16)
		c.bytes += timedBytes * c.edges * float64(cores)
		if !known && metric.CustomiseForTimed(c.e.Data, hubs, within) {
			c.nanos += c.edges * metric.CustomNanos
			c.bytes += float64(c.e.Metrics.EstimateOnce(r.Costing)) + float64(c.e.Metrics.Working())
		} else if !known {
			c.nanos += hubs * within * metric.ManyNanos
		}
		cheaper += ", or without a date_time"
	case changed && sources < many.OverlayRows, !changed && !known && !metric.CustomiseFirst(c.e.Data, sources, targets, within):
		c.nanos += sources*within*metric.SettleNanos + cells*metric.TreeCellNanos
		c.bytes += treeBytes * c.edges * float64(cores)
		cheaper += ", or with the costing's default options"
	default:
		if changed || !known {
			c.nanos += c.edges * (metric.CustomNanos + metric.MeasureNanos)
			c.bytes += float64(c.e.Metrics.EstimateOnce(r.Costing)) + float64(c.e.Metrics.Working())
			cheaper += ", without exclusions, or with the costing's default options"
		} else if !measured {
			c.nanos += c.edges * metric.MeasureNanos
		}
		c.nanos += metric.SweepTime(c.e.Data, sources, targets)
		c.bytes += tableBytes * c.edges * float64(cores)
	}
	return c.estimate(c.filtered(kind("matrix", changed, timed, known)), min(cores, len(r.Sources)), cheaper)
}

// places adds what it takes to find where the places of a matrix are, those without times of
// their own once for each time, and returns how many roads lie within their radii. So much was
// added before for the conditions, which are applied for each time too.
func (c *cost) places(r *engine.MatrixRequest) (roads float64) {
	conditions := c.nanos
	hubs, others, of := r.Sources, r.Targets, len(r.Sources)+len(r.Targets)
	if r.Arrives() {
		hubs, others = others, hubs
	}
	roads = c.snap(hubs, of)
	before := c.nanos
	roads += c.snap(others, of)
	if r.Times != nil {
		times := map[engine.When]bool{}
		for _, t := range r.Times {
			times[t] = true
		}
		c.nanos += (conditions + c.nanos - before + metric.GuidedNanos) * float64(len(times)-1)
	}
	return roads
}

func (c *cost) isochrone(r *engine.IsochroneRequest) engine.Estimate {
	changed, timed := c.conditions(&r.Conditions), r.When != nil
	known, measured := c.e.Metrics.Ready(r.Options.Of(r.Costing))
	metres := 0.0
	for _, x := range r.Contours {
		metres = math.Max(metres, math.Max(x.Kilometres*1000, x.Minutes/60*metric.TopSpeed[r.Costing]*1000))
	}
	within := c.e.Around(r.Location.Point, metres)
	within = math.Min(c.edges, within+c.aroundStarts(r, metres))
	c.snap([]engine.Location{r.Location}, 1)
	c.nanos += within * metric.OutlineNanos * (1 + 0.2*float64(len(r.Contours)))
	c.bytes = (routerBytes+outlinerBytes)*c.edges + within*100
	if !timed && c.e.Current.Get().Passing() {
		// Where closures near begin or end all is searched for by the clock.
		c.nanos += within * metric.TimedNanos / 4
		c.bytes += timedBytes * c.edges
	}
	switch {
	case timed:
		c.nanos += within*metric.TimedNanos*2 + c.edges*metric.ScanNanos
		c.bytes += timedBytes*c.edges + within*100
	case changed, !known, len(r.Starts) > 0:
		c.nanos += within*metric.SettleNanos + float64(len(r.Starts))*metric.SnapNanos
		c.bytes += treeBytes * c.edges
	default:
		if !measured {
			c.nanos += c.edges * metric.MeasureNanos
		}
		c.nanos += within * metric.RangeNanos
		c.bytes += rangeBytes * c.edges
	}
	c.answer = contourBytes * float64(len(r.Contours))
	return c.estimate(c.filtered(kind("isochrone", changed, timed, known)), 1, "a smaller time or distance")
}

// mostSampled is at how many starts an estimate looks.
const mostSampled = 32

// aroundStarts is about how many edges are around the starts of an isochrone, each counted
// for every start that reaches it. metres is how far one gets from the place.
func (c *cost) aroundStarts(r *engine.IsochroneRequest, metres float64) (edges float64) {
	step := max(1, len(r.Starts)/mostSampled)
	for i := 0; i < len(r.Starts); i += step {
		s := &r.Starts[i]
		if left := metres - s.Seconds/3600*metric.TopSpeed[r.Costing]*1000; left > 0 {
			edges += c.e.Around(s.Point, left) * float64(step)
		}
	}
	return edges
}

func (c *cost) match(r *engine.MatchRequest) engine.Estimate {
	n := float64(len(r.Trace))
	c.conditions(&r.Conditions)
	near, km := steps(c.e, r)
	c.nanos += n*metric.MatchNanos + near*metric.StepNanos
	c.bytes = routerBytes * c.edges
	c.answer = n*pointBytes + km*kmBytes
	return c.estimate("match", 1, "fewer positions")
}

// steps returns about how many edges are within reach of the positions of a trace, each from
// the one before, all together, and the length of the trace in kilometres.
func steps(e *plan.Base, r *engine.MatchRequest) (near, km float64) {
	box := geo.NoBounds()
	for i := range r.Trace {
		box = box.Extend(r.Trace[i].Point)
	}
	half := math.Max(1000, geo.Distance(box.Min, box.Max)/2)
	o, edges, density := trace.Tuned(r, trace.Accuracy(r)), float64(e.Graph.Edges()), e.Around(box.Centre(), half)/(half*half)
	for i := 1; i < len(r.Trace); i++ {
		straight := geo.Distance(r.Trace[i-1].Point, r.Trace[i].Point)
		if straight > o.Breakage {
			continue
		}
		// Paths much longer than the straight line are given up early.
		reach := straight + 10*o.Beta
		near += math.Min(edges, density*reach*reach)
		km += straight / 1000
	}
	return near, km
}
