package corridor

import (
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Span is a stretch of the route, in metres from its start.
type Span struct{ From, To float64 }

// alike is how far two bearings may be apart, in degrees, for two lines to run
// along each other; further apart they cross.
const alike = 45

// Overlaps returns the stretches of the route that are within so many metres of a
// line and run along it, those with the line and those against it, each list by
// where it begins. near is the parts of the route to look at, nil for all of it.
func (c *Corridor) Overlaps(line []geo.Point, metres float64, near []Part) (with, against []Span) {
	if near == nil {
		near = c.whole()
	}
	for _, part := range near {
		for _, s := range c.stretches[part.first:part.end] {
			box := grown(s.box, metres)
			for j := 1; j < len(line); j++ {
				u, v := line[j-1], line[j]
				if u == v || !box.Intersects(geo.NoBounds().Extend(u).Extend(v)) {
					continue
				}
				bearing, scale := math.NaN(), newScale(u.Lat)
				for i := s.first; i < s.last; i++ {
					a, b := c.line[i], c.line[i+1]
					first, last, ok := beside(a, b, u, v, scale.cos, metres)
					if !ok {
						continue
					}
					if math.IsNaN(bearing) { // few pieces get here
						bearing = geo.Bearing(u, v)
					}
					length := c.arc[i+1] - c.arc[i]
					span := Span{c.arc[i] + first*length, c.arc[i] + last*length}
					switch d := Deviation(geo.Bearing(a, b), bearing); {
					case d <= alike:
						with = append(with, span)
					case d >= 180-alike:
						against = append(against, span)
					}
				}
			}
		}
	}
	return Joined(with, touching), Joined(against, touching)
}

// Nearest returns where the route comes nearest to a line of two points or more, in metres from
// the start, and how near in metres that is: 0 where they cross. ok is false where it is more
// than so many metres. near is as in Overlaps.
func (c *Corridor) Nearest(line []geo.Point, metres float64, near []Part) (arc, off float64, ok bool) {
	if near == nil {
		near = c.whole()
	}
	off = math.Inf(1)
	for _, part := range near {
		for _, s := range c.stretches[part.first:part.end] {
			box := grown(s.box, metres)
			for j := 1; j < len(line); j++ {
				u, v := line[j-1], line[j]
				if !box.Intersects(geo.NoBounds().Extend(u).Extend(v)) {
					continue
				}
				scale := newScale(u.Lat)
				for i := s.first; i < s.last; i++ {
					if along, d := apart(c.line[i], c.line[i+1], u, v, scale.cos); d < off && d <= metres {
						arc, off, ok = c.arc[i]+along*(c.arc[i+1]-c.arc[i]), d, true
					}
				}
			}
		}
	}
	return arc, off, ok
}

// apart gives where the piece from a to b, from 0 to 1, is nearest to the piece from u to v, and
// how many metres that is, in a plane about u.
func apart(a, b, u, v geo.Point, cos float64) (along, metres float64) {
	plane := func(q geo.Point) (x, y float64) {
		return (q.Lon - u.Lon) * cos * metresPerDegree, (q.Lat - u.Lat) * metresPerDegree
	}
	ax, ay := plane(a)
	bx, by := plane(b)
	vx, vy := plane(v)
	dx, dy := bx-ax, by-ay
	if cross := dx*vy - dy*vx; cross != 0 {
		t, s := (ay*vx-ax*vy)/cross, (ay*dx-ax*dy)/cross
		if t >= 0 && t <= 1 && s >= 0 && s <= 1 {
			return t, 0
		}
	}
	metres = math.Inf(1)
	take := func(t, x, y float64) {
		if d := math.Hypot(x, y); d < metres {
			along, metres = t, d
		}
	}
	for _, end := range [2][2]float64{{0, 0}, {vx, vy}} { // of the line
		t := foot(end[0]-ax, end[1]-ay, dx, dy)
		take(t, ax+t*dx-end[0], ay+t*dy-end[1])
	}
	t := foot(ax, ay, vx, vy)
	take(0, t*vx-ax, t*vy-ay)
	t = foot(bx, by, vx, vy)
	take(1, t*vx-bx, t*vy-by)
	return along, metres
}

// foot returns where on a piece from the origin to d, from 0 to 1, is nearest to p.
func foot(px, py, dx, dy float64) float64 {
	square := dx*dx + dy*dy
	if square == 0 {
		return 0
	}
	return max(0, min(1, (px*dx+py*dy)/square))
}

// touching is how near in metres two stretches are one.
const touching = 0.01

// Joined puts stretches in order and makes one of those that overlap or lie no
// more than so many metres apart.
func Joined(spans []Span, gap float64) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.From <= out[n-1].To+gap {
			out[n-1].To = max(out[n-1].To, s.To)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// beside returns the part of the piece from a to b, from 0 to 1, that is within so
// many metres of the piece from u to v, in a plane about u.
func beside(a, b, u, v geo.Point, cos, metres float64) (first, last float64, ok bool) {
	if a == b {
		return 0, 0, false
	}
	plane := func(q geo.Point) (x, y float64) {
		return (q.Lon - u.Lon) * cos * metresPerDegree, (q.Lat - u.Lat) * metresPerDegree
	}
	ax, ay := plane(a)
	bx, by := plane(b)
	vx, vy := plane(v)
	if min(ax, bx) > max(0, vx)+metres || max(ax, bx) < min(0, vx)-metres || min(ay, by) > max(0, vy)+metres || max(ay, by) < min(0, vy)-metres {
		return 0, 0, false
	}
	first, last = math.Inf(1), math.Inf(-1)
	take := func(f, l float64) {
		if f, l = max(0, f), min(1, l); f <= l {
			first, last = min(first, f), max(last, l)
		}
	}
	dx, dy := bx-ax, by-ay
	// A point near a piece is near one of its ends, or in the strip along it; all three
	// together are convex, and so is the part of the straight line in them.
	for _, end := range [2][2]float64{{0, 0}, {vx, vy}} {
		px, py := ax-end[0], ay-end[1]
		square := dx*dx + dy*dy
		if rest := metres*metres - crossing(px, py, dx, dy, square); rest >= 0 {
			middle, reach := -(px*dx+py*dy)/square, math.Sqrt(rest/square)
			take(middle-reach, middle+reach)
		}
	}
	length := math.Hypot(vx, vy)
	ex, ey := vx/length, vy/length
	f1, l1, ok1 := clipped(ax*ex+ay*ey, dx*ex+dy*ey, 0, length)
	f2, l2, ok2 := clipped(ay*ex-ax*ey, dy*ex-dx*ey, -metres, metres)
	if ok1 && ok2 {
		take(max(f1, f2), min(l1, l2))
	}
	return first, last, first <= last
}

// clipped solves least <= at + t·step <= most for t.
func clipped(at, step, least, most float64) (first, last float64, ok bool) {
	if step == 0 {
		return math.Inf(-1), math.Inf(1), at >= least && at <= most
	}
	first, last = (least-at)/step, (most-at)/step
	return min(first, last), max(first, last), true
}
