package embedded

import (
	"math"
	"runtime"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/search"
)

// What parts of the work take on one core of the machine of docs/performance.md,
// in nanoseconds. They need to be right to a factor of two or three between kinds
// of work: what calls of a kind really take corrects them.
const (
	snapNanos      = 15e3 // a location
	roadNanos      = 4e3  // a road within its radius
	verboseNanos   = 3e4  // one of which all is told that is known
	lookNanos      = 450  // a road that is looked at
	hopNanos       = 80e3 // a way by the hierarchy
	guidedNanos    = 15e4 // its line and words
	astarNanos     = 6e5  // a way by A*, and
	astarKmNanos   = 4e4  // for each of its kilometres
	settleNanos    = 800  // an edge of a search on the graph
	timedNanos     = 1600 // one of a search by the clock,
	manyNanos      = 6500 // where options have an edge come to again and again, later and cheaper
	otherHopNanos  = 6e5  // another way by the hierarchy, with its line and words
	otherNanos     = 300  // an edge of a search for alternatives without it
	scanNanos      = 4    // an edge that it, or an outline, only looks at
	rangeNanos     = 120  // an edge within reach by the hierarchy
	outlineNanos   = 350  // one in an outline
	sweepNanos     = 12   // a rank in the sweep of one source
	cellNanos      = 120
	treeCellNanos  = 4e3 // one that is read from the search of its source
	timedCellNanos = 3e4
	closeNanos     = 400 // an edge near an excluded polygon's line
	customNanos    = 1500
	measureNanos   = 900
	matchNanos     = 12e3 // a position of a trace
	stepNanos      = 170  // an edge within reach of one position from the one before
	roadPairNanos  = 100  // a road within a radius, for each source of a matrix
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
	e      *Engine
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

// Estimate is what a call is expected to take. See engine.Engine.
func (e *Engine) Estimate(call engine.Call, request any) engine.Estimate {
	c := &cost{e: e, edges: float64(e.g.Edges())}
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
			c.nanos += (roads + 3*float64(len(r.Locations))) * verboseNanos
			c.answer += (roads + 3*float64(len(r.Locations))) * verboseBytes
		}
		return c.estimate(c.filtered("locate"), 1, "fewer locations")
	case *engine.NearestRequest:
		c.snap([]engine.Location{r.Location}, 1)
		c.nanos += float64(r.Number) * roadNanos
		return c.estimate("nearest", 1, "")
	}
	return c.estimate("", 1, "")
}

// snap adds what it takes to find where on the network some locations are, of so many that
// the request has, and returns how many roads lie within their radii.
func (c *cost) snap(list []engine.Location, of int) (roads float64) {
	c.nanos += snapNanos * float64(len(list))
	for i := range list {
		l := &list[i]
		if l.Radius > 0 {
			roads += math.Min(c.e.around(l.Point, l.Radius), float64(roadBounds.of(of)))
		}
		if f := &l.Filter; f.MinClass != "" || f.MaxClass != "" { // hardly any road may pass it
			c.nanos += math.Min(c.e.around(l.Point, searchCutoff(l)), float64(lookBounds.of(of))) * lookNanos / 2
			c.filters = true
		}
	}
	c.nanos += roads * roadNanos
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
		box := geo.NoBounds()
		for _, p := range ring {
			box = box.Extend(p)
		}
		near := c.e.around(box.Centre(), geo.Distance(box.Min, box.Max)/2)
		c.nanos += near * closeNanos * math.Max(1, float64(len(ring))/100)
	}
	c.nanos += snapNanos * 3 * float64(len(q.ExcludeLocations))
	return len(q.ExcludePolygons)+len(q.ExcludeAreas)+len(q.ExcludeLocations) > 0 || c.e.bends(q)
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

func (c *cost) route(r *engine.RouteRequest) engine.Estimate {
	changed, timed := c.conditions(&r.Conditions), r.When != nil
	known, _ := c.e.metrics.known(r.Options.Of(r.Costing))
	hops, km := len(r.Locations)-1, 0.0
	for i := range hops {
		km += geo.Distance(r.Locations[i].Point, r.Locations[i+1].Point) / 1000
	}
	c.nanos += float64(hops)*(hopNanos+guidedNanos) + km*2e3
	c.snap(r.Locations, len(r.Locations))
	c.bytes += routerBytes * c.edges
	if changed || timed || !known {
		c.nanos += float64(hops)*astarNanos + km*astarKmNanos
		c.bytes += astarBytes * c.edges
	}
	name := c.filtered(kind("route", changed, timed, known))
	if r.Alternates > 0 {
		name += " alternates"
		if known {
			c.nanos += float64(hops*r.Alternates) * otherHopNanos
		} else {
			c.bytes += searchBytes * c.edges
			for i := range hops {
				from, to := r.Locations[i].Point, r.Locations[i+1].Point
				c.nanos += min(c.e.around(from, geo.Distance(from, to)), search.AlternativesSettled) * (otherNanos + scanNanos)
			}
		}
	}
	c.answer = (legBytes*float64(hops) + kmBytes*km) * float64(1+r.Alternates)
	return c.estimate(name, 1, "fewer locations or without alternates")
}

func (c *cost) centroid(r *engine.RouteRequest) engine.Estimate {
	changed := c.conditions(&r.Conditions)
	known, _ := c.e.metrics.known(r.Options.Of(r.Costing))
	n, far := float64(len(r.Locations)), farthest(r.Locations, r.Locations)
	c.snap(r.Locations, len(r.Locations))
	c.nanos += n*n*hopNanos + n*guidedNanos + n*c.e.around(r.Locations[0].Point, far)*settleNanos
	c.bytes = (routerBytes + n*searchBytes/2) * c.edges
	c.answer = n * (legBytes + kmBytes*far/1000)
	return c.estimate(c.filtered(kind("centroid", changed, false, known)), 1, "fewer locations")
}

func (c *cost) matrix(r *engine.MatrixRequest) engine.Estimate {
	changed, timed := c.conditions(&r.Conditions), r.When != nil
	known, measured := c.e.metrics.known(r.Options.Of(r.Costing))
	sources, targets := float64(len(r.Sources)), float64(len(r.Targets))
	cells := sources * targets
	cores := runtime.GOMAXPROCS(0)
	within := c.e.around(r.Sources[0].Point, farthest(r.Sources, r.Targets))
	roads := c.snap(r.Sources, len(r.Sources)+len(r.Targets))
	roads += c.snap(r.Targets, len(r.Sources)+len(r.Targets))
	c.nanos += cells*cellNanos + roads*sources*roadPairNanos
	c.answer = cells*cellBytes + (sources+targets)*64
	c.bytes = c.answer/2 + routerBytes*c.edges
	cheaper := "fewer sources or targets"
	if !timed && c.e.live.Get().Passing() {
		// Ways past closures that begin or end are searched for again by the clock.
		c.nanos += sources * within * timedNanos / 8
		c.bytes += timedBytes * c.edges * float64(cores)
	}
	switch {
	case timed:
		hubs, others := sources, targets
		if r.When.Type == engine.Arrive {
			hubs, others = targets, sources
		}
		// The metric finds nearly all of them: what depends on the time is searched for from
		// few hubs.
		c.nanos += hubs * (others*timedCellNanos + within*timedNanos/16)
		c.bytes += timedBytes * c.edges * float64(cores)
		if !known && c.e.customiseForTimed(hubs, within) {
			c.nanos += c.edges * customNanos
			c.bytes += float64(c.e.metrics.estimateOnce(r.Costing)) + float64(c.e.metrics.working())
		} else if !known {
			c.nanos += hubs * within * manyNanos
		}
		cheaper += ", or without a date_time"
	case changed && sources < overlayRows, !changed && !known && !c.e.customiseFirst(sources, targets, within):
		c.nanos += sources*within*settleNanos + cells*treeCellNanos
		c.bytes += treeBytes * c.edges * float64(cores)
		cheaper += ", or with the costing's default options"
	default:
		if changed || !known {
			c.nanos += c.edges * (customNanos + measureNanos)
			c.bytes += float64(c.e.metrics.estimateOnce(r.Costing)) + float64(c.e.metrics.working())
			cheaper += ", without exclusions, or with the costing's default options"
		} else if !measured {
			c.nanos += c.edges * measureNanos
		}
		c.nanos += sweep(c.e, sources, targets)
		c.bytes += tableBytes * c.edges * float64(cores)
	}
	return c.estimate(c.filtered(kind("matrix", changed, timed, known)), min(cores, len(r.Sources)), cheaper)
}

// sweep is what a table takes on a metric that is there, in nanoseconds.
func sweep(e *Engine, sources, targets float64) float64 {
	ranks := math.Min(targets*float64(e.height())*0.3, float64(e.g.Edges()))
	return math.Ceil(sources/cch.Lanes) * cch.Lanes * ranks * sweepNanos
}

// customiseFirst reports whether a matrix with options that have no metric takes
// less with one that is made for it than with searches from source after source,
// of so many edges each.
func (e *Engine) customiseFirst(sources, targets, within float64) bool {
	edges := float64(e.g.Edges())
	return edges*(customNanos+measureNanos)+sweep(e, sources, targets) < sources*(within*settleNanos+targets*treeCellNanos)
}

// customiseForTimed is customiseFirst for a matrix at a time, with searches from so many hubs.
// The metric finds most ways by itself.
func (e *Engine) customiseForTimed(hubs, within float64) bool {
	return float64(e.g.Edges())*customNanos < hubs*within*manyNanos
}

func (c *cost) isochrone(r *engine.IsochroneRequest) engine.Estimate {
	changed, timed := c.conditions(&r.Conditions), r.When != nil
	known, measured := c.e.metrics.known(r.Options.Of(r.Costing))
	metres := 0.0
	for _, x := range r.Contours {
		metres = math.Max(metres, math.Max(x.Kilometres*1000, x.Minutes/60*pace[r.Costing]*1000))
	}
	within := c.e.around(r.Location.Point, metres)
	c.snap([]engine.Location{r.Location}, 1)
	c.nanos += within * outlineNanos * (1 + 0.2*float64(len(r.Contours)))
	c.bytes = (routerBytes+outlinerBytes)*c.edges + within*100
	switch {
	case timed:
		c.nanos += within*timedNanos*2 + c.edges*scanNanos
		c.bytes += timedBytes*c.edges + within*100
	case changed, !known:
		c.nanos += within * settleNanos
		c.bytes += treeBytes * c.edges
	default:
		if !measured {
			c.nanos += c.edges * measureNanos
		}
		c.nanos += within * rangeNanos
		c.bytes += rangeBytes * c.edges
	}
	c.answer = contourBytes * float64(len(r.Contours))
	return c.estimate(c.filtered(kind("isochrone", changed, timed, known)), 1, "a smaller time or distance")
}

func (c *cost) match(r *engine.MatchRequest) engine.Estimate {
	n := float64(len(r.Trace))
	c.conditions(&r.Conditions)
	near, km := c.e.steps(r)
	c.nanos += n*matchNanos + near*stepNanos
	c.bytes = routerBytes * c.edges
	c.answer = n*pointBytes + km*kmBytes
	return c.estimate("match", 1, "fewer positions")
}

// steps returns about how many edges are within reach of the positions of a trace, each from
// the one before, all together, and the length of the trace in kilometres.
func (e *Engine) steps(r *engine.MatchRequest) (near, km float64) {
	box := geo.NoBounds()
	for i := range r.Trace {
		box = box.Extend(r.Trace[i].Point)
	}
	half := math.Max(1000, geo.Distance(box.Min, box.Max)/2)
	o, edges, density := tuned(r, accuracy(r)), float64(e.g.Edges()), e.around(box.Centre(), half)/(half*half)
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

// pace is how fast one gets on as the crow flies, at the most, in km/h: how far
// away what is within reach may be.
var pace = map[costing.Costing]float64{
	costing.Auto: 60, costing.Truck: 50, costing.Bus: 50, costing.Motorcycle: 60, costing.MotorScooter: 30,
	costing.Bicycle: 14, costing.Pedestrian: 4.2,
}

// farthest is the greatest distance from the first of one side to the other side,
// and among the first side, in metres.
func farthest(from, to []engine.Location) (metres float64) {
	for _, list := range [][]engine.Location{from, to} {
		for i := range list {
			metres = math.Max(metres, geo.Distance(from[0].Point, list[i].Point))
		}
	}
	return metres
}

// samples is about how many places around tells the density of roads by.
const samples = 4096

// sample lists some junctions of a region, evenly over the graph.
func (e *Engine) sample() []geo.Point {
	step := e.g.Nodes()/samples + 1
	list := make([]geo.Point, 0, e.g.Nodes()/step+1)
	for n := 0; n < e.g.Nodes(); n += step {
		list = append(list, e.g.Position[n].Point())
	}
	return list
}

// around is about how many edges lie within a distance of a place.
func (e *Engine) around(p geo.Point, metres float64) float64 {
	places := e.places()
	if len(places) == 0 {
		return 0
	}
	box := geo.Around(p, metres)
	n := 0
	for i := range places {
		if box.Contains(places[i]) {
			n++
		}
	}
	// Where so few are near that none is in the sample there are some all the same.
	return (float64(n)*math.Pi/4 + 0.5) / float64(len(places)) * float64(e.g.Edges())
}
