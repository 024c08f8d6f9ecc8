package heritage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/heritage"
)

// TestCorridorsAreSpoken drives along each corridor that comes with the project, both ways.
func TestCorridorsAreSpoken(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "index", "heritage", "corridors", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := heritage.Read(f)
		_ = f.Close()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if problems := heritage.Check([]heritage.Corpus{*c}); problems != nil {
			t.Errorf("%s: %v", file, problems)
		}
		x := heritage.NewIndex([]heritage.Corpus{*c})
		var there, back []geo.Point
		for i, p := range c.Corridor.Line {
			q := c.Corridor.Line[len(c.Corridor.Line)-1-i]
			there, back = append(there, geo.Point{Lon: p[0], Lat: p[1]}), append(back, geo.Point{Lon: q[0], Lat: q[1]})
		}
		for _, l := range [][]geo.Point{there, back} {
			all := answer(t, Request{Line: l, Offset: 80, MostLines: 50}, x)
			if all.Census.Beyond != 0 || all.Census.Spoken+all.Census.Direction != x.Len() {
				t.Errorf("%s: %s", file, spoken(all))
			}
			few := answer(t, Request{Line: l, GapMetres: 400, Offset: 60, MostLines: 12}, x)
			if few.Census.Spoken < 3 || few.Census.Budget == 0 {
				t.Errorf("%s: by default %s", file, spoken(few))
			}
		}
	}
}
