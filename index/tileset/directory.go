package tileset

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sort"
)

// entry is a run of tiles that share their bytes or, if run is 0, a leaf directory
// whose first tile is id. Offsets count from the start of the tile data or of the leaf
// directories.
type entry struct {
	id, offset  uint64
	length, run uint32
}

// directoryLimit limits an unpacked directory, so that a small file cannot ask for all
// memory: 8 MiB are two million entries at the most. Real ones have about ten thousand,
// and where a leaf has all tiles below one of zoom 6, as tilemaker writes it, about a
// hundred thousand.
const directoryLimit = 8 << 20

// decodeDirectory reads a directory in its unpacked form: the count, then the
// columns id (delta), run, length, offset (plus 1; 0 for "follows the one
// before").
func decodeDirectory(b []byte) ([]entry, error) {
	pos := 0
	next := func() (uint64, error) {
		v, n := binary.Uvarint(b[pos:])
		if n <= 0 {
			return 0, fmt.Errorf("directory ends inside a number, at byte %d", pos)
		}
		pos += n
		return v, nil
	}
	count, err := next()
	if err != nil {
		return nil, err
	}
	// Every entry takes at least one byte in each of four columns.
	if count == 0 || count > uint64(len(b)/4) {
		return nil, fmt.Errorf("directory of %d bytes claims %d entries", len(b), count)
	}
	entries := make([]entry, count)
	id := uint64(0)
	limit := firstID(MaxZoom + 1)
	for i := range entries {
		v, err := next()
		if err != nil {
			return nil, err
		}
		if i > 0 && v == 0 || v >= limit || id+v >= limit {
			return nil, fmt.Errorf("directory entry %d: its tile id does not rise or is beyond zoom %d", i, MaxZoom)
		}
		id += v
		entries[i].id = id
	}
	for i := range entries {
		v, err := next()
		if err != nil {
			return nil, err
		}
		e := &entries[i]
		if v > limit-e.id || v>>32 != 0 || i+1 < len(entries) && v > entries[i+1].id-e.id {
			return nil, fmt.Errorf("directory entry %d: its run of %d tiles meets the next entry", i, v)
		}
		e.run = uint32(v)
	}
	for i := range entries {
		v, err := next()
		if err != nil {
			return nil, err
		}
		if v == 0 || v>>32 != 0 {
			return nil, fmt.Errorf("directory entry %d: length %d is outside 1 to 4294967295", i, v)
		}
		entries[i].length = uint32(v)
	}
	for i := range entries {
		v, err := next()
		if err != nil {
			return nil, err
		}
		switch {
		case v > 0:
			entries[i].offset = v - 1
		case i == 0:
			return nil, errors.New("directory entry 0 has no offset")
		default:
			entries[i].offset = entries[i-1].offset + uint64(entries[i-1].length)
		}
	}
	if pos != len(b) {
		return nil, fmt.Errorf("directory has %d bytes after its last entry", len(b)-pos)
	}
	return entries, nil
}

// appendDirectory appends the unpacked form of a directory.
func appendDirectory(b []byte, entries []entry) []byte {
	b = binary.AppendUvarint(b, uint64(len(entries)))
	last := uint64(0)
	for _, e := range entries {
		b = binary.AppendUvarint(b, e.id-last)
		last = e.id
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.run))
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.length))
	}
	for i, e := range entries {
		if i > 0 && e.offset == entries[i-1].offset+uint64(entries[i-1].length) {
			b = append(b, 0)
		} else {
			b = binary.AppendUvarint(b, e.offset+1)
		}
	}
	return b
}

// find returns the entry that holds id: a run it lies in, or the leaf it could
// be in.
func find(entries []entry, id uint64) (entry, bool) {
	i := sort.Search(len(entries), func(i int) bool { return entries[i].id > id }) - 1
	if i < 0 {
		return entry{}, false
	}
	e := entries[i]
	return e, e.run == 0 || id-e.id < uint64(e.run)
}

// pack compresses with gzip; the output depends on the input alone.
func pack(b []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpack returns the inverse of pack for an archive's internal compression.
func unpack(b []byte, c Compression, limit int64) ([]byte, error) {
	if c == CompressionNone {
		return b, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(out)) > limit {
		return nil, fmt.Errorf("unpacks to more than %d bytes", limit)
	}
	return out, nil
}
