package world

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/along/incidents"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/roads"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/overlay"
)

// Roads puts what feeds tell of traffic and incidents on the roads of the regions in
// service. The zero value has no feeds.
type Roads struct {
	Log *slog.Logger
	Now func() time.Time // nil is time.Now
	// History is a folder to keep what was live in, with one for each region; "" keeps
	// nothing.
	History string

	mu      sync.Mutex
	feeds   []roadFeed // under mu; a list is never changed
	wake    chan struct{}
	profile atomic.Pointer[Profile]
	heard   []func(*Region) // called after what is known of a region's roads has changed
}

// roadFeed is a feed of one of the two kinds.
type roadFeed struct {
	*feed.Feed[*traffic.Document]
	incidents bool
}

// The kinds of feeds that tell of roads.
const (
	trafficKind   = "traffic"
	incidentsKind = "incidents"
)

// staleIncidents is the age from which incidents count as old.
const staleIncidents = 15 * time.Minute

// NewRoads makes Roads without feeds.
func NewRoads(log *slog.Logger) *Roads { return &Roads{Log: log, wake: make(chan struct{}, 1)} }

// Add makes a feed of a source of traffic or of incidents.
func (r *Roads) Add(o feed.Options, s feed.Source) (feed.Member, error) {
	stale := roads.StaleAfter
	if s.Kind == incidentsKind {
		stale = staleIncidents
	}
	kind := roads.Kind(stale)
	kind.Swapped = func(*feed.Snapshot[*traffic.Document]) { r.Wake() }
	f, err := feed.New(o, s, kind)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.feeds = append(slices.Clone(r.feeds), roadFeed{f, s.Kind == incidentsKind})
	return f, nil
}

// Remove lets go of the feed with an id, which no longer runs, and of what it kept for
// a restart.
func (r *Roads) Remove(id string) {
	r.mu.Lock()
	i := slices.IndexFunc(r.feeds, func(f roadFeed) bool { return f.Source().ID == id })
	if i >= 0 {
		r.feeds[i].Forget()
		r.feeds = slices.Delete(slices.Clone(r.feeds), i, i+1)
	}
	r.mu.Unlock()
	r.Wake()
}

func (r *Roads) list() []roadFeed {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.feeds
}

// Hear has f called, on the goroutine of Run, each time what is known of a region's
// roads has changed. It is for the time before Run.
func (r *Roads) Hear(f func(*Region)) { r.heard = append(r.heard, f) }

// Wake has what is known put on the roads soon.
func (r *Roads) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// lookEvery is how often it is looked whether something has become stale, begun or
// ended.
const lookEvery = 2 * time.Second

// Run puts what feeds tell on the roads of the regions in service until ctx ends.
func (r *Roads) Run(ctx context.Context, s *Set) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		r.refresh(ctx, s)
		select {
		case <-ctx.Done():
		case <-r.wake:
		case <-tick.C:
		}
	}
}

func (r *Roads) refresh(ctx context.Context, s *Set) {
	w, done := s.Acquire()
	if w == nil {
		return
	}
	defer done()
	for _, region := range w.Regions() {
		if region.embedded == nil || region.out() {
			continue
		}
		err := parallel.Try(func() error { return r.refreshRegion(ctx, region) })
		if err != nil && ctx.Err() == nil {
			r.Log.Error("what feeds tell of the roads could not be put on them", "region", region.ID, "error", err)
		}
	}
}

func (r *Roads) now() time.Time {
	if r.Now != nil {
		return r.Now()
	}
	return time.Now()
}

// regionRoads is what is known of one region's roads.
type regionRoads struct {
	mu     sync.Mutex // of joining, which is for one goroutine
	joined map[string]*joinedFeed
	seen   string // what the state was made of
	state  atomic.Pointer[RoadState]
	record *recorder
	// profile is the usual speeds by edge, of those that were put on them last.
	profile struct {
		of    *Profile
		edges *overlay.Profile
	}
}

// joinedFeed is what a feed tells, on a region's roads.
type joinedFeed struct {
	document *traffic.Document
	roads    *embedded.Joined
	records  []int // of the document, by stretch
	measured int64 // as of lastMeasured
}

// RoadState is what is known of a region's roads at one moment. It is immutable.
type RoadState struct {
	At      time.Time
	Live    *overlay.Snapshot
	Reports *incidents.Reports // nil where no feed of incidents is set up
	Sources []RoadSource
	Traffic bool // a feed of traffic is set up
}

// RoadSource is a feed and how much of it is on a region's roads.
type RoadSource struct {
	Source   *feed.Source
	Kind     string
	At       *time.Time // of what is in force, of traffic that of its newest measurement where all of it says one; nil where nothing is
	Age      time.Duration
	Stale    bool
	Records  int
	OnRoads  int // places that are on the region's roads
	Missed   int // places that are not
	Rejected int
}

// Roads is what is known of the region's roads; nil where nothing is.
func (r *Region) Roads() *RoadState {
	if r.roads == nil {
		return nil
	}
	return r.roads.state.Load()
}

// Kernel is the embedded engine; nil with a remote one.
func (r *Region) Kernel() *embedded.Engine { return r.embedded }

// mostClosed is the share of a region's roads from which a feed that closes them is
// taken to be wrong, and leastClosed the edges below which it never is.
const (
	mostClosed  = 0.2
	leastClosed = 1000
)

// boxes are those around incidents.
func boxes(list []incidents.Incident) *corridor.Index {
	all := make([]geo.Bounds, len(list))
	for i := range list {
		all[i] = geo.NoBounds()
		for _, line := range list[i].Lines {
			for _, p := range line {
				all[i] = all[i].Extend(p)
			}
		}
	}
	return corridor.NewIndex(all)
}

// byStart orders closures so that a snapshot is the same whatever order its sources
// came in.
func byStart(a, b overlay.Change) int {
	return cmp.Or(cmp.Compare(a.Edge, b.Edge), a.From.Compare(b.From), a.Until.Compare(b.Until))
}

func sorted(list []overlay.Change) []overlay.Change {
	slices.SortFunc(list, byStart)
	return slices.CompactFunc(list, func(a, b overlay.Change) bool { return byStart(a, b) == 0 })
}
