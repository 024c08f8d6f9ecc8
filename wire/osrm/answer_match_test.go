package osrm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// TestTracepoints checks how the positions of a trace are written: in which matching, at which
// waypoint, and null where they are on no road.
func TestTracepoints(t *testing.T) {
	on := geo.Point{Lon: 9.5, Lat: 47}
	r := &engine.MatchRequest{Trace: []engine.TracePoint{{Point: on}, {Point: on}, {Point: on}}, Output: engine.Output{Overview: "false"}}
	a := &engine.TraceAnswer{
		RouteAnswer: engine.RouteAnswer{Routes: []engine.Route{{}}}, Confidence: []float64{0.5},
		Points: []engine.TracePlace{{Route: 0, Stop: 0, On: on}, {Route: -1}, {Route: 0, Stop: -1, On: on}},
	}
	text, err := WriteMatch(r, a)
	if err != nil {
		t.Fatal(err)
	}
	const begin = `{"matchings_index":0,"waypoint_index":`
	const rest = `,"alternatives_count":0,"name":"","location":[9.5,47],"distance":0}`
	if want := `"tracepoints":[` + begin + `0` + rest + `,null,` + begin + `null` + rest + `]`; !json.Valid(text) || !strings.Contains(string(text), want) {
		t.Errorf("%s, want %s in it", text, want)
	}
	r.SkipWaypoints = true
	if text, err = WriteMatch(r, a); err != nil || strings.Contains(string(text), "tracepoints") {
		t.Errorf("%s (%v) has what is to be skipped", text, err)
	}
	if _, err := WriteMatch(r, &engine.TraceAnswer{}); err == nil {
		t.Error("no match is written")
	}
}

// TestAdmin checks that the first area of a leg is written, and one that is not known is not.
func TestAdmin(t *testing.T) {
	for at, want := range map[int]string{-1: "", 0: `,"admin_index":0`, 2: `,"admin_index":2`} {
		w := &legWriter{writer: &writer{}}
		w.admin(&engine.Intersection{Admin: at})
		if got, err := w.Bytes(); err != nil || string(got) != want {
			t.Errorf("area %d is written as %q (%v), want %q", at, got, err, want)
		}
	}
}
