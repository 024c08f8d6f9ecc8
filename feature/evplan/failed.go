package evplan

import (
	"context"
	"fmt"
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/ev"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/wire/null"
)

// failure explains why the search found no plan.
type failure struct {
	*journey
	solution *ev.Solution
}

// toAnswer returns why there is no plan, and how far the vehicle comes.
func (f *failure) toAnswer(ctx context.Context) (*Answer, error) {
	a, s := f.newAnswer(), f.solution
	var far *Furthest
	var from geo.Point
	err := engine.Work(ctx, furthestEffort(len(f.places), len(f.direct.arcs)), func(ctx context.Context) error {
		far, from = f.furthest(ctx)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	a.Furthest = far
	end, err := f.without(ctx, false)
	if err != nil {
		return nil, err
	}
	calls := false
	if !end && len(f.calls) > 0 {
		if calls, err = f.without(ctx, true); err != nil {
			return nil, err
		}
	}
	reached := 0
	for i := 1; i < len(f.places)-1; i++ {
		if s.Reached[i] >= 0 && !f.places[i].call {
			reached++
		}
	}
	reason := &Reason{}
	switch {
	case end && f.MinEnd > 0:
		reason.Code = "destination_minimum"
		reason.Text = fmt.Sprintf("the destination is within reach, but not with %g %% left; at the least it is left with less", percent(f.MinEnd))
	case calls:
		reason.Code = "stop_minimum"
		reason.Text = "the destination is within reach, but not with what is to be left at the stops on the way and at the end"
	case f.looked.Candidates == 0:
		reason.Code = "no_stations"
		reason.Text = fmt.Sprintf("no station within %.0f km of the route fits the vehicle, of %d that there are; on one charge it comes %.0f km of %.0f", f.Corridor/1000, f.looked.Stations, far.Metres/1000, f.direct.Metres/1000)
	case reached == 0:
		reason.Code = "start_too_low"
		reason.Text = fmt.Sprintf("with %g %% at the start no station is within reach; the vehicle comes %.0f km of %.0f", percent(f.Start), far.Metres/1000, f.direct.Metres/1000)
	default:
		reason.Code = "gap"
		reason.Text = fmt.Sprintf("there is no station within reach after kilometre %.0f of %.0f", far.Metres/1000, f.direct.Metres/1000)
	}
	a.Reason = reason
	if far.Stretch > 0 {
		far.Area = f.around(ctx, from, far.Stretch)
	}
	return a, ctx.Err()
}

// without reports whether there is a plan with no charge to be left at the end, nor, with
// calls, at the locations on the way.
func (f *failure) without(ctx context.Context, calls bool) (bool, error) {
	s, err := engine.WorkFor(ctx, effort(len(f.places)), func(ctx context.Context) (*ev.Solution, error) {
		p := f.problem()
		p.MinEnd = 0
		for i := range p.Stations {
			if calls {
				p.Stations[i].Least = 0
			}
		}
		return ev.Solve(ctx, p)
	})
	return err == nil && s.Plan != nil, err
}

// furthest returns how far along the direct route the vehicle comes, charging where it
// can, and the place where it was charged last. It ends early with its context.
func (f *failure) furthest(ctx context.Context) (*Furthest, geo.Point) {
	d := f.direct
	length := d.arcs[len(d.arcs)-1]
	mean := max(d.Cost, 1) / max(d.Metres, 1)
	best, from, after, most := f.ahead(0, f.Start*f.Battery.Capacity), f.Locations[0].Point, (*string)(nil), f.Start*f.Battery.Capacity
	for i := 1; i < len(f.places)-1; i++ {
		p := &f.places[i]
		left := f.solution.Reached[i]
		if left < 0 {
			continue
		}
		if ctx.Err() != nil { // each goes over all of the route
			break
		}
		arc := f.sections[p.section].begin + p.arc
		if p.call {
			arc = f.sections[p.section+1].begin
		}
		// The way back to the route is at least as long as the station lies off it.
		if arc := f.ahead(arc, left-p.off*mean); arc > best {
			best, from, after, most = arc, p.at, nil, left
			if p.Station != nil && p.watts > 0 {
				after = null.IfZero(p.Name)
			}
		}
	}
	p, _ := corridor.New(d.line).At(min(best, length))
	return &Furthest{Lat: p.Lat, Lon: p.Lon, Metres: whole(best), After: after, Stretch: math.Round(max(0, most-f.reserve())/mean/100) / 10}, from
}

// reserve returns the least charge that the request wants to be left anywhere.
func (f *failure) reserve() float64 { return min(f.MinStop, f.MinEnd) * f.Battery.Capacity }

// ahead returns how far along the direct route, in metres, a charge lasts from a place on
// it, until only the reserve is left.
func (f *failure) ahead(arc, charge float64) float64 {
	d := f.direct
	start := 0.0
	for i, at := range d.arcs {
		if at < arc {
			start = d.energies[i]
			continue
		}
		if charge-(d.energies[i]-start) < f.reserve() {
			if i == 0 || d.arcs[i-1] < arc {
				return arc
			}
			return d.arcs[i-1]
		}
	}
	return d.arcs[len(d.arcs)-1]
}

// around returns the area within so many kilometres of a place; nil where the engine
// cannot outline it.
func (f *failure) around(ctx context.Context, from geo.Point, kilometres float64) *Area {
	can := f.Engine.Can()
	if !can.Does(engine.CallIsochrone) {
		return nil
	}
	found, err := f.Engine.Isochrone(ctx, &engine.IsochroneRequest{
		Location: engine.Location{Point: from}, Costing: costing.Auto, Options: f.Options, Contours: []engine.Contour{{Kilometres: min(kilometres, mostOutlined)}}, Polygons: true,
	})
	if err != nil || len(found.Outlines) == 0 {
		return nil // the answer stands without it
	}
	area := &Area{Type: "MultiPolygon", Coordinates: [][][][2]float64{}}
	for _, p := range found.Outlines[0].Polygons {
		var rings [][][2]float64
		for _, ring := range append([][]geo.Point{p.Outer}, p.Holes...) {
			out := make([][2]float64, len(ring))
			for i, at := range ring {
				out[i] = [2]float64{math.Round(at.Lon*1e5) / 1e5, math.Round(at.Lat*1e5) / 1e5}
			}
			rings = append(rings, out)
		}
		area.Coordinates = append(area.Coordinates, rings)
	}
	return area
}

// mostOutlined is the greatest range, in kilometres, that is outlined.
const mostOutlined = 200
