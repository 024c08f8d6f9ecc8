package geo

import (
	"fmt"
	"math"
)

// AppendPolyline appends line in the encoded polyline format (Google's
// algorithm) with 5 or 6 decimal digits.
func AppendPolyline(dst []byte, line []Point, digits int) []byte {
	return appendPolyline(dst, line, digits, false)
}

// AppendQuotedPolyline is AppendPolyline for the inside of a quoted string: each
// backslash, the one character of the format that quoting changes, is doubled.
func AppendQuotedPolyline(dst []byte, line []Point, digits int) []byte {
	return appendPolyline(dst, line, digits, true)
}

func appendPolyline(dst []byte, line []Point, digits int, quoted bool) []byte {
	p := PolylineWriter{scale: math.Pow10(digits), quoted: quoted}
	return p.Append(dst, line)
}

// PolylineWriter appends a line in the encoded polyline format part by part.
type PolylineWriter struct {
	scale    float64
	quoted   bool
	lat, lon int64 // where it is
}

// NewQuotedPolyline returns one that writes what AppendQuotedPolyline does.
func NewQuotedPolyline(digits int) PolylineWriter {
	return PolylineWriter{scale: math.Pow10(digits), quoted: true}
}

// Append goes on to the points of a part.
func (p *PolylineWriter) Append(dst []byte, part []Point) []byte {
	lat, lon := p.lat, p.lon
	for _, at := range part {
		la, lo := int64(math.Round(at.Lat*p.scale)), int64(math.Round(at.Lon*p.scale))
		dst = appendSigned(dst, la-lat, p.quoted)
		dst = appendSigned(dst, lo-lon, p.quoted)
		lat, lon = la, lo
	}
	p.lat, p.lon = lat, lon
	return dst
}

func appendSigned(dst []byte, v int64, quoted bool) []byte {
	u := uint64(v<<1) ^ uint64(v>>63)
	for u >= 0x20 {
		dst = append(dst, byte(u&0x1f|0x20)+63)
		u >>= 5
	}
	last := byte(u) + 63
	if dst = append(dst, last); last == '\\' && quoted {
		dst = append(dst, last)
	}
	return dst
}

// EncodePolyline gives line as an encoded polyline with 5 or 6 digits.
func EncodePolyline(line []Point, digits int) string {
	// Points of a road are seldom more than a kilometre apart.
	return string(AppendPolyline(make([]byte, 0, 16+7*len(line)), line, digits))
}

// DecodePolyline reads an encoded polyline with 5 or 6 digits. It refuses
// bytes outside the alphabet, a number cut short and a point off the globe,
// naming the byte or the point.
func DecodePolyline(s string, digits int) ([]Point, error) { return decode(s, digits, false) }

// DecodeLonLat reads what DecodePolyline does with the longitude first, as some
// data sets have it.
func DecodeLonLat(s string, digits int) ([]Point, error) { return decode(s, digits, true) }

func decode(s string, digits int, lonFirst bool) ([]Point, error) {
	numbers := 0
	for i := range len(s) {
		if s[i] < 63+0x20 { // the last byte of a number
			numbers++
		}
	}
	if numbers == 0 && s == "" {
		return nil, nil
	}
	line := make([]Point, 0, numbers/2)
	err := walk(s, digits, lonFirst, func(p Point) { line = append(line, p) })
	if err != nil {
		return nil, err
	}
	return line, nil
}

// PolylineEnds reads an encoded polyline as DecodePolyline does and returns its first and its
// last point, and how many it has.
func PolylineEnds(s string, digits int) (first, last Point, n int, err error) {
	err = walk(s, digits, false, func(p Point) {
		if n == 0 {
			first = p
		}
		last = p
		n++
	})
	return first, last, n, err
}

// walk calls visit with each point of an encoded polyline.
func walk(s string, digits int, lonFirst bool, visit func(Point)) error {
	scale := math.Pow10(digits)
	var first, second int64
	points := 0
	for i := 0; i < len(s); {
		d, n, err := readSigned(s, i)
		if err != nil {
			return err
		}
		e, m, err := readSigned(s, n)
		if err != nil {
			return err
		}
		first, second, i = first+d, second+e, m
		p := Point{float64(second) / scale, float64(first) / scale}
		if lonFirst {
			p.Lon, p.Lat = p.Lat, p.Lon
		}
		if !p.Valid() {
			return fmt.Errorf("polyline point %d is off the globe (%g, %g); is its precision %d?", points, p.Lon, p.Lat, digits)
		}
		visit(p)
		points++
	}
	return nil
}

func readSigned(s string, i int) (int64, int, error) {
	var u uint64
	for shift := 0; ; shift += 5 {
		if i >= len(s) {
			return 0, i, fmt.Errorf("polyline ends inside a number, at byte %d", i)
		}
		c := s[i]
		if c < 63 || c > 126 {
			return 0, i, fmt.Errorf("polyline byte %d is %q, outside the alphabet", i, c)
		}
		if shift > 35 {
			return 0, i, fmt.Errorf("polyline number is too long, at byte %d", i)
		}
		c -= 63
		u |= uint64(c&0x1f) << shift
		i++
		if c < 0x20 {
			break
		}
	}
	v := int64(u >> 1)
	if u&1 != 0 {
		v = ^v
	}
	return v, i, nil
}
