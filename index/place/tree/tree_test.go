package tree

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
)

// TestLeast checks that the quick distance of a box is no more than the exact one, and of what is
// near nearly as much.
func TestLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 200_000 {
		p := geo.Point{Lon: []float64{r.Float64()*360 - 180, 180, -180, 179.9995, -179.9995}[r.IntN(5)], Lat: r.Float64()*176 - 88}
		spread := []float64{0.001, 0.05, 2}[r.IntN(3)]
		corner := func() geo.Fixed {
			return geo.Point{Lon: math.Remainder(p.Lon+spread*(r.Float64()-0.5), 360), Lat: max(-90, min(90, p.Lat+spread*(r.Float64()-0.5)))}.Fix()
		}
		b := BoxOf(corner()).With(BoxOf(corner()))
		from := lookFrom(p)
		quick, exact := from.least(&b), b.Distance(p)
		if quick > exact+1e-6 || spread < 0.01 && quick < exact*0.999-1e-6 {
			t.Fatalf("from %v to %v: %v, exactly %v", p, b, quick, exact)
		}
	}
}
