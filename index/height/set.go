package height

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
)

// Set is a list of sources of heights; the first that has the height of a place counts.
type Set struct{ sources []source }

// source is all files of one kind in one place.
type source interface {
	// find returns the key of the piece that a place lies on; not ok if the source
	// does not reach there.
	find(p geo.Point) (k [3]int32, ok bool)
	// open reads a piece; nil if there turns out to be none.
	open(k [3]int32) (piece, error)
	// height returns the height of a place, not ok if it is unknown.
	height(c *cursor, p geo.Point) (metres float64, ok bool, err error)
	// files returns the files with heights in a square of a degree.
	files(c Corner) []string
	// weight returns what a piece counts in memory and of MostTiles, at most: 1 is the
	// largest SRTM tile.
	weight() float64
}

// piece is a part of a source in memory: a *Tile, pixels or a *terrainTile.
type piece any

// weightOf returns the weight of so many bytes.
func weightOf(bytes int) float64 { return float64(bytes) / float64(bytesOf(ArcSecond)) }

// squares are the files of SRTM tiles, by their corners.
type squares map[Corner]string

func (s squares) find(p geo.Point) (k [3]int32, ok bool) {
	c := CornerOf(p)
	return [3]int32{int32(c.Lat), int32(c.Lon)}, s[c] != ""
}

func (s squares) open(k [3]int32) (piece, error) {
	c := Corner{int(k[0]), int(k[1])}
	return Open(s[c], c)
}

func (s squares) height(c *cursor, p geo.Point) (metres float64, ok bool, err error) {
	k, ok := s.find(p)
	if !ok {
		return 0, false, nil
	}
	t, err := c.piece(s, k)
	if err != nil {
		return 0, false, err
	}
	metres, ok = t.(*Tile).Height(p)
	return metres, ok, nil
}

func (s squares) files(c Corner) []string {
	if s[c] == "" {
		return nil
	}
	return []string{s[c]}
}

func (s squares) weight() float64 { return 1 }

// wanted names the accepted files of heights, for errors.
const wanted = "want SRTM files named like N51W003.hgt, .hgt.gz or .hgt.zip, GeoTIFF (.tif, .tiff) or terrain tiles (.pmtiles)"

// Find looks for heights in folders, at any depth, and in files. SRTM tiles are
// recognised by their names. If several sources have a place, the one named first
// counts; within a folder SRTM comes before GeoTIFF before archives, and of SRTM tiles
// the file that is fastest to read. GeoTIFF files and archives are read as far as
// needed to find where they lie; a damaged one is an error.
func Find(places ...string) (*Set, error) {
	s := &Set{}
	for _, place := range places {
		info, err := os.Stat(place)
		if err != nil {
			return nil, fmt.Errorf("heights: %w", err)
		}
		f := found{squares: squares{}, mosaic: &mosaic{on: map[Corner][]int32{}}, folder: info.IsDir()}
		if info.IsDir() {
			err = filepath.WalkDir(place, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				return f.add(path)
			})
		} else {
			err = f.add(place)
		}
		if err != nil {
			return nil, err
		}
		list := f.sources()
		switch {
		case len(list) > 0:
			s.sources = append(s.sources, list...)
		case f.folder:
			return nil, fmt.Errorf("heights: no tile in folder %s: %s", place, wanted)
		default:
			return nil, fmt.Errorf("heights: file %s: %s", place, wanted)
		}
	}
	return s, nil
}

// found is a file or folder of heights that was found.
type found struct {
	squares  squares
	mosaic   *mosaic
	archives []source
	folder   bool
}

// add adds a file; a file of another kind is ignored.
func (f *found) add(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".tif", ".tiff":
		return f.mosaic.add(path)
	case ".pmtiles":
		a, err := openArchive(path)
		if f.folder && errors.Is(err, errVector) {
			return nil // a map, not heights
		}
		if err == nil {
			f.archives = append(f.archives, a)
		}
		return err
	}
	kind, ok := ending(path)
	c, named := ParseName(path)
	if !ok || !named {
		return nil
	}
	if have, taken := f.squares[c]; taken {
		if before, _ := ending(have); before <= kind {
			return nil
		}
	}
	f.squares[c] = path
	return nil
}

func (f *found) sources() (list []source) {
	if len(f.squares) > 0 {
		list = append(list, f.squares)
	}
	if len(f.mosaic.grids) > 0 {
		list = append(list, f.mosaic)
	}
	return append(list, f.archives...)
}

// Files returns the files that may have heights in a square of a degree, in the order
// in which they count.
func (s *Set) Files(c Corner) []string {
	var list []string
	for _, source := range s.sources {
		for _, path := range source.files(c) {
			if !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	return list
}

// Reader returns heights of one place after another, fastest if neighbouring places
// follow each other. It is for one goroutine.
type Reader struct{ cursor cursor }

// NewReader returns a reader of a set.
func NewReader(s *Set) *Reader {
	return &Reader{cursor{ctx: context.Background(), shared: NewShared(s)}}
}

// Height returns the height in metres of a place; not ok if the set does not have it.
// An error names the file.
func (r *Reader) Height(p geo.Point) (metres float64, ok bool, err error) {
	for i := range r.cursor.shared.set.sources {
		r.cursor.source = int32(i)
		if metres, ok, err = r.cursor.shared.set.sources[i].height(&r.cursor, p); ok || err != nil {
			return metres, ok, err
		}
	}
	return 0, false, nil
}
