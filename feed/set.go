package feed

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/waygate/waygate/parallel"
)

// Set is all feeds of a process. The zero value is empty and ready to use.
type Set struct {
	mu      sync.Mutex
	members []*membership
	folders []*Folder
	start   func(*membership) // while the set runs
}

// membership is a feed in a set.
type membership struct {
	Member
	stop  context.CancelFunc // of a feed that runs
	ended chan struct{}
}

// Add adds feeds. They run as soon as the set does.
func (s *Set) Add(list ...Member) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range list {
		x := &membership{Member: m}
		s.members = append(s.members, x)
		if s.start != nil {
			s.start(x)
		}
	}
}

// remove takes a feed out, and waits until it no longer runs.
func (s *Set) remove(m Member) {
	s.mu.Lock()
	i := slices.IndexFunc(s.members, func(x *membership) bool { return x.Member == m })
	if i < 0 {
		s.mu.Unlock()
		return
	}
	x := s.members[i]
	s.members = slices.Delete(s.members, i, i+1)
	s.mu.Unlock()
	if x.stop != nil {
		x.stop()
		<-x.ended
	}
}

func (s *Set) all() []Member {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Member, len(s.members))
	for i, x := range s.members {
		list[i] = x.Member
	}
	return list
}

// Restore puts into force what earlier processes fetched.
func (s *Set) Restore(ctx context.Context) {
	for _, m := range s.all() {
		m.Restore(ctx)
	}
}

// Run polls every feed until ctx ends, each for itself, and looks at the folders that
// are followed. failed is called with a panic, after which that feed goes on.
func (s *Set) Run(ctx context.Context, failed func(*parallel.Panic)) {
	var running parallel.Group
	defer running.Wait()
	running.Go(func() {
		<-ctx.Done()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.start = nil
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start = func(x *membership) {
		own, stop := context.WithCancel(ctx)
		x.stop, x.ended = stop, make(chan struct{})
		running.Go(func() {
			defer close(x.ended)
			defer stop()
			parallel.Supervise(own, x.Run, failed)
		})
	}
	for _, x := range s.members {
		s.start(x)
	}
	for _, d := range s.folders {
		running.Go(func() {
			parallel.Supervise(ctx, func(ctx context.Context) { d.follow(ctx, s) }, failed)
		})
	}
}

// Status returns the states of all feeds, by kind and id. The set may be nil.
func (s *Set) Status() []Status {
	if s == nil {
		return nil
	}
	members := s.all()
	list := make([]Status, len(members))
	for i, m := range members {
		list[i] = m.Status()
	}
	slices.SortStableFunc(list, func(a, b Status) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
	return list
}
