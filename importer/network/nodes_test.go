package network

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/graph"
)

// Every point of a road is known by its node, on the way there and back.
func TestNodesOfTheLine(t *testing.T) {
	for _, c := range []struct {
		what  string
		ways  []string
		edges string // sorted
	}{
		{"bends", []string{"nwcesy"}, "nwcesy ysecwn"},
		{"a junction", []string{"wcexy", "ns", "se"}, "ecw es exy ns se sn wce yxe"},
		{"a ring", []string{"neswn"}, "nes nws sen swn"},
		{"a missing node", []string{"nce?swx"}, "ecn nce swx xws"},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := crossroads()
			s.Ways = nil
			for i, line := range c.ways {
				s.way(int64(i+1), line, "highway=primary")
			}
			m := s.build(t)
			var got []string
			for e := range m.g.Base {
				var nodes []byte
				for _, id := range m.g.AppendNodes(nil, e) {
					nodes = append(nodes, byte(id))
				}
				got = append(got, string(nodes))
			}
			slices.Sort(got)
			if all := strings.Join(got, " "); all != c.edges {
				t.Errorf("the edges have the nodes %s, want %s", all, c.edges)
			}
		})
	}
}

// TestNodesOfRealRoads compares the nodes of every edge with its way in the
// extract, but for lines across areas, and with where they are.
func TestNodesOfRealRoads(t *testing.T) {
	for _, name := range []string{"liechtenstein-bench", "london-westminster-20200720", "delft-station"} {
		t.Run(name, func(t *testing.T) {
			source := realdata.File(t, fmt.Sprintf("osm/%s.osm.pbf", name))
			g := build(t, Options{Sources: []string{source}}).g
			ways, at := map[int64][]int64{}, map[int64]geo.Fixed{}
			if _, err := osm.Scan(context.Background(), source, osm.Options{SkipRelations: true}, func(b *osm.Block) error {
				for _, w := range b.Ways {
					ways[w.ID] = slices.Clone(w.Nodes)
				}
				for _, n := range b.Nodes {
					at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			var ids []int64
			inner := 0
			for e := range g.Base {
				s := g.Segment(e)
				ids = g.AppendNodes(ids[:0], e)
				inner += len(ids) - 2
				if g.Backward(e) {
					slices.Reverse(ids)
				}
				if g.BySegment[s].Flags&graph.Area == 0 && !containsRun(slices.Compact(slices.Clone(ways[g.WayID[s]])), ids) {
					t.Fatalf("edge %d of way %d, which has the nodes %v, has %v", e, g.WayID[s], ways[g.WayID[s]], ids)
				}
				for i, p := range g.SegmentShape(s) {
					if at[ids[i]] != p {
						t.Fatalf("edge %d of way %d: node %d is at %v, the line at %v", e, g.WayID[s], ids[i], at[ids[i]], p)
					}
				}
			}
			if inner == 0 {
				t.Error("no road has a bend")
			}
		})
	}
}

// containsRun reports whether a list has another as a part without gaps.
func containsRun(list, part []int64) bool {
	for i := range len(list) - len(part) + 1 {
		if slices.Equal(list[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// Nodes that cannot be numbered are refused by name.
func TestTooManyNodes(t *testing.T) {
	s := crossroads()
	source := s.xml(t, "x.osm")
	build := func(most int) error {
		_, _, err := Build(t.Context(), Options{Sources: []string{source}, Out: filepath.Join(t.TempDir(), "graph"), mostNodes: most})
		return err
	}
	var large *graph.TooLargeError
	if err := build(2); !errors.As(err, &large) || large.What != "nodes of ways" || large.Limit != 2 || large.Count <= 2 {
		t.Errorf("two at most: %v", err)
	} else if err := build(large.Count); err != nil {
		t.Errorf("as many as there are: %v", err)
	}
}
