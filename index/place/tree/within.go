package tree

// Within calls take with the items of an area until it returns false. where reports of a box
// whether all of it lies in the area, and whether any of it may. Items below a box that lies
// in the area come at once and in full; those of the lowest boxes that may lie in it in part
// come with full false, and are for take to look at one by one.
func (t *Tree) Within(where func(b *Box) (full, part bool), take func(items []uint32, full bool) bool) {
	if len(t.items) == 0 {
		return
	}
	first := append(t.levels(), len(t.boxes))
	var walk func(level, i, under int) bool
	walk = func(level, i, under int) bool {
		full, part := where(&t.boxes[first[level]+i])
		if !part {
			return true
		}
		if full || level == 0 {
			return take(t.items[i*under:min((i+1)*under, len(t.items))], full)
		}
		for child := i * fanout; child < min((i+1)*fanout, first[level]-first[level-1]); child++ {
			if !walk(level-1, child, under/fanout) {
				return false
			}
		}
		return true
	}
	under := fanout
	for range len(first) - 2 {
		under *= fanout
	}
	walk(len(first)-2, 0, under)
}
