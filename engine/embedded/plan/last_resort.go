package plan

import (
	"fmt"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/graph"
)

// mostShunned is how many of the roads that are a last resort a warning names.
const mostShunned = 5

// warnShunned names the roads of a route that the traveller should use only where there is
// no other way, where each begins, and the tags that say so.
func (p *Planner) warnShunned(rt *Route) {
	if !p.Costing.HasLastResort() {
		return
	}
	g := p.Base.Graph
	var places []string
	more := 0
	for i := range rt.Legs {
		before := "" // what the edge before was named as
		for k := range rt.Legs[i].Path {
			step, why := &rt.Legs[i].Path[k], ""
			switch {
			case p.Costing.LastResort(step.Edge):
				why = fmt.Sprintf("%s (%s)", roadNamed(g, step.Edge), g.EdgeAttribute(g.Original(step.Edge), graph.LastResortKey))
			case k > 0 && SameNode(rt.Legs[i].Path, k) && p.Costing.LastResortAt(g.ByEdge[step.Edge].Tail):
				why = "what stands on " + roadNamed(g, step.Edge)
			}
			switch {
			case why == "", why == before:
			case len(places) < mostShunned:
				at := g.Position[g.ByEdge[step.Edge].Tail].Point()
				places = append(places, fmt.Sprintf("%s at %.5f,%.5f", why, at.Lat, at.Lon))
			default:
				more++
			}
			before = why
		}
	}
	if more > 0 {
		places = append(places, fmt.Sprintf("%d more", more))
	}
	if len(places) > 0 {
		p.warn(engine.WarnShunned, "for want of another way the route leads over what is discouraged or unsuitable for the costing %s: %s", p.Query.Costing, strings.Join(places, "; "))
	}
}

// roadNamed names a road by its name, its number or its way.
func roadNamed(g *graph.Graph, e graph.Edge) string {
	for _, key := range []string{"name", "ref"} {
		if name := g.NameOf(e, key); name != "" {
			return name
		}
	}
	return fmt.Sprintf("way %d", g.WayID[g.Segment(e)])
}
