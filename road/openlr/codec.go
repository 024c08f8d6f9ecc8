// Package openlr reads and writes OpenLR's line references, version 3 of its binary
// form, and finds the roads they mean. A reference has a few points of a way with the
// class and form of the road there, its bearing and the distance to the next, so
// that sender and receiver need not have the same map.
package openlr

import (
	"errors"
	"fmt"
	"math"

	"github.com/waygate/waygate/geo"
)

// Point is one of the points of a reference.
type Point struct {
	At      geo.Point
	Class   uint8   // functional road class, 0 to 7, the most important first
	Form    uint8   // form of way, 0 to 7
	Bearing float64 // degrees along the way; at the last point back along it
	// To the next point; nothing at the last.
	Lowest uint8   // the least important class on the way there
	Metres float64 // of the way there
}

// Line is a reference to a line.
type Line struct {
	Points []Point // two or more
	// Begin and End are how much of the way is not meant, at its begin in shares
	// of the way from the first point to the second, at its end of the last stretch.
	Begin, End float64
}

// The limits of the binary form.
const (
	version       = 3
	maxPoints     = 64
	lengthStep    = 58.6 // metres
	MaxMetres     = 256 * lengthStep
	sector        = 360.0 / 32
	relativeUnit  = 1e-5 // degrees
	attributeFlag = 0x08
	pointFlag     = 0x20
	areaFlags     = 0x50
)

// The sizes of a reference's parts in bytes.
const (
	firstSize = 9
	nextSize  = 7
	lastSize  = 6
)

var errShort = errors.New("the reference is cut short")

// Parse reads a line, or the line that a point on a road is given by. References to
// other things are refused.
func Parse(code []byte) (*Line, error) {
	if len(code) < 1+firstSize+lastSize {
		return nil, errShort
	}
	switch status := code[0]; {
	case status&7 != version:
		return nil, fmt.Errorf("version %d; 3 is read", status&7)
	case status&areaFlags != 0 || status&attributeFlag == 0:
		return nil, errors.New("neither a line nor a point on one")
	case status&pointFlag != 0:
		return parsePoint(code[1:])
	}
	rest := code[1:]
	l := &Line{Points: []Point{parseFirst(rest)}}
	rest = rest[firstSize:]
	for len(rest) >= nextSize+lastSize {
		if len(l.Points) == maxPoints {
			return nil, fmt.Errorf("more than %d points", maxPoints)
		}
		p := parseNext(l.Points[len(l.Points)-1].At, rest)
		p.Lowest, p.Metres = rest[5]>>5, parseLength(rest[6])
		l.Points = append(l.Points, p)
		rest = rest[nextSize:]
	}
	// The rest is the last point, with up to two offsets behind it.
	flags := rest[5]
	l.Points = append(l.Points, parseNext(l.Points[len(l.Points)-1].At, rest))
	rest = rest[lastSize:]
	offset := func(given bool, to *float64) {
		if given && len(rest) > 0 {
			*to, rest = (float64(rest[0])+0.5)/256, rest[1:]
		} else if given {
			rest = nil
		}
	}
	want := int(flags>>6&1) + int(flags>>5&1)
	if len(rest) != want {
		return nil, errShort
	}
	offset(flags&0x40 != 0, &l.Begin)
	offset(flags&0x20 != 0, &l.End)
	return l, l.check()
}

// parsePoint reads a point along a line: of the line a metre at its place is meant.
func parsePoint(rest []byte) (*Line, error) {
	if len(rest) < firstSize+lastSize {
		return nil, errShort
	}
	l := &Line{Points: []Point{parseFirst(rest)}}
	against := rest[6]>>6 == 2
	l.Points = append(l.Points, parseNext(l.Points[0].At, rest[firstSize:]))
	flags := rest[firstSize+5]
	if rest = rest[firstSize+lastSize:]; flags&0x40 != 0 && len(rest) > 0 {
		l.Begin = (float64(rest[0]) + 0.5) / 256
	}
	if against {
		return nil, errors.New("a point for those who travel against its line")
	}
	l.End = max(0, 1-l.Begin-1/max(1, l.Points[0].Metres))
	return l, l.check()
}

func (l *Line) check() error {
	for i := range l.Points {
		if !l.Points[i].At.Valid() {
			return fmt.Errorf("point %d is not on the globe", i)
		}
	}
	return nil
}

func parseFirst(b []byte) Point {
	p := Point{At: geo.Point{Lon: absolute(b), Lat: absolute(b[3:])}}
	p.attributes(b[6], b[7])
	p.Lowest, p.Metres = b[7]>>5, parseLength(b[8])
	return p
}

func parseNext(from geo.Point, b []byte) Point {
	p := Point{At: geo.Point{
		Lon: from.Lon + float64(int16(uint16(b[0])<<8|uint16(b[1])))*relativeUnit,
		Lat: from.Lat + float64(int16(uint16(b[2])<<8|uint16(b[3])))*relativeUnit,
	}}
	p.attributes(b[4], b[5])
	return p
}

func (p *Point) attributes(road, bearing byte) {
	p.Class, p.Form = road>>3&7, road&7
	p.Bearing = (float64(bearing&31) + 0.5) * sector
}

func parseLength(n byte) float64 { return (float64(n) + 0.5) * lengthStep }

// absolute reads a coordinate of 24 bits.
func absolute(b []byte) float64 {
	v := int32(uint32(b[0])<<24|uint32(b[1])<<16|uint32(b[2])<<8) >> 8
	half := 0.0
	switch {
	case v > 0:
		half = -0.5
	case v < 0:
		half = 0.5
	}
	return (float64(v) + half) * 360 / (1 << 24)
}

// AppendBinary appends the binary form of a line. Stretches longer than MaxMetres, and
// points farther apart than relative coordinates reach, are refused.
func (l *Line) AppendBinary(code []byte) ([]byte, error) {
	if len(l.Points) < 2 || len(l.Points) > maxPoints {
		return nil, fmt.Errorf("a line has 2 to %d points, not %d", maxPoints, len(l.Points))
	}
	code = append(code, version|attributeFlag)
	at := geo.Point{}
	for i := range l.Points {
		p := &l.Points[i]
		last := i == len(l.Points)-1
		if i == 0 {
			code = appendAbsolute(appendAbsolute(code, p.At.Lon), p.At.Lat)
			at = geo.Point{Lon: absolute(code[1:]), Lat: absolute(code[4:])}
		} else {
			x, y := math.Round((p.At.Lon-at.Lon)/relativeUnit), math.Round((p.At.Lat-at.Lat)/relativeUnit)
			if math.Abs(x) > math.MaxInt16 || math.Abs(y) > math.MaxInt16 {
				return nil, errors.New("two points are too far apart for the binary form")
			}
			code = append(code, byte(int16(x)>>8), byte(int16(x)), byte(int16(y)>>8), byte(int16(y)))
			at = geo.Point{Lon: at.Lon + x*relativeUnit, Lat: at.Lat + y*relativeUnit}
		}
		bearing := byte(int(math.Mod(p.Bearing+360, 360)/sector) & 31)
		code = append(code, p.Class&7<<3|p.Form&7)
		if last {
			code = append(code, bearing|flag(l.Begin > 0, 0x40)|flag(l.End > 0, 0x20))
			break
		}
		if p.Metres > MaxMetres {
			return nil, fmt.Errorf("a stretch of %.0f m, the limit is %.0f", p.Metres, float64(MaxMetres))
		}
		code = append(code, p.Lowest&7<<5|bearing, byte(min(255, p.Metres/lengthStep)))
	}
	for _, share := range []float64{l.Begin, l.End} {
		if share > 0 {
			code = append(code, byte(min(255, share*256)))
		}
	}
	return code, nil
}

func flag(set bool, bit byte) byte {
	if set {
		return bit
	}
	return 0
}

func appendAbsolute(code []byte, degrees float64) []byte {
	v := degrees * (1 << 24) / 360
	n := int32(math.Trunc(v + math.Copysign(0.5, v)))
	return append(code, byte(n>>16), byte(n>>8), byte(n))
}
