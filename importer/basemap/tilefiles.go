package basemap

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/waygate/waygate/index/tileset"
)

// tileFiles store packed tiles by their zoom, in the order in which they come.
type tileFiles struct {
	path  string // what their names begin with
	zooms map[int]*tileFile
}

type tileFile struct {
	*os.File
	to *bufio.Writer
}

func newTileFiles(path string) *tileFiles { return &tileFiles{path, map[int]*tileFile{}} }

// Close deletes the files.
func (t *tileFiles) Close() (err error) {
	for _, f := range t.zooms {
		err = errors.Join(err, f.File.Close(), os.Remove(f.Name()))
	}
	return err
}

// add appends a tile to the file of its zoom.
func (t *tileFiles) add(zoom, x, y int, packed []byte) error {
	f := t.zooms[zoom]
	if f == nil {
		made, err := os.Create(fmt.Sprint(t.path, ".tiles-", zoom))
		if err != nil {
			return err
		}
		f = &tileFile{made, bufio.NewWriterSize(made, 1<<20)}
		t.zooms[zoom] = f
	}
	head := binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(x)), uint64(y)), uint64(len(packed)))
	_, _ = f.to.Write(head) // whose error the next one gives too
	_, err := f.to.Write(packed)
	return err
}

// addTo adds all tiles to an archive.
func (t *tileFiles) addTo(ctx context.Context, w *tileset.Writer) error {
	for _, zoom := range slices.Sorted(maps.Keys(t.zooms)) {
		f := t.zooms[zoom]
		if err := f.to.Flush(); err != nil {
			return err
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := addTiles(ctx, w, zoom, bufio.NewReaderSize(f, 1<<20)); err != nil {
			return err
		}
	}
	return nil
}

func addTiles(ctx context.Context, w *tileset.Writer, zoom int, in *bufio.Reader) error {
	var packed []byte
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x, err := binary.ReadUvarint(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		y, err2 := binary.ReadUvarint(in)
		length, err3 := binary.ReadUvarint(in)
		if err := errors.Join(err, err2, err3); err != nil {
			return err
		}
		packed = slices.Grow(packed[:0], int(length))[:length]
		if _, err := io.ReadFull(in, packed); err != nil {
			return err
		}
		if err := w.Add(zoom, int(x), int(y), packed); err != nil {
			return err
		}
	}
}
