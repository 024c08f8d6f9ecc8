package basemap

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/index/tileset"
)

// GlobeMaxZoom is the deepest zoom of the map of the world; it is drawn enlarged
// beyond it.
const GlobeMaxZoom = 6

// globeAttribution is the attribution of the world map.
const globeAttribution = `Natural Earth · <a href="https://www.geonames.org/" target="_blank" rel="noopener">GeoNames</a>`

// GlobeSummary reports what was drawn of the world.
type GlobeSummary struct {
	Features int
	Tiles    tileset.Summary
	Largest  int // bytes of the largest tile, packed
}

// globeFeature is a line of Globe's input: a GeoJSON feature with its layer and zooms,
// in tippecanoe's form.
type globeFeature struct {
	Tippecanoe struct {
		Layer   string `json:"layer"`
		MinZoom uint8  `json:"minzoom"`
		MaxZoom *uint8 `json:"maxzoom"`
	} `json:"tippecanoe"`
	Properties geojson.Properties `json:"properties"`
	Geometry   *geojson.Geometry  `json:"geometry"`
}

// Globe draws the world, GeoJSON features one a line, as an archive in the layers and
// attributes of the regions' maps.
func Globe(ctx context.Context, features io.Reader, out string) (GlobeSummary, error) {
	var s GlobeSummary
	list, err := readGlobe(features)
	if err != nil {
		return s, err
	}
	world := geo.Bounds{Min: geo.Point{Lon: -180, Lat: -plane.MaxLatitude}, Max: geo.Point{Lon: 180, Lat: plane.MaxLatitude}}
	w, err := tileset.Create(out)
	if err != nil {
		return s, err
	}
	batches := newBatches(GlobeMaxZoom, out)
	for i, f := range list {
		f.of.id = int64(i)
		if err := batches.add(*f); err != nil {
			return s, errors.Join(err, batches.Close(), w.Abort())
		}
	}
	r := renderer{
		options: Options{MaxZoom: GlobeMaxZoom, Workers: runtime.GOMAXPROCS(0), TileLimit: defaultTileLimit, Progress: func(string, int64, int64) {}},
		batches: batches, boxes: []orb.Bound{plane.ProjectBounds(world)}, writer: w,
	}
	if err := errors.Join(r.run(ctx), batches.Close()); err != nil {
		return s, errors.Join(err, w.Abort())
	}
	s.Features, s.Largest = len(list), r.largest
	s.Tiles, err = w.Finish(tileset.Info{
		Metadata: tileset.Metadata{
			Name: "World", Attribution: globeAttribution, Type: "baselayer", Version: "1",
			Description: "The world at low zooms in the Protomaps schema, version 4", VectorLayers: batches.legend.layers(),
		},
		Bounds: world, Centre: geo.Point{}, CentreZoom: 1,
	})
	return s, err
}

func readGlobe(features io.Reader) ([]*feature, error) {
	in := json.NewDecoder(bufio.NewReader(features))
	var list []*feature
	for {
		var g globeFeature
		if err := in.Decode(&g); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("feature %d: %w", len(list)+1, err)
		}
		f, err := g.feature()
		if err != nil {
			return nil, fmt.Errorf("feature %d: %w", len(list)+1, err)
		}
		list = append(list, &f)
	}
}

// feature turns a line of the file into what the renderer draws.
func (g *globeFeature) feature() (feature, error) {
	l := layer(0)
	for l < layerCount && l.String() != g.Tippecanoe.Layer {
		l++
	}
	if l == layerCount || g.Geometry == nil {
		return feature{}, fmt.Errorf("has no layer of the map (%q), or no geometry", g.Tippecanoe.Layer)
	}
	var f feature
	switch at := onWorld(g.Geometry.Geometry()).(type) {
	case orb.Point:
		f = pointFeature(l, at)
	case orb.LineString:
		f = lineFeature(l, orb.MultiLineString{at})
	case orb.MultiLineString:
		f = lineFeature(l, at)
	case orb.Polygon:
		f = areaFeature(l, orb.MultiPolygon{at})
	case orb.MultiPolygon:
		f = areaFeature(l, at)
	default:
		return f, fmt.Errorf("is a %s, which is not drawn", g.Geometry.Type)
	}
	f.minZoom, f.minPixels = g.Tippecanoe.MinZoom, 1
	if g.Tippecanoe.MaxZoom != nil {
		f.maxZoom = *g.Tippecanoe.MaxZoom
	}
	if l == earth {
		f.base, f.order = true, math.MinInt32
	}
	if key, ok := g.Properties["sort_key"].(float64); ok {
		f.order = int32(key)
	}
	for _, key := range slices.Sorted(maps.Keys(g.Properties)) {
		switch v := g.Properties[key].(type) {
		case string:
			f.add(key, text(v), 0)
		case float64:
			f.add(key, numberValue(v), 0)
		case bool:
			f.add(key, truth(), 0)
		}
	}
	return f, nil
}

// onWorld converts degrees to world coordinates.
func onWorld(g orb.Geometry) orb.Geometry {
	at := func(p orb.Point) orb.Point { return plane.Project(geo.Point{Lon: p[0], Lat: p[1]}) }
	switch g := g.(type) {
	case orb.Point:
		return at(g)
	case orb.LineString:
		for i, p := range g {
			g[i] = at(p)
		}
	case orb.MultiLineString:
		for _, line := range g {
			onWorld(line)
		}
	case orb.Polygon:
		for _, ring := range g {
			onWorld(orb.LineString(ring))
		}
	case orb.MultiPolygon:
		for _, p := range g {
			onWorld(p)
		}
	}
	return g
}
