package graph

// Prefetch reads what costings and guidance need of the edges of a path, and gives a sum
// of it that means nothing. In a region larger than a processor's caches most of it has
// to come from memory, and does here for many edges at once: no read waits for another, as
// those of a walk along the path do.
func (g *Graph) Prefetch(path []Edge) (sum uint32) {
	for _, e := range path {
		o := g.Original(e)
		r := &g.ByEdge[o]
		s := g.Segment(o)
		sum += uint32(g.ByNode[r.Head].Flags) + uint32(g.FirstOut[r.Head]) + uint32(g.BySegment[s].Flags) + g.ShapeAt[s]
		if g.Junctions != nil {
			sum += uint32(g.Junctions[o][0])
		}
		if g.Continuations != nil {
			sum += uint32(g.Continuations[o])
		}
	}
	for _, e := range path { // the reads above return where these lie
		o := g.Original(e)
		sum += uint32(g.ByEdge[g.ByEdge[o].Opposite].Out) + uint32(g.Shape[g.ShapeAt[g.Segment(o)]].Lon)
	}
	return sum
}
