// Package coverage is the import stage that counts, in cells of a tenth of a degree,
// how much of what could have restrictions for lorries is tagged with them: heights
// under bridges and in tunnels, weights on bridges, widths and the like on minor roads,
// and rules for lorries on main ones.
package coverage

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/coverage"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// Options of the stage.
type Options struct {
	Sources  []string // local extracts, may overlap
	Graph    *graph.Graph
	Out      string // the section file
	Progress func(done, size int64)
}

// tagged is a set of the kinds of restriction that a way's tags mention. An explicit
// absence (maxheight=none, default) counts as mentioned.
type tagged uint8

const (
	height tagged = 1 << iota
	weight
	width
	lorries
)

// keys are the tags of each kind; those with a suffix, as in maxheight:forward,
// count with them.
var keys = []struct {
	key  string
	kind tagged
}{
	{"maxheight", height},
	{"maxweight", weight},
	{"maxgcweight", weight},
	{"maxaxleload", weight},
	{"maxbogieweight", weight},
	{"maxwidth", width},
	{"width", width},
	{"maxlength", width},
	{"lanes", width},
	{"hgv", lorries},
	{"goods", lorries},
	{"hazmat", lorries},
}

// tagsOf returns the kinds that tags mention.
func tagsOf(tags osm.Tags) (set tagged) {
	for _, t := range tags {
		base, _, _ := strings.Cut(t.Key, ":")
		for _, k := range keys {
			if base == k.key && t.Value != "" {
				set |= k.kind
			}
		}
	}
	return set
}

// Build runs the stage and returns counts for the manifest: the cells of each grade.
func Build(ctx context.Context, opt Options) (map[string]int64, error) {
	x := &extract{tagged: map[int64]tagged{}, lines: map[int64][]int64{}, at: map[int64]geo.Fixed{}}
	if err := x.load(ctx, &opt); err != nil {
		return nil, err
	}
	c := &counter{g: opt.Graph, tagged: x.tagged, bridges: crossings{}, cells: map[coverage.Cell]*coverage.Tally{}}
	for _, id := range slices.Sorted(maps.Keys(x.lines)) {
		var line []geo.Point
		for _, n := range x.lines[id] {
			if f, ok := x.at[n]; ok {
				line = append(line, f.Point())
			}
		}
		c.bridges.add(line)
	}
	if err := c.count(ctx); err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	for _, grade := range []coverage.Grade{coverage.None, coverage.Sparse, coverage.Partial, coverage.WellTagged} {
		counts["coverage_"+grade.String()] = 0
	}
	for _, tally := range c.cells {
		counts["coverage_"+tally.Grade().String()]++
	}
	return counts, coverage.Write(opt.Out, c.cells)
}

// extract has what the stage needs of the sources besides the roads' lines.
type extract struct {
	tagged map[int64]tagged  // by way, of roads
	lines  map[int64][]int64 // nodes of bridges that no road runs on
	at     map[int64]geo.Fixed
}

func (x *extract) load(ctx context.Context, opt *Options) error {
	passes := osm.Passes{Sources: opt.Sources, Count: 2, Progress: opt.Progress}
	if err := passes.Each(ctx, 0, osm.Options{SkipNodes: true, SkipRelations: true}, func(b *osm.Block) {
		for i := range b.Ways {
			w := &b.Ways[i]
			if w.Tags.Get("highway") != "" {
				if set := tagsOf(w.Tags); set != 0 {
					x.tagged[w.ID] = set
				}
				continue
			}
			bridge := w.Tags.Get("bridge")
			if bridge != "" && bridge != "no" && (w.Tags.Get("railway") != "" || w.Tags.Get("waterway") != "" || w.Tags.Get("aeroway") != "") {
				x.lines[w.ID] = slices.Clone(w.Nodes)
			}
		}
	}); err != nil || len(x.lines) == 0 {
		return err
	}
	needed := map[int64]bool{}
	for _, line := range x.lines {
		for _, n := range line {
			needed[n] = true
		}
	}
	return passes.Each(ctx, 1, osm.Options{SkipWays: true, SkipRelations: true}, func(b *osm.Block) {
		for i := range b.Nodes {
			if n := &b.Nodes[i]; needed[n.ID] {
				x.at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}
			}
		}
	})
}
