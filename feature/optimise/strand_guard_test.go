package optimise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/feature/optimise"
	wire "github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

// TestStrandedLoads plans the rest of a day on which a vehicle with a load on board stands still:
// the load is left over, whether others have anything to do or not.
func TestStrandedLoads(t *testing.T) {
	s, at := drawn(t)
	var names []string
	for _, p := range "abcd" {
		point := at(string(p))[0]
		names = append(names, "@"+string(p), fmt.Sprintf("[%f,%f]", point.Lon, point.Lat))
	}
	for name, c := range map[string]struct{ jobs, left string }{
		"others go on": {`{"id":"j","location":@b}`, "s on_board"}, "nothing is left": {`{"id":"done","location":@b}`, "s on_board"},
	} {
		r := &wire.ReplanRequest{}
		body := strings.NewReplacer(names...).Replace(`{"vehicles":[{"id":"v","start":@a},{"id":"w","start":@a}],"jobs":[` + c.jobs + `],"shipments":[{"id":"s","pickup":{"id":"take","location":@b},"delivery":{"id":"bring","location":@c}}],
			"progress":[{"vehicle":"v","completed_stop_ids":["take"],"unavailable":true},{"vehicle":"w","completed_stop_ids":["done"]}]}`)
		if name == "others go on" {
			body = strings.Replace(body, `"done"`, "", 1)
		}
		if _, err := schema.Of[wire.ReplanRequest]().Read(t.Context(), []byte(body), r, schema.Options{}); err != nil {
			t.Fatal(err)
		}
		p := &optimise.Planner{Solver: s.Solver, Cells: s.Cells}
		rest, err := p.RemainingOf(r)
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.PlanRemaining(t.Context(), rest, optimise.PlanRequest{Region: &optimise.Region{Engine: s.Engine}, Limits: optimise.CallLimits()})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var left []string
		for _, u := range a.Unassigned {
			left = append(left, u.ID+" "+u.Reason)
		}
		if slices.Sort(left); strings.Join(left, ", ") != c.left || a.Summary.Unassigned != len(left) {
			t.Errorf("%s: %q are left over, the summary has %d", name, left, a.Summary.Unassigned)
		}
		if len(a.Routes) != map[string]int{"others go on": 1}[name] {
			t.Errorf("%s: %d routes", name, len(a.Routes))
		}
	}
}
