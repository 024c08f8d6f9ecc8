package reach

import (
	"context"
	"slices"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// atArrival returns who travels by a clock of closures alone, where a request has no time and
// closures begin or end while one may be on the way to them: they count by the time at which one
// comes there who sets out now, as in routes. In reverse, and where other places are left at times
// of their own, nobody sets out now, and the closures of now count, with a warning.
func (e *Service) atArrival(ctx context.Context, who *plan.Request, r *engine.IsochroneRequest) (*plan.Request, error) {
	live := e.Current.Get()
	if who.Clock != nil || !live.Passing() || !r.Wants("current") || r.Options.On(costing.IgnoreClosures) {
		return who, nil
	}
	metres, lasts := 0.0, time.Duration(0)
	for _, c := range r.Contours {
		metres = max(metres, c.Kilometres*1000, c.Minutes*60*metresASecond)
		lasts = max(lasts, time.Duration(c.Minutes*float64(time.Minute)), metric.DetourTime(r.Costing, c.Kilometres*1000))
	}
	at, g := r.Location.Point, e.Graph
	near := func(x graph.Edge) bool { return geo.Distance(at, g.Position[g.ByEdge[x].Head].Point()) <= metres }
	if !slices.ContainsFunc(live.Changing(live.Taken, e.Now().Add(lasts)), near) {
		return who, nil
	}
	if r.Reverse || len(r.Starts) > 0 {
		who.Warnings = append(who.Warnings, engine.Warning{Code: engine.WarnClosed, Text: "closures that live feeds report near the place begin or end within the time of the contours: those of now count"})
		return who, nil
	}
	return e.PlanArriving(ctx, who.Query, true)
}
