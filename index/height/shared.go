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

// MostTiles is how many SRTM tiles, or as much of other files, the places of one call
// may lie on.
const MostTiles = 64

// cacheSize is how much is cached: as much as so many of the largest SRTM tiles, 26 MB
// each.
const cacheSize = 6

// Shared returns heights of a set to many goroutines. It caches the pieces of files
// used last, and opens as many at once as there are processors; a goroutine that waits
// for one occupies none.
type Shared struct {
	set   *Set
	seats chan struct{} // taken by who opens a piece

	mu    sync.Mutex
	clock int64
	opens int
	held  float64 // weight of all pieces
	tiles map[key]*sharedPiece
}

// key is a piece of a source.
type key struct {
	source int32
	place  [3]int32
}

type sharedPiece struct {
	used   int64
	weight float64
	open   sync.Once
	ready  chan struct{} // closed once the piece was opened, or could not be
	piece  piece         // nil where there is none
	err    error
}

// NewShared returns a Shared of a set.
func NewShared(s *Set) *Shared {
	return &Shared{set: s, seats: make(chan struct{}, runtime.GOMAXPROCS(0)), tiles: map[key]*sharedPiece{}}
}

// Heights returns the height in metres of each place: NaN if the set has none or a void
// there, or if the file is damaged. Files that could not be read are returned as errors
// in damaged. Places on more than MostTiles tiles are an error, as is a context that
// ends.
func (s *Shared) Heights(ctx context.Context, places []geo.Point) (metres []float64, damaged []error, err error) {
	first, n := s.spread(places)
	if n > MostTiles {
		return nil, nil, &SpreadError{n}
	}
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(first[a], first[b]) })
	metres = make([]float64, len(places))
	c := cursor{ctx: ctx, shared: s}
	reported := map[string]bool{}
	for n, i := range order {
		if n == 0 || first[i] != first[order[n-1]] {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
		}
		metres[i] = math.NaN()
		for at := range s.set.sources {
			c.source = int32(at)
			h, ok, err := s.set.sources[at].height(&c, places[i])
			if err != nil {
				if ctx.Err() != nil {
					return nil, nil, ctx.Err()
				}
				if !reported[err.Error()] {
					reported[err.Error()] = true
					damaged = append(damaged, err)
				}
				continue
			}
			if ok {
				metres[i] = h
				break
			}
		}
	}
	return metres, damaged, nil
}

// SpreadError is the error of places on too many tiles.
type SpreadError struct{ Tiles int }

func (e *SpreadError) Error() string {
	return fmt.Sprintf("the places lie on %d squares of a degree for which there are heights, and may lie on %d", e.Tiles, MostTiles)
}

func compare(a, b key) int {
	return cmp.Or(cmp.Compare(a.source, b.source), slices.Compare(a.place[:], b.place[:]))
}

// nowhere is the key of places that no source reaches.
var nowhere = key{source: math.MaxInt32}

// spread returns the piece that each place lies on, and how many of the largest tiles
// all of them amount to.
func (s *Shared) spread(places []geo.Point) (first []key, tiles int) {
	first = make([]key, len(places))
	seen := map[key]bool{}
	sum := 0.0
	for i, p := range places {
		first[i] = nowhere
		for at, source := range s.set.sources {
			if k, ok := source.find(p); ok {
				first[i] = key{int32(at), k}
				if !seen[first[i]] {
					seen[first[i]] = true
					sum += source.weight()
				}
				break
			}
		}
	}
	return first, int(math.Ceil(sum - 1e-9))
}

// cursor looks up one place after another, and remembers the pieces that it used last:
// those around a place.
type cursor struct {
	ctx    context.Context
	shared *Shared
	source int32 // the one that is looked at
	near   [4]struct {
		any   bool
		key   key
		piece piece
		err   error
	}
	next int // of near, to be forgotten
}

// piece returns a piece of the current source; nil if that has none.
func (c *cursor) piece(from source, k [3]int32) (piece, error) {
	at := key{c.source, k}
	for i := range c.near {
		if n := &c.near[i]; n.any && n.key == at {
			return n.piece, n.err
		}
	}
	p, err := c.shared.piece(c.ctx, from, at)
	if c.ctx.Err() != nil {
		return p, err
	}
	n := &c.near[c.next]
	n.any, n.key, n.piece, n.err = true, at, p, err
	c.next = (c.next + 1) % len(c.near)
	return p, err
}

// piece returns a piece of a source. A file that could not be read is tried again once
// the piece has left the cache. The error is that of ctx if it ends before a slot is
// free.
func (s *Shared) piece(ctx context.Context, from source, k key) (piece, error) {
	t := s.kept(k, from)
	select {
	case <-t.ready:
		return t.piece, t.err
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
			t.piece, t.err = from.open(k.place)
		})
	}
	return t.piece, t.err
}

// kept returns the cache entry of a piece, and evicts those not used for longest if
// there are too many.
func (s *Shared) kept(k key, from source) *sharedPiece {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	if t := s.tiles[k]; t != nil {
		t.used = s.clock
		return t
	}
	t := &sharedPiece{used: s.clock, weight: from.weight(), ready: make(chan struct{})}
	for len(s.tiles) > 0 && s.held+t.weight > cacheSize {
		var oldest key
		least := int64(math.MaxInt64)
		for k, t := range s.tiles {
			if t.used < least {
				oldest, least = k, t.used
			}
		}
		s.held -= s.tiles[oldest].weight
		delete(s.tiles, oldest)
	}
	s.held += t.weight
	s.tiles[k] = t
	s.opens++
	return t
}
