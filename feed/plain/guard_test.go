package plain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/road/link"
)

// one reads a document of one record, written as JSON.
func one(t *testing.T, members string) *traffic.Document {
	t.Helper()
	d, err := ReadJSON(strings.NewReader(`{"records":[{` + members + `}]}`))
	if err != nil {
		t.Fatalf("%.200s: %v", members, err)
	}
	return d
}

// taken reports whether a record was read, of whatever it has.
func taken(d *traffic.Document) bool {
	return len(d.Records)+len(d.Segments)+len(d.Ways) == 1 && d.Rejected.Sum() == 0
}

// TestPlacesOfRecords has each way to say where a record is, at its limits and beyond.
func TestPlacesOfRecords(t *testing.T) {
	nodes := func(n int) string { return strings.TrimSpace(strings.Repeat("5 ", n)) }
	for place, ok := range map[string]bool{
		`"way":1`: true, `"way":0`: false, `"way":-1`: false, `"way":"x"`: false, `"way":1,"direction":"forward"`: true, `"way":1,"direction":"backward"`: true, `"way":1,"direction":"both"`: true, `"way":1,"direction":"up"`: false,
		`"nodes":"1 2 3"`: true, `"nodes":"1;2;3"`: true, `"nodes":"1,2"`: false, `"nodes":"1 x"`: false, fmt.Sprintf(`"nodes":%q`, nodes(traffic.MaxPoints)): true, fmt.Sprintf(`"nodes":%q`, nodes(traffic.MaxPoints+1)): false,
		`"from_node":1,"to_node":2`: true, `"from_node":1`: false, `"to_node":1`: false, `"from_node":"x","to_node":2`: false, `"from_node":1,"to_node":"x"`: false,
		`"lat":50,"lon":7`: true, `"lat":90,"lon":180`: true, `"lat":90.1,"lon":7`: false, `"lat":50`: false, `"lon":7`: false, `"lat":"x","lon":7`: false,
		`"openlr":"CwV/OiHN2TvlAAA1ABM7FQ=="`: true, `"openlr":"?"`: false, `"shape":"_izlhA~rlgdF_{geC~ywl@"`: true, `"shape":"\u0001"`: false, `"link":"x"`: true, `"link":""`: false, ``: false,
	} {
		d := one(t, place+map[bool]string{true: ",", false: ""}[place != ""]+`"id":"a","speed_kph":30`)
		if taken(d) != ok || !ok && d.Rejected.Sum() != 1 {
			t.Errorf("%.80s: %+v, rejected %v", place, d.Records, d.Rejected)
		}
	}
	for heading, want := range map[string]bool{"0": true, "359.9": true, "x": false, "": false} {
		d := one(t, fmt.Sprintf(`"lat":50,"lon":7,"speed_kph":3,"heading":%q`, heading))
		if got := d.Records[0].Place.Heading != nil; got != want {
			t.Errorf("a heading of %q: %v", heading, got)
		}
	}
}

// TestSpeedsOfRecords has speeds by their rounding, closures in every spelling and what is neither.
func TestSpeedsOfRecords(t *testing.T) {
	for value, want := range map[string]int{`1`: 1, `0.2`: 1, `0.5`: 1, `1.4`: 1, `1.5`: 2, `30`: 30, `45.6`: 46, `0`: 0, `"20"`: 20} {
		for place, speed := range map[string]func(d *traffic.Document) (uint8, bool){
			`"way":9,"direction":"backward"`: func(d *traffic.Document) (uint8, bool) {
				return d.Ways[0].Kmh, d.Ways[0] == (link.Way{ID: 9, Dir: link.Backwards, Kmh: d.Ways[0].Kmh})
			},
			`"from_node":3,"to_node":4`: func(d *traffic.Document) (uint8, bool) {
				return d.Segments[0].Kmh, d.Segments[0] == (link.Segment{From: 3, To: 4, Kmh: d.Segments[0].Kmh})
			},
		} {
			d := one(t, place+`,"speed_kph":`+value)
			if !taken(d) || len(d.Records) != 0 {
				t.Errorf("%s at %s: %+v", place, value, d)
				continue
			}
			if got, ok := speed(d); int(got) != want || !ok {
				t.Errorf("%s at %s: %d, want %d", place, value, got, want)
			}
		}
	}
	for members, ok := range map[string]bool{
		`"closed":true`: true, `"closed":"yes"`: true, `"closed":1`: true, `"closed":"1"`: true, `"closed":false`: false, `"closed":"no"`: false, `"closed":0`: false, `"speed_kph":"fast"`: false, `"speed_kph":-1`: false, `"speed_kph":9999`: false, `"closed":null`: false, ``: false,
		`"kind":"closure"`: true, `"kind":""`: false,
	} {
		d := one(t, `"way":9`+map[bool]string{true: ",", false: ""}[members != ""]+members)
		if taken(d) != ok || !ok && d.Rejected.Sum() != 1 {
			t.Errorf("%s: %+v, rejected %v", members, d, d.Rejected)
		}
	}
	// A speed with an id, a time or an incident is a record of its own.
	for _, members := range []string{`"id":"a"`, `"from":"2026-01-01T00:00:00Z"`, `"until":"2026-01-01T00:00:00Z"`, `"kind":"congestion"`} {
		if d := one(t, `"way":9,"speed_kph":30,`+members); len(d.Records) != 1 || len(d.Ways) != 0 {
			t.Errorf("%s: %+v", members, d)
		}
	}
}

// TestTimesAndIncidentsOfRecords has times that are none, and what is read of an incident.
func TestTimesAndIncidentsOfRecords(t *testing.T) {
	for _, name := range []string{"measured_at", "from", "until"} {
		for value, ok := range map[string]bool{"2026-01-01T00:00:00Z": true, "": true, "soon": false} {
			d := one(t, fmt.Sprintf(`"id":"a","way":9,"speed_kph":30,%q:%q`, name, value))
			if taken(d) != ok || !ok && d.Rejected[traffic.BadTime] != 1 {
				t.Errorf("%s of %q: rejected %v", name, value, d.Rejected)
			}
			if windows := ok && value != "" && name != "measured_at"; ok && (len(d.Records[0].Windows) == 1) != windows {
				t.Errorf("%s of %q: %v", name, value, d.Records[0].Windows)
			}
		}
	}
	for value, want := range map[string]int{"0": 0, "1": 1, "31": 31, "32": -1, "-1": -1, "x": -1, "": -1, "1.5": -1} {
		d := one(t, fmt.Sprintf(`"way":9,"kind":"roadworks","lanes_closed":%q,"lanes_open":%q`, value, value))
		in := d.Records[0].Incident
		for _, got := range []*int{in.LanesClosed, in.LanesOpen} {
			if (got == nil) != (want < 0) || got != nil && *got != want {
				t.Errorf("%q lanes are %v", value, got)
			}
		}
	}
	d := one(t, `"way":9,"kind":"closure","cause":"c","situation":"s","towards":"t","description":"d","road":"A1"`)
	if in := d.Records[0].Incident; in.Kind != "closure" || in.Cause != "c" || in.Situation != "s" || in.Direction != "t" || in.Description != "d" || !slices.Equal(in.Roads, []string{"A1"}) || d.Rejected.Sum() != 0 {
		t.Errorf("%+v", in)
	}
	if d := one(t, `"way":9,"kind":"dragons"`); d.Records[0].Incident.Kind != "other" || d.Rejected.Sum() != 1 {
		t.Errorf("%+v, rejected %v", d.Records[0].Incident, d.Rejected)
	}
}

// TestGeometries has each type, with numbers or points missing.
func TestGeometries(t *testing.T) {
	for raw, want := range map[string]int{
		`{"type":"Point","coordinates":[7,50]}`: 1, `{"type":"Point","coordinates":[7]}`: 0, `{"type":"Point","coordinates":[]}`: 0, `{"type":"Point","coordinates":7}`: 0, `{"type":"Point"}`: 0,
		`{"type":"LineString","coordinates":[[7,50],[8,50]]}`: 2, `{"type":"LineString","coordinates":[]}`: 0, `{"type":"LineString","coordinates":[[7,50],[8]]}`: 0, `{"type":"LineString","coordinates":[7]}`: 0,
		`{"type":"MultiPoint","coordinates":[[7,50],[8,50],[9,50]]}`: 3, `{"type":"MultiLineString","coordinates":[[[7,50],[8,50]],[[1,1]]]}`: 2, `{"type":"MultiLineString","coordinates":[]}`: 0, `{"type":"MultiLineString","coordinates":[[]]}`: 0,
		`{"type":"MultiLineString","coordinates":[7]}`: 0, `{"type":"Polygon","coordinates":[[[7,50]]]}`: 0, `null`: 0, `7`: 0, ``: 0,
	} {
		line, ok := Geometry([]byte(raw))
		if ok != (want > 0) || ok && (len(line) != want || line[0].Lon != 7 || line[0].Lat != 50) {
			t.Errorf("%s: %v %v", raw, line, ok)
		}
	}
}

// TestDocumentsThatAreNone has what is no document, or goes on after its end.
func TestDocumentsThatAreNone(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"records":[]}`: true, `{"features":[]}`: true, ` {"records":[]} `: true, `{"records":[],"other":{"a":[1,{"b":2}]}}`: true, `{"delta":false,"records":[]}`: true,
		`{"other":[]}`: false, `{"records":[]}{}`: false, `{"records":[]}]`: false, `{"records":[]`: false, `{"records":[`: false, `{"records":7}`: false, `7`: false, `{"delta":7,"records":[]}`: false, `{"taken":"soon","records":[]}`: false,
	} {
		if _, err := ReadJSON(strings.NewReader(text)); ok != (err == nil) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string][2]int{ // records and rejections, -1 of what is no table
		"way,speed_kph": {0, 0}, "\ufeffWAY , Speed_KPH\n9, 30 \n": {1, 0}, "way,speed_kph\n9\n": {0, 1}, "way,speed_kph\n9,30,5\n8,20\n": {2, 0}, "way,speed_kph\n\n9,30\n": {1, 0}, "speed_kph,closed\n1,2": {-1, 0}, "a,b\n": {-1, 0}, "": {-1, 0},
	} {
		for _, full := range []bool{false, true} {
			d, err := ReadCSV(strings.NewReader(text), full)
			if (err != nil) != (want[0] < 0) {
				t.Errorf("%q: %v", text, err)
				continue
			}
			if err == nil && (len(d.Ways) != want[0] || d.Rejected.Sum() != want[1] || d.Delta == full) {
				t.Errorf("%q: %d ways, rejected %v, delta %v", text, len(d.Ways), d.Rejected, d.Delta)
			}
		}
	}
}
