// Package basemap draws OpenStreetMap extracts as vector tiles: a PMTiles
// archive in the layers and attributes of the Protomaps basemap, version 4, so
// that styles made for it fit. Differences: names that repeat the local one are
// left out, features carry no ids, and features that show beyond the deepest
// zoom are marked by min_zoom.
package basemap

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"time"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/importer/basemap/shore"
	"github.com/waygate/waygate/importer/multipolygon"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/index/tileset"
)

// DefaultMaxZoom is the deepest zoom where none is asked for; maps are drawn
// enlarged beyond it.
const DefaultMaxZoom = 15

// DefaultAttribution is the attribution that OpenStreetMap's licence requires.
const DefaultAttribution = `<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">© OpenStreetMap contributors</a>`

// Options configure a map.
type Options struct {
	Sources     []string        // extracts on this machine; objects in several of them count once
	Bounds      geo.Bounds      // of the map's ground; zero: what the extracts declare and where their roads are
	Out         string          // the .pmtiles file to make
	MaxZoom     int             // 1 to 15; 0 is DefaultMaxZoom
	Attribution string          // HTML; empty is DefaultAttribution
	Name        string          // of the map
	Terrain     *height.Set     // heights to draw shades and contours of; nil draws none
	World       *tileset.Reader // whose coast that of the map turns into at its edge; nil: none
	Workers     int             // 0 is GOMAXPROCS; the result does not depend on it
	TileLimit   int             // bytes a packed tile may take before its smallest features go; 0 is 500 KB

	// Progress is called with each step and how much of it is done: bytes of a file
	// for relations, ways, nodes and features, zooms and batches for tiles. It is
	// called from one goroutine.
	Progress func(stage string, done, total int64)

	batches func(*batches) // of tests: changes their limits
}

// Summary reports what was drawn and what could not be.
type Summary struct {
	Bounds    geo.Bounds
	Timestamp time.Time      // of the data, zero where the extracts do not say
	Features  map[string]int // by layer
	Tiles     tileset.Summary
	Largest   int // bytes of the largest tile, packed
	Relief    int // tiles with shades or contours
	Dropped   int // features left out of tiles that would be too large, and of zooms where they would be in too many
	Dangling  int // references to nodes or ways that the extracts lack
	Broken    int // areas with rings that do not close
	LooseEnds int // coastlines that end inside the map
}

const (
	defaultTileLimit = 500_000
	// baseTileLimit is how many tiles of a zoom may contain nothing but land or sea.
	// Extracts of places far apart have bounds round half the world.
	baseTileLimit = 1 << 21
)

// Build draws a map. It reads each source four times, keeps the positions of drawn
// nodes and the features of one batch in memory and the other features in a file beside
// Out, and writes Out last. Broken data is counted, not refused; errors are those of
// files, options and cancellation.
func Build(ctx context.Context, o Options) (_ Summary, err error) {
	if err := o.complete(); err != nil {
		return Summary{}, err
	}
	sources := scanning{o.Sources, o.Progress}
	e, err := load(ctx, sources)
	if err != nil {
		return Summary{}, err
	}
	areas, err := o.areas(e)
	if err != nil {
		return Summary{}, err
	}
	c := classifier{ctx: ctx, e: e, batches: newBatches(o.MaxZoom, o.Out)}
	if o.batches != nil {
		o.batches(c.batches)
	}
	defer func() { err = errors.Join(err, c.batches.Close()) }()
	bounds := geo.NoBounds()
	var ground []geo.Bounds
	for _, a := range areas.boxes {
		a = widened(a, areas.edge)
		ground = append(ground, a)
		bounds = bounds.Union(a)
		c.boxes = append(c.boxes, plane.ProjectBounds(a))
		c.batches.round = c.batches.round || a.Max.Lon > 180
	}
	c.covered = e.covered(c.boxes)
	e.roads = nil
	if err := c.run(sources); err != nil {
		return Summary{}, err
	}
	s := Summary{
		Timestamp: e.timestamp, Features: map[string]int{},
		Dangling: c.dangling, Broken: c.broken,
	}
	c.begin(ofCoast, 0)
	for i, wide := range c.boxes {
		with, err := o.blending(ctx, wide, c.covered)
		if err != nil {
			return Summary{}, err
		}
		land := shore.Blend(multipolygon.NewEffort(ctx), c.coast, plane.ProjectBounds(areas.boxes[i]), wide, with)
		if ctx.Err() != nil {
			return Summary{}, ctx.Err()
		}
		for _, f := range baseFeatures(land) {
			c.add(f)
			c.of.id++ // there may be many islands
		}
		cover, err := o.worldCover(ctx, wide)
		if err != nil {
			return Summary{}, err
		}
		for _, f := range cover {
			c.add(f)
			c.of.id++
		}
		if coast := shore.CoastOf(land.Land, wide); len(coast) > 0 {
			c.add(coastFeature(coast))
			c.of.id++
		}
		for _, known := range c.covered {
			if known.box != wide {
				continue
			}
			for _, f := range append(known.fading(&land), known.unmapped(&land)) {
				c.add(f)
				c.of.id++
			}
			if edge := known.edge(land.Land); len(edge.lines) > 0 {
				c.add(edge)
				c.of.id++
			}
		}
		s.LooseEnds += land.Loose
	}
	if c.err != nil {
		return Summary{}, c.err
	}
	c.coast = nil // the batches hold all that is drawn
	for i, n := range c.batches.legend.features {
		if n > 0 {
			s.Features[layer(i).String()] = n
		}
	}
	view := degrees(areas.view)
	s.Bounds = bounds.Wrapped()
	w, err := tileset.Create(o.Out)
	if err != nil {
		return Summary{}, err
	}
	r := renderer{options: o, batches: c.batches, boxes: c.boxes, writer: w, fading: map[orb.Bound]bool{}}
	for _, known := range c.covered {
		r.fading[known.box] = true
	}
	if o.Terrain != nil {
		r.relief = &relief{heights: height.NewShared(o.Terrain), boxes: onEachSide(c.boxes)}
	}
	if err := r.run(ctx); err != nil {
		return Summary{}, errors.Join(err, w.Abort())
	}
	s.Largest, s.Dropped, s.Relief = r.largest, r.dropped, r.reliefTiles
	if s.Relief > 0 {
		c.batches.legend.addRelief()
	}
	s.Tiles, err = w.Finish(tileset.Info{
		Metadata: tileset.Metadata{
			Name: o.Name, Attribution: o.Attribution, Type: "baselayer", Version: "1",
			Description:  "Basemap in the Protomaps schema, version 4",
			VectorLayers: c.batches.legend.layers(),
			View:         &view, Areas: eachDegrees(ground),
		},
		Bounds: flat(s.Bounds), Centre: areas.view.Centre(), CentreZoom: fitZoom(plane.ProjectBounds(areas.view), o.MaxZoom),
	})
	return s, err
}

func (o *Options) complete() error {
	if len(o.Sources) == 0 {
		return errors.New("basemap: no sources")
	}
	if o.Out == "" {
		return errors.New("basemap: no file to write")
	}
	if o.MaxZoom == 0 {
		o.MaxZoom = DefaultMaxZoom
	}
	if o.MaxZoom < 1 || o.MaxZoom > DefaultMaxZoom {
		return fmt.Errorf("basemap: max zoom %d is outside 1 to %d", o.MaxZoom, DefaultMaxZoom)
	}
	if o.Attribution == "" {
		o.Attribution = DefaultAttribution
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.TileLimit <= 0 {
		o.TileLimit = defaultTileLimit
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
	return nil
}

// flat returns a box in the form of archives: -180 to 180 if it crosses the
// antimeridian. Readers of archives request no tile if the west is east of the east.
func flat(b geo.Bounds) geo.Bounds {
	if b.Crosses() {
		b.Min.Lon, b.Max.Lon = -180, 180
	}
	return b
}

// onEachSide adds copies of boxes beyond the antimeridian, moved by a turn of the
// globe.
func onEachSide(boxes []orb.Bound) []orb.Bound {
	for _, b := range boxes {
		if b.Max[0] > 1 {
			b.Min[0], b.Max[0] = b.Min[0]-1, b.Max[0]-1
			boxes = append(boxes[:len(boxes):len(boxes)], b)
		}
	}
	return boxes
}

// baseFeatures draws land and sea.
func baseFeatures(s shore.Shore) []feature {
	var out []feature
	add := func(l layer, kind string, rank int, areas orb.MultiPolygon) {
		most := 0.0
		for _, p := range areas {
			most = max(most, multipolygon.Area(orb.MultiPolygon{p}))
		}
		for _, p := range areas {
			f := areaFeature(l, orb.MultiPolygon{p})
			f.base = true
			f.most = multipolygon.Area(orb.MultiPolygon{p}) == most
			f.order = math.MinInt32
			f.add("kind", text(kind), 0)
			f.add("sort_rank", integer(rank), 0)
			out = append(out, f)
		}
	}
	add(earth, "earth", 0, s.Land)
	add(water, "ocean", 200, s.Sea)
	return out
}

// legend has the layers and their attributes.
type legend struct {
	maxZoom  int
	all      [layerCount]tileset.VectorLayer
	features [layerCount]int
}

func newLegend(maxZoom int) legend {
	l := legend{maxZoom: maxZoom}
	for i := range l.all {
		l.all[i] = tileset.VectorLayer{ID: layer(i).String(), MinZoom: maxZoom, Fields: map[string]string{}}
	}
	return l
}

func (l *legend) add(f *feature) {
	of := &l.all[f.layer]
	l.features[f.layer]++
	of.MinZoom = min(of.MinZoom, int(f.minZoom))
	of.MaxZoom = max(of.MaxZoom, min(int(f.maxZoom), l.maxZoom))
	for _, a := range f.attrs {
		of.Fields[a.key] = [...]string{"String", "Number", "Boolean"}[a.value.kind]
	}
}

// layers lists the layers that are not empty.
func (l *legend) layers() []tileset.VectorLayer {
	var out []tileset.VectorLayer
	for i, of := range l.all {
		if l.features[i] > 0 {
			out = append(out, of)
		}
	}
	return out
}

// addRelief adds the layers of relief, beside the world's.
func (l *legend) addRelief() {
	add := func(of layer, from int, fields map[string]string) {
		all := &l.all[of]
		l.features[of]++
		all.MinZoom, all.MaxZoom = min(all.MinZoom, from), l.maxZoom
		maps.Copy(all.Fields, fields)
	}
	add(hillshade, reliefMinZoom, map[string]string{"kind": "String", "level": "Number"})
	add(contours, contourMinZoom, map[string]string{"ele": "Number", "index": "Boolean"})
}

// degrees returns west, south, east and north, with the east beyond 180 if a box
// crosses the antimeridian.
func degrees(b geo.Bounds) [4]float64 {
	if b.Min.Lon >= 180 {
		b.Min.Lon, b.Max.Lon = b.Min.Lon-360, b.Max.Lon-360
	}
	round := func(v float64) float64 { return math.Round(v*1e6) / 1e6 }
	return [4]float64{round(b.Min.Lon), round(b.Min.Lat), round(b.Max.Lon), round(b.Max.Lat)}
}

func eachDegrees(boxes []geo.Bounds) [][4]float64 {
	var out [][4]float64
	for _, b := range boxes {
		out = append(out, degrees(b))
	}
	return out
}

// fitZoom returns the zoom at which a box is about as wide as a screen.
func fitZoom(box orb.Bound, maxZoom int) int {
	side := max(box.Max[0]-box.Min[0], box.Max[1]-box.Min[1])
	return max(0, min(maxZoom, int(math.Floor(math.Log2(1.5/side)))))
}
