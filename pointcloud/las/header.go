// Package las reads and writes headers and records of LAS files. It knows versions 1.0 to
// 1.4 with point formats 0 to 10 (ASPRS, LAS Specification 1.4 R15), and finds the
// coordinate reference system. Points of compressed files are read by other packages.
package las

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

var le = binary.LittleEndian

// Bounds of what is read into memory. A header is refused if it claims more.
const (
	MostRecords     = 10_000
	MostRecordBytes = 64 << 20 // of all records together
	MostPointBytes  = 4096     // of a point with its extra bytes
)

// Lengths of headers of versions up to 1.2, of 1.3 and of 1.4, and of what precedes a record.
const (
	headerSize    = 227
	header13Size  = 235
	Header14Size  = 375
	recordHead    = 54
	extendedHead  = 60
	compressedBit = 1 << 7 // of the point format, in compressed files
	wktBit        = 1 << 4 // of the global encoding: the reference system is well-known text
)

// Header is the header of a file with its variable length records.
type Header struct {
	Major, Minor   uint8
	SourceID       uint16
	GlobalEncoding uint16
	System         string
	Software       string
	DayOfYear      uint16
	Year           uint16
	Format         int  // of the points, 0 to 10
	Compressed     bool // the points are compressed as LASzip does
	RecordSize     int  // of an uncompressed point in bytes
	Points         int64
	Returns        [15]int64 // points by their number of return, from 1
	Scale, Offset  [3]float64
	Min, Max       [3]float64
	PointsStart    int64
	Records        []Record
	// Extended is the records after the points. Their data is not read, but well-known
	// text of a reference system, which is among Records too.
	Extended []Extended
}

// Record is a variable length record.
type Record struct {
	UserID      string
	ID          uint16
	Description string
	Data        []byte
}

// Extended says where a record after the points is.
type Extended struct {
	UserID      string
	ID          uint16
	Description string
	Start       int64 // of its data
	Size        int64
}

// sizes are the lengths of points by their format.
var sizes = [11]int{20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67}

// FormatSize returns the length of a point of a format, 0 to 10, without extra bytes.
func FormatSize(format int) int { return sizes[format] }

// Extra returns how many bytes each point has that its format does not define.
func (h *Header) Extra() int { return h.RecordSize - sizes[h.Format] }

// Created returns the day on which the file was made; false if the header lacks it.
func (h *Header) Created() (time.Time, bool) {
	if h.Year < 1900 || h.Year > 9999 || h.DayOfYear < 1 || h.DayOfYear > 366 {
		return time.Time{}, false
	}
	return time.Date(int(h.Year), 1, int(h.DayOfYear), 0, 0, 0, 0, time.UTC), true
}

// StandardTime reports whether times of points are seconds since 14 September 2011
// (GPS time minus 10^9), and not seconds of an unknown week.
func (h *Header) StandardTime() bool { return h.GlobalEncoding&1 != 0 }

// Find returns the data of a record; nil if there is none.
func (h *Header) Find(user string, id uint16) []byte {
	for _, r := range h.Records {
		if r.ID == id && r.UserID == user {
			return r.Data
		}
	}
	return nil
}

func text(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return strings.ToValidUTF8(string(b), "?")
}

// Read reads the header of a file of some length. Errors name the field, its value and
// its limit.
func Read(r io.ReaderAt, size int64) (*Header, error) {
	if size < headerSize {
		return nil, fmt.Errorf("file has %d bytes; a LAS header has at least %d", size, headerSize)
	}
	b := make([]byte, Header14Size)
	n, err := r.ReadAt(b[:min(size, Header14Size)], 0)
	if n < headerSize || err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("header: %w", err)
	}
	if string(b[:4]) != "LASF" {
		return nil, fmt.Errorf("signature is %q; a LAS file begins with %q", b[:4], "LASF")
	}
	h := &Header{
		SourceID: le.Uint16(b[4:]), GlobalEncoding: le.Uint16(b[6:]), Major: b[24], Minor: b[25],
		System: text(b[26:58]), Software: text(b[58:90]), DayOfYear: le.Uint16(b[90:]), Year: le.Uint16(b[92:]),
		PointsStart: int64(le.Uint32(b[96:])), Format: int(b[104] &^ (compressedBit | 1<<6)), Compressed: b[104]&compressedBit != 0,
		RecordSize: int(le.Uint16(b[105:])), Points: int64(le.Uint32(b[107:])),
	}
	for i := range 5 {
		h.Returns[i] = int64(le.Uint32(b[111+4*i:]))
	}
	float := func(at int) float64 { return math.Float64frombits(le.Uint64(b[at:])) }
	for i := range 3 {
		h.Scale[i], h.Offset[i] = float(131+8*i), float(155+8*i)
		h.Max[i], h.Min[i] = float(179+16*i), float(187+16*i)
	}
	own := int64(le.Uint16(b[94:]))
	if err := h.check(own, size); err != nil {
		return nil, err
	}
	if h.Minor >= 4 {
		if err := h.read14(b); err != nil {
			return nil, err
		}
	}
	if err := h.readRecords(r, own, le.Uint32(b[100:])); err != nil {
		return nil, err
	}
	if h.Minor >= 4 {
		return h, h.readExtended(r, size, int64(le.Uint64(b[235:])), le.Uint32(b[243:]))
	}
	return h, nil
}

// check refuses headers whose fields no file can have.
func (h *Header) check(own, size int64) error {
	least := int64(headerSize)
	switch h.Minor {
	case 3:
		least = header13Size
	case 4:
		least = Header14Size
	}
	switch {
	case h.Major != 1 || h.Minor > 4:
		return fmt.Errorf("version is %d.%d; versions 1.0 to 1.4 are supported", h.Major, h.Minor)
	case own < least || own > size:
		return fmt.Errorf("header size is %d; version 1.%d needs at least %d, and the file has %d bytes", own, h.Minor, least, size)
	case h.PointsStart < own || h.PointsStart > size:
		return fmt.Errorf("points start at byte %d; they must be between bytes %d and %d", h.PointsStart, own, size)
	case h.Format > 10:
		return fmt.Errorf("point format is %d; formats 0 to 10 are supported", h.Format)
	case h.RecordSize < sizes[h.Format] || h.RecordSize > MostPointBytes:
		return fmt.Errorf("point record length is %d; format %d needs at least %d, and the limit is %d", h.RecordSize, h.Format, sizes[h.Format], MostPointBytes)
	}
	for i, axis := range []string{"x", "y", "z"} {
		if s := h.Scale[i]; !(math.Abs(s) >= 1e-12 && math.Abs(s) <= 1e6) {
			return fmt.Errorf("scale of %s is %v; it must be between 1e-12 and 1e6", axis, s)
		}
		if o := h.Offset[i]; !(math.Abs(o) <= 1e12) {
			return fmt.Errorf("offset of %s is %v; it must be within 1e12", axis, o)
		}
	}
	return nil
}

// read14 reads what only version 1.4 has. The older counts are 0 in such files, or the same.
func (h *Header) read14(b []byte) error {
	if n := le.Uint64(b[247:]); n > 0 || h.Format >= 6 {
		if n > 1<<48 {
			return fmt.Errorf("number of points is %d; the limit is %d", n, uint64(1<<48))
		}
		h.Points = int64(n)
		for i := range h.Returns {
			h.Returns[i] = int64(le.Uint64(b[255+8*i:]))
		}
	}
	return nil
}

func (h *Header) readRecords(r io.ReaderAt, at int64, count uint32) error {
	if count > MostRecords {
		return fmt.Errorf("number of variable length records is %d; the limit is %d", count, MostRecords)
	}
	room := h.PointsStart - at
	if int64(count)*recordHead > room {
		return fmt.Errorf("number of variable length records is %d; the %d bytes before the points have room for %d", count, room, room/recordHead)
	}
	if room > MostRecordBytes {
		if count == 0 {
			return nil
		}
		return fmt.Errorf("variable length records have %d bytes; the limit is %d", room, MostRecordBytes)
	}
	b := make([]byte, room)
	if n, err := r.ReadAt(b, at); int64(n) < room {
		return fmt.Errorf("variable length records: %w", err)
	}
	for i := range count {
		if len(b) < recordHead {
			return fmt.Errorf("variable length record %d of %d begins %d bytes before the points; it needs %d", i, count, len(b), recordHead)
		}
		n := int(le.Uint16(b[20:]))
		if n > len(b)-recordHead {
			return fmt.Errorf("variable length record %d claims %d bytes; there are %d before the points", i, n, len(b)-recordHead)
		}
		h.Records = append(h.Records, Record{UserID: text(b[2:18]), ID: le.Uint16(b[18:]), Description: text(b[22:54]), Data: b[recordHead : recordHead+n]})
		b = b[recordHead+n:]
	}
	return nil
}

func (h *Header) readExtended(r io.ReaderAt, size, at int64, count uint32) error {
	if count == 0 {
		return nil
	}
	if count > MostRecords {
		return fmt.Errorf("number of extended records is %d; the limit is %d", count, MostRecords)
	}
	var b [extendedHead]byte
	for i := range count {
		if at < h.PointsStart || at > size-extendedHead {
			return fmt.Errorf("extended record %d is at byte %d; it must be between bytes %d and %d", i, at, h.PointsStart, size-extendedHead)
		}
		if _, err := r.ReadAt(b[:], at); err != nil {
			return fmt.Errorf("extended record %d: %w", i, err)
		}
		at += extendedHead
		n := le.Uint64(b[20:])
		if n > uint64(size-at) {
			return fmt.Errorf("extended record %d claims %d bytes; the file has %d after it", i, n, size-at)
		}
		e := Extended{text(b[2:18]), le.Uint16(b[18:]), text(b[28:60]), at, int64(n)}
		h.Extended = append(h.Extended, e)
		if e.UserID == projection && e.ID == wktRecord && n <= mostWKT {
			data := make([]byte, n)
			if _, err := r.ReadAt(data, at); err != nil {
				return fmt.Errorf("extended record %d: %w", i, err)
			}
			h.Records = append(h.Records, Record{e.UserID, e.ID, e.Description, data})
		}
		at += int64(n)
	}
	return nil
}
