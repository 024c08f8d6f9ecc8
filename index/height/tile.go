// Package height reads the heights of the ground from SRTM tiles (.hgt), GeoTIFF
// files and terrain tiles in PMTiles archives, and writes SRTM tiles.
//
// An SRTM tile covers one degree of latitude and longitude and is named after its
// south-western corner, as N51W003. It holds the heights of a square grid of
// points, rows from north to south and in each from west to east, the first
// and last of them on the edges of the tile: 3601 to a side (one arc second)
// or 1201 (three). A height is a big-endian int16 in metres above the geoid.
package height

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/waygate/waygate/geo"
)

// The points to a side of the two kinds of tile.
const (
	ArcSecond       = 3601
	ThreeArcSeconds = 1201
)

// Void is the value of a point whose height is unknown.
const Void = -32768

// No ground of the Earth is outside these heights: a value outside is a void that was
// written differently.
const (
	lowest  = -1000
	highest = 9000
)

// Tile has the heights of one degree square. It is immutable.
type Tile struct {
	corner Corner
	side   int
	data   []byte
}

// Parse makes a tile of the content of an .hgt file, which it keeps.
func Parse(corner Corner, data []byte) (*Tile, error) {
	for _, side := range [...]int{ArcSecond, ThreeArcSeconds} {
		if len(data) == bytesOf(side) {
			return &Tile{corner, side, data}, nil
		}
	}
	return nil, fmt.Errorf("it holds %d bytes of heights, want %d (%[3]d x %[3]d points) or %d (%[5]d x %[5]d)",
		len(data), bytesOf(ThreeArcSeconds), ThreeArcSeconds, bytesOf(ArcSecond), ArcSecond)
}

func bytesOf(side int) int { return 2 * side * side }

// Corner returns the south-western corner.
func (t *Tile) Corner() Corner { return t.corner }

// Side returns the number of points to a side.
func (t *Tile) Side() int { return t.side }

// at returns the height of a grid point; not ok for a void.
func (t *Tile) at(row, col int) (metres float64, ok bool) {
	v := int16(binary.BigEndian.Uint16(t.data[2*(row*t.side+col):]))
	return float64(v), v >= lowest && v <= highest
}

// Height interpolates the height in metres of a place on the tile between the four grid
// points around it. Voids are left out; it is not ok if all that count are void, or if
// the place lies elsewhere.
func (t *Tile) Height(p geo.Point) (metres float64, ok bool) {
	steps := float64(t.side - 1)
	x := (p.Lon - float64(t.corner.Lon)) * steps
	y := (float64(t.corner.Lat) + 1 - p.Lat) * steps
	if !(x >= 0 && y >= 0 && x <= steps && y <= steps) {
		return 0, false
	}
	col, row := min(int(x), t.side-2), min(int(y), t.side-2)
	metres, ok, _ = blend(x-float64(col), y-float64(row), func(dx, dy int) (float64, bool, error) {
		h, known := t.at(row+dy, col+dx)
		return h, known, nil
	})
	return metres, ok
}

// blend interpolates a height between four grid points, which at returns; fx and fy are
// how far east and south of the north-western point the place lies, in parts of the way
// to the next. Voids are left out; it is not ok if all that count are void.
func blend(fx, fy float64, at func(dx, dy int) (metres float64, ok bool, err error)) (metres float64, ok bool, err error) {
	sum, weight := 0.0, 0.0
	for i, w := range [...]float64{(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy} {
		if w == 0 {
			continue
		}
		h, known, err := at(i%2, i/2)
		if err != nil {
			return 0, false, err
		}
		if known {
			sum, weight = sum+h*w, weight+w
		}
	}
	// A tiny weight means that only the far side has heights: the place lies among
	// voids.
	if weight < 1e-9 {
		return 0, false, nil
	}
	return sum / weight, true, nil
}

// Draw makes the content of an .hgt file from a function that returns the height in
// metres of a place; not ok is a void.
func Draw(corner Corner, side int, height func(geo.Point) (metres float64, ok bool)) []byte {
	data := make([]byte, 0, bytesOf(side))
	for row := range side {
		lat := float64(corner.Lat) + 1 - float64(row)/float64(side-1)
		for col := range side {
			v := int16(Void)
			if h, ok := height(geo.Point{Lon: float64(corner.Lon) + float64(col)/float64(side-1), Lat: lat}); ok {
				v = int16(math.Round(min(highest, max(lowest, h))))
			}
			data = binary.BigEndian.AppendUint16(data, uint16(v))
		}
	}
	return data
}
