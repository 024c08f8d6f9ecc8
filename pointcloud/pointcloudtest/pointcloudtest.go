// Package pointcloudtest has other readers of point clouds. It draws clouds for tests too.
package pointcloudtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/las"
)

// Samples are real files of most versions and formats, the first Small of them with few points.
var Samples = []string{
	"feeds/pointcloud/ahn_2386_9702.laz", "feeds/pointcloud/ahn_2397_9705.laz", "feeds/pointcloud/laspy-1_4_w_evlr.laz",
	"feeds/pointcloud/laspy-autzen_trim.laz", "feeds/pointcloud/laspy-simple.copc.laz", "feeds/pointcloud/laspy-simple.laz",
	"feeds/pointcloud/laspy-test1_4.las", "pointcloud/autzen_trim.las", "pointcloud/lone-star.copc.laz",
}

// Small is how many Samples have few points.
const Small = 7

// Reference runs laz-perf and copc from npm, and skips the test without them.
func Reference(tb testing.TB, arguments ...string) []byte {
	tb.Helper()
	dir := folder(tb)
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "laz-perf")); err != nil {
		tb.Skipf("no other reader to compare with: make pointcloud/testdata/node_modules (%v)", err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		tb.Skipf("no Node: %v", err)
	}
	var problems bytes.Buffer
	command := exec.CommandContext(tb.Context(), node, append([]string{filepath.Join(dir, "read.mjs")}, arguments...)...)
	command.Stderr = &problems
	out, err := command.Output()
	if err != nil {
		tb.Fatalf("%v: %s", err, problems.Bytes())
	}
	return out
}

// Open opens a file until the test ends.
func Open(tb testing.TB, path string) *pointcloud.File {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = f.Close() })
	info, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	cloud, err := pointcloud.Open(f, info.Size())
	if err != nil {
		tb.Fatal(err)
	}
	return cloud
}

// Records returns all points of a file.
func Records(tb testing.TB, f *pointcloud.File) (all []byte) {
	tb.Helper()
	err := f.Read(context.Background(), func(b []byte) error {
		all = append(all, b...)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// ValuesSize is the length of a point as Values writes it.
const ValuesSize = 17 * 8

// Values returns the fields of points as the reference writes them.
func Values(h *las.Header, records []byte) (all []byte) {
	for rec := records; len(rec) > 0; rec = rec[h.RecordSize:] {
		p := las.Decode(rec, h.Format)
		for _, v := range []float64{
			float64(p.X)*h.Scale[0] + h.Offset[0], float64(p.Y)*h.Scale[1] + h.Offset[1], float64(p.Z)*h.Scale[2] + h.Offset[2],
			float64(p.Intensity), float64(p.Return), float64(p.Returns), float64(p.ScanDirection), float64(p.EdgeOfLine), float64(p.Class),
			p.ScanAngle, float64(p.UserData), float64(p.SourceID), p.Time, float64(p.Red), float64(p.Green), float64(p.Blue), float64(p.NearInfrared),
		} {
			all = binary.LittleEndian.AppendUint64(all, math.Float64bits(v))
		}
	}
	return all
}

// Same compares lists of records of a length.
func Same(tb testing.TB, size int, got, want []byte) {
	tb.Helper()
	if len(got) != len(want) {
		tb.Fatalf("%d records, not %d", len(got)/size, len(want)/size)
	}
	for i := 0; i < len(got); i += size {
		if !bytes.Equal(got[i:i+size], want[i:i+size]) {
			tb.Fatalf("record %d of %d is\n%x, not\n%x", i/size, len(got)/size, got[i:i+size], want[i:i+size])
		}
	}
}

// folder returns the one with the program that reads point clouds in another way.
func folder(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "pointcloud", "testdata")
		if _, err := os.Stat(filepath.Join(path, "read.mjs")); err == nil {
			return path
		}
	}
	tb.Fatal("no pointcloud/testdata/read.mjs above the test")
	return ""
}
