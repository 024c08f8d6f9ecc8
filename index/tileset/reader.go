package tileset

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
)

// TileLimit is the most bytes of a tile, packed and unpacked. The largest tile of
// Florence has 0.5 MB.
const TileLimit = 16 << 20

const (
	metadataLimit = 16 << 20
	partLimit     = TileLimit // of what is read at once
	depthLimit    = 4         // root and three levels of leaves
	leavesKept    = 64        // decoded leaf directories kept for the next tile nearby
	entriesKept   = 1 << 20   // of all of these together, each 24 bytes
)

// Reader finds tiles in an archive. It is safe for concurrent use.
type Reader struct {
	name   string
	src    Source
	data   []byte // the whole archive where it is in memory, else nil
	size   uint64
	closer io.Closer
	header Header
	meta   Metadata
	root   []entry

	mu     sync.Mutex
	leaves map[uint64][]entry // by offset
	order  []uint64           // offsets, oldest first
	kept   int                // entries of all leaves
}

// Open reads an archive from a file; Close it after use.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, closing(f, err)
	}
	r, err := NewReader(path, f, info.Size())
	if err != nil {
		return nil, closing(f, err)
	}
	r.closer = f
	return r, nil
}

// closing closes c after a failure, and returns that failure first.
func closing(c io.Closer, err error) error {
	_ = c.Close()
	return err
}

// Source reads parts of an archive, each of at least one byte. Part is safe for
// concurrent use; its result must not be changed.
type Source interface {
	Part(ctx context.Context, offset, length int64) ([]byte, error)
}

// file is a local Source.
type file struct{ io.ReaderAt }

// Part reads a part.
func (f file) Part(_ context.Context, offset, length int64) ([]byte, error) {
	b := make([]byte, length)
	_, err := io.ReadFull(io.NewSectionReader(f, offset, length), b)
	return b, err
}

// NewReader reads an archive of size bytes; errors call it name.
func NewReader(name string, src io.ReaderAt, size int64) (*Reader, error) {
	return Read(context.Background(), name, file{src}, size)
}

// Read reads an archive of size bytes, part by part; errors call it name. The header,
// root directory and metadata are read at once.
func Read(ctx context.Context, name string, src Source, size int64) (*Reader, error) {
	r := &Reader{name: name, src: src, size: uint64(size), leaves: map[uint64][]entry{}}
	return r, r.open(ctx)
}

// FromBytes reads an archive that is in memory or memory-mapped. Tiles are
// parts of data, not copies.
func FromBytes(name string, data []byte) (*Reader, error) {
	r := &Reader{name: name, data: data, size: uint64(len(data)), leaves: map[uint64][]entry{}}
	return r, r.open(context.Background())
}

func (r *Reader) open(ctx context.Context) error {
	first, err := r.bytes(ctx, 0, min(r.size, headerSize))
	if err != nil {
		return r.fail(err)
	}
	if r.header, err = parseHeader(first, r.size); err != nil {
		return r.fail(err)
	}
	if r.root, err = r.directory(ctx, r.header.RootOffset, r.header.RootLength); err != nil {
		return r.fail(fmt.Errorf("root directory: %w", err))
	}
	if r.header.MetadataLength == 0 {
		return nil
	}
	packed, err := r.bytes(ctx, r.header.MetadataOffset, r.header.MetadataLength)
	if err != nil {
		return r.fail(err)
	}
	raw, err := unpack(packed, r.header.InternalCompression, metadataLimit)
	if err != nil {
		return r.fail(fmt.Errorf("metadata: %w", err))
	}
	if r.meta, err = decodeMetadata(raw); err != nil {
		return r.fail(fmt.Errorf("metadata: %w", err))
	}
	return nil
}

func (r *Reader) fail(err error) error { return fmt.Errorf("tile archive %s: %w", r.name, err) }

// Header returns the archive's fixed part.
func (r *Reader) Header() Header { return r.header }

// Metadata returns the archive's JSON document.
func (r *Reader) Metadata() Metadata { return r.meta }

// Close closes the file of Open.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// Tile returns the stored bytes of tile z/x/y (packed as Header().TileCompression
// says), or false if there is no such tile. Bytes of an archive in memory are part of
// it and must not be changed.
func (r *Reader) Tile(z, x, y int) ([]byte, bool, error) {
	return r.TileIn(context.Background(), z, x, y)
}

// Unpacked returns the bytes of a tile that is packed with gzip.
func Unpacked(tile []byte) ([]byte, error) { return unpack(tile, CompressionGzip, TileLimit) }

// TileIn is Tile for an archive whose source may have to be waited for.
func (r *Reader) TileIn(ctx context.Context, z, x, y int) ([]byte, bool, error) {
	id, err := ID(z, x, y)
	if err != nil {
		return nil, false, err
	}
	entries := r.root
	for range depthLimit {
		e, ok := find(entries, id)
		if !ok {
			return nil, false, nil
		}
		if e.run > 0 {
			b, err := r.tileBytes(ctx, e)
			if err != nil {
				return nil, false, r.fail(fmt.Errorf("tile %d/%d/%d: %w", z, x, y, err))
			}
			return b, true, nil
		}
		if entries, err = r.leaf(ctx, e); err != nil {
			return nil, false, r.fail(err)
		}
	}
	return nil, false, r.fail(fmt.Errorf("tile %d/%d/%d: directories are nested deeper than %d", z, x, y, depthLimit))
}

func (r *Reader) tileBytes(ctx context.Context, e entry) ([]byte, error) {
	if e.length > TileLimit {
		return nil, fmt.Errorf("it has %d bytes, the limit is %d", e.length, TileLimit)
	}
	if e.offset > r.header.TilesLength || uint64(e.length) > r.header.TilesLength-e.offset {
		return nil, fmt.Errorf("its %d bytes at %d end past the tile data's %d bytes", e.length, e.offset, r.header.TilesLength)
	}
	return r.bytes(ctx, r.header.TilesOffset+e.offset, uint64(e.length))
}

// leaf decodes a leaf directory or takes it from the cache.
func (r *Reader) leaf(ctx context.Context, e entry) ([]entry, error) {
	r.mu.Lock()
	entries, ok := r.leaves[e.offset]
	r.mu.Unlock()
	if ok {
		return entries, nil
	}
	if e.offset > r.header.LeavesLength || uint64(e.length) > r.header.LeavesLength-e.offset {
		return nil, fmt.Errorf("leaf directory of %d bytes at %d ends past the leaves' %d bytes", e.length, e.offset, r.header.LeavesLength)
	}
	entries, err := r.directory(ctx, r.header.LeavesOffset+e.offset, uint64(e.length))
	if err != nil {
		return nil, fmt.Errorf("leaf directory at %d: %w", e.offset, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.leaves[e.offset]; !ok {
		for r.kept += len(entries); len(r.order) >= leavesKept || r.kept > entriesKept && len(r.order) > 0; {
			r.kept -= len(r.leaves[r.order[0]])
			delete(r.leaves, r.order[0])
			r.order = r.order[1:]
		}
		r.leaves[e.offset] = entries
		r.order = append(r.order, e.offset)
	}
	return entries, nil
}

func (r *Reader) directory(ctx context.Context, offset, length uint64) ([]entry, error) {
	packed, err := r.bytes(ctx, offset, length)
	if err != nil {
		return nil, err
	}
	b, err := unpack(packed, r.header.InternalCompression, directoryLimit)
	if err != nil {
		return nil, err
	}
	return decodeDirectory(b)
}

// bytes returns a range that is known to lie in the archive.
func (r *Reader) bytes(ctx context.Context, offset, length uint64) ([]byte, error) {
	if r.data != nil {
		return r.data[offset : offset+length : offset+length], nil
	}
	if length == 0 {
		return nil, nil
	}
	if length > partLimit {
		return nil, fmt.Errorf("a part of %d bytes at %d is above the limit of %d", length, offset, partLimit)
	}
	b, err := r.src.Part(ctx, int64(offset), int64(length))
	if err != nil {
		return nil, fmt.Errorf("reading %d bytes at %d: %w", length, offset, err)
	}
	return b, nil
}
