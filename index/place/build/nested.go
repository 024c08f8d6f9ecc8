package build

import (
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/tree"
)

// shapeNested gives the addresses that are points in the building of another address a square of
// their own, since the one that holds a point comes before the building around both: entrances,
// shops and staircases that have numbers of other streets.
func shapeNested(houses []house) {
	var shaped []uint32
	for i := range houses {
		if houses[i].shape != 0 {
			shaped = append(shaped, uint32(i))
		}
	}
	of := func(i uint32) *place.House { return &place.House{At: houses[i].at, Shape: houses[i].shape} }
	t := tree.New(shaped, func(i uint32) tree.Box { return of(i).Box() }, nil)
	square := tree.Square(tree.NestedHalf)
	for i := range houses {
		h := &houses[i]
		if h.shape != 0 || h.generated {
			continue
		}
		p := h.at.Point()
		t.Nearest(p, tree.NestedReach, tree.LineSlack, 0, func(k uint32) float64 { return of(k).Distance(p) }, func(uint32, float64) bool {
			h.shape = square
			return false
		})
	}
}
