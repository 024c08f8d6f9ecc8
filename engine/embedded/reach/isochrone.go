// Package reach outlines what is within reach of a place.
package reach

import (
	"context"
	"errors"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/answer"
	"github.com/waygate/waygate/engine/embedded/explain"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/contour"
	"github.com/waygate/waygate/road/search"
)

// Service outline what is within reach.
type Service struct {
	*plan.Base
	refusals  *explain.RefusalCache
	ranges    kernel.Pool // of *cch.RangeQuery
	Outliners kernel.Pool // of *outliner
	patches   patches
}

// New gives isochrones at about a latitude.
func New(b *plan.Base, c *explain.RefusalCache, lat float64) *Service {
	e := &Service{Base: b, refusals: c}
	topology, plane := b.Topology, contour.NewPlane(lat)
	e.ranges.New = func() any { return cch.NewRangeQuery(topology) }
	e.Outliners.New = func() any { return &outliner{drawer: contour.NewDrawer(plane)} }
	return e
}

// Isochrone outlines what is within reach of a place. See engine.Engine.
func (e *Service) Isochrone(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	return e.isochrone(ctx, r, e.bands)
}

// isochrone is Isochrone, which does not look into what is in a band.
func (e *Service) isochrone(ctx context.Context, r *engine.IsochroneRequest, bands func([]contour.Level, costing.Costing) []cch.Band) (*engine.IsochroneAnswer, error) {
	who, err := e.PlanOf(ctx, &engine.RouteRequest{Costing: r.Costing, Options: r.Options, Conditions: r.Conditions, Locations: []engine.Location{r.Location}})
	if err != nil {
		return nil, err
	}
	if who, err = e.atArrival(ctx, who, r); err != nil {
		return nil, err
	}
	d := plan.AtDeparture
	if r.Reverse {
		d = plan.AtArrival
		if who.Clock != nil {
			who.Clock.Arrive = true // now, too
		}
	}
	place, err := e.locateAlone(ctx, who, r.Location, d)
	if err != nil {
		return nil, err
	}
	who.WarnPlace("locations", 0, place.SnapWarnings, &place.Waypoint.Location)
	contours := slices.Clone(r.Contours)
	slices.SortStableFunc(contours, outermostFirst)
	draft := e.Outliners.Get().(*outliner)
	defer e.Outliners.GiveBack(draft)
	wanted := levels(r.Costing, contours)
	draft.begin(who.Weights.Weights, who.Clock, r.Reverse, bound(contours), bands(wanted, r.Costing))
	ends := place.Ends
	if len(r.Starts) == 0 {
		err = e.plainTree(ctx, who, ends, draft)
	} else {
		if ends, err = e.locateStarts(ctx, who, r.Starts, d, slices.Clone(ends)); err != nil {
			return nil, err
		}
		err = e.treeOfRoads(ctx, who, ends, draft)
	}
	if err != nil {
		return nil, err
	}
	shapes, err := draft.draw(ctx, ends, wanted, r)
	if err != nil {
		return nil, err
	}
	return &engine.IsochroneAnswer{Outlines: outlinesOf(contours, shapes), On: place.Waypoint.Snapped, Warnings: append(answer.Warnings(e.Graph, who.Query.Costing, &who.Query.Options, &who.Query.Output), who.Warnings...)}, nil
}

// locateAlone finds where on the network one location of a request is.
func (e *Service) locateAlone(ctx context.Context, who *plan.Request, l engine.Location, d plan.Direction) (plan.Snapped, error) {
	s := e.Scratch.Get().(*plan.Scratch)
	defer e.Scratch.GiveBack(s)
	p := who.With(s, []engine.Location{l})
	place, err := p.Locate(0, d)
	return place, e.refusals.Explained(ctx, p, err)
}

// locateStarts appends where on the network starts are, but those without a road.
func (e *Service) locateStarts(ctx context.Context, who *plan.Request, starts []engine.Start, d plan.Direction, ends []search.End) ([]search.End, error) {
	s := e.Scratch.Get().(*plan.Scratch)
	defer e.Scratch.GiveBack(s)
	for i := range starts {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		place, err := who.With(s, []engine.Location{starts[i].Location}).Locate(0, d)
		if off := (*plan.OffRoad)(nil); errors.As(err, &off) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, x := range place.Ends {
			x.Begun = search.MeasureOf(starts[i].Seconds, 0).Millis
			ends = append(ends, x)
		}
	}
	return ends, nil
}

// outlinesOf puts shapes, by contour, in the contract's terms.
func outlinesOf(contours []engine.Contour, shapes [][]contour.Polygon) []engine.Outline {
	all := make([]engine.Outline, len(contours))
	for i, polygons := range shapes {
		all[i] = engine.Outline{Contour: contours[i], Polygons: make([]engine.Polygon, len(polygons))}
		for j, p := range polygons {
			one := engine.Polygon{Outer: p.Outer, Holes: make([][]geo.Point, len(p.Holes))}
			for k, h := range p.Holes {
				one.Holes[k] = h
			}
			all[i].Polygons[j] = one
		}
	}
	return all
}

// outermostFirst orders contours as Valhalla does: the larger first, so that
// drawn in turn the smaller lie on top.
func outermostFirst(a, b engine.Contour) int {
	switch {
	case a.Kilometres != b.Kilometres:
		if a.Kilometres > b.Kilometres {
			return -1
		}
		return 1
	case a.Minutes > b.Minutes:
		return -1
	case a.Minutes < b.Minutes:
		return 1
	}
	return 0
}

// bound returns the bound of a search for all contours.
func bound(contours []engine.Contour) search.Measure {
	var b search.Measure
	for _, c := range contours {
		t := search.MeasureOf(c.Minutes*60, c.Kilometres*1000)
		b.Millis, b.Decimetres = max(b.Millis, t.Millis), max(b.Decimetres, t.Decimetres)
	}
	return b
}

// aside is how fast, in km/h, one gets away from the roads: what makes the
// outline taper towards the end of the time.
var aside = map[costing.Costing]float64{costing.Bicycle: 15, costing.Pedestrian: 5}

func levels(by costing.Costing, contours []engine.Contour) []contour.Level {
	speed := aside[by]
	if speed == 0 {
		speed = 30
	}
	list := make([]contour.Level, len(contours))
	for i, c := range contours {
		if c.Kilometres > 0 {
			list[i] = contour.Level{Measure: contour.Metres, Limit: c.Kilometres * 1000, Slope: 1}
		} else {
			list[i] = contour.Level{Measure: contour.Seconds, Limit: c.Minutes * 60, Slope: 3.6 / speed}
		}
	}
	return list
}

// plainTree hands the roads within reach to the outliner, by the hierarchy where
// the traveller has one.
func (e *Service) plainTree(ctx context.Context, who *plan.Request, place []search.End, draft *outliner) error {
	w := who.Weights
	if who.Clock != nil {
		who.Clock.SetEnds(plan.EdgesOf(place)...)
		if !who.Clock.OpenThroughout() {
			ranked := func(reached []search.Reached) { draft.addRanked(reached, e.Topology, &e.patches) }
			return e.treeAtTime(ctx, &reachAtTime{who, place, draft.reverse, draft.bound, draft.add, ranked})
		}
	}
	if !w.Overlay.Empty() {
		return e.treeWithOverlay(ctx, who, place, draft)
	}
	if w.Hierarchy == nil {
		return e.treeOfRoads(ctx, who, place, draft)
	}
	x, err := e.Metrics.Measures(ctx, w)
	if err != nil {
		return err
	}
	s := e.ranges.Get().(*cch.RangeQuery)
	defer e.ranges.GiveBack(s)
	find := s.From
	if draft.reverse {
		find = s.Back
	}
	reached, err := find(ctx, cch.Costs{Costing: w.Costing, Metric: w.Hierarchy, Measures: x}, place, cch.RangeLimits{Bound: draft.bound, Bands: draft.bands})
	draft.add(reached)
	for level := range draft.bands {
		draft.addBlocks(level, e.Topology, s.Blocks(level), &e.patches)
	}
	return err
}
