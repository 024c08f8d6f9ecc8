// Package surroundings finds what lies along a line, from the vector tiles of a region's map.
//
// It reads roads with their numbers, watercourses, parks, settlements and scenery from the layers
// of the Protomaps basemap. Decoded tiles are cached up to a limit. A tile that the archive lacks, or
// that is damaged, is counted and never taken for empty.
package surroundings

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/waygate/waygate/geo"
)

// The zooms that are read: lines and areas are drawn most exactly in the deeper one, and the
// other has the settlements and the scenery of a wide belt in few tiles.
const (
	Detailed = 14
	Wide     = 12
)

// Archive is a region's map: tileset.Reader.
type Archive interface {
	TileIn(ctx context.Context, z, x, y int) (data []byte, ok bool, err error)
}

// cacheBytes is about how much the decoded tiles of one archive take in memory at the most.
const cacheBytes = 32 << 20

// Reader reads the surroundings from an archive. It is safe for concurrent use.
type Reader struct {
	archive Archive

	mu    sync.Mutex
	clock int64
	bytes int
	kept  map[address]*cached
}

// address is where a tile is in the archive, and which of its layers are decoded.
type address struct {
	zoom, x, y int
	scenery    bool
}

type cached struct {
	tile *tile
	used int64
}

// New returns a reader of an archive.
func New(a Archive) *Reader { return &Reader{archive: a, kept: map[address]*cached{}} }

// tile returns a decoded tile, nil if the archive has none.
func (r *Reader) tile(ctx context.Context, at address) (*tile, error) {
	r.mu.Lock()
	if c := r.kept[at]; c != nil {
		r.clock++
		c.used = r.clock
		r.mu.Unlock()
		return c.tile, nil
	}
	r.mu.Unlock()
	data, ok, err := r.archive.TileIn(ctx, at.zoom, at.x, at.y)
	if err != nil || !ok {
		return nil, err
	}
	t, err := decode(data, at)
	if err != nil {
		return nil, fmt.Errorf("tile %d/%d/%d of the map: %w", at.zoom, at.x, at.y, err)
	}
	r.put(at, t)
	return t, nil
}

// put adds a tile to the cache, and evicts those not used for longest.
func (r *Reader) put(at address, t *tile) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept[at] != nil || t.bytes > cacheBytes {
		return
	}
	for r.bytes+t.bytes > cacheBytes {
		var oldest address
		least := int64(math.MaxInt64)
		for a, c := range r.kept {
			if c.used < least {
				oldest, least = a, c.used
			}
		}
		r.bytes -= r.kept[oldest].tile.bytes
		delete(r.kept, oldest)
	}
	r.clock++
	r.bytes += t.bytes
	r.kept[at] = &cached{t, r.clock}
}

// WorldPoint is a place on the map of the world: from 0 to 1 eastwards from the antimeridian and
// southwards from 85.05 degrees north. X is beyond these bounds where a line goes on round
// the globe.
type WorldPoint struct{ X, Y float64 }

// mostLatitude is where the map ends.
const mostLatitude = 85.0511

// equator is the length of the equator in metres on the sphere of package geo.
const equator = 2 * math.Pi * geo.EarthRadius

// WorldPointOf returns where a place is on the map.
func WorldPointOf(p geo.Point) WorldPoint {
	lat := min(max(p.Lat, -mostLatitude), mostLatitude) * math.Pi / 180
	return WorldPoint{p.Lon/360 + 0.5, 0.5 - math.Asinh(math.Tan(lat))/(2*math.Pi)}
}

// UnwrapNear returns the spot in the turn of the globe that brings it nearest to another one.
func (s WorldPoint) UnwrapNear(o WorldPoint) WorldPoint {
	return WorldPoint{s.X - math.Round(s.X-o.X), s.Y}
}

// metresAt returns how many metres the world's map is wide at a spot.
func metresAt(s WorldPoint) float64 { return equator / math.Cosh(2*math.Pi*(0.5-s.Y)) }

// View counts the tiles that one call reads. It is for one goroutine, and for as long as the call.
type View struct {
	Read, Missing int     // tiles; a damaged one is missing
	Damaged       []error // of the first tiles that could not be read
	reader        *Reader
	most          int
	tiles         map[address]*tile // nil for a missing one
	last          address
	at            *tile // the last one
}

// mostDamaged is how many errors of damaged tiles a view collects.
const mostDamaged = 8

// View returns a view that reads a number of tiles at the most; those beyond count as missing.
func (r *Reader) View(most int) *View {
	return &View{reader: r, most: most, tiles: map[address]*tile{}, last: address{zoom: -1}}
}

// tile returns a tile, nil if it is missing. The error is the context's.
func (v *View) tile(ctx context.Context, at address) (*tile, error) {
	across := 1 << at.zoom
	at.x = (at.x%across + across) % across
	if at == v.last {
		return v.at, nil
	}
	t, seen := v.tiles[at]
	if !seen {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if at.y >= 0 && at.y < across && v.Read < v.most {
			var err error
			if t, err = v.reader.tile(ctx, at); err != nil {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if len(v.Damaged) < mostDamaged {
					v.Damaged = append(v.Damaged, err)
				}
			}
		}
		if v.tiles[at] = t; t == nil {
			v.Missing++
		} else {
			v.Read++
		}
	}
	v.last, v.at = at, t
	return t, nil
}

// around calls each for every tile that a box of some metres round a spot touches, with the
// spot in the tile and the length of a metre there, both in parts of a tile. Of what it heeds
// the zoom and the layers. It reports
// whether none of the tiles is missing.
func (v *View) around(ctx context.Context, what address, s WorldPoint, metres float64, each func(t *tile, x, y, metre float64)) (known bool, err error) {
	n := math.Exp2(float64(what.zoom))
	x, y := s.X*n, s.Y*n
	metre := n / metresAt(s)
	known = true
	for ty := int(math.Floor(y - metres*metre)); ty <= int(math.Floor(y+metres*metre)); ty++ {
		for tx := int(math.Floor(x - metres*metre)); tx <= int(math.Floor(x+metres*metre)); tx++ {
			what.x, what.y = tx, ty
			t, err := v.tile(ctx, what)
			if err != nil {
				return false, err
			}
			if t == nil {
				known = false
				continue
			}
			each(t, x-float64(tx), y-float64(ty), metre)
		}
	}
	return known, nil
}

// Near is a piece of a line near a spot.
type Near struct {
	*Feature
	Metres float64 // from the spot
	X, Y   float64 // its direction, of length 1: eastwards and southwards
}

// Near calls each for the pieces of roads and paths that are within ways metres of a spot, and
// for those of watercourses within water metres, each perhaps more than once. It reports whether
// all of the map there could be read; where it could not, watercourses may be lacking.
func (v *View) Near(ctx context.Context, s WorldPoint, ways, water float64, each func(*Near)) (known bool, err error) {
	known, err = v.around(ctx, address{zoom: Detailed}, s, ways, func(t *tile, x, y, metre float64) { t.near(&t.ways, x, y, ways, metre, each) })
	if err != nil || !known {
		return known, err
	}
	return v.around(ctx, address{zoom: Detailed}, s, water, func(t *tile, x, y, metre float64) { t.near(&t.waters, x, y, water, metre, each) })
}

// Within calls each for the parks that a spot lies in. It reports whether the map there could
// be read.
func (v *View) Within(ctx context.Context, s WorldPoint, each func(*Feature)) (known bool, err error) {
	return v.around(ctx, address{zoom: Detailed}, s, 0, func(t *tile, x, y, _ float64) {
		for i := range t.areas {
			if a := &t.areas[i]; a.contains(float32(x), float32(y)) {
				each(&t.features[a.feature])
			}
		}
	})
}

// Crossings calls each for every watercourse that the piece of a line between two spots
// crosses, with how far along it, from 0 to 1. The piece must be short, and belongs to the
// tile of its middle. A line that only touches is not crossed, nor is one that ends within
// loose metres of the crossing, since that may go on below the ground.
func (v *View) Crossings(ctx context.Context, a, b WorldPoint, loose float64, each func(f *Feature, at float64)) (known bool, err error) {
	middle := WorldPoint{(a.X + b.X) / 2, (a.Y + b.Y) / 2}
	n := math.Exp2(Detailed)
	tx, ty := math.Floor(middle.X*n), math.Floor(middle.Y*n)
	return v.around(ctx, address{zoom: Detailed}, middle, 0, func(t *tile, _, _, metre float64) {
		ax, ay, bx, by := a.X*n-tx, a.Y*n-ty, b.X*n-tx, b.Y*n-ty
		seen := map[*segment]bool(nil)
		t.waters.pieces(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), func(g *segment) {
			if seen[g] {
				return
			}
			px, py, qx, qy := float64(g.ax), float64(g.ay), float64(g.bx), float64(g.by)
			// An end on the other line counts for one side of it, so that of two pieces
			// that meet there one crosses.
			first, second := side(px, py, qx, qy, ax, ay), side(px, py, qx, qy, bx, by)
			if (first >= 0) == (second >= 0) || (side(ax, ay, bx, by, px, py) >= 0) == (side(ax, ay, bx, by, qx, qy) >= 0) {
				return
			}
			if seen == nil {
				seen = map[*segment]bool{}
			}
			seen[g] = true
			at := first / (first - second)
			x, y := ax+at*(bx-ax), ay+at*(by-ay)
			if !t.loose(x, y, loose*metre) {
				each(&t.features[g.feature], at)
			}
		})
	})
}

// side is positive if r lies to one side of the line pq and negative if it lies to the other.
func side(px, py, qx, qy, rx, ry float64) float64 { return (qx-px)*(ry-py) - (qy-py)*(rx-px) }

// Place is a settlement.
type Place struct {
	*Feature
	WorldPoint
}

// Places calls each for the settlements within some metres of a spot and for others beyond,
// of the same tiles. Every place comes once for each tile that a view has not looked at
// before by this method.
func (v *View) Places(ctx context.Context, s WorldPoint, metres float64, looked map[[2]int]bool, each func(Place)) error {
	n := math.Exp2(Wide)
	x, y, reach := s.X*n, s.Y*n, metres*n/metresAt(s)
	for ty := int(math.Floor(y - reach)); ty <= int(math.Floor(y+reach)); ty++ {
		for tx := int(math.Floor(x - reach)); tx <= int(math.Floor(x+reach)); tx++ {
			if looked[[2]int{tx, ty}] {
				continue
			}
			looked[[2]int{tx, ty}] = true
			t, err := v.tile(ctx, address{zoom: Wide, x: tx, y: ty})
			if err != nil {
				return err
			}
			if t == nil {
				continue
			}
			for i := range t.points {
				p := &t.points[i]
				each(Place{&t.features[p.feature], WorldPoint{(float64(tx) + float64(p.x)) / n, (float64(ty) + float64(p.y)) / n}})
			}
		}
	}
	return nil
}

// MetresBetween returns the distance of two spots that are at most some kilometres apart.
func MetresBetween(a, b WorldPoint) float64 {
	return math.Hypot(a.X-b.X, a.Y-b.Y) * metresAt(WorldPoint{Y: (a.Y + b.Y) / 2})
}

// Order compares places by their names and spots.
func (p Place) Order(o Place) int {
	return cmp.Or(cmp.Compare(p.Name, o.Name), cmp.Compare(p.X, o.X), cmp.Compare(p.Y, o.Y))
}
