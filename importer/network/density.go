package network

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// densityGrid measures the roads around a place, which identifies built-up areas and
// weighs costs in them. It is Valhalla's relative density, in its cells of about 180 m
// and over its discs of about 2 km.
type densityGrid struct {
	metres map[cell]float64
	value  map[cell]uint8
}

// cell is a column and a row of the grid.
type cell struct{ x, y int32 }

const (
	cellBits       = 14 // of a ten-millionth of a degree
	cellDegrees    = float64(1<<cellBits) / 1e7
	degreeKm       = 110.567 // of latitude
	densityDegrees = 2 / degreeKm
	// tileDegrees is the height of Valhalla's local tiles: one width of the disc in
	// degrees is used for a tile.
	tileDegrees = 0.25
	mostDensity = 15
)

func newDensityGrid() *densityGrid {
	return &densityGrid{metres: map[cell]float64{}, value: map[cell]uint8{}}
}

func cellOf(p geo.Fixed) cell {
	return cell{int32((int64(p.Lon) + 180e7) >> cellBits), int32((int64(p.Lat) + 90e7) >> cellBits)}
}

// add counts a piece of road at each of its ends.
func (d *densityGrid) add(from, to geo.Fixed, metres float64) {
	d.metres[cellOf(from)] += metres
	d.metres[cellOf(to)] += metres
}

// row is one row of the grid: its columns in order and the metres before each.
type row struct {
	x   []int32
	sum []float64 // one more than x
}

// columns is the number of columns around the globe.
const columns = int32(360e7>>cellBits) + 1

// around returns the metres in the columns from first to last, which may lie beyond the
// antimeridian.
func (r *row) around(first, last int32) float64 {
	return r.between(first, last) + r.between(first+columns, columns) + r.between(0, last-columns)
}

// between returns the metres in the columns from first to last, none if first is beyond
// last.
func (r *row) between(first, last int32) float64 {
	if first > last {
		return 0
	}
	lo, _ := slices.BinarySearch(r.x, first)
	hi, _ := slices.BinarySearch(r.x, last+1)
	return r.sum[hi] - r.sum[lo]
}

func (d *densityGrid) rows() map[int32]*row {
	cells := make([]cell, 0, len(d.metres))
	for c := range d.metres {
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b cell) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	rows := map[int32]*row{}
	for _, c := range cells {
		r := rows[c.y]
		if r == nil {
			r = &row{sum: []float64{0}}
			rows[c.y] = r
		}
		r.x = append(r.x, c.x)
		r.sum = append(r.sum, r.sum[len(r.sum)-1]+d.metres[c])
	}
	return rows
}

// finish computes the density of every cell with roads.
func (d *densityGrid) finish(ctx context.Context) error {
	rows := d.rows()
	done := 0
	for c := range d.metres {
		if done++; done%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		disc := discAt(c.y)
		sum := 0.0
		for i, half := range disc.half {
			if r := rows[c.y+int32(i-disc.radius)]; r != nil {
				sum += r.around(c.x-half, c.x+half)
			}
		}
		density := sum / 2 / 1000 / disc.km2 // every piece of road was counted twice
		d.value[c] = uint8(math.Min(mostDensity, math.Round(density*0.7)))
	}
	d.metres = nil
	return nil
}

// disc has the rows above and below a cell, and how far each reaches to the left and
// the right.
type disc struct {
	radius int
	half   []int32
	km2    float64
}

func discAt(y int32) disc {
	lat := float64(int64(y)<<cellBits)/1e7 - 90
	middle := (math.Floor(lat/tileDegrees) + 0.5) * tileDegrees
	squeeze := math.Max(0.05, math.Cos(middle*math.Pi/180))
	high, wide := int(math.Ceil(densityDegrees/cellDegrees)), int(math.Ceil(densityDegrees/squeeze/cellDegrees))
	d := disc{radius: high}
	cells := 0
	for dy := -high; dy <= high; dy++ {
		half := int32(-1)
		if left := wide*high - dy*dy; left >= 0 {
			half = min(int32(math.Sqrt(float64(left))), int32(wide))
		}
		d.half = append(d.half, half)
		cells += int(2*half + 1)
	}
	side := cellDegrees * degreeKm
	d.km2 = side * side * squeeze * float64(cells)
	return d
}

// at returns the density around a place, 0 to 15.
func (d *densityGrid) at(p geo.Fixed) uint8 { return d.value[cellOf(p)] }
