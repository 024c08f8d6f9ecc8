package embedded_test

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
)

// TestFarLeads sends options of which none comes twice, until the metric of far options, or
// of any vehicle, is made that leads their searches, with it and where there is no memory for
// it, and compares with the kernel without a hierarchy.
func TestFarLeads(t *testing.T) {
	e, places := county(t)
	plain := e.WithoutHierarchy()
	for _, k := range []struct {
		costing costing.Costing
		options func(i int) string
	}{
		{costing.Auto, func(i int) string {
			return fmt.Sprintf(`"maneuver_penalty": %d, "use_tolls": 0.%d, "gate_penalty": %d`, 6+7*i, i%10, 300+i)
		}},
		{costing.Truck, func(i int) string { return fmt.Sprintf(`"maneuver_penalty": %d, "use_highways": 0.7`, 6+7*i) }},
		{costing.Auto, func(i int) string {
			return fmt.Sprintf(`"height": %g, "weight": %g, "gate_penalty": %d`, 1+float64(i%41)/10, 1+float64(i%31)/4, 300+i)
		}},
		{costing.Truck, func(i int) string {
			return fmt.Sprintf(`"height": %g, "length": %d, "hazmat": %t, "maneuver_penalty": %g`, 3+float64(i%17)/10, 8+i%20, i%3 == 0, 5+float64(i)/10)
		}},
		{costing.Pedestrian, func(i int) string {
			return fmt.Sprintf(`"walking_speed": %g, "step_penalty": %d`, 2.8+float64(i%23)/10, 30+i)
		}},
	} {
		t.Run(k.costing.String()+" "+k.options(0), func(t *testing.T) {
			e.SetMetricMemory(0)
			e.SetMetricMemory(1 << 30)
			asked := 0
			ask := func(e *embedded.Engine, n int) {
				t.Helper()
				for range n {
					j := journey{request: engine.RouteRequest{Costing: k.costing, Options: chosen(t, k.costing, k.options(asked)), Locations: places(2)}}
					j.cost = costOf(t, plain, j.request)
					j.check(t, e)
					asked++
				}
			}
			own := 0
			for own == 0 {
				if asked > 2000 {
					t.Fatal("nothing is made though many came with options of their own")
				}
				ask(e, 1)
				_, own = settled(t, e)
			}
			ask(e, 40)
			if bytes, own := settled(t, e); own != 1 || bytes == 0 {
				t.Errorf("%d metrics of %d bytes for options that came once each", own, bytes)
			}
			e.SetMetricMemory(0)
			ask(e, 10)
			if bytes, own := settled(t, e); own != 0 || bytes != 0 {
				t.Errorf("%d metrics of %d bytes without memory", own, bytes)
			}
		})
	}
}
