package basemap

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"

	"github.com/waygate/waygate/importer/basemap/shore"
)

// blending returns what the coast of a box turns into at its sides: that of the
// world's map in its deepest tiles, as it is drawn under the region.
func (o *Options) blending(ctx context.Context, box orb.Bound, known []*covered) (shore.Blending, error) {
	with := shore.Blending{Metre: math.Cosh((0.5-box.Center()[1])*2*math.Pi) / equator}
	for _, c := range known {
		if c.box == box {
			with.Known = c.holds
		}
	}
	if o.World == nil || box.Max[0]-box.Min[0] >= 1 {
		return with, nil
	}
	return with, o.eachWorldTile(ctx, box, func(of worldTile) {
		land := of.areas(earth)[earth.String()]
		with.World.Land = append(with.World.Land, land...)
		with.World.Coast = append(with.World.Coast, shore.CoastOf(land, of.square)...)
	})
}

// worldCover draws in a box what covers the land on the map of the world and its relief, which
// the ground of the box hides, so that on small maps the box does not stand out.
func (o *Options) worldCover(ctx context.Context, box orb.Bound) (out []feature, err error) {
	if o.World == nil || box.Max[0]-box.Min[0] >= 1 {
		return nil, nil
	}
	return out, o.eachWorldTile(ctx, box, func(of worldTile) {
		for _, l := range []layer{landcover, hillshade} {
			areas := of.areas(l)
			for _, kind := range slices.Sorted(maps.Keys(areas)) {
				f := areaFeature(l, clipAreas(box, areas[kind]))
				if len(f.areas) == 0 {
					continue
				}
				f.maxZoom, f.order = GlobeMaxZoom, math.MinInt32
				f.add("kind", text(kind), 0)
				f.add("world", truth(), 0)
				out = append(out, f)
			}
		}
	})
}

// worldTile is a tile of the map of the world in its deepest zoom.
type worldTile struct {
	layers mvt.Layers
	at     tileAt // columns go on round the globe
	size   float64
	square orb.Bound
}

// eachWorldTile reads the tiles of the map of the world in a box.
func (o *Options) eachWorldTile(ctx context.Context, box orb.Bound, use func(worldTile)) error {
	zoom := int(o.World.Header().MaxZoom)
	n := math.Exp2(float64(zoom))
	for y := int32(box.Min[1] * n); y <= int32(min(n-1, box.Max[1]*n)); y++ {
		for x := int32(math.Floor(box.Min[0] * n)); x <= int32(math.Floor(box.Max[0]*n)); x++ {
			data, ok, err := o.World.TileIn(ctx, zoom, int(wrapped(x, zoom)), int(y))
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			layers, err := mvt.UnmarshalGzipped(data)
			if err != nil {
				return fmt.Errorf("basemap: tile %d/%d/%d of the world: %w", zoom, x, y, err)
			}
			use(worldTile{layers, tileAt{x, y}, 1 / n, tileBound(zoom, x, y)})
		}
	}
	return nil
}

// areas returns the areas of a layer by their kind, in world coordinates and without what lies round
// the tile.
func (t worldTile) areas(of layer) map[string]orb.MultiPolygon {
	out := map[string]orb.MultiPolygon{}
	for _, l := range t.layers {
		if l.Name != of.String() {
			continue
		}
		for _, f := range l.Features {
			kind := f.Properties.MustString("kind", "")
			switch g := f.Geometry.(type) {
			case orb.Polygon:
				out[kind] = append(out[kind], g)
			case orb.MultiPolygon:
				out[kind] = append(out[kind], g...)
			}
		}
		for kind, areas := range out {
			for _, p := range areas {
				for _, ring := range p {
					for i, at := range ring {
						ring[i] = orb.Point{(float64(t.at.x) + at[0]/float64(l.Extent)) * t.size, (float64(t.at.y) + at[1]/float64(l.Extent)) * t.size}
					}
				}
			}
			out[kind] = clipAreas(t.square, areas)
		}
	}
	return out
}
