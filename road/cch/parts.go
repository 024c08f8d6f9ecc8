package cch

import "slices"

// stretch is a range of ranks that follow one another: from is the first, to the one after
// the last.
type stretch struct{ from, to Rank }

// parts divides the ranks into subtrees of the elimination tree, and the ranks above all
// subtrees. Customisation can compute the subtrees one at a time, because the costs of a
// subtree's arcs depend only on arcs in the subtree and to ranks above it. Both lists are
// ascending.
type parts struct{ subtrees, top []stretch }

// subtrees returns the largest subtrees of at most so many ranks. Neighbouring subtrees with
// the same parent, or with none, are one stretch if that has no more ranks either.
func (t *Topology) subtrees(most uint32) (p parts) {
	for end := Rank(len(t.Edge)); end > 0; {
		v := end - 1
		if size := t.Size(v); size <= most {
			if size == 0 || Rank(size) > end {
				panic(damaged)
			}
			from := end - Rank(size)
			if n := len(p.subtrees); n > 0 && p.subtrees[n-1].from == end && uint32(p.subtrees[n-1].to-from) <= most && t.Parent(v) == t.Parent(p.subtrees[n-1].to-1) {
				p.subtrees[n-1].from = from
			} else {
				p.subtrees = append(p.subtrees, stretch{from, end})
			}
			end = from
			continue
		}
		if n := len(p.top); n > 0 && p.top[n-1].from == end {
			p.top[n-1].from = v
		} else {
			p.top = append(p.top, stretch{v, end})
		}
		end = v
	}
	slices.Reverse(p.subtrees)
	slices.Reverse(p.top)
	return p
}
