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
)

// failed says why there is no plan, and how far the vehicle comes.
func (j *journey) failed(ctx context.Context, s *ev.Solution) (*Answer, error) {
	a := j.answer()
	f, from := j.furthest(s)
	a.Furthest = f
	end, err := j.without(ctx, false)
	if err != nil {
		return nil, err
	}
	calls := false
	if !end && len(j.calls) > 0 {
		if calls, err = j.without(ctx, true); err != nil {
			return nil, err
		}
	}
	reached := 0
	for i := 1; i < len(j.places)-1; i++ {
		if s.Reached[i] >= 0 && !j.places[i].call {
			reached++
		}
	}
	reason := &Reason{}
	switch {
	case end && j.MinEnd > 0:
		reason.Code = "destination_minimum"
		reason.Text = fmt.Sprintf("the destination is within reach, but not with %g %% left; at the least it is left with less", percent(j.MinEnd))
	case calls:
		reason.Code = "stop_minimum"
		reason.Text = "the destination is within reach, but not with what is to be left at the stops on the way and at the end"
	case j.looked.Candidates == 0:
		reason.Code = "no_stations"
		reason.Text = fmt.Sprintf("no station within %.0f km of the route fits the vehicle, of %d that there are; on one charge it comes %.0f km of %.0f", j.Corridor/1000, j.looked.Stations, f.Metres/1000, j.direct.Metres/1000)
	case reached == 0:
		reason.Code = "start_too_low"
		reason.Text = fmt.Sprintf("with %g %% at the start no station is within reach; the vehicle comes %.0f km of %.0f", percent(j.Start), f.Metres/1000, j.direct.Metres/1000)
	default:
		reason.Code = "gap"
		reason.Text = fmt.Sprintf("there is no station within reach after kilometre %.0f of %.0f", f.Metres/1000, j.direct.Metres/1000)
	}
	a.Reason = reason
	if f.Stretch > 0 {
		f.Area = j.around(ctx, from, f.Stretch)
	}
	return a, ctx.Err()
}

// without is whether there is a plan without what is to be left at the end, and at
// calls too.
func (j *journey) without(ctx context.Context, calls bool) (bool, error) {
	p := j.problem()
	p.MinEnd = 0
	for i := range p.Stations {
		if calls {
			p.Stations[i].Least = 0
		}
	}
	s, err := ev.Solve(ctx, p)
	return err == nil && s.Plan != nil, err
}

// furthest is how far along the direct route the vehicle comes, charging where it
// can, and the place where it was charged last.
func (j *journey) furthest(s *ev.Solution) (*Furthest, geo.Point) {
	d := j.direct
	length := d.arcs[len(d.arcs)-1]
	mean := max(d.Cost, 1) / max(d.Metres, 1)
	best, from, after, most := j.ahead(0, j.Start*j.Battery.Capacity), j.Locations[0].Point, (*string)(nil), j.Start*j.Battery.Capacity
	for i := 1; i < len(j.places)-1; i++ {
		p := &j.places[i]
		left := s.Reached[i]
		if left < 0 {
			continue
		}
		arc := j.sections[p.section].begin + p.arc
		if p.call {
			arc = j.sections[p.section+1].begin
		}
		// Back to the route it is at least as far as the station lies off it.
		if arc := j.ahead(arc, left-p.off*mean); arc > best {
			best, from, after, most = arc, p.at, nil, left
			if p.Station != nil && p.watts > 0 {
				after = named(p.Name)
			}
		}
	}
	p, _ := corridor.New(d.line).At(min(best, length))
	return &Furthest{Lat: p.Lat, Lon: p.Lon, Metres: whole(best), After: after, Stretch: math.Round(max(0, most-j.reserve())/mean/100) / 10}, from
}

// reserve is the charge that is left in any case.
func (j *journey) reserve() float64 { return min(j.MinStop, j.MinEnd) * j.Battery.Capacity }

// ahead is how far along the direct route a charge lasts from a place on it, until
// what is to be left at the end is left.
func (j *journey) ahead(arc, charge float64) float64 {
	d := j.direct
	start := 0.0
	for i, at := range d.arcs {
		if at < arc {
			start = d.energies[i]
			continue
		}
		if charge-(d.energies[i]-start) < j.reserve() {
			if i == 0 || d.arcs[i-1] < arc {
				return arc
			}
			return d.arcs[i-1]
		}
	}
	return d.arcs[len(d.arcs)-1]
}

// around outlines what is within so many kilometres of a place; nil where the
// engine cannot.
func (j *journey) around(ctx context.Context, from geo.Point, kilometres float64) *Area {
	can := j.Engine.Can()
	if !can.Does(engine.CallIsochrone) {
		return nil
	}
	found, err := j.Engine.Isochrone(ctx, &engine.IsochroneRequest{
		Location: engine.Location{Point: from}, Costing: costing.Auto, Options: j.Options, Contours: []engine.Contour{{Kilometres: min(kilometres, mostOutlined)}}, Polygons: true,
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

// mostOutlined is the furthest that an area reaches, in kilometres.
const mostOutlined = 200
