package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/wire/valhalla"
)

// Run drives every scenario on an engine built from Extract's file: each trip
// in the native and in OSRM's format, both checked for what must hold of
// every answer and against each other.
func Run(t *testing.T, eng engine.Engine) {
	t.Helper()
	if _, err := eng.Status(t.Context()); err != nil {
		t.Fatalf("the engine does not answer: %v", err)
	}
	can := eng.Can()
	if can.Name == "" {
		t.Error("the engine has no name")
	}
	t.Run("many routes", func(t *testing.T) { crowd(t, eng) })
	if can.Does(engine.CallMatrix) {
		t.Run("matrix", func(t *testing.T) { matrices(t, eng) })
		t.Run("matrix under conditions", func(t *testing.T) { matricesUnderConditions(t, eng) })
		t.Run("matrix with places in the sea", func(t *testing.T) { missingPlaces(t, eng) })
	}
	if can.Does(engine.CallIsochrone) {
		t.Run("isochrone", func(t *testing.T) { isochrones(t, eng) })
		t.Run("isochrone under conditions", func(t *testing.T) { isochronesUnderConditions(t, eng) })
	}
	if can.Does(engine.CallLocate) {
		t.Run("locate", func(t *testing.T) { locates(t, eng) })
	}
	if can.Does(engine.CallNearest) {
		t.Run("nearest", func(t *testing.T) { nears(t, eng) })
	}
	t.Run("what is excluded", func(t *testing.T) { excluded(t, eng) })
	if can.Does(engine.CallCentroid) {
		t.Run("centroid", func(t *testing.T) { convenes(t, eng) })
	}
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) { visit(t, eng, &s) })
	}
}

// RunTowns drives the trips and traces of some towns, by their names.
func RunTowns(t *testing.T, eng engine.Engine, names ...string) {
	t.Helper()
	for _, s := range All() {
		if slices.Contains(names, s.Name) {
			t.Run(s.Name, func(t *testing.T) { visit(t, eng, &s) })
		}
	}
}

// RunPlaces drives what is near a place, and what has no road near it.
func RunPlaces(t *testing.T, eng engine.Engine) {
	t.Helper()
	t.Run("nearest", func(t *testing.T) { nears(t, eng) })
	t.Run("what is excluded", func(t *testing.T) { excluded(t, eng) })
	t.Run("matrix with places in the sea", func(t *testing.T) { missingPlaces(t, eng) })
}

// visit drives the trips and traces of a town.
func visit(t *testing.T, eng engine.Engine, s *Scenario) {
	t.Helper()
	can := eng.Can()
	town := build(t, s)
	for _, trip := range s.Trips {
		t.Run(trip.name(), func(t *testing.T) {
			switch {
			case can.TunnelCodes:
			case trip.ADR && can.Audited:
			case trip.ADR:
				t.Skipf("%s does not enforce tunnel codes", can.Name)
			case trip.Differs != "":
				t.Skipf("%s goes another way: %s", can.Name, trip.Differs)
			case can.Name == "osrm" && stockOSRM[s.Name+"/"+trip.name()] != "":
				t.Skipf("%s answers otherwise: %s", can.Name, stockOSRM[s.Name+"/"+trip.name()])
			}
			drive(t, eng, town, &trip)
		})
	}
	if !can.Does(engine.CallTraceRoute) || !can.Does(engine.CallTraceAttributes) || len(s.Traces) == 0 {
		return
	}
	for _, trace := range s.Traces {
		t.Run(trace.name(), func(t *testing.T) { follow(t, eng, town, &trace) })
	}
	if s.Traces[0].Code == 0 {
		t.Run("in OSRM's form", func(t *testing.T) { draws(t, eng, town, &s.Traces[0]) })
		t.Run("with headings", func(t *testing.T) { headed(t, eng, town, &s.Traces[0]) })
	}
	t.Run("for a caller who went away", func(t *testing.T) { forsaken(t, eng, s.Traces[0].request(town)) })
	t.Run("with roundabouts joined", func(t *testing.T) { joins(t, eng, s.Traces[0].request(town)) })
	t.Run("with a filter", func(t *testing.T) { onlyWays(t, eng, s.Traces[0].request(town)) })
}

// RunLoads drives the trips that need tunnel codes to be enforced, on an engine built from
// Extract's file.
func RunLoads(t *testing.T, eng engine.Engine) {
	t.Helper()
	for _, s := range tunnelTowns() {
		town := build(t, &s)
		for _, trip := range s.Trips {
			if trip.ADR {
				t.Run(s.Name+"/"+trip.name(), func(t *testing.T) { drive(t, eng, town, &trip) })
			}
		}
	}
}

// tunnelTowns returns the scenarios with such trips.
func tunnelTowns() []Scenario {
	return slices.DeleteFunc(All(), func(s Scenario) bool {
		return !slices.ContainsFunc(s.Trips, func(t Trip) bool { return t.ADR })
	})
}

func (trip *Trip) name() string {
	name := trip.Stops
	if trip.Costing.Valid() {
		name += " " + trip.Costing.String()
	}
	if trip.Options != "" {
		name += " " + trip.Options
	}
	return name
}

func drive(t *testing.T, eng engine.Engine, town *towntest.Town, trip *Trip) {
	t.Helper()
	r, err := trip.request(town)
	if err != nil {
		t.Fatal(err)
	}
	inIt := func(tag string) bool { return tag[:2] == r.Language[:2] }
	if speaks := eng.Can().Languages; r.Language != "" && speaks != nil && !slices.ContainsFunc(speaks, inIt) {
		t.Skipf("the engine narrates in %v, not in %s", speaks, r.Language)
	}
	answer, err := eng.Route(t.Context(), r)
	unheeded(t, eng, answer, err)
	if trip.Code != 0 {
		refused(t, err, trip.Code)
	} else {
		if err != nil {
			t.Fatalf("no route: %v", err)
		}
		route := readNative(t, r, answer)
		if path := passed(town, route.Line); path != trip.Path {
			t.Errorf("the route passes %q, want %q", path, trip.Path)
		}
		if streets := route.Streets(); trip.Streets != "" && streets != trip.Streets {
			t.Errorf("the route takes the streets %q, want %q", streets, trip.Streets)
		}
		if trip.Check != nil {
			trip.Check(t, route)
		}
		valued(t, eng, town, trip, *r, route)
	}

	r.Format, r.Steps, r.Overview = engine.OSRM, true, "full"
	r.Voice, r.Banners, r.Annotations = true, true, engine.AnnotateDistance|engine.AnnotateDuration|engine.AnnotateSpeed
	answer, err = eng.Route(t.Context(), r)
	if trip.Code != 0 {
		refused(t, err, trip.Code)
		return
	}
	if err != nil {
		t.Fatalf("no route in OSRM's format: %v", err)
	}
	route := readOSRM(t, r, answer)
	if path := passed(town, route.Line); path != trip.Path {
		t.Errorf("in OSRM's format the route passes %q, want %q", path, trip.Path)
	}
	if trip.Steps != nil {
		trip.Steps(t, route)
	}
	if trip.Forms {
		forms(t, eng, town, trip, r, len(route.Line))
	}
}

// unheeded skips a trip of which an engine without excluded places says that it cannot be had of it: its answer
// has a warning of what had no effect, or is that something is not enabled.
func unheeded(t *testing.T, eng engine.Engine, a *engine.RouteAnswer, err error) {
	t.Helper()
	if exactly(eng) {
		return
	}
	if fault.IsNotEnabled(err) {
		t.Skipf("the engine says that it does not do it: %v", err)
	}
	if err != nil {
		return
	}
	for _, w := range a.Warnings {
		if w.Code == engine.WarnOption || w.Code == engine.WarnIgnored {
			t.Skipf("the engine says that it does not heed it: %s", w.Text)
		}
	}
}

// forms asks for the route in every form of OSRM's format: what is drawn
// stays the same, and simplified is no longer than full.
func forms(t *testing.T, eng engine.Engine, town *towntest.Town, trip *Trip, r *engine.RouteRequest, full int) {
	t.Helper()
	for _, geometries := range []string{"", "polyline", "polyline6", "geojson"} {
		for _, overview := range []string{"", "simplified", "full", "false"} {
			for _, steps := range []bool{false, true} {
				r.Geometries, r.Overview, r.Steps = geometries, overview, steps
				answer, err := eng.Route(t.Context(), r)
				if err != nil {
					t.Errorf("geometries %q, overview %q, steps %t: %v", geometries, overview, steps, err)
					continue
				}
				line := readOSRM(t, r, answer).Line
				if path := passed(town, line); overview != "false" && path != trip.Path || len(line) > full {
					t.Errorf("geometries %q, overview %q, steps %t: %d points pass %q, want at most %d points and %q",
						geometries, overview, steps, len(line), path, full, trip.Path)
				}
			}
		}
	}
}

// crowd asks for many routes at once and for one on behalf of a caller who
// went away.
func crowd(t *testing.T, eng engine.Engine) {
	all := All()
	s := all[slices.IndexFunc(all, func(s Scenario) bool { return s.Name == "the shorter of two ways" })]
	town := build(t, &s)
	t.Run("at once", func(t *testing.T) {
		var callers sync.WaitGroup
		for range 8 {
			callers.Go(func() {
				for _, trip := range s.Trips {
					r, err := trip.request(town)
					if err != nil {
						t.Error(err)
						return
					}
					answer, err := eng.Route(t.Context(), r)
					if err != nil {
						t.Errorf("%s: %v", trip.Stops, err)
						return
					}
					var route Route
					text, err := valhalla.WriteRoute(r, answer)
					if err != nil || json.Unmarshal(text, &route) != nil || len(route.Trip.Legs) != 1 {
						t.Errorf("%s: %v in %.300s", trip.Stops, err, text)
						return
					}
					line, err := geo.DecodePolyline(route.Trip.Legs[0].Shape, 6)
					if path := passed(town, line); err != nil || path != trip.Path {
						t.Errorf("%s: the route passes %q, want %q (%v)", trip.Stops, path, trip.Path, err)
					}
				}
			})
		}
		callers.Wait()
	})
	t.Run("for a caller who went away", func(t *testing.T) {
		r, err := s.Trips[0].request(town)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := eng.Route(ctx, r); !errors.Is(err, context.Canceled) {
			t.Errorf("the engine answered %v, want %v", err, context.Canceled)
		}
	})
}

func refused(t *testing.T, err error, code int) {
	t.Helper()
	if engine.Code(err) != code {
		t.Errorf("the engine answered %v (error_code %d), want a refusal with error_code %d", err, engine.Code(err), code)
		return
	}
	if !fault.Is(err, fault.Upstream) {
		t.Errorf("a refusal is %v, want one of the kind %s", err, fault.Upstream)
	}
	var e *fault.Error
	if errors.As(err, &e) && (e.Fields["upstream_status"] != 400 || e.Detail == "") {
		t.Errorf("a refusal has upstream_status %v and the detail %q, want 400 and a sentence", e.Fields["upstream_status"], e.Detail)
	}
}

// Text returns an answer as it is written.
func Text(t testing.TB, r *engine.RouteRequest, a *engine.RouteAnswer) []byte {
	t.Helper()
	text, err := valhalla.WriteRoute(r, a)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// traced returns an answer to a trace as it is written.
func traced(t testing.TB, r *engine.MatchRequest, a *engine.TraceAnswer) []byte {
	t.Helper()
	text, err := valhalla.WriteTrace(r, a)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// attributes returns the answer about a trace as it is written.
func attributes(t testing.TB, r *engine.MatchRequest, a *engine.AttributesAnswer) []byte {
	t.Helper()
	text, err := valhalla.WriteAttributes(r, a)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("the answer is not readable: %v\n%.500s", err, text)
	}
}

// stockOSRM are the trips, by town and name, that a stock OSRM answers otherwise, and why.
var stockOSRM = map[string]string{
	"the country is named/a d":                                                             "its answers name no countries",
	"a gate costs more than the way round/a c":                                             "its car profile passes gates at no cost",
	"a rising bollard/a c":                                                                 "its car profile passes rising bollards at no cost",
	"a rising bollard/a c bicycle":                                                         "its bicycle profile passes bollards at no cost",
	"a footway with something for bicycles/a c bicycle":                                    "its bicycle profile reads no bicycle_road or ramps of footways",
	"a way that is not built/a c bicycle":                                                  "its bicycle profile takes proposed roads for roads",
	"a location within five metres of a junction is at it/c ab.99":                         "a location lies on the nearest road, also beside a junction",
	"nobody stops under a toll gantry/a d":                                                 "its car profile waits under gantries",
	"signals of crossings are not the drivers'/a f":                                        "its car profile waits at signals of crossings",
	"the settings of a side/cd ab.2":                                                       "a location has a side also next to the centre line",
	`over a footway in every way of travel/a c auto "ignore_access": true`:                 fixed,
	`against a one-way motorway in every way of travel/a c auto "ignore_oneways": true`:    fixed,
	`along a one-way motorway in every way of travel/a c bicycle "ignore_access": true`:    fixed,
	`along a one-way motorway in every way of travel/a c pedestrian "ignore_access": true`: fixed,
	"a building with floors/oe ec pedestrian":                                              floorless,
	"a building with floors/ec oe pedestrian":                                              floorless,
	"a building with floors/ec tu pedestrian":                                              floorless,
	"a building with floors/ec lr pedestrian":                                              floorless,
	"a building with floors/ec hi pedestrian":                                              floorless,
	"a building with floors/hi ij pedestrian":                                              floorless,
	"a building with floors/ij mn pedestrian":                                              floorless,
	"a building with floors/cs st pedestrian":                                              floorless,
	"a building with floors/ip qv pedestrian":                                              floorless,
}

const (
	floorless = "its foot profile knows no floors, corridors and lifts"
	fixed     = "its profile is fixed, and a refusal has no warning of it"
)
