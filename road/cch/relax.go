package cch

// relaxer lowers the labels of the rank at a depth over its arcs: there are stride labels
// for each depth, a multiple of Lanes. A weight takes the form of a label, with the
// arc's number among those of the rank, from firstArc on. It reports false where an arc does not
// lead to a lesser depth or is none of the wide ones, or where there are too few labels.
type relaxer func(labels []uint64, depth, stride int, arcs []weightedArc, wide []wideArc) bool

// relaxPlain is the one that needs no special processor.
func relaxPlain(labels []uint64, depth, stride int, arcs []weightedArc, wide []wideArc) bool {
	if (depth+1)*stride > len(labels) {
		return false
	}
	for g := 0; g < stride; g += Lanes {
		label := (*[Lanes]uint64)(labels[depth*stride+g:])
		l0, l1, l2, l3, l4, l5, l6, l7 := label[0], label[1], label[2], label[3], label[4], label[5], label[6], label[7]
		for i, a := range arcs {
			to, weight := uint32(a)&(1<<depthBits-1), uint32(a)>>depthBits
			if a >= wideFrom {
				if int(a-wideFrom) >= len(wide) {
					return false
				}
				to, weight = wide[a-wideFrom].depth, wide[a-wideFrom].weight
			}
			if int(to) >= depth {
				return false
			}
			w, above := uint64(weight)<<byBits|uint64(i+firstArc), (*[Lanes]uint64)(labels[int(to)*stride+g:])
			l0 = min(l0, above[0]&^byMask+w)
			l1 = min(l1, above[1]&^byMask+w)
			l2 = min(l2, above[2]&^byMask+w)
			l3 = min(l3, above[3]&^byMask+w)
			l4 = min(l4, above[4]&^byMask+w)
			l5 = min(l5, above[5]&^byMask+w)
			l6 = min(l6, above[6]&^byMask+w)
			l7 = min(l7, above[7]&^byMask+w)
		}
		*label = [Lanes]uint64{l0, l1, l2, l3, l4, l5, l6, l7}
	}
	return true
}
