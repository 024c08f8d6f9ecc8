package artefact

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
)

// Key names a tile: its level and its place in the grid. Keys sort along a Z-order curve,
// so that tiles that are near each other are often near each other in the file.
type Key uint64

// Tiles are within this of the grid's origin, in tiles.
const reach = 1 << 27

// MostLevel is the highest level. Level 0 has the lowest road at a place, and each further
// level a road that passes above, as on a bridge.
const MostLevel = 7

// KeyOf returns the key of a tile; ok is false if there can be none.
func KeyOf(level, tx, ty int) (k Key, ok bool) {
	if level < 0 || level > MostLevel || tx < -reach || tx >= reach || ty < -reach || ty >= reach {
		return 0, false
	}
	return Key(uint64(level)<<56 | spread(uint64(tx+reach)) | spread(uint64(ty+reach))<<1), true
}

// Level is 0 for the lowest road.
func (k Key) Level() int { return int(k >> 56) }

// X returns the column of the tile: cells from X * TileCells on.
func (k Key) X() int { return int(gather(uint64(k)&(1<<56-1))) - reach }

// Y returns the row of the tile.
func (k Key) Y() int { return int(gather(uint64(k)&(1<<56-1)>>1)) - reach }

// spread puts a zero between the bits of a number of 28 bits.
func spread(v uint64) uint64 {
	v = (v | v<<16) & 0x0000ffff0000ffff
	v = (v | v<<8) & 0x00ff00ff00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f0f0f0f0f
	v = (v | v<<2) & 0x3333333333333333
	return (v | v<<1) & 0x5555555555555555
}

// gather returns the inverse of spread.
func gather(v uint64) uint64 {
	v &= 0x5555555555555555
	v = (v | v>>1) & 0x3333333333333333
	v = (v | v>>2) & 0x0f0f0f0f0f0f0f0f
	v = (v | v>>4) & 0x00ff00ff00ff00ff
	v = (v | v>>8) & 0x0000ffff0000ffff
	return (v | v>>16) & 0x00000000ffffffff
}

// BlockCells is how many cells the edge of a block has. A tile has 8 by 8 blocks; the one
// in column i and row j is bit 8*j+i of the summaries.
const BlockCells = 4

// Entry is the index's entry of a tile, enough to pass over tiles without obstacles.
type Entry struct {
	Key Key
	// Near has the blocks in which the tile has any cell.
	Near uint64
	// Clear has the blocks all of whose cells that the tile has are Free.
	Clear uint64
	// Lowest is the least Safe headroom of the tile's cells that are Measured; +Inf for none.
	Lowest float64
	// Low and High are the least and the greatest height of the road; NaN for none.
	Low, High float64
	offset    int64
	size      uint32
	sum       uint32
}

func (e *Entry) append(dst []byte) []byte {
	dst = le.AppendUint64(le.AppendUint64(dst, uint64(e.Key)), uint64(e.offset))
	dst = le.AppendUint32(le.AppendUint32(dst, e.size), e.sum)
	dst = le.AppendUint64(le.AppendUint64(dst, e.Near), e.Clear)
	for _, v := range []float64{e.Lowest, e.Low, e.High} {
		dst = le.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}

func (f *File) readEntry(b []byte) (Entry, error) {
	float := func(at int) float64 { return math.Float64frombits(le.Uint64(b[at:])) }
	e := Entry{
		Key: Key(le.Uint64(b)), offset: int64(le.Uint64(b[8:])), size: le.Uint32(b[16:]), sum: le.Uint32(b[20:]),
		Near: le.Uint64(b[24:]), Clear: le.Uint64(b[32:]), Lowest: float(40), Low: float(48), High: float(56),
	}
	if e.size < bitmapSize || e.size > MostTileBytes || (e.size-bitmapSize)%cellSize != 0 || e.offset < preambleSize || e.offset > f.end-int64(e.size) {
		return e, fmt.Errorf("tile %d/%d/%d claims %d bytes at byte %d; it must have %d to %d before the index at byte %d",
			e.Key.Level(), e.Key.X(), e.Key.Y(), e.size, e.offset, bitmapSize, MostTileBytes, f.end)
	}
	return e, nil
}

// Tile has the cells of a square. It is read-only.
type Tile struct {
	Key  Key
	data []byte
	// before are how many cells there are in the rows before each.
	before [TileCells]int
}

var errTile = errors.New("number of cells is not as its bitmap says")

// newTile takes the bytes of a tile.
func newTile(k Key, data []byte) (*Tile, error) {
	t := &Tile{Key: k, data: data}
	n := 0
	for row := range TileCells {
		t.before[row] = n
		n += bits.OnesCount32(t.row(row))
	}
	if bitmapSize+n*cellSize != len(data) {
		return nil, errTile
	}
	return t, nil
}

func (t *Tile) row(j int) uint32 { return le.Uint32(t.data[4*j:]) }

// Cell returns the cell in a column and a row of the tile, both from 0 to TileCells-1; ok
// is false if the tile has none there.
func (t *Tile) Cell(column, row int) (c Cell, ok bool) {
	if uint(column) >= TileCells || uint(row) >= TileCells {
		return c, false
	}
	r := t.row(row)
	if r>>column&1 == 0 {
		return c, false
	}
	at := t.before[row] + bits.OnesCount32(r&(1<<column-1))
	return readCell(t.data[bitmapSize+at*cellSize:]), true
}

// summarise fills in what the index says about a tile.
func (e *Entry) summarise(t *Tile) {
	e.Near, e.Clear, e.Lowest, e.Low, e.High = 0, 0, math.Inf(1), math.NaN(), math.NaN()
	notClear := uint64(0)
	for row := range TileCells {
		for column := range TileCells {
			c, ok := t.Cell(column, row)
			if !ok {
				continue
			}
			block := uint64(1) << (row/BlockCells*TileCells/BlockCells + column/BlockCells)
			e.Near |= block
			state := c.State()
			if state != Free {
				notClear |= block
			}
			if state == Measured {
				e.Lowest = min(e.Lowest, c.Safe())
			}
			if c.Flags&Surveyed != 0 {
				if !(c.Surface >= e.Low) {
					e.Low = c.Surface
				}
				if !(c.Surface <= e.High) {
					e.High = c.Surface
				}
			}
		}
	}
	e.Clear = e.Near &^ notClear
}

func sum(b []byte) uint32 { return crc32.Checksum(b, table) }
