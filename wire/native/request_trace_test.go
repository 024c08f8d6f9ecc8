package native_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
)

const two = `"shape":[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.6}]`

// match reads the body of POST /trace_route or, with attributes, of
// POST /trace_attributes for an engine.
func match(can engine.Can, body string, attributes bool) (*engine.MatchRequest, []engine.Warning, error) {
	in, warnings, err := read[native.TraceRequest](body)
	if err != nil {
		return nil, nil, err
	}
	m, more, err := in.Match(can, attributes)
	return m, append(warnings, more...), err
}

func TestTraceReads(t *testing.T) {
	m, warnings, err := match(embedded, `{"costing":"bicycle","shape":[{"lat":47.1,"lon":9.5,"time":3},{"lon":-9.6e0,"lat":-47.2,"time":3.5,"type":"via"},{ "lat" : 1 , "lon" : 2 }],
		"shape_match":"map_snap","use_timestamps":true,"trace_options":{"gps_accuracy":8,"search_radius":30,"breakage_distance":900,"interpolation_distance":0,"turn_penalty_factor":500},
		"filters":{"action":"include","attributes":["edge.way_id","shape"]},"units":"mi","language":"de-DE","directions_type":"none","shape_format":"geojson","id":"x",
		"costing_options":{"bicycle":{"cycling_speed":20}},"directions_options":{"units":"km"}}`, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Trace) != 3 || m.Trace[1].Point != (geo.Point{Lon: -9.6, Lat: -47.2}) || m.Trace[1].Stop != engine.Via || *m.Trace[1].Time != 3.5 || m.Trace[2].Time != nil {
		t.Errorf("trace %+v", m.Trace)
	}
	if m.How != engine.MapSnap || !m.UseTimestamps || *m.Tuning.GPSAccuracy != 8 || *m.Tuning.Interpolation != 0 || *m.Tuning.TurnPenalty != 500 || *m.Tuning.Breakage != 900 || *m.Tuning.SearchRadius != 30 {
		t.Errorf("%+v", m)
	}
	if !m.Filter.Include || len(m.Filter.Names) != 2 || !m.Miles || m.Language != "de-DE" || m.Directions != engine.NoDirections || m.ShapeFormat != "geojson" || m.ID != "x" || m.Options.Of(m.Costing).CyclingSpeed != 20 {
		t.Errorf("%+v", m)
	}
	if len(warnings) != 0 {
		t.Errorf("warnings %v", warnings)
	}
	line := []geo.Point{{Lon: 9.5, Lat: 47.1}, {Lon: 9.6, Lat: 47.2}, {Lon: 9.7, Lat: 47.2}}
	m, _, err = match(embedded, fmt.Sprintf(`{"costing":"auto","encoded_polyline":%q,"begin_time":100,"durations":[5,7]}`, geo.EncodePolyline(line, 6)), false)
	if err != nil || len(m.Trace) != 3 || *m.Trace[2].Time != 112 || m.Trace[2].Point != line[2] {
		t.Errorf("%+v %v", m, err)
	}
}

func TestTraceRefusals(t *testing.T) {
	many := `"shape":[` + strings.Repeat(`{"lat":1,"lon":1},`, 20_000) + `{"lat":1,"lon":1}]`
	for name, c := range map[string]struct{ body, at, says string }{
		"unknown costing":    {`{"costing":"boat",` + two + `}`, "costing", "must be one of auto, truck"},
		"no shape":           {`{"costing":"auto"}`, "shape", "is missing"},
		"both shapes":        {`{"costing":"auto",` + two + `,"encoded_polyline":"_p~iF~ps|U_ulLnnqC"}`, "encoded_polyline", "stands beside shape"},
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
		"negative duration":  {`{"costing":"auto",` + two + `,"durations":[-1]}`, "durations[0]", "is -1 and must be at least 0 seconds"},
		"durations of text":  {`{"costing":"auto",` + two + `,"durations":"1"}`, "durations", "must be a list"},
		"begin time":         {`{"costing":"auto",` + two + `,"begin_time":"now"}`, "begin_time", "must be a number"},
		"shape match":        {`{"costing":"auto",` + two + `,"shape_match":"snap"}`, "shape_match", "must be one of walk_or_snap"},
		"timestamps":         {`{"costing":"auto",` + two + `,"use_timestamps":1}`, "use_timestamps", "must be true or false"},
		"wide radius":        {`{"costing":"auto",` + two + `,"trace_options":{"search_radius":101}}`, "trace_options.search_radius", "is 101 and must be between 0 and 100"},
		"accuracy of text":   {`{"costing":"auto",` + two + `,"trace_options":{"gps_accuracy":"5"}}`, "trace_options.gps_accuracy", "must be a number"},
		"options as a list":  {`{"costing":"auto",` + two + `,"trace_options":[]}`, "trace_options", "must be an object"},
		"no action":          {`{"costing":"auto",` + two + `,"filters":{"attributes":["shape"]}}`, "filters.action", "is missing"},
		"unknown action":     {`{"costing":"auto",` + two + `,"filters":{"attributes":["shape"],"action":"drop"}}`, "filters.action", "must be one of include, exclude"},
		"filters of numbers": {`{"costing":"auto",` + two + `,"filters":{"attributes":[1],"action":"include"}}`, "filters.attributes", "must be a string"},
		"costing option":     {`{"costing":"auto",` + two + `,"costing_options":{"auto":{"top_speed":"fast"}}}`, "costing_options.auto.top_speed", "must be a number"},
		"no shape with osrm": {`{"costing":"auto",` + two + `,"format":"osrm","shape_format":"no_shape"}`, "shape_format", "is not possible with format osrm"},
		"a lorry's option":   {`{"costing":"auto",` + two + `,"costing_options":{"auto":{"hazmat":true}}}`, "costing_options.auto.hazmat", "needs the costing truck"},
		"language":           {`{"costing":"auto",` + two + `,"language":"en GB"}`, "language", "must be a BCP 47"},
		"long id":            {`{"costing":"auto",` + two + `,"id":"` + strings.Repeat("x", 257) + `"}`, "id", "has 257 characters and may have 256"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := match(embedded, c.body, false)
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
	for members, want := range map[string]int{
		``: 0, `,"turn_lanes":true`: 1, `,"roundabout_exits":false`: 1, `,"roundabout_exits":true`: 0,
		`,"format":"osrm"`: 1, `,"directions_options":{"format":"osrm"}`: 1, `,"format":"json"`: 0,
		`,"directions_type":"maneuvers"`: 1, `,"directions_type":"instructions"`: 1, `,"directions_type":"none"`: 0,
	} {
		_, warnings, err := match(embedded, `{"costing":"auto",`+two+members+`}`, true)
		if err != nil {
			t.Fatal(err)
		}
		if len(warnings) != want {
			t.Errorf("%s: warnings %v, want %d", members, warnings, want)
		}
		if _, warnings, err := match(embedded, `{"costing":"auto",`+two+members+`}`, false); err != nil || len(warnings) > 0 {
			t.Errorf("%s on trace_route: warnings %v, %v", members, warnings, err)
		}
	}
}

// TestTimesOfATrace checks that a caller who gives both the times of positions and durations
// between them is warned which of the two count.
func TestTimesOfATrace(t *testing.T) {
	const timed = `"shape":[{"lat":47.1,"lon":9.5,"time":1},{"lat":47.2,"lon":9.6,"time":90}]`
	for body, want := range map[string]int{timed: 0, two + `,"durations":[9]`: 0, timed + `,"durations":[9]`: 1} {
		m, warnings, err := match(embedded, `{"costing":"auto",`+body+`}`, false)
		if err != nil || len(warnings) != want {
			t.Errorf("%s: warnings %v, want %d (%v)", body, warnings, want, err)
		}
		if got := *m.Trace[1].Time; strings.Contains(body, "durations") != (got == 9) {
			t.Errorf("%s: the second position is of %g", body, got)
		}
	}
}

func TestTraceWarnings(t *testing.T) {
	body := `{"costing":"auto",` + two + `,"foo":1,"linear_references":true,"voice_instructions":true,"best_paths":2,"costing_options":{"auto":{"fly":1},"boat":{}},"begin_time":3,"use_timestamps":true,
		"trace_options":{"speed":1},"filters":{"attributes":["edge.colour"],"action":"exclude","more":1},"directions_options":{"x":1}}`
	m, warnings, err := match(embedded, body, false)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(warnings)
	for _, want := range []string{"foo is not known", "linear_references has no effect", "voice_instructions", "best_paths", "auto.fly", "boat", "begin_time", "use_timestamps", "trace_options.speed", "edge.colour", "filters.more", "directions_options.x"} {
		if !strings.Contains(text, want) {
			t.Errorf("no warning of %s in %s", want, text)
		}
	}
	if len(m.Extra) != 0 {
		t.Errorf("extra %v", m.Extra)
	}
	if m, _, err = match(remote, body, false); err != nil || string(m.Extra["foo"]) != "1" || string(m.Extra["best_paths"]) != "2" {
		t.Errorf("%+v %v", m, err)
	}
}
