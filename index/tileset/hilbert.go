package tileset

import (
	"fmt"
	"math/bits"

	"github.com/waygate/waygate/geo"
)

// ID returns the position of tile z/x/y in an archive: all tiles of lower zooms come
// first, then those of the zoom along a Hilbert curve. It refuses a zoom over MaxZoom
// and a column or row outside 0 to 2^z-1.
func ID(z, x, y int) (uint64, error) {
	if z < 0 || z > MaxZoom {
		return 0, fmt.Errorf("zoom %d is outside 0 to %d", z, MaxZoom)
	}
	if limit := 1<<z - 1; x < 0 || x > limit || y < 0 || y > limit {
		return 0, fmt.Errorf("tile %d/%d/%d: column and row are outside 0 to %d", z, x, y, limit)
	}
	if z == 0 {
		return 0, nil
	}
	return firstID(z) + geo.HilbertCell(uint32(x), uint32(y), z), nil
}

// Tile returns the tile of an id; ids beyond MaxZoom are refused.
func Tile(id uint64) (z, x, y int, err error) {
	if id >= firstID(MaxZoom+1) {
		return 0, 0, 0, fmt.Errorf("tile id %d is beyond zoom %d", id, MaxZoom)
	}
	z = (bits.Len64(3*id+1) - 1) / 2
	along := id - firstID(z)
	var cx, cy uint64
	for s := uint64(1); s < 1<<z; s <<= 1 {
		rx := 1 & (along >> 1)
		ry := 1 & (along ^ rx)
		cx, cy = rotate(s, cx, cy, rx, ry)
		cx += s * rx
		cy += s * ry
		along >>= 2
	}
	return z, int(cx), int(cy), nil
}

// firstID returns the id of the first tile of a zoom: (4^z - 1) / 3.
func firstID(z int) uint64 { return (1<<(2*z) - 1) / 3 }

// rotate turns a quadrant of side s so that the curve enters and leaves it
// where its neighbours do.
func rotate(s, x, y, rx, ry uint64) (uint64, uint64) {
	if ry == 1 {
		return x, y
	}
	if rx == 1 {
		x, y = s-1-x, s-1-y
	}
	return y, x
}
