package osm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Limits of the PBF format on a file block's header and on its contents, both
// packed and unpacked.
const (
	maxBlobHeader = 64 << 10
	maxBlob       = 32 << 20
)

// deflateRatio is the most by which deflate can shrink data; a size beyond it
// is a lie and not worth the memory.
const deflateRatio = 1032

// Types of file block.
const (
	typeHeader = "OSMHeader"
	typeData   = "OSMData"
)

// frames cuts a PBF file into its file blocks.
type frames struct {
	r      io.Reader
	offset int64 // of the next file block
	size   int64 // of the file; below 0 where unknown
	head   []byte
}

// next reads one file block into buf, which is grown as needed, and gives its
// type and its packed contents. The end of the file between blocks is io.EOF.
func (f *frames) next(buf []byte) (kind string, blob []byte, err error) {
	var length [4]byte
	if _, err := io.ReadFull(f.r, length[:]); err != nil {
		return "", buf, cut(err, "a file block's length")
	}
	n := binary.BigEndian.Uint32(length[:])
	if n == 0 || n > maxBlobHeader {
		return "", buf, fmt.Errorf("a file block's header has %d bytes, the limit is %d; this is no PBF, or it is damaged", n, maxBlobHeader)
	}
	f.head = slices.Grow(f.head[:0], int(n))[:n]
	if _, err := io.ReadFull(f.r, f.head); err != nil {
		return "", buf, cutInside(err, "a file block's header")
	}
	kind, size, err := blobHeader(f.head)
	if err != nil {
		return "", buf, fmt.Errorf("file block header: %w", err)
	}
	end := f.offset + 4 + int64(n) + size
	if f.size >= 0 && end > f.size {
		return "", buf, fmt.Errorf("the file is cut short: this block ends at byte %d, the file at %d", end, f.size)
	}
	blob = slices.Grow(buf[:0], int(size))[:size]
	if _, err := io.ReadFull(f.r, blob); err != nil {
		return "", blob, cutInside(err, "a file block")
	}
	f.offset = end
	return kind, blob, nil
}

// cut turns the end of the file inside what into a clear error; the end of
// the file before it stays io.EOF.
func cut(err error, what string) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file is cut short inside %s", what)
	}
	return err
}

func cutInside(err error, what string) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return cut(err, what)
}

func blobHeader(b []byte) (kind string, size int64, err error) {
	size = -1
	m := message{b: b}
	for m.next() {
		switch m.field {
		case 1:
			switch data := m.bytes(); string(data) {
			case typeData: // the common one, without an allocation
				kind = typeData
			default:
				kind = string(data)
			}
		case 3:
			size = int64(int32(m.varint()))
		}
	}
	switch {
	case m.err != nil:
		return "", 0, m.err
	case kind == "":
		return "", 0, errors.New("no type")
	case size < 0 || size > maxBlob:
		return "", 0, fmt.Errorf("its contents have %d bytes, the limit is %d", size, maxBlob)
	}
	return kind, size, nil
}

// packing is how a blob's contents are stored.
type packing int

const (
	packedNot packing = iota
	packedZlib
	packedZstd
)

// unpackBlob reads the envelope of a blob: how its contents are packed, the
// packed bytes and their size when unpacked.
func unpackBlob(blob []byte) (how packing, data []byte, size int, err error) {
	m := message{b: blob}
	rawSize := int64(-1)
	for m.next() {
		switch m.field {
		case 1:
			how, data = packedNot, m.bytes()
		case 2:
			rawSize = int64(int32(m.varint()))
		case 3:
			how, data = packedZlib, m.bytes()
		case 7:
			how, data = packedZstd, m.bytes()
		case 4, 5, 6:
			name := [...]string{4: "lzma", 5: "bzip2", 6: "lz4"}[m.field]
			return 0, nil, 0, fmt.Errorf("its contents are packed with %s, which is not supported; rewrite the file with zlib (osmium cat -f pbf does)", name)
		}
	}
	switch {
	case m.err != nil:
		return 0, nil, 0, m.err
	case data == nil:
		return 0, nil, 0, errors.New("it has no contents of a known kind")
	case how == packedNot && (rawSize < 0 || rawSize == int64(len(data))):
		return how, data, len(data), nil
	case how == packedNot:
		return 0, nil, 0, fmt.Errorf("its contents have %d bytes, %d are stated", len(data), rawSize)
	case rawSize < 0 || rawSize > maxBlob:
		return 0, nil, 0, fmt.Errorf("its unpacked contents have %d bytes, the limit is %d", rawSize, maxBlob)
	case how == packedZlib && rawSize > int64(len(data))*deflateRatio:
		return 0, nil, 0, fmt.Errorf("%d bytes of zlib cannot hold the stated %d", len(data), rawSize)
	}
	return how, data, int(rawSize), nil
}

// inflater unpacks blobs; it keeps its state and its buffer from one to the
// next.
type inflater struct {
	src  bytes.Reader
	zlib io.ReadCloser
	zstd *zstd.Decoder
	buf  []byte
}

// unpack returns a blob's contents, valid until the next call or, where they are
// not packed, as long as blob. Once the first bytes of zlib contents show that
// the options skip all of them, nothing more is unpacked and they are nil.
func (f *inflater) unpack(blob []byte, opt Options) ([]byte, error) {
	how, data, size, err := unpackBlob(blob)
	if err != nil {
		return nil, err
	}
	switch how {
	case packedZlib:
		return f.inflate(data, size, opt)
	case packedZstd:
		return f.unzstd(data, size)
	}
	return data, nil
}

func (f *inflater) start(data []byte) error {
	f.src.Reset(data)
	if f.zlib == nil {
		z, err := zlib.NewReader(&f.src)
		if err != nil {
			return err
		}
		f.zlib = z
		return nil
	}
	return f.zlib.(zlib.Resetter).Reset(&f.src, nil)
}

func (f *inflater) inflate(data []byte, size int, opt Options) ([]byte, error) {
	if err := f.start(data); err != nil {
		return nil, fmt.Errorf("bad zlib data: %w", cutInside(err, "the zlib data"))
	}
	f.buf = slices.Grow(f.buf[:0], size)[:size]
	have := 0
	for _, want := range [...]int{peekSize, 0, size} {
		if want == 0 { // the first bytes say how many more are needed
			want = wantToSee(f.buf[:have])
		}
		if want = min(want, size); want <= have || want < size && !opt.skips() {
			continue
		}
		n, err := io.ReadFull(f.zlib, f.buf[have:want])
		if err != nil {
			return nil, fmt.Errorf("bad zlib data: %w", cutInside(err, "the zlib data"))
		}
		if have += n; have < size && opt.skipsBlock(f.buf[:have], size) {
			return nil, nil
		}
	}
	// The checksum is read with the end of the stream.
	var more [1]byte
	switch n, err := io.ReadFull(f.zlib, more[:]); {
	case n > 0:
		return nil, fmt.Errorf("the zlib data holds more than the stated %d bytes", size)
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("bad zlib data: %w", err)
	}
	return f.buf, nil
}

func (f *inflater) unzstd(data []byte, size int) ([]byte, error) {
	if f.zstd == nil {
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlob))
		if err != nil {
			return nil, err
		}
		f.zstd = z
	}
	out, err := f.zstd.DecodeAll(data, f.buf[:0])
	if err != nil {
		return nil, fmt.Errorf("bad zstd data: %w", err)
	}
	f.buf = out
	if len(out) != size {
		return nil, fmt.Errorf("the zstd data holds %d bytes, %d are stated", len(out), size)
	}
	return out, nil
}

func (f *inflater) close() {
	if f.zstd != nil {
		f.zstd.Close()
	}
}
