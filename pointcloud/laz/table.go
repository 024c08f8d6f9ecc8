package laz

import (
	"fmt"
	"io"
)

// Chunk is a run of points in a file.
type Chunk struct {
	Offset int64
	Bytes  int64
	Points int64
}

// MostChunkBytes bounds the compressed bytes of a chunk, all of which are in memory
// while it is read.
const MostChunkBytes = 256 << 20

// mostChunks bounds the chunks of a file: at 50,000 points each, two hundred billion
// points.
const mostChunks = 1 << 22

// Chunks returns where the chunks of a file are. Start is where its points start, end
// where the file ends, and points how many points its header claims. Errors name what
// the chunk table claims and what there is.
func (s *Scheme) Chunks(r io.ReaderAt, start, end, points int64) ([]Chunk, error) {
	if points == 0 {
		return nil, nil
	}
	if start > end {
		return nil, fmt.Errorf("points start at byte %d; the file ends at byte %d", start, end)
	}
	if !s.Chunked {
		all := []Chunk{{start, end - start, points}}
		return all, checkChunk(0, all[0])
	}
	table, n, err := s.locate(r, start, end)
	if err != nil {
		return nil, err
	}
	if least := (points + int64(s.ChunkSize) - 1) / int64(s.ChunkSize); s.ChunkSize != Variable && int64(n) != least {
		return nil, fmt.Errorf("chunk table has %d chunks of %d points; %d points need %d", n, s.ChunkSize, points, least)
	}
	// A number in the table needs far less than a kilobyte, and the table ends the file
	// or is followed by records that are longer than the little read too much.
	data := make([]byte, min(end-table-8, int64(n)*16+1024))
	if _, err := r.ReadAt(data, table+8); err != nil {
		return nil, fmt.Errorf("chunk table: %w", err)
	}
	return s.list(data, n, start+8, table, points)
}

// locate returns where the chunk table is and its number of chunks.
func (s *Scheme) locate(r io.ReaderAt, start, end int64) (table int64, n int, err error) {
	var word [8]byte
	if start+8 > end {
		return 0, 0, fmt.Errorf("points start at byte %d; the file ends at byte %d, before the address of the chunk table", start, end)
	}
	if _, err := r.ReadAt(word[:], start); err != nil {
		return 0, 0, fmt.Errorf("address of the chunk table: %w", err)
	}
	table = int64(le.Uint64(word[:]))
	if table == -1 { // written as a stream: the address is at the end
		if _, err := r.ReadAt(word[:], end-8); err != nil {
			return 0, 0, fmt.Errorf("address of the chunk table: %w", err)
		}
		table = int64(le.Uint64(word[:]))
	}
	if table < start+8 || table > end-8 {
		return 0, 0, fmt.Errorf("chunk table is at byte %d; it must be between bytes %d and %d", table, start+8, end-8)
	}
	if _, err := r.ReadAt(word[:], table); err != nil {
		return 0, 0, fmt.Errorf("chunk table: %w", err)
	}
	if v := le.Uint32(word[:]); v != 0 {
		return 0, 0, fmt.Errorf("chunk table has version %d; 0 is supported", v)
	}
	count := le.Uint32(word[4:])
	if most := min(mostChunks, (table-start-8)/int64(s.size)); int64(count) > most {
		return 0, 0, fmt.Errorf("chunk table claims %d chunks; the file has room for %d", count, most)
	}
	return table, int(count), nil
}

// list decodes a table.
func (s *Scheme) list(data []byte, n int, start, end, points int64) ([]Chunk, error) {
	var c coder
	c.read(data)
	numbers := newInteger(32, 2)
	all := make([]Chunk, n)
	left, count, length := points, int32(0), int32(0)
	for i := range all {
		k := min(left, int64(s.ChunkSize))
		if s.ChunkSize == Variable {
			count = numbers.code(&c, count, 0, 0)
			k = int64(uint32(count))
		}
		length = numbers.code(&c, length, 0, 1)
		all[i] = Chunk{start, int64(uint32(length)), k}
		switch {
		case c.short:
			return nil, fmt.Errorf("chunk table ends at chunk %d of %d", i, n)
		case all[i].Bytes > end-start:
			return nil, fmt.Errorf("chunk %d at byte %d claims %d bytes; the points end at byte %d", i, start, all[i].Bytes, end)
		case k > left:
			return nil, fmt.Errorf("chunk %d claims %d points; the file has %d more", i, k, left)
		}
		if err := checkChunk(i, all[i]); err != nil {
			return nil, err
		}
		left -= k
		start += all[i].Bytes
	}
	if left > 0 {
		return nil, fmt.Errorf("the chunks have %d points; the header claims %d", points-left, points)
	}
	return all, nil
}

func checkChunk(i int, c Chunk) error {
	switch {
	case c.Points > MostChunkPoints:
		return fmt.Errorf("chunk %d has %d points; the limit is %d", i, c.Points, MostChunkPoints)
	case c.Bytes > MostChunkBytes:
		return fmt.Errorf("chunk %d has %d bytes; the limit is %d", i, c.Bytes, MostChunkBytes)
	}
	return nil
}

// AppendTable writes the chunk table behind the bytes of dst, and returns both.
func (s *Scheme) AppendTable(dst []byte, all []Chunk) []byte {
	dst = le.AppendUint32(dst, 0)
	dst = le.AppendUint32(dst, uint32(len(all)))
	if len(all) == 0 {
		return dst
	}
	var c coder
	c.write(dst)
	numbers := newInteger(32, 2)
	count, length := int32(0), int32(0)
	for _, k := range all {
		if s.ChunkSize == Variable {
			count = numbers.code(&c, count, int32(uint32(k.Points)), 0)
		}
		length = numbers.code(&c, length, int32(uint32(k.Bytes)), 1)
	}
	return c.finish()
}
