package osrm

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// An isochrone is drawn from the ways to the places of a grid. A coarse grid is laid over
// what could be reached at the highest speed, and again over what is reached, until that
// is no longer a small part of the grid; then a fine one.
const (
	coarse, fine = 15, 40 // places along a side
	mostRounds   = 4
	mostReach    = 300_000 // metres from the place
)

// fastest are metres a second that no profile of a costing goes beyond for long.
var fastest = map[costing.Costing]float64{costing.Bicycle: 9, costing.Pedestrian: 2.5}

// Isochrone outlines the places of a grid that are within reach, with what a table says of
// the ways to them: a stock OSRM has no service for it. A warning gives the distance of the
// grid's places. A place farther from all roads than its neighbour in the grid is not
// reached, and those around the location are. Areas and places to keep out of, and times, are not heeded, with a warning.
func (e *Engine) Isochrone(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	warnings, err := ignored(r.Costing, &r.Options, &r.Conditions, []engine.Location{r.Location})
	if err != nil {
		return nil, err
	}
	speed := cmp.Or(fastest[r.Costing], 40.0)
	reach := 0.0
	for _, c := range r.Contours {
		reach = max(reach, c.Kilometres*1000, c.Minutes*60*speed)
	}
	s := &sampler{e: e, r: r}
	g := gridAround(geo.Around(r.Location.Point, min(mostReach, reach)), coarse)
	for range mostRounds {
		if err := s.sample(ctx, g); err != nil {
			return nil, err
		}
		within, small := g.contourBox(r.Contours)
		g = gridAround(within, coarse)
		if !small {
			break
		}
	}
	g.resize(fine)
	if err := s.sample(ctx, g); err != nil {
		return nil, err
	}
	a := &engine.IsochroneAnswer{On: s.on, Warnings: append(warnings, passing(&r.Conditions)...)}
	a.Warnings = append(a.Warnings, engine.Warning{Code: engine.WarnSampled, Text: fmt.Sprintf("the outlines are drawn from %d places that lie %.0f m apart: the routing engine here has no isochrones of its own", fine*fine, g.metres())})
	share := 1.0
	if r.Denoise != nil {
		share = *r.Denoise
	}
	for _, c := range r.Contours {
		values, limit := g.seconds, c.Minutes*60
		if c.Kilometres > 0 {
			values, limit = g.lengths, c.Kilometres*1000
		}
		a.Outlines = append(a.Outlines, engine.Outline{Contour: c, Polygons: denoised(g.outline(values, limit), share)})
	}
	slices.SortStableFunc(a.Outlines, func(x, y engine.Outline) int {
		return cmp.Or(cmp.Compare(y.Kilometres, x.Kilometres), cmp.Compare(y.Minutes, x.Minutes))
	})
	return a, nil
}

// sampler asks for the ways to the places of grids.
type sampler struct {
	e  *Engine
	r  *engine.IsochroneRequest
	on geo.Point // where the location lies on the road
}

// sample fills in the values of a grid.
func (s *sampler) sample(ctx context.Context, g *grid) error {
	places := g.places()
	m := &engine.MatrixRequest{Costing: s.r.Costing, Options: s.r.Options}
	apart := g.metres()
	for from := 0; from < len(places); from += mostPlaces - 1 {
		part := places[from:min(from+mostPlaces-1, len(places))]
		list := make([]engine.Location, 0, len(part)+1)
		list = append(list, s.r.Location)
		for _, p := range part {
			list = append(list, engine.Location{Point: p})
		}
		sources := 1
		if s.r.Reverse {
			list, sources = append(list[1:], list[0]), len(part)
		}
		t, err := s.e.table(ctx, m, list, sources)
		if err != nil {
			return err
		}
		on, ends := t.Sources[0], t.Targets
		if s.r.Reverse {
			on, ends = t.Targets[0], t.Sources
		}
		if geo.Distance(on.On, s.r.Location.Point) > s.r.Location.Cutoff() {
			return engine.Refused(engine.CodeNoSegment, "locations[0] (%s) has no road usable by %s near it", s.r.Location.Point, s.r.Costing)
		}
		s.on = on.On
		for i := range part {
			row, column := 0, i
			if s.r.Reverse {
				row, column = i, 0
			}
			seconds, metres := t.Durations[row][column], t.Distances[row][column]
			if seconds != nil && metres != nil && geo.Distance(ends[i].On, part[i]) <= apart {
				g.set(from+i, *seconds, *metres)
			}
		}
	}
	g.reach(s.r.Location.Point)
	return nil
}
