package plan

import (
	"context"
	"time"

	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/centroid"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/island"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// Base has the parts that all requests share: the region, the metrics of it, and scratch.
type Base struct {
	*kernel.Data
	Metrics       *metric.Store
	Now           func() time.Time
	closures      closures
	Bounds        Bounds
	Scratch       kernel.Pool // of *scratch
	Trees         kernel.Pool // of *search.Tree
	TimeDependent kernel.Pool // of *search.TimeDependent
}

// NewBase makes what requests on a region share.
func NewBase(d *kernel.Data) *Base {
	b := &Base{Data: d, Bounds: usualBounds, Now: time.Now}
	b.Metrics = metric.NewStore(d, func() context.Context { return b.Scratch.Background(context.Background()) })
	b.Scratch.Idle = make(chan struct{}, 1)
	b.Scratch.New = func() any { return &Scratch{Snap: snap.NewQuery(d.Graph, d.Tree)} }
	b.Trees.New = func() any { return search.NewTree(d.Graph) }
	b.TimeDependent.New = func() any { return search.NewTimeDependent(d.Graph) }
	return b
}

// Scratch is the memory of one request's searches. They are made when one is
// first needed.
type Scratch struct {
	router   *cch.Router
	search   *search.Query
	astar    *search.AStar
	aim      *cch.Potential
	begun    *cch.Potential
	Snap     *snap.Query
	Match    *match.Query
	Centroid *centroid.Query
	Island   island.Search
	locating locating
	steps    graph.Path      // of the paths of a request, one after another
	delays   []profile.Delay // see pathTimer.turns
	// prefetched keeps what graph.Prefetch reads from being left out as useless.
	prefetched uint32
}

// path gives room for a path of so many steps, until the next request.
func (s *Scratch) path(steps int) graph.Path {
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
