package basemap

import (
	"context"
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"

	"github.com/waygate/waygate/importer/basemap/shore"
	"github.com/waygate/waygate/index/tileset"
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
	zoom := int(o.World.Header().MaxZoom)
	n := math.Exp2(float64(zoom))
	for y := int(box.Min[1] * n); y <= int(min(n-1, box.Max[1]*n)); y++ {
		for x := int(math.Floor(box.Min[0] * n)); x <= int(math.Floor(box.Max[0]*n)); x++ {
			land, err := landOfTile(ctx, o.World, zoom, x, y)
			if err != nil {
				return with, err
			}
			with.World.Land = append(with.World.Land, land...)
			with.World.Coast = append(with.World.Coast, shore.CoastOf(land, tileBound(zoom, int32(x), int32(y)))...)
		}
	}
	return with, nil
}

// landOfTile returns the land in a tile, without what lies round it, in world coordinates. Columns
// go on round the globe.
func landOfTile(ctx context.Context, world *tileset.Reader, zoom, x, y int) (land orb.MultiPolygon, err error) {
	data, ok, err := world.TileIn(ctx, zoom, int(wrapped(int32(x), zoom)), y)
	if err != nil || !ok {
		return nil, err
	}
	layers, err := mvt.UnmarshalGzipped(data)
	if err != nil {
		return nil, fmt.Errorf("basemap: tile %d/%d/%d of the world: %w", zoom, x, y, err)
	}
	size := math.Exp2(float64(-zoom))
	for _, l := range layers {
		if l.Name != earth.String() {
			continue
		}
		place := func(p orb.Point) orb.Point {
			return orb.Point{(float64(x) + p[0]/float64(l.Extent)) * size, (float64(y) + p[1]/float64(l.Extent)) * size}
		}
		for _, f := range l.Features {
			switch g := f.Geometry.(type) {
			case orb.Polygon:
				land = append(land, g)
			case orb.MultiPolygon:
				land = append(land, g...)
			}
		}
		for _, p := range land {
			for _, ring := range p {
				for i := range ring {
					ring[i] = place(ring[i])
				}
			}
		}
	}
	return clipAreas(tileBound(zoom, int32(x), int32(y)), land), nil
}
