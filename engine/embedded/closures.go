package embedded

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// meet counts a way that a live closure keeps from being the cheapest.
func (p *planner) meet(closed bool) {
	if closed && p.detoured != nil {
		p.detoured.Add(1)
	}
}

// bent reports whether something that bends the roads, or is closed at its time, lies on a path
// that would be the cheapest without.
func (p *planner) bent(f search.Found) bool {
	if p.affected(f) {
		p.meet(p.closedOn(f))
		return true
	}
	return !p.arrivesAlike(f)
}

// closedOn reports whether a path leads over an edge that live feeds report closed.
func (p *planner) closedOn(f search.Found) bool {
	for i := 1; i < len(f.Edges)-1; i++ {
		if p.weights.Overlay.ClosedLive(p.e.g.Original(f.Edges[i])) {
			return true
		}
	}
	return false
}

// openWay looks for the way on the roads as they are without live feeds, where the hierarchy
// knows of closures, and counts it where one of these lies on it.
func (p *planner) openWay(from, to []search.End) {
	if p.detoured == nil || !p.weights.Overlay.ClosesLive() || p.weights.layer == nil {
		return
	}
	plain := p.who
	plain.view = overlay.View{}
	if w := p.e.metrics.get(plain, false); w.hierarchy != nil {
		found, ok := p.router().Shortest(w.Costing, w.hierarchy, from, to)
		p.meet(ok && p.closedOn(found))
	}
}

// warnClosed says that live closures changed the answer to a request with some places; or,
// where that was not looked at, that there are closures near.
func (p *planner) warnClosed(looked bool, places []engine.Location, counted string) {
	switch n := p.detoured.Load(); {
	case n > 0:
		p.warn(engine.WarnClosed, "%s others than without the closures that live feeds report; a closure counts where it holds at the time of arrival there", counted)
	case !looked && p.closedNear(places):
		p.warn(engine.WarnClosed, "live feeds report closures near these places, which may have changed the answer; a closure counts where it holds at the time of arrival there")
	}
}

// closedNear reports whether live closures count, and there are some near places or between
// them.
func (p *planner) closedNear(places []engine.Location) bool {
	if !p.r.Wants("current") || p.r.Options.On(costing.IgnoreClosures) {
		return false
	}
	const beyond = 5000 // metres
	box := geo.Around(places[0].Point, beyond+farthest(places[:1], places))
	return p.e.live.Get().AnyClosure(func(e graph.Edge) bool {
		return box.Contains(p.e.g.Position[p.e.g.ByEdge[e].Tail].Point())
	})
}

// mostCompared is how many cells a matrix may have that is worked out once more without
// closures to find those that they change.
const mostCompared = 1 << 10

// compare counts the cells that live closures make dearer. It reports whether that could be
// looked at.
func (m *matrix) compare() (looked bool, err error) {
	p := m.who
	closes := p.weights.Overlay.ClosesLive()
	if p.clock != nil { // they were counted one by one
		return p.weights.hierarchy != nil && !(closes && p.weights.layer != nil), nil
	}
	if closes && m.free == nil && !p.excludes && len(m.from)*len(m.to) <= mostCompared {
		plain := p.who
		plain.view = overlay.View{}
		w := m.e.metrics.get(plain, true)
		if x := m.e.metrics.measuresAtHand(w); w.hierarchy != nil && x != nil {
			if m.free, err = m.table(cch.Costs{Costing: w.Costing, Metric: w.hierarchy, Measures: x}, m.from, m.to); err != nil {
				return false, err
			}
		}
	}
	if m.free == nil {
		return !closes && !m.again, nil
	}
	n := int64(0)
	for i := range m.free {
		if m.ctx.Err() != nil {
			return false, m.ctx.Err()
		}
		for j, c := range m.free[i] {
			if c.Cost != cch.Unreached && m.cells[i][j].Cost > c.Cost+cch.Tied {
				n++
			}
		}
	}
	p.detoured.Store(n)
	return true, nil
}
