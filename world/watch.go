package world

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/waygate/waygate/region"
)

// folder is where a region is imported to, again and again.
type folder struct {
	dir    string
	sealed stamp   // of the manifest that was looked at last
	region *Region // in service
}

// stamp tells one sealed manifest from the next.
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

// Watch takes a region into service where its folder's manifest has changed,
// looking as often as every says, 0 for never, and all of them on a signal of
// hangup, until ctx ends.
func (s *Set) Watch(ctx context.Context, hangup <-chan os.Signal, every time.Duration) {
	var tick <-chan time.Time
	if every > 0 && len(s.folders) > 0 {
		t := time.NewTicker(every)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangup:
			for i := range s.folders {
				s.reload(i)
			}
		case <-tick:
			for i, f := range s.folders {
				if now, err := f.stamp(); err == nil && now != f.sealed {
					s.reload(i)
				}
			}
		}
	}
}

// reload takes the region in a folder into service if every section matches its
// checksum; otherwise the one in service stays. The other regions stay as they
// are.
func (s *Set) reload(i int) {
	f := s.folders[i]
	err := s.replace(i)
	if err != nil {
		s.options.Log.Error("the new region is turned down; the one in service stays", "dir", f.dir, "error", err)
	}
	if s.options.Swapped != nil {
		s.options.Swapped(err == nil)
	}
}

func (s *Set) replace(i int) error {
	f := s.folders[i]
	now, err := f.stamp()
	if err != nil {
		return err
	}
	f.sealed = now
	if err := region.Verify(f.dir); err != nil {
		return err
	}
	r, err := s.open(f)
	if err != nil {
		return err
	}
	list := make([]*Region, len(s.folders))
	for j, other := range s.folders {
		list[j] = other.region
	}
	list[i] = r
	if err := s.take(list); err != nil {
		return errors.Join(err, discard([]*Region{r}))
	}
	return nil
}
