package osm

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Wire types of the protobuf encoding that OSM PBF uses.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// uvarint reads the number at b[i:] and gives the index behind it, or -1
// where the number is cut short or longer than 64 bits. The failure is sticky:
// reading on from -1 gives -1 again, so a loop checks once, at its end.
func uvarint(b []byte, i int) (uint64, int) {
	if uint(i) < uint(len(b)) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	return longUvarint(b, i)
}

func longUvarint(b []byte, i int) (uint64, int) {
	if i < 0 {
		return 0, -1
	}
	var v uint64
	for shift := uint(0); shift < 64 && i < len(b); shift += 7 {
		c := b[i]
		i++
		if c < 0x80 {
			if shift == 63 && c > 1 {
				return 0, -1
			}
			return v | uint64(c)<<shift, i
		}
		v |= uint64(c&0x7f) << shift
	}
	return 0, -1
}

func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// countVarints returns how many numbers end in b.
func countVarints(b []byte) int {
	const tops = 0x8080808080808080
	n := 0
	for len(b) >= 8 {
		n += bits.OnesCount64(^binary.LittleEndian.Uint64(b) & tops)
		b = b[8:]
	}
	for _, c := range b {
		if c < 0x80 {
			n++
		}
	}
	return n
}

// message walks the fields of one protobuf message. After next has given
// false, err is nil where the message was complete.
type message struct {
	b     []byte
	i     int
	field int
	wire  int
	value uint64 // of a varint field
	data  []byte // of a field of bytes
	err   error
}

func (m *message) next() bool {
	if m.err != nil || m.i >= len(m.b) {
		return false
	}
	at := m.i
	key, i := uvarint(m.b, m.i)
	if i < 0 || key>>3 == 0 || key>>3 > 1<<29-1 {
		m.err = fmt.Errorf("no valid protobuf field at byte %d of %d", at, len(m.b))
		return false
	}
	m.field, m.wire = int(key>>3), int(key&7)
	size := uint64(0)
	switch m.wire {
	case wireVarint:
		m.value, m.i = uvarint(m.b, i)
		if m.i < 0 {
			m.err = fmt.Errorf("protobuf field %d at byte %d: the number is cut short or too long", m.field, at)
		}
		return m.err == nil
	case wireBytes:
		size, i = uvarint(m.b, i)
	case wireFixed64:
		size = 8
	case wireFixed32:
		size = 4
	default:
		m.err = fmt.Errorf("protobuf field %d at byte %d has the unknown wire type %d", m.field, at, m.wire)
		return false
	}
	if i < 0 || size > uint64(len(m.b)-i) {
		m.err = fmt.Errorf("protobuf field %d at byte %d runs past the end of its message", m.field, at)
		return false
	}
	m.i = i + int(size)
	m.data = m.b[i:m.i:m.i]
	return true
}

// varint returns the current field's value, which must be a varint.
func (m *message) varint() uint64 {
	if m.wire != wireVarint {
		m.mismatch(wireVarint)
		return 0
	}
	return m.value
}

// signed is number for the zigzag types (sint32, sint64).
func (m *message) signed() int64 { return zigzag(m.varint()) }

// bytes returns the current field's contents, which must be length-delimited.
func (m *message) bytes() []byte {
	if m.wire != wireBytes {
		m.mismatch(wireBytes)
		return nil
	}
	return m.data
}

// packed is bytes for a packed list. former is what an earlier field of the
// same number gave: a list in two parts is legal protobuf that no OSM writer
// makes, and it is refused rather than half read.
func (m *message) packed(former []byte) []byte {
	if former != nil && m.err == nil {
		m.err = fmt.Errorf("protobuf field %d is a list in several parts", m.field)
	}
	return m.bytes()
}

func (m *message) mismatch(want int) {
	if m.err == nil {
		m.err = fmt.Errorf("protobuf field %d has wire type %d, not %d", m.field, m.wire, want)
	}
}
