package contour

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// grid measures, at its nodes, how far the roads are. Its plane is flat, in
// cells to the east and to the north of its corner.
type grid struct {
	corner geo.Point
	x, y   float64 // cells a degree
	cell   float64 // metres
	reach  float64 // metres
	radius float32 // reach in cells
	w, h   int     // nodes
	// square is the distance to the nearest road in square cells, taper added.
	square []float32
}

// cover lays the grid over all strokes.
func (g *grid) cover(strokes []Stroke) {
	b := geo.NoBounds()
	for i := range strokes {
		s := &strokes[i]
		if s.Begin == 0 && s.End == 1 {
			for _, p := range s.Line {
				b = b.Extend(p.Point())
			}
			continue
		}
		s.walk(1, 1, math.Inf(1), func(p geo.Point, _ float64) { b = b.Extend(p) })
	}
	across := side(b)
	g.cell = math.Max(leastCell, across/cellsAcross)
	g.reach = math.Max(leastReach, g.cell*reachCells)
	g.radius = float32(g.reach / g.cell)
	const degree = geo.EarthRadius * math.Pi / 180
	g.y = degree / g.cell
	g.x = g.y * math.Max(0.01, math.Cos(b.Centre().Lat*math.Pi/180))
	margin := float64(g.radius) + 2
	g.corner = geo.Point{Lon: b.Min.Lon - margin/g.x, Lat: b.Min.Lat - margin/g.y}
	g.w = int((b.Max.Lon-b.Min.Lon)*g.x+2*margin) + 2
	g.h = int((b.Max.Lat-b.Min.Lat)*g.y+2*margin) + 2
}

// walk calls yield for places along the part of a stroke that was reached,
// with the part of it they lie at: its ends and corners where step is
// infinite, else middles of pieces no longer than step, lengths being measured
// with x and y a degree.
func (s *Stroke) walk(x, y, step float64, yield func(p geo.Point, at float64)) {
	total := 0.0
	a := s.Line[0].Point()
	for _, f := range s.Line[1:] {
		b := f.Point()
		total += math.Hypot((b.Lon-a.Lon)*x, (b.Lat-a.Lat)*y)
		a = b
	}
	begin, end := s.Begin*total, s.End*total
	pieces := math.Max(1, math.Ceil((end-begin)/step))
	every := (end - begin) / pieces
	corners := math.IsInf(step, 1)
	next := begin + every/2
	if corners {
		next = begin
	}
	done, left := 0.0, int(pieces)
	a = s.Line[0].Point()
	for i, f := range s.Line[1:] {
		b := f.Point()
		length := math.Hypot((b.Lon-a.Lon)*x, (b.Lat-a.Lat)*y)
		last := i == len(s.Line)-2
		for left > 0 && (next <= done+length || last) {
			t := 0.0
			if length > 0 {
				t = math.Min(1, (next-done)/length)
			}
			at := 0.5
			if end > begin {
				at = (next - begin) / (end - begin)
			}
			yield(geo.Point{Lon: a.Lon + (b.Lon-a.Lon)*t, Lat: a.Lat + (b.Lat-a.Lat)*t}, at)
			switch {
			case !corners:
				next += every
				left--
			case next < end:
				next = end
			default:
				left = 0
			}
		}
		done += length
		if corners && done > begin && done < end {
			yield(b, (done-begin)/(end-begin))
		}
		a = b
	}
}

// along appends the samples of a stroke.
func (g *grid) along(s *Stroke, dst []sample) []sample {
	s.walk(g.x, g.y, 0.5, func(p geo.Point, at float64) {
		var v Values
		for m := range v {
			v[m] = s.AtBegin[m] + (s.AtEnd[m]-s.AtBegin[m])*float32(at)
		}
		dst = append(dst, sample{float32((p.Lon - g.corner.Lon) * g.x), float32((p.Lat - g.corner.Lat) * g.y), v})
	})
	return dst
}

// clean has every node far from all roads.
func (g *grid) clean() {
	if n := g.w * g.h; cap(g.square) < n {
		g.square = make([]float32, n)
	} else {
		g.square = g.square[:n]
	}
	far := (2*g.radius + 4) * (2*g.radius + 4)
	for i := range g.square {
		g.square[i] = far
	}
}

// paint has every node near some places within the level know how far it is.
func (g *grid) paint(samples []sample, l Level) {
	// One more than the radius, so that next to a node inside none is unknown.
	brush := g.radius + 1
	taper := float32(1 / (math.Max(1e-6, l.Slope) * g.cell)) // cells a unit of the measure
	limit := float32(l.Limit)
	for i := range samples {
		s := &samples[i]
		spare := limit - s.values[l.Measure]
		if spare < 0 {
			continue
		}
		if short := g.radius - spare*taper; short > 0 {
			g.taper(s, brush, short)
			continue
		}
		x0, x1 := int(s.x-brush)+1, int(s.x+brush)
		for y := int(s.y-brush) + 1; y <= int(s.y+brush); y++ {
			dy := float32(y) - s.y
			row := g.square[y*g.w+x0 : y*g.w+x1+1]
			dx := float32(x0) - s.x
			for j := range row {
				row[j] = min(row[j], dx*dx+dy*dy)
				dx++
			}
		}
	}
}

// taper paints a place where little is to spare: it seems further away.
func (g *grid) taper(s *sample, brush, short float32) {
	brush -= short
	for y := int(math.Ceil(float64(s.y - brush))); y <= int(s.y+brush); y++ {
		for x := int(math.Ceil(float64(s.x - brush))); x <= int(s.x+brush); x++ {
			dx, dy := float32(x)-s.x, float32(y)-s.y
			d := float32(math.Sqrt(float64(dx*dx+dy*dy))) + short
			n := y*g.w + x
			g.square[n] = min(g.square[n], d*d)
		}
	}
}

// vertex is a point of an outline in millionths of a degree: the digits that
// are written, so that what holds of vertices holds of the answer.
type vertex struct{ X, Y int32 }

// vertex rounds a point of the grid.
func (g *grid) vertex(x, y float64) vertex {
	return vertex{
		int32(math.Round((g.corner.Lon + x/g.x) * 1e6)),
		int32(math.Round((g.corner.Lat + y/g.y) * 1e6)),
	}
}

// metres gives the scale of vertices.
func (g *grid) metres() (x, y float64) { return g.x * g.cell / 1e6, g.y * g.cell / 1e6 }

func (v vertex) point() geo.Point {
	// Division rounds right where multiplying by 1e-6 would not.
	return geo.Point{Lon: float64(v.X) / 1e6, Lat: float64(v.Y) / 1e6}
}
