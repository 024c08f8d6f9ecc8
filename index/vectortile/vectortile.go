// Package vectortile reads features of chosen layers from Mapbox vector tiles, with
// their attributes.
package vectortile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/klauspost/compress/gzip"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/waygate/waygate/index/message"
)

// Kind is the kind of a feature's geometry.
type Kind uint8

// The kinds, in the numbering of the format.
const (
	Unknown Kind = iota
	Points
	Lines
	Polygons
)

// Point is a place in a tile: from 0 in its north-western corner to 1 in the opposite
// one, and a little beyond.
type Point struct{ X, Y float64 }

// Feature is one thing on the map. It is valid during the call that it is passed to.
type Feature struct {
	Layer    string
	Kind     Kind
	geometry []byte
	tags     []uint32 // a key and a value in turn
	of       *layer
}

// value returns an attribute, nil if the feature has none of that name.
func (f *Feature) value(key string) *value {
	for i := 0; i < len(f.tags); i += 2 {
		if f.of.keys[f.tags[i]] == key {
			return &f.of.values[f.tags[i+1]]
		}
	}
	return nil
}

// Text returns an attribute that is a text, or "".
func (f *Feature) Text(key string) string {
	v := f.value(key)
	if v == nil || v.kind != ofText {
		return ""
	}
	if v.text == "" {
		v.text = string(v.raw)
	}
	return v.text
}

// Has reports whether an attribute is a text that is not empty.
func (f *Feature) Has(key string) bool {
	v := f.value(key)
	return v != nil && v.kind == ofText && len(v.raw) > 0
}

// Number returns an attribute that is a number, or 0.
func (f *Feature) Number(key string) float64 {
	if v := f.value(key); v != nil && v.kind == ofNumber {
		return v.number
	}
	return 0
}

// Is reports whether an attribute is true.
func (f *Feature) Is(key string) bool {
	v := f.value(key)
	return v != nil && v.kind == ofBool && v.number != 0
}

// Parts returns the geometry: points, lines, or rings without their last corner. It is valid until
// Parts is called again, and no longer than the feature.
func (f *Feature) Parts() ([][]Point, error) { return f.of.parts(f.geometry) }

var errTile = errors.New("the tile is damaged")

// Limits of a tile. One of a city has about ten thousand features.
const (
	mostBytes    = 16 << 20 // unpacked
	mostFeatures = 1 << 18  // of a layer
	mostKept     = 8 << 20  // bytes of memory that is used again
)

// reader has the memory that reading takes, to be used again.
type reader struct {
	gzip     gzip.Reader
	unpacked []byte
	layer    layer
}

var readers = sync.Pool{New: func() any { return &reader{} }}

// Each passes the features of some layers of a tile, packed with gzip or not, to a function, whose
// error ends the reading and is returned.
func Each(data []byte, do func(*Feature) error, layers ...string) error {
	r, _ := readers.Get().(*reader)
	defer func() {
		if r.bytes() <= mostKept {
			readers.Put(r)
		}
	}()
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		if err := r.unpack(data); err != nil {
			return fmt.Errorf("%w: %w", errTile, err)
		}
		data = r.unpacked
	}
	if len(data) > mostBytes {
		return fmt.Errorf("%w: it has more than %d bytes", errTile, mostBytes)
	}
	return message.Fields(data, errTile, func(number protowire.Number, _ uint64, raw []byte) error {
		if number != 3 {
			return nil
		}
		name, err := nameOf(raw)
		if err != nil || !slices.Contains(layers, name) {
			return err
		}
		return r.layer.each(name, raw, do)
	})
}

// unpack reads what is packed, up to one byte more than a tile may have.
func (r *reader) unpack(data []byte) error {
	if err := r.gzip.Reset(bytes.NewReader(data)); err != nil {
		return err
	}
	buffer := bytes.NewBuffer(r.unpacked[:0])
	_, err := buffer.ReadFrom(io.LimitReader(&r.gzip, mostBytes+1))
	r.unpacked = buffer.Bytes()
	return err
}

func (r *reader) bytes() int {
	l := &r.layer
	return cap(r.unpacked) + 24*(cap(l.features)+cap(l.lines)) + 64*cap(l.values) + 16*(cap(l.keys)+cap(l.points))
}

// nameOf returns the name of a layer, which usually comes first.
func nameOf(raw []byte) (name string, err error) {
	found := errors.New("found")
	err = message.Fields(raw, errTile, func(number protowire.Number, _ uint64, bytes []byte) error {
		if number != 1 {
			return nil
		}
		name = string(bytes)
		return found
	})
	if errors.Is(err, found) {
		err = nil
	}
	return name, err
}

// layer is a layer that is being read.
type layer struct {
	scale    float64
	features [][]byte
	keys     []string
	values   []value
	tags     []uint32
	points   []Point
	ends     []int // of the parts, in points
	lines    [][]Point
}

// The types of a value.
const (
	ofNothing uint8 = iota
	ofText
	ofNumber
	ofBool
)

type value struct {
	kind   uint8
	number float64
	raw    []byte
	text   string // raw, once it was asked for
}

func (l *layer) each(name string, raw []byte, do func(*Feature) error) error {
	l.features, l.keys, l.values = l.features[:0], l.keys[:0], l.values[:0]
	extent := uint64(4096)
	err := message.Fields(raw, errTile, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case 2:
			if len(l.features) == mostFeatures {
				return errTile
			}
			l.features = append(l.features, bytes)
		case 3:
			l.keys = append(l.keys, string(bytes))
		case 4:
			v, err := readValue(bytes)
			l.values = append(l.values, v)
			return err
		case 5:
			extent = value
		}
		return nil
	})
	if err != nil {
		return err
	}
	if extent == 0 || extent > 1<<20 {
		return fmt.Errorf("%w: its grid is %d wide", errTile, extent)
	}
	l.scale = 1 / float64(extent)
	f := Feature{Layer: name, of: l}
	for _, raw := range l.features {
		if err := f.read(raw); err != nil {
			return err
		}
		if err := do(&f); err != nil {
			return err
		}
	}
	return nil
}

func readValue(raw []byte) (v value, err error) {
	err = message.Fields(raw, errTile, func(number protowire.Number, n uint64, bytes []byte) error {
		switch number {
		case 1:
			v = value{kind: ofText, raw: bytes}
		case 2:
			v = value{kind: ofNumber, number: float64(math.Float32frombits(uint32(n)))}
		case 3:
			v = value{kind: ofNumber, number: math.Float64frombits(n)}
		case 4:
			v = value{kind: ofNumber, number: float64(int64(n))}
		case 5:
			v = value{kind: ofNumber, number: float64(n)}
		case 6:
			v = value{kind: ofNumber, number: float64(protowire.DecodeZigZag(n))}
		case 7:
			v = value{kind: ofBool}
			if n != 0 {
				v.number = 1
			}
		}
		return nil
	})
	return v, err
}

// read reads a feature but for its geometry.
func (f *Feature) read(raw []byte) error {
	var tags []byte
	f.Kind, f.geometry = Unknown, nil
	err := message.Fields(raw, errTile, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case 2:
			tags = bytes
		case 3:
			f.Kind = Kind(value)
		case 4:
			f.geometry = bytes
		}
		return nil
	})
	if err != nil {
		return err
	}
	l := f.of
	l.tags = l.tags[:0]
	for len(tags) > 0 {
		k, n := varint(tags)
		if n < 0 || k >= uint64(len(l.keys)) {
			return errTile
		}
		v, m := varint(tags[n:])
		if m < 0 || v >= uint64(len(l.values)) {
			return errTile
		}
		tags = tags[n+m:]
		l.tags = append(l.tags, uint32(k), uint32(v))
	}
	f.tags = l.tags
	return nil
}

// varint reads a number, of one byte as most are without a call; n is negative if there is none.
func varint(raw []byte) (v uint64, n int) {
	if len(raw) > 0 && raw[0] < 0x80 {
		return uint64(raw[0]), 1
	}
	return protowire.ConsumeVarint(raw)
}

// The commands of a geometry.
const (
	moveTo = 1
	lineTo = 2
)

func (l *layer) parts(raw []byte) ([][]Point, error) {
	var x, y int32
	l.points, l.ends = l.points[:0], l.ends[:0]
	begun := 0
	end := func() {
		if len(l.points) > begun {
			begun = len(l.points)
			l.ends = append(l.ends, begun)
		}
	}
	for len(raw) > 0 {
		command, n := varint(raw)
		if n < 0 {
			return nil, errTile
		}
		raw = raw[n:]
		id, count := command&7, command>>3
		if id != lineTo {
			end()
		}
		if id != moveTo && id != lineTo {
			continue
		}
		if count > uint64(len(raw)/2) {
			return nil, errTile
		}
		for range count {
			dx, n := varint(raw)
			if n < 0 {
				return nil, errTile
			}
			dy, m := varint(raw[n:])
			if m < 0 {
				return nil, errTile
			}
			raw = raw[n+m:]
			x, y = x+int32(protowire.DecodeZigZag(dx)), y+int32(protowire.DecodeZigZag(dy))
			l.points = append(l.points, Point{float64(x) * l.scale, float64(y) * l.scale})
		}
	}
	end()
	l.lines = l.lines[:0]
	from := 0
	for _, to := range l.ends {
		l.lines = append(l.lines, l.points[from:to:to])
		from = to
	}
	return l.lines, nil
}
