package scheduled_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
)

// Work that goes on for long steps aside for a dear call, and a second one shares
// the seat with it.
func TestShare(t *testing.T) {
	s := scheduled.New(scheduled.Options{Cores: 2}) // one dear seat
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
	for _, l := range s.Stats().Lanes {
		if l.Taken != 0 || l.Waiting != 0 {
			t.Errorf("%+v", l)
		}
	}
	if held := s.Stats().Held; held != 0 {
		t.Errorf("%d bytes are still held", held)
	}
}
