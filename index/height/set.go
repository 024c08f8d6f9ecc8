package height

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/waygate/waygate/geo"
)

// Set knows the files of tiles by their corners.
type Set struct{ files map[Corner]string }

// Find looks for tiles: in folders and what lies below them, by the names of
// files, and in files. Where several files hold one tile, the one named first
// counts; of those in one folder, the one that is read fastest.
func Find(places ...string) (*Set, error) {
	s := &Set{files: map[Corner]string{}}
	for _, place := range places {
		info, err := os.Stat(place)
		if err != nil {
			return nil, fmt.Errorf("heights: %w", err)
		}
		found := map[Corner]string{}
		if info.IsDir() {
			if err := walk(place, found); err != nil {
				return nil, fmt.Errorf("heights: %w", err)
			}
			if len(found) == 0 {
				return nil, fmt.Errorf("heights: no tile in folder %s: want files named like N51W003.hgt, .hgt.gz or .hgt.zip", place)
			}
		} else {
			c, named := ParseName(place)
			if _, ok := ending(place); !ok || !named {
				return nil, fmt.Errorf("heights: file %s: want one named like N51W003.hgt, .hgt.gz or .hgt.zip", place)
			}
			found[c] = place
		}
		for c, file := range found {
			if _, have := s.files[c]; !have {
				s.files[c] = file
			}
		}
	}
	return s, nil
}

func walk(dir string, found map[Corner]string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		kind, ok := ending(path)
		c, named := ParseName(path)
		if !ok || !named {
			return nil
		}
		if have, taken := found[c]; taken {
			if before, _ := ending(have); before <= kind {
				return nil
			}
		}
		found[c] = path
		return nil
	})
}

// File is the file of a tile, "" where the set has none.
func (s *Set) File(c Corner) string { return s.files[c] }

// Reader gives heights of one place after the other from the tiles of a set, so
// places in an order that stays near itself are read fastest. It is for one
// goroutine.
type Reader struct {
	shared *Shared
	any    bool // whether a place was asked for
	corner Corner
	tile   *Tile // of the place asked for last; nil where the set has none
}

// NewReader gives a reader of a set.
func NewReader(s *Set) *Reader { return &Reader{shared: NewShared(s)} }

// Height is the height in metres of a place; not ok where the set has no tile
// of it or the tile a void. An error names the tile's file.
func (r *Reader) Height(p geo.Point) (metres float64, ok bool, err error) {
	if c := CornerOf(p); !r.any || r.corner != c {
		r.any, r.tile = false, nil
		if r.tile, err = r.shared.tile(context.Background(), c); err != nil {
			return 0, false, err
		}
		r.any, r.corner = true, c
	}
	if r.tile == nil {
		return 0, false, nil
	}
	metres, ok = r.tile.Height(p)
	return metres, ok, nil
}
