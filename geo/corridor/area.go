package corridor

import (
	"slices"

	"github.com/waygate/waygate/geo"
)

// Area is a polygon, or several, given by rings: what an odd number of rings goes
// round is in it. Sides are straight in degrees. It is immutable.
type Area struct {
	sides [][2]geo.Point
	index *Index
	box   geo.Bounds
}

// NewArea makes an area of rings, open or closed.
func NewArea(rings ...[]geo.Point) *Area {
	a := &Area{box: geo.NoBounds()}
	var boxes []geo.Bounds
	for _, ring := range rings {
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			a.box = a.box.Extend(p)
			if p != q {
				a.sides = append(a.sides, [2]geo.Point{p, q})
				boxes = append(boxes, geo.NoBounds().Extend(p).Extend(q))
			}
		}
	}
	a.index = NewIndex(boxes)
	return a
}

// Bounds returns the box around the area.
func (a *Area) Bounds() geo.Bounds { return a.box }

// Contains reports whether a point is in the area.
func (a *Area) Contains(p geo.Point) bool {
	inside := false
	a.index.Search(geo.Bounds{Min: p, Max: geo.Point{Lon: a.box.Max.Lon, Lat: p.Lat}}, func(i int) bool {
		u, v := a.sides[i][0], a.sides[i][1]
		if (u.Lat > p.Lat) != (v.Lat > p.Lat) && p.Lon < u.Lon+(v.Lon-u.Lon)*((p.Lat-u.Lat)/(v.Lat-u.Lat)) {
			inside = !inside
		}
		return true
	})
	return inside
}

// Inside returns the stretches of the route that are in an area, in order. near is
// the parts of the route to look at, nil for all of it: outside of them the route
// is taken to be outside of the area.
func (c *Corridor) Inside(a *Area, near []Part) []Span {
	if near == nil {
		near = c.whole()
	}
	var spans []Span
	var cuts []float64
	for _, part := range near {
		for _, s := range c.stretches[part.first:part.end] {
			if !s.box.Intersects(a.box) {
				continue
			}
			for i := s.first; i < s.last; i++ {
				p, q := c.line[i], c.line[i+1]
				if p == q {
					continue
				}
				cuts = append(a.cuts(cuts[:0], p, q), 1)
				slices.Sort(cuts)
				length, from := c.arc[i+1]-c.arc[i], 0.0
				for _, to := range cuts {
					middle := (from + to) / 2
					if to > from && a.Contains(geo.Point{Lon: p.Lon + (q.Lon-p.Lon)*middle, Lat: p.Lat + (q.Lat-p.Lat)*middle}) {
						spans = append(spans, Span{c.arc[i] + from*length, c.arc[i] + to*length})
					}
					from = to
				}
			}
		}
	}
	return Joined(spans, touching)
}

// cuts appends where the piece from p to q meets sides of the area, from 0 to 1.
func (a *Area) cuts(list []float64, p, q geo.Point) []float64 {
	a.index.Search(geo.NoBounds().Extend(p).Extend(q), func(i int) bool {
		u, v := a.sides[i][0], a.sides[i][1]
		dx, dy, ex, ey := q.Lon-p.Lon, q.Lat-p.Lat, v.Lon-u.Lon, v.Lat-u.Lat
		cross := dx*ey - dy*ex
		if cross == 0 {
			return true // along the side: its ends meet other sides
		}
		t := ((u.Lon-p.Lon)*ey - (u.Lat-p.Lat)*ex) / cross
		w := ((u.Lon-p.Lon)*dy - (u.Lat-p.Lat)*dx) / cross
		if t > 0 && t < 1 && w >= 0 && w <= 1 {
			list = append(list, t)
		}
		return true
	})
	return list
}
