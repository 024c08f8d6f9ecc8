package basemap

import (
	"encoding/binary"
	"math"
)

// This file writes Mapbox Vector Tiles 2.1, a protobuf format: geometry as varints of
// commands and zigzag steps, attributes as indices into tables of keys and values that
// each layer has once. It is written by hand because pieces of features are kept as
// bytes between slicing and encoding; a library that starts from a map of attributes
// and a geometry would build millions of both.

// cursor is the point the next step starts from.
type cursor struct{ x, y int32 }

const (
	moveTo    = 1
	lineTo    = 2
	closePath = 7
)

func command(id, count int) uint64 { return uint64(id | count<<3) }

func zigzag(v int32) uint64 { return uint64(uint32(v)<<1 ^ uint32(v>>31)) }

func (c *cursor) step(b []byte, p [2]int32) []byte {
	b = binary.AppendUvarint(b, zigzag(p[0]-c.x))
	b = binary.AppendUvarint(b, zigzag(p[1]-c.y))
	c.x, c.y = p[0], p[1]
	return b
}

func appendPoint(b []byte, x, y int32) []byte {
	b = binary.AppendUvarint(b, command(moveTo, 1))
	return (&cursor{}).step(b, [2]int32{x, y})
}

func appendLineTo(b []byte, pts [][2]int32, c *cursor) []byte {
	b = binary.AppendUvarint(b, command(moveTo, 1))
	b = c.step(b, pts[0])
	b = binary.AppendUvarint(b, command(lineTo, len(pts)-1))
	for _, p := range pts[1:] {
		b = c.step(b, p)
	}
	return b
}

// appendRing writes a ring given without its last point repeated.
func appendRing(b []byte, pts [][2]int32, c *cursor) []byte {
	b = appendLineTo(b, pts, c)
	return binary.AppendUvarint(b, command(closePath, 1))
}

// piece is a feature's share of one tile.
type piece struct {
	f        *feature
	geometry []byte
}

func (f *feature) geomType() byte {
	switch {
	case f.point != nil:
		return 1
	case f.lines != nil:
		return 2
	}
	return 3
}

// encoder writes tiles and keeps its tables between them.
type encoder struct {
	keys       map[string]uint64
	values     map[value]uint64
	keyList    []string
	valueList  []value
	tags, body []byte
	layer      []byte
}

// tile encodes pieces that are in the order of their layers.
func (e *encoder) tile(b []byte, pieces []piece, zoom int) []byte {
	for len(pieces) > 0 {
		n := 1
		for n < len(pieces) && pieces[n].f.layer == pieces[0].f.layer {
			n++
		}
		e.encodeLayer(pieces[:n], zoom)
		b = appendBytes(b, 3, e.layer)
		pieces = pieces[n:]
	}
	return b
}

func (e *encoder) encodeLayer(pieces []piece, zoom int) {
	if e.keys == nil {
		e.keys, e.values = map[string]uint64{}, map[value]uint64{}
	}
	clear(e.keys)
	clear(e.values)
	e.keyList, e.valueList = e.keyList[:0], e.valueList[:0]
	b := appendBytes(e.layer[:0], 1, []byte(pieces[0].f.layer.String()))
	for _, p := range pieces {
		e.tags = e.tags[:0]
		for _, a := range p.f.attrs {
			if int(a.from) > zoom {
				continue
			}
			e.tags = binary.AppendUvarint(e.tags, e.key(a.key))
			e.tags = binary.AppendUvarint(e.tags, e.value(a.value))
		}
		e.body = appendBytes(e.body[:0], 2, e.tags)
		e.body = append(e.body, 3<<3, p.f.geomType())
		e.body = appendBytes(e.body, 4, p.geometry)
		b = appendBytes(b, 2, e.body)
	}
	for _, k := range e.keyList {
		b = appendBytes(b, 3, []byte(k))
	}
	for _, v := range e.valueList {
		e.body = appendValue(e.body[:0], v)
		b = appendBytes(b, 4, e.body)
	}
	b = append(b, 5<<3)
	b = binary.AppendUvarint(b, extent)
	b = append(b, 15<<3, 2)
	e.layer = b
}

func (e *encoder) key(k string) uint64 {
	i, ok := e.keys[k]
	if !ok {
		i = uint64(len(e.keyList))
		e.keys[k] = i
		e.keyList = append(e.keyList, k)
	}
	return i
}

func (e *encoder) value(v value) uint64 {
	i, ok := e.values[v]
	if !ok {
		i = uint64(len(e.valueList))
		e.values[v] = i
		e.valueList = append(e.valueList, v)
	}
	return i
}

func appendBytes(b []byte, field int, data []byte) []byte {
	b = append(b, byte(field<<3|2))
	b = binary.AppendUvarint(b, uint64(len(data)))
	return append(b, data...)
}

func appendValue(b []byte, v value) []byte {
	switch v.kind {
	case isTrue:
		return append(b, 7<<3, 1)
	case isNumber:
		if v.number == math.Trunc(v.number) && math.Abs(v.number) < 1<<53 {
			if v.number >= 0 {
				return binary.AppendUvarint(append(b, 5<<3), uint64(v.number))
			}
			n := int64(v.number)
			return binary.AppendUvarint(append(b, 6<<3), uint64(n<<1^n>>63))
		}
		return binary.LittleEndian.AppendUint64(append(b, 3<<3|1), math.Float64bits(v.number))
	}
	return appendBytes(b, 1, []byte(v.text))
}
