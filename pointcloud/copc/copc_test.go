package copc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/las"
	"github.com/waygate/waygate/pointcloud/pointcloudtest"
	"github.com/waygate/waygate/realdata"
)

// open opens a COPC file until the test ends.
func open(t testing.TB, path string) *File {
	t.Helper()
	f, err := os.Open(path)
	assert.NilError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	info, err := f.Stat()
	assert.NilError(t, err)
	c, err := Open(f, info.Size())
	assert.NilError(t, err)
	return c
}

// sums lists the nodes of a file with checksums of the fields of their points, sorted, as
// the reference does.
func sums(t testing.TB, f *File) []string {
	t.Helper()
	nodes, err := f.Nodes(context.Background())
	assert.NilError(t, err)
	var all []string
	reader := f.Reader()
	for _, n := range nodes {
		b, err := reader.Read(context.Background(), nil, n)
		assert.NilError(t, err)
		sum := sha256.Sum256(pointcloudtest.Values(f.Header, b))
		line, err := json.Marshal(struct {
			Key    string `json:"key"`
			Points int    `json:"points"`
			SHA256 string `json:"sha256"`
		}{n.Key.String(), len(b) / f.Header.RecordSize, hex.EncodeToString(sum[:])})
		assert.NilError(t, err)
		all = append(all, string(line))
	}
	slices.Sort(all)
	return all
}

func referenceSums(t testing.TB, path string) []string {
	t.Helper()
	all := strings.Fields(string(pointcloudtest.Reference(t, "nodes", path)))
	slices.Sort(all)
	return all
}

func TestSampleNodesLikeTheReference(t *testing.T) {
	for _, name := range []string{"feeds/pointcloud/laspy-simple.copc.laz", "pointcloud/lone-star.copc.laz"} {
		path := realdata.File(t, name)
		f := open(t, path)
		assert.DeepEqual(t, sums(t, f), referenceSums(t, path))
		_, err := f.Verify(context.Background(), func(int64) {})
		assert.NilError(t, err)
	}
}

// small makes octrees of some levels out of a few thousand points, partly in files.
var small = limits{memory: 20_000, leaf: 500, sample: 300, page: 10}

// write writes a COPC file.
func write(t testing.TB, in *pointcloud.File, o Options) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "cloud.bin")
	out, err := os.Create(path)
	assert.NilError(t, err)
	o.Dir = dir
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
	_, err = Write(context.Background(), out, in, o)
	assert.NilError(t, err)
	assert.NilError(t, out.Close())
	entries, err := os.ReadDir(dir)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 1, "temporary files are left")
	return path
}

// sorted returns records in order.
func sorted(b []byte, size int) []byte {
	var all [][]byte
	for ; len(b) > 0; b = b[size:] {
		all = append(all, b[:size])
	}
	slices.SortFunc(all, bytes.Compare)
	return bytes.Join(all, nil)
}

// modern returns records as COPC has them.
func modern(h *las.Header, b []byte) (all []byte, size int) {
	size = las.FormatSize(las.Modern(h.Format)) + h.Extra()
	rec := make([]byte, size)
	for ; len(b) > 0; b = b[h.RecordSize:] {
		las.Modernise(rec, b[:h.RecordSize], h.Format)
		all = append(all, rec...)
	}
	return all, size
}

func TestWrittenSamplesHaveTheSamePoints(t *testing.T) {
	for _, name := range pointcloudtest.Samples {
		for kind, l := range map[string]limits{"usual": usual, "small": small} {
			t.Run(filepath.Base(name)+" "+kind, func(t *testing.T) {
				in := pointcloudtest.Open(t, realdata.File(t, name))
				path := write(t, in, Options{limits: l})
				out := open(t, path)
				_, err := out.Verify(context.Background(), func(int64) {})
				assert.NilError(t, err)
				want, size := modern(in.Header, pointcloudtest.Records(t, in))
				got := pointcloudtest.Records(t, out.File)
				assert.Equal(t, out.Header.RecordSize, size)
				pointcloudtest.Same(t, size, sorted(got, size), sorted(want, size))
				for i := range 3 {
					assert.Assert(t, out.Header.Min[i] >= in.Header.Min[i]-in.Header.Scale[i], "%v %v", out.Header.Min, in.Header.Min)
				}
				pointcloudtest.Same(t, size, got, pointcloudtest.Reference(t, "records", path))
				assert.DeepEqual(t, sums(t, out), referenceSums(t, path))
			})
		}
	}
}
