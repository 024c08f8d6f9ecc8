package plan

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// meet counts a way that a live closure keeps from being the cheapest.
func (p *Request) meet(closed bool) {
	if closed && p.Detoured != nil {
		p.Detoured.Add(1)
	}
}

// Affected reports whether something that bends the roads, or is closed at its time, lies on a path
// that would be the cheapest without.
func (p *pathFinder) Affected(f search.Found) bool {
	if p.affected(f) {
		p.meet(p.closedOn(f))
		return true
	}
	return !p.arrivesAlike(f)
}

// closedOn reports whether a path leads over an edge that live feeds report closed.
func (p *pathFinder) closedOn(f search.Found) bool {
	for i := 1; i < len(f.Edges)-1; i++ {
		if p.Weights.Overlay.ClosedLive(p.Base.Graph.Original(f.Edges[i])) {
			return true
		}
	}
	return false
}

// openWay looks for the way on the roads as they are without live feeds, where the hierarchy
// has closures in it, and counts it where one of these lies on it.
func (p *pathFinder) openWay(from, to []search.End) {
	if p.Detoured == nil || !p.Weights.Overlay.ClosesLive() || p.Weights.Layer == nil {
		return
	}
	plain := p.Who
	plain.View = overlay.View{}
	if w := p.Base.Metrics.Get(plain, false); w.Hierarchy != nil {
		found, ok := p.Router().Shortest(w.Costing, w.Hierarchy, from, to)
		p.meet(ok && p.closedOn(found))
	}
}

// WarnClosed warns that live closures changed the answer to a request with some places; or,
// where that was not looked at, that there are closures near.
func (p *Request) WarnClosed(looked bool, places []engine.Location, counted string) {
	switch n := p.Detoured.Load(); {
	case n > 0:
		p.warn(engine.WarnClosed, "%s others than without the closures that live feeds report; a closure counts where it holds at the time of arrival there", counted)
	case !looked && p.closedNear(places):
		p.warn(engine.WarnClosed, "live feeds report closures near these places, which may have changed the answer; a closure counts where it holds at the time of arrival there")
	}
}

// closedNear reports whether live closures count, and there are some near places or between
// them.
func (p *Request) closedNear(places []engine.Location) bool {
	if !p.Query.Wants("current") || p.Query.Options.On(costing.IgnoreClosures) {
		return false
	}
	const beyond = 5000 // metres
	box := geo.Around(places[0].Point, beyond+Farthest(places[:1], places))
	return p.Base.Current.Get().AnyClosure(func(e graph.Edge) bool {
		return box.Contains(p.Base.Graph.Position[p.Base.Graph.ByEdge[e].Tail].Point())
	})
}
