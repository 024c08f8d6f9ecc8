package coverage_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/index/coverage"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/region/regiontest"
)

// drawn returns a main road under three bridges, of a railway, of a lane and of a path
// that it meets, with a tunnel after them.
func drawn(t *testing.T, height string) coverage.Tally {
	t.Helper()
	d := &osm.Data{}
	node := func(lon, lat float64) int64 {
		id := int64(len(d.Nodes) + 1)
		f := geo.Point{Lon: -1.05 + lon/1000, Lat: 51.05 + lat/1000}.Fix()
		d.Nodes = append(d.Nodes, osm.Node{ID: id, Version: 1, Lon: f.Lon, Lat: f.Lat})
		return id
	}
	way := func(tags []string, nodes ...int64) {
		w := osm.Way{ID: int64(len(d.Ways) + 1), Version: 1, Nodes: nodes}
		for i := 0; i < len(tags); i += 2 {
			w.Tags = append(w.Tags, osm.Tag{Key: tags[i], Value: tags[i+1]})
		}
		d.Ways = append(d.Ways, w)
	}
	a, b, c, e, f := node(0, 0), node(2, 0), node(4, 0), node(6, 0), node(8, 0)
	way([]string{"highway", "primary", "maxheight", height, "hgv", "designated"}, a, b) // under the railway
	way([]string{"highway", "primary"}, b, c)                                           // under the lane
	way([]string{"highway", "primary"}, c, e)                                           // meets the path's bridge
	way([]string{"highway", "primary", "tunnel", "yes"}, e, f)
	way([]string{"railway", "rail", "bridge", "viaduct"}, node(1, 1), node(1, -1))
	way([]string{"highway", "unclassified", "bridge", "yes", "layer", "1", "maxweight", "7.5"}, node(3, 1), node(3, -1))
	way([]string{"highway", "path", "bridge", "yes"}, c, node(4, 2))
	path := filepath.Join(t.TempDir(), "drawn.osm.pbf")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(osm.WritePBF(out, d), out.Close()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := importer.Run(context.Background(), importer.Options{Dir: dir, Sources: []string{path}, NoMap: true}); err != nil {
		t.Fatal(err)
	}
	g, err := coverage.Open(regiontest.Open(t, dir))
	if err != nil || g == nil || g.Len() != 1 {
		t.Fatalf("%v %v", g, err)
	}
	return g.At(coverage.CellOf(geo.Point{Lon: -1.045, Lat: 51.05}))
}

func TestBuild(t *testing.T) {
	// That a bridge sets no limit is tagged, too.
	for _, height := range []string{"4.2", "none"} {
		got := drawn(t, height)
		if got.Under != 3 || got.UnderTagged != 1 || got.Bridges != 1 || got.BridgesTagged != 1 {
			t.Errorf("maxheight=%s: %+v", height, got)
		}
		if got.Main < 4*got.MainTagged-8 || got.Main > 4*got.MainTagged+8 || got.MainTagged == 0 || got.Minor == 0 || got.MinorTagged != got.Minor {
			t.Errorf("lengths: %+v", got)
		}
	}
	if got := drawn(t, ""); got.UnderTagged != 0 || got.Under != 3 {
		t.Errorf("without a height: %+v", got)
	}
}
