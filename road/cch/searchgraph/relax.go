package searchgraph

// Lanes is how many sources are relaxed together: fewer take as long.
const Lanes = 8

// A label has a cost in its upper bits and below it, in ArcBits, the number of the arc that
// the path comes by, from FirstArc on.
const (
	ArcBits  = 24
	ArcMask  = 1<<ArcBits - 1
	FirstArc = 2
)

// Relaxer lowers the labels of the rank at a depth over its arcs: there are stride labels
// for each depth, a multiple of Lanes. A weight takes the form of a label, with the
// arc's number among those of the rank, from FirstArc on. It reports false where an arc does not
// lead to a lesser depth or is none of the wide ones, or where there are too few labels.
type Relaxer func(labels []uint64, depth, stride int, arcs []WeightedArc, wide []WideArc) bool

// RelaxPlain is the one that needs no special processor.
func RelaxPlain(labels []uint64, depth, stride int, arcs []WeightedArc, wide []WideArc) bool {
	if (depth+1)*stride > len(labels) {
		return false
	}
	for g := 0; g < stride; g += Lanes {
		label := (*[Lanes]uint64)(labels[depth*stride+g:])
		l0, l1, l2, l3, l4, l5, l6, l7 := label[0], label[1], label[2], label[3], label[4], label[5], label[6], label[7]
		for i, a := range arcs {
			to, weight := uint32(a)&(1<<DepthBits-1), uint32(a)>>DepthBits
			if a >= WideFrom {
				if int(a-WideFrom) >= len(wide) {
					return false
				}
				to, weight = wide[a-WideFrom].Depth, wide[a-WideFrom].Weight
			}
			if int(to) >= depth {
				return false
			}
			w, above := uint64(weight)<<ArcBits|uint64(i+FirstArc), (*[Lanes]uint64)(labels[int(to)*stride+g:])
			l0 = min(l0, above[0]&^ArcMask+w)
			l1 = min(l1, above[1]&^ArcMask+w)
			l2 = min(l2, above[2]&^ArcMask+w)
			l3 = min(l3, above[3]&^ArcMask+w)
			l4 = min(l4, above[4]&^ArcMask+w)
			l5 = min(l5, above[5]&^ArcMask+w)
			l6 = min(l6, above[6]&^ArcMask+w)
			l7 = min(l7, above[7]&^ArcMask+w)
		}
		*label = [Lanes]uint64{l0, l1, l2, l3, l4, l5, l6, l7}
	}
	return true
}
