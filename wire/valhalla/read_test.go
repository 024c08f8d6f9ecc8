package valhalla_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/wire/valhalla"
)

const (
	nativeText = `{"trip": {"legs": [{"maneuvers": [
		{"type":1,"instruction":"Go.","begin_shape_index":0,"end_shape_index":1},
		{"type":10,"instruction":"Right.","begin_shape_index":1,"end_shape_index":1,"bearing_before":90} ,
		{"type":26,"instruction":"Round.","begin_shape_index":1,"end_shape_index":2}],"shape":"???AA?"},
		{"maneuvers":[{"type":24,"instruction":"Left {\"[.","begin_shape_index":2}],"shape":"???AA?"}]},
		"alternates":[{"trip":{"legs":[{"maneuvers":[{"type":15,"instruction":"Else.","begin_shape_index":1}],"shape":"???AA?"}]}}]}`
	osrmText = `{"code":"Ok","routes":[{"legs":[{"steps":[
		{"maneuver":{"type":"depart","location":[9.5,47.1]}},
		{"maneuver":{"type":"turn","modifier":"left","location":[9.6,47.2],"bearing_before":10,"instruction":"Left."}},
		{"maneuver":{"type":"turn","modifier":"uturn","location":[9.6,47.2]}},
		{"maneuver":{"type":"continue","modifier":"straight","location":[9.6,47.2]}},
		{"maneuver":{"type":"continue","modifier":"right","location":[9.6,47.2],"bearing_before":20,"instruction":"Stay."}},
		{"maneuver":{"type":"roundabout","modifier":"right","location":[9.6,47.2]}}]}]},
		{"legs":[{"steps":[{"maneuver":{"type":"fork","modifier":"slight right","location":[9,47],"instruction":"Keep right."}}]}]}]}`
)

// The manoeuvres of an answer that came from elsewhere are read from both
// formats, and landmarks are put in at their places in the text.
func TestManoeuvresOfTextFromElsewhere(t *testing.T) {
	for _, c := range []struct {
		format engine.Format
		text   string
		read   func([]byte, *engine.Output) ([]engine.Route, string, error)
		want   string // type, place, course before and instruction of each
	}{
		{engine.Native, nativeText, valhalla.ReadRoutes, `1 0,0 -1 Go.|10 1e-06,0 90 Right.|26 1e-06,0 -1 Round.|24 1e-06,1e-06 -1 Left {"[.|15 1e-06,0 -1 Else.`},
		{engine.OSRM, osrmText, osrm.ReadRoutes, "1 9.5,47.1 -1 |15 9.6,47.2 10 Left.|13 9.6,47.2 -1 |8 9.6,47.2 -1 |10 9.6,47.2 20 Stay.|26 9.6,47.2 -1 |23 9,47 -1 Keep right."},
	} {
		r := &engine.RouteRequest{Output: engine.Output{Format: c.format}}
		a := &engine.RouteAnswer{Raw: []byte(c.text)}
		var err error
		if a.Routes, a.Language, err = c.read(a.Raw, &r.Output); err != nil {
			t.Fatal(err)
		}
		if same, err := valhalla.WriteRoute(r, a); err != nil || string(same) != c.text {
			t.Errorf("nothing to add changed the answer: %v\n%s", err, same)
		}
		var got, want []string
		for i := range a.Routes {
			for j := range a.Routes[i].Legs {
				l := &a.Routes[i].Legs[j]
				for k := range l.Manoeuvres {
					m, at := &l.Manoeuvres[k], l.Line[l.Manoeuvres[k].BeginShape]
					got = append(got, fmt.Sprintf("%d %g,%g %d %s", m.Type, at.Lon, at.Lat, m.Before, l.Instructions[k]))
					if k%2 == 1 {
						m.Landmark = &guidance.Landmark{Name: "\"Lion\"", Where: guidance.Before}
						want = append(want, strings.ToLower(l.Instructions[k]))
					}
				}
			}
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s\nwant %s", s, c.want)
		}
		out, err := valhalla.WriteRoute(r, a)
		if err != nil || !json.Valid(out) {
			t.Fatalf("%v\n%s", err, out)
		}
		words := everyText(out)
		for _, text := range want {
			if text != "" && !strings.Contains(words, "\"Lion\", "+text) {
				t.Errorf("%q is not in %s", text, words)
			}
		}
	}
}

// everyText collects what was added, wherever it stands.
func everyText(doc []byte) string {
	var all strings.Builder
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if text, ok := x.(string); ok && k == "landmark_instruction" {
					all.WriteString(text + "\n")
				}
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	var v any
	if json.Unmarshal(doc, &v) == nil {
		walk(v)
	}
	return all.String()
}

func TestReadNoRoute(t *testing.T) {
	for _, text := range []string{`[]`, `{"trip"`, `{"trip":{"legs":[{"maneuvers":[{"type":"x"}]}]}}`, `{"trip":{"legs":[{"shape":"??","maneuvers":[{"type":10,"begin_shape_index":7}]}]}}`} {
		if _, _, err := valhalla.ReadRoutes([]byte(text), &engine.Output{}); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
	for _, text := range []string{`[]`, `{"routes":[]}`, `{"routes":[{"geometry":7}]}`, `{"routes":[{"legs":[{"steps":[{"geometry":{"coordinates":1}}]}]}]}`} {
		if _, _, err := osrm.ReadRoutes([]byte(text), &engine.Output{}); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// An answer may be in another language than was asked for.
func TestLanguageOfText(t *testing.T) {
	for _, c := range []struct {
		read       func([]byte, *engine.Output) ([]engine.Route, string, error)
		text, want string
	}{
		{valhalla.ReadRoutes, `{"trip":{"language":"en-GB","legs":[{}]}}`, "en-GB"},
		{valhalla.ReadRoutes, `{"trip":{"legs":[{}]}}`, "ja-JP"},
		{osrm.ReadRoutes, `{"routes":[{"voiceLocale":"de"},{"voiceLocale":"fr"}]}`, "de"},
		{osrm.ReadRoutes, `{"routes":[{}]}`, "ja-JP"},
	} {
		if _, got, err := c.read([]byte(c.text), &engine.Output{Language: "ja-JP"}); got != c.want || err != nil {
			t.Errorf("%s: %q, want %q: %v", c.text, got, c.want, err)
		}
	}
}

// An answer that is written is read as it was, in any units and shapes.
func TestReadWhatIsWritten(t *testing.T) {
	line := []geo.Point{{Lon: 9.5, Lat: 47.1}, {Lon: 9.501234, Lat: 47.1}, {Lon: 9.501234, Lat: 47.104321}}
	leg := engine.Leg{Sums: engine.Sums{Metres: 570, Seconds: 61.5, Cost: 70, Toll: true}, To: 1, Line: line, Manoeuvres: []guidance.Manoeuvre{
		{Type: guidance.Start, EndShape: 1, Metres: 93, Seconds: 10},
		{Type: guidance.Left, Before: 90, BeginShape: 1, EndShape: 2, Metres: 477, Seconds: 51.5},
		{Type: guidance.Destination, BeginShape: 2, EndShape: 2},
	}}
	a := &engine.RouteAnswer{Routes: []engine.Route{{Sums: leg.Sums, Legs: []engine.Leg{leg}, Waypoints: make([]engine.Waypoint, 2)}}}
	for _, o := range []engine.Output{
		{Format: engine.Native},
		{Format: engine.Native, Miles: true},
		{Format: engine.Native, ShapeFormat: "geojson"},
		{Format: engine.OSRM, Steps: true, Overview: "false", Geometries: "polyline6"},
		{Format: engine.OSRM, Steps: true, Geometries: "geojson"},
		{Format: engine.OSRM, Overview: "full"},
	} {
		text, err := valhalla.WriteRoute(&engine.RouteRequest{Output: o}, a)
		if err != nil {
			t.Fatal(err)
		}
		read := valhalla.ReadRoutes
		if o.Format == engine.OSRM {
			read = osrm.ReadRoutes
		}
		routes, _, err := read(text, &o)
		if err != nil || len(routes) != 1 || len(routes[0].Legs) != 1 {
			t.Fatalf("%+v: %d routes: %v", o, len(routes), err)
		}
		got := &routes[0]
		far := len(got.Line()) != len(line)
		for i, p := range got.Line() {
			far = far || geo.Distance(p, line[i]) > 1
		}
		if got.Metres < 569 || got.Metres > 571 || got.Seconds != 61.5 || far {
			t.Errorf("%+v: %g m, %g s, %v", o, got.Metres, got.Seconds, got.Line())
		}
		if list := got.Legs[0].Manoeuvres; o.Format == engine.Native || o.Steps {
			if len(list) != 3 || list[1].Type != guidance.Left || list[1].BeginShape != 1 || list[1].Before != 90 || list[2].Type != guidance.Destination {
				t.Errorf("%+v: %+v", o, list)
			}
		}
	}
}
