package graph_test

import (
	"testing"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/towntest"
)

// TestBehindPrivate draws roads that are private by their tags or because nothing but such
// roads leads to them.
func TestBehindPrivate(t *testing.T) {
	for _, c := range []struct {
		what, drawing string
		ways          towntest.Ways
		nodes         towntest.Nodes
		private       []string // from place to place, for cars
		public        []string
	}{
		{
			what: "a lane between two roads", drawing: "a--b--c--d--e",
			ways:    towntest.Ways{{"ab", "residential"}, {"bc", "residential"}, {"bd", "residential"}, {"cd", "service access=private"}, {"de", "residential"}},
			private: []string{"cd", "dc"}, public: []string{"ab", "bd", "de", "ed"},
		},
		{
			what: "a court behind a lane", drawing: "a--b--c--d--e",
			ways:    towntest.Ways{{"ab", "residential"}, {"bc", "service access=private"}, {"cde", "service"}},
			private: []string{"bc", "ce", "ec"}, public: []string{"ab", "ba"},
		},
		{
			what: "a court that a footway leads to as well", drawing: "a--b--c--d",
			ways:    towntest.Ways{{"ab", "residential"}, {"bc", "service access=private"}, {"cd", "service"}, {"da", "footway"}},
			private: []string{"bc", "cd"}, public: []string{"ab"},
		},
		{
			what: "a one-way road out of a private yard", drawing: "a--b--c--d",
			ways:    towntest.Ways{{"ad", "residential"}, {"db", "residential"}, {"bc", "service access=private"}, {"cd", "service oneway=yes"}},
			private: []string{"bc", "cd"}, public: []string{"ad", "db"},
		},
		{
			what: "a one-way road into a private yard", drawing: "a--b--c--d",
			ways:    towntest.Ways{{"ad", "residential"}, {"db", "residential"}, {"bc", "service access=private"}, {"dc", "service oneway=yes"}},
			private: []string{"bc"}, public: []string{"dc", "ad"},
		},
		{
			what: "behind a gate that cars may not pass", drawing: "a--b--c--d",
			ways:  towntest.Ways{{"ab", "residential"}, {"bc", "service access=private"}, {"cd", "service"}},
			nodes: towntest.Nodes{{"c", "barrier=gate motor_vehicle=no"}}, private: []string{"bc"}, public: []string{"ab", "cd"},
		},
		{
			what: "a lane to a ferry", drawing: "a--b--c--d--e",
			ways:   towntest.Ways{{"ab", "residential"}, {"bc", "service access=private"}, {"cd", "route=ferry motor_vehicle=yes"}, {"de", "residential"}},
			public: []string{"ab", "bc", "cb", "de"},
		},
		{
			what: "an estate of its own", drawing: "a--b--c",
			ways: towntest.Ways{{"abc", "service access=private"}}, private: []string{"ac", "ca"},
		},
	} {
		town := towntest.Draw(t, c.drawing, c.ways, c.nodes)
		g, err := graph.Open(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []struct {
			list []string
			want bool
		}{{c.private, true}, {c.public, false}} {
			for _, name := range x.list {
				if got := g.ByEdge[between(t, g, town, name)].Private&graph.Auto != 0; got != x.want {
					t.Errorf("%s: %s is private: %v, want %v", c.what, name, got, x.want)
				}
			}
		}
	}
}

// between returns the edge from one place of a town to the next.
func between(t *testing.T, g *graph.Graph, town *towntest.Town, name string) graph.Edge {
	t.Helper()
	for e := range g.Base {
		if g.NodeID[g.ByEdge[e].Tail] == town.NodeID(name[:1]) && g.NodeID[g.ByEdge[e].Head] == town.NodeID(name[1:]) {
			return e
		}
	}
	t.Fatalf("no edge leads from %s to %s", name[:1], name[1:])
	return 0
}
