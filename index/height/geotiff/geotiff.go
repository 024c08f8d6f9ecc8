// Package geotiff reads grids of heights from GeoTIFF files in geographic coordinates:
// one band of integers or floats, in strips or tiles, plain or compressed with deflate,
// LZW or Zstandard, with or without a predictor. In files with several images, such as
// cloud-optimised ones with overviews, it reads the first, which is the full one; the
// chain of the others is never followed.
//
// Every number of a file is checked against limits before memory is allocated for it.
package geotiff

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Limits of what is read.
const (
	mostSide        = 1 << 20 // pixels to a side of the grid
	mostBlockPixels = 1 << 24 // pixels of a strip or tile, 64 MiB of heights
	mostEntries     = 1 << 10 // fields of an image
	mostText        = 1 << 10 // bytes of a text
)

// Grid describes a file's grid of heights. It is immutable; the file is passed in for
// each block, so that none stays open.
type Grid struct {
	Width, Height           int     // pixels
	West, North             float64 // degrees, of the middle of the first pixel
	StepLon, StepLat        float64 // degrees from a pixel to the next, eastwards and southwards
	BlockWidth, BlockHeight int     // pixels of a strip or tile; those at the edges reach beyond the grid
	across                  int     // blocks in a row
	order                   binary.ByteOrder
	offsets, sizes          list
	bits, format            int // of a sample
	compression, predictor  int
	tiled                   bool
	nodata                  float64 // NaN for none
}

// list is an array of numbers somewhere in the file.
type list struct {
	kind   uint16
	count  uint64
	at     int64
	inline []byte // where it fits in the field itself
}

// The fields that are read.
const (
	tagWidth          = 256
	tagHeight         = 257
	tagBits           = 258
	tagCompression    = 259
	tagStripOffsets   = 273
	tagSamples        = 277
	tagRowsPerStrip   = 278
	tagStripSizes     = 279
	tagPredictor      = 317
	tagTileWidth      = 322
	tagTileHeight     = 323
	tagTileOffsets    = 324
	tagTileSizes      = 325
	tagFormat         = 339
	tagPixelScale     = 33550
	tagTiepoint       = 33922
	tagTransformation = 34264
	tagGeoKeys        = 34735
	tagNoData         = 42113
)

// kindSize is the bytes of each kind of number, by TIFF's own numbering; 0 is a kind
// that is not read.
var kindSize = [...]int{1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 16: 8, 17: 8, 18: 8}

// reader reads the fields of an image.
type reader struct {
	src   io.ReaderAt
	size  int64
	order binary.ByteOrder
	big   bool // BigTIFF
	tags  map[uint16]list
}

var errShort = errors.New("it is cut short")

func (r *reader) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || at > r.size || n > r.size-at {
		return nil, errShort
	}
	b := make([]byte, n)
	if _, err := r.src.ReadAt(b, at); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return b, nil
}

// Read reads the description of a file's grid, without the heights.
func Read(src io.ReaderAt, size int64) (*Grid, error) {
	r := &reader{src: src, size: size, tags: map[uint16]list{}}
	if err := r.image(); err != nil {
		return nil, err
	}
	g := &Grid{order: r.order}
	for _, step := range []func(*reader) error{g.layout, g.blocks, g.samples, g.readPlacement} {
		if err := step(r); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// image reads the header and the fields of the first image.
func (r *reader) image() error {
	head, err := r.bytes(0, min(16, r.size))
	if err != nil {
		return err
	}
	switch {
	case len(head) < 8:
		return errors.New("not a TIFF file")
	case string(head[:2]) == "II":
		r.order = binary.LittleEndian
	case string(head[:2]) == "MM":
		r.order = binary.BigEndian
	default:
		return errors.New("not a TIFF file")
	}
	var at, n int64
	entry := int64(12)
	switch r.order.Uint16(head[2:]) {
	case 42:
		at = int64(r.order.Uint32(head[4:]))
		b, err := r.bytes(at, 2)
		if err != nil {
			return err
		}
		at, n = at+2, int64(r.order.Uint16(b))
	case 43:
		r.big, entry = true, 20
		if len(head) < 16 {
			return errShort
		}
		at = int64(r.order.Uint64(head[8:]))
		b, err := r.bytes(at, 8)
		if err != nil {
			return err
		}
		at, n = at+8, int64(min(r.order.Uint64(b), mostEntries+1))
	default:
		return errors.New("not a TIFF file")
	}
	if n > mostEntries {
		return fmt.Errorf("its image has %d fields, and may have %d", n, mostEntries)
	}
	fields, err := r.bytes(at, n*entry)
	if err != nil {
		return err
	}
	for ; len(fields) > 0; fields = fields[entry:] {
		r.field(fields[:entry])
	}
	return nil
}

func (r *reader) field(b []byte) {
	l := list{kind: r.order.Uint16(b[2:])}
	if int(l.kind) >= len(kindSize) || kindSize[l.kind] == 0 {
		return
	}
	var value []byte
	if r.big {
		l.count, value = r.order.Uint64(b[4:]), b[12:]
		l.at = int64(r.order.Uint64(value))
	} else {
		l.count, value = uint64(r.order.Uint32(b[4:])), b[8:]
		l.at = int64(r.order.Uint32(value))
	}
	if l.count <= uint64(len(value)/kindSize[l.kind]) {
		l.inline = value
	}
	r.tags[r.order.Uint16(b)] = l
}

// value returns a number of a list.
func (r *reader) value(l *list, i uint64) (float64, error) {
	size := uint64(kindSize[l.kind])
	if i >= l.count {
		return 0, errShort
	}
	var b []byte
	if l.inline != nil {
		b = l.inline[i*size : (i+1)*size]
	} else {
		if l.at < 0 || i > uint64(r.size)/size {
			return 0, errShort
		}
		var err error
		if b, err = r.bytes(l.at+int64(i*size), int64(size)); err != nil {
			return 0, err
		}
	}
	switch l.kind {
	case 1, 7:
		return float64(b[0]), nil
	case 3:
		return float64(r.order.Uint16(b)), nil
	case 4:
		return float64(r.order.Uint32(b)), nil
	case 11:
		return float64(math.Float32frombits(r.order.Uint32(b))), nil
	case 12:
		return math.Float64frombits(r.order.Uint64(b)), nil
	case 16, 18:
		return float64(r.order.Uint64(b)), nil
	}
	return 0, fmt.Errorf("a field has numbers of kind %d", l.kind)
}

// fieldNumber returns the first value of a field, or otherwise if it is missing.
func (r *reader) fieldNumber(tag uint16, otherwise float64) (float64, error) {
	l, ok := r.tags[tag]
	if !ok {
		return otherwise, nil
	}
	return r.value(&l, 0)
}

// whole returns a field that must be a whole number from least to most.
func (r *reader) whole(tag uint16, name string, otherwise, least, most int) (int, error) {
	v, err := r.fieldNumber(tag, float64(otherwise))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	if !(v >= float64(least) && v <= float64(most)) || v != math.Trunc(v) {
		return 0, fmt.Errorf("%s is %.10g, and may be %d to %d", name, v, least, most)
	}
	return int(v), nil
}

// numbers returns all values of a field, at most so many.
func (r *reader) numbers(tag uint16, most uint64) ([]float64, error) {
	l, ok := r.tags[tag]
	if !ok {
		return nil, nil
	}
	if l.count > most {
		return nil, fmt.Errorf("field %d has %d numbers, and may have %d", tag, l.count, most)
	}
	out := make([]float64, l.count)
	for i := range out {
		v, err := r.value(&l, uint64(i))
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// text returns a field of letters.
func (r *reader) text(tag uint16) (string, error) {
	l, ok := r.tags[tag]
	if !ok {
		return "", nil
	}
	if l.kind != 2 || l.count > mostText {
		return "", fmt.Errorf("field %d is no text of up to %d letters", tag, mostText)
	}
	if l.inline != nil {
		return string(l.inline[:l.count]), nil
	}
	b, err := r.bytes(l.at, int64(l.count))
	return string(b), err
}
