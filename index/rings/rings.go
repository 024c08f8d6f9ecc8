// Package rings finds the areas that a place lies in by their borders: a ray from the
// place to the west crosses the border of an area an odd number of times if the place
// lies inside. Borders are stored in bands of latitude, so that a place only tests
// those of its own band.
package rings

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Piece is a straight piece of a border, from a corner to the next one, with its owner.
type Piece struct {
	From  uint32 // index of a corner
	Owner uint32
}

// Index is immutable and safe for concurrent use.
type Index struct {
	Corners []geo.Fixed
	Rows    []uint32 // first piece of each band; one more than there are bands
	Pieces  []Piece  // by band, in each by their western ends; one that touches several bands is in all
	Grid    []int32  // the south of the first band and the height of each, in units of geo.Fixed; nothing without pieces
}

// Limits of the band entries: for each piece, and for small indexes. Beyond them, bands
// are made higher.
const mostForPiece, mostFree = 4, 1 << 20

// world is from the south pole to the north pole, in units of geo.Fixed.
const world = 1_800_000_000

// hair keeps places off the poles and the antimeridian, which are the borders
// of what lies there, in units of geo.Fixed.
const hair = 10

// New puts the pieces between corners into bands of so many units of geo.Fixed, or
// twice that, or four times …. Pieces along a latitude are left out: no ray crosses
// them.
func New(corners []geo.Fixed, pieces []Piece, height int32) *Index {
	x := &Index{Corners: corners, Rows: []uint32{0}}
	south, north := int32(math.MaxInt32), int32(math.MinInt32)
	pieces = slices.DeleteFunc(slices.Clone(pieces), func(p Piece) bool {
		a, b := corners[p.From].Lat, corners[p.From+1].Lat
		south, north = min(south, a, b), max(north, a, b)
		return a == b
	})
	if len(pieces) == 0 {
		return x
	}
	for ; height < world; height *= 2 {
		x.Grid = []int32{south, height}
		n := 0
		for _, p := range pieces {
			first, last := x.span(p)
			n += last - first + 1
		}
		if n <= mostFree+mostForPiece*len(pieces) || height > world/2 {
			break
		}
	}
	// A counting sort: first how many each band has, then where each begins.
	x.Rows = make([]uint32, x.row(north)+2)
	for _, p := range pieces {
		for first, last := x.span(p); first <= last; first++ {
			x.Rows[first+1]++
		}
	}
	for i := 1; i < len(x.Rows); i++ {
		x.Rows[i] += x.Rows[i-1]
	}
	x.Pieces = make([]Piece, x.Rows[len(x.Rows)-1])
	next := slices.Clone(x.Rows)
	for _, p := range pieces {
		for first, last := x.span(p); first <= last; first++ {
			x.Pieces[next[first]] = p
			next[first]++
		}
	}
	for i := 1; i < len(x.Rows); i++ {
		slices.SortStableFunc(x.Pieces[x.Rows[i-1]:x.Rows[i]], func(a, b Piece) int { return cmp.Compare(x.west(a), x.west(b)) })
	}
	return x
}

func (x *Index) west(p Piece) int32 { return min(x.Corners[p.From].Lon, x.Corners[p.From+1].Lon) }

// row returns the band of a latitude at or above the south of the first.
func (x *Index) row(lat int32) int { return int((int64(lat) - int64(x.Grid[0])) / int64(x.Grid[1])) }

func (x *Index) span(p Piece) (first, last int) {
	a, b := x.Corners[p.From].Lat, x.Corners[p.From+1].Lat
	return x.row(min(a, b)), x.row(max(a, b))
}

// Check refuses an index whose parts do not fit each other, or with an owner of owners
// or above.
func (x *Index) Check(owners int) error {
	if len(x.Rows) == 0 || x.Rows[0] != 0 || !slices.IsSorted(x.Rows) || int(x.Rows[len(x.Rows)-1]) != len(x.Pieces) {
		return fmt.Errorf("its bands do not hold its %d borders", len(x.Pieces))
	}
	if len(x.Grid) != 2 && (len(x.Grid) > 0 || len(x.Pieces) > 0) || len(x.Grid) == 2 && x.Grid[1] <= 0 {
		return fmt.Errorf("its bands have no height")
	}
	for _, p := range x.Pieces {
		if int64(p.From)+1 >= int64(len(x.Corners)) || int64(p.Owner) >= int64(owners) {
			return fmt.Errorf("a border leads from corner %d of %d and is that of %d of %d", p.From, len(x.Corners), p.Owner, owners)
		}
	}
	return nil
}

// Crossed calls yield with the owner of each piece that a ray from a place to
// the west crosses.
func (x *Index) Crossed(p geo.Point, yield func(owner uint32)) {
	at := p.Fix()
	at.Lon = max(at.Lon, -world+hair)
	at.Lat = min(max(at.Lat, -world/2+hair), world/2-hair)
	if len(x.Grid) == 0 || at.Lat < x.Grid[0] {
		return
	}
	row := x.row(at.Lat)
	if row+1 >= len(x.Rows) {
		return
	}
	for _, piece := range x.Pieces[x.Rows[row]:x.Rows[row+1]] {
		a, b := x.Corners[piece.From], x.Corners[piece.From+1]
		if a.Lon > at.Lon && b.Lon > at.Lon {
			return // all later pieces begin further east
		}
		// The lower end of a piece counts and the upper one does not, so that none
		// counts twice.
		if (a.Lat > at.Lat) == (b.Lat > at.Lat) {
			continue
		}
		if west(a, b, at) {
			yield(piece.Owner)
		}
	}
}

// west reports whether the line through two corners passes west of a place at
// its latitude. It is exact, so that a border there and back, or one that two
// areas have in opposite directions, is crossed twice or not at all.
func west(a, b, at geo.Fixed) bool {
	if a.Lat > b.Lat {
		a, b = b, a
	}
	return (int64(at.Lat)-int64(a.Lat))*(int64(b.Lon)-int64(a.Lon)) < (int64(at.Lon)-int64(a.Lon))*(int64(b.Lat)-int64(a.Lat))
}
