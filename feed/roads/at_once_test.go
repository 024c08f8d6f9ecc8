package roads

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/feed"
)

// TestReadAndPollAtOnce checks that four callers, who read the latest segments of a feed
// while partial files are merged into it, each read whole segments that do not change.
func TestReadAndPollAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "speeds.csv")
	write(t, path, "1,2,50\n2,3,50\n")
	f := feedOf(t, feed.Source{URL: path})
	if err := f.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				list := f.Latest().Value.Segments
				if len(list) < 2 || list[0].From != 1 || list[0].To != 2 || list[0].Kmh != 50 {
					t.Errorf("%+v", list)
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
	for n, text := range []string{"2,3,10\n", "3,4,20\n", "2,3,30\n4,5,10\n", "3,4,70\n"} {
		write(t, path, text)
		if err := os.Chtimes(path, time.Now(), time.Now().Add(time.Duration(n+1)*time.Second)); err != nil {
			t.Error(err)
		}
		if err := f.Poll(t.Context()); err != nil {
			t.Error(err)
		}
	}
	close(done)
	all.Wait()
	if list := f.Latest().Value.Segments; len(list) != 4 || list[1].Kmh != 30 || list[2].Kmh != 70 {
		t.Errorf("in the end it is %+v", list)
	}
}
