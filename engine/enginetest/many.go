package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/wire/valhalla"
)

// reaches: what matrices and isochrones are requested in.
func reaches() []Scenario {
	return []Scenario{{
		Name: "a long one-way street",
		Plan: towntest.Plan{
			Drawing: `
				a----------b----------c
				|                     |
				|                     |
				|                     |
				d---------------------e`,
			Ways: towntest.Ways{{"abc", "residential oneway=yes"}, {"cedabc", "residential oneway=yes"}},
		},
		Trips: []Trip{{Stops: "a c", Path: "abc"}, {Stops: "c b", Path: "cedab"}},
	}}
}

// matrices compares a matrix of every trip's ends with its route. Valhalla's
// is not exact on networks as small as these: it must find some way.
func matrices(t *testing.T, eng engine.Engine) {
	exact, compared := eng.Can().Name != "valhalla", 0
	for _, s := range All() {
		town := build(t, &s)
		for _, trip := range s.Trips {
			if trip.Code != 0 || trip.ADR || trip.Differs != "" || trip.Alter != nil || strings.ContainsAny(trip.Stops, ">~+^") || strings.Count(trip.Stops, " ") != 1 {
				continue
			}
			r, err := trip.request(town)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := eng.Route(t.Context(), r)
			if !exactly(eng) && (fault.IsNotEnabled(err) || stockOSRM[s.Name+"/"+trip.name()] != "") {
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: no route: %v", s.Name, trip.name(), err)
				continue
			}
			route := readNative(t, r, answer)
			a, err := eng.Matrix(t.Context(), &engine.MatrixRequest{Sources: r.Locations[:1], Targets: r.Locations[1:], Costing: r.Costing, Options: r.Options})
			if err != nil {
				t.Errorf("%s, %s: no matrix: %v", s.Name, trip.name(), err)
				continue
			}
			c, want := a.Cells[0][0], route.Trip.Summary
			same := math.Abs(c.Metres-1000*want.Length) < 5 && math.Abs(c.Seconds-want.Time) < 0.5
			if !c.Reached || exact && !same || c.Seconds < 0 || c.Metres < 0 {
				t.Errorf("%s, %s: the cell is %+v, the route has %g km and %g s", s.Name, trip.name(), c, want.Length, want.Time)
			}
			compared++
		}
	}
	if compared < 30 {
		t.Errorf("only %d trips were compared", compared)
	}
}

// missingPlaces asks for a matrix with places in the sea, which have no road.
func missingPlaces(t *testing.T, eng engine.Engine) {
	s := reachTown(t)
	town := build(t, &s)
	sea := engine.Location{Point: west(town)}
	at := func(stops string) (list []engine.Location) {
		for stop := range strings.FieldsSeq(stops) {
			l, err := location(town, stop)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, l)
		}
		return list
	}
	ask := func(sources, targets []engine.Location) (*engine.MatrixAnswer, error) {
		settings, _, _ := costing.Parse(costing.Auto, map[string]json.RawMessage{}, "")
		return eng.Matrix(t.Context(), &engine.MatrixRequest{Sources: sources, Targets: targets, Costing: costing.Auto, Options: settings})
	}
	sources, targets := slices.Insert(at("ab.2 ab.8"), 1, sea), append(at("bc.5"), sea, sea)
	a, err := ask(sources, targets)
	if err != nil {
		t.Fatalf("no matrix: %v", err)
	}
	if len(a.Cells) != 3 || len(a.Sources) != 3 || len(a.Targets) != 3 {
		t.Fatalf("the answer has %d rows, %d sources, %d targets, want 3 of each", len(a.Cells), len(a.Sources), len(a.Targets))
	}
	for i, row := range a.Cells {
		for j, c := range row {
			if want := i != 1 && j == 0; c.Reached != want || c.Reached != (c.Metres > 0) {
				t.Errorf("cell %d, %d is %+v, reached should be %v", i, j, c, want)
			}
		}
	}
	if a.Sources[1].Miss == "" || a.Targets[0].Miss != "" || a.Targets[2].Miss == "" || geo.Distance(a.Sources[2].Point, sources[2].Point) > 20 {
		t.Errorf("the places are %+v and %+v", a.Sources, a.Targets)
	}
	if a.Cells[0][0].Metres < a.Cells[2][0].Metres+300 {
		t.Errorf("from ab.2 it is %g m, from ab.8 %g", a.Cells[0][0].Metres, a.Cells[2][0].Metres)
	}
	_, err = ask([]engine.Location{sea}, at("a b"))
	refused(t, err, engine.CodeNoSegment)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := eng.Matrix(ctx, &engine.MatrixRequest{Sources: at("a"), Targets: at("b"), Costing: costing.Auto}); !errors.Is(err, context.Canceled) {
		t.Errorf("the engine answered %v, want %v", err, context.Canceled)
	}
}

// west returns a place beyond all towns of the extract, though not beyond what
// engines take for one journey.
func west(town *towntest.Town) geo.Point { return geo.Point{Lon: -3.6, Lat: town.Point("a").Lat} }

func reachTown(t *testing.T) Scenario {
	t.Helper()
	all := All()
	i := slices.IndexFunc(all, func(s Scenario) bool { return s.Name == "a long one-way street" })
	return all[i]
}

// isochrones asks what is within 500 m of the middle of the one-way street.
func isochrones(t *testing.T, eng engine.Engine) {
	s := reachTown(t)
	town := build(t, &s)
	place, err := location(town, "b")
	if err != nil {
		t.Fatal(err)
	}
	settings, _, _ := costing.Parse(costing.Auto, map[string]json.RawMessage{}, "")
	ask := func(alter func(*engine.IsochroneRequest)) (*engine.IsochroneRequest, []Area, []byte) {
		r := &engine.IsochroneRequest{Location: place, Costing: costing.Auto, Options: settings, Contours: []engine.Contour{{Kilometres: 0.5}}, Polygons: true}
		alter(r)
		a, err := eng.Isochrone(t.Context(), r)
		if err != nil {
			t.Fatalf("no isochrone: %v", err)
		}
		text, err := valhalla.WriteIsochrone(r, a)
		if err != nil {
			t.Fatal(err)
		}
		return r, ReadArea(t, r, a), text
	}
	for _, reverse := range []bool{false, true} {
		_, all, _ := ask(func(r *engine.IsochroneRequest) { r.Reverse = reverse })
		if len(all) != 1 || all[0].Contour != 0.5 || all[0].Metric != "distance" || len(all[0].Polygons) != 1 {
			t.Fatalf("reverse %v: %+v", reverse, all)
		}
		within, without := "b bc.1 bc.3", "ab.5 bc.9 a c"
		if reverse {
			within, without = "b ab.9 ab.7", "bc.5 ab.1 a c"
		}
		for stop := range strings.FieldsSeq(within + " " + without) {
			l, err := location(town, stop)
			if err != nil {
				t.Fatal(err)
			}
			if in := all[0].Contains(l.Point); in != slices.Contains(strings.Fields(within), stop) {
				t.Errorf("reverse %v: %s is inside: %v", reverse, stop, in)
			}
		}
	}
	r, all, body := ask(func(r *engine.IsochroneRequest) {
		r.Contours = []engine.Contour{{Minutes: 1, Colour: "00ff7f"}, {Minutes: 3}, {Kilometres: 1}}
		r.ShowLocations, r.ID = true, "mine"
	})
	want := []string{"distance 1", "time 3", "time 1"}
	for i, a := range all {
		if i >= len(want) || want[i] != a.Metric+" "+string('0'+rune(a.Contour)) {
			t.Errorf("outline %d is of %s %g, want %q", i, a.Metric, a.Contour, want)
		}
	}
	var doc struct {
		ID       string
		Features []struct {
			Properties struct {
				Color, Fill, FillColor, Type string
				Opacity, FillOpacity         float64
			}
			Geometry struct{ Type string }
		}
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	kinds := ""
	for _, f := range doc.Features {
		kinds += f.Geometry.Type + " "
	}
	if doc.ID != r.ID || len(doc.Features) != 5 || !strings.HasSuffix(kinds, "MultiPoint Point ") || doc.Features[4].Properties.Type != "input" {
		t.Fatalf("id %q, features %s", doc.ID, kinds)
	}
	if p := doc.Features[2].Properties; p.Color != "#00ff7f" || p.Fill != p.Color || p.FillColor != p.Color || p.Opacity != 0.33 || p.FillOpacity != 0.33 {
		t.Errorf("the outline with a colour has the properties %+v", p)
	}
	if p := doc.Features[0].Properties; p.Color != "#bf4040" {
		t.Errorf("the first outline has the properties %+v", p)
	}
	_, all, _ = ask(func(r *engine.IsochroneRequest) { r.Polygons = false })
	if len(all) == 0 || len(all[0].Lines) != 1 || len(all[0].Lines[0]) < 4 || all[0].Lines[0][0] != all[0].Lines[0][len(all[0].Lines[0])-1] {
		t.Errorf("without polygons: %+v", all)
	}
	_, err = eng.Isochrone(t.Context(), &engine.IsochroneRequest{Location: engine.Location{Point: west(town)}, Costing: costing.Auto, Options: settings, Contours: r.Contours})
	refused(t, err, engine.CodeNoSegment)
}
