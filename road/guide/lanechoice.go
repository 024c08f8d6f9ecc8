package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// soonMetres is the length of a stretch below which the lanes at its begin are
// chosen with a view to the manoeuvre at its end.
const soonMetres = 400

// markLanes gives each manoeuvre the lanes before it. Where the next manoeuvre
// follows soon, only those lanes stay active that lead into its own as far as
// that is mapped, or else the one on its side.
func (b *builder) markLanes() {
	next := -1 // step at the end of which the lanes of the manoeuvre after d lie
	for i := len(b.candidates) - 1; i > 0; i-- {
		d, m := b.candidates[i], &b.list[i]
		after := next
		next = -1
		if d.kind == guidance.RoundaboutEnter || d.kind == guidance.RoundaboutExit {
			continue
		}
		step := m.Begin - 1
		m.Lanes = LanesAt(b.g, b.path, step, b.o.Modes)
		if m.Lanes == nil && b.internalAt(d.begin-1) && step > b.list[i-1].Begin {
			step-- // lanes are painted before the internal edge
			m.Lanes = LanesAt(b.g, b.path, step, b.o.Modes)
		}
		if m.Lanes == nil {
			continue
		}
		next = step
		if m.Metres >= soonMetres || i+1 == len(b.candidates) || after > step && b.narrowLanes(m.Lanes, step, b.list[i+1].Lanes, after) {
			continue
		}
		switch b.candidates[i+1].kind {
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
func (b *builder) narrowLanes(lanes []guidance.Lane, step int, later []guidance.Lane, at int) bool {
	wanted := uint32(0)
	for i := range later {
		if later[i].Active {
			wanted |= 1 << i
		}
	}
	lead, ok := b.lanesLeading(step, at, wanted, len(later))
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

// lanesLeading gives the lanes at the end of a step that lead into the wanted
// ones, of count, at the end of step at, over mapped connections and where a
// road continues alone.
func (b *builder) lanesLeading(step, at int, wanted uint32, count int) (l laneMask, ok bool) {
	if step == at {
		return laneMask{direct: wanted}, true
	}
	g, p := b.g, b.path[step].Edge
	var buf [maxPathEdges]graph.Edge
	way := edgesAhead(buf[:0], b.path, step+1)
	c := connectionAlong(g, g.Original(p), way)
	if c == nil {
		if !b.continuesAlone(step) {
			return laneMask{}, false
		}
		return b.lanesLeading(step+1, at, wanted, count)
	}
	end := step + int(c.ViaCount) + 1
	if end > at {
		return laneMask{}, false
	}
	on, ok := b.lanesLeading(end, at, wanted, count)
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
func (b *builder) continuesAlone(step int) bool {
	g := b.g
	if step+1 >= len(b.path) || !continuous(&b.path[step], &b.path[step+1]) {
		return false
	}
	p, c := b.path[step].Edge, b.path[step+1].Edge
	node := g.ByEdge[p].Head
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		if e != g.Original(c) && e != g.ByEdge[p].Opposite && (g.ByEdge[e].Access|g.ByEdge[g.ByEdge[e].Opposite].Access)&graph.Motor != 0 {
			return false
		}
	}
	n := paintedCount(g, p)
	return n > 0 && n == paintedCount(g, c)
}

// paintedCount is the number of lanes of an edge where arrows or tags leave no
// doubt of it, else 0.
func paintedCount(g *graph.Graph, e graph.Edge) int {
	var buf [graph.MaxLanes]guidance.Lane
	if lanes := taggedLanes(g, e, buf[:0]); lanes != nil {
		return len(lanes)
	}
	return certainCount(g, e)
}
