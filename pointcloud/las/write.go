package las

import (
	"fmt"
	"math"
)

// Append writes the header as version 1.4 and its records behind the bytes of dst, and
// returns both. The points follow at once. extendedStart is where the extended records
// begin, of which there are extended. As the specification demands, the header of formats
// 6 and later says that the reference system is well-known text, even if there is none, and
// has no counts in the fields of older versions.
func (h *Header) Append(dst []byte, extendedStart int64, extended int) ([]byte, error) {
	from := len(dst)
	for _, r := range h.Records {
		if len(r.Data) > math.MaxUint16 {
			return nil, fmt.Errorf("variable length record %s %d has %d bytes; the limit is %d", r.UserID, r.ID, len(r.Data), math.MaxUint16)
		}
	}
	b := make([]byte, Header14Size)
	copy(b, "LASF")
	le.PutUint16(b[4:], h.SourceID)
	encoding := h.GlobalEncoding
	if h.Format >= 6 {
		encoding |= wktBit
	}
	le.PutUint16(b[6:], encoding)
	b[24], b[25] = 1, 4
	copy(b[26:58], h.System)
	copy(b[58:90], h.Software)
	le.PutUint16(b[90:], h.DayOfYear)
	le.PutUint16(b[92:], h.Year)
	le.PutUint16(b[94:], Header14Size)
	le.PutUint32(b[96:], uint32(h.RecordsSize()+Header14Size))
	le.PutUint32(b[100:], uint32(len(h.Records)))
	b[104] = byte(h.Format)
	if h.Compressed {
		b[104] |= compressedBit
	}
	le.PutUint16(b[105:], uint16(h.RecordSize))
	if h.Format < 6 && h.Points <= math.MaxUint32 {
		le.PutUint32(b[107:], uint32(h.Points))
		for i, n := range h.Returns[:5] {
			le.PutUint32(b[111+4*i:], uint32(n))
		}
	}
	float := func(at int, v float64) { le.PutUint64(b[at:], math.Float64bits(v)) }
	for i := range 3 {
		float(131+8*i, h.Scale[i])
		float(155+8*i, h.Offset[i])
		float(179+16*i, h.Max[i])
		float(187+16*i, h.Min[i])
	}
	if extended > 0 {
		le.PutUint64(b[235:], uint64(extendedStart))
		le.PutUint32(b[243:], uint32(extended))
	}
	le.PutUint64(b[247:], uint64(h.Points))
	for i, n := range h.Returns {
		le.PutUint64(b[255+8*i:], uint64(n))
	}
	dst = append(dst, b...)
	for _, r := range h.Records {
		head := make([]byte, recordHead)
		copy(head[2:18], r.UserID)
		le.PutUint16(head[18:], r.ID)
		le.PutUint16(head[20:], uint16(len(r.Data)))
		copy(head[22:], r.Description)
		dst = append(append(dst, head...), r.Data...)
	}
	if len(dst)-from != h.RecordsSize()+Header14Size {
		panic("header has another length than announced")
	}
	return dst, nil
}

// RecordsSize returns how many bytes the variable length records have in a file.
func (h *Header) RecordsSize() int {
	n := 0
	for _, r := range h.Records {
		n += recordHead + len(r.Data)
	}
	return n
}

// AppendExtended writes an extended record behind the bytes of dst, and returns both.
func AppendExtended(dst []byte, r Record) []byte {
	head := make([]byte, extendedHead)
	copy(head[2:18], r.UserID)
	le.PutUint16(head[18:], r.ID)
	le.PutUint64(head[20:], uint64(len(r.Data)))
	copy(head[28:], r.Description)
	return append(append(dst, head...), r.Data...)
}
