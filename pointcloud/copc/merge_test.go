package copc

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/pointcloudtest"
)

// TestMerge divides drawn points of formats 6 and 7 into files that share some, and compares
// the one that is made of them with all points and with what another reader finds.
func TestMerge(t *testing.T) {
	var in []*pointcloud.File
	var want []byte
	const size = 36 + 1
	for i, format := range []int{7, 6, 7} {
		records := pointcloudtest.Draw(rand.New(rand.NewPCG(45, uint64(i%2))), format, 1, 3000) // the last is drawn as the first
		file, err := pointcloudtest.LAZ(format, 1, 1000, records)
		assert.NilError(t, err)
		f, err := pointcloud.Open(bytes.NewReader(file), int64(len(file)))
		assert.NilError(t, err)
		for a := range 3 {
			f.Header.Min[a], f.Header.Max[a] = -1e6, 1e6 // which the drawing leaves out
		}
		in = append(in, f)
		all, own := modern(f.Header, pointcloudtest.Records(t, f))
		for ; len(all) > 0; all = all[own:] {
			rec := make([]byte, size)
			copy(rec, all[:30])
			if format == 7 {
				copy(rec[30:36], all[30:36])
			}
			rec[36] = all[own-1]
			want = append(want, rec...)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "cloud.bin")
	out, err := os.Create(path)
	assert.NilError(t, err)
	made, err := Merge(context.Background(), out, in, Options{Dir: dir, limits: small})
	assert.NilError(t, err)
	assert.NilError(t, out.Close())
	assert.Assert(t, made.Repeated >= 1, "the points that two files share are not counted")
	f := open(t, path)
	_, err = f.Verify(context.Background(), func(int64) {})
	assert.NilError(t, err)
	assert.Equal(t, f.Header.Format, 7)
	pointcloudtest.Same(t, size, sorted(pointcloudtest.Records(t, f.File), size), sorted(want, size))
	assert.DeepEqual(t, sums(t, f), referenceSums(t, path))
}
