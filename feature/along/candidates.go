package along

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

const (
	// heedEvery is after how many places it is looked whether the caller waits.
	heedEvery = 64
	// stretch is how many pieces of the line have one box around them.
	stretch = 64
)

// candidates gives the places that detours are measured to, by their index and in
// its order, and counts those that the corridor leaves out.
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
	c := newCorridor(line)
	for i := range r.Places {
		if i%heedEvery == 0 && ctx.Err() != nil {
			return nil, out, ctx.Err()
		}
		if metres := c.metres(r.Places[i].Point, r.Corridor); metres <= r.Corridor {
			within = append(within, near{i, metres})
		} else {
			out.Corridor++
		}
	}
	if len(within) > MaxPlaces {
		slices.SortStableFunc(within, func(a, b near) int { return cmp.Compare(a.metres, b.metres) })
		out.Nearest = len(within) - MaxPlaces
		within = within[:MaxPlaces]
	}
	for _, n := range within {
		left = append(left, n.index)
	}
	slices.Sort(left)
	return left, out, nil
}

// corridor is a line by stretches, each with the box around it: thousands of
// places are measured from lines of thousands of points.
type corridor struct {
	line  []geo.Point
	boxes []geo.Bounds
}

func newCorridor(line []geo.Point) *corridor {
	c := &corridor{line: line}
	for from := 0; from == 0 || from < len(line)-1; from += stretch {
		box := geo.NoBounds()
		for _, p := range line[from:min(from+stretch+1, len(line))] {
			box = box.Extend(p)
		}
		c.boxes = append(c.boxes, box)
	}
	return c
}

// metres is how far a place is from the line where that is at most so far, else
// more than that.
func (c *corridor) metres(p geo.Point, most float64) float64 {
	around, least := geo.Around(p, most), math.Inf(1)
	for i, box := range c.boxes {
		if !around.Intersects(box) {
			continue
		}
		from := i * stretch
		if len(c.line) == 1 {
			return geo.Distance(p, c.line[0])
		}
		for j := from + 1; j < min(from+stretch+1, len(c.line)); j++ {
			if _, _, square := geo.Nearest(p, c.line[j-1], c.line[j]); square < least {
				least = square
			}
		}
	}
	return math.Sqrt(least)
}
