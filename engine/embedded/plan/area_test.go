package plan

import (
	"sync"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/overlay"
)

// TestClosuresAtOnce has several keep what the same areas close: each area keeps its own.
func TestClosuresAtOnce(t *testing.T) {
	var c closures
	areas, made := make([]engine.Area, 8), make([]*overlay.Closure, 8)
	for i := range areas {
		areas[i].Shape, made[i] = &geo.Area{}, overlay.JoinClosures(nil)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				for i := range areas {
					c.add(areas[i:i+1], made[i])
					if _, got := c.cached(areas[i : i+1]); got != made[i] {
						t.Errorf("area %d has the closure of another", i)
					}
				}
			}
		})
	}
	all.Wait()
}
