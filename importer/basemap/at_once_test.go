package basemap

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestWorkersAtOnce draws a town by one worker and by four: the maps are the same.
func TestWorkersAtOnce(t *testing.T) {
	dir := t.TempDir()
	data := town().data
	source := writePBF(t, filepath.Join(dir, "town.osm.pbf"), &data)
	var maps [2][]byte
	for i, workers := range []int{1, 4} {
		out := filepath.Join(dir, "out.pmtiles")
		buildFrom(t, Options{Sources: []string{source}, Workers: workers, Out: out})
		var err error
		if maps[i], err = os.ReadFile(out); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(maps[0], maps[1]) {
		t.Error("four workers draw another map than one")
	}
}
