package tileset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/waygate/waygate/geo"
)

const (
	magic      = "PMTiles"
	version    = 3
	headerSize = 127
	// rootLimit is the size of header and root directory together, so that one read of
	// this size always contains the whole root.
	rootLimit = 16384
)

// parseHeader reads and checks the fixed part of an archive of size bytes.
func parseHeader(b []byte, size uint64) (Header, error) {
	var h Header
	if err := checkMagic(b); err != nil {
		return h, err
	}
	if len(b) < headerSize {
		return h, fmt.Errorf("cut short: %d bytes, a header has %d", len(b), headerSize)
	}
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	degrees := func(at int) float64 { return float64(int32(binary.LittleEndian.Uint32(b[at:]))) / 1e7 }
	h = Header{
		RootOffset: u64(8), RootLength: u64(16),
		MetadataOffset: u64(24), MetadataLength: u64(32),
		LeavesOffset: u64(40), LeavesLength: u64(48),
		TilesOffset: u64(56), TilesLength: u64(64),
		Addressed: u64(72), Entries: u64(80), Contents: u64(88),
		Clustered:           b[96] == 1,
		InternalCompression: Compression(b[97]),
		TileCompression:     Compression(b[98]),
		TileType:            Type(b[99]),
		MinZoom:             b[100],
		MaxZoom:             b[101],
		Bounds: geo.Bounds{
			Min: geo.Point{Lon: degrees(102), Lat: degrees(106)},
			Max: geo.Point{Lon: degrees(110), Lat: degrees(114)},
		},
		CentreZoom: b[118],
		Centre:     geo.Point{Lon: degrees(119), Lat: degrees(123)},
	}
	return h, h.check(size)
}

// checkMagic refuses archives of other versions, and other files.
func checkMagic(b []byte) error {
	if len(b) >= 8 && string(b[:7]) == magic {
		if b[7] != version {
			return fmt.Errorf("is PMTiles version %d, only version %d is read", b[7], version)
		}
		return nil
	}
	// Versions 1 and 2 start with "PM" and a 16-bit number.
	if len(b) >= 4 && string(b[:2]) == "PM" {
		if v := binary.LittleEndian.Uint16(b[2:]); v == 1 || v == 2 {
			return fmt.Errorf("is PMTiles version %d, only version %d is read (convert it with the pmtiles tool)", v, version)
		}
	}
	if len(b) < 8 {
		return fmt.Errorf("cut short: %d bytes, a header has %d", len(b), headerSize)
	}
	return errors.New("is no PMTiles archive: it does not start with \"PMTiles\"")
}

func (h *Header) check(size uint64) error {
	sections := []struct {
		name           string
		offset, length uint64
	}{
		{"root directory", h.RootOffset, h.RootLength},
		{"metadata", h.MetadataOffset, h.MetadataLength},
		{"leaf directories", h.LeavesOffset, h.LeavesLength},
		{"tile data", h.TilesOffset, h.TilesLength},
	}
	for _, s := range sections {
		if s.length > size || s.offset > size-s.length {
			return fmt.Errorf("cut short or corrupt: its %s of %d bytes at %d ends past the file's %d bytes", s.name, s.length, s.offset, size)
		}
	}
	switch {
	case h.RootLength == 0:
		return errors.New("corrupt: its root directory is empty")
	case h.InternalCompression != CompressionNone && h.InternalCompression != CompressionGzip:
		return fmt.Errorf("its directories are packed with %s (%d), only gzip and none are read", h.InternalCompression, h.InternalCompression)
	case h.MinZoom > h.MaxZoom || h.MaxZoom > MaxZoom:
		return fmt.Errorf("corrupt: zooms %d to %d, expected 0 <= min <= max <= %d", h.MinZoom, h.MaxZoom, MaxZoom)
	}
	return nil
}

// appendHeader appends the fixed part.
func appendHeader(b []byte, h Header) []byte {
	le := binary.LittleEndian
	b = append(b, magic...)
	b = append(b, version)
	for _, v := range []uint64{
		h.RootOffset, h.RootLength, h.MetadataOffset, h.MetadataLength,
		h.LeavesOffset, h.LeavesLength, h.TilesOffset, h.TilesLength,
		h.Addressed, h.Entries, h.Contents,
	} {
		b = le.AppendUint64(b, v)
	}
	clustered := byte(0)
	if h.Clustered {
		clustered = 1
	}
	b = append(b, clustered, byte(h.InternalCompression), byte(h.TileCompression), byte(h.TileType), h.MinZoom, h.MaxZoom)
	degrees := func(v float64) { b = le.AppendUint32(b, uint32(int32(math.Round(v*1e7)))) }
	degrees(h.Bounds.Min.Lon)
	degrees(h.Bounds.Min.Lat)
	degrees(h.Bounds.Max.Lon)
	degrees(h.Bounds.Max.Lat)
	b = append(b, h.CentreZoom)
	degrees(h.Centre.Lon)
	degrees(h.Centre.Lat)
	return b
}
