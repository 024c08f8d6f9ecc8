package places

import (
	"slices"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/multipolygon"
	"github.com/waygate/waygate/osm"
)

// leastLevel is the admin_level of the largest areas that have an outline: nobody looks up which
// state is nearest.
const leastLevel = 5

// rings returns the outline of a relation, nil where it has none, or none whole.
func (c *collector) rings(r *osm.Relation) (rings [][]geo.Fixed) {
	kind := r.Tags.Get("type")
	if level, err := strconv.Atoi(r.Tags.Get("admin_level")); kind != "multipolygon" && kind != "boundary" || err == nil && level < leastLevel {
		return nil
	}
	var members []multipolygon.Member
	for _, m := range r.Members {
		if way := c.members[m.Ref]; m.Kind == osm.KindWay && way != nil {
			members = append(members, multipolygon.Member{Nodes: way.nodes, Inner: m.Role == "inner"})
		}
	}
	polygons, _, _ := multipolygon.AssembleClosing(c.ctx, members, c.position, 0) // outlines across the antimeridian are left out
	for _, polygon := range polygons {
		for _, ring := range polygon {
			points := make([]geo.Fixed, len(ring))
			for i, p := range ring {
				points[i] = geo.Point{Lon: p[0], Lat: p[1]}.Fix()
			}
			rings = append(rings, points)
		}
	}
	return rings
}

func (c *collector) position(node int64) (orb.Point, bool) {
	i, ok := slices.BinarySearch(c.ids, node)
	if !ok || c.at[i] == unknown {
		return orb.Point{}, false
	}
	p := c.at[i].Point()
	return orb.Point{p.Lon, p.Lat}, true
}
