package route_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/index/coverage"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// TestRestrictionCoverage checks that the receipt of a lorry's route adds up, and that no
// other vehicle has one.
func TestRestrictionCoverage(t *testing.T) {
	g, town := apitest.DrawnWith(t, func(town *towntest.Town, r *world.Region) {
		var err error
		if r.Coverage, err = coverage.Open(town.Region(t)); err != nil || r.Coverage == nil {
			t.Fatalf("%v %v", r.Coverage, err)
		}
	})
	ask := func(costing string) string {
		t.Helper()
		r := g.Send("POST", "/route", fmt.Sprintf(`{"costing":%q,"locations":[%s,%s]}`, costing, apitest.At(town.Point("a")), apitest.At(town.Point("d"))))
		if r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		return string(r.Body)
	}
	var a struct {
		Receipt struct {
			Version string         `json:"grid_version"`
			Cells   int            `json:"cells_traversed"`
			Grades  map[string]int `json:"by_grade"`
			Caveat  string
		} `json:"restriction_coverage"`
	}
	if err := json.Unmarshal([]byte(ask("truck")), &a); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, n := range a.Receipt.Grades {
		sum += n
	}
	if r := a.Receipt; r.Cells == 0 || sum != r.Cells || len(r.Grades) != 4 || r.Version == "" || !strings.Contains(r.Caveat, "never a clearance") {
		t.Errorf("%+v", r)
	}
	if strings.Contains(ask("auto"), "restriction_coverage") {
		t.Error("a car has a receipt")
	}
	g, town = apitest.Drawn(t)
	if strings.Contains(ask("truck"), "restriction_coverage") {
		t.Error("a region without a grid has a receipt")
	}
}
