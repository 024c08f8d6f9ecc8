// Package zones is the import stage that collects the clean-air zones of the map:
// relations and closed ways with boundary=low_emission_zone or low_emission_zone=yes.
// The map has their areas but not whom they charge, so they have no rules.
//
// It also reads the collection of German Umweltzonen, and tables of controlled zones in
// DATEX II.
package zones

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/multipolygon"
	"github.com/waygate/waygate/index/timezone"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/osm"
)

// Options of the stage.
type Options struct {
	Sources  []string // local extracts, may overlap
	Out      string   // the section file
	Progress func(done, size int64)
}

// Build runs the stage and returns counts for the manifest: the zones, and those left
// out because no ring is whole.
func Build(ctx context.Context, opt Options) (map[string]int64, error) {
	x := &extract{found: map[string]*mapped{}, lines: map[int64][]int64{}, at: map[int64]geo.Fixed{}}
	if err := x.load(ctx, &opt); err != nil {
		return nil, err
	}
	counts := map[string]int64{"zones": 0, "zones_open": 0}
	var list []zone.Zone
	for _, id := range slices.Sorted(maps.Keys(x.found)) {
		m := x.found[id]
		g, err := x.assemble(ctx, m)
		if err != nil {
			return nil, err
		}
		if g == nil {
			counts["zones_open"]++
			continue
		}
		counts["zones"]++
		list = append(list, m.zone(id, g))
	}
	return counts, zone.Write(opt.Out, list)
}

// mapped is a zone of the map.
type mapped struct {
	version       int32
	name, website string
	ways          []multipolygon.Member // without their nodes yet
	ids           []int64               // of the ways
}

type extract struct {
	found map[string]*mapped // by id, such as osm:r12
	lines map[int64][]int64  // nodes of ways that are needed
	at    map[int64]geo.Fixed
}

// isZone reports whether tags are those of a zone.
func isZone(t osm.Tags) bool {
	return t.Get("boundary") == "low_emission_zone" || t.Get("low_emission_zone") == "yes" && t.Get("boundary") != ""
}

func (x *extract) load(ctx context.Context, opt *Options) error {
	versions := map[int64]int32{}
	take := func(w *osm.Way) {
		if before, seen := versions[w.ID]; !seen || w.Version > before {
			versions[w.ID], x.lines[w.ID] = w.Version, slices.Clone(w.Nodes)
		}
	}
	passes := osm.Passes{Sources: opt.Sources, Count: 3, Progress: opt.Progress}
	if err := passes.Each(ctx, 0, osm.Options{SkipNodes: true}, func(b *osm.Block) {
		for i := range b.Relations {
			x.relation(&b.Relations[i])
		}
		for i := range b.Ways {
			if w := &b.Ways[i]; len(w.Nodes) > 3 && w.Nodes[0] == w.Nodes[len(w.Nodes)-1] && isZone(w.Tags) {
				x.put(fmt.Sprintf("osm:w%d", w.ID), w.Version, w.Tags, nil, []int64{w.ID})
				take(w)
			}
		}
	}); err != nil || len(x.found) == 0 {
		return err
	}
	needed := map[int64]bool{}
	for _, m := range x.found {
		for _, id := range m.ids {
			needed[id] = true
		}
	}
	if err := passes.Each(ctx, 1, osm.Options{SkipNodes: true, SkipRelations: true}, func(b *osm.Block) {
		for i := range b.Ways {
			if needed[b.Ways[i].ID] {
				take(&b.Ways[i])
			}
		}
	}); err != nil {
		return err
	}
	nodes := map[int64]bool{}
	for _, line := range x.lines {
		for _, n := range line {
			nodes[n] = true
		}
	}
	return passes.Each(ctx, 2, osm.Options{SkipWays: true, SkipRelations: true}, func(b *osm.Block) {
		for i := range b.Nodes {
			if n := &b.Nodes[i]; nodes[n.ID] {
				x.at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}
			}
		}
	})
}

func (x *extract) relation(r *osm.Relation) {
	kind := r.Tags.Get("type")
	if !isZone(r.Tags) || kind != "boundary" && kind != "multipolygon" {
		return
	}
	var members []multipolygon.Member
	var ids []int64
	for _, m := range r.Members {
		if m.Kind == osm.KindWay && !slices.Contains(ids, m.Ref) {
			members, ids = append(members, multipolygon.Member{Inner: m.Role == "inner"}), append(ids, m.Ref)
		}
	}
	x.put(fmt.Sprintf("osm:r%d", r.ID), r.Version, r.Tags, members, ids)
}

// put stores a zone if its version is the newest.
func (x *extract) put(id string, version int32, t osm.Tags, members []multipolygon.Member, ways []int64) {
	if old := x.found[id]; old != nil && old.version >= version {
		return
	}
	if members == nil {
		members = make([]multipolygon.Member, len(ways))
	}
	x.found[id] = &mapped{
		version: version, ways: members, ids: ways, name: strings.Clone(cmp.Or(t.Get("name"), t.Get("int_name"), t.Get("name:en"))),
		website: strings.Clone(cmp.Or(t.Get("website"), t.Get("url"))),
	}
}

// assemble makes the boundary of a zone; nil where no ring is whole.
func (x *extract) assemble(ctx context.Context, m *mapped) (*zone.Geometry, error) {
	for i, id := range m.ids {
		m.ways[i].Nodes = x.lines[id]
	}
	polygons, _ := multipolygon.Assemble(multipolygon.NewEffort(ctx), m.ways, func(node int64) (orb.Point, bool) {
		f, ok := x.at[node]
		p := f.Point()
		return orb.Point{p.Lon, p.Lat}, ok
	}, 0) // zones lie in the plane of geo.Area
	if err := ctx.Err(); err != nil || len(polygons) == 0 {
		return nil, err
	}
	g := &zone.Geometry{}
	for _, polygon := range polygons {
		var rings geo.Polygon
		for _, ring := range polygon {
			r := make(geo.Ring, 0, len(ring))
			for _, p := range ring {
				r = append(r, geo.Point{Lon: p[0], Lat: p[1]})
			}
			if n := len(r); n > 1 && r[0] == r[n-1] {
				r = r[:n-1]
			}
			rings = append(rings, r)
		}
		g.Polygons = append(g.Polygons, rings)
	}
	return g, nil
}

func (m *mapped) zone(id string, g *zone.Geometry) zone.Zone {
	z := zone.Zone{ID: id, Name: cmp.Or(m.name, "zone without a name"), Website: m.website, Rules: []zone.Rule{}, Boundary: zone.Boundary{Geometry: g}}
	kind := map[byte]string{'r': "relation", 'w': "way"}[id[len("osm:")]]
	z.Boundary.Source = zone.Source{Publisher: "OpenStreetMap contributors", URL: "https://www.openstreetmap.org/" + kind + "/" + id[len("osm:r"):], Licence: "ODbL-1.0"}
	if world, err := timezone.World(); err == nil {
		if names := world.At(geo.NewArea(g.Polygons...).Bounds().Centre()); len(names) > 0 {
			z.TimeZone = names[0]
		}
	}
	return z
}
