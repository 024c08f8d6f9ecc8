package overlay

import (
	"sync"
	"testing"
	"time"
)

// TestLayersAtOnce has four callers ask the newest snapshot for its layers while others
// follow it: all of one snapshot get the same layer, and each layer says what its own
// snapshot does.
func TestLayersAtOnce(t *testing.T) {
	const snapshots = 100
	noon := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	views := []View{{Closing: HoldingClosures, Live: true}, {Closing: HoldingClosures}, {Live: true}, {Closing: LastingClosures}}
	var live Live
	next := func(n int) {
		live.Set(NewSnapshot(Roads{Taken: noon.Add(time.Duration(n) * time.Second), Changes: []Change{{Edge: 1, Closed: true}, {Edge: 2, Speed: uint8(1 + n/10)}}}, live.Get()))
	}
	next(0)
	done := make(chan struct{})
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for n := k; ; n++ {
				s, v := live.Get(), views[n%len(views)]
				l := s.Layer(v)
				o := WithLayer(l, false)
				speed, slowed := o.Speed(2)
				if l != s.Layer(v) || o.Closed(1) != (v.Closing != NoClosures) || slowed != v.Live || slowed && speed != float64(s.LiveSpeed(2)) {
					t.Errorf("%+v of the snapshot of %v: closed %v, %v km/h", v, s.Taken, o.Closed(1), speed)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for n := range snapshots {
		next(n + 1)
	}
	close(done)
	all.Wait()
}
