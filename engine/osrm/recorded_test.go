package osrm

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/realdata"
)

// recorded returns an engine whose server answers as a real OSRM 26 did, with the answer of a
// name, and how the server was last asked.
func recorded(t *testing.T, name string) (*Engine, *url.URL) {
	t.Helper()
	dir := realdata.Beside(t, "peers/osrm/examples")
	body, err := os.ReadFile(filepath.Join(dir, name+".response.json"))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Code string }
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	asked := &url.URL{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = *r.URL
		if answer.Code != "Ok" {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	return New(map[costing.Costing]string{costing.Auto: server.URL + "/"}, server.Client()), asked
}

// value returns the parameter of a name. net/url reads no values with semicolons.
func value(u *url.URL, name string) string {
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if key, text, _ := strings.Cut(pair, "="); key == name {
			return text
		}
	}
	return ""
}

func at(lon, lat float64) engine.Location {
	return engine.Location{Point: geo.Point{Lon: lon, Lat: lat}}
}

// way returns the request whose answer is recorded as 02_route_steps.
func way() *engine.RouteRequest {
	return &engine.RouteRequest{Costing: costing.Auto, Locations: []engine.Location{at(9.5209, 47.1410), at(9.5087, 47.1650)}}
}

func TestRecordedRoute(t *testing.T) {
	e, asked := recorded(t, "02_route_steps")
	// The recorded lines have five digits, and are asked for with six.
	if a, err := e.Route(t.Context(), way()); !fault.Is(err, fault.Upstream) {
		t.Errorf("a line of the wrong precision is taken: %v (%v)", a, err)
	}
	for name, want := range map[string]string{"steps": "true", "geometries": "polyline6", "overview": "full", "radiuses": "35000;35000", "generate_hints": "false", "annotations": "distance,duration,weight,nodes"} {
		if got := value(asked, name); got != want {
			t.Errorf("%s=%s, want %s", name, got, want)
		}
	}
	if want := "/route/v1/driving/9.5209,47.141;9.5087,47.165"; asked.Path != want {
		t.Errorf("%s, want %s", asked.Path, want)
	}
	r := way()
	r.Format, r.Steps, r.Overview = engine.OSRM, true, "simplified"
	a, err := e.Route(t.Context(), r)
	if err != nil || a.Routes != nil || strings.Contains(string(a.Raw), `"name":"Adlerkreisel","distance":7`) || !strings.Contains(string(a.Raw), `"mode":"driving"`) {
		t.Fatalf("%v %s", err, a.Raw)
	}
	if value(asked, "overview") != "simplified" || value(asked, "geometries") != "" || value(asked, "annotations") != "" {
		t.Error(asked)
	}
}

func TestRecordedTable(t *testing.T) {
	e, asked := recorded(t, "10_table_sources_dest_distance")
	r := &engine.MatrixRequest{Costing: costing.Auto, Sources: []engine.Location{at(9.5209, 47.1410), at(9.5087, 47.1650)}, Targets: []engine.Location{at(9.5030, 47.0670), at(9.6100, 47.1020)}}
	a, err := e.Matrix(t.Context(), r)
	if err != nil || a.Cells[1][0] != (engine.MatrixCell{Seconds: 944.4, Metres: 11991.5, Reached: true}) || a.Targets[1].Point != (geo.Point{Lon: 9.60986, Lat: 47.10239}) {
		t.Fatalf("%v %+v", err, a)
	}
	if value(asked, "sources") != "0;1" || value(asked, "destinations") != "2;3" || value(asked, "annotations") != "duration,distance" {
		t.Error(asked)
	}
	places := append([]engine.Location{}, r.Sources...)
	places = append(places, r.Targets...)
	shared := &engine.MatrixRequest{Costing: costing.Auto, Sources: places[:2], Targets: places[1:3]} // of one list
	if _, err := e.Matrix(t.Context(), shared); err != nil || places[2] != r.Targets[0] || places[3] != r.Targets[1] {
		t.Errorf("the caller's places are %v (%v)", places, err)
	}
	r.Targets[1].SearchCutoff = 40 // and the nearest road is 44 m away
	if a, err = e.Matrix(t.Context(), r); err != nil || a.Targets[1].Miss == "" || a.Targets[1].RoadM < 44 || a.Cells[0][1].Reached || !a.Cells[0][0].Reached {
		t.Errorf("%v %+v", err, a)
	}
	r.ExcludePolygons = []geo.Ring{{{Lon: 9, Lat: 47}, {Lon: 9.1, Lat: 47}, {Lon: 9, Lat: 47.1}}}
	if a, err = e.Matrix(t.Context(), r); err != nil || len(a.Warnings) != 1 || a.Warnings[0].Code != engine.WarnIgnored {
		t.Errorf("%v %+v", err, a.Warnings)
	}
}

func TestRecordedNearest(t *testing.T) {
	e, _ := recorded(t, "11_nearest")
	a, err := e.Nearest(t.Context(), &engine.NearestRequest{Costing: costing.Auto, Location: at(9.61, 47.102), Number: 2})
	if err != nil || len(a.Roads) != 2 || a.Roads[0].Nodes != [2]int64{1500213108, 1500213106} || a.Roads[0].Metres < 44 || a.Roads[0].Metres > 45 {
		t.Errorf("%v %+v", err, a)
	}
}

func TestRefusals(t *testing.T) {
	for name, code := range map[string]int{"15_err_no_segment": engine.CodeNoSegment, "22_err_too_big_nearest": engine.CodeTooFar, "24_err_match_no_match": engine.CodeNoSegment, "23_err_exclude_unknown": 0} {
		e, _ := recorded(t, name)
		if _, err := e.Route(t.Context(), way()); !fault.Is(err, fault.Upstream) || engine.Code(err) != code {
			t.Errorf("%s: %v (error_code %d), want %d", name, err, engine.Code(err), code)
		}
		if _, err := e.Status(t.Context()); (err == nil) != (code != 0) {
			t.Errorf("%s: the status is %v", name, err)
		}
	}
}

// TestUnlikeAnswers checks that an answer which does not fit its request is a failure of the
// server, and no route.
func TestUnlikeAnswers(t *testing.T) {
	e, _ := recorded(t, "05_route_geom_polyline6")
	for name, change := range map[string]func(r *engine.RouteRequest){
		"a route that starts far away": func(r *engine.RouteRequest) { r.Locations[0].Point.Lon -= 0.5 },
		"too few waypoints":            func(r *engine.RouteRequest) { r.Locations = append(r.Locations, r.Locations[0]) },
	} {
		r := way()
		change(r)
		if a, err := e.Route(t.Context(), r); !fault.Is(err, fault.Upstream) {
			t.Errorf("%s: %v (%v)", name, a, err)
		}
	}
	if _, err := e.Route(t.Context(), way()); err != nil {
		t.Errorf("the route as it was asked for: %v", err)
	}
}

// TestWhatCannotBeHeeded checks that what a server has no parameter for is refused where the
// answer would be wrong, and else named in a warning.
func TestWhatCannotBeHeeded(t *testing.T) {
	e, asked := recorded(t, "02_route_steps")
	settings := func(c costing.Costing, text string) costing.Settings {
		var raw map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &raw); err != nil {
			t.Fatal(err)
		}
		s, _, bad := costing.Parse(c, raw, "")
		if len(bad) > 0 {
			t.Fatal(bad)
		}
		return s
	}
	for name, c := range map[string]struct {
		change func(r *engine.RouteRequest)
		want   string // of the error, or of a warning
	}{
		"a costing without a server": {func(r *engine.RouteRequest) { r.Costing = costing.Bicycle }, "the costing bicycle is not enabled"},
		"excluded areas":             {func(r *engine.RouteRequest) { r.ExcludePolygons = []geo.Ring{{}} }, "exclude_polygons is not enabled"},
		"excluded places":            {func(r *engine.RouteRequest) { r.ExcludeLocations = r.Locations }, "exclude_locations is not enabled"},
		"excluded tunnels":           {func(r *engine.RouteRequest) { r.Options = settings(costing.Auto, `{"exclude_tunnels":true}`) }, "exclude_tunnels is not enabled"},
		"a height":                   {func(r *engine.RouteRequest) { r.Options = settings(costing.Auto, `{"height":4}`) }, "costing_options.auto.height had no effect"},
		"no closures":                {func(r *engine.RouteRequest) { r.Locations[0].Filter.ExcludeClosures = true }, ""},
		"a filter":                   {func(r *engine.RouteRequest) { r.Locations[0].Filter.ExcludeToll = true }, "search_filter had no effect"},
		"a radius":                   {func(r *engine.RouteRequest) { r.Locations[0].Radius = 50 }, "radius had no effect"},
		"a time":                     {func(r *engine.RouteRequest) { r.When = &engine.When{} }, "date_time had no effect"},
	} {
		r := way()
		r.Format = engine.OSRM
		c.change(r)
		a, err := e.Route(t.Context(), r)
		got := ""
		if err != nil {
			got = err.Error()
		} else if len(a.Warnings) == 1 {
			got = a.Warnings[0].Text
		}
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	heading := 100.0
	r := way()
	r.Format = engine.OSRM
	r.Options = settings(costing.Auto, `{"exclude_tolls":true,"exclude_highways":true}`)
	r.Locations = []engine.Location{at(9.5, 47), {Point: geo.Point{Lon: 9.5, Lat: 47.1}, Stop: engine.Through}, {Point: geo.Point{Lon: 9.5, Lat: 47.2}, Heading: &heading, Side: engine.SameSide, SearchCutoff: 50}}
	if _, err := e.Route(t.Context(), r); !fault.Is(err, fault.Upstream) {
		t.Fatalf("the recorded answer, which has two places, is taken for three: %v", err)
	}
	for name, want := range map[string]string{"exclude": "motorway,toll", "waypoints": "0;2", "continue_straight": "true", "bearings": ";;100,60", "approaches": ";;curb", "radiuses": "35000;35000;50"} {
		if got := value(asked, name); got != want {
			t.Errorf("%s=%s, want %s", name, got, want)
		}
	}
}

// TestStepsAreRead checks manoeuvres, junctions, signs and lanes of one written answer, in
// the words of OSRM's documentation.
func TestStepsAreRead(t *testing.T) {
	line := func(points ...geo.Point) string { return geo.EncodePolyline(points, 6) }
	a, b, c := geo.Point{Lon: 9.5, Lat: 47.1}, geo.Point{Lon: 9.51, Lat: 47.1}, geo.Point{Lon: 9.51, Lat: 47.11}
	quoted := func(text string) string { q, _ := json.Marshal(text); return string(q) }
	answer := `{"code":"Ok","waypoints":[{"location":[9.5,47.1],"name":""},{"location":[9.51,47.11],"name":""}],"routes":[{"distance":1800,"duration":90,"weight":95,"legs":[{"distance":1800,"duration":90,"weight":95,
		"annotation":{"distance":[760,1040],"duration":[40,50],"weight":[42,53],"nodes":[1,2,3]},"steps":[
		{"distance":760,"duration":40,"weight":42,"name":"Street","ref":"A 1; E 2","mode":"driving","driving_side":"left","geometry":` + quoted(line(a, b)) + `,
		 "maneuver":{"type":"depart","location":[9.5,47.1],"bearing_before":0,"bearing_after":90},"intersections":[{"location":[9.5,47.1],"bearings":[90],"entry":[true],"out":0,"classes":["toll"]}]},
		{"distance":1040,"duration":50,"weight":53,"name":"","destinations":"M 4: Town, Port","exits":"12;12A","mode":"driving","driving_side":"left","geometry":` + quoted(line(b, c)) + `,
		 "maneuver":{"type":"off ramp","modifier":"slight left","location":[9.51,47.1],"bearing_before":90,"bearing_after":2},
		 "intersections":[{"location":[9.51,47.1],"bearings":[0,90,270],"entry":[true,true,false],"in":2,"out":0,"lanes":[{"indications":["slight left","straight"],"valid":true},{"indications":["straight"],"valid":false}]}]},
		{"distance":0,"duration":0,"weight":0,"name":"","mode":"driving","driving_side":"left","geometry":` + quoted(line(c, c)) + `,"maneuver":{"type":"arrive","modifier":"left","location":[9.51,47.11],"bearing_before":2,"bearing_after":0},"intersections":[{"location":[9.51,47.11],"bearings":[182],"entry":[true],"in":0}]}]}]}]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) }))
	defer server.Close()
	e := New(map[costing.Costing]string{costing.Auto: server.URL}, nil)
	got, err := e.Route(t.Context(), &engine.RouteRequest{Costing: costing.Auto, Locations: []engine.Location{at(9.5, 47.1), at(9.51, 47.11)}})
	if err != nil {
		t.Fatal(err)
	}
	leg := &got.Routes[0].Legs[0]
	types := []guidance.Type{leg.Manoeuvres[0].Type, leg.Manoeuvres[1].Type, leg.Manoeuvres[2].Type}
	if want := []guidance.Type{guidance.Start, guidance.ExitLeft, guidance.DestinationLeft}; types[0] != want[0] || types[1] != want[1] || types[2] != want[2] {
		t.Errorf("manoeuvres %v, want %v", types, want)
	}
	if len(leg.Line) != 3 || len(leg.Pieces) != 2 || leg.Pieces[1] != (engine.Piece{Metres: 1040, Seconds: 50, Cost: 53}) || len(leg.Nodes) != 3 || leg.From != 0 || leg.To != 1 {
		t.Errorf("%+v", leg)
	}
	exit := &leg.Manoeuvres[1]
	if s := exit.Sign; strings.Join(s.Number, "|") != "12|12A" || strings.Join(s.Branch, "|") != "M 4" || strings.Join(s.Toward, "|") != "Town|Port" || !exit.DriveOnLeft {
		t.Errorf("%+v", exit)
	}
	if len(exit.Lanes) != 2 || !exit.Lanes[0].Active || exit.Lanes[0].Take != guidance.LaneSlightLeft || exit.Lanes[1].Valid {
		t.Errorf("%+v", exit.Lanes)
	}
	if names := leg.Manoeuvres[0].Names; len(names) != 3 || names[0].Ref || names[2] != (guidance.Name{Text: "E 2", Ref: true}) {
		t.Errorf("%+v", names)
	}
	if x := leg.Intersections[1][0]; x.In != 2 || x.Out != 0 || len(x.Roads) != 3 || x.Roads[2] != (engine.Road{Bearing: 270}) || x.Point != 1 {
		t.Errorf("%+v", x)
	}
	if s := got.Routes[0].Sums; !s.Toll || s.Metres != 1800 || s.Cost != 95 || s.Bounds.Max != (geo.Point{Lon: 9.51, Lat: 47.11}) {
		t.Errorf("%+v", s)
	}
}
