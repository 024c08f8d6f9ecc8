// Package network is the import stage that makes the road graph: it selects the
// travelled ways, the turn restrictions and the connections of lanes from the extracts,
// splits the ways where they meet and adds them to the graph's builder.
package network

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/importer/tags"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// Options of the stage.
type Options struct {
	Sources  []string // local extracts, any order of objects, may overlap
	Out      string   // the graph's section file
	Country  string   // of roads that lie in no country; "" is unknown
	Progress func(done, size int64)

	mostNodes int // of all ways; 0 is mostNodes
}

// mostNodes is how many nodes of ways can be numbered. It leaves room for those of one
// block of a file, after which they are counted.
const mostNodes = graph.MostNumbers - 1<<26

// ErrNoRoads is the error of extracts without anything to travel on.
var ErrNoRoads = errors.New("the extracts have no road, path or ferry: is it an OpenStreetMap extract with highways?")

// way is a travelled way as the first pass reads it.
type way struct {
	id    int64
	tags  osm.Tags
	first int // in collector.refs
	count int
	place uint64 // of the first of its nodes that is known, along a Hilbert curve
}

// collector has what the passes over the files collect. Its size grows with the
// network, not with the files.
type collector struct {
	opt         Options
	ways        []way
	wayIndex    idIndex[uint32]
	refs        []nodeNumber // nodes of all ways, one after the other
	nodes       idIndex[nodeNumber]
	uses        []uint8 // by node: 0, 1, 2 for more: where ways meet
	at          []geo.Fixed
	known       []bool
	barriers    map[nodeNumber]tags.Barrier
	signs       map[nodeNumber]osm.Tags // tags of signals, stops and exits
	rules       []rule
	connections []connectivity
	ruleSeen    map[int64]bool
	cycling     map[int64]bool // ways of signed bicycle routes
	texts       map[string]string
	vias        map[nodeNumber]bool // nodes that restrictions turn at

	tally
	frontiers frontiers
	areas     areas
}

// Build runs the stage. It returns counts for the manifest and the bounds of the
// network.
func Build(ctx context.Context, opt Options) (Result, geo.Bounds, error) {
	c := &collector{
		opt: opt, barriers: map[nodeNumber]tags.Barrier{}, signs: map[nodeNumber]osm.Tags{}, ruleSeen: map[int64]bool{},
		cycling: map[int64]bool{}, texts: map[string]string{}, vias: map[nodeNumber]bool{},
		tally: tally{counts: map[string]int64{}, named: map[string][]string{}},
	}
	c.areas = areas{c: c, seen: map[int64]bool{}, members: map[int64][]int64{}, holes: map[int64][]int64{}}
	none := geo.NoBounds()
	fail := func(err error) (Result, geo.Bounds, error) { return Result{}, none, err }
	if err := c.findRelations(ctx); err != nil {
		return fail(err)
	}
	if err := c.scan(ctx, 1, osm.Options{SkipNodes: true}, c.waysAndRelations); err != nil {
		return fail(err)
	}
	if len(c.ways) == 0 {
		return fail(ErrNoRoads)
	}
	c.areas.draw()
	c.at = make([]geo.Fixed, len(c.nodes.ids))
	c.known = make([]bool, len(c.nodes.ids))
	if err := c.scan(ctx, 2, osm.Options{SkipWays: true, SkipRelations: true}, c.coordinates); err != nil {
		return fail(err)
	}
	c.sort()
	borders, err := country.New(opt.Country)
	if err != nil {
		return fail(err)
	}
	if err := c.refine(ctx, borders); err != nil {
		return fail(err)
	}
	c.crossAntimeridian()
	a := newAssembler(c, borders)
	if err := a.assemble(ctx); err != nil {
		return fail(err)
	}
	g, err := a.b.BuildContext(ctx)
	if err != nil {
		return fail(err)
	}
	if g.Edges() == 0 {
		return fail(ErrNoRoads)
	}
	var around geo.Extent
	for _, p := range g.Position {
		around.Add(p.Point())
	}
	c.counts["nodes"] = int64(g.Nodes())
	c.counts["edges"] = int64(g.Edges())
	c.counts["segments"] = int64(g.Segments())
	c.counts["ways"] = int64(len(c.ways))
	return c.result(), around.Bounds(), g.Write(opt.Out)
}

// sort puts ways in the order of their positions, which segments follow, so that what
// is near on the ground is near in memory; and restrictions and connections in the
// order of their ids. So the graph depends neither on the order of the files nor of the
// objects in them.
func (c *collector) sort() {
	for i := range c.ways {
		w := &c.ways[i]
		for _, n := range c.refs[w.first : w.first+w.count] {
			if c.known[n] {
				w.place = geo.Hilbert(c.at[n])
				break
			}
		}
	}
	slices.SortFunc(c.ways, func(x, y way) int { return cmp.Or(cmp.Compare(x.place, y.place), cmp.Compare(x.id, y.id)) })
	slices.SortStableFunc(c.rules, func(x, y rule) int { return cmp.Compare(x.id, y.id) })
	slices.SortFunc(c.connections, func(x, y connectivity) int { return cmp.Compare(x.id, y.id) })
}

// passes is how often the files are read: for the relations of areas, for the ways and
// the other relations, and for the nodes.
const passes = 3

// scan reads every source in one of the passes.
func (c *collector) scan(ctx context.Context, pass int64, opt osm.Options, fn func(*osm.Block) error) error {
	for i, source := range c.opt.Sources {
		opt.Progress = func(done, size int64) {
			if c.opt.Progress != nil && size > 0 {
				// The work is all passes over all files.
				part := int64(i) + pass*int64(len(c.opt.Sources))
				c.opt.Progress((part*1000+done*1000/size)*size/1000, passes*int64(len(c.opt.Sources))*size)
			}
		}
		if _, err := osm.Scan(ctx, source, opt, fn); err != nil {
			return err
		}
	}
	return nil
}

func (c *collector) waysAndRelations(b *osm.Block) error {
	c.skipped(b.Skipped)
	for i := range b.Ways {
		c.way(&b.Ways[i])
	}
	for i := range b.Relations {
		c.relation(&b.Relations[i])
	}
	return graph.CheckLimit("nodes of ways", len(c.nodes.ids), cmp.Or(c.opt.mostNodes, mostNodes))
}

func (c *collector) way(w *osm.Way) {
	c.border(w)
	c.areas.member(w)
	if c.areas.way(w) || !tags.Routable(w.Tags) {
		return
	}
	if len(w.Nodes) < 2 {
		c.counts["dropped_ways_without_line"]++
		return
	}
	if _, isNew := c.wayIndex.add(w.ID); !isNew {
		return // a way that two extracts share
	}
	c.unknown("way", w.ID, w.Tags)
	kept := way{id: w.ID, first: len(c.refs), count: len(w.Nodes), tags: c.internTags(w.Tags)}
	for i, id := range w.Nodes {
		n, isNew := c.nodes.add(id)
		if isNew {
			c.uses = append(c.uses, 0)
		}
		if c.uses[n]++; i == 0 || i == len(w.Nodes)-1 || c.uses[n] > 2 {
			c.uses[n] = 2
		}
		c.refs = append(c.refs, n)
	}
	c.ways = append(c.ways, kept)
}

// internTags copies tags with shared strings, so that the block that they were read from can
// be freed.
func (c *collector) internTags(t osm.Tags) osm.Tags {
	kept := make(osm.Tags, 0, len(t))
	for _, tag := range t {
		if unused(tag.Key) {
			continue
		}
		kept = append(kept, osm.Tag{Key: c.text(tag.Key), Value: c.text(tag.Value)})
	}
	return kept
}

// unused reports keys that many ways have and the graph never reads.
func unused(key string) bool {
	switch key {
	case "source", "created_by", "note", "fixme", "FIXME", "attribution", "wikidata", "wikipedia", "website", "description":
		return true
	}
	return strings.HasPrefix(key, "source:") || strings.HasPrefix(key, "note:") || strings.HasPrefix(key, "tiger:") || strings.HasPrefix(key, "naptan:")
}

func (c *collector) text(s string) string {
	if t, ok := c.texts[s]; ok {
		return t
	}
	s = strings.Clone(s)
	c.texts[s] = s
	return s
}

func (c *collector) coordinates(b *osm.Block) error {
	c.skipped(b.Skipped)
	for i := range b.Nodes {
		n := &b.Nodes[i]
		k, ok := c.nodes.find(n.ID)
		if !ok || c.known[k] {
			continue
		}
		c.known[k] = true
		c.at[k] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}
		if len(n.Tags) == 0 {
			continue
		}
		if n.Tags.Has("barrier") {
			c.unknown("node", n.ID, n.Tags)
		}
		if barrier, ok := tags.ReadNode(n.Tags); ok {
			c.barriers[k] = barrier
			c.signs[k] = c.internTags(n.Tags)
		}
	}
	return nil
}
