package enginetest

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/towntest"
)

// Run drives every scenario on an engine built from Extract's file: each trip
// on the native and on the compatible face, both checked for what must hold of
// every answer and against each other.
func Run(t *testing.T, eng engine.Engine) {
	t.Helper()
	status, err := eng.Status(t.Context())
	if err != nil {
		t.Fatalf("the engine does not answer: %v", err)
	}
	if status.Name == "" {
		t.Error("the engine has no name")
	}
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			town := build(t, &s)
			for _, trip := range s.Trips {
				t.Run(trip.name(), func(t *testing.T) {
					if trip.ADR && !status.EnforcesADR {
						t.Skipf("%s does not enforce tunnel codes", status.Name)
					}
					drive(t, eng, town, &trip)
				})
			}
		})
	}
}

func (trip *Trip) name() string {
	name := trip.Stops
	if trip.Costing != "" {
		name += " " + string(trip.Costing)
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
	answer, err := eng.Route(t.Context(), r)
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
	}

	r.Face, r.Steps, r.Overview = engine.Compatible, true, "full"
	answer, err = eng.Route(t.Context(), r)
	if trip.Code != 0 {
		refused(t, err, trip.Code)
		return
	}
	if err != nil {
		t.Fatalf("no route on the compatible face: %v", err)
	}
	route := readCompatible(t, r, answer)
	if path := passed(town, route.Line); path != trip.Path {
		t.Errorf("on the compatible face the route passes %q, want %q", path, trip.Path)
	}
	if trip.Steps != nil {
		trip.Steps(t, route)
	}
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

func decode(t *testing.T, answer *engine.RouteAnswer, into any) {
	t.Helper()
	if err := json.Unmarshal(answer.Body, into); err != nil {
		t.Fatalf("the answer is not readable: %v\n%.500s", err, answer.Body)
	}
}
