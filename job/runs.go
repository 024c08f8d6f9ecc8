package job

import (
	"context"
	"sync"
	"time"
)

// run is a job that this process works on.
type run struct {
	lease *lease
	work  *Work
	end   context.CancelCauseFunc
	until time.Time // the end of the lease as of its last renewal; only keepLeases changes it
}

// runs are the jobs that this process works on, by the holder of their lease.
type runs struct {
	mu       sync.Mutex
	byHolder map[string]*run
}

func (s *runs) add(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byHolder[r.lease.holder] = r
}

func (s *runs) remove(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byHolder, r.lease.holder)
}

func (s *runs) all() []*run {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*run, 0, len(s.byHolder))
	for _, r := range s.byHolder {
		list = append(list, r)
	}
	return list
}

// find returns the run of a job, and whether this process has one.
func (s *runs) find(id string) (*run, bool) {
	for _, r := range s.all() {
		if r.work.ID == id {
			return r, true
		}
	}
	return nil, false
}
