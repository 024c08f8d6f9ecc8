package basemap

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

// extract is what the map needs of the sources: relations of areas and
// boundaries, ways that are drawn or belong to them, tagged nodes, and the
// positions of the ways' nodes. Objects are in the order of their ids, so that
// neither the order of the files nor that within them matters; of objects that
// occur twice the highest version counts, of equal ones the first.
type extract struct {
	relations []osm.Relation
	ways      []osm.Way
	nodes     []osm.Node
	wayIndex  map[int64]int
	level     map[int64]int      // admin_level by way: the least of its boundary relations
	routes    map[int64][]signed // by way
	declared  []geo.Bounds       // what the sources say they cover, NoBounds where they do not
	timestamp time.Time          // of the newest source

	ids     []int64 // of the ways' nodes, sorted
	at      []geo.Fixed
	version []int32 // of each position, -1 where the node is missing
}

// load reads the sources three times: what relations need decides which ways
// are kept, and those decide which nodes.
func load(ctx context.Context, sources []string, progress func(stage string, done, size int64)) (*extract, error) {
	e := &extract{wayIndex: map[int64]int{}, level: map[int64]int{}, routes: map[int64][]signed{}}
	scan := func(stage string, options osm.Options, take func(*osm.Block)) error {
		for _, source := range sources {
			options.Progress = func(done, size int64) { progress(stage, done, size) }
			header, err := osm.Scan(ctx, source, options, func(b *osm.Block) error { take(b); return nil })
			if err != nil {
				return err
			}
			if stage == "relations" {
				e.declared = append(e.declared, header.Bounds)
				if header.Timestamp.After(e.timestamp) {
					e.timestamp = header.Timestamp
				}
			}
		}
		return nil
	}
	relations := map[int64]int{}
	if err := scan("relations", osm.Options{SkipNodes: true, SkipWays: true}, func(b *osm.Block) {
		for i := range b.Relations {
			e.keepRelation(&b.Relations[i], relations)
		}
	}); err != nil {
		return nil, err
	}
	members := e.members()
	if err := scan("ways", osm.Options{SkipNodes: true, SkipRelations: true}, func(b *osm.Block) {
		for i := range b.Ways {
			e.keepWay(&b.Ways[i], members)
		}
	}); err != nil {
		return nil, err
	}
	e.collectNodes()
	nodes := map[int64]int{}
	if err := scan("nodes", osm.Options{SkipWays: true, SkipRelations: true}, func(b *osm.Block) {
		for i := range b.Nodes {
			e.keepNode(&b.Nodes[i], nodes)
		}
	}); err != nil {
		return nil, err
	}
	slices.SortFunc(e.relations, func(a, b osm.Relation) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(e.nodes, func(a, b osm.Node) int { return cmp.Compare(a.ID, b.ID) })
	return e, nil
}

func (e *extract) keepRelation(r *osm.Relation, known map[int64]int) {
	kind := r.Tags.Get("type")
	if _, ok := signedRoute(r.Tags); !ok && kind != "multipolygon" && kind != "boundary" {
		return
	}
	kept := osm.Relation{ID: r.ID, Version: r.Version, Members: slices.Clone(r.Members), Tags: slices.Clone(r.Tags)}
	if i, ok := known[r.ID]; ok {
		if r.Version > e.relations[i].Version {
			e.relations[i] = kept
		}
		return
	}
	known[r.ID] = len(e.relations)
	e.relations = append(e.relations, kept)
}

// members lists the ways of the relations that are drawn.
func (e *extract) members() map[int64]bool {
	members := map[int64]bool{}
	for _, r := range e.relations {
		if route, ok := signedRoute(r.Tags); ok {
			for _, m := range r.Members {
				if m.Kind == osm.KindWay && len(e.routes[m.Ref]) < maxRoutes {
					e.routes[m.Ref] = append(e.routes[m.Ref], route)
				}
			}
			continue
		}
		level := adminLevel(r.Tags)
		for _, m := range r.Members {
			if m.Kind != osm.KindWay {
				continue
			}
			members[m.Ref] = true
			if level > 0 && (e.level[m.Ref] == 0 || level < e.level[m.Ref]) {
				e.level[m.Ref] = level
			}
		}
	}
	return members
}

// maxRoutes is how many routes of one way are looked at.
const maxRoutes = 32

func (e *extract) keepWay(w *osm.Way, members map[int64]bool) {
	if len(w.Nodes) < 2 || !members[w.ID] && !drawnWay(w.Tags) {
		return
	}
	kept := osm.Way{ID: w.ID, Version: w.Version, Nodes: slices.Clone(w.Nodes), Tags: slices.Clone(w.Tags)}
	if i, ok := e.wayIndex[w.ID]; ok {
		if w.Version > e.ways[i].Version {
			e.ways[i] = kept
		}
		return
	}
	e.wayIndex[w.ID] = len(e.ways)
	e.ways = append(e.ways, kept)
}

// collectNodes puts the ways in order and lists the nodes they need.
func (e *extract) collectNodes() {
	slices.SortFunc(e.ways, func(a, b osm.Way) int { return cmp.Compare(a.ID, b.ID) })
	n := 0
	for i, w := range e.ways {
		e.wayIndex[w.ID] = i
		n += len(w.Nodes)
	}
	e.ids = make([]int64, 0, n)
	for _, w := range e.ways {
		e.ids = append(e.ids, w.Nodes...)
	}
	slices.Sort(e.ids)
	e.ids = slices.Compact(e.ids)
	e.at = make([]geo.Fixed, len(e.ids))
	e.version = make([]int32, len(e.ids))
	for i := range e.version {
		e.version[i] = -1
	}
}

func (e *extract) keepNode(n *osm.Node, known map[int64]int) {
	if i, ok := slices.BinarySearch(e.ids, n.ID); ok && n.Version > e.version[i] {
		e.at[i] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}
		e.version[i] = n.Version
	}
	if !drawnNode(n.Tags) {
		return
	}
	kept := osm.Node{ID: n.ID, Version: n.Version, Lon: n.Lon, Lat: n.Lat, Tags: slices.Clone(n.Tags)}
	if i, ok := known[n.ID]; ok {
		if n.Version > e.nodes[i].Version {
			e.nodes[i] = kept
		}
		return
	}
	known[n.ID] = len(e.nodes)
	e.nodes = append(e.nodes, kept)
}

// position gives where a way's node lies, in world coordinates.
func (e *extract) position(id int64) (orb.Point, bool) {
	i, ok := slices.BinarySearch(e.ids, id)
	if !ok || e.version[i] < 0 {
		return orb.Point{}, false
	}
	return project(e.at[i].Point()), true
}

// nodeBounds is the box of everything.
func (e *extract) nodeBounds() geo.Bounds {
	b := geo.NoBounds()
	for i, p := range e.at {
		if e.version[i] >= 0 {
			b = b.Extend(p.Point())
		}
	}
	for _, n := range e.nodes {
		b = b.Extend(geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point())
	}
	return b
}
