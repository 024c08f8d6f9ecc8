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

// Feature is one thing on the map.
type Feature struct {
	Layer string
	Kind  Kind
	Tags  map[string]any // string, float64 or bool
	Parts [][]Point      // points, lines, or rings without their last corner
}

// Text returns an attribute that is a text, or "".
func (f *Feature) Text(key string) string { s, _ := f.Tags[key].(string); return s }

// Number returns an attribute that is a number, or 0.
func (f *Feature) Number(key string) float64 { v, _ := f.Tags[key].(float64); return v }

// Is reports whether an attribute is true.
func (f *Feature) Is(key string) bool { b, _ := f.Tags[key].(bool); return b }

var errTile = errors.New("the tile is damaged")

// Limits of a tile. One of a city has about ten thousand features.
const (
	mostBytes    = 16 << 20 // unpacked
	mostFeatures = 1 << 18  // of a layer
)

// Read reads the features of some layers of a tile, packed with gzip or not.
func Read(data []byte, layers ...string) ([]Feature, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = io.ReadAll(io.LimitReader(z, mostBytes+1))
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errTile, err)
		}
	}
	if len(data) > mostBytes {
		return nil, fmt.Errorf("%w: it has more than %d bytes", errTile, mostBytes)
	}
	var all []Feature
	err := message.Fields(data, errTile, func(number protowire.Number, _ uint64, raw []byte) error {
		if number != 3 {
			return nil
		}
		list, err := readLayer(raw, layers)
		all = append(all, list...)
		return err
	})
	return all, err
}

// layer is a layer that is being read.
type layer struct {
	name     string
	extent   uint64
	features [][]byte
	keys     []string
	values   []any
}

func readLayer(raw []byte, wanted []string) ([]Feature, error) {
	l := layer{extent: 4096}
	err := message.Fields(raw, errTile, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case 1:
			l.name = string(bytes)
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
			l.extent = value
		}
		return nil
	})
	if err != nil || !slices.Contains(wanted, l.name) {
		return nil, err
	}
	if l.extent == 0 || l.extent > 1<<20 {
		return nil, fmt.Errorf("%w: its grid is %d wide", errTile, l.extent)
	}
	list := make([]Feature, len(l.features))
	for i, f := range l.features {
		if list[i], err = l.feature(f); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func readValue(raw []byte) (v any, err error) {
	err = message.Fields(raw, errTile, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case 1:
			v = string(bytes)
		case 2:
			v = float64(math.Float32frombits(uint32(value)))
		case 3:
			v = math.Float64frombits(value)
		case 4:
			v = float64(int64(value))
		case 5:
			v = float64(value)
		case 6:
			v = float64(protowire.DecodeZigZag(value))
		case 7:
			v = value != 0
		}
		return nil
	})
	return v, err
}

func (l *layer) feature(raw []byte) (Feature, error) {
	f := Feature{Layer: l.name, Tags: map[string]any{}}
	var tags, geometry []byte
	err := message.Fields(raw, errTile, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case 2:
			tags = bytes
		case 3:
			f.Kind = Kind(value)
		case 4:
			geometry = bytes
		}
		return nil
	})
	if err != nil {
		return f, err
	}
	for len(tags) > 0 {
		k, n := protowire.ConsumeVarint(tags)
		if n < 0 || k >= uint64(len(l.keys)) {
			return f, errTile
		}
		v, m := protowire.ConsumeVarint(tags[n:])
		if m < 0 || v >= uint64(len(l.values)) {
			return f, errTile
		}
		tags = tags[n+m:]
		f.Tags[l.keys[k]] = l.values[v]
	}
	f.Parts, err = parts(geometry, 1/float64(l.extent))
	return f, err
}

// The commands of a geometry.
const (
	moveTo = 1
	lineTo = 2
)

func parts(raw []byte, scale float64) (all [][]Point, err error) {
	var x, y int32
	var part []Point
	for len(raw) > 0 {
		command, n := protowire.ConsumeVarint(raw)
		if n < 0 {
			return nil, errTile
		}
		raw = raw[n:]
		id, count := command&7, command>>3
		if id != lineTo && len(part) > 0 {
			all, part = append(all, part), nil
		}
		if id != moveTo && id != lineTo {
			continue
		}
		if count > uint64(len(raw)/2) {
			return nil, errTile
		}
		for range count {
			dx, n := protowire.ConsumeVarint(raw)
			if n < 0 {
				return nil, errTile
			}
			dy, m := protowire.ConsumeVarint(raw[n:])
			if m < 0 {
				return nil, errTile
			}
			raw = raw[n+m:]
			x, y = x+int32(protowire.DecodeZigZag(dx)), y+int32(protowire.DecodeZigZag(dy))
			part = append(part, Point{float64(x) * scale, float64(y) * scale})
		}
	}
	if len(part) > 0 {
		all = append(all, part)
	}
	return all, nil
}
