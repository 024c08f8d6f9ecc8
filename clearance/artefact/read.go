package artefact

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Reader reads tiles and keeps the last few. It is for one goroutine at a time.
type Reader struct {
	f     *File
	pages map[int][]Entry
	tiles map[Key]*Tile
}

// What a reader keeps: at most 64 pages and 64 tiles, together below 2.5 MB.
const (
	mostPages = 64
	keptTiles = 64
)

// Reader returns a reader of the file's tiles.
func (f *File) Reader() *Reader {
	return &Reader{f: f, pages: map[int][]Entry{}, tiles: map[Key]*Tile{}}
}

// page reads the entries of a page of the index.
func (f *File) page(i int) ([]Entry, error) {
	b := make([]byte, pageSize)
	at := f.index + int64(i)*pageSize
	if _, err := f.r.ReadAt(b, at); err != nil {
		return nil, fmt.Errorf("page of the index at byte %d: %w", at, err)
	}
	const body = pageSize - 4
	if sum(b[:body]) != le.Uint32(b[body:]) {
		return nil, fmt.Errorf("page of the index at byte %d: its checksum is another", at)
	}
	n := min(pageEntries, f.Tiles-i*pageEntries)
	all := make([]Entry, n)
	for j := range all {
		var err error
		if all[j], err = f.readEntry(b[j*entrySize:]); err != nil {
			return nil, err
		}
		if j > 0 && all[j].Key <= all[j-1].Key || j == 0 && all[j].Key != f.fences[i] {
			return nil, fmt.Errorf("page of the index at byte %d: its tiles are not in their order", at)
		}
	}
	return all, nil
}

func (r *Reader) page(i int) ([]Entry, error) {
	if p, ok := r.pages[i]; ok {
		return p, nil
	}
	p, err := r.f.page(i)
	if err != nil {
		return nil, err
	}
	if len(r.pages) >= mostPages {
		clear(r.pages)
	}
	r.pages[i] = p
	return p, nil
}

// Entry returns the summary of a tile; ok is false if the file has no such tile.
func (r *Reader) Entry(level, tx, ty int) (e Entry, ok bool, err error) {
	k, ok := KeyOf(level, tx, ty)
	if !ok {
		return e, false, nil
	}
	i, found := slices.BinarySearch(r.f.fences, k)
	if !found {
		i--
	}
	if i < 0 {
		return e, false, nil
	}
	p, err := r.page(i)
	if err != nil {
		return e, false, err
	}
	j, found := slices.BinarySearchFunc(p, k, func(e Entry, k Key) int {
		if e.Key < k {
			return -1
		}
		return int(min(1, e.Key-k))
	})
	if !found {
		return e, false, nil
	}
	return p[j], true, nil
}

// Tile returns a tile; ok is false if the file has no such tile.
func (r *Reader) Tile(level, tx, ty int) (t *Tile, ok bool, err error) {
	k, ok := KeyOf(level, tx, ty)
	if !ok {
		return nil, false, nil
	}
	if t := r.tiles[k]; t != nil {
		return t, true, nil
	}
	e, ok, err := r.Entry(level, tx, ty)
	if err != nil || !ok {
		return nil, false, err
	}
	t, err = r.f.tile(&e)
	if err != nil {
		return nil, false, err
	}
	if len(r.tiles) >= keptTiles {
		clear(r.tiles)
	}
	r.tiles[k] = t
	return t, true, nil
}

func (f *File) tile(e *Entry) (*Tile, error) {
	data, err := readChecked(f.r, e.offset, int64(e.size), e.sum, fmt.Sprintf("tile %d/%d/%d", e.Key.Level(), e.Key.X(), e.Key.Y()))
	if err != nil {
		return nil, err
	}
	t, err := newTile(e.Key, data)
	if err != nil {
		return nil, fmt.Errorf("tile %d/%d/%d at byte %d: %w", e.Key.Level(), e.Key.X(), e.Key.Y(), e.offset, err)
	}
	return t, nil
}

// At returns the cell of a level at a position of the survey's system; ok is false if the
// file has no cell there, because no road is near.
func (r *Reader) At(level int, x, y float64) (c Cell, ok bool, err error) {
	if !(math.Abs(x) < 1e9 && math.Abs(y) < 1e9) {
		return c, false, nil
	}
	column, row := r.f.Header.Grid.CellAt(x, y)
	return r.Cell(level, column, row)
}

// Cell returns the cell of a level in a column and a row of the grid.
func (r *Reader) Cell(level, column, row int) (c Cell, ok bool, err error) {
	const shift = 5 // of TileCells
	t, ok, err := r.Tile(level, column>>shift, row>>shift)
	if err != nil || !ok {
		return c, false, err
	}
	c, ok = t.Cell(column&(TileCells-1), row&(TileCells-1))
	return c, ok, nil
}

// Each passes all tiles in the order of their keys, until the function or the context ends
// it.
func (f *File) Each(ctx context.Context, pass func(Entry, *Tile) error) error {
	for i := range f.fences {
		p, err := f.page(i)
		if err != nil {
			return err
		}
		for j := range p {
			if err := ctx.Err(); err != nil {
				return err
			}
			t, err := f.tile(&p[j])
			if err != nil {
				return err
			}
			if err := pass(p[j], t); err != nil {
				return err
			}
		}
	}
	return nil
}

// Verify reads everything and checks it: the checksums, the order of the tiles, that their
// summaries are right, and that cells are within their ranges. progress is called with the
// tiles checked so far.
func (f *File) Verify(ctx context.Context, progress func(done, total int)) error {
	done := 0
	last, cells := Key(0), int64(0)
	err := f.Each(ctx, func(e Entry, t *Tile) error {
		if done > 0 && e.Key <= last {
			return fmt.Errorf("tile %d/%d/%d is not in its order", e.Key.Level(), e.Key.X(), e.Key.Y())
		}
		last = e.Key
		want := Entry{Key: e.Key, offset: e.offset, size: e.size, sum: e.sum}
		want.summarise(t)
		if a, b := string(want.append(nil)), string(e.append(nil)); a != b {
			return fmt.Errorf("tile %d/%d/%d: the index summarises it wrongly", e.Key.Level(), e.Key.X(), e.Key.Y())
		}
		for row := range TileCells {
			for column := range TileCells {
				if c, ok := t.Cell(column, row); ok {
					cells++
					if err := f.checkCell(&c); err != nil {
						return fmt.Errorf("tile %d/%d/%d, column %d, row %d: %w", e.Key.Level(), e.Key.X(), e.Key.Y(), column, row, err)
					}
				}
			}
		}
		done++
		progress(done, f.Tiles)
		return nil
	})
	if err == nil && cells != f.Header.QA.Cells {
		err = fmt.Errorf("there are %d cells; the header claims %d", cells, f.Header.QA.Cells)
	}
	return err
}

func (f *File) checkCell(c *Cell) error {
	switch nothing := math.IsInf(c.Headroom, 1); {
	case c.Kind > Unexplained:
		return fmt.Errorf("kind is %d; the limit is %d", c.Kind, Unexplained)
	case (c.Kind == Nothing) != nothing:
		return fmt.Errorf("kind is %s with a headroom of %v", c.Kind, c.Headroom)
	case !nothing && c.Headroom > f.Header.Ceiling && c.Flags&Tabled == 0:
		return fmt.Errorf("headroom is %v; the ceiling is %v", c.Headroom, f.Header.Ceiling)
	case math.IsNaN(c.Surface) == (c.Flags&Surveyed != 0):
		return fmt.Errorf("surface is %v with the flags %d", c.Surface, c.Flags)
	case c.ObstacleFrom > c.ObstacleTo:
		return fmt.Errorf("obstacle is from %v to %v", c.ObstacleFrom, c.ObstacleTo)
	}
	return nil
}
