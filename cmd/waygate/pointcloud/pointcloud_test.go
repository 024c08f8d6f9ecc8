package pointcloud

import (
	"bytes"
	"context"
	le "encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/las"
	"github.com/waygate/waygate/pointcloud/pointcloudtest"
	"github.com/waygate/waygate/pointcloud/sidecar"
)

const wkt = `COMPD_CS["OSGB36 + ODN",PROJCS["OSGB36 / British National Grid",UNIT["metre",1],AUTHORITY["EPSG","27700"]],VERT_CS["ODN height",UNIT["metre",1],AUTHORITY["EPSG","5701"]]]`

// TestAdd converts a drawn survey, checks it, converts the result again as it is, and
// finds a changed byte.
func TestAdd(t *testing.T) {
	dir, dataset := t.TempDir(), t.TempDir()
	records := pointcloudtest.Draw(rand.New(rand.NewPCG(4, 4)), 3, 1, 5000)
	file, err := pointcloudtest.LAZ(3, 1, 1000, records)
	assert.NilError(t, err)
	source, system := filepath.Join(dir, "A 12 Survey.LAZ"), filepath.Join(dir, "system.wkt")
	assert.NilError(t, os.WriteFile(source, file, 0o600))
	assert.NilError(t, os.WriteFile(system, []byte(wkt+"\n"), 0o600))

	add := Add{Folder: dataset, WKT: system, Files: []string{source}}
	assert.NilError(t, os.RemoveAll(dataset))
	assert.NilError(t, add.Run(t.Context())) // makes the folder
	bin := filepath.Join(dataset, "a-12-survey.bin")
	text, err := os.ReadFile(filepath.Join(dataset, "a-12-survey.json"))
	assert.NilError(t, err)
	made, err := sidecar.Read(bytes.NewReader(text))
	assert.NilError(t, err)
	assert.Equal(t, made.Points, int64(5000))
	assert.Equal(t, made.File.Name, "a-12-survey.bin")
	assert.Equal(t, made.Sources[0].Name, "A 12 Survey.LAZ")
	assert.Equal(t, *made.CRS.Vertical.EPSG, 5701)
	assert.Equal(t, *made.CRS.WKT, wkt)
	assert.NilError(t, (&Verify{Files: []string{bin}}).Run(t.Context()))
	assert.NilError(t, (&Info{File: bin}).Run())

	assert.ErrorContains(t, add.Run(t.Context()), "--force")
	add.Force = true
	assert.NilError(t, add.Run(t.Context()))

	copied := Add{Folder: dataset, Name: "copied", Files: []string{bin}}
	assert.NilError(t, copied.Run(t.Context()))
	a, err := os.ReadFile(bin)
	assert.NilError(t, err)
	b, err := os.ReadFile(filepath.Join(dataset, "copied.bin"))
	assert.NilError(t, err)
	assert.Assert(t, bytes.Equal(a, b))

	a[60] = 'x' // of the header's text, which changes no point
	assert.NilError(t, os.WriteFile(bin, a, 0o600))
	assert.ErrorContains(t, (&Verify{Files: []string{bin}}).Run(t.Context()), "checksum")
	for _, name := range []string{"../up", "A", "-", "a/b", strings.Repeat("x", 101)} {
		bad := Add{Folder: dataset, Name: name, Files: []string{source}}
		assert.ErrorContains(t, bad.Run(t.Context()), "--name")
	}
	entries, err := os.ReadDir(dataset)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 4, "%v", entries)
}

// TestAddLeavesNothingOfWhatFails is about damaged sources and a run that is ended.
func TestAddLeavesNothingOfWhatFails(t *testing.T) {
	dir, dataset := t.TempDir(), t.TempDir()
	records := pointcloudtest.Draw(rand.New(rand.NewPCG(4, 4)), 6, 0, 5000)
	file, err := pointcloudtest.LAZ(6, 0, 1000, records)
	assert.NilError(t, err)
	source := filepath.Join(dir, "cut.laz")
	assert.NilError(t, os.WriteFile(source, file[:len(file)/2], 0o600))
	add := Add{Folder: dataset, Files: []string{source}}
	assert.ErrorContains(t, add.Run(t.Context()), "chunk table")
	assert.NilError(t, os.WriteFile(source, file, 0o600))
	ended, end := context.WithCancel(t.Context())
	end()
	assert.ErrorIs(t, add.Run(ended), context.Canceled)
	entries, err := os.ReadDir(dataset)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 0)
}

func TestDescribe(t *testing.T) {
	records := pointcloudtest.Draw(rand.New(rand.NewPCG(4, 4)), 1, 0, 100)
	file, err := pointcloudtest.LAZ(1, 0, 1000, records)
	assert.NilError(t, err)
	path := filepath.Join(t.TempDir(), "small.laz")
	assert.NilError(t, os.WriteFile(path, file, 0o600))
	f, cloud, err := files.Open(path, pointcloud.Open)
	assert.NilError(t, err)
	defer f.Close()
	var out bytes.Buffer
	assert.NilError(t, describe(&out, f, cloud))
	for _, want := range []string{"LAZ, version 1.4", "100 of format 1, 28 bytes each", "vertical system    unknown", "laszip encoded 22204"} {
		assert.Assert(t, strings.Contains(out.String(), want), out.String())
	}
}

// laz writes a file of format 6 with points at places, in steps, and returns its path.
func laz(t *testing.T, name string, change func(h *las.Header), places ...[3]int32) string {
	t.Helper()
	var records []byte
	for _, p := range places {
		rec := make([]byte, 30)
		for axis, v := range p {
			le.LittleEndian.PutUint32(rec[4*axis:], uint32(v))
		}
		rec[14] = 0x11
		records = append(records, rec...)
	}
	h := las.Header{Format: 6, RecordSize: 30, Points: int64(len(places)), Scale: [3]float64{0.01, 0.01, 0.01}, Offset: [3]float64{500_000, 100_000, 0}}
	change(&h)
	for i := range 3 {
		h.Min[i], h.Max[i] = math.Inf(1), math.Inf(-1)
		for _, p := range places {
			v := float64(p[i])*h.Scale[i] + h.Offset[i]
			h.Min[i], h.Max[i] = min(h.Min[i], v), max(h.Max[i], v)
		}
	}
	h.Returns[0] = h.Points
	file, err := h.Append(nil, 0, 0)
	assert.NilError(t, err)
	path := filepath.Join(t.TempDir(), name)
	assert.NilError(t, os.WriteFile(path, append(file, records...), 0o600))
	return path
}

// TestTilesBecomeOneCloud joins tiles of other scales and offsets that overlap.
func TestTilesBecomeOneCloud(t *testing.T) {
	same := func(*las.Header) {}
	west := laz(t, "west.las", same, [3]int32{0, 0, 100}, [3]int32{10_000, 5, 200}, [3]int32{10_000, 5, 200})
	// The same place as the last two of west, in millimetres from another origin, and another one.
	east := laz(t, "east.las", func(h *las.Header) {
		h.Scale, h.Offset = [3]float64{0.001, 0.001, 0.001}, [3]float64{500_100, 100_000, 0}
	}, [3]int32{0, 50, 2000}, [3]int32{1, 51, 2001})
	dataset := t.TempDir()
	add := Add{Folder: dataset, Name: "a12", CRS: "EPSG:27700+5701", Files: []string{west, east}}
	assert.NilError(t, add.Run(t.Context()))
	f, err := os.Open(filepath.Join(dataset, "a12.json"))
	assert.NilError(t, err)
	defer f.Close()
	made, err := sidecar.Read(f)
	assert.NilError(t, err)
	assert.Equal(t, made.Points, int64(5))
	assert.Equal(t, *made.Repeated, int64(2))
	assert.DeepEqual(t, made.Scale, [3]float64{0.001, 0.001, 0.001})
	assert.DeepEqual(t, made.LeftOut, []string{})
	assert.Equal(t, len(made.Sources), 2)
	assert.Equal(t, *made.CRS.Horizontal.EPSG, 27700)
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-6 }
	assert.Assert(t, near(made.Bounds.Max[0], 500_100.001) && near(made.Bounds.Max[1], 100_000.051) && near(made.Bounds.Max[2], 2.001), "%v", made.Bounds)
	box := made.WGS84
	assert.Assert(t, box != nil && box[0] > -0.6 && box[0] < -0.5 && box[0] < box[2] && box[1] > 50.7 && box[3] < 50.9, "%v", box)

	// Half steps cannot be kept, which is said.
	odd := laz(t, "odd.las", func(h *las.Header) { h.Offset[0] += 0.005 }, [3]int32{1, 2, 3})
	assert.NilError(t, (&Add{Folder: dataset, Name: "odd", CRS: "EPSG:27700", Files: []string{west, odd}}).Run(t.Context()))
	text, err := os.ReadFile(filepath.Join(dataset, "odd.json"))
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains(string(text), "half a step (0.005, 0.005, 0.005) of the coordinates of 1 points"), "%s", text)

	far := laz(t, "far.las", func(h *las.Header) { h.Offset[0] = 1e9 }, [3]int32{1, 2, 3})
	feet := laz(t, "feet.las", func(h *las.Header) {
		h.GlobalEncoding = 1
	}, [3]int32{1, 2, 4})
	system := laz(t, "system.las", func(h *las.Header) { assert.NilError(t, h.SetWKT(wkt)) }, [3]int32{1, 2, 5})
	for _, c := range []struct {
		add  Add
		want string
	}{
		{Add{Files: []string{west, east}}, "--name is needed"},
		{Add{Name: "x", Files: []string{west, west}}, "the same file"},
		{Add{Name: "x", Files: []string{west, far}}, "too much for steps"},
		{Add{Name: "x", Files: []string{west, feet}}, "times of different kinds"},
		{Add{Name: "x", Files: []string{west, system}}, "horizontal system"},
		{Add{Name: "x", CRS: "EPSG:1", Files: []string{west}}, "--crs: EPSG:1 is not"},
		{Add{Name: "x", Files: []string{west, filepath.Join(dataset, "a12.json")}}, "a12.json"},
	} {
		c.add.Folder = dataset
		assert.ErrorContains(t, c.add.Run(t.Context()), c.want)
	}
	entries, err := os.ReadDir(dataset)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 4, "%v", entries)
}

// TestDegrees is about clouds across the antimeridian, and those whose system is not known.
func TestDegrees(t *testing.T) {
	code := 32660 // UTM zone 60, which ends there
	s := &sidecar.Sidecar{CRS: sidecar.CRS{Horizontal: &sidecar.System{EPSG: &code}}, Bounds: sidecar.Bounds{Min: [3]float64{700_000, 1_000_000}, Max: [3]float64{900_000, 1_100_000}}}
	box := degrees(s)
	assert.Assert(t, box != nil && box[0] > 178 && box[0] < 180 && box[2] < -179 && box[1] < box[3], "%v", box)
	code = 2056
	assert.Assert(t, degrees(s) == nil)
	s.CRS.Horizontal = nil
	assert.Assert(t, degrees(s) == nil)
}
