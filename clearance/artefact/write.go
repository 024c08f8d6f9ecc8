package artefact

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
)

// Writer writes a file. Tiles come in any order. It keeps 64 bytes for each in memory.
type Writer struct {
	w       io.WriterAt
	at      int64
	entries []Entry
	buffer  []byte
}

// NewWriter starts a file, which is not valid before Close.
func NewWriter(w io.WriterAt) *Writer { return &Writer{w: w, at: preambleSize} }

// Add writes a tile. cells are those of a square in rows from the south, columns from the
// west; nil where the tile has none. A tile without any cell is not written.
func (w *Writer) Add(level, tx, ty int, cells *[TileCells * TileCells]*Cell) error {
	k, ok := KeyOf(level, tx, ty)
	if !ok {
		return fmt.Errorf("tile %d/%d/%d is outside of the grid", level, tx, ty)
	}
	if len(w.entries) >= MostTiles {
		return fmt.Errorf("there are more than %d tiles", MostTiles)
	}
	w.buffer = append(w.buffer[:0], make([]byte, bitmapSize)...)
	for i, c := range cells {
		if c != nil {
			w.buffer[i/8] |= 1 << (i % 8)
			w.buffer = c.append(w.buffer)
		}
	}
	if len(w.buffer) == bitmapSize {
		return nil
	}
	t, err := newTile(k, w.buffer)
	if err != nil {
		return err
	}
	e := Entry{Key: k, offset: w.at, size: uint32(len(w.buffer)), sum: sum(w.buffer)}
	e.summarise(t)
	w.entries = append(w.entries, e)
	return w.write(w.buffer)
}

func (w *Writer) write(b []byte) error {
	_, err := w.w.WriteAt(b, w.at)
	w.at += int64(len(b))
	return err
}

// Close writes the index, the header and the preamble. It fills in the version and the
// extent of the grid. The error names a tile that was added twice, and what a header may
// not have.
func (w *Writer) Close(h *Header) error {
	slices.SortFunc(w.entries, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	h.Version = Version
	g := &h.Grid
	g.MinX, g.MinY, g.MaxX, g.MaxY = 0, 0, 0, 0
	for i, e := range w.entries {
		if i > 0 && e.Key == w.entries[i-1].Key {
			return fmt.Errorf("tile %d/%d/%d was added twice", e.Key.Level(), e.Key.X(), e.Key.Y())
		}
		edge := g.Cell * TileCells
		x, y := g.OriginX+float64(e.Key.X())*edge, g.OriginY+float64(e.Key.Y())*edge
		if i == 0 {
			g.MinX, g.MinY, g.MaxX, g.MaxY = x, y, x+edge, y+edge
		}
		g.MinX, g.MinY, g.MaxX, g.MaxY = min(g.MinX, x), min(g.MinY, y), max(g.MaxX, x+edge), max(g.MaxY, y+edge)
	}
	if err := h.check(); err != nil {
		return err
	}
	index := w.at
	var fences []byte
	for rest := w.entries; len(rest) > 0; {
		n := min(pageEntries, len(rest))
		page := make([]byte, 0, pageSize)
		for _, e := range rest[:n] {
			page = e.append(page)
		}
		fences = le.AppendUint64(fences, uint64(rest[0].Key))
		page = append(page, make([]byte, pageSize-len(page))...)
		const body = pageSize - 4
		le.PutUint32(page[body:], sum(page[:body]))
		if err := w.write(page); err != nil {
			return err
		}
		rest = rest[n:]
	}
	if err := w.write(fences); err != nil {
		return err
	}
	header, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if len(header) > MostHeader {
		return fmt.Errorf("header has %d bytes; the limit is %d", len(header), MostHeader)
	}
	headerAt := w.at
	if err := w.write(header); err != nil {
		return err
	}
	p := make([]byte, 0, preambleSize)
	p = append(p, magic...)
	p = le.AppendUint64(p, Version)
	p = le.AppendUint64(p, uint64(index))
	p = le.AppendUint32(le.AppendUint32(p, uint32(len(w.entries))), uint32(len(header)))
	p = le.AppendUint64(p, uint64(headerAt))
	p = le.AppendUint32(le.AppendUint32(p, sum(header)), sum(fences))
	p = append(p, make([]byte, 60-len(p))...)
	p = le.AppendUint32(p, sum(p))
	_, err = w.w.WriteAt(p, 0)
	return err
}

// NewCell returns a cell of which nothing is known.
func NewCell() Cell { return Cell{Surface: math.NaN(), Headroom: math.Inf(1), Gap: math.Inf(1)} }
