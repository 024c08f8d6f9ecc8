package osm

import (
	"bufio"
	"bytes"
	"compress/bzip2"
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
}

// open opens a local file and finds out what it is.
func open(path string) (*input, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in := &input{file: file, path: path}
	if err := in.start(); err != nil {
		in.close()
		return nil, in.wrap(err)
	}
	return in, nil
}

func (in *input) start() error {
	stat, err := in.file.Stat()
	if err != nil {
		return err
	}
	if !stat.Mode().IsRegular() {
		return fmt.Errorf("it is no regular file (%s); an extract is read several times", stat.Mode().Type())
	}
	in.size = stat.Size()
	r := bufio.NewReaderSize(counter{in.file, &in.read}, 256<<10)
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
		r = bufio.NewReaderSize(unpacking{z, "gzip"}, 256<<10)
	case bytes.HasPrefix(head, []byte("BZh")):
		in.packed = true
		r = bufio.NewReaderSize(unpacking{bzip2.NewReader(r), "bzip2"}, 256<<10)
	}
	if in.packed {
		if head, err = peek(r); err != nil {
			return err
		}
	}
	in.Reader = r
	if rest, ok := bytes.CutPrefix(head, []byte(byteOrderMark)); ok && isXML(rest) {
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
	default:
		return fmt.Errorf("it is neither OSM PBF nor OSM XML (it starts with %q)", head[:min(len(head), 12)])
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

func isXML(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && head[0] == '<'
}

// plainSize is the size of what is read, -1 where only unpacking tells.
func (in *input) plainSize() int64 {
	if in.packed {
		return -1
	}
	return in.size
}

// done is how much of the file on disk has been read.
func (in *input) done() int64 { return in.read.Load() }

func (in *input) wrap(err error) error { return fmt.Errorf("%s: %w", in.path, err) }

// close ends the reading. The file was only read, so that closing it cannot
// lose anything.
func (in *input) close() { _ = in.file.Close() }

type counter struct {
	r io.Reader
	n *atomic.Int64
}

func (c counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// unpacking names the packing in the errors of a decompressor.
type unpacking struct {
	r    io.Reader
	name string
}

func (u unpacking) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("bad %s data: %w", u.name, cutInside(err, "the "+u.name+" data"))
	}
	return n, err
}
