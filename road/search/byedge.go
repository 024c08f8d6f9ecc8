package search

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// ByEdge finds those of some ends that lie on an edge, so that pairs of ends are joined in
// the time that their lists take, not in that of all pairs. It is scratch: Reset takes other
// ends without allocating, once it has held as many.
type ByEdge struct {
	ends []End // in ascending order of their edges, those on one edge in the order they came in
}

// scanned is up to how many ends are looked through one by one.
const scanned = 8

// Reset takes a list of ends, which is not changed.
func (x *ByEdge) Reset(ends []End) {
	x.ends = append(x.ends[:0], ends...)
	if len(ends) > 1 {
		slices.SortStableFunc(x.ends, func(a, b End) int { return cmp.Compare(a.Edge, b.Edge) })
	}
}

// On returns the ends on an edge, in the order they came in. The list is valid until the
// next Reset.
func (x *ByEdge) On(e graph.Edge) []End {
	first := 0
	if len(x.ends) <= scanned {
		for first < len(x.ends) && x.ends[first].Edge < e {
			first++
		}
	} else {
		first, _ = slices.BinarySearchFunc(x.ends, e, func(end End, e graph.Edge) int { return cmp.Compare(end.Edge, e) })
	}
	last := first
	for last < len(x.ends) && x.ends[last].Edge == e {
		last++
	}
	return x.ends[first:last]
}
