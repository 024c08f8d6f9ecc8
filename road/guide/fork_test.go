package guide_test

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

// TestWideForkOfSlipRoads leads over a slip road that parts into two, which run apart by
// 53 degrees, so that neither lies near the other nor straight ahead: it is a fork, at
// which one keeps to an arm, where the arm taken is a ramp, and else a turn.
func TestWideForkOfSlipRoads(t *testing.T) {
	for name, c := range map[string]struct {
		use  graph.Use
		kept bool
	}{"a ramp": {graph.Ramp, true}, "a road with the tag of a slip road": {graph.Road, false}} {
		t.Run(name, func(t *testing.T) {
			d := sketch.Sketch{Cell: 20, Picture: `
                b
                 
                 
                 
a.......x        
                 
                 
                 
                c`, Ways: []sketch.Way{
				{Places: "ax", Class: graph.Primary, Use: graph.Ramp, Flags: graph.Link, Oneway: true},
				{Places: "xb", Class: graph.Primary, Use: c.use, Flags: graph.Link, Oneway: true},
				{Places: "xc", Class: graph.Primary, Use: c.use, Flags: graph.Link, Oneway: true},
			}}.Draw()
			for path, kept := range map[string]guidance.Type{"axb": guidance.StayLeft, "axc": guidance.StayRight} {
				p := d.Path(path)
				list := guide.Manoeuvres(d.Graph, p, guide.Shape(d.Graph, p), guide.Options{Modes: graph.Auto})
				keeps := slices.ContainsFunc(list, func(m guidance.Manoeuvre) bool { return m.Type == kept })
				if keeps != c.kept {
					t.Errorf("%s: the manoeuvres are %+v; keeps to an arm: %v", path, list, keeps)
				}
			}
		})
	}
}
