package errands_test

import (
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/errands"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours/holiday"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
)

// BenchmarkPlan plans across Newport: five errands of as many candidates as there may
// be, one alone, and five that cannot all be done.
func BenchmarkPlan(b *testing.B) {
	r := regiontest.Open(b, importertest.Region(b, realdata.File(b, "osm/newport-wales-20230613.osm.pbf")))
	e, err := embedded.New(r)
	if err != nil {
		b.Fatal(err)
	}
	places, err := find.Open(r)
	if err != nil {
		b.Fatal(err)
	}
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		b.Fatal(err)
	}
	s := &errands.Service{Engine: e, Places: places, Zone: func(geo.Point) *time.Location { return london }, Holidays: holiday.In}
	options, _, _ := costing.Parse(costing.Auto, nil, "")
	depart := time.Date(2026, 11, 23, 10, 0, 0, 0, london)
	five := []errands.Errand{kind("a", "supermarket", 15), kind("b", "pharmacy", 5), kind("c", "fuel", 5), kind("d", "cafe", 20), kind("e", "atm", 2)}
	for _, c := range []struct {
		name    string
		minutes int
		errands []errands.Errand
	}{{"five", 180, five}, {"one", 60, five[:1]}, {"five in too little time", 40, five}} {
		b.Run(c.name, func(b *testing.B) {
			var a *errands.Answer
			for b.Loop() {
				a, err = s.Plan(b.Context(), &errands.Request{
					Origin: geo.Point{Lon: -3.05, Lat: 51.575}, Destination: geo.Point{Lon: -2.93, Lat: 51.61}, DepartAt: depart, ArriveBy: depart.Add(time.Duration(c.minutes) * time.Minute), Errands: c.errands, MaxDetour: 12 * time.Minute, Options: options,
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			sum := 0
			for _, x := range a.Search.Errands {
				sum += x.Considered
			}
			b.ReportMetric(float64(sum), "candidates")
			if a.Feasible != (c.minutes > 40) {
				b.Errorf("feasible %v: %+v", a.Feasible, a.Reason)
			}
		})
	}
}
