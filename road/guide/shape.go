package guide

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// Line is the line of a leg. Step i of its path runs from Points[Step[i]] to
// Points[Step[i+1]]; Step has one element more than the path.
type Line struct {
	Points []geo.Point
	Step   []int
}

// Shape returns the exact line of a path: the edges' lines one after another,
// cut where a step begins or ends within its edge, without points repeated.
func Shape(g *graph.Graph, path graph.Path) Line {
	size := 1
	for i := range path {
		seg := g.Segment(path[i].Edge)
		size += int(g.ShapeAt[seg+1]-g.ShapeAt[seg]) - 1 // less the one that it shares with the last
	}
	l := Line{Points: make([]geo.Point, 0, size), Step: make([]int, len(path)+1)}
	var part []geo.Point
	last := geo.Fixed{Lon: math.MaxInt32}
	for i := range path {
		s := &path[i]
		shape := g.SegmentShape(g.Segment(s.Edge))
		if s.Begin > 0 || s.End < 1 || i > 0 && path[i-1].End < 1 {
			part = g.AppendShape(part[:0], s.Edge)
			l.append(i, clip(part, s.Begin, s.End))
			last = l.Points[len(l.Points)-1].Fix()
			continue
		}
		l.Step[i] = max(0, len(l.Points)-1)
		if g.Backward(s.Edge) {
			for j := len(shape) - 1; j >= 0; j-- {
				if shape[j] != last {
					last = shape[j]
					l.Points = append(l.Points, last.Point())
				}
			}
			continue
		}
		for _, p := range shape {
			if p != last {
				last = p
				l.Points = append(l.Points, p.Point())
			}
		}
	}
	l.Step[len(path)] = max(0, len(l.Points)-1)
	return l
}

// append adds the line of step i.
func (l *Line) append(i int, line []geo.Point) {
	if len(l.Points) == 0 {
		l.Points = append(l.Points, line[0])
	}
	l.Step[i] = len(l.Points) - 1
	for _, p := range line {
		if l.Points[len(l.Points)-1] != p {
			l.Points = append(l.Points, p)
		}
	}
}

// clip returns the part of a line between two shares of its length, at least
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
			out = append(out, interpolate(a, b, from-done, d))
		}
		if end < 1 && to <= done+d {
			return append(out, interpolate(a, b, to-done, d))
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

func interpolate(a, b geo.Point, at, length float64) geo.Point {
	if length <= 0 || at <= 0 {
		return a
	}
	if at >= length {
		return b
	}
	t := at / length
	return geo.Point{Lon: a.Lon + east(a, b)*t, Lat: a.Lat + (b.Lat-a.Lat)*t}
}

// SideOf returns the side of a line's end (its start with atStart) on which a place
// lies, seen in the direction of travel. A place nearer than least metres,
// farther than most, or straight ahead or behind lies on no side.
func SideOf(line []geo.Point, atStart bool, place geo.Point, least, most float64) guidance.Side {
	if len(line) < 2 {
		return guidance.NoSide
	}
	end, bearing := line[0], 0.0
	if atStart {
		bearing = lineStartBearing(line, lookMetres, lonScaleAt(line[0]))
	} else {
		end, bearing = line[len(line)-1], lineEndBearing(line, lookMetres, lonScaleAt(line[0]))
	}
	d := geo.Distance(end, place)
	if d < least || d > most || d == 0 {
		return guidance.NoSide
	}
	switch off := geo.Turn(bearing, geo.Bearing(end, place)); {
	case off > 15 && off < 165:
		return guidance.RightSide
	case off > 195 && off < 345:
		return guidance.LeftSide
	}
	return guidance.NoSide
}

// lookMetres is how far from the end of a line its bearing is taken for SideOf:
// far enough not to follow kerbs and mapping noise.
const lookMetres = 12

// lonScaleAt returns the length of a degree of longitude at a place as a share of
// one at the equator.
func lonScaleAt(p geo.Point) float64 { return math.Cos(p.Lat * math.Pi / 180) }

// lineStartBearing returns the bearing of a line at its start in degrees, taken over
// so many metres.
func lineStartBearing(line []geo.Point, metres, narrow float64) float64 {
	return bearing(line[0], pointAhead(line[0], metres, narrow, line[1:], 1), narrow)
}

// lineEndBearing returns the bearing of a line at its end, likewise.
func lineEndBearing(line []geo.Point, metres, narrow float64) float64 {
	last := len(line) - 1
	return bearing(pointAhead(line[last], metres, narrow, line[:last], -1), line[last], narrow)
}

// bearing returns the bearing from one point to another nearby, in degrees.
func bearing(a, b geo.Point, narrow float64) float64 {
	d := math.Atan2(east(a, b)*narrow, b.Lat-a.Lat) * 180 / math.Pi
	if d < 0 {
		d += 360
	}
	return d
}

// east returns how many degrees of longitude b lies east of a, the shorter way round.
func east(a, b geo.Point) float64 {
	switch d := b.Lon - a.Lon; {
	case d > 180:
		return d - 360
	case d < -180:
		return d + 360
	default:
		return d
	}
}

// pointAhead returns the point metres along a line from p, or its end where it is
// shorter. The points after p are in order, or in reverse with a step of -1.
func pointAhead(p geo.Point, metres, narrow float64, rest []geo.Point, step int) geo.Point {
	const perDegree = geo.EarthRadius * math.Pi / 180
	i := 0
	if step < 0 {
		i = len(rest) - 1
	}
	for ; i >= 0 && i < len(rest); i += step {
		q := rest[i]
		dx, dy := east(p, q)*narrow, q.Lat-p.Lat
		d := perDegree * math.Sqrt(dx*dx+dy*dy)
		if d >= metres {
			return interpolate(p, q, metres, d)
		}
		metres -= d
		p = q
	}
	return p
}
