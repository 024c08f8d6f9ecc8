package cch

import (
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search/searchtest"
)

// drawn returns one small network.
func drawn(tb testing.TB) *graph.Graph {
	tb.Helper()
	for n := range searchtest.Draw(3, 12, searchtest.Varied) {
		return n.Graph
	}
	tb.Fatal("no network is drawn")
	return nil
}

// FuzzTopology damages a hierarchy: reading it gives an error, or verifying it
// says what is wrong, or it is one that customising and searching can go over.
func FuzzTopology(f *testing.F) {
	g := drawn(f)
	whole := regiontest.Written(f, Contracted(g).Write)
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Add([]byte(nil), 1000)
	f.Fuzz(func(t *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(TopologySection, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		topology, err := ReadTopology(s)
		if err != nil || topology.Verify(g) != nil {
			return
		}
		if topology.Height() > len(topology.Edge) {
			t.Errorf("the tree of %d ranks is %d high", len(topology.Edge), topology.Height())
		}
	})
}

// FuzzMetrics damages the metrics of a hierarchy, with the ranks that paths lead
// over and without: reading them gives an error, or verifying them says what is
// wrong, or measures can be worked out of them.
func FuzzMetrics(f *testing.F) {
	g := drawn(f)
	topology := Contracted(g)
	var whole [2][]byte
	for i, paths := range []bool{true, false} {
		whole[i] = regiontest.Written(f, func(path string) error {
			return topology.write(f.Context(), g, defaults(g), metricsFile{path, costing.All[:], paths})
		})
	}
	for _, paths := range []bool{true, false} {
		for _, p := range regiontest.Patches {
			f.Add(paths, p, 0)
		}
		f.Add(paths, []byte(nil), 3000)
	}
	f.Fuzz(func(_ *testing.T, paths bool, patch []byte, cut int) {
		data, section := whole[0], MetricsSection
		if !paths {
			data, section = whole[1], BoundsSection
		}
		s, err := region.ReadSection(section, regiontest.Patched(data, patch, cut))
		if err != nil {
			return
		}
		if read, err := topology.readMetrics(s, costing.All[:], paths); err == nil {
			_ = topology.VerifyMetrics(section, read) // an error or none, and no panic
		}
	})
}
