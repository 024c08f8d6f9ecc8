package pointcloud

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

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

	add := Add{Folder: dataset, WKT: system, File: source}
	assert.NilError(t, add.Run(t.Context()))
	bin := filepath.Join(dataset, "a-12-survey.bin")
	text, err := os.ReadFile(filepath.Join(dataset, "a-12-survey.json"))
	assert.NilError(t, err)
	made, err := sidecar.Read(bytes.NewReader(text))
	assert.NilError(t, err)
	assert.Equal(t, made.Points, int64(5000))
	assert.Equal(t, made.File.Name, "a-12-survey.bin")
	assert.Equal(t, made.Source.Name, "A 12 Survey.LAZ")
	assert.Equal(t, *made.CRS.Vertical.EPSG, 5701)
	assert.Equal(t, *made.CRS.WKT, wkt)
	assert.NilError(t, (&Verify{Files: []string{bin}}).Run(t.Context()))
	assert.NilError(t, (&Info{File: bin}).Run())

	assert.ErrorContains(t, add.Run(t.Context()), "--force")
	add.Force = true
	assert.NilError(t, add.Run(t.Context()))

	copied := Add{Folder: dataset, Name: "copied", File: bin}
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
		bad := Add{Folder: dataset, Name: name, File: source}
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
	add := Add{Folder: dataset, File: source}
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
	f, cloud, err := open(path)
	assert.NilError(t, err)
	defer f.Close()
	var out bytes.Buffer
	assert.NilError(t, describe(&out, f, cloud))
	for _, want := range []string{"LAZ, version 1.4", "100 of format 1, 28 bytes each", "vertical system    unknown", "laszip encoded 22204"} {
		assert.Assert(t, strings.Contains(out.String(), want), out.String())
	}
}
