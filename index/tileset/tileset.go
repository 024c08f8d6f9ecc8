// Package tileset reads and writes PMTiles version 3 archives: one file with a pyramid
// of map tiles, in the order of a Hilbert curve. The format is public:
// github.com/protomaps/PMTiles, spec/v3.
package tileset

import (
	"encoding/json"
	"time"

	"github.com/waygate/waygate/geo"
)

// SectionName and Version are those of the basemap's section in a region, a whole
// archive; the version is that of PMTiles.
const (
	SectionName = "basemap"
	Version     = 3
)

// MaxZoom is the deepest zoom an archive may hold: beyond it tile ids would
// leave the 53 bits that readers written in JavaScript can count in.
const MaxZoom = 26

// Compression is how bytes of an archive are compressed.
type Compression uint8

// The compressions, in the numbering of the format.
const (
	CompressionUnknown Compression = iota
	CompressionNone
	CompressionGzip
	CompressionBrotli
	CompressionZstd
)

func (c Compression) String() string {
	names := [...]string{"unknown", "none", "gzip", "brotli", "zstd"}
	if int(c) < len(names) {
		return names[c]
	}
	return "invalid"
}

// Type is the kind of a tile.
type Type uint8

// The tile types, in the numbering of the format.
const (
	TypeUnknown Type = iota
	TypeMVT
	TypePNG
	TypeJPEG
	TypeWebP
	TypeAVIF
)

// VectorLayer describes one layer of vector tiles by TileJSON 3.0: fields map an
// attribute's name to its type ("String", "Number", "Boolean").
type VectorLayer struct {
	ID          string            `json:"id"`
	Description string            `json:"description,omitempty"`
	MinZoom     int               `json:"minzoom"`
	MaxZoom     int               `json:"maxzoom"`
	Fields      map[string]string `json:"fields"`
}

// Metadata is the JSON document of an archive; keys it does not name are
// dropped on reading.
type Metadata struct {
	Name         string        `json:"name,omitempty"`
	Description  string        `json:"description,omitempty"`
	Attribution  string        `json:"attribution,omitempty"`
	Type         string        `json:"type,omitempty"` // baselayer or overlay
	Version      string        `json:"version,omitempty"`
	Encoding     string        `json:"encoding,omitempty"` // of heights in pixels: terrarium or mapbox
	VectorLayers []VectorLayer `json:"vector_layers"`
	Updated      time.Time     `json:"-"` // of the data in it, as Protomaps' builds record it; zero if not recorded

	// Our own members: west, south, east, north of the first view, and of each box
	// with land and sea in it.
	View  *[4]float64  `json:"view,omitempty"`
	Areas [][4]float64 `json:"areas,omitempty"`
}

// Header is the fixed part of an archive. Offsets are from the start of the
// file, lengths in bytes.
type Header struct {
	RootOffset, RootLength         uint64
	MetadataOffset, MetadataLength uint64
	LeavesOffset, LeavesLength     uint64
	TilesOffset, TilesLength       uint64

	Addressed uint64 // tiles that can be asked for; 0 where unknown
	Entries   uint64 // runs in the directories; 0 where unknown
	Contents  uint64 // different tiles; 0 where unknown

	Clustered           bool // tile data lies in the order of the ids
	InternalCompression Compression
	TileCompression     Compression
	TileType            Type
	MinZoom, MaxZoom    uint8
	Bounds              geo.Bounds
	CentreZoom          uint8
	Centre              geo.Point
}

// decodeMetadata is tolerant: real archives have members of slightly wrong types, and a
// map without its description is still a map.
func decodeMetadata(data []byte) (Metadata, error) {
	var raw map[string]json.RawMessage
	var m Metadata
	if err := json.Unmarshal(data, &raw); err != nil {
		return m, err
	}
	text := func(key string) string {
		var s string
		if json.Unmarshal(raw[key], &s) != nil {
			return ""
		}
		return s
	}
	m.Name, m.Description, m.Attribution = text("name"), text("description"), text("attribution")
	m.Type, m.Version = text("type"), text("version")
	m.Encoding = text("encoding")
	if at, err := time.Parse(time.RFC3339, text("planetiler:osm:osmosisreplicationtime")); err == nil {
		m.Updated = at
	}
	if json.Unmarshal(raw["view"], &m.View) != nil {
		m.View = nil
	}
	if json.Unmarshal(raw["areas"], &m.Areas) != nil {
		m.Areas = nil
	}
	if layers, ok := raw["vector_layers"]; ok {
		if err := json.Unmarshal(layers, &m.VectorLayers); err != nil {
			return m, err
		}
	}
	return m, nil
}
