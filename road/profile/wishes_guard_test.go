package profile

import (
	"math"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// TestWishesByTheirCurves compares how the cost of a road falls with a wish for it with the
// documented curve of that wish, at its ends, in its middle and between.
func TestWishesByTheirCurves(t *testing.T) {
	small := func(use graph.Use) func(*street) { return func(s *street) { s.Use, s.Class = use, graph.ServiceOther } }
	ferry := [5]float64{10, 5.5, 1, 0.75, 0.5}
	for name, c := range map[string]struct {
		kind  costing.Costing
		road  func(*street)
		set   func(*costing.Options, float64)
		curve [5]float64 // at 0, 0.25, 0.5, 0.75 and 1
		times bool       // the cost is so many times what it is in the middle
	}{
		"ferries":        {costing.Auto, func(s *street) { s.Use = graph.Ferry }, func(o *costing.Options, v float64) { o.UseFerry = v }, ferry, true},
		"rail ferries":   {costing.Auto, func(s *street) { s.Use = graph.RailFerry }, func(o *costing.Options, v float64) { o.UseRailFerry = v }, ferry, true},
		"motorways":      {costing.Auto, func(s *street) { s.Class = graph.Motorway }, func(o *costing.Options, v float64) { o.UseHighways = v }, [5]float64{8, 2, 0, -1. / 64, -1. / 8}, false},
		"tolls":          {costing.Auto, func(s *street) { s.Flags = graph.Toll }, func(o *costing.Options, v float64) { o.UseTolls = v }, [5]float64{4, 2, 0, -0.0075, -0.015}, false},
		"tolls by lorry": {costing.Truck, func(s *street) { s.Flags = graph.Toll }, func(o *costing.Options, v float64) { o.UseTolls = v }, [5]float64{2, 1, 0, -0.0075, -0.015}, false},
		"tracks":         {costing.Auto, small(graph.Track), func(o *costing.Options, v float64) { o.UseTracks = v }, [5]float64{4, 2.5, 1, 0.9, 0.8}, true},
		"living streets": {costing.Auto, small(graph.LivingStreet), func(o *costing.Options, v float64) { o.UseLivingStreets = v }, [5]float64{3, 2, 1, 0.9, 0.8}, true},
		"trails":         {costing.Motorcycle, func(s *street) { s.Surface = graph.Gravel }, func(o *costing.Options, v float64) { o.UseTrails = v }, [5]float64{8, 2, 0, -1. / 64, -1. / 8}, false},
		"primary roads":  {costing.MotorScooter, func(s *street) { s.Class = graph.Primary }, func(o *costing.Options, v float64) { o.UsePrimary = v }, [5]float64{3, 2, 1, 0.75, 0.5}, false},
		"lit ways":       {costing.Pedestrian, nil, func(o *costing.Options, v float64) { o.UseLit = v }, [5]float64{1, 1.5, 2, 5, 8}, true},
	} {
		g, o := open(c.road), usual(c.kind)
		at := func(v float64) float64 {
			c.set(&o, v)
			return cost(g, o)
		}
		none, middle := at(0), at(0.5)
		for i, f := range c.curve {
			got, want := (at(float64(i)/4)-middle)/(none-middle), (f-c.curve[2])/(c.curve[0]-c.curve[2])
			if math.Abs(got-want) > 2e-3*max(1, math.Abs(want)) {
				t.Errorf("%s: at %.2f the wish weighs %.4f of what it weighs at 0, want %.4f", name, float64(i)/4, got, want)
			}
			if got, want := at(float64(i)/4)/middle, f/c.curve[2]; c.times && math.Abs(got-want) > 2e-3*want {
				t.Errorf("%s: at %.2f the road costs %.4f times as much as in the middle, want %.4f", name, float64(i)/4, got, want)
			}
		}
	}
}
