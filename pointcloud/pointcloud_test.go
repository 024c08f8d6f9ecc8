package pointcloud_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/las"
	"github.com/waygate/waygate/pointcloud/laz"
	"github.com/waygate/waygate/pointcloud/pointcloudtest"
	"github.com/waygate/waygate/realdata"
)

// TestDrawnFilesReadLikeTheReference writes files of the formats that laz-perf knows,
// with four scanner channels, and has it read them.
func TestDrawnFilesReadLikeTheReference(t *testing.T) {
	for _, format := range []int{0, 1, 2, 3, 6, 7, 8} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("format %d, seed %d", format, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, uint64(format)))
				extra, chunk := int(seed)*3, uint32(1000)
				if format == 7 {
					chunk = laz.Variable
				}
				points := pointcloudtest.Draw(r, format, extra, 3500)
				file, err := pointcloudtest.LAZ(format, extra, chunk, bytes.Clone(points))
				assert.NilError(t, err)
				path := filepath.Join(t.TempDir(), "drawn.laz")
				assert.NilError(t, os.WriteFile(path, file, 0o600))
				f := pointcloudtest.Open(t, path)
				pointcloudtest.Same(t, f.Header.RecordSize, pointcloudtest.Records(t, f), points)
				pointcloudtest.Same(t, f.Header.RecordSize, pointcloudtest.Reference(t, "records", path), points)
			})
		}
	}
}

// drawn returns a small compressed file of format 6 with its points.
func drawn(tb testing.TB) (file, points []byte) {
	tb.Helper()
	points = pointcloudtest.Draw(rand.New(rand.NewPCG(3, 3)), 6, 0, 2500)
	file, err := pointcloudtest.LAZ(6, 0, 1000, bytes.Clone(points))
	assert.NilError(tb, err)
	return file, points
}

// read opens bytes as a file and reads all its points.
func read(file []byte) (points int64, err error) {
	f, err := pointcloud.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return 0, err
	}
	s, err := f.Summarise(context.Background(), func(int64) {})
	return s.Points, err
}

// TestDamagedFiles wants an error that names the field, its value and its limit.
func TestDamagedFiles(t *testing.T) {
	good, _ := drawn(t)
	n, err := read(good)
	assert.NilError(t, err)
	assert.Equal(t, n, int64(2500))
	put := func(at int, v uint64, size int) func([]byte) []byte {
		return func(b []byte) []byte {
			var word [8]byte
			binary.LittleEndian.PutUint64(word[:], v)
			copy(b[at:at+size], word[:])
			return b
		}
	}
	start := int(binary.LittleEndian.Uint32(good[96:]))
	for _, c := range []struct {
		want string
		make func([]byte) []byte
	}{
		{"signature", put(0, 'X', 1)},
		{"version is 1.5", put(25, 5, 1)},
		{"header size is 300", put(94, 300, 2)},
		{"points start at byte 4294967295", put(96, 1<<32-1, 4)},
		{"number of variable length records is 5000", put(100, 5000, 4)},
		{"number of variable length records is 4294967295", put(100, 1<<32-1, 4)},
		{"variable length record 0 claims 65535 bytes", put(375+20, 65535, 2)},
		{"point format is 11", put(104, 11|128, 1)},
		{"point record length is 29", put(105, 29, 2)},
		{"point record length is 65535", put(105, 65535, 2)},
		{"LAZ items have 30 bytes", put(105, 31, 2)},
		{"1000000000 points need 1000000", put(247, 1_000_000_000, 8)},
		{"number of points is", put(247, 1<<63, 8)},
		{"scale of x is 0", put(131, 0, 8)},
		{"scale of y is NaN", put(139, 0x7ff8000000000001, 8)},
		{"offset of z", put(171, 0x7ff0000000000000, 8)},
		{"chunk table is at byte 99999999", put(start, 99_999_999, 8)},
		{"chunk table is at byte 1;", put(start, 1, 8)},
		{"chunk table is at byte", put(start, 1<<64-2, 8)},
		{"extended record 0 is at byte", func(b []byte) []byte { return put(243, 3, 4)(put(235, 1<<62, 8)(b)) }},
		{"number of extended records is 4294967295", put(243, 1<<32-1, 4)},
		{"chunk 0 at byte", func(b []byte) []byte { return append(b[:start+40:start+40], make([]byte, len(b)-start-40)...) }},
		{"bytes", func(b []byte) []byte { return b[:200] }},
		{"", func(b []byte) []byte { return b[:len(b)*2/3] }},
	} {
		_, err := read(c.make(bytes.Clone(good)))
		if c.want == "chunk 0 at byte" && err != nil {
			continue // the table is gone, or the points are
		}
		assert.ErrorContains(t, err, c.want)
	}
	plain := las.Header{Format: 0, RecordSize: 20, Points: 1_000_000_000, Scale: [3]float64{1, 1, 1}}
	file, err := plain.Append(nil, 0, 0)
	assert.NilError(t, err)
	_, err = read(append(file, make([]byte, 200)...))
	assert.ErrorContains(t, err, "claims 1000000000 points; the file has room for 10")
}

// TestEmptyFile has no points, as LASzip writes some: its table lists no chunks.
func TestEmptyFile(t *testing.T) {
	file, err := pointcloudtest.LAZ(6, 0, 1000, nil)
	assert.NilError(t, err)
	n, err := read(file)
	assert.NilError(t, err)
	assert.Equal(t, n, int64(0))
	binary.LittleEndian.PutUint64(file[247:], 10) // a table of zeros instead
	_, err = read(file)
	assert.ErrorContains(t, err, "0 chunks")
}

// TestSamplesAreAsTheirHeadersClaim sums up the points of real files.
func TestSamplesAreAsTheirHeadersClaim(t *testing.T) {
	for _, name := range pointcloudtest.Samples {
		f := pointcloudtest.Open(t, realdata.File(t, name))
		s, err := f.Summarise(context.Background(), func(int64) {})
		assert.NilError(t, err)
		assert.Check(t, s.Compare(f.Header), name)
	}
}

func TestReadStops(t *testing.T) {
	file, _ := drawn(t)
	f, err := pointcloud.Open(bytes.NewReader(file), int64(len(file)))
	assert.NilError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	err = f.Read(ctx, func([]byte) error { calls++; cancel(); return nil })
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, calls, 1)
	full := errors.New("full")
	assert.ErrorIs(t, f.Read(context.Background(), func([]byte) error { return full }), full)
}

func TestCompareNamesWhatTheHeaderClaims(t *testing.T) {
	file, _ := drawn(t)
	f, err := pointcloud.Open(bytes.NewReader(file), int64(len(file)))
	assert.NilError(t, err)
	s, err := f.Summarise(context.Background(), func(int64) {})
	assert.NilError(t, err)
	assert.ErrorContains(t, s.Compare(f.Header), "points have x from")
	f.Header.Min, f.Header.Max = s.Bounds()
	assert.ErrorContains(t, s.Compare(f.Header), "returns with number 1; the header claims 0")
	f.Header.Returns = s.Returns
	assert.NilError(t, s.Compare(f.Header))
	f.Header.Points++
	assert.ErrorContains(t, s.Compare(f.Header), "the header claims 2501")
}

func FuzzOpen(f *testing.F) {
	for format := range 11 {
		points := pointcloudtest.Draw(rand.New(rand.NewPCG(1, 1)), format, format%2, 20)
		file, err := pointcloudtest.LAZ(format, format%2, 8, points)
		assert.NilError(f, err)
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		cloud, err := pointcloud.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		points := 0
		_ = cloud.Read(ctx, func(b []byte) error {
			if points += len(b); points > 1<<20 {
				cancel()
			}
			return nil
		})
		_ = cloud.Header.ReadCRS()
	})
}

// BenchmarkDecode decompresses a real file; BenchmarkReference has laz-perf do the same,
// in processor time.
func BenchmarkDecode(b *testing.B) {
	f := pointcloudtest.Open(b, speed(b))
	before := processor(b)
	for b.Loop() {
		if err := f.Read(context.Background(), func([]byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(processor(b)-before)/float64(b.N)/float64(f.Header.Points), "ns/point")
}

// processor returns the time of processors that the process has used.
func processor(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	assert.NilError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func speed(tb testing.TB) string {
	tb.Helper()
	return realdata.File(tb, "pointcloud/lone-star.copc.laz")
}

func BenchmarkReference(b *testing.B) {
	path := speed(b)
	points := pointcloudtest.Open(b, path).Header.Points
	for b.Loop() {
		const times = 5
		out := pointcloudtest.Reference(b, "time", path, strconv.Itoa(times))
		ms, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(ms*1e6/times/float64(points), "ns/point")
	}
}
