package osm

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
)

// input is an opened file, unpacked where it is packed.
type input struct {
	io.Reader
	file   *os.File
	path   string
	size   int64 // of the file on disk
	read   atomic.Int64
	packed bool
	xml    bool
	json   bool
	ratio  ratio
}

// A file that unpacks to more than maxRatio times its size is refused, once
// freeRatio bytes have been unpacked: OSM data packs to about a twentieth at
// best, and a bomb to a thousandth or less.
const (
	maxRatio  = 100
	freeRatio = 64 << 20
)

// ratio counts what a file's packed parts unpack to.
type ratio struct{ packed, plain int64 }

func (r *ratio) add(packed, plain int64) error {
	r.packed, r.plain = r.packed+packed, r.plain+plain
	if r.plain > freeRatio+maxRatio*r.packed {
		return fmt.Errorf("%d bytes unpack to %d or more, over %d times as much: that is no OpenStreetMap data", r.packed, r.plain, maxRatio)
	}
	return nil
}

// open opens a local file and finds out what it is.
func open(ctx context.Context, path string) (*input, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in := &input{file: file, path: path}
	if err := in.start(ctx); err != nil {
		in.close()
		return nil, in.wrap(ctx, err)
	}
	return in, nil
}

func (in *input) start(ctx context.Context) error {
	stat, err := in.file.Stat()
	if err != nil {
		return err
	}
	if !stat.Mode().IsRegular() {
		return fmt.Errorf("it is no regular file (%s); an extract is read several times", stat.Mode().Type())
	}
	in.size = stat.Size()
	r := bufio.NewReaderSize(counter{ctx, in.file, &in.read}, 256<<10)
	head, err := peek(r)
	if err != nil {
		return err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(r)
		if err != nil {
			return fmt.Errorf("bad gzip data: %w", cutInside(err, "the gzip data"))
		}
		in.packed = true
		r = bufio.NewReaderSize(unpacking{ctx, in, z, "gzip"}, 256<<10)
	case bytes.HasPrefix(head, []byte("BZh")):
		in.packed = true
		r = bufio.NewReaderSize(unpacking{ctx, in, bzip2.NewReader(r), "bzip2"}, 256<<10)
	}
	if in.packed {
		if head, err = peek(r); err != nil {
			return err
		}
	}
	in.Reader = r
	if rest, ok := bytes.CutPrefix(head, []byte(byteOrderMark)); ok && (isXML(rest) || isJSON(rest)) {
		if _, err := r.Discard(len(byteOrderMark)); err != nil {
			return err
		}
		head = rest
	}
	switch {
	case len(head) == 0:
		return errors.New("it is empty")
	case isPBF(head):
	case isXML(head):
		in.xml = true
	case isJSON(head):
		in.json = true
	default:
		return fmt.Errorf("it is neither OSM PBF nor OSM XML nor OSM JSON (it starts with %q)", head[:min(len(head), 12)])
	}
	return nil
}

func peek(r *bufio.Reader) ([]byte, error) {
	head, err := r.Peek(64)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head, err
}

// isPBF looks for a file block header's length and the type that follows.
func isPBF(head []byte) bool {
	const start = 4 // of the first file block's header
	return len(head) > start+2 && head[0] == 0 && head[1] == 0 &&
		(head[start] == 1<<3|wireBytes || bytes.Contains(head[start:], []byte("OSM")))
}

const byteOrderMark = "\xef\xbb\xbf"

func isJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && head[0] == '{'
}

func isXML(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && head[0] == '<'
}

// plainSize returns the size of what is read, -1 where it is known only after unpacking.
func (in *input) plainSize() int64 {
	if in.packed {
		return -1
	}
	return in.size
}

// done returns how much of the file on disk has been read.
func (in *input) done() int64 { return in.read.Load() }

// wrap names the file in an error of it; once the context has ended, its cause
// is the error.
func (in *input) wrap(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("%s: %w", in.path, err)
}

// close ends the reading. The file was only read, so that closing it cannot
// lose anything.
func (in *input) close() { _ = in.file.Close() }

// counter ends with the context, however long the reading goes on without a
// block or an object.
type counter struct {
	ctx context.Context
	r   io.Reader
	n   *atomic.Int64
}

func (c counter) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// unpacking names the packing in the errors of a decompressor, ends with the
// context and refuses what unpacks to far too much.
type unpacking struct {
	ctx  context.Context
	in   *input
	r    io.Reader
	name string
}

func (u unpacking) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	n, err := u.r.Read(p)
	u.in.ratio.packed = u.in.done()
	if bomb := u.in.ratio.add(0, int64(n)); bomb != nil {
		return 0, fmt.Errorf("%s data: %w", u.name, bomb)
	}
	if err != nil && u.ctx.Err() != nil {
		return n, context.Cause(u.ctx)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("bad %s data: %w", u.name, cutInside(err, "the "+u.name+" data"))
	}
	return n, err
}
