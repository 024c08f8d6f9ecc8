package basemap

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/maptile"

	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/osm"
)

// sketch draws OSM data on a grid: one step is 0.0001 degrees, about eleven
// metres, x eastwards and y northwards from 1 east 51 north.
type sketch struct {
	data osm.Data
	at   map[[2]int]int64
	next int64
}

func newSketch() *sketch { return &sketch{at: map[[2]int]int64{}, next: 1} }

func tags(pairs ...string) osm.Tags {
	var t osm.Tags
	for _, p := range pairs {
		k, v, _ := strings.Cut(p, "=")
		t = append(t, osm.Tag{Key: k, Value: v})
	}
	return t
}

// spot returns the node at a place.
func (s *sketch) spot(x, y int) int64 {
	id, ok := s.at[[2]int{x, y}]
	if !ok {
		id = s.next
		s.next++
		s.at[[2]int{x, y}] = id
		s.data.Nodes = append(s.data.Nodes, osm.Node{ID: id, Lon: int32(1e7 + x*1000), Lat: int32(51e7 + y*1000), Version: 1})
	}
	return id
}

func (s *sketch) node(x, y int, pairs ...string) {
	id := s.spot(x, y)
	i := slices.IndexFunc(s.data.Nodes, func(n osm.Node) bool { return n.ID == id })
	s.data.Nodes[i].Tags = tags(pairs...)
}

// way draws through x, y, x, y, ...
func (s *sketch) way(t osm.Tags, xy ...int) int64 {
	w := osm.Way{ID: s.next, Version: 1, Tags: t}
	s.next++
	for i := 0; i < len(xy); i += 2 {
		w.Nodes = append(w.Nodes, s.spot(xy[i], xy[i+1]))
	}
	s.data.Ways = append(s.data.Ways, w)
	return w.ID
}

// box draws a closed square anticlockwise: with land inside as a coastline.
func (s *sketch) box(t osm.Tags, x0, y0, x1, y1 int) int64 {
	return s.way(t, x0, y0, x1, y0, x1, y1, x0, y1, x0, y0)
}

func (s *sketch) relation(t osm.Tags, outer, inner []int64) {
	r := osm.Relation{ID: s.next, Version: 1, Tags: t}
	s.next++
	for _, id := range outer {
		r.Members = append(r.Members, osm.Member{Kind: osm.KindWay, Ref: id, Role: "outer"})
	}
	for _, id := range inner {
		r.Members = append(r.Members, osm.Member{Kind: osm.KindWay, Ref: id, Role: "inner"})
	}
	s.data.Relations = append(s.data.Relations, r)
}

func writePBF(t testing.TB, path string, data *osm.Data) string {
	t.Helper()
	var b bytes.Buffer
	if err := osm.WritePBF(&b, data); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// build draws data and opens the result.
func build(t testing.TB, data *osm.Data, o Options) (*tileset.Reader, Summary) {
	t.Helper()
	dir := t.TempDir()
	o.Sources = []string{writePBF(t, filepath.Join(dir, "town.osm.pbf"), data)}
	return buildFrom(t, o)
}

func buildFrom(t testing.TB, o Options) (*tileset.Reader, Summary) {
	t.Helper()
	if o.Out == "" {
		o.Out = filepath.Join(t.TempDir(), "town.pmtiles")
	}
	s, err := Build(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tileset.FromBytes(o.Out, data)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(); err != nil {
		t.Fatal(err)
	}
	return r, s
}

// zoomLayers decodes all tiles of a zoom and joins their layers; geometry is in
// units of the zoom's world, so that it can be compared across tiles.
func zoomLayers(t testing.TB, r *tileset.Reader, zoom int) map[string][]*geojson.Feature {
	t.Helper()
	out := map[string][]*geojson.Feature{}
	b := plane.ProjectBounds(r.Header().Bounds)
	n := float64(int(1) << zoom)
	for y := max(0, int(b.Min[1]*n)-1); y <= min(int(n)-1, int(b.Max[1]*n)+1); y++ {
		for x := max(0, int(b.Min[0]*n)-1); x <= min(int(n)-1, int(b.Max[0]*n)+1); x++ {
			packed, ok, err := r.Tile(zoom, x, y)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			layers, err := mvt.UnmarshalGzipped(packed)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range layers {
				if l.Version != 2 || l.Extent != extent {
					t.Errorf("layer %s has version %d, extent %d", l.Name, l.Version, l.Extent)
				}
				out[l.Name] = append(out[l.Name], l.Features...)
			}
		}
	}
	return out
}

// eachTile decodes the tiles of a zoom, geometry in degrees.
func eachTile(t testing.TB, r *tileset.Reader, zoom int, use func(tile tileAt, layers map[string][]*geojson.Feature)) {
	t.Helper()
	b := plane.ProjectBounds(r.Header().Bounds)
	n := math.Exp2(float64(zoom))
	for y := int32(b.Min[1] * n); y <= int32(b.Max[1]*n); y++ {
		for x := int32(b.Min[0] * n); x <= min(int32(b.Max[0]*n), int32(n)-1); x++ {
			packed, ok, err := r.Tile(zoom, int(x), int(y))
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			decoded, err := mvt.UnmarshalGzipped(packed)
			if err != nil {
				t.Fatal(err)
			}
			decoded.ProjectToWGS84(maptile.New(uint32(x), uint32(y), maptile.Zoom(zoom)))
			layers := map[string][]*geojson.Feature{}
			for _, l := range decoded {
				layers[l.Name] = l.Features
			}
			use(tileAt{x, y}, layers)
		}
	}
}

// describeFeatures writes features one to a line, attributes in order.
func describeFeatures(layers map[string][]*geojson.Feature) string {
	var names []string
	for n := range layers {
		names = append(names, n)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "%s\n", n)
		for _, f := range layers[n] {
			var attrs []string
			for k, v := range f.Properties {
				attrs = append(attrs, fmt.Sprintf("%s=%v", k, v))
			}
			slices.Sort(attrs)
			fmt.Fprintf(&b, "  %s %s %s\n", f.Geometry.GeoJSONType(), outline(f.Geometry), strings.Join(attrs, " "))
		}
	}
	return b.String()
}

func outline(g orb.Geometry) string {
	b := g.Bound()
	return fmt.Sprintf("[%g,%g..%g,%g]", b.Min[0], b.Min[1], b.Max[0], b.Max[1])
}

// find returns the features with a kind.
func find(layers map[string][]*geojson.Feature, layer, kind string) []*geojson.Feature {
	var out []*geojson.Feature
	for _, f := range layers[layer] {
		if f.Properties["kind"] == kind {
			out = append(out, f)
		}
	}
	return out
}

// count counts features by kind, and as tall those with a height.
func count(features []*geojson.Feature) map[string]int {
	out := map[string]int{}
	for _, f := range features {
		if kind, ok := f.Properties["kind"].(string); ok {
			out[kind]++
		}
		if f.Properties["height"] != nil {
			out["tall"]++
		}
	}
	return out
}
