package zones_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/zones"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
)

// built runs the stage and gives the zones.
func built(t *testing.T, sources ...string) ([]zone.Zone, map[string]int64) {
	t.Helper()
	var counts map[string]int64
	r := regiontest.Of(t, zone.SectionName, zone.SectionVersion, func(path string) (err error) {
		counts, err = zones.Build(context.Background(), zones.Options{Sources: sources, Out: path})
		return err
	})
	list, err := zone.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	return list, counts
}

func TestBuild(t *testing.T) {
	d := &osm.Data{}
	at := func(lon, lat float64) int64 {
		id := int64(len(d.Nodes) + 1)
		f := geo.Point{Lon: lon, Lat: lat}.Fix()
		d.Nodes = append(d.Nodes, osm.Node{ID: id, Version: 1, Lon: f.Lon, Lat: f.Lat})
		return id
	}
	way := func(tags osm.Tags, nodes ...int64) int64 {
		id := int64(len(d.Ways) + 1)
		d.Ways = append(d.Ways, osm.Way{ID: id, Version: 1, Nodes: nodes, Tags: tags})
		return id
	}
	a, b, c := at(-0.1, 51.5), at(-0.05, 51.5), at(-0.05, 51.55)
	one, two := way(nil, a, b), way(nil, b, c, a)
	way(osm.Tags{{Key: "boundary", Value: "low_emission_zone"}, {Key: "name", Value: "Whole"}, {Key: "website", Value: "https://example.org"}}, a, b, c, a)
	way(osm.Tags{{Key: "boundary", Value: "low_emission_zone"}, {Key: "name", Value: "Not closed"}}, a, b, c)
	way(osm.Tags{{Key: "boundary", Value: "administrative"}}, a, b, c, a)
	relation := func(name string, ways ...int64) {
		r := osm.Relation{ID: int64(len(d.Relations) + 1), Version: 1, Tags: osm.Tags{{Key: "boundary", Value: "low_emission_zone"}, {Key: "name", Value: name}, {Key: "type", Value: "boundary"}}}
		for _, w := range ways {
			r.Members = append(r.Members, osm.Member{Kind: osm.KindWay, Ref: w, Role: "outer"})
		}
		d.Relations = append(d.Relations, r)
	}
	relation("Two ways", one, two)
	relation("Half", one, 99)
	path := filepath.Join(t.TempDir(), "drawn.osm.pbf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(osm.WritePBF(f, d), f.Close()); err != nil {
		t.Fatal(err)
	}
	list, counts := built(t, path)
	if counts["zones"] != 2 || counts["zones_open"] != 1 {
		t.Errorf("%v", counts)
	}
	for i, want := range []string{"osm:r1 Two ways", "osm:w3 Whole"} {
		z := list[i]
		if z.ID+" "+z.Name != want || z.TimeZone != "Europe/London" || len(z.Rules) != 0 || !zone.Place(list[i:i+1], true)[0].Area.Contains(geo.Point{Lon: -0.06, Lat: 51.52}) {
			t.Errorf("%d: %+v", i, z)
		}
	}
	if list[1].Website != "https://example.org" || list[0].Boundary.URL != "https://www.openstreetmap.org/relation/1" {
		t.Errorf("%+v", list)
	}
}

func TestDusseldorf(t *testing.T) {
	list, counts := built(t, filepath.Clean(realdata.File(t, "osm/dusseldorf-universitaetstunnel-20210812.osm.pbf")))
	t.Log(counts)
	if counts["zones"]+counts["zones_open"] == 0 {
		t.Error("the extract has a zone, and none was found")
	}
	for _, z := range list {
		if z.TimeZone != "Europe/Berlin" {
			t.Errorf("%s is in %s", z.Name, z.TimeZone)
		}
	}
}
