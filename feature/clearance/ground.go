package clearance

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/geo"
)

// blocks is how many blocks a tile has.
const (
	blockRow = artefact.TileCells / artefact.BlockCells
	blocks   = blockRow * blockRow
)

// mostTiles bounds the tiles of all artefacts, whose summaries are kept in memory: about 300
// bytes for each, of 8 m of a road in cells of 0.25 m.
const mostTiles = 1 << 20

// Values of blocks besides centimetres.
const (
	unknown uint16 = 0 // something in the block is not known
	absent  uint16 = 1 // it has no cell
)

// summary summarises the blocks of a tile: the least safe headroom in centimetres,
// rounded down; that of nothing overhead is the ceiling.
type summary struct {
	any     [blocks]uint16 // of all cells, which a block must have to the last
	lane    [blocks]uint16 // of cells of carriageways
	foliage uint64         // blocks with foliage, a bit for each
	free    uint64         // blocks about which nothing is overhead, as far as freeBlocks
	road    slope
	least   uint16  // of lane, where it is not absent
	above   bool    // there is a level above, or heights of the road jump: one may be missing
	low     float32 // least and greatest height of the road
	high    float32
}

// freeBlocks is how far on each side of a block nothing is overhead, in blocks.
const freeBlocks = 2

// slope is a plane between two heights from which all of a tile's road is, in metres.
type slope struct {
	z, x, y   float32 // height in the south-west corner of the tile, and rise for a metre
	low, high float32 // from the plane; infinite where a known cell has no height
}

// mostRise is by how much, in metres, roads rise at most within a tile of 8 m, and mostRiseBeside
// within two that touch. Where they differ by more, one road lies above another.
const mostRise, mostRiseBeside = 2.5, 5.0

// ground is an artefact with summaries in memory. It is immutable.
type ground struct {
	file    *artefact.File
	tiles   map[artefact.Key]*summary // of level 0, and of the levels above
	layers  bool                      // some tile is above
	coarse  map[[2]int32]bool         // squares of coarseMetres with tiles in them or next to them
	bounds  geo.Bounds
	from    time.Time // first day of the surveys
	to      time.Time // last day
	leaves  time.Time // first day of the oldest survey that may show foliage
	sources []string  // SHA-256
}

// coarseMetres is the edge of squares by which stretches without any survey are passed over.
const coarseMetres = 256

// open reads an artefact as a whole, checks it and summarises it.
func open(ctx context.Context, from io.ReaderAt, size int64, room int) (*ground, error) {
	f, err := artefact.Open(from, size)
	if err != nil {
		return nil, err
	}
	if f.Tiles > room {
		return nil, fmt.Errorf("it has %d tiles; all artefacts together may have %d, of which %d are left", f.Tiles, mostTiles, room)
	}
	if f.Header.Ceiling > mostCeiling {
		return nil, fmt.Errorf("its ceiling_m is %v; the limit is %v", f.Header.Ceiling, mostCeiling)
	}
	g := &ground{file: f, tiles: make(map[artefact.Key]*summary, f.Tiles), coarse: map[[2]int32]bool{}, bounds: geo.NoBounds()}
	if err := f.Verify(ctx, func(int, int) {}); err != nil {
		return nil, err
	}
	if err := f.Each(ctx, g.add); err != nil {
		return nil, err
	}
	g.widen()
	g.from, _ = time.Parse(time.DateOnly, f.Header.From) // both were checked
	g.to, _ = time.Parse(time.DateOnly, f.Header.To)
	g.leaves = g.to
	for _, s := range f.Header.Sources {
		g.sources = append(g.sources, s.SHA256)
		if day, err := time.Parse(time.DateOnly, s.From); s.Kind == "cloud" && (err != nil || day.Before(g.leaves)) {
			g.leaves = day // where it cannot be read, so long ago that all has grown
		}
	}
	return g, g.locate()
}

// mostCeiling is the highest ceiling that values in centimetres can say.
const mostCeiling = 600.0

// add summarises a tile.
func (g *ground) add(e artefact.Entry, t *artefact.Tile) error {
	s := emptySummary()
	g.summarise(s, t)
	s.above = s.high-s.low > mostRise
	lowest, _ := artefact.KeyOf(0, e.Key.X(), e.Key.Y())
	if e.Key.Level() > 0 {
		if g.tiles[lowest] == nil { // which there ought to be
			g.tiles[lowest] = emptySummary()
		}
		g.tiles[lowest].above = true
	}
	if e.Key.Level() == 0 && g.tiles[e.Key] != nil {
		s.above = s.above || g.tiles[e.Key].above
	}
	g.tiles[e.Key] = s
	edge := g.file.Header.Grid.Cell * artefact.TileCells
	x, y := g.square((float64(e.Key.X())+0.5)*edge), g.square((float64(e.Key.Y())+0.5)*edge)
	for dx := int32(-1); dx <= 1; dx++ {
		for dy := int32(-1); dy <= 1; dy++ {
			g.coarse[[2]int32{x + dx, y + dy}] = true
		}
	}
	return nil
}

// widen makes the value of each block the least of its own and its neighbours', so that what is
// within a block's edge of a place is known from the block at the place.
func (g *ground) widen() {
	ceiling := centimetres(g.file.Header.Ceiling)
	wide := make(map[artefact.Key]summary, len(g.tiles))
	for key, s := range g.tiles {
		if key.Level() > 0 {
			continue
		}
		out := *s
		var around [3][3]*summary
		for i := range 3 {
			for j := range 3 {
				if k, ok := artefact.KeyOf(0, key.X()+i-1, key.Y()+j-1); ok {
					around[i][j] = g.tiles[k]
				}
				if t := around[i][j]; t != nil && (t.above || max(s.high, t.high)-min(s.low, t.low) > mostRiseBeside) {
					out.above = true
				}
			}
		}
		for b := range blocks {
			for dx := -1; dx <= 1; dx++ {
				for dy := -1; dy <= 1; dy++ {
					x, y := b%blockRow+dx+blockRow, b/blockRow+dy+blockRow
					t, n := around[x/blockRow][y/blockRow], y%blockRow*blockRow+x%blockRow
					if t == nil || t.any[n] == absent { // the hole may be as large as a block
						if s.lane[b] != absent {
							out.lane[b] = unknown
						}
						continue
					}
					if v := t.any[n]; v != absent && out.any[b] != absent {
						out.any[b] = min(out.any[b], v)
					}
					if v := t.lane[n]; v != absent && (out.lane[b] == absent || v < out.lane[b]) {
						out.lane[b] = v
					}
					out.foliage |= t.foliage >> n & 1 << b
				}
			}
			if freeAbout(&around, b, ceiling) {
				out.free |= 1 << b
			}
		}
		for b := range blocks {
			if out.lane[b] == unknown {
				out.least = unknown
			}
		}
		wide[key] = out
	}
	for key, s := range wide {
		*g.tiles[key] = s
		g.layers = g.layers || s.above
	}
}

// freeAbout reports whether nothing is overhead about a block of the middle one of some tiles.
func freeAbout(around *[3][3]*summary, b int, ceiling uint16) bool {
	for dx := -freeBlocks; dx <= freeBlocks; dx++ {
		for dy := -freeBlocks; dy <= freeBlocks; dy++ {
			x, y := b%blockRow+dx+blockRow, b/blockRow+dy+blockRow
			if t := around[x/blockRow][y/blockRow]; t == nil || t.any[y%blockRow*blockRow+x%blockRow] != ceiling {
				return false
			}
		}
	}
	return true
}

// square returns the coarse square of a coordinate from the grid's origin.
func (g *ground) square(v float64) int32 { return int32(math.Floor(v / coarseMetres)) }

// near reports whether a position of the survey's system is near any tile.
func (g *ground) near(x, y float64) bool {
	return g.coarse[[2]int32{g.square(x - g.file.Header.Grid.OriginX), g.square(y - g.file.Header.Grid.OriginY)}]
}

func emptySummary() *summary {
	s := &summary{least: math.MaxUint16, low: float32(math.Inf(1)), high: float32(math.Inf(-1))}
	for b := range s.any {
		s.any[b], s.lane[b] = absent, absent
	}
	return s
}

func (g *ground) summarise(s *summary, t *artefact.Tile) {
	ceiling := centimetres(g.file.Header.Ceiling)
	var cells [blocks]int
	fit := planeFit{cell: g.file.Header.Grid.Cell}
	for b := range s.any {
		s.any[b], s.lane[b] = math.MaxUint16, absent
	}
	for row := range artefact.TileCells {
		for column := range artefact.TileCells {
			c, ok := t.Cell(column, row)
			if !ok {
				continue
			}
			b := row/artefact.BlockCells*blockRow + column/artefact.BlockCells
			cells[b]++
			if !math.IsNaN(c.Surface) {
				s.low, s.high = min(s.low, float32(c.Surface)), max(s.high, float32(c.Surface))
				fit.add(column, row, &c)
			} else if c.State() == artefact.Measured {
				fit.unknown = true
			}
			v := unknown
			switch c.State() {
			case artefact.Free:
				v = ceiling
			case artefact.Measured:
				v = centimetres(c.Safe())
			}
			if c.Kind == artefact.Foliage {
				s.foliage |= 1 << b
			}
			s.any[b] = min(s.any[b], v)
			if c.Lane > 0 && (s.lane[b] == absent || v < s.lane[b]) {
				s.lane[b] = v
			}
		}
	}
	s.road = fit.slope()
	s.least = math.MaxUint16
	for b, n := range cells {
		if s.lane[b] != absent {
			if n < artefact.BlockCells*artefact.BlockCells { // there may be a hole in the carriageway
				s.lane[b] = unknown
			}
			s.least = min(s.least, s.lane[b])
		}
		switch n {
		case 0:
			s.any[b] = absent
		case artefact.BlockCells * artefact.BlockCells:
		default:
			s.any[b] = unknown
		}
	}
}

// centimetres rounds metres down to whole centimetres above the special values.
func centimetres(m float64) uint16 {
	return uint16(max(float64(absent)+1, min(math.MaxUint16-1, math.Floor(m*100+1e-9))))
}

// locate finds the bounds in degrees, some metres wider than the tiles.
func (g *ground) locate() error {
	const margin, points = 50.0, 8 // lines of a grid are no lines of degrees
	grid := &g.file.Header.Grid
	if len(g.tiles) == 0 {
		return nil
	}
	for i := range points + 1 {
		for j := range points + 1 {
			x := grid.MinX - margin + (grid.MaxX-grid.MinX+2*margin)*float64(i)/points
			y := grid.MinY - margin + (grid.MaxY-grid.MinY+2*margin)*float64(j)/points
			lat, lon, err := g.file.Unproject(x, y)
			if err != nil {
				return fmt.Errorf("its tiles are not in its reference system: %w", err)
			}
			g.bounds = g.bounds.Extend(geo.Point{Lat: lat, Lon: lon})
		}
	}
	return nil
}

// builtFrom reports whether all sources are among some SHA-256.
func (g *ground) builtFrom(declared map[string]bool) bool {
	for _, sum := range g.sources {
		if !declared[sum] {
			return false
		}
	}
	return len(g.sources) > 0
}
