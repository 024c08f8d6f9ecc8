package tileset

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
)

// TestTilesAtOnce has four callers read tiles of one archive, whose leaves are decoded
// once and kept for all: each gets what was written.
func TestTilesAtOnce(t *testing.T) {
	tiles := randomTiles(t, rand.New(rand.NewPCG(3, 1)), 20000)
	path := filepath.Join(t.TempDir(), "town.pmtiles")
	write(t, path, tiles)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	if r.Header().LeavesLength == 0 {
		t.Fatal("the archive has no leaves")
	}
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for n := range 1000 {
				want := tiles[(n*(2*k+1)*37+k)%len(tiles)]
				if got, ok, err := r.Tile(want.z, want.x, want.y); err != nil || !ok || !bytes.Equal(got, want.data) {
					t.Errorf("tile %d/%d/%d is another: %v", want.z, want.x, want.y, err)
				}
			}
		})
	}
	all.Wait()
}
