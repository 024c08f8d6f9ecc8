package sample

// prune drops roads that no driver could reach: those in no way joined to
// a main road.
func (b *builder) prune() {
	parent := map[pt]pt{}
	var find func(p pt) pt
	find = func(p pt) pt {
		q, ok := parent[p]
		if !ok || q == p {
			return p
		}
		root := find(q)
		parent[p] = root
		return root
	}
	for _, r := range b.roads {
		if r.rank == rail {
			continue
		}
		for _, p := range r.pts[1:] {
			parent[find(p)] = find(r.pts[0])
		}
	}
	main := map[pt]bool{}
	for _, r := range b.roads {
		if r.keep {
			main[find(r.pts[0])] = true
		}
	}
	keep := b.roads[:0:0]
	for _, r := range b.roads {
		if r.rank == rail || main[find(r.pts[0])] {
			keep = append(keep, r)
		}
	}
	b.roads = keep
}
