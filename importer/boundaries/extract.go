package boundaries

import (
	"cmp"
	"context"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/osm"
)

// extract has the administrative areas of the sources. Of objects that occur twice the
// highest version counts, and of equal versions the first.
type extract struct {
	areas []area
	lines map[int64][]int64 // nodes of ways
	box   geo.Bounds        // of the sources' nodes

	ids   []int64 // of the ways' nodes, sorted
	at    []geo.Fixed
	known []bool // whether the sources have the node
}

// area is an area of the sources with the ways of its border.
type area struct {
	boundary.Area
	version int32
	ways    []member // by id, each once
}

type member struct {
	id    int64
	inner bool
}

// load reads the sources three times: relations decide which ways are needed, and those
// which nodes.
func load(ctx context.Context, opt *Options) (*extract, error) {
	e := &extract{lines: map[int64][]int64{}, box: geo.NoBounds()}
	areas, versions := map[int64]int{}, map[int64]int32{}
	passes := osm.Passes{Sources: opt.Sources, Count: 3, Progress: opt.Progress}
	if err := passes.Each(ctx, 0, osm.Options{SkipNodes: true, SkipWays: true}, func(b *osm.Block) {
		for i := range b.Relations {
			e.relation(&b.Relations[i], areas)
		}
	}); err != nil {
		return nil, err
	}
	needed := map[int64]bool{}
	for _, a := range e.areas {
		for _, m := range a.ways {
			needed[m.id] = true
		}
	}
	if err := passes.Each(ctx, 1, osm.Options{SkipNodes: true, SkipRelations: true}, func(b *osm.Block) {
		for i := range b.Ways {
			w := &b.Ways[i]
			before, seen := versions[w.ID]
			if seen && w.Version <= before {
				continue
			}
			if needed[w.ID] {
				versions[w.ID], e.lines[w.ID] = w.Version, slices.Clone(w.Nodes)
			} else if a, ok := administrative(w.Tags); ok && len(w.Nodes) > 3 && w.Nodes[0] == w.Nodes[len(w.Nodes)-1] {
				versions[w.ID], e.lines[w.ID] = w.Version, slices.Clone(w.Nodes)
				a.Relation = -w.ID
				e.put(area{Area: a, version: w.Version, ways: []member{{id: w.ID}}}, areas)
			}
		}
	}); err != nil {
		return nil, err
	}
	e.listNodes()
	if err := passes.Each(ctx, 2, osm.Options{SkipWays: true, SkipRelations: true}, func(b *osm.Block) {
		for i := range b.Nodes {
			n := &b.Nodes[i]
			f := geo.Fixed{Lon: n.Lon, Lat: n.Lat}
			e.box = e.box.Extend(f.Point())
			if i, ok := slices.BinarySearch(e.ids, n.ID); ok && !e.known[i] {
				e.at[i], e.known[i] = f, true
			}
		}
	}); err != nil {
		return nil, err
	}
	slices.SortStableFunc(e.areas, func(x, y area) int { return cmp.Compare(x.Relation, y.Relation) })
	return e, nil
}

func (e *extract) relation(r *osm.Relation, areas map[int64]int) {
	a, ok := administrative(r.Tags)
	if kind := r.Tags.Get("type"); !ok || kind != "boundary" && kind != "multipolygon" {
		return
	}
	a.Relation = r.ID
	kept := area{Area: a, version: r.Version, ways: make([]member, 0, len(r.Members))}
	for _, m := range r.Members {
		if m.Kind == osm.KindWay {
			kept.ways = append(kept.ways, member{m.Ref, m.Role == "inner"})
		}
	}
	// A way that is a member twice counts once.
	slices.SortStableFunc(kept.ways, func(x, y member) int { return cmp.Compare(x.id, y.id) })
	kept.ways = slices.CompactFunc(kept.ways, func(x, y member) bool { return x.id == y.id })
	e.put(kept, areas)
}

// put keeps an area in its newest version.
func (e *extract) put(a area, areas map[int64]int) {
	i, seen := areas[a.Relation]
	switch {
	case !seen:
		areas[a.Relation] = len(e.areas)
		e.areas = append(e.areas, a)
	case a.version > e.areas[i].version:
		e.areas[i] = a
	}
}

// listNodes lists the nodes that the ways need.
func (e *extract) listNodes() {
	for _, nodes := range e.lines {
		e.ids = append(e.ids, nodes...)
	}
	slices.Sort(e.ids)
	e.ids = slices.Compact(e.ids)
	e.at, e.known = make([]geo.Fixed, len(e.ids)), make([]bool, len(e.ids))
}
