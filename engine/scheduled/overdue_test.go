package scheduled_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
)

// TestSlotsOfThoseWhoLeft has work that never looks at its context keep every slot after its
// callers have left: others get the slots all the same, and each is given back once.
func TestSlotsOfThoseWhoLeft(t *testing.T) {
	for name, work := range map[string]time.Duration{"small": time.Millisecond, "dear": time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := scheduled.New(scheduled.Options{Cores: 2})
				e := engine.Estimate{Kind: "x", Work: work, Cores: 2, Bytes: 100}
				leaving, leave := context.WithCancel(t.Context())
				var ends []func(bool)
				for range 2 {
					own := scheduled.WithRequest(leaving, &scheduled.Request{Who: "a"})
					if _, done, err := s.Work(own, e); err == nil {
						ends = append(ends, done)
					}
					if name == "dear" { // which has one slot
						break
					}
				}
				leave()
				r := &scheduled.Request{Who: "b"}
				working, done, err := s.Work(scheduled.WithRequest(t.Context(), r), e)
				if err != nil {
					t.Fatal(err)
				}
				if x := s.Stats(); x.Overdue != len(ends) || x.TakenBack != int64(len(ends)) || x.Held != int64(100*(len(ends)+1)) {
					t.Errorf("while they go on: %+v", x)
				}
				if working.Err() != nil {
					t.Error(working.Err())
				}
				done(true)
				r.End()
				for _, end := range ends {
					end(false)
				}
				x := s.Stats()
				if x.Overdue != 0 || x.Held != 0 {
					t.Errorf("after they ended: %+v", x)
				}
				for _, l := range x.Classes {
					if l.Taken != 0 || l.Waiting != 0 {
						t.Errorf("after they ended: %+v", l)
					}
				}
			})
		})
	}
}

// TestStuck has as many calls as there are processors go on for longer than a request may
// take.
func TestStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 30 * time.Second
		s := scheduled.New(scheduled.Options{Cores: 2})
		begin := func() (end func()) {
			ctx, leave := context.WithTimeout(t.Context(), limit)
			_, done, err := s.Work(scheduled.WithRequest(ctx, &scheduled.Request{Who: "a"}), engine.Estimate{Kind: "x", Work: time.Millisecond, Cores: 1})
			if err != nil {
				t.Fatal(err)
			}
			return func() { done(false); leave() }
		}
		first, second := begin(), begin()
		time.Sleep(limit)
		if s.Stuck(limit) {
			t.Error("stuck as long as they may take")
		}
		time.Sleep(time.Second)
		s.Stats()
		time.Sleep(time.Second)
		s.Stats() // takes their slots back
		if !s.Stuck(limit) {
			t.Error("not stuck though both go on for longer than they may")
		}
		first()
		if s.Stuck(limit) {
			t.Error("stuck with one processor free")
		}
		second()
	})
}

// TestWorkInWork has work call what asks for a slot itself, where there is only one.
func TestWorkInWork(t *testing.T) {
	s := scheduled.New(scheduled.Options{Cores: 1})
	e := engine.Estimate{Kind: "x", Work: time.Second, Cores: 1}
	r := &scheduled.Request{Who: "a"}
	ctx := engine.WithAdmission(scheduled.WithRequest(t.Context(), r), s)
	w := s.Wrap(&worker{})
	inner := 0
	err := engine.Work(ctx, e, func(ctx context.Context) error {
		return engine.Work(ctx, e, func(ctx context.Context) error {
			inner++
			_, err := w.Matrix(ctx, &engine.MatrixRequest{Sources: make([]engine.Location, 50)})
			return err
		})
	})
	r.End()
	calls := int64(0)
	for _, l := range s.Stats().Classes {
		calls += l.Calls
	}
	if err != nil || inner != 1 || calls != 1 {
		t.Errorf("%v, %d, %+v", err, inner, s.Stats())
	}
}
