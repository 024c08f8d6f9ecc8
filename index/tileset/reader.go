package tileset

import (
	"fmt"
	"io"
	"os"
	"sync"
)

const (
	metadataLimit = 16 << 20
	tileLimit     = 64 << 20
	depthLimit    = 4  // root and three levels of leaves
	leavesKept    = 64 // decoded leaf directories kept for the next tile nearby
)

// Reader finds tiles in an archive. It may be used by many goroutines.
type Reader struct {
	name   string
	src    io.ReaderAt
	data   []byte // the whole archive where it is in memory, else nil
	size   uint64
	closer io.Closer
	header Header
	meta   Metadata
	root   []entry

	mu     sync.Mutex
	leaves map[uint64][]entry // by offset
	order  []uint64           // offsets, oldest first
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

// closing closes c after a failure, which is worth more than one of closing.
func closing(c io.Closer, err error) error {
	_ = c.Close()
	return err
}

// NewReader reads an archive of size bytes; errors call it name.
func NewReader(name string, src io.ReaderAt, size int64) (*Reader, error) {
	r := &Reader{name: name, src: src, size: uint64(size), leaves: map[uint64][]entry{}}
	return r, r.open()
}

// FromBytes reads an archive that is in memory or memory-mapped. Tiles are
// parts of data, not copies.
func FromBytes(name string, data []byte) (*Reader, error) {
	r := &Reader{name: name, data: data, size: uint64(len(data)), leaves: map[uint64][]entry{}}
	return r, r.open()
}

func (r *Reader) open() error {
	first, err := r.bytes(0, min(r.size, headerSize))
	if err != nil {
		return r.fail(err)
	}
	if r.header, err = parseHeader(first, r.size); err != nil {
		return r.fail(err)
	}
	if r.root, err = r.directory(r.header.RootOffset, r.header.RootLength); err != nil {
		return r.fail(fmt.Errorf("root directory: %w", err))
	}
	if r.header.MetadataLength == 0 {
		return nil
	}
	packed, err := r.bytes(r.header.MetadataOffset, r.header.MetadataLength)
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

// Header is the archive's fixed part.
func (r *Reader) Header() Header { return r.header }

// Metadata is the archive's JSON document.
func (r *Reader) Metadata() Metadata { return r.meta }

// Close lets go of the file of Open.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// Tile gives the bytes of tile z/x/y as the archive keeps them (packed as
// Header().TileCompression says), or false where it has no such tile. Bytes of
// an archive in memory are part of it and must not be changed.
func (r *Reader) Tile(z, x, y int) ([]byte, bool, error) {
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
			b, err := r.tileBytes(e)
			if err != nil {
				return nil, false, r.fail(fmt.Errorf("tile %d/%d/%d: %w", z, x, y, err))
			}
			return b, true, nil
		}
		if entries, err = r.leaf(e); err != nil {
			return nil, false, r.fail(err)
		}
	}
	return nil, false, r.fail(fmt.Errorf("tile %d/%d/%d: directories are nested deeper than %d", z, x, y, depthLimit))
}

func (r *Reader) tileBytes(e entry) ([]byte, error) {
	if e.offset > r.header.TilesLength || uint64(e.length) > r.header.TilesLength-e.offset {
		return nil, fmt.Errorf("its %d bytes at %d end past the tile data's %d bytes", e.length, e.offset, r.header.TilesLength)
	}
	return r.bytes(r.header.TilesOffset+e.offset, uint64(e.length))
}

// leaf decodes a leaf directory or takes it from those decoded lately.
func (r *Reader) leaf(e entry) ([]entry, error) {
	r.mu.Lock()
	entries, ok := r.leaves[e.offset]
	r.mu.Unlock()
	if ok {
		return entries, nil
	}
	if e.offset > r.header.LeavesLength || uint64(e.length) > r.header.LeavesLength-e.offset {
		return nil, fmt.Errorf("leaf directory of %d bytes at %d ends past the leaves' %d bytes", e.length, e.offset, r.header.LeavesLength)
	}
	entries, err := r.directory(r.header.LeavesOffset+e.offset, uint64(e.length))
	if err != nil {
		return nil, fmt.Errorf("leaf directory at %d: %w", e.offset, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.leaves[e.offset]; !ok {
		if len(r.order) >= leavesKept {
			delete(r.leaves, r.order[0])
			r.order = r.order[1:]
		}
		r.leaves[e.offset] = entries
		r.order = append(r.order, e.offset)
	}
	return entries, nil
}

func (r *Reader) directory(offset, length uint64) ([]entry, error) {
	packed, err := r.bytes(offset, length)
	if err != nil {
		return nil, err
	}
	b, err := unpack(packed, r.header.InternalCompression, directoryLimit)
	if err != nil {
		return nil, err
	}
	return decodeDirectory(b)
}

// bytes gives a range that is known to lie in the archive.
func (r *Reader) bytes(offset, length uint64) ([]byte, error) {
	if r.data != nil {
		return r.data[offset : offset+length : offset+length], nil
	}
	b := make([]byte, length)
	if length == 0 {
		return b, nil
	}
	if _, err := io.ReadFull(io.NewSectionReader(r.src, int64(offset), int64(length)), b); err != nil {
		return nil, fmt.Errorf("reading %d bytes at %d: %w", length, offset, err)
	}
	return b, nil
}
