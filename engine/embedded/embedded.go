// Package embedded is our own routing kernel behind the engine contract: it
// snaps, searches and narrates on a region in this process.
package embedded

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/centroid"
	"github.com/waygate/waygate/road/contour"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/island"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

var _ engine.Engine = (*Engine)(nil)

// Engine routes on one opened region. It is safe for many goroutines and lives
// no longer than the region.
type Engine struct {
	g         *graph.Graph
	tree      *snap.Tree
	mainlands map[costing.Costing]*island.Mainland
	topology  *cch.Topology
	date      *time.Time
	version   string
	scratch   pool // of *scratch
	metrics   *metrics
	live      overlay.Live
	closures  closures
	causes    causes // of failures
	searches  searchBounds
	use       func() (done func(), ok bool) // keeps the region open
	// conditions are what holds only at times, read when first needed.
	conditions func() *overlay.Conditions
	// places are some of the region's junctions, and height that of the hierarchy,
	// for estimates.
	places func() []geo.Point
	height func() int
	// byWay are all segments by their ways, sorted when first needed.
	byWay func() []graph.Segment

	// What many ways at once are worked out with.
	tables        pool // of *cch.Table
	trees         pool // of *search.Tree
	timeDependent pool // of *search.TimeDependent
	ranges        pool // of *cch.RangeQuery
	outliners     pool // of *outliner
	patches       patches
}

// scratch is what one request works with. The searches are made when one is
// first needed.
type scratch struct {
	router   *cch.Router
	search   *search.Query
	astar    *search.AStar
	aim      *cch.Potential
	begun    *cch.Potential
	snap     *snap.Query
	match    *match.Query
	centroid *centroid.Query
	island   island.Search
	locating locating
	steps    graph.Path      // of the paths of a request, one after another
	delays   []profile.Delay // see planner.turns
	// prefetched keeps what graph.Prefetch reads from being left out as useless.
	prefetched uint32
}

// path gives room for a path of so many steps, until the next request.
func (s *scratch) path(steps int) graph.Path {
	return cut(&s.steps, steps, 2*cap(s.steps)+steps)
}

// cut cuts room for n off a list, or off a new one of so much room where it has no more:
// what was given before stays where it is.
func cut[S ~[]T, T any](list *S, n, room int) S {
	if cap(*list)-len(*list) < n {
		*list = make(S, 0, max(n, room))
	}
	from := len(*list)
	*list = (*list)[:from+n]
	return (*list)[from : from : from+n]
}

// New opens the kernel on a region. It takes milliseconds, whatever the
// region's size.
func New(r *region.Region) (*Engine, error) {
	g, err := graph.Open(r)
	if err != nil {
		return nil, err
	}
	tree, err := snap.Open(r)
	if err != nil {
		return nil, err
	}
	topology, err := cch.OpenTopology(r)
	if err != nil {
		return nil, err
	}
	usual, err := cch.OpenMetrics(r, topology)
	if err != nil {
		return nil, err
	}
	measures, err := cch.OpenMeasures(r, topology, usual)
	if err != nil {
		return nil, err
	}
	mainlands, err := island.Open(r, g)
	if err != nil {
		return nil, err
	}
	bounds, err := cch.OpenBounds(r, topology)
	if err != nil {
		return nil, err
	}
	conditions := sync.OnceValue(func() *overlay.Conditions { return overlay.ReadConditions(g) })
	e := &Engine{g: g, tree: tree, searches: usualBounds, mainlands: mainlands, topology: topology, metrics: newMetrics(g, topology, ofRegion{usual, measures, bounds}, conditions, r.Use), conditions: conditions, date: r.Manifest.OSMTimestamp, version: r.Manifest.Builder}
	e.metrics.layer = func(v overlay.View) *overlay.Layer { return e.live.Get().Layer(v) }
	e.scratch.idle = make(chan struct{}, 1)
	e.metrics.behind = func() context.Context { return e.behind(context.Background()) }
	e.scratch.New = func() any { return &scratch{snap: snap.NewQuery(g, tree)} }
	e.use = r.Use
	e.byWay = sync.OnceValue(func() []graph.Segment { return sortByWay(g) })
	e.places, e.height = sync.OnceValue(e.sample), sync.OnceValue(topology.Height)
	e.tables.New = func() any { return cch.NewTable(topology) }
	e.trees.New = func() any { return search.NewTree(g) }
	e.timeDependent.New = func() any { return search.NewTimeDependent(g) }
	e.ranges.New = func() any { return cch.NewRangeQuery(topology) }
	plane := contour.NewPlane(r.Manifest.Bounds.Centre().Lat)
	e.outliners.New = func() any { return &outliner{drawer: contour.NewDrawer(plane)} }
	return e, nil
}

// Sections names the sections of a region that the kernel is made of, whether
// every region has them or not.
func Sections() []string {
	return []string{
		graph.SectionName, graph.GradesSection, graph.ContinuationSection, graph.JunctionSection, snap.SectionName, island.Section,
		cch.TopologySection, cch.MetricsSection, cch.BoundsSection,
	}
}

// Verify reads all of Sections and names the first thing that cannot be: what
// checksums do not tell, a file written wrongly.
func (e *Engine) Verify() error {
	if err := e.g.Verify(); err != nil { // with grades and how roads go on
		return err
	}
	if err := e.tree.Verify(e.g); err != nil {
		return err
	}
	if err := island.Verify(e.mainlands, e.g); err != nil {
		return err
	}
	if err := e.topology.Verify(e.g); err != nil {
		return err
	}
	if err := e.topology.VerifyMetrics(cch.MetricsSection, e.metrics.region.usual); err != nil {
		return err
	}
	if err := e.topology.VerifyMeasures(e.metrics.region.measures); err != nil {
		return err
	}
	return e.topology.VerifyMetrics(cch.BoundsSection, e.metrics.region.bounds)
}

// SetAlarm has panicked hear of panics of what is worked out in the background,
// for no caller. Those of a call are the call's.
func (e *Engine) SetAlarm(panicked func(*parallel.Panic)) { e.metrics.panicked = panicked }

// EdgesOf lists the directed edges of an OSM way, for live feeds that know the
// roads by it. The first call sorts the roads by way, which takes 4 bytes for
// each segment from then on.
func (e *Engine) EdgesOf(way int64) []graph.Edge {
	var list []graph.Edge
	segments := e.byWay()
	i, _ := slices.BinarySearchFunc(segments, way, func(s graph.Segment, way int64) int { return cmp.Compare(e.g.WayID[s], way) })
	for ; i < len(segments) && e.g.WayID[segments[i]] == way; i++ {
		forward := e.g.Forward[segments[i]]
		list = append(list, forward, e.g.ByEdge[forward].Opposite)
	}
	return list
}

// sortByWay lists all segments by their ways, those of one way as they lie in
// the graph.
func sortByWay(g *graph.Graph) []graph.Segment {
	list := make([]graph.Segment, g.Segments())
	for s := range list {
		list[s] = graph.Segment(s)
	}
	slices.SortFunc(list, func(a, b graph.Segment) int { return cmp.Or(cmp.Compare(g.WayID[a], g.WayID[b]), cmp.Compare(a, b)) })
	return list
}

// Can is everything but what only a remote engine would do: it takes no member
// that it does not know, and matches a trace to closed roads too.
func (e *Engine) Can() engine.Can {
	return engine.Can{
		Name: "embedded", Calls: engine.Calls(),
		TunnelCodes: true, Exclusions: true, AlternatesVia: true, ShapeFormats: true, TaggedSurface: true,
		SpeedSources: []string{"default"}, Languages: narrate.Languages(),
	}
}

// Status always succeeds: the kernel is here.
func (e *Engine) Status(context.Context) (engine.Status, error) {
	return engine.Status{Version: e.version, GraphDate: e.date}, nil
}

// Route finds a route through all locations. See engine.Engine.
func (e *Engine) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	p := &planner{e: e, s: s, r: r, ctx: ctx, arrives: true, detoured: new(atomic.Int64)}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	routes, err := p.plan(ctx)
	if err != nil {
		return nil, err
	}
	p.warnClosed(p.weights.hierarchy != nil, r.Locations, "parts of the route are")
	return &engine.RouteAnswer{Routes: routesOf(e.g, r.Want, &r.Output, routes), Warnings: append(e.warnings(r.Costing, &r.Options, &r.Output), p.warnings...)}, nil
}

// prepare finds out who travels, when, and what bends the roads.
func (p *planner) prepare() error {
	p.s.steps = p.s.steps[:0]
	p.who = traveller{options: p.r.Options.Of(p.r.Costing)}
	p.setTime(time.Now())
	p.weights = p.e.metrics.get(p.who, false)
	p.costing = p.weights.Costing
	if p.clock != nil {
		p.clock.Wait = p.costing.Wait()
	}
	return p.applyConditions()
}
