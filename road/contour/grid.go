package contour

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// Plane maps the ground to cells of leastCell metres, which are square at one
// latitude: cells east and north of longitude and latitude 0, times 1<<fraction, a
// unit of geo.Fixed.
type Plane struct{ east, north int64 }

const fraction = 32

// NewPlane returns the plane whose cells are square at a latitude.
func NewPlane(latitude float64) Plane {
	north := degree * 1e-7 / leastCell * (1 << fraction)
	return Plane{int64(north * math.Max(0.01, math.Cos(latitude*math.Pi/180))), int64(north)}
}

// degree is the length of a degree of latitude in metres.
const degree = geo.EarthRadius * math.Pi / 180

// grid is a part of a plane in cells of leastCell metres times a power of 2.
type grid struct {
	plane        Plane
	shift        uint // from a plane's coordinates to cells
	left, bottom int64
	w, h         int     // cells
	stride       int     // words a row
	cellX, cellY float64 // metres
	reach        float64 // metres
	// degrees are the millionths of a degree of half a cell.
	degreesX, degreesY float64
}

// box is a bounding box.
type box struct{ minX, minY, maxX, maxY int32 }

var empty = box{math.MaxInt32, math.MaxInt32, math.MinInt32, math.MinInt32}

func (b *box) extend(f geo.Fixed) {
	b.minX, b.maxX = min(b.minX, f.Lon), max(b.maxX, f.Lon)
	b.minY, b.maxY = min(b.minY, f.Lat), max(b.maxY, f.Lat)
}

func (b *box) line(line Line) {
	c := *b
	for _, f := range line {
		c.extend(f)
	}
	*b = c
}

func (b *box) join(c *box) {
	b.minX, b.maxX = min(b.minX, c.minX), max(b.maxX, c.maxX)
	b.minY, b.maxY = min(b.minY, c.minY), max(b.maxY, c.maxY)
}

func (b *box) holds(c *box) bool {
	return b.minX <= c.minX && c.maxX <= b.maxX && b.minY <= c.minY && c.maxY <= b.maxY
}

// around returns the box around all that was reached.
func (r *Reached) around() box {
	all, strokes := empty, r.Strokes
	for _, roads := range r.Whole {
		for i := range roads {
			all.line(roads[i])
		}
	}
	for i := range strokes {
		if s := &strokes[i]; s.Begin == 0 && s.End == 1 {
			all.line(s.Line)
		}
	}
	for _, list := range r.Parts {
		for _, p := range list {
			p.around(&all)
		}
	}
	for i := range strokes {
		s := &strokes[i]
		if s.Begin == 0 && s.End == 1 {
			continue
		}
		// If all of the line lies inside, so does the part.
		whole := empty
		if whole.line(s.Line); all.holds(&whole) {
			continue
		}
		s.part(func(p geo.Point) { all.extend(p.Fix()) })
	}
	return all
}

// cover lays the grid over all that was reached.
func (g *grid) cover(p Plane, b box) {
	mid := (float64(b.minY) + float64(b.maxY)) / 2 * 1e-7
	unitY := degree * 1e-7
	unitX := unitY * math.Max(0.01, math.Cos(mid*math.Pi/180))
	side := math.Max(float64(b.maxX-b.minX)*unitX, float64(b.maxY-b.minY)*unitY)
	g.plane, g.shift = p, fraction+levelOf(side)
	size := float64(int64(1) << g.shift)
	g.cellX, g.cellY = size/float64(p.east)*unitX, size/float64(p.north)*unitY
	g.reach = max(leastReach, side*reachShare, leastCells*g.cellX, leastCells*g.cellY)
	g.degreesX, g.degreesY = size/float64(p.east)/20, size/float64(p.north)/20
	g.lay(b, int64(g.reach/g.cellX)+3, int64(g.reach/g.cellY)+3)
}

// lay sets the grid's cells to those in a box with a margin around it. Its words are words
// of the plane, so that a Patch fits them.
func (g *grid) lay(b box, marginX, marginY int64) {
	g.left, g.bottom = (int64(b.minX)*g.plane.east>>g.shift-marginX)&^63, int64(b.minY)*g.plane.north>>g.shift-marginY
	g.w = int(int64(b.maxX)*g.plane.east>>g.shift + marginX - g.left + 1)
	g.h = int(int64(b.maxY)*g.plane.north>>g.shift + marginY - g.bottom + 1)
	g.stride = (g.w + 63) / 64
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

// flat returns the length of a piece of line in units of 1e-7 degrees of latitude, for
// shares of a whole line.
func flat(a, b geo.Fixed) float64 {
	dy := float64(b.Lat - a.Lat)
	dx := float64(b.Lon-a.Lon) * math.Cos(float64(a.Lat)*1e-7*math.Pi/180)
	return math.Sqrt(dx*dx + dy*dy)
}

// vertex is a point of an outline in millionths of a degree, the precision of the
// answer: lines that do not cross here do not cross there.
type vertex struct{ X, Y int32 }

// vertex returns the point so many halves of a cell east and north of the centre of the
// first cell.
func (g *grid) vertex(x, y int) vertex {
	return vertex{
		int32(math.RoundToEven(float64(2*g.left+int64(x)+1) * g.degreesX)),
		int32(math.RoundToEven(float64(2*g.bottom+int64(y)+1) * g.degreesY)),
	}
}

// metres returns the length of a millionth of a degree in metres, east and north.
func (g *grid) metres() (x, y float64) { return g.cellX / (2 * g.degreesX), g.cellY / (2 * g.degreesY) }

// point returns the vertex in degrees, without what of the margin lies beyond the
// antimeridian.
func (v vertex) point() geo.Point {
	// Division rounds correctly, multiplying by 1e-6 would not.
	return geo.Point{Lon: float64(max(-180e6, min(180e6, v.X))) / 1e6, Lat: float64(v.Y) / 1e6}
}
