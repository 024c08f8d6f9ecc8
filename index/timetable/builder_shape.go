package timetable

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

const (
	shapeError   = 5         // metres by which a shape is simplified
	mostPieces   = 1<<16 - 1 // of a shape
	simplifyEach = 5000      // points of a shape that are simplified together
	offShape     = 400       // metres from its shape where a stop is not on it
	sameVisit    = 75        // metres by which one visit of a shape to a stop may be nearer than another
	mostVisits   = 16        // of a shape to a stop
	backwards    = 30        // metres by which a stop may lie before the one before it
	detour       = 0.1       // weight of the square of a detour against that of the way to the shape
)

// AddShape adds the line that trips take, simplified, and returns its number; false where it
// has no length.
func (b *Builder) AddShape(line []geo.Point) (int, bool) {
	var points []geo.Fixed
	for metres := float64(shapeError); ; metres *= 2 {
		points = simplified(line, metres)
		if len(points) <= mostPieces+1 {
			break
		}
	}
	if len(points) < 2 {
		return 0, false
	}
	key := make([]byte, 0, 8*len(points))
	for _, p := range points {
		key = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(key, uint32(p.Lon)), uint32(p.Lat))
	}
	n, there := b.shapes[string(key)]
	if !there {
		n = len(b.lines)
		b.shapes[string(key)] = n
		b.lines = append(b.lines, points)
	}
	return n + 1, true
}

// simplified drops points of a line that repeat, and those within metres of the rest.
func simplified(line []geo.Point, metres float64) (points []geo.Fixed) {
	for i := 0; i < len(line); i += simplifyEach {
		for _, p := range geo.Simplify(line[i:min(len(line), i+simplifyEach+1)], metres) {
			if f := p.Fix(); len(points) == 0 || points[len(points)-1] != f {
				points = append(points, f)
			}
		}
	}
	return points
}

// packShapes places the stops of patterns on their shapes and writes the shapes that patterns
// have. of is the shape of each pattern as it was added, 0 where it has none.
func (b *packing) packShapes(of []int) (off int) {
	x := &b.x
	if len(b.lines) == 0 {
		return 0
	}
	lineNumber := map[int]uint32{}
	x.placings = slices.Repeat([]placing{None}, len(x.patternStops))
	for n, p := range x.patterns {
		x.patternShape = append(x.patternShape, None)
		if of[n] == 0 {
			continue
		}
		line := b.lines[of[n]-1]
		if !b.placeStops(line, x.patternStops[p.Stops:][:p.Length], x.placings[p.Stops:][:p.Length]) {
			off++
			continue
		}
		at, there := lineNumber[of[n]]
		if !there {
			at = uint32(len(x.shapeAt))
			lineNumber[of[n]] = at
			x.shapeAt = append(x.shapeAt, uint32(len(x.shapePoints)))
			x.shapePoints = append(x.shapePoints, line...)
		}
		x.patternShape[n] = at
	}
	x.shapeAt = append(x.shapeAt, uint32(len(x.shapePoints)))
	return off
}

// visit is a place of a line that is near a stop.
type visit struct {
	at    placing
	arc   float64 // metres from the begin of the line
	off   float64 // square of the metres from the stop
	cost  float64 // of the visits up to this one
	prior int     // the visit to the stop before that this one follows
}

// placeStops finds where stops are on a line in their order: those visits that are near the
// stops and need the least detours between them, so that of a street that is gone along twice
// the right time is taken. It returns false where the line does not lead from stop to stop.
func (b *packing) placeStops(line []geo.Fixed, stops []uint32, at []placing) bool {
	points := make([]geo.Point, len(line))
	arc := make([]float64, len(line))
	for i, p := range line {
		if points[i] = p.Point(); i > 0 {
			arc[i] = arc[i-1] + geo.Distance(points[i-1], points[i])
		}
	}
	var rows [][]visit
	var on []int // the stops that are on the line
	for i, s := range stops {
		b.near = visits(b.near[:0], points, arc, b.x.stops[s].At.Point())
		if len(b.near) > 0 {
			rows, on = append(rows, slices.Clone(b.near)), append(on, i)
		}
	}
	if len(rows) < 2 {
		return false
	}
	for i := range rows[1:] {
		straight := geo.Distance(b.x.stops[stops[on[i]]].At.Point(), b.x.stops[stops[on[i+1]]].At.Point())
		if !join(rows[i], rows[i+1], straight) {
			return false
		}
	}
	last := rows[len(rows)-1]
	best := 0
	for v := range last {
		if last[v].cost < last[best].cost {
			best = v
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		at[on[i]] = rows[i][best].at
		best = rows[i][best].prior
	}
	for i := 1; i < len(on); i++ { // stops that lie a little before the one before them
		at[on[i]] = max(at[on[i]], at[on[i-1]])
	}
	return true
}

// visits adds to a list that is empty the places of a line from which it leads away from a stop
// both ways, in the order of the line.
func visits(list []visit, line []geo.Point, arc []float64, stop geo.Point) []visit {
	nearest := math.Inf(1)
	before := 0.0 // share of the piece before; a place at a corner is one of two pieces
	for i := range len(line) - 1 {
		_, share, square := geo.Nearest(stop, line[i], line[i+1])
		if corner := share == 0 && i > 0; (!corner || before == 1) && (share < 1 || i == len(line)-2) {
			part := min(placing(share*(1<<pieceBits)), 1<<pieceBits-1)
			list = append(list, visit{at: placing(i)<<pieceBits | part, arc: arc[i] + share*(arc[i+1]-arc[i]), off: square, cost: square})
			nearest = min(nearest, square)
		}
		before = share
	}
	if nearest > offShape*offShape {
		return list[:0]
	}
	most := math.Sqrt(nearest) + sameVisit
	list = slices.DeleteFunc(list, func(v visit) bool { return v.off > most*most })
	if len(list) > mostVisits {
		slices.SortFunc(list, func(p, q visit) int { return cmp.Compare(p.off, q.off) })
		list = list[:mostVisits]
		slices.SortFunc(list, func(p, q visit) int { return cmp.Compare(p.at, q.at) })
	}
	return list
}

// join finds for each visit to a stop the best one to the stop before it, which is a straight
// distance away. It returns false where no visit follows another.
func join(before, after []visit, straight float64) (ok bool) {
	for i := range after {
		v := &after[i]
		best := math.Inf(1)
		for n, from := range before {
			leg := v.arc - from.arc
			if leg < -backwards {
				continue
			}
			excess := max(0, leg-straight)
			if cost := from.cost + detour*excess*excess/(straight+100); cost < best {
				best, v.prior = cost, n
			}
		}
		v.cost = v.off + best
		ok = ok || !math.IsInf(best, 1)
	}
	return ok
}
