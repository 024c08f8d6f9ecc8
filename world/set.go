package world

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/counted"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/region"
)

// Options say what is served and how. Dirs or Remote is required.
type Options struct {
	Dirs         []string             // folders of regions, the one to be told of first first
	Remote       engine.Engine        // answers in place of the embedded engine; nil is the embedded one
	Maps         []tiles.Territory    // beside those of the regions, or in place of those of their ids
	Fonts        []string             // folders of fonts beside the built-in ones
	MetricMemory int64                // bytes that the embedded engines may keep, the same for each, or EnoughMemory; see embedded.Engine
	Zones        []zone.Placed        // of datasets, which hold in all regions
	Observe      counted.Observer     // hears of the engines' calls; nil for nobody
	Scheduler    *scheduled.Scheduler // admits the engines' calls; nil admits all at once
	Swapped      func(ok bool)        // hears of a region that was replaced or turned down; nil for nobody
	Log          *slog.Logger         // nil is slog.Default
}

// EnoughMemory lets each embedded engine keep as much as two hierarchies of its region
// take, and leastMemory all of them where that is less.
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
	alarm   chan struct{} // a region has been found damaged
	doubt   chan struct{} // a region may be

	mu    sync.Mutex
	inUse map[*Region]int // Worlds in use that each open region is in
}

// Open opens all regions without reading all of them, so that a server starts
// in milliseconds, and takes them into service. One that cannot be opened is
// replaced by the one before it, or out of service where there is none; it
// fails where that leaves no region.
func Open(o Options) (*Set, error) {
	if len(o.Dirs) == 0 && o.Remote == nil {
		return nil, errors.New("neither a region nor a remote engine to serve")
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	fonts, err := glyph.New(o.Fonts...)
	if err != nil {
		return nil, err
	}
	s := &Set{options: o, fonts: fonts, inUse: map[*Region]int{}, alarm: make(chan struct{}, 1), doubt: make(chan struct{}, 1)}
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
	return s, nil
}

// Acquire gives the World in service and the function that lets go of it; nil
// after Close.
func (s *Set) Acquire() (*World, func()) { return s.live.Acquire() }

// Close lets go of the World. Its regions are closed when the last request is
// answered.
func (s *Set) Close() { s.live.Close() }

// attend has somebody hear of the calls of a region's engine, and admit them:
// what a call waited is not the engine's time.
func (o *Options) attend(r *Region) {
	if o.Observe != nil {
		r.Engine = counted.New(r.Engine, o.Observe)
	}
	if o.Scheduler != nil {
		r.Engine = o.Scheduler.Wrap(r.Engine)
	}
}

// begin opens the region in a folder, or what stands in for it. The failure is
// why it is out of service, the error why there is nothing to be told of.
func (s *Set) begin(f *folder) (r *Region, failure, err error) {
	f.tried = f.files()
	if r, failure = s.open(f); failure == nil {
		return r, nil, nil
	}
	if r, err = s.stand(f, failure); err == nil {
		return r, nil, nil
	}
	r, err = s.absent(f, failure)
	return r, failure, err
}

// open opens the region in a folder, without what routes are found without where its
// files cannot be opened.
func (s *Set) open(f *folder) (*Region, error) {
	var err error
	if f.sealed, err = f.stamp(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.dir, region.ErrNotSealed)
	}
	return s.openWithout(f, nil)
}

// openWithout is open of a region of which something is lost already.
func (s *Set) openWithout(f *folder, lost []loss) (*Region, error) {
	for {
		files, err := region.Open(f.dir, sectionsOf(lost)...)
		if err == nil {
			return s.enter(files, lost...)
		}
		more, ok := lossesOf(err)
		if !ok {
			return nil, err
		}
		lost = slices.Concat(lost, more)
	}
}

// enter opens what a region in service is made of.
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

// take puts a World of regions, one for each folder, into service.
func (s *Set) take(list []*Region) error {
	regions := list
	if len(list) == 0 {
		alone := &Region{Engine: s.options.Remote, Landmarks: &landmarks.Service{}, Zones: zone.NewIndex(s.options.Zones), Since: time.Now().UTC().Truncate(time.Second)}
		s.options.attend(alone)
		regions = []*Region{alone}
	}
	w, err := withMaps(s.fonts, s.options.Maps, regions)
	if err != nil {
		return err
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

// release closes those regions of a World that nobody uses any more that are in
// no other.
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
