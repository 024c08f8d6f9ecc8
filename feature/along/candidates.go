package along

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// candidates returns the indexes of the places that detours are measured to, in their
// order, and counts those that the corridor leaves out.
func candidates(ctx context.Context, r *Request, line []geo.Point) (left []int, out Excluded, err error) {
	if r.Corridor == 0 {
		left = make([]int, len(r.Places))
		for i := range left {
			left[i] = i
		}
		return left, out, nil
	}
	type near struct {
		index  int
		metres float64
	}
	var within []near
	points := make([]geo.Point, len(r.Places))
	for i := range r.Places {
		points[i] = r.Places[i].Point
	}
	var c *corridor.Corridor
	var index *corridor.Index
	err = engine.Work(ctx, lineEffort(len(line)+len(points)), func(context.Context) error {
		c, index = corridor.New(line), corridor.PointIndex(points)
		return nil
	})
	if err != nil {
		return nil, out, err
	}
	look := func(i int, parts []corridor.Part) bool {
		least := math.Inf(1)
		for _, pass := range c.Passes(points[i], r.Corridor, parts, nil) {
			least = min(least, pass.Metres)
		}
		if least <= r.Corridor {
			within = append(within, near{i, least})
		}
		return true
	}
	err = engine.Work(ctx, nearEffort(c, index, r.Corridor), func(ctx context.Context) error {
		return c.Near(ctx, index, r.Corridor, look)
	})
	if err != nil {
		return nil, out, err
	}
	out.Corridor = len(r.Places) - len(within)
	most := MaxPlaces
	if r.Kind != nil {
		most = MostOfKind
	}
	if len(within) > most {
		slices.SortStableFunc(within, func(a, b near) int { return cmp.Compare(a.metres, b.metres) })
		out.Nearest = len(within) - most
		within = within[:most]
	}
	for _, n := range within {
		left = append(left, n.index)
	}
	slices.Sort(left)
	return left, out, nil
}
