package network

import (
	"cmp"
	"context"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/osm"
)

// frontiers are the borders of countries in the extracts.
type frontiers struct {
	lines     map[int64][]nodeNumber // nodes of the ways along borders
	countries []outlined
}

// outlined is a country with the ways of its border.
type outlined struct {
	relation int64
	code     string // ISO 3166-1, two letters
	ways     []int64
}

// border adds a way along the border of a country. If several boundaries share a way,
// it has the level of the highest.
func (c *collector) border(w *osm.Way) {
	if w.Tags.Get("admin_level") != "2" || len(w.Nodes) < 2 {
		return
	}
	if c.frontiers.lines == nil {
		c.frontiers.lines = map[int64][]nodeNumber{}
	}
	if _, seen := c.frontiers.lines[w.ID]; seen {
		return
	}
	line := make([]nodeNumber, len(w.Nodes))
	for i, id := range w.Nodes {
		n, isNew := c.nodes.add(id)
		if isNew {
			c.uses = append(c.uses, 0) // no travelled way
		}
		line[i] = n
	}
	c.frontiers.lines[w.ID] = line
}

// country adds the relation of a country's border.
func (c *collector) country(r *osm.Relation) {
	if r.Tags.Get("boundary") != "administrative" || r.Tags.Get("admin_level") != "2" {
		return
	}
	code := r.Tags.Get("ISO3166-1:alpha2")
	if code == "" {
		code = r.Tags.Get("ISO3166-1")
	}
	if len(code) != 2 {
		return // the border between two countries, or a country without a code
	}
	kept := outlined{relation: r.ID, code: c.text(code)}
	for _, m := range r.Members {
		if m.Kind == osm.KindWay {
			kept.ways = append(kept.ways, m.Ref)
		}
	}
	c.frontiers.countries = append(c.frontiers.countries, kept)
}

// refine replaces the borders that the extracts contain whole.
func (c *collector) refine(ctx context.Context, b *country.Borders) error {
	list := c.frontiers.countries
	slices.SortStableFunc(list, func(x, y outlined) int { return cmp.Compare(x.relation, y.relation) })
	for i := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if rings, whole := c.rings(&list[i]); whole && b.Refine(list[i].code, rings) {
			c.counts["country_borders"]++
		}
	}
	return nil
}

// rings returns the lines of a country's border; whole is false if the extracts lack
// any of it.
func (c *collector) rings(o *outlined) (rings [][]geo.Fixed, whole bool) {
	for _, way := range o.ways {
		nodes, ok := c.frontiers.lines[way]
		if !ok {
			return nil, false
		}
		line := make([]geo.Fixed, len(nodes))
		for i, n := range nodes {
			if !c.known[n] {
				return nil, false
			}
			line[i] = c.at[n]
		}
		rings = append(rings, line)
	}
	return rings, true
}
