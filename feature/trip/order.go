package trip

import (
	"context"
	"math"
	"slices"
)

// mostExact is up to how many stops the best order is found for certain.
const mostExact = 11

// visit returns an order in which to visit all places once at little cost, the
// least where there are few of them. cost is by place and then the next;
// infinite where there is no way. nil is no order at all.
func visit(ctx context.Context, cost [][]float64, e Ends) []int {
	n := len(cost)
	if n == 1 {
		return []int{0}
	}
	if e.Round && !(e.First && e.Last) {
		// A ring can begin anywhere.
		ring := ringOf(ctx, cost)
		if ring == nil {
			return nil
		}
		at := 0
		switch {
		case e.First:
			at = slices.Index(ring, 0)
		case e.Last:
			at = (slices.Index(ring, n-1) + 1) % n
		}
		return slices.Concat(ring[at:], ring[:at])
	}
	// A line is a ring through a place that costs nothing, at which it is cut.
	closed := make([][]float64, n+1)
	for i := range n {
		closed[i] = append(slices.Clone(cost[i]), 0)
	}
	closed[n] = make([]float64, n+1)
	for i := range n {
		if e.First && i != 0 {
			closed[n][i] = math.Inf(1)
		}
		if e.Last && i != n-1 {
			closed[i][n] = math.Inf(1)
		}
	}
	if e.Round && math.IsInf(cost[n-1][0], 1) {
		return nil
	}
	ring := ringOf(ctx, closed)
	if ring == nil {
		return nil
	}
	at := slices.Index(ring, n)
	return slices.Concat(ring[at+1:], ring[:at])
}

// ringOf finds a cheap ring through all places; nil where there is none.
func ringOf(ctx context.Context, cost [][]float64) []int {
	if len(cost) <= mostExact {
		return exact(cost)
	}
	var best []int
	least := math.Inf(1)
	for start := range min(len(cost), 4) {
		ring := improve(ctx, cost, inserted(cost, start))
		if c := length(cost, ring); c < least {
			best, least = ring, c
		}
	}
	return best
}

// exact finds the cheapest ring by Bellman, Held and Karp's dynamic programme
// (1962) over sets of places: the cheapest way from place 0 through a set to
// each place in it.
func exact(cost [][]float64) []int {
	n := len(cost) - 1 // places but 0
	if n == 0 {
		return []int{0}
	}
	size := 1 << n
	least := make([]float64, size*n)
	for i := range least {
		least[i] = math.Inf(1)
	}
	from := make([]int8, size*n)
	for j := range n {
		least[(1<<j)*n+j] = cost[0][j+1]
	}
	for set := 1; set < size; set++ {
		for j := range n {
			c := least[set*n+j]
			if set&(1<<j) == 0 || math.IsInf(c, 1) {
				continue
			}
			for k := range n {
				if set&(1<<k) != 0 {
					continue
				}
				if at := (set|1<<k)*n + k; c+cost[j+1][k+1] < least[at] {
					least[at], from[at] = c+cost[j+1][k+1], int8(j)
				}
			}
		}
	}
	best, total := -1, math.Inf(1)
	for j := range n {
		if c := least[(size-1)*n+j] + cost[j+1][0]; c < total {
			best, total = j, c
		}
	}
	if best < 0 {
		return nil
	}
	ring := make([]int, n+1)
	for set, j, at := size-1, best, n; at > 0; at-- {
		ring[at] = j + 1
		set, j = set&^(1<<j), int(from[set*n+j])
	}
	return ring
}

// inserted builds a ring by putting in, at the cheapest place, the place that is
// cheapest to put in.
func inserted(cost [][]float64, start int) []int {
	n := len(cost)
	ring := []int{start}
	in := make([]bool, n)
	in[start] = true
	for len(ring) < n {
		place, at, least := -1, 0, math.Inf(1)
		for p := range n {
			if in[p] {
				continue
			}
			for i, a := range ring {
				b := ring[(i+1)%len(ring)]
				// A place that cannot be reached is put in all the same; improving may mend
				// it.
				more := dear(cost[a][p]) + dear(cost[p][b]) - dear(cost[a][b])
				if more < least {
					place, at, least = p, i+1, more
				}
			}
		}
		ring = slices.Insert(ring, at, place)
		in[place] = true
	}
	return ring
}

// dear stands for a way that does not exist: so many that none is ever taken in
// its stead, and yet they can be counted.
func dear(c float64) float64 { return math.Min(c, 1e12) }

// length returns the cost of a ring; infinite where it has a way that does not exist.
func length(cost [][]float64, ring []int) float64 {
	sum := 0.0
	for i, a := range ring {
		sum += cost[a][ring[(i+1)%len(ring)]]
	}
	return sum
}

// improve moves stretches of up to three places elsewhere, either way round, and
// turns longer ones round, until nothing makes the ring cheaper or the context ends.
func improve(ctx context.Context, cost [][]float64, ring []int) []int {
	total := func(r []int) float64 {
		sum := 0.0
		for i, a := range r {
			sum += dear(cost[a][r[(i+1)%len(r)]])
		}
		return sum
	}
	const enough = 1e-9
	least := total(ring)
	n := len(ring)
	try := make([]int, 0, n)
	keep := func() bool {
		if c := total(try); c < least-enough {
			copy(ring, try)
			least = c
			return true
		}
		return false
	}
	for better := true; better && ctx.Err() == nil; {
		better = false
		for i := range n {
			if ctx.Err() != nil {
				break
			}
			for j := i + 1; j < n; j++ {
				try = append(try[:0], ring...)
				slices.Reverse(try[i : j+1])
				better = keep() || better
			}
		}
		for size := 1; size <= 3; size++ {
			for i := 0; i+size <= n && ctx.Err() == nil; i++ {
				for to := 0; to+size <= n; to++ {
					for _, turned := range []bool{false, true} {
						if to == i {
							continue
						}
						piece := slices.Clone(ring[i : i+size])
						if turned {
							slices.Reverse(piece)
						}
						try = append(append(try[:0], ring[:i]...), ring[i+size:]...)
						try = slices.Insert(try, to, piece...)
						better = keep() || better
					}
				}
			}
		}
	}
	return ring
}
