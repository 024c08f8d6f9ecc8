package profile

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// Options that are decided once for a traveller are what they are for each edge: on drawn streets,
// whichever are set together.
func TestOptionsTogether(t *testing.T) {
	allowed, excluded := map[bool]int{}, map[bool]int{}
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		on := func() bool { return r.IntN(3) == 0 }
		s := street{SegmentFacts: graph.SegmentFacts{Class: graph.Class(r.IntN(8)), Surface: graph.Surface(r.IntN(8)), Hiking: uint8(r.IntN(7))}}
		s.Use = []graph.Use{graph.Road, graph.Road, graph.Construction, graph.Steps, graph.Ferry, graph.RailFerry}[r.IntN(6)]
		for _, f := range []graph.SegFlags{graph.Bridge, graph.Tunnel, graph.Unpaved, graph.Toll, graph.CashToll} {
			if on() {
				s.Flags |= f
			}
		}
		if s.limits.Toll = graph.Modes(r.IntN(int(graph.AllModes) + 1)); s.limits.Toll == 0 {
			s.limits.Toll = graph.Auto
		}
		some := func() graph.Modes {
			a, b := r.IntN(int(graph.AllModes)+1), r.IntN(int(graph.AllModes)+1)
			return graph.Modes(a & b)
		}
		s.Forward, s.Backward = graph.Direction{Access: some(), Speed: 50}, graph.Direction{Access: some(), Speed: 50}
		o := usual(everyone[r.IntN(len(everyone))])
		for _, option := range []*bool{
			&o.IgnoreOneways, &o.IgnoreAccess, &o.IncludeHOV, &o.IgnoreConstruction, &o.ExcludeBridges, &o.ExcludeTunnels,
			&o.ExcludeUnpaved, &o.ExcludeTolls, &o.ExcludeCashTolls, &o.ExcludeHighways, &o.ExcludeFerries,
		} {
			*option = on()
		}
		o.Wheelchair = o.Costing == costing.Pedestrian && on()
		o.Bicycle = []costing.BicycleType{costing.RoadBicycle, costing.CrossBicycle, costing.HybridBicycle, costing.MountainBicycle}[r.IntN(4)]
		o.AvoidBadSurfaces, o.MaxHikingDifficulty = float64(r.IntN(2)), uint8(r.IntN(7))
		if on() {
			o.HGVNoAccessPenalty = costing.Never
		}
		g := s.build()
		c := New(g, o)
		may, not := mayUse(&s, &o), leavesOut(&s, &o)
		if got := c.Allowed(g.Forward[0]); got != may {
			t.Fatalf("seed %d: allowed is %v: %+v with %+v", seed, got, s, o)
		}
		if got := c.Excluded(g.Forward[0]); got != not {
			t.Fatalf("seed %d: excluded is %v: %+v with %+v", seed, got, s, o)
		}
		if got := c.Edge(g.Forward[0]) != Forbidden; got != (may && !not) {
			t.Fatalf("seed %d: open is %v: %+v with %+v", seed, got, s, o)
		}
		allowed[may]++
		excluded[not]++
	}
	if least := min(allowed[true], allowed[false], excluded[true], excluded[false]); least < 100 {
		t.Errorf("streets that are allowed: %v, excluded: %v", allowed, excluded)
	}
}

// modeOf returns the mode of a traveller.
func modeOf(o *costing.Options) graph.Modes {
	if o.Wheelchair {
		return graph.Wheelchair
	}
	return Mode(o.Costing)
}

// mayUse is what the options say of the forward direction of a street, one after another.
func mayUse(s *street, o *costing.Options) bool {
	mode, access := modeOf(o), s.Forward.Access
	open := access&mode != 0
	if o.IgnoreOneways && s.Backward.Access&mode != 0 {
		open = true
	}
	if o.IgnoreAccess && access != 0 {
		open = true
	}
	if o.IncludeHOV && o.Costing == costing.Auto && access&graph.HOV != 0 {
		open = true
	}
	if o.Costing == costing.Truck && o.HGVNoAccessPenalty < costing.Never && access&graph.Auto != 0 {
		open = true
	}
	if !open || s.Use == graph.Construction && !o.IgnoreConstruction {
		return false
	}
	if o.Costing == costing.Pedestrian {
		if o.Wheelchair && (s.Use == graph.Steps || s.Surface >= graph.Gravel) {
			return false
		}
		return s.Hiking <= o.MaxHikingDifficulty
	}
	if o.Costing == costing.Bicycle && o.AvoidBadSurfaces == 1 {
		return s.Surface <= worstSurface[o.Bicycle]
	}
	return s.Surface != graph.Impassable
}

// leavesOut is which streets the options exclude.
func leavesOut(s *street, o *costing.Options) bool {
	drives := o.Costing != costing.Bicycle && o.Costing != costing.Pedestrian
	pays := s.Flags&graph.Toll != 0 && s.limits.Toll&modeOf(o) != 0
	cash := s.Flags&graph.CashToll != 0 && (pays || s.Flags&graph.Toll == 0)
	ferry := s.Use == graph.Ferry || s.Use == graph.RailFerry
	return o.ExcludeBridges && s.Flags&graph.Bridge != 0 || o.ExcludeTunnels && s.Flags&graph.Tunnel != 0 ||
		o.ExcludeUnpaved && drives && s.Flags&graph.Unpaved != 0 || o.ExcludeTolls && pays || o.ExcludeCashTolls && cash ||
		o.ExcludeHighways && s.Class == graph.Motorway && s.Use == graph.Road || o.ExcludeFerries && ferry
}
