package world

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/region"
)

// condition is what is known to be wrong with the files of a region in service.
type condition struct {
	out     atomic.Bool     // nothing may be answered from the region
	instead string          // says that it answers in place of the one sealed after it; "" where it does not
	mu      sync.Mutex      // of losing and beside
	losing  []loss          // found damaged, and not yet withheld
	beside  []string        // sections in place of whose files others stand, which are damaged, or none
	alarm   chan<- struct{} // has the keeper look for another
	doubt   chan<- struct{} // has the files checked
	log     *slog.Logger
}

// Trouble says what is wrong with the region's files, "" where nothing is known
// to be.
func (r *Region) Trouble() string {
	switch {
	case r.condition == nil:
		return ""
	case r.out():
		return "region " + r.ID + " is out of service: its files are damaged"
	}
	losing, beside := r.condition.known()
	var said []string
	if r.condition.instead != "" {
		said = append(said, r.condition.instead)
	}
	if text := without(r.ID, slices.Concat(r.lost, losing)); text != "" {
		said = append(said, text)
	}
	if len(beside) > 0 {
		said = append(said, "region "+r.ID+" answers from files that are no longer in its folder, where those of "+strings.Join(beside, ", ")+" are missing or damaged: import it again before the next start")
	}
	return strings.Join(said, "; ")
}

// known is what was found since the region was opened.
func (c *condition) known() (losing []loss, beside []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.losing, c.beside
}

// out reports whether nothing may be answered from the region.
func (r *Region) out() bool { return r.condition != nil && r.condition.out.Load() }

// retryAfter is in seconds, what a caller of a region out of service is told.
const retryAfter = 30

// ErrOutOfService is in the failures of requests for a damaged region, of which
// the log has told already.
var ErrOutOfService = errors.New("the region is out of service")

func (r *Region) unavailable() error {
	return fault.Wrap(ErrOutOfService, fault.UpstreamUnavailable, "region %s is out of service: its files are damaged, and its operator has been told; other regions are served", r.ID).With("retry_after", retryAfter)
}

// fail takes what is damaged out of service: the region, or where routes do without it
// what the file held. Only the first to find something raises the alarm.
func (r *Region) fail(why error) {
	c := r.condition
	if c == nil {
		return
	}
	// What stands in for another region has nothing else to stand in for it: it is
	// whole, or none.
	if list, ok := lossesOf(why); ok && c.instead == "" {
		if c.lose(list) {
			c.log.Error("a file of a region is damaged; the region goes on without what it holds", "region", r.ID, "dir", r.files.Dir, "damage", why)
			poke(c.alarm)
		}
		return
	}
	if !c.out.CompareAndSwap(false, true) {
		return
	}
	c.log.Error("a region is damaged and out of service", "region", r.ID, "dir", r.files.Dir, "damage", why)
	poke(c.alarm)
}

// lose notes what is to be withheld, and reports whether it was not noted yet.
func (c *condition) lose(list []loss) (news bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range list {
		if !slices.ContainsFunc(c.losing, func(m loss) bool { return m.name == l.name }) {
			c.losing, news = append(slices.Clip(c.losing), l), true
		}
	}
	return news
}

// panicked judges a panic of what reads the region: mapped memory that cannot be
// read takes it out of service, anything else has the files checked.
func (r *Region) panicked(p *parallel.Panic) {
	if r.condition == nil || r.files == nil {
		return
	}
	if at, ok := p.Fault(); ok {
		if section, ok := r.files.Holds(at); ok {
			r.fail(&region.Damage{Section: section, Err: fmt.Errorf("section %s cannot be read: its file was changed in place or its disk fails", section)})
			return
		}
	}
	poke(r.condition.doubt)
}

// Panicked hears of the panic of a request that holds the World, with what was
// recovered.
func (w *World) Panicked(value any) {
	for _, r := range w.regions {
		r.panicked(parallel.Of(value))
	}
}

func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is poked already
	}
}

// Check compares the files of the regions in service with their checksums: at
// once, then as often as every says, 0 for never again, and whenever a request
// has failed in a way that damage could explain. It ends with ctx.
func (s *Set) Check(ctx context.Context, every time.Duration) {
	var tick <-chan time.Time
	if every > 0 {
		t := time.NewTicker(every)
		defer t.Stop()
		tick = t.C
	}
	for doubted := false; ; {
		began := time.Now()
		s.check(ctx, doubted)
		// Failures that are no damage must not have the files read all the time.
		rest := time.NewTimer(max(time.Second, 4*time.Since(began)))
		select {
		case <-ctx.Done():
			return
		case <-rest.C:
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
			select { // both may have come, and where ticks are frequent one always has
			case <-s.doubt:
				doubted = true
			default:
				doubted = false
			}
		case <-s.doubt:
			doubted = true
		}
	}
}

// check reads all regions in service once.
func (s *Set) check(ctx context.Context, doubted bool) {
	w, release := s.Acquire()
	defer release()
	if w == nil {
		return
	}
	for _, r := range w.regions {
		if r.files == nil || r.out() {
			continue
		}
		switch err := r.files.Check(ctx); {
		case ctx.Err() != nil:
			return
		case err != nil:
			r.fail(err)
		case doubted:
			s.options.Log.Warn("a request panicked and the region's files are as they were built: the gateway has a defect", "region", r.ID)
		}
	}
}

// stand opens the region that was sealed before the one in a folder, to answer
// in its place.
func (s *Set) stand(f *folder, why error) (*Region, error) {
	files, err := region.OpenPrevious(f.dir)
	if err != nil {
		return nil, err
	}
	r, err := s.enter(files)
	if err != nil {
		return nil, err
	}
	r.condition.instead = "region " + r.ID + " is damaged, and the one built before it on " + files.Manifest.Built.Format(time.DateOnly) + " answers in its place"
	s.options.Log.Error("a region is damaged; the one built before it answers in its place", "region", r.ID, "dir", f.dir, "built", files.Manifest.Built, "damage", why)
	return r, nil
}

// absent is a region whose files cannot be opened: it is told of, and out of
// service. It fails with why where the manifest cannot be read either.
func (s *Set) absent(f *folder, why error) (*Region, error) {
	m, err := region.ReadManifest(f.dir)
	if err != nil {
		return nil, why
	}
	r := describe(m)
	s.watched(r)
	r.condition.out.Store(true)
	return r, nil
}

// mend looks for a better region in a folder whose region in service is damaged, lacks
// something or stands in for a damaged one: the one sealed there, as it may have been
// put in order, without what routes are found without where that is damaged; else the
// one before it.
func (s *Set) mend(i int) {
	f := s.folders[i]
	f.tried = f.files()
	r, err := s.sound(f)
	if whole := f.region.condition.instead == "" && !f.region.out(); err == nil && whole && len(r.lost) > 0 && len(r.lost) >= len(f.region.lost) {
		err = errors.Join(lostErrors(r.lost), discard([]*Region{r}))
	}
	if err != nil && f.region.out() {
		if before, e := s.stand(f, err); e == nil {
			r, err = before, nil
		}
	}
	if err == nil {
		err = s.put(i, r)
	}
	if err != nil {
		s.options.Log.Error("no better region is found: import again", "dir", f.dir, "error", err)
	}
}

// withhold has a region go on without what is damaged in it.
func (s *Set) withhold(i int, losing []loss) {
	f := s.folders[i]
	f.tried = "" // it may be in order again by now: the next look at the folder reads all of it
	now, err := f.stamp()
	if err == nil && now != f.sealed {
		err = errors.New("another region has been sealed in its folder")
	}
	var r *Region
	if err == nil {
		r, err = s.openWithout(f, slices.Concat(f.region.lost, losing))
	}
	if err == nil {
		err = s.put(i, r)
	}
	if err == nil {
		return
	}
	// What is damaged must not answer for long.
	s.options.Log.Error("a region cannot go on without what is damaged in it", "dir", f.dir, "error", err)
	f.region.condition.out.Store(true)
	s.mend(i)
}

// look has the files of a region in service compared with their checksums that have
// changed since they were looked at last.
func (s *Set) look(ctx context.Context, f *folder) {
	r := f.region
	if r.files == nil || r.out() {
		return
	}
	tried := f.files()
	changed, replaced := r.files.Changed()
	if len(changed) == 0 {
		return
	}
	s.options.Log.Warn("files of a region in service have changed; they are compared with their checksums", "region", r.ID, "dir", f.dir, "sections", changed)
	if err := r.files.Check(ctx, changed...); err != nil {
		if ctx.Err() == nil {
			r.fail(err)
		}
		return
	}
	// What is open of these is as it was. What stands in their place is what the next
	// start finds, where the folder still holds this region.
	var beside []string
	m, err := region.ReadManifest(f.dir)
	for _, name := range replaced {
		info, _ := r.files.Manifest.Section(name)
		if err == nil && !slices.Contains(m.Sections, info) {
			continue
		}
		if bad := region.VerifySection(f.dir, info); bad != nil {
			s.options.Log.Error("a file of a region in service was replaced by what is damaged, or is gone; the region answers from what it has open", "region", r.ID, "dir", f.dir, "damage", bad)
			beside = append(beside, name)
		}
	}
	if len(beside) > 0 {
		r.condition.mu.Lock()
		r.condition.beside = slices.Compact(slices.Sorted(slices.Values(append(slices.Clip(r.condition.beside), beside...))))
		r.condition.mu.Unlock()
		f.tried = tried
	}
}
