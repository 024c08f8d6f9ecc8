// Package pointcloud opens LAS and LAZ files. COPC files are LAZ files. It reads their
// points as a stream.
package pointcloud

import (
	"context"
	"fmt"
	"io"

	"github.com/waygate/waygate/pointcloud/las"
	"github.com/waygate/waygate/pointcloud/laz"
)

// File is an open point cloud. It may be read by several goroutines.
type File struct {
	Header *las.Header
	// Scheme is how points are compressed; nil in LAS files.
	Scheme *laz.Scheme
	chunks []laz.Chunk
	r      io.ReaderAt
	size   int64
}

// Open reads the header of a file of some length, and where its points are. It does not
// read the points. Errors name the field, its value and its limit.
func Open(r io.ReaderAt, size int64) (*File, error) {
	h, err := las.Read(r, size)
	if err != nil {
		return nil, err
	}
	f := &File{Header: h, r: r, size: size}
	if !h.Compressed {
		if room := (size - h.PointsStart) / int64(h.RecordSize); h.Points > room {
			return nil, fmt.Errorf("header claims %d points; the file has room for %d", h.Points, room)
		}
		return f, nil
	}
	record := h.Find(laz.UserID, laz.RecordID)
	if record == nil {
		return nil, fmt.Errorf("points are compressed, and there is no record %q %d that describes how", laz.UserID, laz.RecordID)
	}
	if f.Scheme, err = laz.ReadScheme(record); err != nil {
		return nil, err
	}
	if f.Scheme.RecordSize() != h.RecordSize {
		return nil, fmt.Errorf("LAZ items have %d bytes together; the point record length is %d", f.Scheme.RecordSize(), h.RecordSize)
	}
	if f.Scheme.Layered() != (h.Format >= 6) {
		return nil, fmt.Errorf("point format %d does not go with the LAZ compressor of the file", h.Format)
	}
	f.chunks, err = f.Scheme.Chunks(r, h.PointsStart, size, h.Points)
	return f, err
}

// Size returns the length of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Chunks returns where the chunks of a compressed file are. The result is read-only.
func (f *File) Chunks() []laz.Chunk { return f.chunks }

// batch is how many points Read passes at once, a few milliseconds of work.
const batch = 4096

// Read passes all points to a function in the order of the file, some thousand records
// at once, which are only valid during the call. It stops when the function or the
// context does.
func (f *File) Read(ctx context.Context, pass func(records []byte) error) error {
	block := make([]byte, batch*f.Header.RecordSize)
	if f.Scheme == nil {
		return f.readPlain(ctx, block, pass)
	}
	decoder := laz.NewDecoder(f.Scheme)
	var data []byte
	for i, c := range f.chunks {
		if int64(cap(data)) < c.Bytes {
			data = make([]byte, c.Bytes)
		}
		data = data[:c.Bytes]
		if _, err := f.r.ReadAt(data, c.Offset); err != nil && c.Bytes > 0 {
			return fmt.Errorf("chunk %d at byte %d: %w", i, c.Offset, err)
		}
		decoder.Start(data, int(c.Points))
		for decoder.Left() > 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			n, err := decoder.Read(block)
			if err != nil {
				return fmt.Errorf("chunk %d at byte %d: %w", i, c.Offset, err)
			}
			if err := pass(block[:n*f.Header.RecordSize]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *File) readPlain(ctx context.Context, block []byte, pass func([]byte) error) error {
	at := f.Header.PointsStart
	for left := f.Header.Points; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := block[:min(left, batch)*int64(f.Header.RecordSize)]
		if _, err := f.r.ReadAt(b, at); err != nil {
			return fmt.Errorf("points at byte %d: %w", at, err)
		}
		if err := pass(b); err != nil {
			return err
		}
		at += int64(len(b))
		left -= min(left, batch)
	}
	return nil
}
