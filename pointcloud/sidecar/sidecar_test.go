package sidecar_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/pointcloud/pointcloudtest"
	"github.com/waygate/waygate/pointcloud/sidecar"
	"github.com/waygate/waygate/realdata"
)

// TestSamplesAreDescribed compares a sidecar with what is known of a real file.
func TestSamplesAreDescribed(t *testing.T) {
	path := realdata.File(t, "feeds/pointcloud/laspy-simple.copc.laz")
	made, err := sidecar.Describe(context.Background(), path, "simple.bin", func(int64, int64) {})
	assert.NilError(t, err)
	assert.Equal(t, made.Points, int64(1065))
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	sum256 := sha256.Sum256(data)
	assert.DeepEqual(t, made.File, sidecar.Digest{Name: "simple.bin", Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum256[:])})
	header := pointcloudtest.Open(t, path).Header
	for i := range 3 {
		assert.Assert(t, math.Abs(made.Bounds.Min[i]-header.Min[i]) < 1e-6 && math.Abs(made.Bounds.Max[i]-header.Max[i]) < 1e-6, "%v", made.Bounds)
	}
	assert.Equal(t, *made.CRS.Horizontal.EPSG, 2991)
	assert.Equal(t, *made.CRS.Horizontal.UnitMetres, 1.)
	assert.Equal(t, *made.CRS.Vertical.EPSG, 6360)
	assert.Equal(t, *made.CRS.Vertical.UnitMetres, 0.304800609601219)
	assert.Assert(t, made.SurveyDates == nil, "times are of an unknown week")
	sum := int64(0)
	for _, n := range made.Classes {
		sum += n
	}
	assert.Equal(t, sum, made.Points)

	text, err := json.Marshal(made)
	assert.NilError(t, err)
	again, err := sidecar.Read(bytes.NewReader(text))
	assert.NilError(t, err)
	assert.DeepEqual(t, again, made)
	assert.NilError(t, again.Compare(made))
	again.Points++
	assert.ErrorContains(t, again.Compare(made), "1066")
	again.File.SHA256 = "0"
	assert.ErrorContains(t, again.Compare(made), "checksum")
	again.File.Bytes = 1
	assert.ErrorContains(t, again.Compare(made), "claims 1")
}

// TestSurveyDates is about a file with standard times, whose header says so.
func TestSurveyDates(t *testing.T) {
	path := realdata.File(t, "pointcloud/lone-star.copc.laz")
	header := pointcloudtest.Open(t, path).Header
	made, err := sidecar.Describe(context.Background(), path, "star.bin", func(int64, int64) {})
	assert.NilError(t, err)
	assert.Equal(t, made.SurveyDates != nil, header.StandardTime() && made.GPSTime != nil)
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	data[6] |= 1 // of the global encoding
	standard := filepath.Join(t.TempDir(), "standard")
	assert.NilError(t, os.WriteFile(standard, data, 0o600))
	made, err = sidecar.Describe(context.Background(), standard, "star.bin", func(int64, int64) {})
	assert.NilError(t, err)
	if made.GPSTime != nil {
		assert.Assert(t, made.SurveyDates != nil)
		from, to, _ := strings.Cut(*made.SurveyDates, "/")
		assert.Assert(t, from >= "1980-01-06" && from <= to, *made.SurveyDates)
	}
}

func TestSidecarsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "sidecar",
		"[]":                  "sidecar",
		`{"format": "las"}`:   `"las"`,
		`{"points": 1.5e300}`: "points",
		`{"format": "copc-1.0", "left_out": ["` + strings.Repeat("x", 1<<20) + `"]}`: "1048576",
	} {
		_, err := sidecar.Read(strings.NewReader(text))
		assert.ErrorContains(t, err, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"format": "copc-1.0", "file": {"bytes": 3}, "crs": {"vertical": {"epsg": 5}}, "classes": {"2": 1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := sidecar.Read(bytes.NewReader(text)); err == nil {
			same := *s
			assert.NilError(t, s.Compare(&same))
		}
	})
}
