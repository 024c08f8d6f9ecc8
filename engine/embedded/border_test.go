package embedded_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/waygate/waygate/bench"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
)

// whole reads an extract into memory.
func whole(t testing.TB, extract string) *osm.Data {
	t.Helper()
	d := &osm.Data{}
	h, err := osm.Scan(t.Context(), extract, osm.Options{}, func(b *osm.Block) error {
		for _, n := range b.Nodes {
			n.Tags = slices.Clone(n.Tags)
			d.Nodes = append(d.Nodes, n)
		}
		for _, w := range b.Ways {
			w.Nodes, w.Tags = slices.Clone(w.Nodes), slices.Clone(w.Tags)
			d.Ways = append(d.Ways, w)
		}
		for _, r := range b.Relations {
			r.Members, r.Tags = slices.Clone(r.Members), slices.Clone(r.Tags)
			d.Relations = append(d.Relations, r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	d.Timestamp, d.Bounds = h.Timestamp, h.Bounds
	return d
}

// enclose draws a boundary round everything, with the tags of the country.
func enclose(d *osm.Data, tags ...osm.Tag) {
	box := geo.NoBounds()
	var node, way, relation int64
	for _, n := range d.Nodes {
		box = box.Extend(geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point())
		node = max(node, n.ID)
	}
	for _, w := range d.Ways {
		way = max(way, w.ID)
	}
	for _, r := range d.Relations {
		relation = max(relation, r.ID)
	}
	ring := osm.Way{ID: way + 1}
	for i, p := range []geo.Point{
		{Lon: box.Min.Lon - 0.1, Lat: box.Min.Lat - 0.1},
		{Lon: box.Max.Lon + 0.1, Lat: box.Min.Lat - 0.1},
		{Lon: box.Max.Lon + 0.1, Lat: box.Max.Lat + 0.1},
		{Lon: box.Min.Lon - 0.1, Lat: box.Max.Lat + 0.1},
	} {
		f := p.Fix()
		d.Nodes = append(d.Nodes, osm.Node{ID: node + 1 + int64(i), Lon: f.Lon, Lat: f.Lat})
		ring.Nodes = append(ring.Nodes, node+1+int64(i))
	}
	ring.Nodes = append(ring.Nodes, ring.Nodes[0])
	d.Ways = append(d.Ways, ring)
	d.Relations = append(d.Relations, osm.Relation{ID: relation + 1, Members: []osm.Member{{Kind: osm.KindWay, Ref: ring.ID, Role: "outer"}}, Tags: tags})
}

// TestWalkersAgreeOnceThereIsABorder gives Valhalla the border that the extract of Newport
// lacks, so that the rules of the country apply. Valhalla has them by the name of Wales, and
// finds them only by a code of two letters.
func TestWalkersAgreeOnceThereIsABorder(t *testing.T) {
	t.Parallel()
	extract := realdata.File(t, "osm/newport-wales-20230613.osm.pbf")
	d := whole(t, extract)
	enclose(d, osm.Tag{Key: "type", Value: "boundary"}, osm.Tag{Key: "boundary", Value: "administrative"}, osm.Tag{Key: "admin_level", Value: "2"},
		osm.Tag{Key: "name", Value: "Cymru / Wales"}, osm.Tag{Key: "ISO3166-1", Value: "GB"})
	path := filepath.Join(t.TempDir(), "newport.osm.pbf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(osm.WritePBF(f, d), f.Close()); err != nil {
		t.Fatal(err)
	}
	peer := valhalla.New(enginetest.StartValhalla(t, path).URL, &http.Client{})
	e, g := hilly(t, extract)
	list, err := bench.NewMaker(g, costing.Pedestrian, 1).Routes(t.Context(), 300)
	if err != nil {
		t.Fatal(err)
	}
	var all agreement
	for i, p := range list {
		r := pair{from: p.Points[0].Point(), to: p.Points[1].Point()}.request(t, costing.Pedestrian)
		all.ask(t, fmt.Sprintf("pair %d", i), e, peer, r)
	}
	all.want(t, 90, 95)
}
