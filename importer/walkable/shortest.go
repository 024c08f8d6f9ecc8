package walkable

import (
	"cmp"
	"math"
	"slices"
)

// pairs returns the shortest ways over the area between all ends, the shortest first.
func (c *crossing) pairs(ends int) []pair {
	var all []pair
	for a := range ends {
		metres, before := c.shortest(a)
		for b := a + 1; b < ends; b++ {
			if !math.IsInf(metres[b], 1) {
				all = append(all, pair{a, b, metres[b], c.over(before, a, b)})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y pair) int { return cmp.Compare(x.metres, y.metres) })
	return all
}

// shortest is Dijkstra's algorithm from one point to all others: it returns how far
// each is, and which point comes before it.
func (c *crossing) shortest(from int) (metres []float64, before []int) {
	n := len(c.at)
	metres, before = make([]float64, n), make([]int, n)
	done := make([]bool, n)
	for i := range metres {
		metres[i] = math.Inf(1)
	}
	metres[from] = 0
	for range n {
		next := -1
		for i := range n {
			if !done[i] && !math.IsInf(metres[i], 1) && (next < 0 || metres[i] < metres[next]) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		done[next] = true
		for i, d := range c.away[next] {
			if metres[next]+d < metres[i] {
				metres[i], before[i] = metres[next]+d, next
			}
		}
	}
	return metres, before
}

// over lists the points from a to b.
func (c *crossing) over(before []int, a, b int) []int {
	list := []int{c.at[b]}
	for at := b; at != a; at = before[at] {
		list = append(list, reversed(c.along[before[at]][at])...)
		list = append(list, c.at[before[at]])
	}
	slices.Reverse(list)
	return list
}
