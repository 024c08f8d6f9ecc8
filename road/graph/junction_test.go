package graph

import (
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

func TestJunctionsAreVerified(t *testing.T) {
	g := rich(t)
	fits := func() []Junctions { return make([]Junctions, g.Base) }
	beyond, unknown := fits(), fits()
	dead := slices.IndexFunc(g.ByEdge[:g.Base], func(r EdgeRecord) bool { return g.FirstOut[r.Head+1]-g.FirstOut[r.Head] == 1 })
	beyond[dead][1] = RoadOnLeft
	unknown[2][0] = junctionBits
	for _, c := range []struct {
		what string
		all  []Junctions
		says string
	}{
		{"none", nil, ""},
		{"all", fits(), ""},
		{"no such turn", beyond, "edge.junctions["},
		{"no such flag", unknown, "edge.junctions[2]"},
	} {
		g.Junctions = c.all
		err := g.Verify()
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

func TestJunctionsAreRead(t *testing.T) {
	g := rich(t)
	all := make([]Junctions, g.Base)
	for e := range all {
		all[e] = Junctions{Junction(e % 8), RoadOnLeft, RoadOnRight | SameName, 7}
	}
	for _, short := range []int{0, 1} {
		s, err := region.ReadSection(JunctionSection, regiontest.Written(t, func(path string) error { return WriteJunctions(path, all[short:]) }))
		if err != nil {
			t.Fatal(err)
		}
		got, err := ReadJunctions(s, g)
		if short > 0 {
			if err == nil {
				t.Error("a section short of an edge is taken")
			}
			continue
		}
		if err != nil || !slices.Equal(got, all) {
			t.Errorf("read %v, want %v: %v", got, all, err)
		}
		g.Junctions = got
		if j, ok := g.Junction(2, 0); !ok || j.StopImpact() != 2 || j&(RoadOnLeft|RoadOnRight|SameName) != 0 {
			t.Errorf("the first turn from edge 2 is %b, %v", j, ok)
		}
		if _, ok := g.Junction(2, 4); ok {
			t.Error("a fifth turn is known")
		}
	}
}
