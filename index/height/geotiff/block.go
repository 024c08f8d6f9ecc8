package geotiff

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/image/tiff/lzw"
)

// Heights reads a block: rows of BlockWidth pixels, NaN where there is no data.
// The last strip may have fewer rows than others. src is the file of the grid.
func (g *Grid) Heights(src io.ReaderAt, size int64, block int) ([]float32, error) {
	r := &reader{src: src, size: size, order: g.order}
	offset, err := r.value(&g.offsets, uint64(block))
	if err != nil {
		return nil, err
	}
	length, err := r.value(&g.sizes, uint64(block))
	if err != nil {
		return nil, err
	}
	rows := g.BlockHeight
	if !g.tiled {
		rows = min(rows, g.Height-block*g.BlockHeight)
	}
	if block < 0 || rows <= 0 {
		return nil, fmt.Errorf("there is no block %d", block)
	}
	want := rows * g.BlockWidth * g.bits / 8
	heights := make([]float32, rows*g.BlockWidth)
	if offset == 0 && length == 0 { // a block of a sparse file that was never written
		for i := range heights {
			heights[i] = float32(math.NaN())
		}
		return heights, nil
	}
	// Compression makes data larger by no more than a little.
	if length > float64(want)*2+1024 || offset > float64(size) {
		return nil, fmt.Errorf("block %d is said to have %v bytes at %v", block, length, offset)
	}
	packed, err := r.bytes(int64(offset), int64(length))
	if err != nil {
		return nil, fmt.Errorf("block %d: %w", block, err)
	}
	data, err := g.unpack(packed, want)
	if err != nil {
		return nil, fmt.Errorf("block %d: %w", block, err)
	}
	g.decode(data, heights)
	return heights, nil
}

// unpack returns the first want bytes of a block, decompressed.
func (g *Grid) unpack(packed []byte, want int) ([]byte, error) {
	var from io.Reader
	switch g.compression {
	case plain:
		if len(packed) < want {
			return nil, errShort
		}
		return packed[:want], nil
	case lzwPacked:
		z := lzw.NewReader(bytes.NewReader(packed), lzw.MSB, 8)
		defer func() { _ = z.Close() }() // in memory
		from = z
	case zstandard:
		z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostBlockPixels*8))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		from = z
	default:
		z, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, fmt.Errorf("not readable as deflate: %w", err)
		}
		from = z
	}
	data := make([]byte, want)
	if _, err := io.ReadFull(from, data); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			err = errShort
		}
		return nil, fmt.Errorf("it cannot be unpacked: %w", err)
	}
	return data, nil
}

// decode undoes the predictor, row by row, and converts the bytes to numbers.
func (g *Grid) decode(data []byte, heights []float32) {
	size := g.bits / 8
	width := g.BlockWidth
	order := g.order
	plane := make([]byte, width*size)
	for start := 0; start < len(heights); start += width {
		row := data[start*size : (start+width)*size]
		switch g.predictor {
		case horizontal:
			g.accumulate(row)
		case floating:
			// The bytes of all samples are grouped by their weight, the heaviest
			// first, each as the difference from the one before.
			for i := 1; i < len(row); i++ {
				row[i] += row[i-1]
			}
			copy(plane, row)
			for i := range width {
				for b := range size {
					row[i*size+b] = plane[b*width+i]
				}
			}
			order = binary.BigEndian
		}
		for i := range width {
			heights[start+i] = g.sample(order, row[i*size:])
		}
	}
}

// accumulate undoes differences between neighbours.
func (g *Grid) accumulate(row []byte) {
	if g.bits == 16 {
		for i := 2; i+1 < len(row); i += 2 {
			g.order.PutUint16(row[i:], g.order.Uint16(row[i:])+g.order.Uint16(row[i-2:]))
		}
		return
	}
	for i := 4; i+3 < len(row); i += 4 {
		g.order.PutUint32(row[i:], g.order.Uint32(row[i:])+g.order.Uint32(row[i-4:]))
	}
}

// sample returns a sample; NaN if it stands for no data.
func (g *Grid) sample(order binary.ByteOrder, b []byte) float32 {
	var v float64
	switch {
	case g.format == float && g.bits == 64:
		v = math.Float64frombits(order.Uint64(b))
	case g.format == float:
		v = float64(math.Float32frombits(order.Uint32(b)))
	case g.bits == 16 && g.format == signed:
		v = float64(int16(order.Uint16(b)))
	case g.bits == 16:
		v = float64(order.Uint16(b))
	case g.format == signed:
		v = float64(int32(order.Uint32(b)))
	default:
		v = float64(order.Uint32(b))
	}
	if v == g.nodata || float32(v) == float32(g.nodata) {
		return float32(math.NaN())
	}
	return float32(v)
}
