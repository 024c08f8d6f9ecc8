package tiles

import (
	"bytes"
	"sync"
	"testing"
)

// TestHostedAtOnce has four callers ask for all tiles of a hosted archive, whose cache is
// too small for them: each gets what it gets alone.
func TestHostedAtOnce(t *testing.T) {
	s := serves(t, archive(t, "old"))
	alone, _, err := hosts(t, s.URL+"/some.pmtiles", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var want [16][]byte
	for i := range want {
		tile, err := alone.Tile(t.Context(), "some", 2, i%4, i/4)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = tile.Data
	}
	m, _, err := hosts(t, s.URL+"/some.pmtiles", 2_500)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range 48 {
				at := (k*5 + i*(2*k+1)) % len(want)
				tile, err := m.Tile(t.Context(), "some", 2, at%4, at/4)
				if err != nil || !bytes.Equal(tile.Data, want[at]) {
					t.Errorf("tile %d is another: %v", at, err)
				}
			}
		})
	}
	all.Wait()
}
