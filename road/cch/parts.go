package cch

import "slices"

// stretch is some ranks that follow one another: those from from on, before to.
type stretch struct{ from, to Rank }

// parts are the ranks in subtrees of the elimination tree, which customisation can do
// one at a time, since what a subtree's arcs cost depends on arcs in the subtree
// and to ranks above it alone; and what is above all subtrees. Both are ascending.
type parts struct{ subtrees, top []stretch }

// subtrees gives the subtrees of at most so many ranks, each as large as that lets it.
// Those beside one another that have the same parent, or none, are one stretch if that
// has no more ranks either.
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
