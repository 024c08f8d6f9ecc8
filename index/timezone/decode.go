package timezone

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/message"
)

// Zones are read from a message CompressedTopoTimezones of the package tzf-dist
// (github.com/ringsaturn/tzf, pb/tzf/v1/tzinfo.proto): borders that several
// zones share are in it once, and rings are strings of such borders and of
// pieces of their own, all as polylines of five digits, longitude first.

// digits are those of the polylines.
const digits = 5

var errMessage = errors.New("the time zones are damaged")

// decoder puts the rings of a message together.
type decoder struct {
	shared map[uint64][]geo.Point
	add    func(zone string, ring []geo.Point)
}

// decode gives every ring of every zone, holes like all others, and the version
// of the data.
func decode(raw []byte, add func(zone string, ring []geo.Point)) (version string, err error) {
	d := decoder{shared: map[uint64][]geo.Point{}, add: add}
	var zones [][]byte
	err = message.Fields(raw, errMessage, func(number protowire.Number, _ uint64, bytes []byte) error {
		switch number {
		case 2:
			return d.edge(bytes)
		case 3:
			zones = append(zones, bytes) // the borders may come after it
		case 4:
			version = string(bytes)
		}
		return nil
	})
	for _, z := range zones {
		if err == nil {
			err = d.zone(z)
		}
	}
	return version, err
}

func (d *decoder) edge(raw []byte) error {
	var id uint64
	var line []geo.Point
	err := message.Fields(raw, errMessage, func(number protowire.Number, value uint64, bytes []byte) (err error) {
		switch number {
		case 1:
			id = value
		case 2:
			line, err = polyline(bytes)
		}
		return err
	})
	d.shared[id] = line
	return err
}

func (d *decoder) zone(raw []byte) error {
	var name string
	var polygons [][]byte
	err := message.Fields(raw, errMessage, func(number protowire.Number, _ uint64, bytes []byte) error {
		switch number {
		case 1:
			polygons = append(polygons, bytes)
		case 2:
			name = string(bytes)
		}
		return nil
	})
	for _, p := range polygons {
		if err == nil {
			err = d.polygon(name, p)
		}
	}
	return err
}

func (d *decoder) polygon(zone string, raw []byte) error {
	var ring []geo.Point
	var holes [][]byte
	err := message.Fields(raw, errMessage, func(number protowire.Number, _ uint64, bytes []byte) error {
		switch number {
		case 1:
			piece, err := d.segment(bytes)
			ring = append(ring, piece...)
			return err
		case 2:
			holes = append(holes, bytes)
		}
		return nil
	})
	if err != nil {
		return err
	}
	d.add(zone, ring)
	for _, h := range holes {
		if err := d.polygon(zone, h); err != nil {
			return err
		}
	}
	return nil
}

// segment is a piece of a ring.
func (d *decoder) segment(raw []byte) (line []geo.Point, err error) {
	err = message.Fields(raw, errMessage, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case 1:
			return message.Fields(bytes, errMessage, func(number protowire.Number, _ uint64, bytes []byte) (err error) {
				if number == 1 {
					line, err = polyline(bytes)
				}
				return err
			})
		case 2, 3:
			edge, ok := d.shared[value]
			if !ok {
				return fmt.Errorf("%w: border %d is missing", errMessage, value)
			}
			line = append(line, edge...)
			if number == 3 {
				for i, j := 0, len(line)-1; i < j; i, j = i+1, j-1 {
					line[i], line[j] = line[j], line[i]
				}
			}
		}
		return nil
	})
	return line, err
}

func polyline(text []byte) ([]geo.Point, error) {
	line, err := geo.DecodeLonLat(string(text), digits)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errMessage, err)
	}
	return line, nil
}
