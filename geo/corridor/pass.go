package corridor

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// Side is where a place lies as one travels.
type Side int8

// The sides.
const (
	On Side = iota // nearer to the line than its width
	Left
	Right
)

// String returns the side in words: "on", "left", "right".
func (s Side) String() string { return [...]string{"on", "left", "right"}[s] }

// Pass is one time that a route passes a place: the nearest point of it in a
// stretch that stays within the requested distance.
type Pass struct {
	Arc      float64 // metres from the start
	Metres   float64 // from the place
	Foot     geo.Point
	Bearing  float64 // of the route there, in degrees
	Side     Side    // of the route that the place lies on
	From, To float64 // the stretch, in metres from the start
}

// onLine is how near in metres a place lies on the route and on no side of it.
const onLine = 0.5

// Takes reports which directions of travel count, by the bearing of a piece of the
// route in degrees; nil takes all.
type Takes func(bearing float64) bool

// Facing takes the bearings that are no more than so many degrees off another.
func Facing(bearing, most float64) Takes {
	return func(c float64) bool { return Deviation(c, bearing) <= most }
}

// Deviation returns how far two bearings are apart, 0 to 180 degrees.
func Deviation(a, b float64) float64 {
	d := math.Abs(math.Mod(a-b, 360))
	return min(d, 360-d)
}

// Passes returns every pass of a place within so many metres, in order. near is the
// parts of the route to look at, nil for all of it.
func (c *Corridor) Passes(p geo.Point, metres float64, near []Part, takes Takes) []Pass {
	if near == nil {
		near = c.whole()
	}
	f := finder{c: c, p: p, metres: metres, takes: takes, cos: math.Cos(p.Lat * math.Pi / 180)}
	if len(c.line) == 1 {
		if d := geo.Distance(p, c.line[0]); d <= metres && (takes == nil || takes(0)) {
			return []Pass{{Metres: d, Foot: c.line[0]}}
		}
		return nil
	}
	reach := grown(geo.Bounds{Min: p, Max: p}, metres)
	for _, part := range near {
		f.flush() // the route between two parts is away from the place
		for k := part.first; k < part.end; k++ {
			s := &c.stretches[k]
			if !s.box.Intersects(reach) {
				f.flush()
				continue
			}
			for i := s.first; i < s.last; i++ {
				f.piece(i)
			}
		}
	}
	f.flush()
	return f.passes
}

// finder gathers the passes of one place.
type finder struct {
	c      *Corridor
	p      geo.Point
	metres float64
	takes  Takes
	cos    float64
	passes []Pass

	open   bool    // a pass has begun and may go on
	best   float64 // its least square
	at     int     // the piece of that
	along  float64
	from   float64
	to     float64
	vertex bool // the stretch reaches the end of the last piece
}

// plane returns a point in metres around the place.
func (f *finder) plane(q geo.Point) (x, y float64) {
	return (q.Lon - f.p.Lon) * f.cos * metresPerDegree, (q.Lat - f.p.Lat) * metresPerDegree
}

func (f *finder) piece(i int) {
	a, b := f.c.line[i], f.c.line[i+1]
	if a == b {
		return
	}
	ax, ay := f.plane(a)
	bx, by := f.plane(b)
	dx, dy := bx-ax, by-ay
	square := dx*dx + dy*dy
	along := max(0, min(1, -(ax*dx+ay*dy)/square))
	x, y := ax+dx*along, ay+dy*along
	least, most := x*x+y*y, f.metres*f.metres
	if least > most || f.takes != nil && !f.takes(geo.Bearing(a, b)) {
		f.flush()
		return
	}
	// From the nearest point the place stays within reach for half a chord.
	first, last := 0.0, 1.0
	reach := math.Sqrt((most - crossing(ax, ay, dx, dy, square)) / square)
	middle := -(ax*dx + ay*dy) / square
	if ax*ax+ay*ay > most {
		first = max(0, middle-reach)
	}
	if bx*bx+by*by > most {
		last = min(1, middle+reach)
	}
	if !f.vertex || first > 0 {
		f.flush()
	}
	length := f.c.arc[i+1] - f.c.arc[i]
	if !f.open {
		f.open, f.best, f.from = true, math.Inf(1), f.c.arc[i]+first*length
	}
	if least < f.best {
		f.best, f.at, f.along = least, i, along
	}
	f.to = f.c.arc[i] + last*length
	f.vertex = last == 1
}

// crossing returns the square of the distance from the origin to a whole line.
func crossing(ax, ay, dx, dy, square float64) float64 {
	cross := ax*dy - ay*dx
	return cross * cross / square
}

// flush ends the pass that has begun.
func (f *finder) flush() {
	if !f.open {
		f.vertex = false
		return
	}
	a, b := f.c.line[f.at], f.c.line[f.at+1]
	f.passes = append(f.passes, Pass{
		Arc:    f.c.arc[f.at] + f.along*(f.c.arc[f.at+1]-f.c.arc[f.at]),
		Metres: math.Sqrt(f.best), Bearing: geo.Bearing(a, b), From: f.from, To: f.to,
		Foot: geo.Between(a, b, f.along), Side: f.side(),
	})
	f.open, f.vertex = false, false
}

// side is on which side the place lies. Beyond a corner it is that of the
// direction half-way between the two pieces.
func (f *finder) side() Side {
	if f.best < onLine*onLine {
		return On
	}
	dx, dy := f.direction(f.at)
	x, y := f.plane(f.c.line[f.at])
	if f.along >= 1 {
		x, y = f.plane(f.c.line[f.at+1])
		for i := f.at + 1; i+1 < len(f.c.line); i++ {
			if f.c.line[i] != f.c.line[i+1] {
				ex, ey := f.direction(i)
				dx, dy = dx+ex, dy+ey
				break
			}
		}
	} else if f.along <= 0 {
		for i := f.at - 1; i >= 0; i-- {
			if f.c.line[i] != f.c.line[i+1] {
				ex, ey := f.direction(i)
				dx, dy = dx+ex, dy+ey
				break
			}
		}
	}
	if dx*-y-dy*-x > 0 { // the place is the origin
		return Left
	}
	return Right
}

// direction returns the unit vector of a piece with a length.
func (f *finder) direction(i int) (x, y float64) {
	ax, ay := f.plane(f.c.line[i])
	bx, by := f.plane(f.c.line[i+1])
	l := math.Hypot(bx-ax, by-ay)
	return (bx - ax) / l, (by - ay) / l
}
