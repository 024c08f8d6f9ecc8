package clearance

import (
	"math"

	"github.com/waygate/waygate/clearance/artefact"
)

// lookup finds what the summaries of an artefact say of places. It is for one goroutine.
type lookup struct {
	*ground
	cell float64
	kept [64]struct { // summaries of tiles that were looked up, by the last bits of their places
		tx, ty int
		ok     bool
		tile   *summary
	}
}

// tile returns the summary of a tile of level 0; nil where there is none.
func (w *lookup) tile(tx, ty int) *summary {
	k := &w.kept[tx&7|ty&7<<3]
	if !k.ok || k.tx != tx || k.ty != ty {
		k.ok, k.tx, k.ty, k.tile = true, tx, ty, nil
		if key, ok := artefact.KeyOf(0, tx, ty); ok {
			k.tile = w.tiles[key]
		}
	}
	return k.tile
}

// leastAbout returns the least that tiles have on the carriageways so near to a straight part of
// the line, and the least of tiles with foliage; unknown where something is not known, or roads lie
// above one another.
func (w *lookup) leastAbout(from, to at, about float64) (least, foliage uint16) {
	least, foliage = math.MaxUint16, math.MaxUint16
	grid := &w.file.Header.Grid
	edge := w.cell * artefact.TileCells
	endX, endY := floor((max(from.x, to.x)+about-grid.OriginX)/edge), floor((max(from.y, to.y)+about-grid.OriginY)/edge)
	for tx := floor((min(from.x, to.x) - about - grid.OriginX) / edge); tx <= endX; tx++ {
		for ty := floor((min(from.y, to.y) - about - grid.OriginY) / edge); ty <= endY; ty++ {
			t := w.tile(tx, ty)
			if t == nil {
				continue
			}
			if t.above {
				return unknown, unknown
			}
			least = min(least, t.least)
			if t.foliage != 0 {
				foliage = min(foliage, t.least)
			}
		}
	}
	return least, foliage
}

// free reports whether nothing is overhead over the swept width at a place, so that the vehicle
// passes where what is on the carriageways about is known to be as free.
func (w *lookup) free(p at, swept float64) bool {
	grid := &w.file.Header.Grid
	block := w.cell * artefact.BlockCells
	if swept/2 > block*(freeBlocks-sampling/2) {
		return false
	}
	column, row := floor((p.x-grid.OriginX)/block), floor((p.y-grid.OriginY)/block)
	t := w.tile(column>>3, row>>3)
	return t != nil && t.free>>(row&7<<3|column&7)&1 == 1
}

// surfaceWithin bounds the height of the road at a place from the summaries; ok is false where they
// do not show it.
func (w *lookup) surfaceWithin(p at) (low, high float64, ok bool) {
	grid := &w.file.Header.Grid
	x, y := p.x-grid.OriginX, p.y-grid.OriginY
	column, row := floor(x/w.cell), floor(y/w.cell)
	t := w.tile(column>>5, row>>5)
	if t == nil || t.above || t.any[row>>2&7<<3|column>>2&7] <= absent {
		return 0, 0, false
	}
	edge := w.cell * artefact.TileCells
	r := &t.road
	z := float64(r.z) + float64(r.x)*(x-float64(column>>5)*edge) + float64(r.y)*(y-float64(row>>5)*edge)
	return z + float64(r.low), z + float64(r.high), !math.IsInf(float64(r.high), 1)
}
