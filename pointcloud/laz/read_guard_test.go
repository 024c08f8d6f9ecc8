package laz_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/pointcloud/laz"
	"github.com/waygate/waygate/pointcloud/pointcloudtest"
)

// TestReadOfLittle reads with room for no point, for one, for one and a half and for more than
// there are: Read returns how many points it has written, writes no more, and Left says the rest.
func TestReadOfLittle(t *testing.T) {
	for format := range 11 {
		s := versioned(t, format, 1, 3)
		points := pointcloudtest.Draw(rand.New(rand.NewPCG(7, uint64(format))), format, 1, 5)
		chunk, size := laz.NewEncoder(s).Append(nil, bytes.Clone(points)), s.RecordSize()
		decoder := laz.NewDecoder(s)
		decoder.Start(chunk, 5)
		var got []byte
		left := 5
		for _, room := range []int{0, size - 1, size, size + size/2, 0, size - 1, 10 * size, size, 0} {
			want := min(room/size, left)
			dst := bytes.Repeat([]byte{0xa5}, room)
			n, err := decoder.Read(dst)
			assert.NilError(t, err)
			assert.Equal(t, n, want, "format %d, room for %d bytes, %d left", format, room, left)
			left -= n
			assert.Equal(t, decoder.Left(), left)
			assert.Assert(t, bytes.Equal(dst[n*size:], bytes.Repeat([]byte{0xa5}, room-n*size)), "format %d: it writes behind its %d points", format, n)
			got = append(got, dst[:n*size]...)
		}
		pointcloudtest.Same(t, size, got, points)
	}
}

// TestChunksTooShort has a chunk cut off after each of its bytes: nothing that is cut off within
// its first point or its head is taken, nor one that has fewer points than are claimed.
func TestChunksTooShort(t *testing.T) {
	for format := range 11 {
		s := versioned(t, format, 0, 3)
		points := pointcloudtest.Draw(rand.New(rand.NewPCG(8, uint64(format))), format, 0, 1)
		chunk := laz.NewEncoder(s).Append(nil, bytes.Clone(points))
		decoder := laz.NewDecoder(s)
		dst := make([]byte, 2*s.RecordSize())
		for cut := range s.RecordSize() {
			decoder.Start(chunk[:cut], 1)
			n, err := decoder.Read(dst)
			assert.ErrorContains(t, err, "LAZ", "format %d cut off after %d of %d bytes", format, cut, len(chunk))
			assert.Equal(t, n, 0)
			assert.Equal(t, decoder.Left(), 1)
		}
		decoder.Start(chunk, 1)
		n, err := decoder.Read(dst)
		assert.NilError(t, err)
		assert.Equal(t, n, 1)
		pointcloudtest.Same(t, s.RecordSize(), dst[:s.RecordSize()], points)
		if format >= 6 {
			decoder.Start(chunk, 2)
			_, err = decoder.Read(dst)
			assert.ErrorContains(t, err, "LAZ")
		}
	}
}
