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
	"github.com/waygate/waygate/engine/embedded/live"
	"github.com/waygate/waygate/feature/along/incidents"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/roads"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/overlay"
)

// Roads applies the traffic and incidents of feeds to the roads of the regions in service.
// The zero value has no feeds.
type Roads struct {
	Log *slog.Logger
	Now func() time.Time // nil is time.Now
	// History is the directory of recorded live speeds, with one directory for each region;
	// "" records nothing.
	History string

	mu      sync.Mutex
	feeds   []roadFeed // guarded by mu; a list is replaced, never changed
	wake    chan struct{}
	profile atomic.Pointer[Profile]
	changed []func(*Region) // called after the state of a region's roads has changed
}

// roadFeed is a feed of one of the two kinds.
type roadFeed struct {
	*feed.Feed[*traffic.Document]
	incidents bool
}

// The kinds of feeds about roads.
const (
	trafficKind   = "traffic"
	incidentsKind = "incidents"
)

// staleIncidents is the age from which incidents are stale.
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

// Remove removes the feed with an id, which no longer runs, and its state stored for a
// restart.
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

// OnChange registers f to be called, on the goroutine of Run, each time the state of a
// region's roads has changed. It must be called before Run.
func (r *Roads) OnChange(f func(*Region)) { r.changed = append(r.changed, f) }

// Wake makes Run apply the feeds soon.
func (r *Roads) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// lookEvery is how often Run checks whether something has become stale, begun or ended.
const lookEvery = 2 * time.Second

// Run applies the feeds to the roads of the regions in service until ctx ends.
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
			r.Log.Error("reports of feeds about the roads could not be put on them", "region", region.ID, "error", err)
		}
	}
}

func (r *Roads) now() time.Time {
	if r.Now != nil {
		return r.Now()
	}
	return time.Now()
}

// regionRoads is the state of one region's roads.
type regionRoads struct {
	mu     sync.Mutex // held while the state is made
	joined map[string]*joinedFeed
	seen   string // identifies what the state was made from
	state  atomic.Pointer[RoadState]
	record *recorder
	// profile caches the usual speeds by edge of the profile that was applied last.
	profile struct {
		of    *Profile
		edges *overlay.Profile
	}
}

// joinedFeed is the document of a feed, matched to a region's roads.
type joinedFeed struct {
	document *traffic.Document
	roads    *live.MatchedReport
	records  []int // the record of the document by stretch
	measured int64 // see lastMeasured
}

// RoadState is the state of a region's roads at one time. It is immutable.
type RoadState struct {
	At      time.Time
	Live    *overlay.Snapshot
	Reports *incidents.Reports // nil where no feed of incidents is set up
	Sources []RoadSource
	Traffic bool // a feed of traffic is set up
}

// RoadSource describes a feed and how much of it lies on a region's roads.
type RoadSource struct {
	Source   *feed.Source
	Kind     string
	At       *time.Time // time of the document in force; for traffic whose records all have a time, that of the newest; nil without a document
	Age      time.Duration
	Stale    bool
	Records  int
	OnRoads  int // its places on the region's roads
	Missed   int // its places elsewhere
	Rejected int
}

// Roads returns the state of the region's roads, nil before the first.
func (r *Region) Roads() *RoadState {
	if r.roads == nil {
		return nil
	}
	return r.roads.state.Load()
}

// Kernel returns the embedded engine, nil with a remote one.
func (r *Region) Kernel() *embedded.Engine { return r.embedded }

// mostClosed is the share of a region's edges above which a feed that closes them is taken
// to be wrong; feeds that close at most leastClosed edges never are.
const (
	mostClosed  = 0.2
	leastClosed = 1000
)

// boxes returns an index of the bounds of incidents.
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

// byStart orders closures, so that a snapshot does not depend on the order of its sources.
func byStart(a, b overlay.Change) int {
	return cmp.Or(cmp.Compare(a.Edge, b.Edge), a.From.Compare(b.From), a.Until.Compare(b.Until))
}

func sorted(list []overlay.Change) []overlay.Change {
	slices.SortFunc(list, byStart)
	return slices.CompactFunc(list, func(a, b overlay.Change) bool { return byStart(a, b) == 0 })
}
