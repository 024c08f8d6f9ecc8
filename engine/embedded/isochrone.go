package embedded

import (
	"context"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/contour"
	"github.com/waygate/waygate/road/search"
)

// Isochrone outlines what is within reach of a place. See engine.Engine.
func (e *Engine) Isochrone(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	return e.isochrone(ctx, r, e.bands)
}

// isochrone is Isochrone, which does not look into what is in a band.
func (e *Engine) isochrone(ctx context.Context, r *engine.IsochroneRequest, bands func([]contour.Level, costing.Costing) []cch.Band) (*engine.IsochroneAnswer, error) {
	who, err := e.planOf(ctx, &engine.RouteRequest{Costing: r.Costing, Options: r.Options, Conditions: r.Conditions, Locations: []engine.Location{r.Location}})
	if err != nil {
		return nil, err
	}
	d := atDeparture
	if r.Reverse {
		d = atArrival
		if who.clock != nil {
			who.clock.Arrive = true // now, too
		}
	}
	place, err := who.locateAlone(r.Location, d)
	if err != nil {
		return nil, err
	}
	who.warnPlace("locations", 0, place.remarks, &place.waypoint.location)
	contours := slices.Clone(r.Contours)
	slices.SortStableFunc(contours, outermostFirst)
	draft := e.outliners.Get().(*outliner)
	defer e.outliners.giveBack(draft)
	wanted := levels(r.Costing, contours)
	draft.begin(who.weights.Weights, r.Reverse, bound(contours), bands(wanted, r.Costing))
	if err := e.plainTree(ctx, who, place.ends, draft); err != nil {
		return nil, err
	}
	shapes, err := draft.draw(ctx, place.ends, wanted, r)
	if err != nil {
		return nil, err
	}
	return &engine.IsochroneAnswer{Outlines: outlinesOf(contours, shapes), On: place.waypoint.snapped, Warnings: append(e.warnings(who.r.Costing, &who.r.Options, &who.r.Output), who.warnings...)}, nil
}

// locateAlone finds where on the network a location is that nothing else is asked of.
func (p *planner) locateAlone(l engine.Location, d direction) (snapped, error) {
	s := p.e.scratch.Get().(*scratch)
	defer p.e.scratch.giveBack(s)
	return p.with(s, []engine.Location{l}).locate(0, d)
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

// bound is what has to be searched for all contours.
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
func (e *Engine) plainTree(ctx context.Context, who *planner, place []search.End, draft *outliner) error {
	w := who.weights
	if who.clock != nil {
		who.clock.SetEnds(edgesOf(place)...)
		if !who.clock.OpenThroughout() {
			ranked := func(reached []search.Reached) { draft.addRanked(reached, e.topology, &e.patches) }
			return e.treeAtTime(ctx, &reachAtTime{who, place, draft.reverse, draft.bound, draft.add, ranked})
		}
	}
	if !w.Overlay.Empty() {
		return e.treeWithOverlay(ctx, who, place, draft)
	}
	if w.hierarchy == nil {
		s := e.trees.Get().(*search.Tree)
		defer e.trees.giveBack(s)
		find := s.From
		if draft.reverse {
			find = s.Back
		}
		reached, err := find(ctx, w.Weights, place, draft.bound)
		draft.add(reached)
		return err
	}
	x, err := e.metrics.measures(ctx, w)
	if err != nil {
		return err
	}
	s := e.ranges.Get().(*cch.RangeQuery)
	defer e.ranges.giveBack(s)
	find := s.From
	if draft.reverse {
		find = s.Back
	}
	reached, err := find(ctx, cch.Costs{Costing: w.Costing, Metric: w.hierarchy, Measures: x}, place, cch.Within{Bound: draft.bound, Bands: draft.bands})
	draft.add(reached)
	for level := range draft.bands {
		draft.addBlocks(level, e.topology, s.Blocks(level), &e.patches)
	}
	return err
}
