package cch_test

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// state is a real network with its hierarchy, as an import makes it.
type state struct {
	graph    *graph.Graph
	topology *cch.Topology
	costing  *profile.Costing
	metric   *cch.Metric // of cars, one of usual
	usual    map[costing.Costing]*cch.Metric
	measures map[costing.Costing]*cch.Measures // of these
	random   *rand.Rand
}

// county returns the sample county's.
func county(tb testing.TB) *state {
	tb.Helper()
	return newState(tb, importertest.County(tb))
}

// newState reads the region in a folder.
func newState(tb testing.TB, dir string) *state {
	tb.Helper()
	r := regiontest.Open(tb, dir)
	s := &state{random: rand.New(rand.NewPCG(1, 2))}
	var err error
	if s.graph, err = graph.Open(r); err != nil {
		tb.Fatal(err)
	}
	if s.topology, err = cch.OpenTopology(r); err != nil {
		tb.Fatal(err)
	}
	if s.usual, err = cch.OpenMetrics(r, s.topology); err != nil {
		tb.Fatal(err)
	}
	if s.measures, err = cch.OpenMeasures(r, s.topology, s.usual); err != nil {
		tb.Fatal(err)
	}
	s.costing, s.metric = profile.New(s.graph, costing.Default(costing.Auto)), s.usual[costing.Auto]
	return s
}

// drawPlace draws a place that a car may use.
func (s *state) drawPlace() []search.End {
	for {
		if e := graph.Edge(s.random.Uint32N(uint32(s.graph.Base))); s.costing.Allowed(e) {
			return []search.End{{Edge: e, Along: s.random.Float64()}, {Edge: s.graph.ByEdge[e].Opposite, Along: s.random.Float64(), Extra: 7}}
		}
	}
}

func (s *state) places(n int) [][]search.End {
	list := make([][]search.End, n)
	for i := range list {
		list[i] = s.drawPlace()
	}
	return list
}

// walk measures a path.
func (s *state) walk(f search.Found) (seconds, metres float64) {
	for i, e := range f.Edges {
		o := s.graph.Original(e)
		share := 1.0
		switch {
		case len(f.Edges) == 1:
			share = f.To.Along - f.From.Along
		case i == 0:
			share = 1 - f.From.Along
		case i == len(f.Edges)-1:
			share = f.To.Along
		}
		seconds, metres = seconds+share*s.costing.Seconds(o), metres+share*s.graph.EdgeLength(o)
		if i > 0 {
			seconds += s.costing.Turn(f.Edges[i-1], o).Seconds
		}
	}
	return seconds, metres
}
