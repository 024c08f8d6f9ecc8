package build

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/feature/coordinates"
)

// TestHalo checks that each place in a part or so near to it that its returns matter there,
// and no farther than that from what a road has cells for, is near.
func TestHalo(t *testing.T) {
	plane, err := coordinates.PlaneOf(32630)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	for _, cell := range []float64{0.1, 0.25, 0.3, 0.5} {
		b := &builder{o: &Options{}, plane: plane, parts: map[partKey]*part{}}
		b.o.Cell = cell
		b.grid = artefact.Grid{OriginX: 1000, OriginY: 2000, Cell: cell}
		edge := cell * partCells
		at := func(n int) (x, y float64) {
			return 1000 + edge*float64(n)*r.Float64(), 2000 + edge*float64(n)*r.Float64()
		}
		for range 20 {
			road := Road{Half: 3.5}
			road.AX, road.AY = at(3)
			road.BX, road.BY = at(3)
			b.roads = append(b.roads, road)
		}
		b.partsIn(Box{MinX: 1000, MinY: 2000, MaxX: 1000 + 3*edge, MaxY: 2000 + 3*edge})
		checked, far := 0, 0
		for k, p := range b.parts {
			for range 3000 {
				x := b.grid.OriginX + float64(k.x)*edge - haloSize + r.Float64()*(edge+2*haloSize)
				y := b.grid.OriginY + float64(k.y)*edge - haloSize + r.Float64()*(edge+2*haloSize)
				matters := false
				for _, i := range p.roads {
					matters = matters || b.roads[i].distance(x, y) <= b.reach(&b.roads[i])+haloSize
				}
				switch near := b.near(k, p, x, y); {
				case matters && !near:
					t.Fatalf("cell %v, part %v: the place %v, %v is not near", cell, k, x, y)
				case matters:
					checked++
				case !near:
					far++
				}
			}
		}
		if checked == 0 || far == 0 {
			t.Errorf("cell %v: %d places were near and %d far", cell, checked, far)
		}
	}
}
