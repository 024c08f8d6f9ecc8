package zones_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/zones"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/realdata"
)

func TestUmweltzonen(t *testing.T) {
	folder := filepath.Dir(realdata.File(t, "feeds/zones-de/"+zones.UmweltzonenFile))
	list, err := zones.Umweltzonen(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 40 {
		t.Errorf("%d zones", len(list))
	}
	x := zone.NewIndex(zone.Place(list, false))
	for name, c := range map[string]struct {
		at geo.Point
		id string
	}{
		"Alexanderplatz": {geo.Point{Lon: 13.4132, Lat: 52.5219}, "de-lez-berlin"},
		"Marienplatz":    {geo.Point{Lon: 11.5755, Lat: 48.1374}, "de-lez-munich"},
		"Kiel":           {geo.Point{Lon: 10.1228, Lat: 54.3233}, ""},
	} {
		in := ""
		for _, z := range x.All() {
			if z.Area.Contains(c.at) {
				in = z.ID
			}
		}
		if in != c.id {
			t.Errorf("%s lies in %q, want %q", name, in, c.id)
		}
	}
}

// FuzzUmweltzonen reads damaged lists and rings: an error, or zones with an area.
func FuzzUmweltzonen(f *testing.F) {
	f.Add([]byte(`[{"name":"a","childZones":[{"type":"low-emission-zone","fileName":"lez_a","zoneNumber":4}]}]`), []byte(`[[{"latitude":1,"longitude":1},{"latitude":1,"longitude":2},{"latitude":2,"longitude":2}]]`))
	f.Fuzz(func(t *testing.T, list, rings []byte) {
		all, err := zones.Umweltzonen(fstest.MapFS{zones.UmweltzonenFile: {Data: list}, "lez_a.json": {Data: rings}})
		if err != nil {
			return
		}
		for _, z := range all {
			for _, p := range zone.Place([]zone.Zone{z}, false) {
				p.Area.Contains(geo.Point{Lon: 1.5, Lat: 1.4})
			}
		}
	})
}
