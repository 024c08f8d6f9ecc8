package height

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/waygate/waygate/geo"
)

// MostTiles is how many tiles the places of one call may lie on.
const MostTiles = 64

// cacheSize is how many tiles are kept in memory, 26 MB each at the most.
const cacheSize = 6

// Shared gives heights from the tiles of a set to many goroutines. It keeps the
// few tiles used last and opens as many at once as there are processors; who
// waits for one holds none.
type Shared struct {
	set   *Set
	seats chan struct{} // taken by who opens a tile

	mu    sync.Mutex
	clock int64
	opens int
	tiles map[Corner]*sharedTile
}

type sharedTile struct {
	used  int64
	open  sync.Once
	ready chan struct{} // closed once the tile was opened, or could not be
	tile  *Tile
	err   error
}

// NewShared gives heights of a set.
func NewShared(s *Set) *Shared {
	return &Shared{set: s, seats: make(chan struct{}, runtime.GOMAXPROCS(0)), tiles: map[Corner]*sharedTile{}}
}

// Heights gives the height in metres of each place, NaN where the set has no
// tile of it, the tile a void or its file is damaged. The files that could not
// be read are told, too. Places on more than MostTiles tiles are an error, as
// is a context that ends.
func (s *Shared) Heights(ctx context.Context, places []geo.Point) (metres []float64, damaged []error, err error) {
	if n := s.spread(places); n > MostTiles {
		return nil, nil, &SpreadError{n}
	}
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(CornerOf(places[a]), CornerOf(places[b])) })
	metres = make([]float64, len(places))
	var at Corner
	var tile *Tile
	for n, i := range order {
		c := CornerOf(places[i])
		if n == 0 || c != at {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			at = c
			if tile, err = s.tile(ctx, c); err != nil {
				if ctx.Err() != nil {
					return nil, nil, ctx.Err()
				}
				damaged = append(damaged, err)
			}
		}
		metres[i] = math.NaN()
		if tile != nil {
			if h, ok := tile.Height(places[i]); ok {
				metres[i] = h
			}
		}
	}
	return metres, damaged, nil
}

// SpreadError is that places lie on too many tiles.
type SpreadError struct{ Tiles int }

func (e *SpreadError) Error() string {
	return fmt.Sprintf("the places lie on %d squares of a degree for which there are heights, and may lie on %d", e.Tiles, MostTiles)
}

func compare(a, b Corner) int { return cmp.Or(cmp.Compare(a.Lat, b.Lat), cmp.Compare(a.Lon, b.Lon)) }

// spread counts the tiles that places lie on.
func (s *Shared) spread(places []geo.Point) int {
	seen := map[Corner]bool{}
	for _, p := range places {
		if c := CornerOf(p); s.set.File(c) != "" {
			seen[c] = true
		}
	}
	return len(seen)
}

// tile gives a tile of the set, nil where it has none. A file that could not be
// read is tried again once the tile is no longer among those used last. The
// error is that of ctx where it ends before there is a seat.
func (s *Shared) tile(ctx context.Context, c Corner) (*Tile, error) {
	file := s.set.File(c)
	if file == "" {
		return nil, nil //nolint:nilnil // having none is no failure
	}
	t := s.kept(c)
	select {
	case <-t.ready:
		return t.tile, t.err
	default:
	}
	select {
	case <-t.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	case s.seats <- struct{}{}:
		defer func() { <-s.seats }()
		t.open.Do(func() {
			defer close(t.ready)
			t.tile, t.err = Open(file, c)
		})
	}
	return t.tile, t.err
}

// kept gives the place of a tile in memory, and lets go of the one not used for
// longest where there are too many.
func (s *Shared) kept(c Corner) *sharedTile {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	if t := s.tiles[c]; t != nil {
		t.used = s.clock
		return t
	}
	if len(s.tiles) >= cacheSize {
		var oldest Corner
		least := int64(math.MaxInt64)
		for c, t := range s.tiles {
			if t.used < least {
				oldest, least = c, t.used
			}
		}
		delete(s.tiles, oldest)
	}
	t := &sharedTile{used: s.clock, ready: make(chan struct{})}
	s.tiles[c] = t
	s.opens++
	return t
}
