package canary

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
)

// The latest questions: how many are kept, and of how many routes one is taken once there are
// as many.
const (
	mostRecent = 40
	oneOf      = 17
	mostPlaces = 10 // of a question: longer routes are passed over
)

// Source is where the questions to servers come from: the operator's, else the places of the
// latest routes that were answered, which are kept in memory alone. It is safe for many
// goroutines; nil has no questions.
type Source struct {
	fixed []Question

	mu    sync.Mutex
	list  []Question
	count int
}

// NewSource returns a source of the operator's questions; nil for the latest routes.
func NewSource(fixed []Question) *Source { return &Source{fixed: fixed} }

// Add adds a request that was answered.
func (s *Source) Add(q *engine.RouteRequest) {
	if s == nil || s.fixed != nil || len(q.Locations) > mostPlaces {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.count
	s.count++
	if n >= mostRecent && n%oneOf != 0 {
		return
	}
	x := Question{Costing: q.Costing}
	for i := range q.Locations {
		x.Locations = append(x.Locations, q.Locations[i].Point)
	}
	if n < mostRecent {
		s.list = append(s.list, x)
	} else {
		s.list[n/oneOf%mostRecent] = x
	}
}

// Questions returns the questions there are, of some costings.
func (s *Source) Questions(of func(costing.Costing) bool) []Question {
	s.mu.Lock()
	list := slices.Clone(s.list)
	s.mu.Unlock()
	if s.fixed != nil {
		list = slices.Clone(s.fixed)
	}
	return slices.DeleteFunc(list, func(q Question) bool { return !of(q.Costing) })
}

// Compare has two versions answer the questions of some costings. The error says that they do
// not agree, or is the context's.
func (s *Source) Compare(ctx context.Context, of func(costing.Costing) bool, old, fresh Answerer) error {
	o, err := Compare(ctx, s.Questions(of), old, fresh, KeptBounds)
	if err == nil && !KeptBounds.Accept(o) {
		err = fmt.Errorf("%d of %d questions are answered otherwise (%s)", o.Otherwise, o.Asked, o.First)
	}
	return err
}
