package mapmatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

const two = `"shape":[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.6}]`

func read(t testing.TB, s Service, body string) (*Request, error) {
	t.Helper()
	var doc map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &doc); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return s.Read(doc)
}

func TestRead(t *testing.T) {
	r, err := read(t, Service{Engine: new(embedded.Engine)}, `{"costing":"bicycle","shape":[{"lat":47.1,"lon":9.5,"time":3},{"lon":-9.6e0,"lat":-47.2,"time":3.5,"type":"via"},{ "lat" : 1 , "lon" : 2 }],
		"shape_match":"map_snap","use_timestamps":true,"trace_options":{"gps_accuracy":8,"search_radius":30,"breakage_distance":900,"interpolation_distance":0,"turn_penalty_factor":500},
		"filters":{"action":"include","attributes":["edge.way_id","shape"]},"units":"mi","language":"de-DE","directions_type":"none","shape_format":"geojson","id":"x",
		"costing_options":{"bicycle":{"cycling_speed":20}},"directions_options":{"units":"km"}}`)
	if err != nil {
		t.Fatal(err)
	}
	m := &r.Match
	if len(m.Trace) != 3 || m.Trace[1].Point != (geo.Point{Lon: -9.6, Lat: -47.2}) || m.Trace[1].Stop != engine.Via || *m.Trace[1].Time != 3.5 || m.Trace[2].Time != nil {
		t.Errorf("trace %+v", m.Trace)
	}
	if m.How != engine.MapSnap || !m.UseTimestamps || *m.Tuning.GPSAccuracy != 8 || *m.Tuning.Interpolation != 0 || *m.Tuning.TurnPenalty != 500 || *m.Tuning.Breakage != 900 || *m.Tuning.SearchRadius != 30 {
		t.Errorf("%+v", m)
	}
	if !m.Filter.Include || len(m.Filter.Names) != 2 || !m.Miles || m.Language != "de-DE" || m.Directions != engine.NoDirections || m.ShapeFormat != "geojson" || m.ID != "x" || m.Options.Of(m.Costing).CyclingSpeed != 20 {
		t.Errorf("%+v", m)
	}
	if len(r.warnings) != 0 {
		t.Errorf("warnings %v", r.warnings)
	}
	line := []geo.Point{{Lon: 9.5, Lat: 47.1}, {Lon: 9.6, Lat: 47.2}, {Lon: 9.7, Lat: 47.2}}
	r, err = read(t, Service{Engine: new(embedded.Engine)}, fmt.Sprintf(`{"costing":"auto","encoded_polyline":%q,"begin_time":100,"durations":[5,7]}`, geo.EncodePolyline(line, 6)))
	if err != nil || len(r.Match.Trace) != 3 || *r.Match.Trace[2].Time != 112 || r.Match.Trace[2].Point != line[2] {
		t.Errorf("%+v %v", r, err)
	}
}

func TestBadInput(t *testing.T) {
	many := `"shape":[` + strings.Repeat(`{"lat":1,"lon":1},`, MaxPoints) + `{"lat":1,"lon":1}]`
	for name, c := range map[string]struct{ body, at, says string }{
		"no costing":         {`{` + two + `}`, "costing", "is missing"},
		"unknown costing":    {`{"costing":"boat",` + two + `}`, "costing", "must be one of auto, truck"},
		"no shape":           {`{"costing":"auto"}`, "shape", "is missing"},
		"both shapes":        {`{"costing":"auto",` + two + `,"encoded_polyline":"x"}`, "encoded_polyline", "cannot stand beside shape"},
		"one point":          {`{"costing":"auto","shape":[{"lat":1,"lon":1}]}`, "shape", "has 1 of at least two"},
		"no points":          {`{"costing":"auto","shape":[]}`, "shape", "has 0 of at least two"},
		"too many":           {`{"costing":"auto",` + many + `}`, "shape", "has 20001 positions and may have 20000"},
		"a shape of text":    {`{"costing":"auto","shape":"abc"}`, "shape", "must be a list"},
		"a position of text": {`{"costing":"auto","shape":[{"lat":1,"lon":1},"x"]}`, "shape[1]", "must be an object"},
		"no latitude":        {`{"costing":"auto","shape":[{"lat":1,"lon":1},{"lon":1}]}`, "shape[1].lat", "is missing"},
		"far north":          {`{"costing":"auto","shape":[{"lat":91,"lon":1},{"lat":1,"lon":1}]}`, "shape[0].lat", "is 91 and must be between -90 and 90"},
		"latitude of text":   {`{"costing":"auto","shape":[{"lat":"1","lon":1},{"lat":1,"lon":1}]}`, "shape[0].lat", "must be a number"},
		"time of text":       {`{"costing":"auto","shape":[{"lat":1,"lon":1,"time":"now"},{"lat":1,"lon":1}]}`, "shape[0].time", "must be a number"},
		"unsorted times":     {`{"costing":"auto","shape":[{"lat":1,"lon":1,"time":9},{"lat":1,"lon":1},{"lat":1,"lon":1,"time":8}]}`, "shape[2].time", "is 8 and lies before the time of shape[0], 9"},
		"unknown type":       {`{"costing":"auto","shape":[{"lat":1,"lon":1,"type":"stop"},{"lat":1,"lon":1}]}`, "shape[0].type", "must be one of break"},
		"damaged polyline":   {`{"costing":"auto","encoded_polyline":"\u0001"}`, "encoded_polyline", "is not a polyline"},
		"short polyline":     {`{"costing":"auto","encoded_polyline":"??"}`, "encoded_polyline", "has 1 of at least two"},
		"too few durations":  {`{"costing":"auto",` + two + `,"durations":[]}`, "durations", "has 0 entries; between 2 positions there are 1"},
		"negative duration":  {`{"costing":"auto",` + two + `,"durations":[-1]}`, "durations[0]", "may not be below 0"},
		"durations of text":  {`{"costing":"auto",` + two + `,"durations":"1"}`, "durations", "must be a list"},
		"begin time":         {`{"costing":"auto",` + two + `,"begin_time":"now"}`, "begin_time", "must be a number"},
		"shape match":        {`{"costing":"auto",` + two + `,"shape_match":"snap"}`, "shape_match", "must be one of walk_or_snap"},
		"timestamps":         {`{"costing":"auto",` + two + `,"use_timestamps":1}`, "use_timestamps", "must be true or false"},
		"wide radius":        {`{"costing":"auto",` + two + `,"trace_options":{"search_radius":101}}`, "trace_options.search_radius", "is 101 and must be between 0 and 100"},
		"accuracy of text":   {`{"costing":"auto",` + two + `,"trace_options":{"gps_accuracy":"5"}}`, "trace_options.gps_accuracy", "must be a number"},
		"options as a list":  {`{"costing":"auto",` + two + `,"trace_options":[]}`, "trace_options", "must be an object"},
		"no action":          {`{"costing":"auto",` + two + `,"filters":{"attributes":["shape"]}}`, "filters.action", "is missing"},
		"unknown action":     {`{"costing":"auto",` + two + `,"filters":{"attributes":["shape"],"action":"drop"}}`, "filters.action", "must be one of include, exclude"},
		"filters of numbers": {`{"costing":"auto",` + two + `,"filters":{"attributes":[1],"action":"include"}}`, "filters.attributes", "must be a list of names"},
		"costing option":     {`{"costing":"auto",` + two + `,"costing_options":{"auto":{"top_speed":"fast"}}}`, "costing_options.auto.top_speed", "must be a number"},
		"no shape with osrm": {`{"costing":"auto",` + two + `,"format":"osrm","shape_format":"no_shape"}`, "shape_format", "is not possible with format osrm"},
		"a lorry's option":   {`{"costing":"auto",` + two + `,"costing_options":{"auto":{"hazmat":true}}}`, "costing_options.auto.hazmat", "needs the costing truck"},
		"an adr object":      {`{"costing":"truck",` + two + `,"adr":{"hazmat":true}}`, "adr", "is read by POST /route only"},
		"language":           {`{"costing":"auto",` + two + `,"language":"en GB"}`, "language", "must be a BCP 47"},
		"long id":            {`{"costing":"auto",` + two + `,"id":"` + strings.Repeat("x", 257) + `"}`, "id", "has 257 bytes and may have 256"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(t, Service{Engine: new(embedded.Engine)}, c.body)
			var f *fault.Error
			if !fault.Is(err, fault.BadRequest) || !errors.As(err, &f) {
				t.Fatalf("%v", err)
			}
			text, err := json.Marshal(f.Fields)
			if err != nil || !strings.Contains(f.Detail+string(text), c.at) || !strings.Contains(f.Detail, c.says) {
				t.Errorf("%s %s, want %s %s", f.Detail, text, c.at, c.says)
			}
		})
	}
}

func TestAttributesTellNoRoute(t *testing.T) {
	for members, want := range map[string]int{``: 0, `,"turn_lanes":true`: 1, `,"roundabout_exits":false`: 1, `,"roundabout_exits":true`: 0} {
		r, err := read(t, Service{Engine: new(embedded.Engine)}, `{"costing":"auto",`+two+members+`}`)
		if err != nil {
			t.Fatal(err)
		}
		if r.tellsNothing(); len(r.warnings) != want {
			t.Errorf("%s: warnings %v, want %d", members, r.warnings, want)
		}
	}
}

func TestWarnings(t *testing.T) {
	body := `{"costing":"auto",` + two + `,"foo":1,"linear_references":true,"voice_instructions":true,"best_paths":2,"costing_options":{"auto":{"fly":1},"boat":{}},"begin_time":3,"use_timestamps":true,
		"trace_options":{"speed":1},"filters":{"attributes":["edge.colour"],"action":"exclude","more":1},"directions_options":{"x":1}}`
	r, err := read(t, Service{Engine: new(embedded.Engine)}, body)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(r.warnings)
	for _, want := range []string{"foo is not known", "linear_references has no effect", "voice_instructions", "best_paths", "auto.fly", "boat", "begin_time", "use_timestamps", "trace_options.speed", "edge.colour", "filters.more", "directions_options.x"} {
		if !strings.Contains(text, want) {
			t.Errorf("no warning of %s in %s", want, text)
		}
	}
	if len(r.Match.Extra) != 0 {
		t.Errorf("extra %v", r.Match.Extra)
	}
	if r, err = read(t, Service{Engine: valhalla.New("http://localhost", nil)}, body); err != nil || string(r.Match.Extra["foo"]) != "1" || string(r.Match.Extra["best_paths"]) != "2" {
		t.Errorf("%v %v", r, err)
	}
}

// stub is an engine that matches anything.
type stub struct{ engine.Unable }

func (stub) TraceRoute(context.Context, *engine.MatchRequest) (*engine.TraceAnswer, error) {
	return &engine.TraceAnswer{RouteAnswer: engine.RouteAnswer{Warnings: []engine.Warning{{Code: 905, Text: "b"}}}}, nil
}

// The warnings of the request come before those of the engine.
func TestWarningsOfBoth(t *testing.T) {
	r := &Request{warnings: []engine.Warning{{Code: 901, Text: "a"}}}
	_, got, err := (&Service{Engine: stub{}}).Route(t.Context(), r)
	if err != nil || !slices.Equal(got, []engine.Warning{{Code: 901, Text: "a"}, {Code: 905, Text: "b"}}) {
		t.Errorf("%+v %v", got, err)
	}
}

// FuzzRead reads any object: what is taken must be within all limits, and the
// quick way of reading a position must agree with the careful one.
func FuzzRead(f *testing.F) {
	f.Add(`{"costing":"auto",` + two + `}`)
	f.Add(`{"costing":"auto","encoded_polyline":"_p~iF~ps|U_ulLnnqC","durations":[1e308],"begin_time":1e308}`)
	f.Add(`{"costing":"truck","shape":[{"lat":1e400,"lon":0},{"lat":null,"lon":[]}],"filters":{"attributes":null}}`)
	f.Add(`{"costing":"auto","shape":[{"\u006cat":1,"lon":-0.0,"time":null},{"lat":01}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		var doc map[string]json.RawMessage
		if json.Unmarshal([]byte(body), &doc) != nil {
			return
		}
		s := Service{Engine: new(embedded.Engine)}
		r, err := s.Read(doc)
		if err != nil {
			if !fault.Is(err, fault.BadRequest) {
				t.Fatalf("%v", err)
			}
			return
		}
		if n := len(r.Match.Trace); n < 2 || n > MaxPoints || !r.Match.Costing.Known() {
			t.Fatalf("%d positions, costing %q", n, r.Match.Costing)
		}
		var list []json.RawMessage
		_ = json.Unmarshal(doc["shape"], &list) // absent where there is a polyline
		for i, p := range r.Match.Trace {
			if !p.Point.Valid() {
				t.Fatalf("position %d is %v", i, p.Point)
			}
			if i < len(list) {
				var q engine.TracePoint
				d := reader{req: &Request{}}
				if d.position(list[i], "", &q); q.Point != p.Point || (q.Time == nil) != (p.Time == nil) || q.Time != nil && *q.Time != *p.Time {
					t.Fatalf("position %d is %+v, want %+v", i, p, q)
				}
			}
		}
	})
}
