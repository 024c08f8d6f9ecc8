package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// soonMetres is the length of a stretch below which the lanes at its begin are
// chosen with a view to the manoeuvre at its end.
const soonMetres = 400

// markLanes sets the lanes before each manoeuvre. Where the next manoeuvre
// follows soon, only those lanes stay active that lead into its own as far as
// that is mapped, or else the one on its side.
func markLanes(l *leg, candidates []*candidate, list []guidance.Manoeuvre) {
	next := -1 // step at the end of which the lanes of the manoeuvre after d lie
	for i := len(candidates) - 1; i > 0; i-- {
		d, m := candidates[i], &list[i]
		after := next
		next = -1
		if d.kind == guidance.RoundaboutEnter || d.kind == guidance.RoundaboutExit {
			continue
		}
		step := m.Begin - 1
		m.Lanes = LanesAt(l.g, l.path, step, l.o.Modes)
		if m.Lanes == nil && l.internalAt(d.begin-1) && step > list[i-1].Begin {
			step-- // lanes are painted before the internal edge
			m.Lanes = LanesAt(l.g, l.path, step, l.o.Modes)
		}
		if m.Lanes == nil {
			continue
		}
		next = step
		if m.Metres >= soonMetres || i+1 == len(candidates) || after > step && narrowLanes(l.g, l.path, m.Lanes, step, list[i+1].Lanes, after) {
			continue
		}
		switch candidates[i+1].kind {
		case guidance.SlightLeft, guidance.Left, guidance.SharpLeft, guidance.UturnLeft, guidance.RampLeft, guidance.ExitLeft, guidance.StayLeft, guidance.MergeLeft:
			keepOne(m.Lanes, 0, 1)
		case guidance.SlightRight, guidance.Right, guidance.SharpRight, guidance.UturnRight, guidance.RampRight, guidance.ExitRight, guidance.StayRight, guidance.MergeRight:
			keepOne(m.Lanes, len(m.Lanes)-1, -1)
		}
	}
}

// keepOne leaves only one active lane active, the first counted from one side.
func keepOne(lanes []guidance.Lane, from, step int) {
	found := false
	for i := from; i >= 0 && i < len(lanes); i += step {
		lanes[i].Active = lanes[i].Active && !found
		found = found || lanes[i].Active
	}
}

// narrowLanes leaves active, of the lanes at the end of a step, those that lead
// into the active lanes at the end of step at. It reports whether it did: it
// leaves the lanes alone where the connections in between are not mapped or
// none would be left.
func narrowLanes(g *graph.Graph, path graph.Path, lanes []guidance.Lane, step int, later []guidance.Lane, at int) bool {
	wanted := uint32(0)
	for i := range later {
		if later[i].Active {
			wanted |= 1 << i
		}
	}
	lead, ok := lanesLeading(g, path, step, at, wanted, len(later))
	for _, on := range [2]uint32{lead.direct, lead.all()} {
		found := false
		for i := range lanes {
			found = found || lanes[i].Active && on&(1<<i) != 0
		}
		if ok && found {
			for i := range lanes {
				lanes[i].Active = lanes[i].Active && on&(1<<i) != 0
			}
			return true
		}
	}
	return false
}

// lanesLeading returns the lanes at the end of a step that lead into the wanted
// ones, of count, at the end of step at, over mapped connections and where a
// road continues alone.
func lanesLeading(g *graph.Graph, path graph.Path, step, at int, wanted uint32, count int) (l laneMask, ok bool) {
	if step == at {
		return laneMask{direct: wanted}, true
	}
	p := path[step].Edge
	var buf [maxPathEdges]graph.Edge
	way := edgesAhead(buf[:0], path, step+1)
	c := connectionAlong(g, g.Original(p), way)
	if c == nil {
		if !continuesAlone(g, path, step) {
			return laneMask{}, false
		}
		return lanesLeading(g, path, step+1, at, wanted, count)
	}
	end := step + int(c.ViaCount) + 1
	if end > at {
		return laneMask{}, false
	}
	on, ok := lanesLeading(g, path, end, at, wanted, count)
	if !ok {
		return laneMask{}, false
	}
	for _, k := range g.LinksOf(c) {
		if end == at && int(k.To) > count {
			return laneMask{}, false
		}
		bit, next := uint32(1)<<(k.From-1), uint32(1)<<(k.To-1)
		switch {
		case k.Optional == 0 && on.direct&next != 0:
			l.direct |= bit
		case on.all()&next != 0:
			l.optional |= bit
		}
	}
	l.optional &^= l.direct
	return l, l.all() != 0
}

// continuesAlone reports whether after a step of the path no other way for
// motor traffic leaves and the road keeps its number of lanes.
func continuesAlone(g *graph.Graph, path graph.Path, step int) bool {
	if step+1 >= len(path) || !continuous(&path[step], &path[step+1]) {
		return false
	}
	p, c := path[step].Edge, path[step+1].Edge
	node := g.ByEdge[p].Head
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		if e != g.Original(c) && e != g.ByEdge[p].Opposite && (g.ByEdge[e].Access|g.ByEdge[g.ByEdge[e].Opposite].Access)&graph.Motor != 0 {
			return false
		}
	}
	n := paintedCount(g, p)
	return n > 0 && n == paintedCount(g, c)
}

// paintedCount returns the number of lanes of an edge where arrows or tags leave no
// doubt of it, else 0.
func paintedCount(g *graph.Graph, e graph.Edge) int {
	var buf [graph.MaxLanes]guidance.Lane
	if lanes := taggedLanes(g, e, buf[:0]); lanes != nil {
		return len(lanes)
	}
	return certainCount(g, e)
}
