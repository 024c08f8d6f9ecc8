package world

import (
	"cmp"
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

// condition is the state of the files of a region in service.
type condition struct {
	out     atomic.Bool     // the region is out of service
	instead string          // a sentence for operators where an older region answers in place of a damaged one; else ""
	why     string          // why it is out of service, after "is out of service: "; "" for damage
	mu      sync.Mutex      // guards losing, beside and newer
	newer   string          // a sentence for operators where a newer region was turned down; else ""
	losing  []loss          // damaged parts that requests still use
	beside  []string        // sections whose files in the folder were replaced by damaged ones or removed
	alarm   chan<- struct{} // wakes Set.Watch, to look for another region
	doubt   chan<- struct{} // wakes Set.Check
	log     *slog.Logger
}

// Trouble returns a text for operators that says what is wrong with the region's files, ""
// where nothing is.
func (r *Region) Trouble() string {
	switch {
	case r.condition == nil:
		return ""
	case r.out():
		return "region " + r.ID + " is out of service: " + cmp.Or(r.condition.why, "its files are damaged")
	}
	losing, beside := r.condition.found()
	var texts []string
	if r.condition.instead != "" {
		texts = append(texts, r.condition.instead)
	}
	if text := without(r.ID, slices.Concat(r.lost, losing)); text != "" {
		texts = append(texts, text)
	}
	if len(beside) > 0 {
		texts = append(texts, "region "+r.ID+" answers from files that are no longer in its folder, where those of "+strings.Join(beside, ", ")+" are missing or damaged: import it again before the next start")
	}
	return strings.Join(texts, "; ")
}

// Notice returns a text for operators that says why a newer region is not in service; ""
// where there is none.
func (r *Region) Notice() string {
	if r.condition == nil || r.out() {
		return ""
	}
	r.condition.mu.Lock()
	defer r.condition.mu.Unlock()
	return r.condition.newer
}

// found returns the damage that was found since the region was opened.
func (c *condition) found() (losing []loss, beside []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.losing, c.beside
}

// out reports whether the region is out of service.
func (r *Region) out() bool { return r.condition != nil && r.condition.out.Load() }

// retryAfter is the Retry-After of a region out of service, in seconds.
const retryAfter = 30

// ErrOutOfService is wrapped in the errors of requests for a region out of service. The
// damage itself is logged once, where it is found.
var ErrOutOfService = errors.New("the region is out of service")

func (r *Region) unavailable() error {
	why := "its files are damaged"
	if r.condition.why != "" {
		why = "it was turned down"
	}
	return fault.Wrap(ErrOutOfService, fault.UpstreamUnavailable, "region %s is out of service: %s, and its operator has been notified; other regions are served", r.ID, why).With("retry_after", retryAfter)
}

// fail takes what is damaged out of service: the whole region, or a part that routes can do
// without. Only the first call for some damage raises the alarm.
func (r *Region) fail(why error) {
	c := r.condition
	if c == nil {
		return
	}
	// There is no further region to replace one that replaces another, so it is taken out
	// of service as a whole.
	if list, ok := lossesOf(why); ok && c.instead == "" {
		if c.lose(list) {
			c.log.Error("a file of a region is damaged; the region goes on without what it holds", "region", r.ID, "dir", r.files.Dir, "damage", why)
			wake(c.alarm)
		}
		return
	}
	if !c.out.CompareAndSwap(false, true) {
		return
	}
	c.log.Error("a region is damaged and out of service", "region", r.ID, "dir", r.files.Dir, "damage", why)
	wake(c.alarm)
}

// lose notes damaged parts and reports whether any of them is new.
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

// panicked handles a panic of code that reads the region: a fault of mapped memory takes
// the region out of service, any other panic has its files checked.
func (r *Region) panicked(p *parallel.Panic) {
	if r.condition == nil || r.files == nil {
		return
	}
	if at, ok := p.Fault(); ok {
		if section, ok := r.files.SectionAt(at); ok {
			r.fail(&region.Damage{Section: section, Err: fmt.Errorf("section %s cannot be read: its file was changed in place or its disk fails", section)})
			return
		}
	}
	wake(r.condition.doubt)
}

// HandlePanic handles the panic of a request that uses the World; value is the recovered
// value.
func (w *World) HandlePanic(value any) {
	for _, r := range w.regions {
		r.panicked(parallel.Of(value))
	}
}

func wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is woken already
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
		// Panics for other reasons than damage must not have the files read all the time.
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
			select { // both may be ready: a frequent ticker must not starve a doubt
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

// check compares the files of all regions in service with their checksums.
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

// standIn opens the region that was sealed before the one in a folder, to answer in its
// place, without parts that routes can do without where they are damaged.
func (s *Set) standIn(ctx context.Context, f *folder, why error) (*Region, error) {
	err := region.VerifyPrevious(ctx, f.dir)
	lost, ok := lossesOf(err)
	if err != nil && !ok {
		return nil, err
	}
	files, err := region.OpenPrevious(f.dir, sectionsOf(lost)...)
	if err != nil {
		return nil, err
	}
	if err := s.options.turnedDown(f.dir, files); err != nil {
		return nil, errors.Join(err, files.Close())
	}
	r, err := s.enter(files, lost...)
	if err != nil {
		return nil, err
	}
	if refused := refusalOf(why); refused != nil {
		r.noteNewer(refused)
		s.options.Log.Warn("a region was turned down; the one built before it answers in its place", "region", r.ID, "dir", f.dir, "built", files.Manifest.Built, "reason", refused.Reason)
		return r, nil
	}
	r.condition.instead = "region " + r.ID + " is damaged, and the one built before it on " + files.Manifest.Built.Format(time.DateOnly) + " answers in its place"
	s.options.Log.Error("a region is damaged; the one built before it answers in its place", "region", r.ID, "dir", f.dir, "built", files.Manifest.Built, "damage", why)
	return r, nil
}

// absent makes a region whose files cannot be opened: it is listed, and out of service. The
// error is why where its manifest cannot be read either.
func (s *Set) absent(f *folder, why error) (*Region, error) {
	m, err := region.ReadManifest(f.dir)
	if err != nil {
		return nil, why
	}
	r := describe(m)
	s.watched(r)
	if refused := refusalOf(why); refused != nil {
		r.condition.why = refused.Error()
	}
	r.condition.out.Store(true)
	return r, nil
}

// mend looks for a better region in a folder whose region in service is damaged, incomplete
// or a stand-in. It tries the region sealed there first, since its files may have been
// restored, without parts that routes can do without where they are damaged; then the one
// before it.
func (s *Set) mend(ctx context.Context, i int) {
	f := s.folders[i]
	f.tried = f.files()
	r, err := s.verifiedWithout(ctx, f)
	if whole := f.region.condition.instead == "" && !f.region.out(); err == nil && whole && len(r.lost) > 0 && len(r.lost) >= len(f.region.lost) {
		err = errors.Join(lostErrors(r.lost), discard([]*Region{r}))
	}
	if err != nil && f.region.out() {
		if before, e := s.standIn(ctx, f, err); e == nil {
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

// withhold puts a region into service again without its damaged parts.
func (s *Set) withhold(ctx context.Context, i int, losing []loss) {
	f := s.folders[i]
	f.tried = "" // the files may be restored by now, so the next look at the folder reads all of them
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
	// A damaged region must not answer for long.
	s.options.Log.Error("a region cannot go on without what is damaged in it", "dir", f.dir, "error", err)
	f.region.condition.out.Store(true)
	s.mend(ctx, i)
}

// look compares those files of a region in service with their checksums that have changed
// since the last look.
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
	// The open files are unchanged, but the next start reads what has replaced them in the
	// folder, if the folder still has this region.
	var beside []string
	m, err := region.ReadManifest(f.dir)
	for _, name := range replaced {
		info, _ := r.files.Manifest.Section(name)
		if err == nil && !slices.Contains(m.Sections, info) {
			continue
		}
		if bad := region.VerifySection(ctx, f.dir, info); bad != nil && ctx.Err() == nil {
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
