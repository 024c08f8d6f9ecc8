package timetable

import (
	"errors"

	"github.com/waygate/waygate/geo"
)

// A placing is where the stop of a pattern is along its shape: the number of a piece of the
// shape from 0, and in the lower 16 bits how far along the piece it is, in shares of 65,536.
// It is None where the stop is not on the shape.
type placing = uint32

const pieceBits = 16

// Shape returns the line on the map of a pattern from one of its calls to a later one: that
// of its shape, and where the feed has none a straight line from stop to stop.
func (x *Index) Shape(pattern uint32, from, to int) []geo.Point {
	var line []geo.Point
	for i := from; i < to; i++ {
		line = x.appendLeg(line, pattern, i)
	}
	return line
}

// appendLeg adds the line from a call of a pattern to the next.
func (x *Index) appendLeg(line []geo.Point, pattern uint32, i int) []geo.Point {
	add := func(p geo.Point) {
		if len(line) == 0 || line[len(line)-1] != p {
			line = append(line, p)
		}
	}
	shape, begin, end := x.leg(pattern, i)
	if shape == nil {
		stops := x.PatternStops(pattern)
		add(x.stops[stops[i]].At.Point())
		add(x.stops[stops[i+1]].At.Point())
		return line
	}
	add(along(shape, begin))
	for n := begin>>pieceBits + 1; n <= end>>pieceBits; n++ {
		add(shape[n].Point())
	}
	add(along(shape, end))
	return line
}

// leg returns the shape of a pattern and the places on it of a call and of the next; nil where the
// shape does not lead from one to the other.
func (x *Index) leg(pattern uint32, i int) (shape []geo.Fixed, begin, end placing) {
	if len(x.patternShape) == 0 || x.patternShape[pattern] == None {
		return nil, 0, 0
	}
	p := &x.patterns[pattern]
	begin, end = x.placings[int(p.Stops)+i], x.placings[int(p.Stops)+i+1]
	if begin == None || end == None || end < begin {
		return nil, 0, 0
	}
	n := x.patternShape[pattern]
	return x.shapePoints[x.shapeAt[n]:x.shapeAt[n+1]], begin, end
}

// along returns the place on a shape.
func along(shape []geo.Fixed, at placing) geo.Point {
	n := at >> pieceBits
	return geo.Between(shape[n].Point(), shape[n+1].Point(), float64(at&(1<<pieceBits-1))/(1<<pieceBits))
}

// checkShapes checks that every place is on its shape.
func (x section) checkShapes() error {
	if len(x.patternShape) == 0 {
		return nil
	}
	shapes := len(x.shapeAt) - 1
	if shapes < 0 || len(x.patternShape) != len(x.patterns) || len(x.placings) != len(x.patternStops) || !offsets(x.shapeAt, shapes, len(x.shapePoints)) {
		return errors.New("its shapes do not fit its patterns")
	}
	for n, shape := range x.patternShape {
		if shape == None {
			continue
		}
		if int(shape) >= shapes {
			return errors.New("a pattern has a shape that is not there")
		}
		p, points := x.patterns[n], x.shapeAt[shape+1]-x.shapeAt[shape]
		for _, at := range x.placings[p.Stops:][:p.Length] {
			if at != None && at>>pieceBits+1 >= points {
				return errors.New("a stop is beyond its shape")
			}
		}
	}
	return nil
}
