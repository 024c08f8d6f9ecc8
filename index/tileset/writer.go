package tileset

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/waygate/waygate/geo"
)

// leafEntries is how many entries a leaf directory starts out with; it
// doubles until the root fits.
const leafEntries = 4096

// Writer writes an archive of gzip-packed vector tiles, or of pictures. Tiles must be
// added in the order of their ids; the file gets its name only in Finish.
type Writer struct {
	path    string
	tiles   *os.File // the tile data, before header and directories are known
	buf     *bufio.Writer
	written uint64
	entries []entry
	known   map[[16]byte]byteRange
	count   uint64 // addressed tiles
	lastID  uint64
	zooms   [2]int
}

// byteRange is the position of a tile's bytes.
type byteRange struct {
	offset uint64
	length uint32
}

// Info is written by Finish into the header and the metadata.
type Info struct {
	Metadata   Metadata
	Pictures   Type // what the tiles are where they are pictures; vector tiles without it
	Bounds     geo.Bounds
	Centre     geo.Point
	CentreZoom int
}

// Summary counts what an archive holds.
type Summary struct {
	Addressed uint64 // tiles that can be asked for
	Entries   uint64 // runs of equal tiles
	Contents  uint64 // different tiles
	Bytes     uint64 // size of the file
}

// Create starts an archive. The caller must call Finish or Abort.
func Create(path string) (*Writer, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tiles-*")
	if err != nil {
		return nil, err
	}
	return &Writer{path: path, tiles: f, buf: bufio.NewWriterSize(f, 1<<20), known: map[[16]byte]byteRange{}}, nil
}

// Add appends a tile, its bytes packed with gzip. Equal tiles are kept once,
// and runs of them take one entry. It refuses empty tiles and ids that do not
// rise.
func (w *Writer) Add(z, x, y int, packed []byte) error {
	id, err := ID(z, x, y)
	if err != nil {
		return err
	}
	if len(packed) == 0 {
		return fmt.Errorf("tile %d/%d/%d is empty", z, x, y)
	}
	if w.count > 0 && id <= w.lastID {
		return fmt.Errorf("tile %d/%d/%d (id %d) comes after id %d", z, x, y, id, w.lastID)
	}
	if w.count == 0 {
		w.zooms[0] = z
	}
	w.zooms[1] = z
	w.lastID = id
	w.count++

	sum := sha256.Sum256(packed)
	key := [16]byte(sum[:16])
	p, ok := w.known[key]
	if !ok {
		p = byteRange{w.written, uint32(len(packed))}
		if _, err := w.buf.Write(packed); err != nil {
			return err
		}
		w.written += uint64(len(packed))
		w.known[key] = p
	}
	if n := len(w.entries); n > 0 {
		last := &w.entries[n-1]
		if last.offset == p.offset && last.id+uint64(last.run) == id {
			last.run++
			return nil
		}
	}
	w.entries = append(w.entries, entry{id: id, offset: p.offset, length: p.length, run: 1})
	return nil
}

// Abort removes the unfinished archive.
func (w *Writer) Abort() error {
	return errors.Join(w.tiles.Close(), os.Remove(w.tiles.Name()))
}

// Finish writes the archive and gives it its name. The writer cannot be used
// afterwards, even if it fails.
func (w *Writer) Finish(info Info) (_ Summary, err error) {
	defer func() { err = errors.Join(err, w.Abort()) }()
	if len(w.entries) == 0 {
		return Summary{}, fmt.Errorf("tile archive %s: no tiles were added", w.path)
	}
	if err := w.buf.Flush(); err != nil {
		return Summary{}, err
	}
	root, leaves, err := directories(w.entries)
	if err != nil {
		return Summary{}, err
	}
	raw, err := json.Marshal(info.Metadata)
	if err != nil {
		return Summary{}, err
	}
	meta, err := pack(raw)
	if err != nil {
		return Summary{}, err
	}
	h := Header{
		RootOffset: headerSize, RootLength: uint64(len(root)),
		MetadataLength: uint64(len(meta)),
		LeavesLength:   uint64(len(leaves)),
		TilesLength:    w.written,
		Addressed:      w.count, Entries: uint64(len(w.entries)), Contents: uint64(len(w.known)),
		Clustered:           true,
		InternalCompression: CompressionGzip, TileCompression: CompressionGzip, TileType: TypeMVT,
		MinZoom: uint8(w.zooms[0]), MaxZoom: uint8(w.zooms[1]),
		Bounds: info.Bounds, Centre: info.Centre, CentreZoom: uint8(info.CentreZoom),
	}
	if info.Pictures != TypeUnknown {
		h.TileType, h.TileCompression = info.Pictures, CompressionNone
	}
	h.MetadataOffset = h.RootOffset + h.RootLength
	h.LeavesOffset = h.MetadataOffset + h.MetadataLength
	h.TilesOffset = h.LeavesOffset + h.LeavesLength
	head := append(appendHeader(nil, h), root...)
	head = append(head, meta...)
	head = append(head, leaves...)
	if err := w.assemble(head); err != nil {
		return Summary{}, err
	}
	return Summary{h.Addressed, h.Entries, h.Contents, h.TilesOffset + h.TilesLength}, nil
}

// assemble writes head and the tile data to a file of their own and renames it last.
func (w *Writer) assemble(head []byte) (err error) {
	out, err := os.CreateTemp(filepath.Dir(w.path), filepath.Base(w.path)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = out.Close()
			_ = os.Remove(out.Name())
		}
	}()
	if _, err = out.Write(head); err != nil {
		return err
	}
	if _, err = w.tiles.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err = io.Copy(out, w.tiles); err != nil {
		return err
	}
	if err = out.Chmod(0o644); err != nil {
		return err
	}
	if err = out.Sync(); err != nil {
		return err
	}
	if err = out.Close(); err != nil {
		return err
	}
	return os.Rename(out.Name(), w.path)
}

// directories packs entries into a root within its limit and, if there are too many for
// it, leaves.
func directories(entries []entry) (root, leaves []byte, err error) {
	if root, err = pack(appendDirectory(nil, entries)); err != nil {
		return nil, nil, err
	}
	for size := leafEntries; headerSize+len(root) > rootLimit; size *= 2 {
		var top []entry
		leaves = leaves[:0]
		for at := 0; at < len(entries); at += size {
			leaf, err := pack(appendDirectory(nil, entries[at:min(at+size, len(entries))]))
			if err != nil {
				return nil, nil, err
			}
			top = append(top, entry{id: entries[at].id, offset: uint64(len(leaves)), length: uint32(len(leaf))})
			leaves = append(leaves, leaf...)
		}
		if root, err = pack(appendDirectory(nil, top)); err != nil {
			return nil, nil, err
		}
	}
	return root, leaves, nil
}
