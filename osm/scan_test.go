package osm

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/waittest"
)

// big returns a data set of many blocks.
func big() *Data {
	d, blocks := &Data{}, 20
	if testing.Short() {
		blocks = 9 // still more than workers
	}
	for i := range blocks * objectsABlock {
		d.Nodes = append(d.Nodes, Node{ID: int64(i), Lon: int32(i), Lat: int32(-i)})
	}
	return d
}

// settled waits until no more goroutines run than before.
func settled(t *testing.T, before int) {
	t.Helper()
	deadline := time.Now().Add(waittest.Patience)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
		time.Sleep(time.Millisecond)
	}
}

func TestScanStops(t *testing.T) {
	d := big()
	for _, path := range []string{file(t, "big.pbf", pbfBytes(t, d)), file(t, "big.osm", xmlBytes(t, d))} {
		before := runtime.NumGoroutine()
		stop := errors.New("enough")

		calls := 0
		_, err := Scan(context.Background(), path, Options{}, func(*Block) error { calls++; return stop })
		if err != stop || calls != 1 {
			t.Errorf("%s: the callback's error gives %v after %d calls", path, err, calls)
		}
		settled(t, before)

		ctx, cancel := context.WithCancelCause(context.Background())
		calls = 0
		_, err = Scan(ctx, path, Options{}, func(*Block) error { calls++; cancel(stop); return nil })
		if err != stop || calls != 1 {
			t.Errorf("%s: cancelling gives %v after %d calls", path, err, calls)
		}
		settled(t, before)

		if _, err = Scan(ctx, path, Options{}, func(*Block) error { return errors.New("called") }); err != stop {
			t.Errorf("%s: a context cancelled before gives %v", path, err)
		}
		settled(t, before)

		func() {
			defer func() {
				if p := recover(); p != "boo" {
					t.Errorf("recovered %v", p)
				}
			}()
			_, _ = Scan(context.Background(), path, Options{}, func(*Block) error { panic("boo") })
		}()
		settled(t, before)
	}
}

// Blocks come in the file's order, whatever the number of workers, on the
// caller's goroutine.
func TestScanOrderAtOnce(t *testing.T) {
	d := big()
	for _, path := range []string{file(t, "big.pbf", pbfBytes(t, d)), file(t, "big.osm", xmlBytes(t, d))} {
		for _, workers := range []int{0, 1, 7} {
			next, last, size := int64(0), int64(0), int64(0)
			_, err := Scan(context.Background(), path, Options{
				Workers: workers,
				Progress: func(done, of int64) {
					if done < last || done > of {
						t.Errorf("progress goes from %d to %d of %d", last, done, of)
					}
					last, size = done, of
				},
			}, func(b *Block) error {
				for _, n := range b.Nodes {
					if n.ID != next || n.Lon != int32(next) || n.Lat != int32(-next) {
						return errors.New("node out of order")
					}
					next++
				}
				return nil
			})
			if err != nil || next != int64(len(d.Nodes)) || last != size || size == 0 {
				t.Errorf("%s with %d workers: %v, %d nodes, %d of %d bytes", path, workers, err, next, last, size)
			}
		}
	}
}

func TestScanOfWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	_, _, err := load(t, dir, Options{})
	if err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a folder gives %v", err)
	}
	if _, _, err := load(t, dir+"/absent.pbf", Options{}); err == nil {
		t.Error("a file that is not there gives no error")
	}
}
