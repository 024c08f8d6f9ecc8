package scheduled_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
)

// Work that goes on for long steps aside for a dear call, and a second one shares
// the slot with it.
func TestShareAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scheduled.New(scheduled.Options{Cores: 2}) // one dear slot
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		begun := make(chan struct{}, 2)
		var all sync.WaitGroup
		looks := make([]int, 2)
		for i := range looks {
			all.Go(func() {
				own := scheduled.WithRequest(ctx, &scheduled.Request{Who: string(rune('a' + i))})
				working, done, err := s.Share(own, engine.Estimate{Cores: 2, Bytes: 100})
				if err != nil {
					t.Error(err)
					return
				}
				defer done()
				begun <- struct{}{}
				if n := engine.Workers(working); n != 1 {
					t.Errorf("on %d cores", n)
				}
				for working.Err() == nil {
					looks[i]++
					time.Sleep(time.Millisecond)
				}
			})
		}
		<-begun
		<-begun // both are at work: the first has stepped aside
		for range 3 {
			call, done, err := s.Work(scheduled.WithRequest(t.Context(), &scheduled.Request{Who: "c"}), engine.Estimate{Kind: "x", Work: time.Second, Cores: 1})
			if err != nil {
				t.Fatal(err)
			}
			if call.Err() != nil {
				t.Error(call.Err())
			}
			done(true)
		}
		cancel()
		all.Wait()
		if looks[0] == 0 || looks[1] == 0 {
			t.Errorf("looks %v", looks)
		}
		for _, l := range s.Stats().Classes {
			if l.Taken != 0 || l.Waiting != 0 {
				t.Errorf("%+v", l)
			}
		}
		if held := s.Stats().Held; held != 0 {
			t.Errorf("%d bytes are still held", held)
		}
	})
}

// A dear call that has to be answered soon does not wait for work in the background that
// takes longer than that; of such work one piece waits for the other.
func TestBesideTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scheduled.New(scheduled.Options{Cores: 2})
		long := engine.Estimate{Kind: "metric", Work: time.Hour, Cores: 2, Bytes: 100}
		done, err := s.Background(t.Context(), long)
		if err != nil {
			t.Fatal(err)
		}
		soon, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, ended, err := s.Work(scheduled.WithRequest(soon, &scheduled.Request{Who: "a"}), engine.Estimate{Kind: "x", Work: time.Second, Cores: 1})
		if err != nil {
			t.Fatal(err)
		}
		ended(true)
		second, give := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer give()
		if _, err := s.Background(second, long); err == nil {
			t.Error("two pieces of work in the background are under way on two cores")
		}
		done()
		if done, err = s.Background(t.Context(), long); err != nil {
			t.Fatal(err)
		}
		done()
		if held := s.Stats().Held; held != 0 {
			t.Errorf("%d bytes are still held", held)
		}
	})
}
