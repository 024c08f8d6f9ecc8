package weather

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
)

// TestCellsAtOnce has four callers ask for the weather at the same places: the server is
// asked once, and each caller gets what it answered.
func TestCellsAtOnce(t *testing.T) {
	var calls atomic.Int64
	var down atomic.Bool
	server := answering(t, &calls, &down)
	c, err := NewCells(feed.Options{Dir: t.TempDir(), Now: func() time.Time { return now }}, feed.Source{ID: "om", Kind: "weather", Format: OpenMeteo, URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	places := []geo.Point{{Lon: 0.05, Lat: 51.05}, {Lon: 0.05, Lat: 52.05}, {Lon: 0.05, Lat: -53.05}}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, s := range c.Near(t.Context(), places) {
				if s == nil || s.Steps[0].Temperature != places[i].Lat {
					t.Errorf("%v: %+v", places[i], s)
				}
			}
			if s := c.Status(); s.Records != len(places) {
				t.Errorf("%+v", s)
			}
		})
	}
	all.Wait()
	if n := calls.Load(); n != 1 {
		t.Errorf("the server received %d requests, want 1", n)
	}
}
