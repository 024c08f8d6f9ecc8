package copc

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/las"
	"github.com/waygate/waygate/pointcloud/pointcloudtest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/soaktest"
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
		var b []byte
		assert.NilError(t, reader.Read(context.Background(), n, func(part []byte) error {
			b = append(b, part...)
			return nil
		}))
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
var small = limits{memory: 2000, leaf: 100, sample: 60, page: 10}

// write writes a COPC file.
func write(t testing.TB, in *pointcloud.File, o Options) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "cloud.bin")
	out, err := os.Create(path)
	assert.NilError(t, err)
	o.Dir = dir
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
	size = las.FormatSize(las.ExtendedFormat(h.Format)) + h.Extra()
	rec := make([]byte, size)
	for ; len(b) > 0; b = b[h.RecordSize:] {
		las.Modernise(rec, b[:h.RecordSize], h.Format)
		all = append(all, rec...)
	}
	return all, size
}

func TestWrittenSamplesHaveTheSamePoints(t *testing.T) {
	for _, name := range soaktest.First(pointcloudtest.Small, pointcloudtest.Samples) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			in := pointcloudtest.Open(t, realdata.File(t, name))
			path := write(t, in, Options{})
			samePoints(t, in, path)
			out := open(t, path)
			pointcloudtest.Same(t, out.Header.RecordSize, pointcloudtest.Records(t, out.File), pointcloudtest.Reference(t, "records", path))
			assert.DeepEqual(t, sums(t, out), referenceSums(t, path))
		})
	}
}

// samePoints checks a written file, and that it has the points that it was made from.
func samePoints(t testing.TB, in *pointcloud.File, path string) {
	t.Helper()
	out := open(t, path)
	_, err := out.Verify(context.Background(), func(int64) {})
	assert.NilError(t, err)
	want, size := modern(in.Header, pointcloudtest.Records(t, in))
	assert.Equal(t, out.Header.RecordSize, size)
	pointcloudtest.Same(t, size, sorted(pointcloudtest.Records(t, out.File), size), sorted(want, size))
}

// TestDrawnCloudsHaveTheSamePoints writes clouds of all formats with several levels and
// pages, partly divided in files; one has all its points at a place, and one along a line.
func TestDrawnCloudsHaveTheSamePoints(t *testing.T) {
	for format := range 11 {
		r := rand.New(rand.NewPCG(5, uint64(format)))
		records := pointcloudtest.Draw(r, format, format%3, 6000)
		size := las.FormatSize(format) + format%3
		for at := 0; at < len(records); at += size {
			switch format {
			case 6: // a place
				clear(records[at : at+12])
			case 7: // a line
				copy(records[at+4:], records[at:at+4])
				copy(records[at+8:], records[at:at+4])
			default:
				for i := range 3 {
					le.PutUint32(records[at+4*i:], r.Uint32N(100_000)>>i)
				}
			}
		}
		file, err := pointcloudtest.LAZ(format, format%3, 1000, bytes.Clone(records))
		assert.NilError(t, err)
		in, err := pointcloud.Open(bytes.NewReader(file), int64(len(file)))
		assert.NilError(t, err)
		l := small
		if format == 6 {
			l.memory = 6000
		}
		path := write(t, in, Options{limits: l})
		samePoints(t, in, path)
		if format == 8 {
			assert.DeepEqual(t, sums(t, open(t, path)), referenceSums(t, path))
		}
		nodes, err := open(t, path).Nodes(context.Background())
		assert.NilError(t, err)
		if format != 6 {
			assert.Assert(t, len(nodes) > small.page, "format %d: %d nodes", format, len(nodes))
		}
		for _, n := range nodes {
			assert.Assert(t, n.Points <= int64(max(small.leaf, small.sample)) || n.Key.Level >= deepest, "node %s has %d points", n.Key, n.Points)
		}
	}
}

func TestPlaceWithTooManyPoints(t *testing.T) {
	file, err := pointcloudtest.LAZ(0, 0, 1000, make([]byte, 20*3000))
	assert.NilError(t, err)
	in, err := pointcloud.Open(bytes.NewReader(file), int64(len(file)))
	assert.NilError(t, err)
	out, err := os.Create(filepath.Join(t.TempDir(), "cloud"))
	assert.NilError(t, err)
	defer out.Close()
	_, err = Write(context.Background(), out, in, Options{Dir: t.TempDir(), limits: limits{memory: 1000, leaf: 100, sample: 100, page: 10}})
	assert.ErrorContains(t, err, "the limit is 1000")
}

// cloud returns a small COPC file, and where its hierarchy begins.
func cloud(tb testing.TB) (file []byte, hierarchy int) {
	tb.Helper()
	records := pointcloudtest.Draw(rand.New(rand.NewPCG(8, 8)), 7, 0, 3000)
	source, err := pointcloudtest.LAZ(7, 0, 1000, records)
	assert.NilError(tb, err)
	in, err := pointcloud.Open(bytes.NewReader(source), int64(len(source)))
	assert.NilError(tb, err)
	l := small
	l.page = 1000
	file, err = os.ReadFile(write(tb, in, Options{limits: l}))
	assert.NilError(tb, err)
	return file, int(le.Uint64(file[las.Header14Size+recordHead+40:]))
}

// check reads all of a COPC file.
func check(file []byte) error {
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return err
	}
	_, err = f.Verify(context.Background(), func(int64) {})
	return err
}

// TestHierarchiesInAnyOrder has the root page at the end of the file, behind the one it leads to, and
// a node without points, as other writers leave them.
func TestHierarchiesInAnyOrder(t *testing.T) {
	file, _ := cloud(t)
	in, err := Open(bytes.NewReader(file), int64(len(file)))
	assert.NilError(t, err)
	nodes, err := in.Nodes(t.Context())
	assert.NilError(t, err)
	assert.Assert(t, len(nodes) > 3, "%d nodes", len(nodes))
	var root, below []byte
	pages := []page{{in.Info.RootOffset, in.Info.RootSize}}
	for len(pages) > 0 {
		entries, err := in.entries(pages[0])
		assert.NilError(t, err)
		for pages = pages[1:]; len(entries) > 0; entries = entries[entrySize:] {
			n, err := in.entry(entries)
			assert.NilError(t, err)
			switch {
			case n.Points < 0:
				pages = append(pages, page{n.Offset, n.Size})
			case n.Key.Level == 0:
				root = append(root, entries[:entrySize]...)
			default:
				below = append(below, entries[:entrySize]...)
			}
		}
	}
	empty := make([]byte, entrySize)
	copy(empty, below[len(below)-entrySize:][:16])
	le.PutUint32(empty, le.Uint32(empty)+1) // a level further down, in the same corner
	for i := 4; i < 16; i += 4 {
		le.PutUint32(empty[i:], 2*le.Uint32(empty[i:]))
	}
	below = append(below, empty...)
	toBelow := bytes.Clone(empty)
	at := int64(len(file))
	le.PutUint64(toBelow[16:], uint64(at))
	le.PutUint32(toBelow[24:], uint32(len(below)))
	le.PutUint32(toBelow[28:], 1<<32-1)
	root = append(root, toBelow...)
	file = append(append(file, below...), root...)
	info := las.Header14Size + recordHead
	le.PutUint64(file[info+40:], uint64(at)+uint64(len(below)))
	le.PutUint64(file[info+48:], uint64(len(root)))
	again, err := Open(bytes.NewReader(file), int64(len(file)))
	assert.NilError(t, err)
	got, err := again.Nodes(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, len(got), len(nodes))
}

func TestDamagedHierarchies(t *testing.T) {
	good, at := cloud(t)
	assert.NilError(t, check(good))
	info := las.Header14Size + recordHead
	for _, c := range []struct {
		want  string
		at    int
		value uint64
		size  int
	}{
		{"not a COPC file", las.Header14Size + 2, 'x', 1},
		{"half size of the octree is 0", info + 24, 0, 8},
		{"page of the hierarchy is at byte", info + 40, 1 << 62, 8},
		{"with 33 bytes", info + 48, 33, 8},
		{"page of the hierarchy", info + 48, 1 << 40, 8},
		{"node 99-", at, 99, 4},
		{"node 0-5-", at + 4, 5, 4},
		{"claims 2000000000 points", at + 28, 2_000_000_000, 4},
		{"claims", at + 28, 1<<32 - 5, 4},
		{"bytes at byte", at + 16, 1 << 50, 8},
		{"bytes at byte", at + 24, 1<<31 - 1, 4},
		{"the header claims 3000", at + 28, 1, 4},
		{"outside of its cube", info + 24, 0x3ff0000000000000, 8},
		{"returns with number 1", 255, 1, 8},
		{"the header claims", 179, 0, 8},
	} {
		var word [8]byte
		le.PutUint64(word[:], c.value)
		bad := bytes.Clone(good)
		copy(bad[c.at:c.at+c.size], word[:])
		assert.ErrorContains(t, check(bad), c.want)
	}
	// A page that leads to itself.
	bad := bytes.Clone(good)
	copy(bad[at+16:], good[info+40:info+48])
	le.PutUint32(bad[at+24:], uint32(le.Uint64(good[info+48:])))
	le.PutUint32(bad[at+28:], 1<<32-1)
	assert.Assert(t, check(bad) != nil)
	bad = bytes.Clone(good)
	copy(bad[at+entrySize:], good[at:at+entrySize])
	assert.ErrorContains(t, check(bad), "twice")
	assert.Assert(t, check(good[:len(good)-entrySize]) != nil)
}

func TestWriteStops(t *testing.T) {
	file, _ := cloud(t)
	in, err := pointcloud.Open(bytes.NewReader(file), int64(len(file)))
	assert.NilError(t, err)
	for _, stage := range []string{"reading", "writing"} {
		dir := t.TempDir()
		out, err := os.Create(filepath.Join(dir, "cloud"))
		assert.NilError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		_, err = Write(ctx, out, in, Options{Dir: dir, limits: small, Progress: func(now string, _, _ int64) {
			if now == stage {
				cancel()
			}
		}})
		assert.ErrorIs(t, err, context.Canceled)
		assert.NilError(t, out.Close())
		entries, err := os.ReadDir(dir)
		assert.NilError(t, err)
		assert.Equal(t, len(entries), 1, "temporary files are left")
	}
}

func FuzzOpen(f *testing.F) {
	file, _ := cloud(f)
	f.Add(file)
	f.Fuzz(func(t *testing.T, file []byte) {
		c, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		nodes, err := c.Nodes(context.Background())
		if err != nil {
			return
		}
		reader := c.Reader()
		for _, n := range nodes[:min(len(nodes), 10)] {
			if n.Points < 10_000 {
				_ = reader.Read(context.Background(), n, func([]byte) error { return nil })
			}
		}
	})
}

// BenchmarkWrite writes a drawn survey of WAYGATE_POINTS points, a million by default.
func BenchmarkWrite(b *testing.B) {
	points := 1_000_000
	if text := os.Getenv("WAYGATE_POINTS"); text != "" {
		var err error
		points, err = strconv.Atoi(text)
		assert.NilError(b, err)
	}
	dir := b.TempDir()
	source, err := os.Create(filepath.Join(dir, "source.las"))
	assert.NilError(b, err)
	defer source.Close()
	assert.NilError(b, survey(source, points))
	info, err := source.Stat()
	assert.NilError(b, err)
	in, err := pointcloud.Open(source, info.Size())
	assert.NilError(b, err)
	for b.Loop() {
		write(b, in, Options{})
	}
}

// survey writes a file of format 7 with lines of flight over hills and houses.
func survey(w io.Writer, points int) error {
	h := las.Header{Format: 7, RecordSize: 36, Points: int64(points), Scale: [3]float64{0.001, 0.001, 0.001}}
	file, err := h.Append(nil, 0, 0)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<20)
	_, err = out.Write(file)
	side := math.Sqrt(float64(points) / 8) // eight to a square metre
	r := rand.New(rand.NewPCG(1, 1))
	rec := make([]byte, 36)
	for i := range points {
		if err != nil {
			return err
		}
		along := float64(i) / float64(points) * 10
		x := math.Abs(math.Mod(along, 2)-1) * side
		y := (math.Floor(along) + r.Float64()) * side / 10
		z := 20*math.Sin(x/90)*math.Cos(y/70) + 6*math.Max(0, math.Sin(x/5)*math.Sin(y/7)) + r.NormFloat64()*0.02
		for j, v := range []float64{x, y, z} {
			le.PutUint32(rec[4*j:], uint32(int32(v*1000)))
		}
		le.PutUint16(rec[12:], uint16(r.IntN(2000)))
		rec[14], rec[16] = 0x11, byte(2+i/1000%4)
		le.PutUint16(rec[18:], uint16(int16(r.IntN(6000)-3000)))
		le.PutUint64(rec[22:], math.Float64bits(3e8+float64(i)*2e-6))
		for j := 30; j < 36; j += 2 {
			le.PutUint16(rec[j:], uint16(r.IntN(60)<<8))
		}
		_, err = out.Write(rec)
	}
	return errors.Join(err, out.Flush())
}
