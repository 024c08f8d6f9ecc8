package guide

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// Line is the line of a leg. Step i of its path runs from Points[Step[i]] to
// Points[Step[i+1]]; Step has one element more than the path.
type Line struct {
	Points []geo.Point
	Step   []int
}

// Shape gives the exact line of a path: the edges' lines one after another,
// cut where a step begins or ends within its edge, without points repeated.
func Shape(g *graph.Graph, path graph.Path) Line {
	size := 1
	for _, s := range path {
		seg := g.Segment(s.Edge)
		size += int(g.ShapeAt[seg+1] - g.ShapeAt[seg])
	}
	l := Line{Points: make([]geo.Point, 0, size), Step: make([]int, 0, len(path)+1)}
	var part []geo.Point
	for i, s := range path {
		part = g.AppendShape(part[:0], s.Edge)
		cut := part
		if s.Begin > 0 || s.End < 1 {
			cut = clip(part, s.Begin, s.End)
		}
		if i == 0 {
			l.Points = append(l.Points, cut[0])
		}
		l.Step = append(l.Step, len(l.Points)-1)
		for _, p := range cut {
			if l.Points[len(l.Points)-1] != p {
				l.Points = append(l.Points, p)
			}
		}
	}
	l.Step = append(l.Step, max(0, len(l.Points)-1))
	return l
}

// clip gives the part of a line between two shares of its length, at least
// one point.
func clip(line []geo.Point, begin, end float64) []geo.Point {
	begin, end = math.Max(0, begin), math.Min(1, end)
	total := geo.Length(line)
	from, to := begin*total, end*total
	out := make([]geo.Point, 0, len(line)+1)
	if begin == 0 {
		out = append(out, line[0])
	}
	done := 0.0
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		d := geo.Distance(a, b)
		if len(out) == 0 && from <= done+d {
			out = append(out, between(a, b, from-done, d))
		}
		if end < 1 && to <= done+d {
			return append(out, between(a, b, to-done, d))
		}
		if len(out) > 0 {
			out = append(out, b)
		}
		done += d
	}
	if len(out) == 0 {
		out = append(out, line[len(line)-1])
	}
	return out
}

func between(a, b geo.Point, at, length float64) geo.Point {
	if length <= 0 || at <= 0 {
		return a
	}
	if at >= length {
		return b
	}
	t := at / length
	return geo.Point{Lon: a.Lon + (b.Lon-a.Lon)*t, Lat: a.Lat + (b.Lat-a.Lat)*t}
}

// SideOf tells on which side of a line's end (its start where atStart) a
// place lies, seen in the direction of travel. A place nearer than least
// metres, further than most, or straight ahead or behind lies on no side.
func SideOf(line []geo.Point, atStart bool, place geo.Point, least, most float64) Side {
	if len(line) < 2 {
		return NoSide
	}
	end, course := line[0], 0.0
	if atStart {
		course = leaving(line, lookMetres)
	} else {
		end, course = line[len(line)-1], arriving(line, lookMetres)
	}
	d := geo.Distance(end, place)
	if d < least || d > most || d == 0 {
		return NoSide
	}
	switch off := geo.Turn(course, geo.Bearing(end, place)); {
	case off > 15 && off < 165:
		return RightSide
	case off > 195 && off < 345:
		return LeftSide
	}
	return NoSide
}

// lookMetres is how far from a junction the course of a road is taken: far
// enough to see past kerbs and mapping noise, near enough to be the junction.
const lookMetres = 12

// leaving is the course of a line at its start, taken over metres.
func leaving(line []geo.Point, metres float64) float64 {
	return geo.Bearing(line[0], ahead(line[0], metres, len(line)-1, func(i int) geo.Point { return line[i+1] }))
}

// arriving is the course of a line at its end.
func arriving(line []geo.Point, metres float64) float64 {
	last := len(line) - 1
	return geo.Bearing(ahead(line[last], metres, last, func(i int) geo.Point { return line[last-1-i] }), line[last])
}

// ahead is the point metres along a line that starts at p and goes on with n
// points, or its end where it is shorter.
func ahead(p geo.Point, metres float64, n int, next func(int) geo.Point) geo.Point {
	const perDegree = geo.EarthRadius * math.Pi / 180
	scale := math.Cos(p.Lat * math.Pi / 180)
	for i := range n {
		q := next(i)
		d := perDegree * math.Hypot((q.Lon-p.Lon)*scale, q.Lat-p.Lat)
		if d >= metres {
			return between(p, q, metres, d)
		}
		metres -= d
		p = q
	}
	return p
}
