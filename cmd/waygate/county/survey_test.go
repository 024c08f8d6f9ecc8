package county_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/cmd/waygate/county"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/sample"
)

// TestSurvey draws the survey and finds what is over the lane in the artefact.
func TestSurvey(t *testing.T) {
	dir, s := t.TempDir(), sample.Generate()
	var before, after syscall.Rusage
	assert.NilError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &before))
	assert.NilError(t, county.WriteSurvey(t.Context(), dir, s))
	assert.NilError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &after))
	t.Logf("processor time %.2f s", float64(after.Utime.Nano()+after.Stime.Nano()-before.Utime.Nano()-before.Stime.Nano())/1e9)
	text, err := os.ReadFile(filepath.Join(dir, "manifests", county.SurveyName+".json"))
	assert.NilError(t, err)
	m, err := pointclouds.ReadManifest(text)
	assert.NilError(t, err)
	assert.Assert(t, m.Public && len(m.Files) == 2 && m.Files["survey.bin"] < 8<<20, "%+v", m)
	f, err := os.Open(filepath.Join(dir, county.SurveyName, "roads.clearance"))
	assert.NilError(t, err)
	defer f.Close()
	info, err := f.Stat()
	assert.NilError(t, err)
	a, err := artefact.Open(f, info.Size())
	assert.NilError(t, err)
	states, kinds, lowest := map[artefact.State]int{}, map[artefact.Kind]int{}, 9.0
	beside := map[artefact.Kind]int{}
	assert.NilError(t, a.Each(t.Context(), func(_ artefact.Entry, tile *artefact.Tile) error {
		for i := range artefact.TileCells * artefact.TileCells {
			c, ok := tile.Cell(i%artefact.TileCells, i/artefact.TileCells)
			if ok && c.State() == artefact.Insufficient {
				beside[c.Kind]++
			}
			if ok && c.Lane > 0 {
				states[c.State()]++
				kinds[c.Kind]++
				if c.State() == artefact.Measured {
					lowest = min(lowest, c.Headroom)
				}
			}
		}
		return nil
	}))
	t.Log(states, kinds, beside, lowest, m.Files, a.Header.QA.Points)
	assert.Assert(t, states[artefact.Free] > 2500 && kinds[artefact.Structure] > 350 && kinds[artefact.Wire] > 60 && states[artefact.Insufficient] == 0, "%v %v", states, kinds)
	assert.Assert(t, lowest > 4.2 && lowest < 4.35, "%v", lowest)
	// What is there is not drawn again.
	path := filepath.Join(dir, county.SurveyName, "survey.bin")
	assert.NilError(t, os.Remove(path))
	assert.NilError(t, county.WriteSurvey(t.Context(), dir, s))
	_, err = os.Stat(path)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// TestSurveyIsReplaced draws a survey over an older one that a server is reading.
func TestSurveyIsReplaced(t *testing.T) {
	dir, s := t.TempDir(), sample.Generate()
	assert.NilError(t, county.WriteSurvey(t.Context(), dir, s))
	folder := filepath.Join(dir, county.SurveyName)
	all := []string{filepath.Join(dir, "manifests", county.SurveyName+".json")}
	for _, name := range []string{"survey.bin", "survey.json", "roads.clearance"} {
		all = append(all, filepath.Join(folder, name))
	}
	var open []*os.File
	for _, path := range all {
		assert.NilError(t, os.WriteFile(path, []byte("an older one"), 0o644))
		f, err := os.Open(path)
		assert.NilError(t, err)
		defer f.Close()
		open = append(open, f)
	}
	assert.NilError(t, os.WriteFile(filepath.Join(folder, "drawn"), []byte("0\n"), 0o644))
	assert.NilError(t, county.WriteSurvey(t.Context(), dir, s))
	for i, f := range open {
		text, err := io.ReadAll(f)
		assert.NilError(t, err)
		assert.Equal(t, string(text), "an older one", all[i])
		now, err := os.ReadFile(all[i])
		assert.NilError(t, err)
		assert.Assert(t, string(now) != "an older one", all[i])
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	assert.NilError(t, err)
	assert.Equal(t, len(left), 4, "%v", left)
}
