package geo

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestHilbertCellIsACurve walks whole small squares: each number comes once,
// and one step along the curve is one step in the square.
func TestHilbertCellIsACurve(t *testing.T) {
	for order := 1; order <= 6; order++ {
		side := uint32(1) << order
		cells := make([][2]int, side*side)
		seen := make([]bool, side*side)
		for x := range side {
			for y := range side {
				d := HilbertCell(x, y, order)
				if d >= uint64(len(cells)) || seen[d] {
					t.Fatalf("order %d: cell %d,%d has the number %d, taken or too high", order, x, y, d)
				}
				seen[d], cells[d] = true, [2]int{int(x), int(y)}
			}
		}
		for d := 1; d < len(cells); d++ {
			dx, dy := cells[d][0]-cells[d-1][0], cells[d][1]-cells[d-1][1]
			if dx*dx+dy*dy != 1 {
				t.Fatalf("order %d: the curve jumps from %v to %v", order, cells[d-1], cells[d])
			}
		}
	}
}

func TestHilbertCorners(t *testing.T) {
	corners := []Fixed{{-1_800_000_000, -900_000_000}, {1_800_000_000, -900_000_000}, {-1_800_000_000, 900_000_000}, {1_800_000_000, 900_000_000}}
	var all []uint64
	for _, c := range corners {
		all = append(all, Hilbert(c))
	}
	slices.Sort(all)
	if all[0] != 0 || all[3] != 1<<64-1 || len(slices.Compact(all)) != 4 {
		t.Errorf("the corners of the globe have the numbers %x", all)
	}
}

// TestHilbertKeepsNeighboursTogether compares the number of a position's
// coarse cell with the leading bits of its own.
func TestHilbertKeepsNeighboursTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Uint32().Draw(t, "x"), rapid.Uint32().Draw(t, "y")
		order := rapid.IntRange(1, 16).Draw(t, "order") * 2 // the curve of an odd order is turned
		if fine, coarse := HilbertCell(x, y, 32), HilbertCell(x>>(32-order), y>>(32-order), order); fine>>(64-2*order) != coarse {
			t.Fatalf("order %d: cell %d holds %d", order, coarse, fine)
		}
	})
}
