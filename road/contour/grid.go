package contour

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// grid has at each of its nodes the distance to the nearest road. Coordinates are
// in cells east and north of its corner.
type grid struct {
	corner geo.Point
	x, y   float64 // cells a degree
	cell   float64 // metres
	reach  float64 // metres
	radius float32 // reach in cells
	w, h   int     // nodes
	// square is, by node, the squared distance to the nearest road in cells, what
	// the taper adds included.
	square []float32
}

// box is a bounding box.
type box struct{ minX, minY, maxX, maxY int32 }

var empty = box{math.MaxInt32, math.MaxInt32, math.MinInt32, math.MinInt32}

func (b *box) extend(f geo.Fixed) {
	b.minX, b.maxX = min(b.minX, f.Lon), max(b.maxX, f.Lon)
	b.minY, b.maxY = min(b.minY, f.Lat), max(b.maxY, f.Lat)
}

func (b *box) line(line []geo.Fixed) {
	c := *b
	for _, f := range line {
		c.extend(f)
	}
	*b = c
}

func (b *box) holds(c *box) bool {
	return b.minX <= c.minX && c.maxX <= b.maxX && b.minY <= c.minY && c.maxY <= b.maxY
}

// cover lays the grid over all that was reached.
func (g *grid) cover(r *Reached) {
	all, strokes := empty, r.Strokes
	for _, roads := range r.Whole {
		for i := range roads {
			all.line(roads[i].Line)
		}
	}
	for i := range strokes {
		if s := &strokes[i]; s.Begin == 0 && s.End == 1 {
			all.line(s.Line)
		}
	}
	for i := range strokes {
		s := &strokes[i]
		if s.Begin == 0 && s.End == 1 {
			continue
		}
		// Where all of the line lies inside, so does the part.
		whole := empty
		if whole.line(s.Line); all.holds(&whole) {
			continue
		}
		s.part(func(p geo.Point) { all.extend(p.Fix()) })
	}
	b := geo.Bounds{Min: geo.Fixed{Lon: all.minX, Lat: all.minY}.Point(), Max: geo.Fixed{Lon: all.maxX, Lat: all.maxY}.Point()}
	g.cell = math.Max(leastCell, side(b)/cellsAcross)
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

// part calls yield for the ends and the corners of the part of a stroke that
// was reached.
func (s *Stroke) part(yield func(p geo.Point)) {
	total := 0.0
	for i := 1; i < len(s.Line); i++ {
		total += flat(s.Line[i-1], s.Line[i])
	}
	begin, end, done := s.Begin*total, s.End*total, 0.0
	for i := 1; i < len(s.Line); i++ {
		a, b := s.Line[i-1].Point(), s.Line[i].Point()
		length := flat(s.Line[i-1], s.Line[i])
		for _, at := range [...]float64{begin, end} {
			if length > 0 && at >= done && at <= done+length {
				t := (at - done) / length
				yield(geo.Point{Lon: a.Lon + (b.Lon-a.Lon)*t, Lat: a.Lat + (b.Lat-a.Lat)*t})
			}
		}
		if done += length; done >= begin && done <= end {
			yield(b)
		}
	}
}

// flat is the length of a piece of line in units of 1e-7 degrees of latitude, for
// shares of a whole line.
func flat(a, b geo.Fixed) float64 {
	dy := float64(b.Lat - a.Lat)
	dx := float64(b.Lon-a.Lon) * math.Cos(float64(a.Lat)*1e-7*math.Pi/180)
	return math.Sqrt(dx*dx + dy*dy)
}

// sampleSpacing is the greatest distance between samples on a road, in cells.
const sampleSpacing = 1.0

// spots appends the middles of pieces of equal length of a part of a road, begin to
// end as shares of its length.
func (g *grid) spots(dst []spot, r Road, begin, end float64) []spot {
	x, y := g.x*1e-7, g.y*1e-7
	cornerX, cornerY := g.corner.Lon*g.x, g.corner.Lat*g.y
	total := r.Metres / g.cell
	reached := (end - begin) * total
	pieces := max(1, math.Ceil(reached/sampleSpacing))
	every := reached / pieces
	next, left := begin*total+every/2, int(pieces) // next is from a on
	ax, ay := float64(r.Line[0].Lon)*x-cornerX, float64(r.Line[0].Lat)*y-cornerY
	for _, b := range r.Line[1:] {
		bx, by := float64(b.Lon)*x-cornerX, float64(b.Lat)*y-cornerY
		dx, dy := bx-ax, by-ay
		length := math.Sqrt(dx*dx + dy*dy)
		for next < length {
			t := next / length
			dst = append(dst, spot{float32(ax + dx*t), float32(ay + dy*t)})
			if left--; left == 0 {
				return dst
			}
			next += every
		}
		next -= length
		ax, ay = bx, by
	}
	// Those that rounding leaves beyond the end of the line.
	for ; left > 0; left-- {
		dst = append(dst, spot{float32(ax), float32(ay)})
	}
	return dst
}

// reset sets every node far from all roads.
func (g *grid) reset() {
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

// rasterise lowers the distances of the nodes around the samples that are within a
// level.
func (g *grid) rasterise(samples []sample, l Level) {
	// One more than the radius, so that both nodes of an edge that the outline
	// crosses have a distance.
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
		g.dab(s.spot, brush)
	}
}

// stamp lowers the distances of the nodes around spots.
func (g *grid) stamp(spots []spot) {
	brush := g.radius + 1
	for _, s := range spots {
		g.dab(s, brush)
	}
}

// dab lowers the distances of the nodes within brush of a spot.
func (g *grid) dab(s spot, brush float32) {
	x0, x1 := int(s.x-brush)+1, int(s.x+brush)
	y0, y1 := int(s.y-brush)+1, int(s.y+brush)
	dy := float32(y0) - s.y
	for n := y0*g.w + x0; n <= y1*g.w+x0; n += g.w {
		row := g.square[n : n+x1-x0+1]
		dx, dy2 := float32(x0)-s.x, dy*dy
		for j := range row {
			row[j] = min(row[j], dx*dx+dy2)
			dx++
		}
		dy++
	}
}

// taper rasterises a sample where little of the limit is to spare: short is added
// to the distances.
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

// vertex is a point of an outline in millionths of a degree, the precision of the
// answer: lines that do not cross here do not cross there.
type vertex struct{ X, Y int32 }

// vertex rounds a point of the grid.
func (g *grid) vertex(x, y float64) vertex {
	return vertex{
		int32(math.RoundToEven((g.corner.Lon + x/g.x) * 1e6)),
		int32(math.RoundToEven((g.corner.Lat + y/g.y) * 1e6)),
	}
}

// metres is how many metres a millionth of a degree is, east and north.
func (g *grid) metres() (x, y float64) { return g.x * g.cell / 1e6, g.y * g.cell / 1e6 }

func (v vertex) point() geo.Point {
	// Division rounds correctly, multiplying by 1e-6 would not.
	return geo.Point{Lon: float64(v.X) / 1e6, Lat: float64(v.Y) / 1e6}
}
