package inview

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/realdata"
)

// newport returns the map of a city, and hills drawn below it.
func newport(tb testing.TB) *Service {
	tb.Helper()
	dir := tb.TempDir()
	path := filepath.Join(dir, "map.pmtiles")
	if _, err := basemap.Build(tb.Context(), basemap.Options{Sources: []string{realdata.File(tb, "osm/newport-wales-20230613.osm.pbf")}, Out: path, Name: "Newport", Progress: func(string, int64, int64) {}}); err != nil {
		tb.Fatal(err)
	}
	tiles, err := tileset.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = tiles.Close() }) // read only
	for _, c := range []height.Corner{{Lat: 51, Lon: -3}, {Lat: 51, Lon: -4}} {
		data := height.Draw(c, height.ArcSecond, func(p geo.Point) (float64, bool) { return 60 + 40*math.Sin(300*p.Lon)*math.Cos(200*p.Lat), true })
		if err := os.WriteFile(filepath.Join(dir, c.String()+".hgt"), data, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	set, err := height.Find(dir)
	if err != nil {
		tb.Fatal(err)
	}
	return &Service{Heights: height.NewShared(set), Dataset: "drawn", Tiles: tiles}
}

// around are places all around the middle of the city.
func around(n int) *scene {
	s := &scene{}
	for i := range n {
		s.addPlace(fmt.Sprint(i), 100+4900*float64(i)/float64(n), math.Mod(float64(i)*137.5, 360))
	}
	return s
}

// Real tiles have buildings with and without heights that hide what is behind
// them, and no place is lost.
func TestRealBuildings(t *testing.T) {
	s := newport(t)
	s.Heights = &scene{}
	s.Places = around(200)
	q := &Request{At: eye, Width: 360, Radius: 5000, Eye: 1.6, Limit: 25}
	a := look(t, s, q)
	verdicts, bases := map[Verdict]int{}, map[string]int{}
	for _, r := range a.Results {
		verdicts[r.Visibility.Verdict]++
		if o := r.Visibility.Obstruction; o != nil {
			bases[*o.Basis]++
			if o.Kind != "building" || o.Distance > r.Distance || o.Above <= 0 || *o.Height < 1 {
				t.Errorf("%+v", o)
			}
		}
	}
	if len(a.Results) != 25 || a.Excluded.Unchecked != a.Coverage.Found-25 || verdicts[Occluded] < 20 || bases["assumed"] == 0 || a.Coverage.Tiles == 0 || a.Coverage.Missing != 0 {
		t.Errorf("%v, %v, %+v, %+v", verdicts, bases, a.Excluded, a.Coverage)
	}
	q.Eye, q.Target = 200, 200
	for _, r := range look(t, s, q).Results {
		if r.Visibility.Verdict != Clear || r.Visibility.Basis != "terrain-and-buildings" {
			t.Errorf("over the roofs: %+v", r.Visibility)
		}
	}
}

// BenchmarkLook looks from the middle of the city over 5 km, at 25 places with
// ground and buildings: in a sector, and all around.
func BenchmarkLook(b *testing.B) {
	s := newport(b)
	s.Places = around(400)
	for _, width := range []float64{60, 360} {
		// The places are the furthest, which have the longest lines.
		far := &scene{}
		for _, p := range around(400).places {
			if off := math.Mod(geo.Bearing(eye, p.At)+width/2, 360); off <= width && p.Metres > 2500 && len(far.places) < 25 {
				far.places = append(far.places, p)
			}
		}
		s.Places = far
		q := &Request{At: eye, Width: width, Radius: 5000, Eye: 1.6, Limit: 25}
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a, _, err := s.Look(b.Context(), q)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(a.Coverage.Tiles), "tiles")
			}
		})
	}
}
