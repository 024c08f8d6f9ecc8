package basemap

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
)

// append appends a feature in bytes.
func (f *feature) append(b []byte) []byte {
	b = append(b, byte(f.layer), f.minZoom, f.maxZoom, flags(f.onward, f.directed, f.base), byte(f.of.kind), f.of.number)
	b = binary.AppendVarint(binary.AppendVarint(b, f.of.id), int64(f.order))
	b = appendFloats(b, f.size, f.minPixels)
	b = binary.AppendUvarint(b, uint64(len(f.attrs)))
	for _, a := range f.attrs {
		b = append(appendText(appendText(b, a.key), a.value.text), byte(a.value.kind), a.from)
		b = appendFloats(b, a.value.number)
	}
	shape := wkb.MustMarshal(f.shape(), binary.LittleEndian)
	return append(binary.AppendUvarint(b, uint64(len(shape))), shape...)
}

func (f *feature) shape() orb.Geometry {
	switch {
	case f.point != nil:
		return *f.point
	case f.lines != nil:
		return f.lines
	}
	return f.areas
}

func flags(of ...bool) (b byte) {
	for i, is := range of {
		if is {
			b |= 1 << i
		}
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendFloats(b []byte, of ...float64) []byte {
	for _, x := range of {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// errFeature is the error of bytes that end within a feature.
var errFeature = errors.New("basemap: features put aside are not as they were written")

// featureReader reads what append wrote; after the end it returns zeros.
type featureReader struct {
	b      []byte
	failed bool
	known  map[string]string // texts, of which most are the same
}

// read reads a feature.
func (f *feature) read(r *featureReader) error {
	head := r.bytes(6)
	if r.failed {
		return errFeature
	}
	is := func(i int) bool { return head[3]>>i&1 != 0 }
	*f = feature{layer: layer(head[0]), minZoom: head[1], maxZoom: head[2], onward: is(0), directed: is(1), base: is(2)}
	f.of.kind, f.of.number = objectKind(head[4]), head[5]
	f.of.id, f.order = r.varint(), int32(r.varint())
	f.size, f.minPixels = r.float(), r.float()
	f.attrs = make([]attr, r.count(3+8))
	for i := range f.attrs {
		a := &f.attrs[i]
		a.key, a.value.text = r.text(), r.text()
		if kinds := r.bytes(2); len(kinds) == 2 {
			a.value.kind, a.from = valueKind(kinds[0]), kinds[1]
		}
		a.value.number = r.float()
	}
	shape, err := wkb.Unmarshal(r.bytes(r.count(1)))
	switch g := shape.(type) {
	case orb.Point:
		f.point = &g
	case orb.MultiLineString:
		f.lines = g
	case orb.MultiPolygon:
		f.areas = g
	default:
		return errFeature
	}
	if err != nil || r.failed {
		return errFeature
	}
	f.bound = shape.Bound()
	return nil
}

func (r *featureReader) bytes(n int) []byte {
	if r.failed || n > len(r.b) {
		r.failed = true
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *featureReader) text() string {
	b := r.bytes(r.count(1))
	if s, ok := r.known[string(b)]; ok {
		return s
	}
	s := string(b)
	r.known[s] = s
	return s
}

func (r *featureReader) float() float64 {
	if b := r.bytes(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (r *featureReader) varint() int64 {
	x, n := binary.Varint(r.b)
	r.bytes(max(n, 0))
	r.failed = r.failed || n <= 0
	return x
}

// count reads the number of following elements, each of at least so many bytes.
func (r *featureReader) count(each int) int {
	x, n := binary.Uvarint(r.b)
	r.bytes(max(n, 0))
	if n <= 0 || x > uint64(len(r.b)/each) {
		r.failed = true
		return 0
	}
	return int(x)
}
