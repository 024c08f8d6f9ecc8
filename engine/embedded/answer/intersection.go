package answer

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// arm is a road at an intersection.
type arm struct {
	edge graph.Edge
	engine.Road
}

// intersections lists, by manoeuvre, the nodes from its place up to the next, as
// OSRM describes them: the bearings of their roads in order, which may be
// entered, and the ones travelled. The places where a leg begins and ends count
// too, with the one road there. Each but the last has what it takes to the
// next, which adds up to what the manoeuvre's stretch takes.
func (t *routeBuilder) intersections(list []guidance.Manoeuvre) [][]engine.Intersection {
	by := make([][]engine.Intersection, len(list))
	all := make([]engine.Intersection, 0, len(t.path)+1) // at most, so that no part of it moves
	arms := make([]engine.Road, 0, 3*len(t.path)+2)
	for i := range list {
		m := &list[i]
		first := len(all)
		if m.Begin == m.End { // the destination
			back := (m.Before + 180) % 360
			all = append(all, engine.Intersection{
				Point: m.BeginShape, In: 0, Out: -1, Admin: t.admin(t.path[len(t.path)-1].Edge), Roads: []engine.Road{{Bearing: int16(back), Entry: true}},
			})
		}
		for k := m.Begin; k < m.End; {
			// The steps before the next node: more than one where a location is passed within
			// an edge.
			next := k + 1
			for next < m.End && !plan.SameNode(t.path, next) {
				next++
			}
			all = append(all, engine.Intersection{Point: t.line.Step[k]})
			x := &all[len(all)-1]
			x.In, x.Out = t.junction(m, k)
			from := len(arms)
			for i := range t.arms {
				arms = append(arms, t.arms[i].Road)
			}
			x.Roads = arms[from:len(arms):len(arms)]
			t.onPath(x, t.path[k:next])
			t.marksOf(x, k)
			k = next
		}
		by[i] = all[first:len(all):len(all)]
	}
	return by
}

// junction collects the arms where step k of the path begins, which is where a
// manoeuvre is or on its stretch, and reports which of them are travelled.
func (t *routeBuilder) junction(m *guidance.Manoeuvre, k int) (in, out int) {
	switch {
	case k > 0 && plan.SameNode(t.path, k):
		return t.crossing(t.path[k-1].Edge, t.path[k].Edge)
	case k == 0:
		t.arms = append(t.arms[:0], arm{Road: engine.Road{Bearing: int16(m.After), Entry: true}})
		return -1, 0
	}
	// Turned round within an edge.
	back := (m.Before + 180) % 360
	t.arms = append(t.arms[:0], arm{Road: engine.Road{Bearing: int16(m.After), Entry: true}}, arm{Road: engine.Road{Bearing: int16(back)}})
	if back < m.After {
		t.arms[0], t.arms[1] = t.arms[1], t.arms[0]
		return 0, 1
	}
	return 1, 0
}

// onPath adds up the way from an intersection to the next.
func (t *routeBuilder) onPath(x *engine.Intersection, steps graph.Path) {
	for i := range steps {
		s := &steps[i]
		x.Metres += t.g.EdgeLength(s.Edge) * (s.End - s.Begin)
		x.Seconds += s.Seconds + s.Turn
		x.Cost += s.Cost
	}
	x.Turn, x.TurnCost = steps[0].Turn, steps[0].TurnCost
}

// marksOf notes what is at an intersection, where step k of the path begins: the
// country, the road that leaves, and what the traveller who came there along the
// step before meets.
func (t *routeBuilder) marksOf(x *engine.Intersection, k int) {
	g, e := t.g, t.path[k].Edge
	s := g.Segment(e)
	flags := g.BySegment[s].Flags
	x.Admin = t.admin(e)
	mark := func(on bool, m engine.RoadMarks) {
		if on {
			x.Road |= m
		}
	}
	mark(t.source.Costing.Tolled(e), engine.TollRoad)
	mark(g.BySegment[s].Class == graph.Motorway, engine.MotorwayRoad)
	mark(g.BySegment[s].Use == graph.Ferry || g.BySegment[s].Use == graph.RailFerry, engine.FerryLine)
	mark(g.ByEdge[e].Destination&t.source.Costing.Mode() != 0, engine.RestrictedRoad)
	mark(flags.Density() > graph.MaxRural, engine.UrbanRoad)
	if flags&graph.Tunnel != 0 {
		x.Road |= engine.TunnelRoad
		x.TunnelName = g.Attribute(g.BySegment[s].Name, "tunnel:name")
	}
	if x.In < 0 || k == 0 || !plan.SameNode(t.path, k) {
		return
	}
	n := g.ByEdge[e].Tail
	node, edge := g.ByNode[n].Flags, g.ByEdge[t.path[k-1].Edge].Flags
	stand := func(on bool, what engine.NodeMarks) {
		if on {
			x.Marks |= what
		}
	}
	tolled := t.source.Costing.TolledAt(n)
	stand(tolled && node&graph.TollGantry != 0, engine.TollGantry)
	stand(tolled, engine.TollBooth)
	stand(node&graph.Signal != 0 || edge&graph.HeadSignal != 0, engine.Signal)
	stand(node&graph.StopSign != 0 || edge&graph.HeadStop != 0, engine.StopSign)
	stand(node&graph.GiveWay != 0 || edge&graph.HeadGiveWay != 0, engine.GiveWay)
	stand(node&graph.LevelCrossing != 0, engine.LevelCrossing)
}

// crossing collects the arms of the node between two edges of a path and reports
// which of them are travelled.
func (t *routeBuilder) crossing(p, c graph.Edge) (in, out int) {
	g, modes := t.g, t.source.Costing.Mode()
	node := g.ByEdge[c].Tail
	back, on := g.ByEdge[p].Opposite, g.Original(c)
	t.arms = t.arms[:0]
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		if e != back && e != on && (g.ByEdge[e].Access|g.ByEdge[g.ByEdge[e].Opposite].Access)&modes == 0 {
			continue
		}
		a := arm{edge: e, Road: engine.Road{Bearing: int16(g.Bearing(e))}}
		a.Entry = e == on || e != back && guide.MayEnter(g, p, e, modes)
		at := len(t.arms)
		t.arms = append(t.arms, a)
		for at > 0 && t.arms[at-1].Bearing > a.Bearing {
			t.arms[at] = t.arms[at-1]
			at--
		}
		t.arms[at] = a
	}
	in, out = -1, -1
	for i := range t.arms {
		if t.arms[i].edge == back {
			in = i
		}
		if t.arms[i].edge == on {
			out = i
		}
	}
	return in, out
}
