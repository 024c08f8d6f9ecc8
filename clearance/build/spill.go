package build

import (
	"encoding/binary"
	"fmt"
	"os"
)

var le = binary.LittleEndian

// recordSize is of a point in the temporary file: three coordinates in tenths of a
// millimetre from the grid's origin, and from 0 the height; class, bits, source, pass.
const recordSize = 18

type record struct {
	x, y, z     int32
	class, bits uint8
	source      uint16
	pass        uint16
}

func (r *record) append(dst []byte) []byte {
	dst = le.AppendUint32(le.AppendUint32(le.AppendUint32(dst, uint32(r.x)), uint32(r.y)), uint32(r.z))
	return le.AppendUint16(le.AppendUint16(append(dst, r.class, r.bits), r.source), r.pass)
}

func readRecord(b []byte) record {
	return record{int32(le.Uint32(b)), int32(le.Uint32(b[4:])), int32(le.Uint32(b[8:])), b[12], b[13], le.Uint16(b[14:]), le.Uint16(b[16:])}
}

// spill keeps the points of parts in memory up to a limit, and then in a temporary file.
type spill struct {
	file   *os.File
	at     int64
	held   int
	memory int
	parts  map[partKey]*bucket
}

type bucket struct {
	buffer []byte
	stored []extent
	points int64
}

type extent struct {
	at   int64
	size int
}

// flushAt is how many bytes of points are in memory at most.
const flushAt = 96 << 20

func newSpill(dir string) (*spill, error) {
	f, err := os.CreateTemp(dir, ".clearance-")
	if err != nil {
		return nil, err
	}
	// Nothing else needs the name, and the file goes away with the process.
	if err := os.Remove(f.Name()); err != nil {
		return nil, err
	}
	return &spill{file: f, memory: flushAt, parts: map[partKey]*bucket{}}, nil
}

func (s *spill) close() error { return s.file.Close() }

func (s *spill) add(k partKey, r *record) error {
	b := s.parts[k]
	if b == nil {
		b = &bucket{}
		s.parts[k] = b
	}
	b.buffer = r.append(b.buffer)
	b.points++
	s.held += recordSize
	if s.held >= s.memory {
		return s.flush()
	}
	return nil
}

func (s *spill) flush() error {
	for _, b := range s.parts {
		if len(b.buffer) == 0 {
			continue
		}
		if _, err := s.file.WriteAt(b.buffer, s.at); err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		b.stored = append(b.stored, extent{s.at, len(b.buffer)})
		s.at += int64(len(b.buffer))
		b.buffer = nil
	}
	s.held = 0
	return nil
}

// each passes every n-th point of a part.
func (b *bucket) each(file *os.File, every int64, pass func(r record)) error {
	i := int64(0)
	some := func(data []byte) {
		for ; len(data) >= recordSize; data = data[recordSize:] {
			if i%every == 0 {
				pass(readRecord(data))
			}
			i++
		}
	}
	var data []byte
	for _, e := range b.stored {
		if cap(data) < e.size {
			data = make([]byte, e.size)
		}
		data = data[:e.size]
		if _, err := file.ReadAt(data, e.at); err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		some(data)
	}
	some(b.buffer)
	return nil
}
