package laz_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/pointcloud/las"
	"github.com/waygate/waygate/pointcloud/laz"
	"github.com/waygate/waygate/pointcloud/pointcloudtest"
)

// versioned returns a scheme whose layered items have a version.
func versioned(tb testing.TB, format, extra int, version byte) *laz.Scheme {
	tb.Helper()
	s, err := laz.NewScheme(format, extra, laz.Variable)
	assert.NilError(tb, err)
	record := s.Record()
	for at := 34; at < len(record) && format >= 6; at += 6 {
		record[at+4] = version
	}
	s, err = laz.ReadScheme(record)
	assert.NilError(tb, err)
	return s
}

// TestChunksComeBack compresses drawn points of all formats and compares what comes back,
// read in pieces of several sizes.
func TestChunksComeBack(t *testing.T) {
	for format := range 11 {
		for _, version := range []byte{3, 4} {
			for seed := range uint64(6) {
				r := rand.New(rand.NewPCG(seed, uint64(format)))
				extra := r.IntN(3) * 2
				s := versioned(t, format, extra, version)
				encoder, decoder := laz.NewEncoder(s), laz.NewDecoder(s)
				for range 3 { // one after another, with what is left from the last
					points := pointcloudtest.Draw(r, format, extra, 1+r.IntN(800))
					chunk := encoder.Append([]byte("before"), bytes.Clone(points))[6:]
					n := len(points) / s.RecordSize()
					decoder.Start(chunk, n)
					got := make([]byte, 0, len(points))
					for decoder.Left() > 0 {
						part := make([]byte, (1+r.IntN(200))*s.RecordSize())
						k, err := decoder.Read(part)
						assert.NilError(t, err, "format %d, seed %d", format, seed)
						got = append(got, part[:k*s.RecordSize()]...)
					}
					pointcloudtest.Same(t, s.RecordSize(), got, points)
				}
			}
		}
	}
}

// TestDamagedChunks cuts chunks off and changes their bytes: an error or other points,
// never a panic or points without end.
func TestDamagedChunks(t *testing.T) {
	for format := range 11 {
		r := rand.New(rand.NewPCG(1, uint64(format)))
		s := versioned(t, format, 2, 3)
		points := pointcloudtest.Draw(r, format, 2, 300)
		chunk := laz.NewEncoder(s).Append(nil, points)
		decoder, dst := laz.NewDecoder(s), make([]byte, len(points))
		for range 200 {
			bad := bytes.Clone(chunk)
			for range 1 + r.IntN(3) {
				bad[r.IntN(len(bad))] = byte(r.Uint32())
			}
			decoder.Start(bad, 300)
			_, _ = decoder.Read(dst)
			decoder.Start(chunk[:r.IntN(len(chunk)*3/4)], 300)
			_, err := decoder.Read(dst)
			assert.ErrorContains(t, err, "LAZ")
		}
		decoder.Start(chunk, 1_000_000)
		for err := error(nil); err == nil; {
			assert.Assert(t, decoder.Left() > 0, "a million points out of 300")
			_, err = decoder.Read(dst)
		}
	}
}

func TestChunkTables(t *testing.T) {
	for _, size := range []uint32{100, laz.Variable} {
		s, err := laz.NewScheme(6, 0, size)
		assert.NilError(t, err)
		for _, n := range []int{1, 2, 100, 5000} {
			want := make([]laz.Chunk, n)
			at, points := int64(8), int64(0)
			for i := range want {
				want[i] = laz.Chunk{Offset: at, Bytes: int64(30 + 7919*i%1000), Points: 100}
				if size == laz.Variable {
					want[i].Points = int64(104729 * i % 1000)
				}
				at += want[i].Bytes
				points += want[i].Points
			}
			if points == 0 {
				continue
			}
			file := make([]byte, at)
			file[0], file[1], file[2], file[3] = byte(at), byte(at>>8), byte(at>>16), byte(at>>24)
			file = s.AppendTable(file, want)
			got, err := s.Chunks(bytes.NewReader(file), 0, int64(len(file)), points)
			assert.NilError(t, err, "%d chunks of %d", n, size)
			assert.DeepEqual(t, got, want)
			// A stream has the table's address at its end.
			stream := append(bytes.Clone(file), file[:8]...)
			copy(stream, "\xff\xff\xff\xff\xff\xff\xff\xff")
			got, err = s.Chunks(bytes.NewReader(stream), 0, int64(len(stream)), points)
			assert.NilError(t, err)
			assert.DeepEqual(t, got, want)
			_, err = s.Chunks(bytes.NewReader(file), 0, int64(len(file)), points+200)
			assert.ErrorContains(t, err, fmt.Sprint(points+200))
			far := bytes.Clone(file)
			far[7] = 1
			_, err = s.Chunks(bytes.NewReader(far), 0, int64(len(far)), points)
			assert.ErrorContains(t, err, "chunk table is at byte")
		}
	}
}

func TestSchemesThatAreRefused(t *testing.T) {
	s, err := laz.NewScheme(7, 3, 50_000)
	assert.NilError(t, err)
	good := s.Record()
	for _, c := range []struct {
		at    int
		value byte
		want  string
	}{
		{0, 9, "compressor 9"},
		{2, 1, "coder 1"},
		{32, 200, "items"},
		{32, 0, "no items"},
		{34, 77, "item type 77"},
		{36, 31, "POINT14 has 31 bytes"},
		{38, 1, "version 1"},
		{34, 6, "POINT10"},
		{0, 2, "does not go with"},
		{40, 10, "POINT14"},
	} {
		bad := bytes.Clone(good)
		bad[c.at] = c.value
		_, err := laz.ReadScheme(bad)
		assert.ErrorContains(t, err, c.want)
	}
	_, err = laz.ReadScheme(good[:20])
	assert.ErrorContains(t, err, "20 bytes")
	_, err = laz.ReadScheme(append(append(bytes.Clone(good[:12]), 0, 0, 0, 0), good[16:]...))
	assert.ErrorContains(t, err, "chunk size 0")
}

// FuzzChunk decodes bytes as a chunk of a scheme that the same bytes may describe.
func FuzzChunk(f *testing.F) {
	for format := range 11 {
		r := rand.New(rand.NewPCG(2, uint64(format)))
		s := versioned(f, format, format%3, 3)
		f.Add(s.Record(), laz.NewEncoder(s).Append(nil, pointcloudtest.Draw(r, format, format%3, 40)), uint16(40))
	}
	f.Fuzz(func(t *testing.T, record, chunk []byte, points uint16) {
		s, err := laz.ReadScheme(record)
		if err != nil || s.RecordSize() > 4*las.FormatSize(10) {
			return
		}
		decoder := laz.NewDecoder(s)
		decoder.Start(chunk, int(points))
		dst := make([]byte, 100*s.RecordSize())
		for err == nil && decoder.Left() > 0 {
			_, err = decoder.Read(dst)
		}
	})
}

func FuzzChunkTable(f *testing.F) {
	s, err := laz.NewScheme(6, 0, laz.Variable)
	assert.NilError(f, err)
	head := make([]byte, 8+60)
	head[0] = byte(len(head))
	f.Add(s.AppendTable(head, []laz.Chunk{{Bytes: 30, Points: 3}, {Bytes: 30, Points: 5}}), true, int64(8))
	f.Fuzz(func(t *testing.T, file []byte, variable bool, points int64) {
		size := uint32(laz.Variable)
		if !variable {
			size = 3
		}
		s, err := laz.NewScheme(6, 0, size)
		assert.NilError(t, err)
		if points < 0 {
			return
		}
		all, err := s.Chunks(bytes.NewReader(file), 0, int64(len(file)), points)
		if err != nil {
			return
		}
		sum := int64(0)
		for _, c := range all {
			assert.Assert(t, c.Offset >= 0 && c.Bytes >= 0 && c.Offset+c.Bytes <= int64(len(file)))
			sum += c.Points
		}
		assert.Equal(t, sum, points)
	})
}
