// Package places is the import stage that collects what people look for by name
// or number: addresses, streets, localities, areas, postcodes and points of
// interest, from extracts and from tables of places.
package places

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/osm"
)

// Options of the stage.
type Options struct {
	Sources  []string        // local extracts, may overlap
	Tables   []string        // CSV files of places or postcodes
	Out      string          // the section file
	Country  string          // of places that lie in none
	Areas    *boundary.Index // the administrative areas; nil where there are none
	Progress func(done, size int64)
}

// collector reads the extracts several times, so that all it holds in between
// are the nodes that lines and outlines need.
type collector struct {
	ctx     context.Context
	opt     *Options
	builder *build.Builder
	pass    int64

	relations []osm.Relation      // that are outlines of places
	members   map[int64]*member   // ways of relations that make places
	corners   map[int64]geo.Fixed // label and centre nodes of relations
	ends      map[int64]osm.Tags  // addresses of nodes of interpolation ways
	ids       []int64             // nodes of ways, sorted
	at        []geo.Fixed
	junctions map[int64]*junction // by their nodes
	eastward  []*junction         // the same from west to east
}

// member is a way of a relation that makes a place.
type member struct {
	box    geo.Bounds
	at     geo.Fixed   // on it
	linear bool        // it is part of a line
	line   []geo.Fixed // of a part of a line that makes no place itself
	nodes  []int64
}

// passes is how often the extracts are read.
const passes = 4

// unknown is where a node lies that the extracts lack.
var unknown = geo.Fixed{Lon: 1<<31 - 1, Lat: 1<<31 - 1}

// Build runs the stage and gives counts for the manifest.
func Build(ctx context.Context, opt Options) (map[string]int64, error) {
	borders, err := country.New(opt.Country)
	if err != nil {
		return nil, err
	}
	c := &collector{
		ctx: ctx, opt: &opt, members: map[int64]*member{}, corners: map[int64]geo.Fixed{}, ends: map[int64]osm.Tags{}, junctions: map[int64]*junction{},
		builder: &build.Builder{Country: func(p geo.Point) string { return borders.At(p).Code }, CountryNames: countryNames},
	}
	if opt.Areas != nil {
		c.builder.Areas = func(p geo.Point) []build.Within { return areasWithNames(opt.Areas.At(p)) }
	}
	for _, table := range opt.Tables {
		if err := ReadTable(ctx, table, c.builder); err != nil {
			return nil, err
		}
	}
	if err := c.read(); err != nil {
		return nil, err
	}
	index, err := c.builder.Build(ctx)
	if err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	for kind, n := range index.Counts() {
		counts[countNames[kind]] = int64(n)
	}
	return counts, index.Write(opt.Out)
}

// areasWithNames lists areas, the smallest first, with the names that people use of them.
func areasWithNames(areas []boundary.Area) []build.Within {
	list := make([]build.Within, 0, len(areas))
	for _, a := range slices.Backward(areas) {
		// Coarse outlines run through land that is mapped as another country's.
		if a.Coarse && slices.ContainsFunc(areas, func(o boundary.Area) bool {
			return !o.Coarse && len(o.ISO) > 2 && len(a.ISO) >= 2 && o.ISO[:2] != a.ISO[:2]
		}) {
			continue
		}
		w := build.Within{Names: []string{a.Name}, Level: a.Level}
		if len(a.ISO) == 2 {
			w.Country = a.ISO
		}
		if english := a.In("en"); english != a.Name {
			w.Names = append(w.Names, english)
		}
		list = append(list, w)
	}
	return list
}

var countNames = map[place.Kind]string{
	place.Address: "places_addresses", place.Street: "places_streets", place.Locality: "places_localities", place.POI: "places_pois", place.Postcode: "places_postcodes", place.Area: "places_areas",
}

func (c *collector) read() error {
	if err := c.scan(osm.Options{SkipNodes: true, SkipWays: true}, c.listMembers); err != nil {
		return err
	}
	if err := c.scan(osm.Options{SkipNodes: true, SkipRelations: true}, c.listNodes); err != nil {
		return err
	}
	slices.Sort(c.ids)
	c.ids = slices.Clip(slices.Compact(c.ids))
	c.at = make([]geo.Fixed, len(c.ids))
	for i := range c.at {
		c.at[i] = unknown
	}
	if err := c.scan(osm.Options{SkipWays: true, SkipRelations: true}, c.takeNodes); err != nil {
		return err
	}
	c.eastward = slices.SortedFunc(maps.Values(c.junctions), func(a, b *junction) int { return cmp.Compare(a.at.Lon, b.at.Lon) })
	if err := c.scan(osm.Options{SkipNodes: true, SkipRelations: true}, c.takeWays); err != nil {
		return err
	}
	c.addJunctions()
	for i := range c.relations {
		c.takeRelation(&c.relations[i])
	}
	c.ids, c.at, c.relations = nil, nil, nil
	return nil
}

func (c *collector) scan(o osm.Options, take func(*osm.Block)) error {
	n := int64(len(c.opt.Sources))
	for i, source := range c.opt.Sources {
		o.Progress = func(done, size int64) {
			if c.opt.Progress != nil && size > 0 {
				c.opt.Progress((c.pass*n+int64(i))*1000+done*1000/size, passes*n*1000)
			}
		}
		if _, err := osm.Scan(c.ctx, source, o, func(b *osm.Block) error { take(b); return nil }); err != nil {
			return err
		}
	}
	c.pass++
	return nil
}

func (c *collector) listMembers(b *osm.Block) {
	for i := range b.Relations {
		r := &b.Relations[i]
		if !outlined(r) {
			continue
		}
		c.relations = append(c.relations, osm.Relation{ID: r.ID, Members: slices.Clone(r.Members), Tags: cloneTags(r.Tags)})
		for _, m := range r.Members {
			switch m.Kind {
			case osm.KindWay:
				if c.members[m.Ref] == nil {
					c.members[m.Ref] = &member{box: geo.NoBounds(), at: unknown}
				}
				if r.Tags.Get("type") == "waterway" {
					c.members[m.Ref].linear = true
				}
			case osm.KindNode:
				if m.Role == "label" || m.Role == "admin_centre" || r.Tags.Get("type") == "site" {
					c.corners[m.Ref] = unknown
				}
			}
		}
	}
}

// outlined reports whether a relation is the outline of a place.
func outlined(r *osm.Relation) bool {
	switch r.Tags.Get("type") {
	case "multipolygon", "boundary", "site", "public_transport", "waterway", "route", "bridge", "tunnel", "multilinestring", "cluster", "group", "water", "land_area", "building":
	default:
		return false
	}
	return makesPlace(r.Tags, false)
}

func (c *collector) listNodes(b *osm.Block) {
	for i := range b.Ways {
		w := &b.Ways[i]
		between := w.Tags.Has("addr:interpolation")
		if len(w.Nodes) == 0 || !between && c.members[w.ID] == nil && !makesPlace(w.Tags, true) {
			continue
		}
		c.ids = append(c.ids, w.Nodes...)
		if between {
			for _, n := range w.Nodes {
				c.ends[n] = nil
			}
		}
	}
}

func (c *collector) takeNodes(b *osm.Block) {
	for i := range b.Nodes {
		n := &b.Nodes[i]
		at := geo.Fixed{Lon: n.Lon, Lat: n.Lat}
		if k, ok := slices.BinarySearch(c.ids, n.ID); ok {
			c.at[k] = at
		}
		if _, ok := c.corners[n.ID]; ok {
			c.corners[n.ID] = at
		}
		if len(n.Tags) == 0 {
			continue
		}
		if _, ok := c.ends[n.ID]; ok && n.Tags.Has("addr:housenumber") {
			c.ends[n.ID] = cloneTags(n.Tags)
		}
		if n.Tags.Get("highway") == "motorway_junction" {
			c.junctions[n.ID] = &junction{tags: cloneTags(n.Tags), at: at}
			continue
		}
		if makesPlace(n.Tags, false) {
			c.add(n.Tags, origin{source: place.Node, number: n.ID, at: at})
		}
	}
}

// line returns the nodes of a way that are there.
func (c *collector) line(nodes []int64) []geo.Fixed {
	line := make([]geo.Fixed, 0, len(nodes))
	for _, n := range nodes {
		if k, ok := slices.BinarySearch(c.ids, n); ok && c.at[k] != unknown {
			line = append(line, c.at[k])
		}
	}
	return line
}

func (c *collector) takeWays(b *osm.Block) {
	for i := range b.Ways {
		w := &b.Ways[i]
		between := w.Tags.Has("addr:interpolation")
		wanted := makesPlace(w.Tags, true)
		if !between && !wanted && c.members[w.ID] == nil {
			continue
		}
		line := c.line(w.Nodes)
		if len(line) == 0 {
			continue
		}
		if between {
			c.interpolate(w)
		}
		box := bounds(line)
		if m := c.members[w.ID]; m != nil {
			m.nodes = slices.Clone(w.Nodes)
			m.box, m.at = box, line[len(line)/2]
			if m.linear && !hasName(w.Tags) {
				m.line = line
			}
		}
		c.numberJunctions(w, line, box)
		if wanted {
			closed := len(w.Nodes) > 3 && w.Nodes[0] == w.Nodes[len(w.Nodes)-1]
			o := origin{source: place.Way, number: w.ID, at: box.Centre().Fix(), line: line, box: box, closed: closed, member: c.members[w.ID] != nil}
			if !closed {
				o.at = line[len(line)/2]
			} else if len(line) == len(w.Nodes) {
				o.rings = [][]geo.Fixed{line}
			}
			c.add(w.Tags, o)
		}
	}
}

func bounds(line []geo.Fixed) geo.Bounds {
	points := make([]geo.Point, len(line))
	for i, p := range line {
		points[i] = p.Point()
	}
	return geo.BoundsOf(points)
}

func (c *collector) takeRelation(r *osm.Relation) {
	box := geo.NoBounds()
	label, centre := unknown, unknown
	var parts []*member // those of which something is known
	for _, m := range r.Members {
		switch {
		case m.Kind == osm.KindWay:
			if w := c.members[m.Ref]; w != nil && w.at != unknown && m.Role != "inner" {
				box = box.Union(w.box)
				parts = append(parts, w)
			}
		case m.Kind == osm.KindNode && m.Role == "label":
			label = c.corner(m.Ref)
		case m.Kind == osm.KindNode && m.Role == "admin_centre":
			centre = c.corner(m.Ref)
		case m.Kind == osm.KindNode:
			if at := c.corner(m.Ref); at != unknown {
				box = box.Extend(at.Point())
			}
		}
	}
	at := label
	if at == unknown {
		at = centre
	}
	if at == unknown {
		if box.Empty() {
			return
		}
		at = box.Centre().Fix()
	}
	o := origin{source: place.Relation, number: r.ID, at: at, box: box, closed: true, rings: c.rings(r)}
	switch r.Tags.Get("type") {
	case "route", "multilinestring":
		if len(parts) > 0 {
			o.at = parts[len(parts)/2].at // no route goes through the middle of its box
		}
	case "waterway":
		c.addWaterway(r, o, parts)
		return
	}
	c.add(r.Tags, o)
}

// addWaterway makes a river of the ways of a relation: of those that have no name themselves,
// or else it adds its names to theirs.
func (c *collector) addWaterway(r *osm.Relation, o origin, parts []*member) {
	if len(parts) == 0 {
		return
	}
	o.at, o.closed = parts[len(parts)/2].at, false
	o.line = []geo.Fixed{o.at}
	whole := true
	for _, m := range parts {
		if m.line != nil {
			whole = false
			o.part++
			o.line = m.line
			c.add(r.Tags, o)
		}
	}
	if whole {
		c.add(r.Tags, o)
	}
}

func (c *collector) corner(id int64) geo.Fixed {
	if at, ok := c.corners[id]; ok {
		return at
	}
	return unknown
}
