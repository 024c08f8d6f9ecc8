package network

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// densityGrid measures kilometres of road per square kilometre, by which
// built-up areas are told where no tag does. It sums the lengths in cells of
// about a kilometre and looks at five by five of them, as near to a circle of
// two kilometres as cells come.
type densityGrid struct {
	metres map[[2]int32]float64
	urban  map[[2]int32]bool
}

const (
	cellDegrees = 0.009 // one kilometre of latitude
	// denseRoads is the density that counts as built up, after Valhalla's
	// relative density of 8, which is 0.7 times the density.
	denseRoads = 8 / 0.7
)

func newDensityGrid() *densityGrid {
	return &densityGrid{metres: map[[2]int32]float64{}, urban: map[[2]int32]bool{}}
}

func cellOf(p geo.Fixed) [2]int32 {
	q := p.Point()
	// Columns are as wide as the middle of their own degree of latitude asks.
	width := cellDegrees / math.Max(0.05, math.Cos((math.Floor(q.Lat)+0.5)*math.Pi/180))
	return [2]int32{int32(math.Floor(q.Lon / width)), int32(math.Floor(q.Lat / cellDegrees))}
}

func (d *densityGrid) add(a, b geo.Fixed) {
	d.metres[cellOf(a)] += geo.Distance(a.Point(), b.Point())
}

func (d *densityGrid) finish() {
	for cell := range d.metres {
		sum := 0.0
		for x := int32(-2); x <= 2; x++ {
			for y := int32(-2); y <= 2; y++ {
				sum += d.metres[[2]int32{cell[0] + x, cell[1] + y}]
			}
		}
		if sum/1000/25 > denseRoads {
			d.urban[cell] = true
		}
	}
}

func (d *densityGrid) dense(p geo.Fixed) bool { return d.urban[cellOf(p)] }
