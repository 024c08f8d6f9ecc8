// Package clip cuts an area out of an extract.
package clip

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

// Cut writes the part of an extract that lies in an area to path: the nodes in it,
// whole ways with a node in it, whole areas (multipolygons) and turn restrictions with
// a part in it, and other relations as they are, with members that may be missing. It
// reads the extract four times and keeps about 60 bytes a node in memory.
func Cut(ctx context.Context, extract string, area *Area, path string) error {
	c := &cutter{ctx: ctx, extract: extract, area: area}
	data, err := c.cut()
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = osm.WritePBF(f, data)
	return errors.Join(err, f.Close())
}

type cutter struct {
	ctx     context.Context
	extract string
	area    *Area

	inside ids // nodes in the area
	ways   ids // kept
	nodes  ids // kept: those inside and of kept ways
}

// ids is a set of ids, sorted once it is complete.
type ids []int64

func (s *ids) complete() {
	slices.Sort(*s)
	*s = slices.Compact(*s)
}

func (s ids) has(id int64) bool {
	_, ok := slices.BinarySearch(s, id)
	return ok
}

func (c *cutter) scan(o osm.Options, use func(*osm.Block) error) (osm.Header, error) {
	return osm.Scan(c.ctx, c.extract, o, use)
}

func (c *cutter) cut() (*osm.Data, error) {
	header, err := c.scan(osm.Options{SkipWays: true, SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Nodes {
			if n := &b.Nodes[i]; c.area.Contains(geo.Point{Lon: float64(n.Lon) / 1e7, Lat: float64(n.Lat) / 1e7}) {
				c.inside = append(c.inside, n.ID)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.inside.complete()
	if len(c.inside) == 0 {
		return nil, errors.New(c.extract + " has nothing in the polygon: are longitude and latitude swapped?")
	}
	touched, err := c.touched()
	if err != nil {
		return nil, err
	}
	data := &osm.Data{Timestamp: header.Timestamp, Bounds: c.area.Bounds()}
	if data.Relations, err = c.relations(touched); err != nil {
		return nil, err
	}
	return data, c.fill(data)
}

// touched returns the ways with a node in the area.
func (c *cutter) touched() (touched ids, err error) {
	_, err = c.scan(osm.Options{SkipNodes: true, SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Ways {
			if slices.ContainsFunc(b.Ways[i].Nodes, c.inside.has) {
				touched = append(touched, b.Ways[i].ID)
			}
		}
		return nil
	})
	touched.complete()
	return touched, err
}

// whole reports whether all ways of a relation are kept if one is.
func whole(r *osm.Relation) bool {
	switch r.Tags.Get("type") {
	case "multipolygon", "restriction", "connectivity":
		return true
	}
	return false
}

// relations returns those with a member that is kept, and keeps the ways they need.
func (c *cutter) relations(touched ids) (kept []osm.Relation, err error) {
	c.ways = slices.Clone(touched)
	_, err = c.scan(osm.Options{SkipNodes: true, SkipWays: true}, func(b *osm.Block) error {
		for i := range b.Relations {
			r := &b.Relations[i]
			if !slices.ContainsFunc(r.Members, func(m osm.Member) bool {
				return m.Kind == osm.KindWay && touched.has(m.Ref) || m.Kind == osm.KindNode && c.inside.has(m.Ref)
			}) {
				continue
			}
			for _, m := range r.Members {
				if m.Kind == osm.KindWay && whole(r) {
					c.ways = append(c.ways, m.Ref)
				}
			}
			kept = append(kept, osm.Relation{ID: r.ID, Version: r.Version, Members: slices.Clone(r.Members), Tags: slices.Clone(r.Tags)})
		}
		return nil
	})
	c.ways.complete()
	return kept, err
}

// fill adds the ways that are kept and their nodes. An extract may have them in any
// order.
func (c *cutter) fill(data *osm.Data) error {
	c.nodes = c.inside
	_, err := c.scan(osm.Options{SkipNodes: true, SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Ways {
			if w := &b.Ways[i]; c.ways.has(w.ID) {
				data.Ways = append(data.Ways, osm.Way{ID: w.ID, Version: w.Version, Nodes: slices.Clone(w.Nodes), Tags: slices.Clone(w.Tags)})
				c.nodes = append(c.nodes, w.Nodes...)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.nodes.complete()
	_, err = c.scan(osm.Options{SkipWays: true, SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Nodes {
			if n := b.Nodes[i]; c.nodes.has(n.ID) {
				n.Tags = slices.Clone(n.Tags)
				data.Nodes = append(data.Nodes, n)
			}
		}
		return nil
	})
	return err
}
