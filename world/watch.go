package world

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/waygate/waygate/region"
)

// folder is a directory of a region, into which new regions are imported over time.
type folder struct {
	dir    string
	sealed stamp   // of the manifest read last
	region *Region // the region in service
	before *Region // the region that it replaced, open as long as it is on probation; else nil
	tried  string  // files() when mend last looked for a region there, "" before
	// waiting says that a region was sealed there before the start, and was not looked at so far.
	waiting bool
}

// stamp identifies a sealed manifest.
type stamp struct {
	modified time.Time
	size     int64
}

func (f *folder) stamp() (stamp, error) {
	info, err := os.Stat(filepath.Join(f.dir, region.ManifestName))
	if err != nil {
		return stamp{}, err
	}
	return stamp{info.ModTime(), info.Size()}, nil
}

// files returns a text that changes when a region's file in the folder changes: their
// names, sizes and times.
func (f *folder) files() string {
	var text strings.Builder
	entries, _ := os.ReadDir(f.dir) // a folder that cannot be read has none
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() {
			fmt.Fprintln(&text, e.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return text.String()
}

// Watch takes a new region into service when its folder's manifest has changed. It looks at
// the times of every (0 for never), and at each signal of hangup, until ctx ends. Where a
// region in service is damaged it looks for another at once, and whenever the files in its
// folder have changed. At each look, changed files of regions in service are compared with
// their checksums.
func (s *Set) Watch(ctx context.Context, hangup <-chan os.Signal, every time.Duration) {
	var tick <-chan time.Time
	if every > 0 && len(s.folders) > 0 {
		t := time.NewTicker(every)
		defer t.Stop()
		tick = t.C
	}
	// The time of a probation ends, and its calls are judged, whether folders are looked at or not.
	ends := time.NewTicker(probationLook)
	defer ends.Stop()
	judge := func() {
		for i := range s.folders {
			s.probation(i)
		}
	}
	for i, f := range s.folders {
		s.options.forgetServing(f)
		if f.waiting {
			s.reload(ctx, i)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangup:
			for i := range s.folders {
				s.reload(ctx, i)
			}
		case <-s.alarm:
			for i, f := range s.folders {
				if losing, _ := f.region.condition.found(); f.region.out() {
					s.mend(ctx, i)
				} else if len(losing) > 0 {
					s.withhold(ctx, i, losing)
				}
			}
		case <-s.judge:
			judge()
		case <-ends.C:
			judge()
		case <-tick:
			for i, f := range s.folders {
				now, err := f.stamp()
				switch {
				case err == nil && now != f.sealed:
					s.reload(ctx, i)
				case f.region.Trouble() != "" && f.files() != f.tried:
					s.mend(ctx, i)
				}
				s.look(ctx, f)
			}
		}
	}
}

// reload takes the region in a folder into service if it can be verified. Otherwise, the
// one in service stays. Other regions are not touched.
func (s *Set) reload(ctx context.Context, i int) {
	f := s.folders[i]
	err := s.replace(ctx, i)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.options.Log.Error("the new region is turned down; the one in service stays", "dir", f.dir, "error", err)
	}
	if s.options.Swapped != nil {
		s.options.Swapped(err == nil)
	}
}

func (s *Set) replace(ctx context.Context, i int) error {
	f := s.folders[i]
	now, err := f.stamp()
	if err != nil {
		return err
	}
	f.sealed, f.waiting = now, false
	r, err := s.verified(ctx, f)
	if refused := refusalOf(err); refused != nil { // by another server of the folder, or before the start
		f.region.noteNewer(refused)
	}
	if err != nil {
		return err
	}
	if accepted(f.dir, r) {
		s.retain(f, nil)
		return s.put(i, r)
	}
	// One on probation is no measure: the one before it is, and stays the one to go back to.
	proven := f.region
	if f.before != nil {
		proven = f.before
	}
	if err := s.options.agrees(ctx, proven, r); err != nil {
		if ctx.Err() == nil {
			s.options.refuse(f, r.files.SealedHash(), err.Error(), f.region)
		}
		return errors.Join(err, discard([]*Region{r}))
	}
	if f.before == nil {
		s.retain(f, proven)
	}
	if f.before != nil {
		r.tally.compare(f.before.tally, s.judge)
	}
	return s.put(i, r)
}

// verified opens the region in a folder and reads all of it. Any damage is an error.
func (s *Set) verified(ctx context.Context, f *folder) (*Region, error) {
	r, err := s.verifiedWithout(ctx, f)
	if err == nil && len(r.lost) > 0 {
		return nil, errors.Join(lostErrors(r.lost), discard([]*Region{r}))
	}
	return r, err
}

// verifiedWithout is verified, but parts that routes can do without are lost where they are
// damaged.
func (s *Set) verifiedWithout(ctx context.Context, f *folder) (*Region, error) {
	// A region that is sealed meanwhile has another stamp, and is read at the next look.
	var err error
	if f.sealed, err = f.stamp(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.dir, region.ErrNotSealed)
	}
	err = region.Verify(ctx, f.dir)
	lost, ok := lossesOf(err)
	if err != nil && !ok {
		return nil, err
	}
	r, err := s.openWithout(f, lost)
	if err != nil {
		return nil, err
	}
	if err := r.verify(); err != nil {
		return nil, errors.Join(err, discard([]*Region{r}))
	}
	return r, nil
}

func lostErrors(list []loss) (all error) {
	for _, l := range list {
		all = errors.Join(all, l.err)
	}
	return all
}

// put takes a region into service in place of its folder's.
func (s *Set) put(i int, r *Region) error {
	list := make([]*Region, len(s.folders))
	for j, other := range s.folders {
		list[j] = other.region
	}
	list[i] = r
	if err := s.take(list); err != nil {
		return errors.Join(err, discard([]*Region{r}))
	}
	s.options.keepServing(s.folders[i])
	return nil
}
