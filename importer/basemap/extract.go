package basemap

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/osm"
)

// extract has the parts of the sources that the map needs before anything is drawn: relations of
// areas and boundaries with their ways, and the positions of all drawn nodes. Objects
// are taken in the order of their ids, so that neither the order of the files nor that
// within them matters; of objects that occur twice the highest version counts, and of
// equal versions the first.
type extract struct {
	relations []osm.Relation
	ways      []osm.Way // of relations
	wayIndex  map[int64]int
	level     map[int64]int      // admin_level by way: the least of its boundary relations
	routes    map[int64][]signed // by way
	declared  []geo.Bounds       // what the sources say they cover, NoBounds where they do not
	timestamp time.Time          // of the newest source

	drawnWays, drawnNodes latest
	roads                 []int64    // nodes of roads and ferries, each as often as they have it
	extent                geo.Extent // of everything
	around                geo.Bounds // the box of that, in the turn of the globe at hand
	west                  float64    // longitude where that turn begins
	across                bool       // it goes beyond the antimeridian

	ids     []int64 // of the ways' nodes, sorted
	at      []geo.Fixed
	version []int32 // of each position, -1 where the node is missing
}

// latest selects the version of each object that counts.
type latest struct {
	objects []objectVersion
	taken   []bool
}

type objectVersion struct {
	id      int64
	version int32
}

func (l *latest) see(id int64, version int32) {
	l.objects = append(l.objects, objectVersion{id, version})
}

// seen ends the collection of versions.
func (l *latest) seen() {
	slices.SortFunc(l.objects, func(a, b objectVersion) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(b.version, a.version))
	})
	l.objects = slices.CompactFunc(l.objects, func(a, b objectVersion) bool { return a.id == b.id })
	l.taken = make([]bool, len(l.objects))
}

// take reports whether an object counts, and returns true only once.
func (l *latest) take(id int64, version int32) bool {
	i, ok := slices.BinarySearchFunc(l.objects, id, func(o objectVersion, id int64) int { return cmp.Compare(o.id, id) })
	if !ok || l.objects[i].version != version || l.taken[i] {
		return false
	}
	l.taken[i] = true
	return true
}

// scanning reads sources one after the other.
type scanning struct {
	sources  []string
	progress func(stage string, done, size int64)
}

func (s scanning) scan(ctx context.Context, stage string, options osm.Options, take func(*osm.Block) error, header func(osm.Header)) error {
	for _, source := range s.sources {
		options.Progress = func(done, size int64) { s.progress(stage, done, size) }
		h, err := osm.Scan(ctx, source, options, take)
		if err != nil {
			return err
		}
		if header != nil {
			header(h)
		}
	}
	return nil
}

// load reads the sources three times: relations decide which ways are kept, and
// everything drawn decides which nodes.
func load(ctx context.Context, s scanning) (*extract, error) {
	e := &extract{wayIndex: map[int64]int{}, level: map[int64]int{}, routes: map[int64][]signed{}}
	relations := map[int64]int{}
	if err := s.scan(ctx, "relations", osm.Options{SkipNodes: true, SkipWays: true}, func(b *osm.Block) error {
		for i := range b.Relations {
			e.keepRelation(&b.Relations[i], relations)
		}
		return nil
	}, func(h osm.Header) {
		e.declared = append(e.declared, h.Bounds)
		if h.Timestamp.After(e.timestamp) {
			e.timestamp = h.Timestamp
		}
	}); err != nil {
		return nil, err
	}
	members := e.members()
	compact := 1 << 20 // nodes, from how many on those that occur again are dropped
	if err := s.scan(ctx, "ways", osm.Options{SkipNodes: true, SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Ways {
			e.keepWay(&b.Ways[i], members)
		}
		if len(e.ids) > compact {
			e.compactIDs()
			compact = max(compact, 2*len(e.ids))
		}
		return nil
	}, nil); err != nil {
		return nil, err
	}
	e.compactIDs()
	e.drawnWays.seen()
	e.at = make([]geo.Fixed, len(e.ids))
	e.version = slices.Repeat([]int32{-1}, len(e.ids))
	if err := s.scan(ctx, "nodes", osm.Options{SkipWays: true, SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Nodes {
			e.keepNode(&b.Nodes[i])
		}
		return nil
	}, nil); err != nil {
		return nil, err
	}
	e.drawnNodes.seen()
	for i, p := range e.at {
		if e.version[i] >= 0 {
			e.extent.Add(p.Point())
		}
	}
	e.turnTo(e.extent.Bounds())
	slices.SortFunc(e.relations, func(a, b osm.Relation) int { return cmp.Compare(a.ID, b.ID) })
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

// maxRoutes limits the routes of one way.
const maxRoutes = 32

func (e *extract) keepWay(w *osm.Way, members map[int64]bool) {
	if len(w.Nodes) < 2 || !members[w.ID] && !drawnWay(w.Tags) {
		return
	}
	e.drawnWays.see(w.ID, w.Version)
	e.ids = append(e.ids, w.Nodes...)
	if w.Tags.Has("highway") || w.Tags.Get("route") == "ferry" {
		e.roads = append(e.roads, w.Nodes...)
	}
	if !members[w.ID] {
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

func (e *extract) compactIDs() {
	slices.Sort(e.ids)
	e.ids = slices.Compact(e.ids)
}

func (e *extract) keepNode(n *osm.Node) {
	if i, ok := slices.BinarySearch(e.ids, n.ID); ok && n.Version > e.version[i] {
		e.at[i] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}
		e.version[i] = n.Version
	}
	if drawnNode(n.Tags) {
		e.drawnNodes.see(n.ID, n.Version)
		e.extent.Add(geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point())
	}
}

// turnTo counts longitudes from opposite the middle of a box that crosses the
// antimeridian, so that both sides are in one piece: x of world coordinates then
// exceeds 1, and tiles are numbered on in the same way.
func (e *extract) turnTo(b geo.Bounds) {
	switch e.across = b.Crosses(); {
	case e.across:
		e.west = (b.Min.Lon + b.Max.Lon) / 2
	case b.Min.Lon > -180:
		e.west = math.Nextafter(-180, 0) // what lies at -180 lies at 180
	default:
		e.west = -180
	}
	e.around = e.turn(e.extent.Bounds())
}

// turn moves a box to the current turn of the globe.
func (e *extract) turn(b geo.Bounds) geo.Bounds {
	if b.Empty() {
		return b
	}
	b = b.Unwrapped()
	if b.Max.Lon <= e.west {
		b.Min.Lon, b.Max.Lon = b.Min.Lon+360, b.Max.Lon+360
	}
	if b.Min.Lon < e.west {
		b.Min.Lon, b.Max.Lon = e.west, e.west+360
	}
	return b
}

// inTurn returns a position in the current turn of the globe.
func (e *extract) inTurn(f geo.Fixed) geo.Point {
	p := f.Point()
	if p.Lon < e.west {
		p.Lon += 360
	}
	return p
}

// position returns where a way's node lies, in world coordinates.
func (e *extract) position(id int64) (orb.Point, bool) {
	i, ok := slices.BinarySearch(e.ids, id)
	if !ok || e.version[i] < 0 {
		return orb.Point{}, false
	}
	return plane.Project(e.inTurn(e.at[i])), true
}

// eachRoadNode yields the positions of the nodes of roads and ferries.
func (e *extract) eachRoadNode(yield func(geo.Fixed) bool) {
	slices.Sort(e.roads)
	i := 0
	for _, id := range e.roads {
		for e.ids[i] < id {
			i++
		}
		if e.version[i] >= 0 && !yield(e.at[i]) {
			break
		}
	}
}
