package timezone

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/message"
	"github.com/waygate/waygate/index/rings"
)

// Zones are read from a message CompressedTopoTimezones of the package tzf-dist
// (github.com/ringsaturn/tzf, pb/tzf/v1/tzinfo.proto): borders that several zones share
// are stored once, and rings are sequences of such borders and of pieces of their own,
// all as polylines of five digits, longitude first.

// digits are those of the polylines.
const digits = 5

var errMessage = errors.New("the time zones are damaged")

// decoder collects the borders of the zones. Each is stored once, however many zones
// share it.
type decoder struct {
	names   []string
	corners []geo.Fixed
	pieces  []rings.Piece
	shared  []border
	byID    map[uint64]int // in shared
}

// border is a line of corners that zones have in common.
type border struct {
	line  line
	zones []uint32 // each as often as its rings lead along
}

// line is a range of corners.
type line struct{ from, to int }

// decode returns the borders of every zone, those of holes like all others, and the
// version of the data.
func decode(raw []byte) (d *decoder, version string, err error) {
	d = &decoder{byID: map[uint64]int{}}
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
	if err == nil && (len(d.names) == 0 || len(d.names) > mostZones) {
		err = errMessage
	}
	for _, b := range d.shared {
		for i := 0; i < len(b.zones); i += 2 {
			d.add(b.line, owners(b.zones[i:min(i+2, len(b.zones))]...))
		}
	}
	return d, version, err
}

// add makes the pieces of a line.
func (d *decoder) add(l line, owner uint32) {
	for i := l.from; i+1 < l.to; i++ {
		d.pieces = append(d.pieces, rings.Piece{From: uint32(i), Owner: owner})
	}
}

// line reads a row of corners.
func (d *decoder) line(polyline []byte) (line, error) {
	points, err := geo.DecodeLonLat(string(polyline), digits)
	if err != nil {
		return line{}, fmt.Errorf("%w: %w", errMessage, err)
	}
	return d.appendLine(points...), nil
}

func (d *decoder) appendLine(points ...geo.Point) line {
	from := len(d.corners)
	for _, p := range points {
		d.corners = append(d.corners, p.Fix())
	}
	return line{from, len(d.corners)}
}

func (d *decoder) edge(raw []byte) error {
	var id uint64
	var b border
	err := message.Fields(raw, errMessage, func(number protowire.Number, value uint64, bytes []byte) (err error) {
		switch number {
		case 1:
			id = value
		case 2:
			b.line, err = d.line(bytes)
		}
		return err
	})
	d.byID[id] = len(d.shared)
	d.shared = append(d.shared, b)
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
	if len(polygons) > 0 {
		d.names = append(d.names, name)
	}
	for _, p := range polygons {
		if err == nil {
			err = d.polygon(p)
		}
	}
	return err
}

// polygon reads a ring of the last zone, and those of its holes.
func (d *decoder) polygon(raw []byte) error {
	r := ring{decoder: d, zone: uint32(len(d.names) - 1)}
	var holes [][]byte
	err := message.Fields(raw, errMessage, func(number protowire.Number, _ uint64, bytes []byte) error {
		switch number {
		case 1:
			return r.segment(bytes)
		case 2:
			holes = append(holes, bytes)
		}
		return nil
	})
	if r.begun {
		r.to(r.first)
	}
	for _, h := range holes {
		if err == nil {
			err = d.polygon(h)
		}
	}
	return err
}

// ring is a ring of a zone that is being read.
type ring struct {
	*decoder
	zone        uint32
	begun       bool
	first, last geo.Fixed
}

// segment adds a line of the ring's own, or a shared one, in either direction.
func (r *ring) segment(raw []byte) error {
	return message.Fields(raw, errMessage, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case 1:
			return message.Fields(bytes, errMessage, func(number protowire.Number, _ uint64, bytes []byte) error {
				if number != 1 {
					return nil
				}
				l, err := r.line(bytes)
				r.add(l, owners(r.zone))
				r.along(l, false)
				return err
			})
		case 2, 3:
			i, ok := r.byID[value]
			if !ok {
				return fmt.Errorf("%w: border %d is missing", errMessage, value)
			}
			b := &r.shared[i]
			b.zones = append(b.zones, r.zone)
			r.along(b.line, number == 3)
		}
		return nil
	})
}

// along continues the ring along a line.
func (r *ring) along(l line, back bool) {
	if l.from == l.to {
		return
	}
	from, to := r.corners[l.from], r.corners[l.to-1]
	if back {
		from, to = to, from
	}
	if !r.begun {
		r.begun, r.first, r.last = true, from, from
	}
	r.to(from)
	r.last = to
}

// to continues the ring straight to a corner, if it is not there yet.
func (r *ring) to(corner geo.Fixed) {
	if corner != r.last {
		at := len(r.corners)
		r.corners = append(r.corners, r.last, corner)
		r.add(line{at, at + 2}, owners(r.zone))
	}
}

// mostZones is the most zones: two of them fit into the owner of a piece.
const mostZones = 1<<16 - 1

// owners returns the owner of a piece of border of one zone, or shared by two.
func owners(zones ...uint32) uint32 {
	if len(zones) == 1 {
		return zones[0]
	}
	return zones[0] | (zones[1]+1)<<16
}

// ownedBy returns the zones that an owner stands for.
func ownedBy(owner uint32) (zone, other uint32, two bool) {
	return owner & 0xffff, owner>>16 - 1, owner>>16 > 0
}
