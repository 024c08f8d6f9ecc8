package profile

import (
	"context"
	"runtime"

	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/graph"
)

// Junctions computes Graph.Junctions: what turns meet, which does not depend on the
// traveller. It ends with its context and returns the context's error.
func Junctions(ctx context.Context, g *graph.Graph) ([]graph.Junctions, error) {
	all := make([]graph.Junctions, g.Base)
	parts := runtime.GOMAXPROCS(0)
	var work parallel.Group
	for part := range parts {
		from, to := len(all)*part/parts, len(all)*(part+1)/parts
		work.Go(func() {
			for e := from; e < to; e++ {
				if e%1024 == 0 && ctx.Err() != nil {
					return
				}
				n := g.ByEdge[e].Head
				for i := range min(len(all[e]), int(g.FirstOut[n+1]-g.FirstOut[n])) {
					j := turnAt(g, graph.Edge(e), g.FirstOut[n]+graph.Edge(i), n)
					j.meet()
					all[e][i] = j.packed()
				}
			}
		})
	}
	work.Wait()
	return all, ctx.Err()
}

// packed returns the stored part of what meet found at a junction.
func (j *junction) packed() graph.Junction {
	p := graph.Junction(j.stopImpact)
	if j.left {
		p |= graph.RoadOnLeft
	}
	if j.right {
		p |= graph.RoadOnRight
	}
	if j.sameName {
		p |= graph.SameName
	}
	return p
}

// unpack is the opposite of packed.
func (j *junction) unpack(p graph.Junction) {
	j.stopImpact = p.StopImpact()
	j.left, j.right, j.sameName = p&graph.RoadOnLeft != 0, p&graph.RoadOnRight != 0, p&graph.SameName != 0
}
