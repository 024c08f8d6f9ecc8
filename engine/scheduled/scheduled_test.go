package scheduled_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
)

// worker is an engine whose matrices take as long as their number of sources in
// milliseconds, on every core that they are given, and hold a mebibyte for each
// target. It looks at its context every millisecond.
type worker struct {
	engine.Unimplemented
	lies float64 // what it takes by what it estimates; 0 is 1

	mu          sync.Mutex
	small, dear int // under way, cores
	most        int // dear ones at once
	held, peak  int64
	order       []string // callers, as their calls ended
}

func (w *worker) Estimate(_ engine.Call, request any) engine.Estimate {
	r := request.(*engine.MatrixRequest)
	return engine.Estimate{
		Kind: "matrix", Work: time.Duration(len(r.Sources)) * time.Millisecond, Cores: 4,
		Bytes: int64(len(r.Targets)) << 20, Answer: int64(len(r.Targets)) << 19, Cheaper: "fewer sources",
	}
}

func (w *worker) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	cores, dear := engine.Workers(ctx), len(r.Sources) > 10
	count := func(n int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.held += int64(n) * int64(len(r.Targets)) << 20
		w.peak = max(w.peak, w.held)
		if dear {
			w.dear += n * cores
			w.most = max(w.most, w.dear)
		} else {
			w.small += n
		}
	}
	count(1)
	defer count(-1)
	took := float64(len(r.Sources)) / float64(cores)
	if w.lies > 0 {
		took *= w.lies
	}
	for range int(took) {
		time.Sleep(time.Millisecond)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if len(r.Extra) > 0 {
		panic("as asked")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.order = append(w.order, scheduled.RequestOf(ctx).Who)
	return &engine.MatrixAnswer{}, nil
}

// call asks for a matrix of so many milliseconds and mebibytes.
func call(ctx context.Context, e engine.Engine, who string, ms, mib int) error {
	r := &scheduled.Request{Who: who, Limit: 30 * time.Second}
	defer r.End()
	_, err := e.Matrix(scheduled.WithRequest(ctx, r), &engine.MatrixRequest{Sources: make([]engine.Location, ms), Targets: make([]engine.Location, mib)})
	return err
}

func quiet(t *testing.T, s *scheduled.Scheduler) {
	t.Helper()
	x := s.Stats()
	if x.Held != 0 {
		t.Errorf("%d bytes are held by nobody", x.Held)
	}
	for _, l := range x.Classes {
		if l.Taken != 0 || l.Waiting != 0 || l.Queued != 0 {
			t.Errorf("class %s: %+v", l.Name, l)
		}
	}
}

// TestSmallAndDearAtOnce has small calls come while many dear ones wait: none waits,
// dear ones never have all cores, and they end one after another.
func TestSmallAndDearAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worker{}
		s := scheduled.New(scheduled.Options{Cores: 4})
		e := s.Wrap(w)
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				if err := call(t.Context(), e, fmt.Sprint(i%7), 300, 1); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		for range 200 {
			began := time.Now()
			if err := call(t.Context(), e, "small", 2, 1); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > 3*time.Millisecond {
				t.Fatalf("a small call took %s beside dear ones", took)
			}
		}
		all.Wait()
		if w.most > 3 {
			t.Errorf("dear calls had %d of 4 cores", w.most)
		}
		if len(w.order) != 240 {
			t.Errorf("%d calls ended", len(w.order))
		}
		quiet(t, s)
	})
}

// TestFairAtOnce has one caller send many calls and another a single one later, which
// comes next.
func TestFairAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worker{}
		s := scheduled.New(scheduled.Options{Cores: 2})
		e := s.Wrap(w)
		var all sync.WaitGroup
		ask := func(who string) {
			all.Go(func() {
				if err := call(t.Context(), e, who, 100, 1); err != nil {
					t.Error(err)
				}
			})
		}
		for range 50 {
			ask("many")
		}
		synctest.Wait()
		time.Sleep(150 * time.Millisecond)
		ask("one")
		all.Wait()
		for i, who := range w.order {
			if who == "one" && i > 3 {
				t.Errorf("a caller's only call was number %d", i)
			}
		}
		quiet(t, s)
	})
}

// TestRefusalsAtOnce checks who is turned down, when and how.
func TestRefusalsAtOnce(t *testing.T) {
	t.Run("too dear", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := scheduled.New(scheduled.Options{Cores: 2})
			began := time.Now()
			err := call(t.Context(), s.Wrap(&worker{}), "a", 45_000, 1)
			if !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), "about 45 s") || !strings.Contains(err.Error(), "30 s") || !strings.Contains(err.Error(), "fewer sources") || time.Since(began) > 0 {
				t.Errorf("%v after %s", err, time.Since(began))
			}
			quiet(t, s)
		})
	})
	t.Run("busy", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := &worker{}
			s := scheduled.New(scheduled.Options{Cores: 2})
			e := s.Wrap(w)
			var done, refused atomic.Int64
			var all sync.WaitGroup
			for range 200 {
				all.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
					defer cancel()
					began := time.Now()
					err := call(ctx, e, "a", 500, 1)
					var f *fault.Error
					switch {
					case err == nil:
						done.Add(1)
					case errors.As(err, &f) && f.Slug == fault.UpstreamUnavailable && f.Fields["retry_after"].(int) > 0 && time.Since(began) == 0:
						refused.Add(1)
					default:
						t.Errorf("%v after %s", err, time.Since(began))
					}
				})
			}
			all.Wait()
			if n := done.Load(); n < 50 || n > 60 || n+refused.Load() != 200 {
				t.Errorf("%d of 200 calls of 0.5 s ended within 30 s on one slot, %d were refused", n, refused.Load())
			}
			quiet(t, s)
		})
	})
	t.Run("full", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := scheduled.New(scheduled.Options{Cores: 2, Queue: 3})
			e := s.Wrap(&worker{})
			var full atomic.Int64
			var all sync.WaitGroup
			for range 10 {
				all.Go(func() {
					if err := call(t.Context(), e, "a", 500, 1); fault.Is(err, fault.UpstreamUnavailable) {
						full.Add(1)
					}
				})
			}
			all.Wait()
			if full.Load() != 6 || s.Stats().Refused[scheduled.Full] != 6 {
				t.Errorf("%d refused: one runs and three wait", full.Load())
			}
			quiet(t, s)
		})
	})
}

// TestMemoryAtOnce checks that calls together keep to the memory, one that is larger
// than all runs alone, and answers count until they are sent.
func TestMemoryAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worker{}
		s := scheduled.New(scheduled.Options{Cores: 8, Memory: 20 << 20})
		e := s.Wrap(w)
		var all sync.WaitGroup
		for i := range 60 {
			all.Go(func() {
				if err := call(t.Context(), e, fmt.Sprint(i%3), 5+i%40, 1+i%4); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if w.peak > 20<<20 {
			t.Errorf("%d MiB were held", w.peak>>20)
		}
		if err := call(t.Context(), e, "large", 5, 40); err != nil {
			t.Errorf("a call that is larger than all: %v", err)
		}
		quiet(t, s)

		r := &scheduled.Request{Who: "slow reader"}
		ctx := scheduled.WithRequest(t.Context(), r)
		for range 2 { // its second call does not wait for its first one's answer
			if _, err := e.Matrix(ctx, &engine.MatrixRequest{Sources: make([]engine.Location, 5), Targets: make([]engine.Location, 20)}); err != nil {
				t.Fatal(err)
			}
		}
		if held := s.Stats().Held; held != 20<<20 {
			t.Errorf("%d bytes of two answers are held", held)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := call(short, e, "next", 5, 1); !fault.Is(err, fault.UpstreamUnavailable) {
			t.Errorf("there is no memory: %v", err)
		}
		r.End()
		quiet(t, s)
	})
}

// TestSmallestOfACallerAtOnce has a caller's smallest call not wait for all that came before
// it, and the others not for every small one that comes after.
func TestSmallestOfACallerAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scheduled.New(scheduled.Options{Cores: 2})
		e := s.Wrap(&worker{})
		took := func(ms int) time.Duration {
			began := time.Now()
			if err := call(t.Context(), e, "one", ms, 1); err != nil {
				t.Error(err)
			}
			return time.Since(began)
		}
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() { took(8) })
		}
		synctest.Wait()
		if wait := took(2); wait > 12*time.Millisecond {
			t.Errorf("a call of 2 ms took %s", wait)
		}
		if wait := took(1); wait > 2*time.Millisecond { // has slots of its own
			t.Errorf("a call of 1 ms took %s", wait)
		}
		all.Wait()
		// Small calls that never end, more than two cores can do.
		stop := time.Now().Add(time.Second)
		for range 10 {
			all.Go(func() {
				for time.Now().Before(stop) {
					took(2)
				}
			})
		}
		synctest.Wait()
		if wait := took(8); wait < 30*time.Millisecond || wait > 100*time.Millisecond {
			t.Errorf("a call of 8 ms took %s beside small ones without end", wait)
		}
		all.Wait()
		quiet(t, s)
	})
}

// TestMovedAtOnce has calls turn out dearer than they were estimated: the small class stays
// free, and the next estimate is corrected.
func TestMovedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worker{lies: 100}
		s := scheduled.New(scheduled.Options{Cores: 2})
		e := s.Wrap(w)
		var all sync.WaitGroup
		for i := range 6 {
			all.Go(func() {
				if err := call(t.Context(), e, fmt.Sprint(i), 8, 1); err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(100 * time.Millisecond)
		for _, l := range s.Stats().Classes {
			if l.Name == "small" && l.Taken+l.Waiting > 0 {
				t.Errorf("dear calls are in the small class: %+v", l)
			}
		}
		all.Wait()
		if s.Stats().Moved < 2 {
			t.Errorf("%d were moved", s.Stats().Moved)
		}
		quiet(t, s)
	})
}

// TestEndsAtOnce has callers leave while they wait and while they are served, and calls
// panic: nothing is left of them.
func TestEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scheduled.New(scheduled.Options{Cores: 2})
		e := s.Wrap(&worker{})
		var all sync.WaitGroup
		for i := range 30 {
			all.Go(func() {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Duration(i)*13*time.Millisecond, cancel)
				if err := call(ctx, e, fmt.Sprint(i%4), 50, 1); err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		quiet(t, s)
		for _, ms := range []int{2, 50} {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("a panic was swallowed")
					}
				}()
				r := &scheduled.Request{Who: "a"}
				defer r.End()
				_, _ = e.Matrix(scheduled.WithRequest(t.Context(), r), &engine.MatrixRequest{Sources: make([]engine.Location, ms), Targets: make([]engine.Location, 1), Extra: map[string]json.RawMessage{"panic": nil}})
			}()
		}
		quiet(t, s)
	})
}

// TestEstimateOnly checks that a request for an estimate makes no call.
func TestEstimateOnly(t *testing.T) {
	w := &worker{}
	e := scheduled.New(scheduled.Options{Cores: 2}).Wrap(w)
	r := &scheduled.Request{Who: "a", EstimateOnly: true}
	_, err := e.Matrix(scheduled.WithRequest(t.Context(), r), &engine.MatrixRequest{Sources: make([]engine.Location, 7), Targets: make([]engine.Location, 3)})
	sum, ok := r.Estimated()
	if !errors.Is(err, scheduled.ErrEstimated) || !ok || sum.Work != 7*time.Millisecond || sum.Bytes != 3<<20 || len(w.order) != 0 {
		t.Errorf("%v, %+v", err, sum)
	}
}

// TestEstimatedInASlot checks that an estimate is added up in a slot, which is given back,
// and that the time of adding is no part of it.
func TestEstimatedInASlot(t *testing.T) {
	s := scheduled.New(scheduled.Options{Cores: 2})
	taken := func() (n int) {
		for _, l := range s.Stats().Classes {
			n += l.Taken
		}
		return n
	}
	r := &scheduled.Request{Who: "a", EstimateOnly: true}
	ctx := engine.WithAdmission(scheduled.WithRequest(t.Context(), r), s)
	during := 0
	err := scheduled.Estimated(ctx, func() engine.Estimate {
		during = taken()
		return engine.Estimate{Work: time.Hour, Bytes: 5, Cores: 1}
	})
	sum, _ := r.Estimated()
	if !errors.Is(err, scheduled.ErrEstimated) || sum.Work != time.Hour || sum.Bytes != 5 || during != 1 || taken() != 0 {
		t.Errorf("%v, %+v, %d slots during it, %d since", err, sum, during, taken())
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := scheduled.Estimated(gone, func() engine.Estimate { return engine.Estimate{} }); errors.Is(err, scheduled.ErrEstimated) {
		t.Error("the estimate for a caller who has left is added up")
	}
	if err := scheduled.Estimated(t.Context(), nil); err != nil {
		t.Errorf("a request that is to be answered: %v", err)
	}
}

// TestEstimateOnlyOfWork checks that work beside the engine is noted then and has no slot.
func TestEstimateOnlyOfWork(t *testing.T) {
	s := scheduled.New(scheduled.Options{Cores: 2})
	r := &scheduled.Request{Who: "a", EstimateOnly: true}
	ctx := scheduled.WithRequest(t.Context(), r)
	_, _, worked := s.Work(ctx, engine.Estimate{Work: time.Second, Cores: 1, Bytes: 5})
	_, _, shared := s.Share(ctx, engine.Estimate{Work: time.Hour, Cores: 2, Bytes: 3})
	sum, _ := r.Estimated()
	if !errors.Is(worked, scheduled.ErrEstimated) || !errors.Is(shared, scheduled.ErrEstimated) || sum.Work != time.Hour+time.Second || sum.Bytes != 5 {
		t.Errorf("%v, %v, %+v", worked, shared, sum)
	}
	for _, l := range s.Stats().Classes {
		if l.Calls != 0 || l.Taken != 0 {
			t.Errorf("%+v", l)
		}
	}
}
