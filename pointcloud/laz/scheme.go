// Package laz compresses points of LAS files. It works chunk by chunk, as LASzip does, with
// versions 2 and 3 of its parts, and reads version 4 too.
//
// The format is described by M. Isenburg, LASzip: lossless compression of LiDAR data
// (Photogrammetric Engineering & Remote Sensing 79, 2013), and the LAZ specification 1.4
// of rapidlasso.
package laz

import (
	"errors"
	"fmt"
	"slices"
)

// kind is a part of a record.
type kind uint16

// The parts of records, by their numbers in the record of the scheme.
const (
	bytes10  kind = 0
	base10   kind = 6
	gps11    kind = 7
	rgb12    kind = 8
	packet13 kind = 9
	base14   kind = 10
	rgb14    kind = 11
	rgbNIR14 kind = 12
	packet14 kind = 13
	bytes14  kind = 14
)

var kinds = map[kind]struct {
	name    string
	size    int // 0 for any
	layered bool
}{
	bytes10: {"BYTE", 0, false}, base10: {"POINT10", 20, false}, gps11: {"GPSTIME11", 8, false}, rgb12: {"RGB12", 6, false}, packet13: {"WAVEPACKET13", waveSize, false},
	base14: {"POINT14", size14, true}, rgb14: {"RGB14", 6, true}, rgbNIR14: {"RGBNIR14", 8, true}, packet14: {"WAVEPACKET14", waveSize, true}, bytes14: {"BYTE14", 0, true},
}

// item is a part with its length and the version of its compression.
type item struct {
	kind    kind
	size    int
	version int
}

// Variable is the chunk size of files whose chunks have different numbers of points.
const Variable = 1<<32 - 1

// MostChunkPoints bounds the points of a chunk, so that a few damaged bytes cannot claim
// work without end. Usual are 50,000.
const MostChunkPoints = 1 << 24

// Scheme is how the points of a file are compressed. UserID and RecordID name its
// record among the variable length records of the file.
type Scheme struct {
	// ChunkSize is the points of a chunk, or Variable.
	ChunkSize uint32
	// Chunked is false for files of one chunk without a table.
	Chunked bool
	layered bool
	items   []item
	size    int
}

// The record of the scheme.
const (
	UserID   = "laszip encoded"
	RecordID = 22204
)

// RecordSize returns the length of a point in bytes.
func (s *Scheme) RecordSize() int { return s.size }

// Layered reports whether the parts of a point are in streams of their own.
func (s *Scheme) Layered() bool { return s.layered }

// ReadScheme reads the record of a file's scheme. Errors name the field, its value and
// what is supported.
func ReadScheme(data []byte) (*Scheme, error) {
	const head, each = 34, 6
	if len(data) < head {
		return nil, fmt.Errorf("LAZ record has %d bytes; it needs at least %d", len(data), head)
	}
	s := &Scheme{ChunkSize: le.Uint32(data[12:])}
	switch compressor := le.Uint16(data[0:]); compressor {
	case 1:
	case 2:
		s.Chunked = true
	case 3:
		s.Chunked, s.layered = true, true
	default:
		return nil, fmt.Errorf("LAZ compressor %d is not supported; 1 to 3 are", compressor)
	}
	if !s.Chunked {
		s.ChunkSize = MostChunkPoints
	}
	if c := le.Uint16(data[2:]); c != 0 {
		return nil, fmt.Errorf("LAZ coder %d is not supported; 0 is", c)
	}
	if s.ChunkSize == 0 || s.ChunkSize > MostChunkPoints && s.ChunkSize != Variable {
		return nil, fmt.Errorf("LAZ chunk size %d is not between 1 and %d", s.ChunkSize, MostChunkPoints)
	}
	n := int(le.Uint16(data[32:]))
	if len(data) < head+n*each {
		return nil, fmt.Errorf("LAZ record has %d bytes; its %d items need %d", len(data), n, head+n*each)
	}
	for i := range n {
		d := data[head+i*each:]
		s.items = append(s.items, item{kind(le.Uint16(d)), int(le.Uint16(d[2:])), int(le.Uint16(d[4:]))})
	}
	return s, s.check()
}

// check refuses schemes that no record has, or that are not supported.
func (s *Scheme) check() error {
	if len(s.items) == 0 {
		return errors.New("LAZ record lists no items")
	}
	for i, it := range s.items {
		k, ok := kinds[it.kind]
		switch {
		case !ok:
			return fmt.Errorf("LAZ item type %d is not supported", it.kind)
		case k.size != 0 && it.size != k.size, it.size == 0:
			return fmt.Errorf("LAZ item %s has %d bytes; it needs %d", k.name, it.size, max(k.size, 1))
		case k.layered != s.layered:
			return fmt.Errorf("LAZ item %s does not go with the file's compressor", k.name)
		case k.layered && it.version != 3 && it.version != 4,
			!k.layered && it.version != 2 && (it.kind != packet13 || it.version != 1):
			return fmt.Errorf("LAZ item %s has version %d, which is not supported", k.name, it.version)
		case (it.kind == base10 || it.kind == base14) != (i == 0):
			return fmt.Errorf("LAZ item %d is %s; a record begins with POINT10 or POINT14, once", i, k.name)
		}
		s.size += it.size
	}
	return nil
}

// NewScheme returns the scheme for a point format, 0 to 10, with bytes that the format
// does not define behind each point.
func NewScheme(format, extra int, chunkSize uint32) (*Scheme, error) {
	if format < 0 || format > 10 || extra < 0 || extra > 1<<16-1 {
		return nil, fmt.Errorf("point format %d with %d extra bytes is not supported", format, extra)
	}
	s := &Scheme{ChunkSize: chunkSize, Chunked: true, layered: format >= 6}
	add := func(k kind, version int, formats ...int) {
		if slices.Contains(formats, format) {
			s.items = append(s.items, item{k, kinds[k].size, version})
		}
	}
	add(base10, 2, 0, 1, 2, 3, 4, 5)
	add(gps11, 2, 1, 3, 4, 5)
	add(rgb12, 2, 2, 3, 5)
	add(packet13, 1, 4, 5)
	add(base14, 3, 6, 7, 8, 9, 10)
	add(rgb14, 3, 7)
	add(rgbNIR14, 3, 8, 10)
	add(packet14, 3, 9, 10)
	if extra > 0 && s.layered {
		s.items = append(s.items, item{bytes14, extra, 3})
	} else if extra > 0 {
		s.items = append(s.items, item{bytes10, extra, 2})
	}
	return s, s.check()
}

// Record returns the scheme's record.
func (s *Scheme) Record() []byte {
	compressor := uint16(2)
	if s.layered {
		compressor = 3
	}
	d := le.AppendUint16(nil, compressor)
	d = append(d, 0, 0, 3, 4, 0, 0) // the coder, and version 3.4 of the format
	d = le.AppendUint32(d, 0)
	d = le.AppendUint32(d, s.ChunkSize)
	d = le.AppendUint64(d, 1<<64-1)
	d = le.AppendUint64(d, 1<<64-1)
	d = le.AppendUint16(d, uint16(len(s.items)))
	for _, it := range s.items {
		for _, v := range []uint16{uint16(it.kind), uint16(it.size), uint16(it.version)} {
			d = le.AppendUint16(d, v)
		}
	}
	return d
}

// parts returns the coders of the scheme's items, one kind or the other, and where each
// begins in a record.
func (s *Scheme) parts() (points []pointwise, layers []layered, starts []int) {
	at := 0
	for _, it := range s.items {
		starts = append(starts, at)
		at += it.size
		switch it.kind {
		case base10:
			points = append(points, newPoint10())
		case gps11:
			points = append(points, &time10{newGPSTimes(2)})
		case rgb12:
			points = append(points, &colour10{colours: newColours()})
		case packet13:
			points = append(points, &wave10{waves: newWaves()})
		case bytes10:
			points = append(points, newExtra10(it.size))
		case base14:
			layers = append(layers, &point14{version: it.version})
		case rgb14:
			layers = append(layers, newColour14(it.version))
		case rgbNIR14:
			layers = append(layers, newColour14(it.version), newInfrared14(it.version))
			starts = append(starts, at-2)
		case packet14:
			layers = append(layers, newWave14(it.version))
		case bytes14:
			layers = append(layers, newExtra14(it.version, it.size))
		}
	}
	return points, layers, starts
}
