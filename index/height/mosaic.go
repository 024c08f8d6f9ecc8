package height

import (
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/height/geotiff"
)

// mosaic is a set of GeoTIFF files side by side. None stays open.
type mosaic struct {
	grids []grid
	on    map[Corner][]int32 // grids that touch a square of a degree
}

type grid struct {
	*geotiff.Grid
	path string
}

// mostSquares is the most squares of a degree that one file may touch: the globe has
// that many.
const mostSquares = 360 * 180

// add reads the description of a file's grid.
func (m *mosaic) add(path string) error {
	var g *geotiff.Grid
	err := reading(path, func(f *os.File, size int64) (err error) {
		g, err = geotiff.Read(f, size)
		return err
	})
	if err != nil {
		return fmt.Errorf("heights %s: %w", path, err)
	}
	n := int32(len(m.grids))
	m.grids = append(m.grids, grid{g, path})
	west, north := g.West-g.StepLon/2, g.North+g.StepLat/2
	east, south := west+float64(g.Width)*g.StepLon, north-float64(g.Height)*g.StepLat
	touched := 0
	for lat := math.Floor(max(south, -90)); lat < min(north, 90); lat++ {
		for lon := math.Floor(west); lon < east && touched < mostSquares; lon++ {
			c := CornerOf(geo.Point{Lon: math.Mod(lon+540, 360) - 180, Lat: lat})
			m.on[c] = append(m.on[c], n)
			touched++
		}
	}
	return nil
}

// reading opens a file while use runs.
func reading(path string, use func(f *os.File, size int64) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		err = use(f, info.Size())
	}
	return errors.Join(err, f.Close())
}

func (m *mosaic) files(c Corner) (paths []string) {
	for _, n := range m.on[c] {
		paths = append(paths, m.grids[n].path)
	}
	return paths
}

// holder finds the first grid that contains a place. A grid from 0 to 360 degrees has
// the western half as its east.
func (m *mosaic) holder(p geo.Point) (n int, lon float64, ok bool) {
	for _, n := range m.on[CornerOf(p)] {
		for _, lon := range [...]float64{p.Lon, p.Lon + 360} {
			if m.grids[n].Holds(lon, p.Lat) {
				return int(n), lon, true
			}
		}
	}
	return 0, 0, false
}

func (m *mosaic) find(p geo.Point) (k [3]int32, ok bool) {
	n, lon, ok := m.holder(p)
	if !ok {
		return k, false
	}
	g := m.grids[n]
	x, y := g.Pixel(lon, p.Lat)
	block, _ := g.Block(inside(x, g.Width), inside(y, g.Height))
	return [3]int32{int32(n), int32(block)}, true
}

// inside returns the pixel nearest to a coordinate.
func inside(x float64, n int) int { return min(max(int(math.Round(x)), 0), n-1) }

// pixels are the heights of a block.
type pixels []float32

// weight returns the weight of the largest block.
func (m *mosaic) weight() float64 {
	most := 0
	for _, g := range m.grids {
		most = max(most, g.BlockWidth*g.BlockHeight)
	}
	return weightOf(4 * most)
}

func (m *mosaic) open(k [3]int32) (piece, error) {
	g := m.grids[k[0]]
	var all pixels
	err := reading(g.path, func(f *os.File, size int64) (err error) {
		all, err = g.Heights(f, size, int(k[1]))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("heights %s: %w", g.path, err)
	}
	return all, nil
}

// height interpolates between the four pixels around a place. Pixels beyond a file's
// edge come from its neighbour.
func (m *mosaic) height(c *cursor, p geo.Point) (metres float64, ok bool, err error) {
	n, lon, ok := m.holder(p)
	if !ok {
		return 0, false, nil
	}
	g := m.grids[n]
	x, y := g.Pixel(lon, p.Lat)
	col, row := int(math.Floor(x)), int(math.Floor(y))
	return blend(x-float64(col), y-float64(row), func(dx, dy int) (float64, bool, error) {
		col, row := col+dx, row+dy
		if col >= 0 && row >= 0 && col < g.Width && row < g.Height {
			return m.pixel(c, n, col, row)
		}
		at := geo.Point{Lon: g.West + float64(col)*g.StepLon, Lat: g.North - float64(row)*g.StepLat}
		if at.Lon >= 180 {
			at.Lon -= 360
		}
		if at.Lon < -180 {
			at.Lon += 360
		}
		if at.Lat > 90 || at.Lat < -90 {
			return 0, false, nil
		}
		other, lon, ok := m.holder(at)
		if !ok {
			return 0, false, nil
		}
		o := m.grids[other]
		x, y := o.Pixel(lon, at.Lat)
		return m.pixel(c, other, inside(x, o.Width), inside(y, o.Height))
	})
}

func (m *mosaic) pixel(c *cursor, n, col, row int) (metres float64, ok bool, err error) {
	block, at := m.grids[n].Block(col, row)
	p, err := c.piece(m, [3]int32{int32(n), int32(block)})
	all, _ := p.(pixels)
	if err != nil || at >= len(all) {
		return 0, false, err
	}
	v := float64(all[at])
	return v, v >= lowest && v <= highest, nil
}
