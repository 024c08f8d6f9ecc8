package importer

import (
	"context"
	"fmt"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/cch/order"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
)

// contract dissects the road graph and contracts it in the order found.
func (b *build) contract(ctx context.Context, path string, _ func(done, size int64)) (found finding, err error) {
	err = b.withGraph(func(g *graph.Graph) error {
		d, err := order.Dissect(ctx, cch.Network(g))
		if err != nil {
			return err
		}
		t, err := cch.NewTopology(ctx, g, d.Roads)
		if err != nil {
			return err
		}
		found.Counts = map[string]int64{"hierarchy_arcs": int64(len(t.Above)), "hierarchy_height": int64(t.Height())}
		if len(d.Levels) > 0 {
			found.Counts["hierarchy_first_cut"] = int64(d.Levels[0].Cut)
		}
		return t.Write(path)
	})
	return found, err
}

// customise computes the metrics of the default options and their measures.
func (b *build) customise(ctx context.Context, path string, _ func(done, size int64)) (finding, error) {
	return finding{}, b.withHierarchy(func(g *graph.Graph, t *cch.Topology) error { return t.WriteDefaults(ctx, g, path) })
}

// customiseLeast computes the metrics of the cheapest options, from which searches take
// lower bounds if the options have no metric.
func (b *build) customiseLeast(ctx context.Context, path string, _ func(done, size int64)) (finding, error) {
	return finding{}, b.withHierarchy(func(g *graph.Graph, t *cch.Topology) error {
		return t.WriteLowerBounds(ctx, g, overlay.ReadConditions(g), path)
	})
}

// withHierarchy calls use with the finished graph with its slopes and junctions, and its
// hierarchy.
func (b *build) withHierarchy(use func(*graph.Graph, *cch.Topology) error) error {
	return b.withSlopes(func(g *graph.Graph) error {
		return region.WithSection(b.dir, *b.done["junctions"].Output, func(s *region.Section) (err error) {
			if g.Junctions, err = graph.ReadJunctions(s, g); err != nil {
				return err
			}
			return region.WithSection(b.dir, *b.done["hierarchy"].Output, func(s *region.Section) error {
				t, err := cch.ReadTopology(s)
				if err != nil {
					return err
				}
				return use(g, t)
			})
		})
	})
}

// optionsOf prints some options of every costing, as the settings of a stage that
// depends on them.
func optionsOf(kind func(costing.Costing) costing.Options) string {
	var all strings.Builder
	for _, k := range costing.All {
		fmt.Fprintf(&all, "%+v ", kind(k))
	}
	return all.String()
}
