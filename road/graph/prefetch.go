package graph

// Prefetch reads what costings and guidance ask of the edges of a path, and gives a sum
// of it that means nothing. In a region larger than a processor's caches most of it has
// to come from memory, and does here for many edges at once: no read waits for another, as
// those of a walk along the path do.
func (g *Graph) Prefetch(path []Edge) (sum uint32) {
	for _, e := range path {
		n, o := g.Head[e], g.Original(e)
		s := g.Segment(o)
		sum += uint32(g.FirstOut[n]) + uint32(g.NodeFlags[n]) + uint32(g.NodeAccess[n]) + g.NodeLimit[n]
		sum += uint32(g.Opposite[o]) + uint32(g.Access[o]) + uint32(g.Destination[o]) + uint32(g.Speed[o]) + uint32(g.EdgeFlags[o]) + g.Limit[o] + uint32(g.Out[o])
		sum += uint32(g.Class[s]) + uint32(g.Use[s]) + uint32(g.Surface[s]) + uint32(g.SegFlags[s]) + uint32(g.Name[s]) + g.ShapeAt[s] + uint32(g.Length[s])
		if g.Junctions != nil {
			sum += uint32(g.Junctions[o][0])
		}
	}
	for _, e := range path { // where these lie, the reads above tell
		o := g.Original(e)
		sum += uint32(g.Out[g.Opposite[o]]) + uint32(g.Shape[g.ShapeAt[g.Segment(o)]].Lon)
	}
	return sum
}
