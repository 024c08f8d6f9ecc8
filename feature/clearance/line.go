package clearance

import (
	"math"
	"sort"

	"github.com/waygate/waygate/geo"
)

// line is a route with the length of it up to each of its positions.
type line struct {
	points []geo.Point
	arcs   []float64
	length float64
}

func newLine(points []geo.Point) *line {
	l := &line{points: points, arcs: make([]float64, len(points))}
	for i := 1; i < len(points); i++ {
		l.length += geo.Distance(points[i-1], points[i])
		l.arcs[i] = l.length
	}
	return l
}

// at returns the position so many metres from the start.
func (l *line) at(arc float64) geo.Point {
	i := sort.SearchFloat64s(l.arcs, arc)
	switch {
	case i == 0:
		return l.points[0]
	case i == len(l.points):
		return l.points[i-1]
	}
	return geo.Between(l.points[i-1], l.points[i], (arc-l.arcs[i-1])/(l.arcs[i]-l.arcs[i-1]))
}

// piece is a straight part of a line, short enough that its ends alone need to be projected.
type piece struct {
	from, to    geo.Point
	arc, length float64 // metres from the start of the line to from, and to the end of the piece from there
	// It is the part of so many, of the line from the point on.
	point, part, parts int
}

// longestPiece is the length of pieces, in metres.
const longestPiece = 100.0

// pieces passes the pieces of the line in their order.
func (l *line) pieces(yield func(piece) bool) {
	for i := 1; i < len(l.points); i++ {
		a, b, length := l.points[i-1], l.points[i], l.arcs[i]-l.arcs[i-1]
		if length == 0 {
			continue
		}
		n := int(math.Ceil(length / longestPiece))
		from := a
		for j := range n {
			to := b
			if j+1 < n {
				to = geo.Between(a, b, float64(j+1)/float64(n))
			}
			if !yield(piece{from, to, l.arcs[i-1] + length*float64(j)/float64(n), length / float64(n), i - 1, j, n}) {
				return
			}
			from = to
		}
	}
}

// stations returns how many stations a line has: one for each step of it that has begun.
func (l *line) stations() int { return int(math.Ceil(l.length/step - 1e-9)) }

// span returns the interval of the line that a station stands for.
func (l *line) span(station int) (from, to float64) {
	return float64(station) * step, min(float64(station+1)*step, l.length)
}

// middle returns the middle of a station's interval.
func (l *line) middle(station int) float64 {
	from, to := l.span(station)
	return (from + to) / 2
}
