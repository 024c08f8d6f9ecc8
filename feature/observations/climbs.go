package observations

import (
	"context"
	"errors"
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/height"
)

const (
	heightStep   = 50.0  // metres of line between two heights
	heightWindow = 250.0 // metres of line over which heights are averaged
	fall         = 30.0  // metres that a road falls after a top
	heightChunk  = 1000  // heights that are read at once
)

// profile is the heights along the line.
type profile struct {
	arcs, heights []float64 // NaN where the height is not known
}

// climbs adds the tops of climbs. known is the share of the line whose height is known.
func (w *walk) climbs(ctx context.Context, from Heights) (damaged []error, known float64, err error) {
	p, damaged, err := w.profile(ctx, from)
	if err != nil {
		return nil, 0, err
	}
	n := 0.0
	for _, h := range p.heights {
		if !math.IsNaN(h) {
			n++
		}
	}
	p.tops(p.averaged(), func(arc, rise, top float64) {
		top = math.Round(top)
		w.add(candidate{rank: rankClimb}, arc, "climb", Climb, "height-profile", w.q.Language.RoadClimb(rise, top, w.q.Miles)).Elevation = &top
	})
	return damaged, share(n, float64(len(p.heights))), nil
}

// profile reads the heights of the road: on bridges and in tunnels, where the ground is not
// the road, those between their ends on a straight line.
func (w *walk) profile(ctx context.Context, from Heights) (p profile, damaged []error, err error) {
	var places []geo.Point
	var built []bool
	last, onBuilt := math.Inf(-1), false
	for i := range w.pieces {
		c := &w.pieces[i]
		onBuilt = onBuilt || c.built
		if c.to-last < heightStep && i != len(w.pieces)-1 {
			continue
		}
		last = c.to
		places, built = append(places, placeOf(c.b.X, c.b.Y)), append(built, onBuilt)
		p.arcs = append(p.arcs, c.to)
		onBuilt = false
	}
	for len(places) > 0 {
		n := min(heightChunk, len(places))
		metres, unread, err := from.Heights(ctx, places[:n])
		var wide *height.SpreadError
		if errors.As(err, &wide) { // not known
			metres, err = make([]float64, n), nil
			for i := range metres {
				metres[i] = math.NaN()
			}
		}
		if err != nil {
			return p, nil, err
		}
		damaged = append(damaged, unread...)
		p.heights, places = append(p.heights, metres...), places[n:]
	}
	p.span(built)
	return p, damaged, nil
}

// placeOf returns the place of a spot on the map.
func placeOf(x, y float64) geo.Point {
	return geo.Point{Lon: math.Mod(math.Mod(x, 1)+1, 1)*360 - 180, Lat: math.Atan(math.Sinh(2*math.Pi*(0.5-y))) * 180 / math.Pi}
}

// span replaces the heights of bridges and tunnels.
func (p *profile) span(built []bool) {
	for i := 0; i < len(built); i++ {
		if !built[i] {
			continue
		}
		end := i
		for end < len(built) && built[end] {
			end++
		}
		for k := i; k < end; k++ {
			if p.heights[k] = math.NaN(); i > 0 && end < len(built) {
				t := (p.arcs[k] - p.arcs[i-1]) / (p.arcs[end] - p.arcs[i-1])
				p.heights[k] = p.heights[i-1] + t*(p.heights[end]-p.heights[i-1])
			}
		}
		i = end
	}
}

// averaged returns the known heights averaged over the window, as far before a place as
// after it.
func (p *profile) averaged() []float64 {
	out := make([]float64, len(p.heights))
	first, end := 0, 0
	for i, arc := range p.arcs {
		for p.arcs[first] < arc-heightWindow/2 {
			first++
		}
		for end < len(p.arcs) && p.arcs[end] <= arc+heightWindow/2 {
			end++
		}
		if out[i] = math.NaN(); math.IsNaN(p.heights[i]) {
			continue
		}
		sum, n := 0.0, 0.0
		for _, h := range p.heights[first:end] {
			if !math.IsNaN(h) {
				sum, n = sum+h, n+1
			}
		}
		out[i] = sum / n
	}
	return out
}

// tops calls each for the tops of climbs of smooth heights: where the road falls by so many
// metres after it has risen by enough. A stretch of unknown height ends a climb without a
// top, as does the end of the line.
func (p *profile) tops(smooth []float64, each func(arc, rise, top float64)) {
	const none = -1
	foot, top := none, none
	for i, h := range smooth {
		switch {
		case math.IsNaN(h):
			foot, top = none, none
		case foot == none:
			foot, top = i, i
		case h > smooth[top]:
			top = i
		case smooth[top]-h >= fall:
			// The road has turned down for good, and what comes is a new climb.
			if rise := smooth[top] - smooth[foot]; rise >= climbLeast {
				each(p.arcs[top], rise, p.heights[top])
			}
			foot, top = i, i
		case h < smooth[foot] && top == foot:
			foot, top = i, i
		}
	}
}
