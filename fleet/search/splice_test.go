package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/fleet/fleettest"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

// TestPutsAsIfAnew compares routes that visits were put into one by one, and routes of changes
// that were taken back, with ones worked out anew.
func TestPutsAsIfAnew(t *testing.T) {
	for seed := range uint64(300) {
		p := fleettest.Draw(seed, 3+int(seed%9), int(seed%5), 1+int(seed%4))
		s := newState(model.Compile(p, limit.Unlimited()))
		s.random = newRandom(seed, 0)
		if !(start{s}).warmStart() {
			continue
		}
		for range 30 {
			before := s.score()
			s.beginChange()
			ok := ruin{s}.ruin()
			recreation{s}.recreate(nil)
			if ok = ok && !s.lacks(); ok {
				s.asAnew(t, seed)
			}
			if !ok || s.random.below(2) == 0 {
				s.undo()
				if now := s.score(); now != before {
					t.Fatalf("seed %d: taken back %+v is %+v", seed, before, now)
				}
				s.asAnew(t, seed)
			}
		}
	}
}

// asAnew fails where a state is not what its stops make of an empty one.
func (s *state) asAnew(t *testing.T, seed uint64) {
	t.Helper()
	anew := newState(s.m)
	for r := range s.routes {
		anew.routes[r].fixed = s.routes[r].fixed
		anew.fill(int32(r), s.routes[r].stops)
	}
	if s.score() != anew.score() {
		t.Fatalf("seed %d: %+v, anew %+v", seed, s.score(), anew.score())
	}
	for r := range s.routes {
		a, b := s.routes[r], anew.routes[r]
		a.touched, a.content, b.content = 0, 0, 0
		if fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) {
			t.Fatalf("seed %d: route %d is %+v, anew %+v", seed, r, a, b)
		}
	}
	if !slices.Equal(s.where, anew.where) {
		t.Fatalf("seed %d: visits are in routes %v, anew %v", seed, s.where, anew.where)
	}
	for v, r := range s.where {
		if r >= 0 && s.routes[r].stops[s.pos[v]-1] != int32(v) {
			t.Fatalf("seed %d: visit %d is not where it is said to be", seed, v)
		}
	}
}

// TestSpan compares the positions that a visit may go to with a look at each.
func TestSpan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		k := r.IntN(8)
		rt := &route{stops: make([]int32, k), done: make([]int64, k+2), latest: make([]int64, k+2)}
		rt.fixed = r.IntN(k + 1)
		for i := 1; i < k+2; i++ {
			rt.done[i] = rt.done[i-1] + r.Int64N(4)
			rt.latest[i] = rt.latest[i-1] + r.Int64N(4)
		}
		over, shut := r.Int64N(20), r.Int64N(20)
		var want, got []int
		for i := rt.fixed; i <= k; i++ {
			if rt.done[i] <= shut && (i == k || rt.latest[i+1] >= over) {
				want = append(want, i)
			}
		}
		low, high := rt.span(over, shut)
		for i := low; i <= high; i++ {
			got = append(got, i)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%+v from %d to %d: %v, want %v", rt, over, shut, got, want)
		}
	}
}
