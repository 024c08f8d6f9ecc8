package world

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/audited"
	"github.com/waygate/waygate/engine/chosen"
	"github.com/waygate/waygate/engine/counted"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/region"
)

// Options configure a Set. Dirs or Remote is required.
type Options struct {
	Dirs         []string             // folders of regions, in the order in which they are listed
	Remote       engine.Engine        // an engine in place of the embedded ones; nil without
	Remotes      []engine.Engine      // those that Rules name, besides the embedded ones
	Rules        []chosen.Rule        // which engine answers; nil leaves it to Remote, else the embedded ones
	Second       engine.Engine        // a remote engine for second opinions; nil without
	Maps         []tiles.Territory    // maps besides those of the regions; one with a region's id replaces its map
	Fonts        []string             // folders of fonts besides the built-in ones
	MetricMemory int64                // bytes that each embedded engine may keep, or EnoughMemory; see embedded.Engine
	Zones        []zone.Placed        // zones of datasets, added to those of all regions
	Observe      counted.Observer     // called for each call of an engine; may be nil
	Scheduler    *scheduled.Scheduler // admits the engines' calls; nil admits all
	Canary       Canary               // what a new region must answer about as the one in service
	Swapped      func(ok bool)        // called when a new region was taken into service or refused; may be nil
	Log          *slog.Logger         // nil is slog.Default
}

// EnoughMemory lets each embedded engine keep as much as two hierarchies of its region
// take, but leastMemory in total at least.
const (
	EnoughMemory = -1
	leastMemory  = 256 << 20
)

// Set keeps the World in service: it opens the regions, and takes newly sealed
// ones into service in their place.
type Set struct {
	options Options
	fonts   *glyph.Fonts
	folders []*folder
	live    region.Live[*World]
	alarm   chan struct{} // a region was found damaged
	doubt   chan struct{} // a region may be damaged
	judge   chan struct{} // a region on probation has had enough calls to judge it

	mu    sync.Mutex
	inUse map[*Region]int // number of Worlds in use by open region
}

// OpenFolder opens the region of one folder for work without a server. Warnings go to log;
// release gives the region back.
func OpenFolder(dir string, log io.Writer) (here *Region, release func(), err error) {
	served, err := Open(Options{Dirs: []string{dir}, MetricMemory: EnoughMemory, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		return nil, nil, err
	}
	current, done := served.Acquire()
	return current.Regions()[0], func() {
		done()
		served.Close()
	}, nil
}

// Open opens all regions, without reading all of their files, so that a server starts in
// milliseconds, and takes them into service. A region that cannot be opened is replaced by
// the one sealed before it, or is out of service where there is none. Open returns an error
// where that leaves no region.
func Open(o Options) (*Set, error) {
	if len(o.Dirs) == 0 && o.Remote == nil && len(o.Remotes) == 0 {
		return nil, errors.New("neither a region nor a remote engine to serve")
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	fonts, err := glyph.New(o.Fonts...)
	if err != nil {
		return nil, err
	}
	s := &Set{options: o, fonts: fonts, inUse: map[*Region]int{}, alarm: make(chan struct{}, 1), doubt: make(chan struct{}, 1), judge: make(chan struct{}, 1)}
	list := make([]*Region, len(o.Dirs))
	var failures []error
	for i, dir := range o.Dirs {
		f := &folder{dir: dir}
		s.folders = append(s.folders, f)
		var failure error
		if list[i], failure, err = s.begin(f); err != nil {
			return nil, errors.Join(err, discard(list[:i]))
		}
		if failure != nil {
			failures = append(failures, failure)
		}
	}
	if len(failures) > 0 && len(failures) == len(list) {
		return nil, errors.Join(failures...)
	}
	for _, failure := range failures {
		o.Log.Error("a region cannot be opened and is out of service", "error", failure)
	}
	if err := s.take(list); err != nil {
		return nil, errors.Join(err, discard(list))
	}
	for _, f := range s.folders {
		o.keepServing(f)
	}
	return s, nil
}

// Acquire returns the World in service and a function that releases it; nil after Close.
func (s *Set) Acquire() (*World, func()) { return s.live.Acquire() }

// Close releases the World. Its regions are closed when the last request that uses them has
// ended.
func (s *Set) Close() {
	for _, f := range s.folders {
		s.retain(f, nil)
	}
	s.live.Close()
}

// attended wraps an engine: its calls are admitted by the scheduler and observed. The time
// that a call waits is not observed.
func (o *Options) attended(e engine.Engine) engine.Engine {
	if o.Observe != nil {
		e = counted.New(e, o.Observe)
	}
	if o.Scheduler != nil {
		e = o.Scheduler.Wrap(e)
	}
	return e
}

// engineOf returns the engine that answers in a region, whose id is "" outside of all and
// whose embedded engine may be nil. Routes of remote engines are judged by roads, unless
// these are nil.
func (o *Options) engineOf(id string, kernel, roads *embedded.Engine) engine.Engine {
	judged := func(e engine.Engine) engine.Engine {
		if can := e.Can(); roads == nil || can.TunnelCodes && can.Vehicles {
			return o.attended(e)
		}
		return o.attended(audited.New(e, roads))
	}
	switch {
	case o.Rules != nil:
		all := map[string]engine.Engine{}
		for _, e := range o.Remotes {
			all[e.Can().Name] = judged(e)
		}
		if kernel != nil {
			all[kernel.Can().Name] = o.attended(kernel)
		}
		return chosen.New(id, o.Rules, all)
	case kernel == nil:
		return judged(o.Remote)
	}
	return o.attended(kernel)
}

// nowhere makes the Region of remote engines for places outside all regions.
func (o *Options) nowhere(since time.Time) *Region {
	r := &Region{Engine: o.engineOf("", nil, nil), Landmarks: &landmarks.Service{}, Zones: zone.NewIndex(o.Zones), Since: since}
	r.Rules, _ = r.Engine.(*chosen.Engine)
	return r
}

// begin opens the region in a folder or a stand-in for it. failure says why a region is out
// of service; err is an error where there is nothing to list at all.
func (s *Set) begin(f *folder) (r *Region, failure, err error) {
	f.tried = f.files()
	if r = unproven(s, f); r != nil {
		return r, nil, nil
	}
	if r, failure = s.open(f); failure == nil {
		return r, nil, nil
	}
	if r, err = s.standIn(context.Background(), f, failure); err == nil {
		return r, nil, nil
	}
	r, err = s.absent(f, failure)
	return r, failure, err
}

// open opens the region in a folder. Parts that routes can do without may be lost.
func (s *Set) open(f *folder) (*Region, error) {
	var err error
	if f.sealed, err = f.stamp(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.dir, region.ErrNotSealed)
	}
	return s.openWithout(f, nil)
}

// openWithout opens a region that has lost some parts already.
func (s *Set) openWithout(f *folder, lost []loss) (*Region, error) {
	for {
		files, err := region.Open(f.dir, sectionsOf(lost)...)
		if err == nil {
			if err := s.options.turnedDown(f.dir, files); err != nil {
				return nil, errors.Join(err, files.Close())
			}
			return s.enter(files, lost...)
		}
		more, ok := lossesOf(err)
		if !ok {
			return nil, err
		}
		lost = slices.Concat(lost, more)
	}
}

// enter makes a Region of open files.
func (s *Set) enter(files *region.Region, lost ...loss) (*Region, error) {
	began := time.Now()
	r, err := open(files, &s.options)
	if err != nil {
		return nil, errors.Join(err, files.Close())
	}
	r.lost = slices.Concat(lost, r.lost)
	s.watched(r)
	for _, l := range r.lost {
		s.options.Log.Error("a region is opened without something it was built with", "region", r.ID, "dir", files.Dir, "without", l.name, "damage", l.err)
	}
	if r.embedded != nil {
		r.embedded.SetAlarm(func(p *parallel.Panic) {
			s.options.Log.Error("panic in the background", "region", r.ID, "value", p.Value, "stack", string(p.Stack))
			r.panicked(p)
		})
	}
	r.Since = time.Now().UTC().Truncate(time.Second)
	s.options.Log.Info("opened", "region", r.ID, "engine", r.Engine.Can().Name, "took", time.Since(began))
	return r, nil
}

// watched gives a region its condition.
func (s *Set) watched(r *Region) {
	r.condition = &condition{alarm: s.alarm, doubt: s.doubt, log: s.options.Log}
}

// take takes a World of regions, one for each folder, into service.
func (s *Set) take(list []*Region) error {
	regions := list
	if len(list) == 0 {
		regions = []*Region{s.options.nowhere(time.Now().UTC().Truncate(time.Second))}
	}
	w, err := withMaps(s.fonts, s.options.Maps, regions)
	if err != nil {
		return err
	}
	if w.beyond == nil && len(list) > 0 && len(s.options.Remotes) > 0 {
		w.beyond = s.options.nowhere(list[0].Since)
	}
	s.mu.Lock()
	for i, f := range s.folders {
		f.region = list[i]
		s.inUse[list[i]]++
	}
	s.mu.Unlock()
	s.live.Swap(w, func() { s.release(list) })
	ids := make([]string, len(regions))
	for i, r := range regions {
		ids[i] = r.ID
	}
	s.options.Log.Info("in service", "engine", w.Engine().Can().Name, "regions", ids)
	return nil
}

// release closes those regions of a World that is no longer in use that belong to no other
// World.
func (s *Set) release(list []*Region) {
	var gone []*Region
	s.mu.Lock()
	for _, r := range list {
		if s.inUse[r]--; s.inUse[r] == 0 {
			delete(s.inUse, r)
			gone = append(gone, r)
		}
	}
	s.mu.Unlock()
	if err := discard(gone); err != nil {
		s.options.Log.Error("close a region", "error", err)
	}
}

// discard closes regions.
func discard(list []*Region) error {
	var all error
	for _, r := range list {
		if r.files != nil {
			all = errors.Join(all, r.files.Close())
		}
	}
	return all
}
