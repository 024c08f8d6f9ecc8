// Package artefact reads and writes clearance artefacts.
//
// An artefact has what surveys measured on and above roads, in the cells of a square grid.
//
// A file is a preamble, the tiles, the index, its fences and the header, in this order.
// The preamble says where the others are. A tile has the cells of a square of TileCells by
// TileCells that are near roads. The index has an entry with a summary for each tile, in
// the order of Key, in pages of one size, and the fences are the first key of each page. So
// a reader needs the fences and the header in memory, one page for each tile's summary and
// one read for each tile. Everything has a CRC-32C.
//
// Coordinates are metres in the survey's own reference system, whose vertical is its own
// too; a headroom is a difference of heights of a survey, so the choice of the geoid does
// not matter to it.
package artefact

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"time"

	"github.com/waygate/waygate/feature/coordinates"
)

// Version is of the format.
const Version = 1

const (
	magic        = "WGCLEAR\n"
	preambleSize = 64
	entrySize    = 64
	pageEntries  = 63 // and room for a checksum
	pageSize     = (pageEntries + 1) * entrySize
	fenceSize    = 8
)

// Bounds of a file.
const (
	// MostTiles bounds the tiles of a file, and with it the fences in memory.
	MostTiles = 8 << 20
	// MostHeader bounds the bytes of the header.
	MostHeader = 4 << 20
)

var (
	le    = binary.LittleEndian
	table = crc32.MakeTable(crc32.Castagnoli)
)

// Header has the facts that hold for all cells of a file.
type Header struct {
	Version  int    `json:"version"`
	EPSG     int    `json:"crs_epsg"`       // of the horizontal system, in metres
	Vertical string `json:"vertical_datum"` // such as "EPSG:5701 ODN height"
	From     string `json:"from"`           // first day of the surveys, ISO 8601
	To       string `json:"to"`             // last day of the surveys
	Grid     Grid   `json:"grid"`
	// Ceiling in metres above the road is how far up the surveys were read. A cell with
	// nothing overhead has nothing below the ceiling, and says nothing about what is higher.
	Ceiling float64 `json:"ceiling_m"`
	// Least is the height in metres above the road from which on returns are overhead, and
	// below which they are obstacles on the road.
	Least float64 `json:"least_m"`
	// LeastObject is the diameter in metres of the thinnest straight object that is not
	// missed in cells that are Dense.
	LeastObject float64 `json:"least_object_m"`
	// PositionAccuracy in metres is how far a place in WGS 84 may be from its projection.
	PositionAccuracy float64  `json:"position_accuracy_m"`
	Sources          []Source `json:"sources"`
	QA               QA       `json:"qa"`
	Tool             string   `json:"tool"` // version of the program that wrote the file
}

// Grid is where the cells are.
type Grid struct {
	OriginX float64 `json:"origin_x"`
	OriginY float64 `json:"origin_y"`
	Cell    float64 `json:"cell_size_m"`
	// Extent of the tiles in the file.
	MinX float64 `json:"min_x"`
	MinY float64 `json:"min_y"`
	MaxX float64 `json:"max_x"`
	MaxY float64 `json:"max_y"`
}

// Source is a file that was read.
type Source struct {
	Name   string `json:"name"` // without its folder
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	Kind   string `json:"kind"`  // "cloud" or "table"
	Count  int64  `json:"count"` // points or rows
	From   string `json:"from"`  // days of the survey
	To     string `json:"to"`
	// View is from where a cloud was measured: "below" (from the road), "above" (from the
	// air) or "unknown". Undersides are only believed from below.
	View string `json:"view,omitempty"`
}

// QA are figures of quality over the whole file.
type QA struct {
	Points        int64   `json:"points_read"`
	Used          int64   `json:"points_used"`     // near roads and below the ceiling
	Withheld      int64   `json:"points_withheld"` // or classified as noise by the survey: they are unexplained where they are overhead
	Cells         int64   `json:"cells"`           // near roads
	Surveyed      int64   `json:"cells_surveyed"`  // with a road surface
	Dense         int64   `json:"cells_dense"`
	Overhead      int64   `json:"cells_overhead"`
	Insufficient  int64   `json:"cells_insufficient"`
	Isolated      int64   `json:"returns_isolated"` // overhead returns that nothing supports
	MedianDensity float64 `json:"median_density"`   // road returns a square metre
	SurfaceRMS    float64 `json:"surface_rms_m"`    // of road returns about their planes
}

// SurveyDates returns the days as from/to.
func (h *Header) SurveyDates() string { return h.From + "/" + h.To }

// check refuses headers that no file can have.
func (h *Header) check() error {
	g := h.Grid
	switch {
	case h.Version != Version:
		return fmt.Errorf("version is %d; this program reads version %d", h.Version, Version)
	case !(g.Cell >= 0.05 && g.Cell <= 2):
		return fmt.Errorf("cell_size_m is %v; it must be from 0.05 to 2", g.Cell)
	case !(math.Abs(g.OriginX) < 1e8 && math.Abs(g.OriginY) < 1e8):
		return fmt.Errorf("origin of the grid is %v, %v; both must be within 1e8", g.OriginX, g.OriginY)
	case h.Vertical == "":
		return errors.New("vertical_datum is missing")
	case !(h.Ceiling > 0 && h.Ceiling <= MostHeadroom):
		return fmt.Errorf("ceiling_m is %v; it must be above 0 and at most %v", h.Ceiling, MostHeadroom)
	case !(h.Least > 0 && h.Least < h.Ceiling):
		return fmt.Errorf("least_m is %v; it must be above 0 and below ceiling_m", h.Least)
	case !(h.LeastObject > 0 && h.LeastObject <= 10):
		return fmt.Errorf("least_object_m is %v; it must be above 0 and at most 10", h.LeastObject)
	case !(h.PositionAccuracy >= 0 && h.PositionAccuracy <= 100):
		return fmt.Errorf("position_accuracy_m is %v; it must be from 0 to 100", h.PositionAccuracy)
	case len(h.Sources) > MostSources:
		return fmt.Errorf("there are %d sources; the limit is %d", len(h.Sources), MostSources)
	}
	from, err := time.Parse(time.DateOnly, h.From)
	if err != nil {
		return fmt.Errorf("from is %.20q; it must be a day such as 2025-03-31", h.From)
	}
	if to, err := time.Parse(time.DateOnly, h.To); err != nil || to.Before(from) {
		return fmt.Errorf("to is %.20q; it must be a day not before %s", h.To, h.From)
	}
	return nil
}

// MostSources bounds the sources of a file.
const MostSources = 1 << 14

// CellAt returns the column and the row of the cell at a position.
func (g *Grid) CellAt(x, y float64) (column, row int) {
	return int(math.Floor((x - g.OriginX) / g.Cell)), int(math.Floor((y - g.OriginY) / g.Cell))
}

// Centre returns the position of the centre of a cell.
func (g *Grid) Centre(column, row int) (x, y float64) {
	return g.OriginX + (float64(column)+0.5)*g.Cell, g.OriginY + (float64(row)+0.5)*g.Cell
}

// File is an open artefact. It may be used by several goroutines.
type File struct {
	Header Header
	// Tiles is how many there are.
	Tiles int
	r     io.ReaderAt
	index int64
	end   int64 // of the tiles
	// fences are the first keys of the index's pages.
	fences []Key
	plane  *coordinates.Plane
}

// Open reads the header and the fences of a file of some length. Errors name what is
// wrong, its value and its limit.
func Open(r io.ReaderAt, size int64) (*File, error) {
	var p [preambleSize]byte
	if size < preambleSize {
		return nil, fmt.Errorf("file has %d bytes; an artefact has at least %d", size, preambleSize)
	}
	if _, err := r.ReadAt(p[:], 0); err != nil {
		return nil, err
	}
	if string(p[:8]) != magic {
		return nil, errors.New("file is not a clearance artefact: its first bytes are others")
	}
	if crc32.Checksum(p[:60], table) != le.Uint32(p[60:]) {
		return nil, errors.New("preamble is damaged: its checksum is another; the file may not be complete")
	}
	if v := le.Uint32(p[8:]); v != Version {
		return nil, fmt.Errorf("version is %d; this program reads version %d", v, Version)
	}
	f := &File{r: r, index: int64(le.Uint64(p[16:])), Tiles: int(le.Uint32(p[24:]))}
	headerAt, headerSize := int64(le.Uint64(p[32:])), int64(le.Uint32(p[28:]))
	pages := (int64(f.Tiles) + pageEntries - 1) / pageEntries
	fencesAt := f.index + pages*pageSize
	if f.Tiles > MostTiles || headerSize > MostHeader || f.index < preambleSize || f.index > size ||
		headerAt != fencesAt+pages*fenceSize || headerAt+headerSize != size {
		return nil, fmt.Errorf("preamble claims %d tiles, an index at byte %d and %d bytes of header at byte %d, which is not how %d bytes are divided",
			f.Tiles, f.index, headerSize, headerAt, size)
	}
	f.end = f.index
	fences, err := readChecked(r, fencesAt, pages*fenceSize, le.Uint32(p[44:]), "fences of the index")
	if err != nil {
		return nil, err
	}
	for ; len(fences) > 0; fences = fences[fenceSize:] {
		k := Key(le.Uint64(fences))
		if n := len(f.fences); n > 0 && k <= f.fences[n-1] {
			return nil, errors.New("fences of the index are not in their order")
		}
		f.fences = append(f.fences, k)
	}
	header, err := readChecked(r, headerAt, headerSize, le.Uint32(p[40:]), "header")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(header, &f.Header); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if err := f.Header.check(); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	f.plane, err = coordinates.PlaneOf(f.Header.EPSG)
	if err != nil {
		return nil, fmt.Errorf("header: crs_epsg: %w", err)
	}
	return f, nil
}

func readChecked(r io.ReaderAt, at, size int64, sum uint32, what string) ([]byte, error) {
	b := make([]byte, size)
	if size > 0 {
		if _, err := r.ReadAt(b, at); err != nil {
			return nil, fmt.Errorf("%s at byte %d: %w", what, at, err)
		}
	}
	if crc32.Checksum(b, table) != sum {
		return nil, fmt.Errorf("%s at byte %d: its checksum is another", what, at)
	}
	return b, nil
}

// Project returns the position in the survey's system of a place in degrees of WGS 84. The
// error says that the place is outside of the system's domain.
func (f *File) Project(lat, lon float64) (x, y float64, err error) { return f.plane.Project(lat, lon) }

// Unproject returns the place in degrees of WGS 84 of a position.
func (f *File) Unproject(x, y float64) (lat, lon float64, err error) { return f.plane.Unproject(x, y) }
