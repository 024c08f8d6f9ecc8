package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// Trace is a drive along straight lines between places and the way it must be
// matched to.
type Trace struct {
	Along       string  // places passed, in straight lines
	Every       float64 // metres between positions; 0 is 25
	Off         float64 // metres to the side, left and right in turn; 0 is 3, below 0 none
	East, North float64 // metres by which every position is off
	Times       bool    // positions have times, of a drive at 36 km/h
	How         engine.ShapeMatch
	Costing     costing.Costing // "" is auto

	Path string // the places the matched way passes, in order
	Then string // those of a second stretch, after a gap; "" is none
	Legs int    // of the first stretch; 0 is 1
	Code int    // the error_code of a refusal; 0 is a match

	Alter func(*towntest.Town, *engine.MatchRequest) // last changes to the request
}

func (trace *Trace) name() string { return trace.Along + " " + string(trace.How) }

func (trace *Trace) request(town *towntest.Town) *engine.MatchRequest {
	r := &engine.MatchRequest{How: trace.How, Costing: trace.Costing, Output: engine.Output{Format: engine.Native}}
	if r.How == "" {
		r.How = engine.MapSnap
	}
	if !r.Costing.Valid() {
		r.Costing = costing.Auto
	}
	// No options are never in the wrong.
	r.Options, _, _ = costing.Parse(r.Costing, nil, "")
	every, off := trace.Every, trace.Off
	if every == 0 {
		every = 25
	}
	if off == 0 {
		off = 3
	}
	places := strings.Split(trace.Along, "")
	for i := 1; i < len(places); i++ {
		a, b := town.Point(places[i-1]), town.Point(places[i])
		length, bearing := geo.Distance(a, b), geo.Bearing(a, b)
		n := max(1, int(length/every))
		for k := range n + 1 {
			if k == 0 && i > 1 {
				continue
			}
			p := geo.Destination(a, bearing, length*float64(k)/float64(n))
			if off > 0 {
				p = geo.Destination(p, bearing+90, off*float64(1-2*(k%2)))
			}
			p = geo.Destination(geo.Destination(p, 90, trace.East), 0, trace.North)
			at := engine.TracePoint{Point: geo.Point{Lon: math.Round(p.Lon*1e6) / 1e6, Lat: math.Round(p.Lat*1e6) / 1e6}}
			if trace.Times {
				seconds := 1_788_249_600 + float64(len(r.Trace))*every/10
				at.Time = &seconds
			}
			r.Trace = append(r.Trace, at)
		}
	}
	if trace.Alter != nil {
		trace.Alter(town, r)
	}
	return r
}

// matched is an answer to trace_attributes.
type matched struct {
	Shape string
	Edges []struct {
		WayID           int64 `json:"way_id"`
		Length          float64
		BeginShapeIndex int `json:"begin_shape_index"`
		EndShapeIndex   int `json:"end_shape_index"`
	}
	Points []struct {
		Lat, Lon float64
		Type     string
		Edge     *int     `json:"edge_index"`
		Along    *float64 `json:"distance_along_edge"`
		Distance *float64 `json:"distance_from_trace_point"`
	} `json:"matched_points"`
}

// follow asks for both answers to a trace and checks them.
func follow(t *testing.T, m engine.Engine, town *towntest.Town, trace *Trace) {
	t.Helper()
	r := trace.request(town)
	answer, err := m.TraceRoute(t.Context(), r)
	edges, edgesErr := m.TraceAttributes(t.Context(), r)
	if trace.Code != 0 {
		for _, err := range []error{err, edgesErr} {
			// Valhalla says of positions off the roads that they do not match.
			if code := engine.Code(err); trace.Code == engine.CodeNoSegment && (code == engine.CodeNoWalk || code == engine.CodeNoMatch) {
				continue
			}
			refused(t, err, trace.Code)
		}
		return
	}
	if err := errors.Join(err, edgesErr); err != nil {
		t.Fatalf("no match: %v", err)
	}
	var route struct {
		Trip       Journey
		Alternates []struct{ Trip Journey }
	}
	decode(t, traced(t, r, answer), &route)
	legs := max(1, trace.Legs)
	if len(route.Trip.Legs) != legs {
		t.Errorf("the first stretch has %d legs, want %d", len(route.Trip.Legs), legs)
	}
	if path := passed(town, trip(t, &route.Trip)); path != trace.Path {
		t.Errorf("the matched way passes %q, want %q", path, trace.Path)
	}
	then := ""
	for i := range route.Alternates {
		then += passed(town, trip(t, &route.Alternates[i].Trip))
	}
	if then != trace.Then {
		t.Errorf("after a gap the way passes %q, want %q", then, trace.Then)
	}
	attributed(t, town, trace, r, edges)
}

func trip(t *testing.T, j *Journey) (line []geo.Point) {
	t.Helper()
	for i := range j.Legs {
		line = append(line, readShape(t, j.Legs[i].Shape, "polyline6")...)
	}
	return line
}

// attributed checks what must hold of every answer to trace_attributes.
func attributed(t *testing.T, town *towntest.Town, trace *Trace, r *engine.MatchRequest, answer *engine.AttributesAnswer) {
	t.Helper()
	var got matched
	decode(t, attributes(t, r, answer), &got)
	shape := readShape(t, got.Shape, "polyline6")
	if path := passed(town, shape); path != trace.Path+trace.Then {
		t.Errorf("the attributes' shape passes %q, want %q", path, trace.Path+trace.Then)
	}
	if len(got.Edges) == 0 {
		t.Fatal("no edges")
	}
	for i, e := range got.Edges {
		if e.BeginShapeIndex < 0 || e.EndShapeIndex < e.BeginShapeIndex || e.EndShapeIndex >= len(shape) {
			t.Fatalf("edge %d is the shape's %d to %d of %d points", i, e.BeginShapeIndex, e.EndShapeIndex, len(shape))
		}
		if length := geo.Length(shape[e.BeginShapeIndex : e.EndShapeIndex+1]); trace.Then == "" && math.Abs(length-e.Length*1000) > 2+0.01*length {
			t.Errorf("edge %d is %g km long, its shape %.0f m", i, e.Length, length)
		}
	}
	if r.How == engine.EdgeWalk {
		return // Valhalla reports no positions then
	}
	if len(got.Points) != 0 && len(got.Points) != len(r.Trace) {
		t.Fatalf("%d positions have %d results", len(r.Trace), len(got.Points))
	}
	for i, p := range got.Points {
		if p.Type == "unmatched" || p.Edge == nil {
			continue
		}
		if *p.Edge < 0 || *p.Edge >= len(got.Edges) || p.Along == nil || *p.Along < 0 || *p.Along > 1 || p.Distance == nil {
			t.Errorf("position %d is at %v of edge %d of %d, %v m off", i, p.Along, *p.Edge, len(got.Edges), p.Distance)
			continue
		}
		if d := geo.Distance(r.Trace[i].Point, geo.Point{Lon: p.Lon, Lat: p.Lat}); math.Abs(d-*p.Distance) > 1 {
			t.Errorf("position %d is %g m from its place, said %g", i, d, *p.Distance)
		}
	}
}

// forsaken matches on behalf of a caller who went away.
func forsaken(t *testing.T, m engine.Engine, r *engine.MatchRequest) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.TraceRoute(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("the engine answered %v, want %v", err, context.Canceled)
	}
	if _, err := m.TraceAttributes(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("the engine answered %v, want %v", err, context.Canceled)
	}
}

// joins asks for a match without a manoeuvre for leaving a roundabout, and with
// the countries on the way.
func joins(t *testing.T, m engine.Engine, r *engine.MatchRequest) {
	t.Helper()
	r.Detail = engine.Detail{JoinRoundabouts: true, Admins: true}
	answer, err := m.TraceRoute(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	route := &Route{}
	decode(t, traced(t, r, answer), route)
	if left := route.Manoeuvre(roundaboutExits...); left != nil || len(route.Trip.Legs[0].Summary.Admins) == 0 {
		t.Errorf("%+v leaves a roundabout; the countries are %+v", left, route.Trip.Legs[0].Summary.Admins)
	}
}

// onlyWays asks for nothing but way identifiers.
func onlyWays(t *testing.T, m engine.Engine, r *engine.MatchRequest) {
	t.Helper()
	r.Filter = engine.AttributeFilter{Include: true, Names: []string{"edge.way_id"}}
	answer, err := m.TraceAttributes(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Shape  *string
		Points []any `json:"matched_points"`
		Edges  []map[string]json.RawMessage
	}
	text := attributes(t, r, answer)
	decode(t, text, &got)
	if got.Shape != nil || len(got.Points) > 0 || len(got.Edges) == 0 || len(got.Edges[0]) != 1 || got.Edges[0]["way_id"] == nil {
		t.Errorf("with a filter for edge.way_id the answer is %.300s", text)
	}
}
