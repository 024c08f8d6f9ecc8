package las

import "math"

// Point is a point's fields as numbers. Fields that its format lacks are 0.
type Point struct {
	X, Y, Z        int32 // multiples of the header's scale
	Intensity      uint16
	Return         uint8
	Returns        uint8
	ScanDirection  uint8
	EdgeOfLine     uint8
	Class          uint8 // 0 to 31 in formats 0 to 5
	ClassFlags     uint8 // 1 synthetic, 2 key point, 4 withheld, 8 overlap
	ScannerChannel uint8
	UserData       uint8
	ScanAngle      float64 // degrees
	SourceID       uint16
	Time           float64
	Red            uint16
	Green          uint16
	Blue           uint16
	NearInfrared   uint16
}

// where fields that not all formats have are in a record, 0 where they are not.
var timeAt = [11]int{0, 20, 0, 20, 20, 20, 22, 22, 22, 22, 22}

var colourAt = [11]int{0, 0, 20, 28, 0, 28, 0, 30, 30, 0, 30}

var infraredAt = [11]int{0, 0, 0, 0, 0, 0, 0, 0, 36, 0, 36}

// TimeAt returns where the time is in records of a format, 0 if they have none.
func TimeAt(format int) int { return timeAt[format] }

// HasColour reports whether points of a format have colours.
func HasColour(format int) bool { return colourAt[format] > 0 }

// HasWaves reports whether points of a format have descriptors of waveforms.
func HasWaves(format int) bool { return format == 4 || format == 5 || format == 9 || format == 10 }

// Angles of formats 6 and later are multiples of this, in degrees.
const angleStep = 0.006

// Decode reads a record of a format.
func Decode(rec []byte, format int) Point {
	p := Point{X: int32(le.Uint32(rec)), Y: int32(le.Uint32(rec[4:])), Z: int32(le.Uint32(rec[8:])), Intensity: le.Uint16(rec[12:])}
	if format < 6 {
		b := rec[14]
		p.Return, p.Returns, p.ScanDirection, p.EdgeOfLine = b&7, b>>3&7, b>>6&1, b>>7
		p.Class, p.ClassFlags = rec[15]&31, rec[15]>>5
		p.ScanAngle, p.UserData, p.SourceID = float64(int8(rec[16])), rec[17], le.Uint16(rec[18:])
	} else {
		p.Return, p.Returns = rec[14]&15, rec[14]>>4
		b := rec[15]
		p.ClassFlags, p.ScannerChannel, p.ScanDirection, p.EdgeOfLine = b&15, b>>4&3, b>>6&1, b>>7
		p.Class, p.UserData = rec[16], rec[17]
		p.ScanAngle, p.SourceID = float64(int16(le.Uint16(rec[18:])))*angleStep, le.Uint16(rec[20:])
	}
	if at := timeAt[format]; at > 0 {
		p.Time = math.Float64frombits(le.Uint64(rec[at:]))
	}
	if at := colourAt[format]; at > 0 {
		p.Red, p.Green, p.Blue = le.Uint16(rec[at:]), le.Uint16(rec[at+2:]), le.Uint16(rec[at+4:])
	}
	if at := infraredAt[format]; at > 0 {
		p.NearInfrared = le.Uint16(rec[at:])
	}
	return p
}

// ExtendedFormat returns the format 6, 7 or 8 that has all the fields of a format but waveforms.
func ExtendedFormat(format int) int {
	switch {
	case format == 8 || format == 10:
		return 8
	case HasColour(format):
		return 7
	}
	return 6
}

// Modernise rewrites a record of a format as one of Modern(format), with the same extra
// bytes. Class 12 of the older formats, overlap, becomes class 1 with the flag for it, as
// the specification says. dst must have room for it and may not overlap rec.
func Modernise(dst, rec []byte, format int) { ModerniseAs(dst, rec, format, ExtendedFormat(format)) }

// ModerniseAs rewrites a record as Modernise does, as one of the format 6, 7 or 8, which has at
// least the fields that Modern(format) has. Others are 0.
func ModerniseAs(dst, rec []byte, format, to int) {
	clear(dst[30:sizes[to]])
	copy(dst[sizes[to]:], rec[sizes[format]:])
	if format >= 6 {
		copy(dst[:30], rec[:30])
	} else {
		copy(dst[:14], rec[:14])
		b, class := rec[14], rec[15]&31
		flags := rec[15] >> 5
		if class == 12 {
			class, flags = 1, flags|8
		}
		dst[14] = b&7 | b>>3&7<<4
		dst[15] = flags | b>>6<<6
		dst[16], dst[17] = class, rec[17]
		angle := math.Round(float64(int8(rec[16])) / angleStep)
		le.PutUint16(dst[18:], uint16(int16(angle)))
		copy(dst[20:22], rec[18:20])
		clear(dst[22:30])
		if at := timeAt[format]; at > 0 {
			copy(dst[22:30], rec[at:at+8])
		}
	}
	if at := colourAt[format]; at > 0 {
		copy(dst[colourAt[to]:], rec[at:at+6])
	}
	if at := infraredAt[format]; at > 0 {
		copy(dst[infraredAt[to]:], rec[at:at+2])
	}
}

// Coordinate returns the coordinate of a record on an axis: 0 for x, 1 for y and 2 for z.
func (h *Header) Coordinate(rec []byte, axis int) float64 {
	return float64(int32(le.Uint32(rec[4*axis:])))*h.Scale[axis] + h.Offset[axis]
}
