package embedded_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/wire/valhalla"
)

// recorded reads a request that a real Valhalla answered, and its answer.
func recorded(t *testing.T, name string, answer any) *engine.MatchRequest {
	t.Helper()
	read := func(kind string, into any) {
		text, err := os.ReadFile(realdata.Beside(t, "peers/valhalla/examples/"+name+"."+kind+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	var request struct {
		Body struct {
			Shape []struct {
				Lat, Lon float64
				Time     *float64
			}
			Encoded string            `json:"encoded_polyline"`
			How     engine.ShapeMatch `json:"shape_match"`
			Times   bool              `json:"use_timestamps"`
			Format  string
		}
	}
	read("request", &request)
	read("response", answer)
	r := &engine.MatchRequest{Costing: costing.Auto, How: request.Body.How, UseTimestamps: request.Body.Times, Output: engine.Output{Format: engine.Native}}
	r.Options, _, _ = costing.Parse(r.Costing, nil, "") // none are never in the wrong
	if request.Body.Format == "osrm" {
		r.Format = engine.OSRM
	}
	for _, p := range request.Body.Shape {
		r.Trace = append(r.Trace, engine.TracePoint{Point: geo.Point{Lon: p.Lon, Lat: p.Lat}, Time: p.Time})
	}
	if request.Body.Encoded != "" {
		line, err := geo.DecodePolyline(request.Body.Encoded, 6)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range line {
			r.Trace = append(r.Trace, engine.TracePoint{Point: p})
		}
	}
	return r
}

// TestMatchesAsValhalla compares with what a real Valhalla answered.
func TestMatchesAsValhalla(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	type trips struct {
		Trip struct {
			Summary   struct{ Length, Time float64 }
			Locations []struct {
				Type  string
				Index int `json:"original_index"`
			}
			Legs []any
		}
	}
	for _, name := range []string{"33_trace_route_map_snap", "34_trace_route_edge_walk", "36_trace_route_times"} {
		t.Run(name, func(t *testing.T) {
			var want, got trips
			r := recorded(t, name, &want)
			a, err := e.TraceRoute(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(traced(t, r, a), &got); err != nil {
				t.Fatal(err)
			}
			if w, g := want.Trip.Summary, got.Trip.Summary; math.Abs(w.Length-g.Length) > 0.02 || math.Abs(w.Time-g.Time) > 0.15*w.Time || r.UseTimestamps && math.Abs(w.Time-g.Time) > 1 {
				t.Errorf("%g km in %g s, want %g in %g", g.Length, g.Time, w.Length, w.Time)
			}
			if len(got.Trip.Legs) != 1 || len(got.Trip.Locations) != 2 || got.Trip.Locations[1].Index != len(r.Trace)-1 {
				t.Errorf("%d legs, locations %+v", len(got.Trip.Legs), got.Trip.Locations)
			}
		})
	}
	t.Run("matchings", func(t *testing.T) {
		type answer struct {
			Code      string
			Matchings []struct {
				Distance, Duration, Confidence float64
				Legs                           []any
			}
			Tracepoints []*struct {
				Location  [2]float64
				Matchings int  `json:"matchings_index"`
				Waypoint  *int `json:"waypoint_index"`
			}
		}
		var want, got answer
		r := recorded(t, "35_trace_route_osrm_alternates", &want)
		a, err := e.TraceRoute(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		text := traced(t, r, a)
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if got.Code != "Ok" || len(got.Matchings) != 1 || math.Abs(got.Matchings[0].Distance-want.Matchings[0].Distance) > 20 || len(got.Tracepoints) != len(want.Tracepoints) {
			t.Fatalf("%.500s", text)
		}
		if first, last := got.Tracepoints[0].Waypoint, got.Tracepoints[len(got.Tracepoints)-1].Waypoint; first == nil || last == nil || *first != 0 || *last != 1 {
			t.Errorf("waypoints %v and %v", first, last)
		}
	})
	t.Run("attributes", func(t *testing.T) {
		var want, got map[string]any
		r := recorded(t, "37_trace_attributes", &want)
		a, err := e.TraceAttributes(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(attributed(t, r, a), &got); err != nil {
			t.Fatal(err)
		}
		known := map[string]string{
			".edges[].indoor": "bool", ".edges[].source_percent_along": "float64", ".edges[].truck_speed": "float64", ".warnings": "",
		}
		kinds("", want, func(path, kind string) { known[path] = kind })
		kinds("", got, func(path, kind string) {
			if known[path] != kind {
				t.Errorf("%s is a %s, Valhalla's a %q", path, kind, known[path])
			}
		})
		if w, g := ways(want), ways(got); !slices.Equal(w, g) {
			t.Errorf("ways %v, want %v", g, w)
		}
	})
}

// kinds walks a document's types.
func kinds(path string, v any, yield func(path, kind string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			kinds(path+"."+k, x, yield)
		}
	case []any:
		for _, x := range v {
			kinds(path+"[]", x, yield)
		}
	default:
		yield(path, fmt.Sprintf("%T", v))
	}
}

// ways lists the ways of an answer's edges without repetitions in a row.
func ways(answer map[string]any) []float64 {
	var list []float64
	for _, e := range answer["edges"].([]any) {
		list = append(list, e.(map[string]any)["way_id"].(float64))
	}
	return slices.Compact(list)
}

// TestLongTrace matches as many positions as a trace may have.
func TestLongTrace(t *testing.T) {
	searchtest.Sequential(t)
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	r := traces500(t)[0]
	there := r.Trace
	for len(r.Trace) < 20_000 { // there and back
		there = slices.Clone(there)
		slices.Reverse(there)
		r.Trace = append(r.Trace, there...)
	}
	r.Trace = r.Trace[:20_000]
	a, err := e.TraceAttributes(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Points []struct{ Type string } `json:"matched_points"`
	}
	if err := json.Unmarshal(attributed(t, r, a), &got); err != nil || len(got.Points) != len(r.Trace) {
		t.Fatalf("%d positions of %d (%v)", len(got.Points), len(r.Trace), err)
	}
	lost := 0
	for _, p := range got.Points {
		if p.Type == "unmatched" {
			lost++
		}
	}
	if lost > 100 {
		t.Errorf("%d of 20,000 positions are unmatched", lost)
	}
}

// TestStill matches a traveller who never moved.
func TestStill(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	r := traces500(t)[0]
	seconds := 30.0
	r.Trace = []engine.TracePoint{r.Trace[7], r.Trace[7], r.Trace[7]}
	zero := 0.0
	r.Trace[0].Time, r.Trace[2].Time, r.UseTimestamps = &zero, &seconds, true
	for _, format := range []engine.Format{engine.Native, engine.OSRM} {
		for _, d := range []engine.Directions{engine.NoDirections, engine.Instructions} {
			r.Format, r.Directions = format, d
			if _, err := e.TraceRoute(t.Context(), r); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := e.TraceAttributes(t.Context(), r); err != nil {
		t.Error(err)
	}
}

// along are four positions along a street of Vaduz, the first of which an exact walk does
// not come on from.
func along() *engine.MatchRequest {
	r := &engine.MatchRequest{Costing: costing.Auto, Output: engine.Output{Format: engine.Native}}
	r.Options, _, _ = costing.Parse(r.Costing, nil, "")
	for _, p := range []geo.Point{{Lon: 9.521031, Lat: 47.140981}, {Lon: 9.520704, Lat: 47.141411}, {Lon: 9.520217, Lat: 47.141837}, {Lon: 9.519684, Lat: 47.142236}} {
		r.Trace = append(r.Trace, engine.TracePoint{Point: p})
	}
	return r
}

// TestWalkFromTheFirstPosition walks exactly from the first position or not at all.
func TestWalkFromTheFirstPosition(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	r := along()
	r.How = engine.EdgeWalk
	if _, err := e.TraceRoute(t.Context(), r); engine.Code(err) != engine.CodeNoWalk {
		t.Errorf("walked exactly: %v", err)
	}
	for _, how := range []engine.ShapeMatch{"", engine.WalkOrSnap, engine.MapSnap} {
		r.How = how
		a, err := e.TraceRoute(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if w := a.Routes[0].Waypoints; w[0].Index != 0 || a.Routes[0].Metres < 170 {
			t.Errorf("%q: %g m from position %d on", how, a.Routes[0].Metres, w[0].Index)
		}
	}
}

// TestTimesOfSome counts the times that a trace has, and those of the costing where it
// has none.
func TestTimesOfSome(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	took := func(times bool, at map[int]float64, from int) float64 {
		r := along()
		r.How, r.UseTimestamps = engine.MapSnap, times
		for i, seconds := range at {
			r.Trace[i].Time = &seconds
		}
		r.Trace = r.Trace[from:]
		a, err := e.TraceRoute(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return a.Routes[0].Seconds
	}
	usual := took(false, nil, 0)
	for what, c := range map[string]struct{ got, want float64 }{
		"no times":         {took(true, nil, 0), usual},
		"a time":           {took(true, map[int]float64{1: 5}, 0), usual},
		"all times":        {took(true, map[int]float64{0: 0, 1: 10, 2: 30, 3: 100}, 0), 100},
		"of the first two": {took(true, map[int]float64{0: 0, 1: 100}, 0), 100 + took(false, nil, 1)},
		"of the ends":      {took(true, map[int]float64{0: 0, 3: 50}, 0), 50},
	} {
		if math.Abs(c.got-c.want) > 0.5 {
			t.Errorf("%s: %g s, want %g", what, c.got, c.want)
		}
	}
}

// traced returns the answer to a trace as it is written.
func traced(t *testing.T, r *engine.MatchRequest, a *engine.TraceAnswer) []byte {
	t.Helper()
	text, err := valhalla.WriteTrace(r, a)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// attributed and placed are the answers about a trace and about places, as it is
// written.
func attributed(t *testing.T, r *engine.MatchRequest, a *engine.AttributesAnswer) []byte {
	t.Helper()
	text, err := valhalla.WriteAttributes(r, a)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func placed(t *testing.T, r *engine.LocateRequest, a *engine.LocateAnswer) []byte {
	t.Helper()
	text, err := valhalla.WriteLocate(r, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
