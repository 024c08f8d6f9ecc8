package network

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/tags"
	"github.com/waygate/waygate/osm"
)

// area is ground on which people walk freely, or a platform along which they walk, as
// mapped.
type area struct {
	id   int64 // of the way or the relation
	way  int64 // that its edges are of: of a relation its first outer one
	tags osm.Tags
	// lines are its outline: the closed way, or the members of the relation.
	lines []areaLine
	open  bool   // a platform that is a line
	place uint64 // of the first of its nodes that is known, along a Hilbert curve
}

// none is no node.
const none = nodeNumber(math.MaxUint32)

// areaLine is a way of an area; nodes is nil where the files lack it.
type areaLine struct {
	way   int64
	nodes []nodeNumber
	inner bool
}

// areas are the areas that the first passes find. A node in areas alone is of no other
// use.
type areas struct {
	c       *collector
	list    []area
	seen    map[int64]bool    // ways that are in the list, or the outline of one that is
	members map[int64][]int64 // nodes of ways of relations; nil while not found
	// holes has, by the way that is the outline of a multipolygon without tags of its
	// own, the ways round its holes: such an area has its tags on the outline.
	holes map[int64][]int64
}

// way adds a way that is an area or a platform, and reports whether it is one.
func (a *areas) way(w *osm.Way) bool {
	n := len(w.Nodes)
	closed := n > 3 && w.Nodes[0] == w.Nodes[n-1]
	open := !closed && n > 1 && tags.Platform(w.Tags)
	if !open && !(closed && tags.Walked(w.Tags)) {
		return false
	}
	if !a.seen[w.ID] {
		a.seen[w.ID] = true
		kept := area{id: w.ID, way: w.ID, tags: a.c.internTags(w.Tags), lines: []areaLine{{way: w.ID, nodes: a.c.unused(w.Nodes)}}, open: open}
		for _, hole := range a.holes[w.ID] {
			kept.lines = append(kept.lines, areaLine{way: hole, inner: true})
		}
		a.list = append(a.list, kept)
	}
	return true
}

// relation adds a multipolygon that is an area.
func (a *areas) relation(r *osm.Relation) {
	if a.c.ruleSeen[r.ID] {
		return
	}
	if !tags.Walked(r.Tags) {
		a.addHoles(r)
		return
	}
	a.c.ruleSeen[r.ID] = true
	kept := area{id: r.ID, tags: a.c.internTags(r.Tags)}
	for _, m := range r.Members {
		if m.Kind != osm.KindWay {
			continue
		}
		kept.lines = append(kept.lines, areaLine{way: m.Ref, inner: m.Role == "inner"})
		a.members[m.Ref] = nil
		if m.Role != "inner" {
			a.seen[m.Ref] = true
			kept.way = cmp.Or(kept.way, m.Ref)
		}
	}
	if kept.way != 0 {
		a.list = append(a.list, kept)
	}
}

// addHoles adds the holes of a multipolygon that has one outline and no tags of its own.
func (a *areas) addHoles(r *osm.Relation) {
	outline, inner := int64(0), []int64(nil)
	for _, t := range r.Tags {
		if t.Key != "type" && !unused(t.Key) {
			return
		}
	}
	for _, m := range r.Members {
		switch {
		case m.Kind != osm.KindWay:
		case m.Role == "inner":
			inner = append(inner, m.Ref)
		case outline != 0:
			return
		default:
			outline = m.Ref
		}
	}
	if outline == 0 || len(inner) == 0 {
		return
	}
	a.holes[outline] = inner
	for _, way := range inner {
		a.members[way] = nil
	}
}

// sort sorts areas by position, as the collector does ways.
func (a *areas) sort() {
	for i := range a.list {
		x := &a.list[i]
		if n := a.firstKnown(x); n != none {
			x.place = geo.Hilbert(a.c.at[n])
		}
	}
	slices.SortFunc(a.list, func(x, y area) int {
		return cmp.Or(cmp.Compare(x.place, y.place), cmp.Compare(x.way, y.way), cmp.Compare(x.id, y.id))
	})
}

// firstKnown returns the first node of an area that the extracts contain, none if they
// contain no node of it.
func (a *areas) firstKnown(x *area) nodeNumber {
	for _, l := range x.lines {
		for _, n := range l.nodes {
			if a.c.known[n] {
				return n
			}
		}
	}
	return none
}

// unused numbers nodes that no known travelled way has.
func (c *collector) unused(ids []int64) []nodeNumber {
	list := make([]nodeNumber, len(ids))
	for i, id := range ids {
		n, isNew := c.nodes.add(id)
		if isNew {
			c.uses = append(c.uses, 0)
		}
		list[i] = n
	}
	return list
}

// findRelations finds the multipolygons that are areas: files have relations after
// their ways, so a first pass looks for them.
func (c *collector) findRelations(ctx context.Context) error {
	return c.scan(ctx, 0, osm.Options{SkipNodes: true, SkipWays: true}, func(b *osm.Block) error {
		for i := range b.Relations {
			if r := &b.Relations[i]; r.Tags.Get("type") == "multipolygon" {
				c.areas.relation(r)
			}
		}
		return nil
	})
}

// member adds a way of a multipolygon.
func (a *areas) member(w *osm.Way) {
	if nodes, ok := a.members[w.ID]; ok && nodes == nil {
		a.members[w.ID] = slices.Clone(w.Nodes)
	}
}

// draw resolves the ways of the multipolygons.
func (a *areas) draw() {
	for i := range a.list {
		for k := range a.list[i].lines {
			if l := &a.list[i].lines[k]; l.nodes == nil {
				l.nodes = a.c.unused(a.members[l.way])
			}
		}
	}
	a.members, a.seen, a.holes = nil, nil, nil
}
