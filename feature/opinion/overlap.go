package opinion

import (
	"context"
	"math"

	"github.com/waygate/waygate/geo"
)

// The lines are compared in steps of so many metres, in square cells with sides of so many.
const (
	step = 10.0
	side = 20.0
	// stepNanos is about what a metre takes.
	stepNanos = 30
)

// cell is one of the cells, numbered by longitude and latitude.
type cell struct{ x, y int32 }

// overlap returns the share of a line's length that lies in a cell of another line or in one
// beside it, 0 to 1. The error is the context's.
func overlap(ctx context.Context, line, other []geo.Point) (float64, error) {
	if len(line) == 0 || len(other) == 0 {
		return 0, nil
	}
	wide := math.Max(0.01, math.Cos(other[0].Lat*math.Pi/180))
	const degree = 111_195 // metres of latitude
	at := func(p geo.Point) cell {
		return cell{int32(math.Floor(p.Lon * degree * wide / side)), int32(math.Floor(p.Lat * degree / side))}
	}
	there := map[cell]bool{}
	err := along(ctx, other, func(p geo.Point) { there[at(p)] = true })
	if err != nil {
		return 0, err
	}
	shared, all := 0, 0
	err = along(ctx, line, func(p geo.Point) {
		all++
		c := at(p)
		for dx := int32(-1); dx <= 1; dx++ {
			for dy := int32(-1); dy <= 1; dy++ {
				if there[cell{c.x + dx, c.y + dy}] {
					shared++
					return
				}
			}
		}
	})
	return float64(shared) / float64(max(all, 1)), err
}

// along calls f for places along a line, step metres apart, with its ends.
func along(ctx context.Context, line []geo.Point, f func(geo.Point)) error {
	f(line[0])
	left, n := step, 0
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		metres := geo.Distance(a, b)
		for at := left; at <= metres; at += step {
			if n++; n%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			t := at / metres
			f(geo.Point{Lon: a.Lon + (b.Lon-a.Lon)*t, Lat: a.Lat + (b.Lat-a.Lat)*t})
		}
		left = math.Mod(left-metres, step)
		if left <= 0 {
			left += step
		}
	}
	return ctx.Err()
}
