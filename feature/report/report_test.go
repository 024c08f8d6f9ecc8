package report_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/feature/report"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/towntest"
)

// ring returns a town of the suite's: a one-way street and the way round it.
func ring(t *testing.T) *towntest.Town {
	t.Helper()
	all := enginetest.All()
	town, err := all[slices.IndexFunc(all, func(s enginetest.Scenario) bool { return s.Name == "a one-way street" })].Plan.Build()
	if err != nil {
		t.Fatal(err)
	}
	return town
}

// holds reports on a route and on the trace of the same places.
func holds(t *testing.T, e engine.Engine, remote bool) {
	town := ring(t)
	settings, _, _ := costing.Parse(costing.Auto, nil, "")
	var line []geo.Point
	for _, p := range "bcda" {
		line = append(line, town.Point(string(p)))
	}
	s := &report.Service{Engine: e}
	for _, r := range []*report.Request{
		{Stops: []geo.Point{line[0], line[3]}, Costing: costing.Auto, Options: settings},
		{Stops: []geo.Point{line[0], line[2], line[3]}, Costing: costing.Auto, Options: settings},
		{Trace: line, Costing: costing.Auto, Options: settings},
	} {
		got, err := s.Of(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		want := geo.Length(line)
		if math.Abs(got.Distance-want) > 10 || math.Abs(got.Input-want) > 10 || got.Duration <= 0 {
			t.Errorf("%s: %g m in %g s of %g, want %.0f m", got.Source, got.Distance, got.Duration, got.Input, want)
		}
		if len(got.Classes) != 1 || got.Classes[0].RoadClass != "residential" || got.Classes[0].Share != 1 || got.TollCount+got.BridgeCount+got.TunnelCount != 0 {
			t.Errorf("%s: %+v", got.Source, got)
		}
		// The drawn borders are none that Valhalla takes, so there it does not
		// know the country, and nobody guesses.
		if len(got.Areas) != 1 || (got.Areas[0].CountryCode == nil) != remote || !remote && *got.Areas[0].CountryCode != "GB" {
			t.Errorf("%s: the areas are %+v", got.Source, got.Areas)
		}
		if len(got.Surfaces) != 1 || (got.Surfaces[0].Surface == "unknown") == remote {
			t.Errorf("%s: the surfaces are %+v", got.Source, got.Surfaces)
		}
		if warned := strings.Contains(strings.Join(got.Caveats, " "), "surfaces are the routing engine's"); warned != remote {
			t.Errorf("%s: the caveats are %q", got.Source, got.Caveats)
		}
	}
}

func TestOnTheKernel(t *testing.T) {
	e, err := embedded.New(regiontest.Open(t, importertest.Region(t, enginetest.Extract(t))))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, e, false)
}

func TestOnValhalla(t *testing.T) {
	holds(t, valhalla.New(enginetest.StartValhalla(t, enginetest.Extract(t)).URL, nil), true)
}
