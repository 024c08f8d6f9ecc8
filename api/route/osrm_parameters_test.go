package route_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/wire/osrm"
)

// osrmService is a service with a request that it answers.
type osrmService struct {
	service    string
	least      int    // coordinates it needs
	path       string // coordinates that it answers
	parameters []string
}

func osrmServices(town *towntest.Town) []osrmService {
	return []osrmService{
		{"route", 2, apitest.LonLat(town, "acg"), named(osrm.RouteService)},
		{"table", 2, apitest.LonLat(town, "acg"), named(osrm.TableService)},
		{"nearest", 1, apitest.LonLat(town, "a"), named(osrm.NearestService)},
		{"match", 2, apitest.LonLat(town, "abc"), named(osrm.MatchService)},
		{"trip", 2, apitest.LonLat(town, "acg"), named(osrm.TripService)},
	}
}

// named lists the parameters of a service's query.
func named(s osrm.Service) (names []string) {
	for _, p := range s.Parameters() {
		if p.In == "query" {
			names = append(names, p.Name)
		}
	}
	return names
}

// Parameters by what they take.
var (
	anything = []string{"hints", "access_token"}
	perPlace = []string{"approaches", "bearings", "radiuses", "timestamps"}
	ofLorry  = []string{"height", "width", "length", "weight", "hazmat", "tunnel_code"}
)

// wrong returns a value of the wrong type for a parameter.
func wrong(name string) string {
	switch {
	case name == "language":
		return "e n"
	case slices.Contains(perPlace, name):
		return "x;x;x"
	}
	return "x"
}

// Every parameter of every service with a value of the wrong type, twice, in
// another case, and empty: never a failure of the server, and a refusal names the
// parameter.
func TestOSRMParameters(t *testing.T) {
	g, town := apitest.Drawn(t)
	asked := 0
	for _, f := range osrmServices(town) {
		profile := "driving"
		for _, name := range f.parameters {
			if slices.Contains(ofLorry, name) {
				profile = "truck"
			}
			if name == "api_key" {
				continue // looked at before
			}
			at := "/" + f.service + "/v1/" + profile + "/" + f.path + "?"
			value := wrong(name)
			if f.least == 1 {
				value = strings.Split(value, ";")[0]
			}
			value = url.QueryEscape(value)
			r := g.Send("GET", at+name+"="+value, "")
			switch {
			case slices.Contains(anything, name):
				if r.Status != 200 {
					t.Errorf("%s: %s=%s: %d %s", f.service, name, value, r.Status, r.Body)
				}
			default:
				if message := r.Envelope(t, 400, "InvalidValue"); !strings.Contains(message, name) {
					t.Errorf("%s: %s=%s: %q does not name it", f.service, name, value, message)
				}
			}
			if message := g.Send("GET", at+name+"="+value+"&"+name+"="+value, "").Envelope(t, 400, "InvalidQuery"); message != name+" stands twice in the query" {
				t.Errorf("%s: %s twice: %q", f.service, name, message)
			}
			upper := strings.ToUpper(name)
			if got := g.Send("GET", at+upper+"="+value, ""); got.Status != 200 || !strings.Contains(string(got.Body), `{"code":901,"text":"`+upper+` is not known here`) {
				t.Errorf("%s: %s: %d %s", f.service, upper, got.Status, got.Body)
			}
			// The name escaped is the same name.
			escaped := fmt.Sprintf("%%%02x%s", name[0], name[1:])
			if again := g.Send("GET", at+escaped+"="+value, ""); again.Status != r.Status || string(again.Body) != string(r.Body) {
				t.Errorf("%s: %s=%s: %d %s", f.service, escaped, value, again.Status, again.Body)
			}
			for _, empty := range []string{name, name + "="} {
				r := g.Send("GET", at+empty, "")
				if r.Status != 200 {
					if message := r.Envelope(t, 400, "InvalidValue"); !strings.Contains(message, name) {
						t.Errorf("%s: %s: %q does not name it", f.service, empty, message)
					}
				}
			}
			huge := strings.Repeat("9", 20_000)
			if r := g.Send("GET", at+name+"="+huge, ""); r.Status > 400 || len(r.Body) > 2000 {
				t.Errorf("%s: %s of %d digits: %d and %d bytes", f.service, name, len(huge), r.Status, len(r.Body))
			}
			if slices.Contains(perPlace, name) {
				n := strings.Count(f.path, ";") + 1
				for _, entries := range []int{n + 1, 40 * n} {
					message := g.Send("GET", at+name+"="+strings.Repeat(";", entries-1), "").Envelope(t, 400, "InvalidValue")
					if want := fmt.Sprintf("%s has %d entries and there are %d coordinates", name, entries, n); message != want {
						t.Errorf("%s: %q, want %q", f.service, message, want)
					}
				}
			}
			asked++
		}
	}
	if asked < 90 {
		t.Errorf("only %d parameters were asked for", asked)
	}
}

// Coordinates of every shape, for every service.
func TestOSRMCoordinates(t *testing.T) {
	g, town := apitest.Drawn(t)
	var line []geo.Point
	for _, p := range "abc" {
		line = append(line, town.Point(string(p)))
	}
	encoded := url.PathEscape(geo.EncodePolyline(line, 5))
	six := url.PathEscape(geo.EncodePolyline(line, 6))
	places := apitest.LonLat(town, "abc")
	for _, f := range osrmServices(town) {
		one := f.least == 1
		good := []string{places, places + ".json", "polyline(" + encoded + ")", "polyline6(" + six + ")", "polyline6(" + six + ").json", url.PathEscape(places), strings.ReplaceAll(places, ";", "%3B")}
		if one {
			good = []string{f.path, f.path + ".json", strings.ReplaceAll(f.path, ",", "%2C"), "polyline(" + url.PathEscape(geo.EncodePolyline(line[:1], 5)) + ")"}
		}
		for _, path := range good {
			if r := g.Send("GET", "/"+f.service+"/v1/driving/"+path, ""); r.Status != 200 || r.At(t, "code") != "Ok" {
				t.Errorf("%s %s: %d %s", f.service, path, r.Status, r.Body)
			}
		}
		for _, c := range []struct{ path, code, says string }{
			{"9", "InvalidUrl", ` is "9"`},
			{"9,47,3", "InvalidUrl", `"9,47,3"`},
			{"a,b", "InvalidUrl", `"a,b"`},
			{"NaN,47", "InvalidUrl", `"NaN,47"`},
			{"9,0x2F", "InvalidUrl", `"9,0x2F"`},
			{"9,1e999", "InvalidUrl", `"9,1e999"`},
			{"%209,47", "InvalidUrl", `" 9,47"`},
			{"200,47", "InvalidValue", "lon is 200 and must be between -180 and 180"},
			{"9,-91", "InvalidValue", "lat is -91 and must be between -90 and 90"},
			{"9,47.flatbuffers", "InvalidUrl", `the format ".flatbuffers" and answers are JSON: it must be .json`},
			{"9,47.xml", "InvalidUrl", `".xml"`},
			{"polyline(" + encoded, "InvalidUrl", "closed"},
			{"polyline7(" + encoded + ")", "InvalidUrl", "polyline6(…)"},
			{"polyline(" + encoded + ").flatbuffers", "InvalidUrl", "flatbuffers"},
			{"polyline(_)", "InvalidUrl", "ends inside a number"},
			{"polyline(" + url.PathEscape(geo.EncodePolyline(line[:1], 5)+"_p~iF") + ")", "InvalidUrl", "ends inside a number"},
			{"polyline(%21%21)", "InvalidUrl", "outside the alphabet"},
			{"polyline(" + six + ")", "InvalidUrl", "is its precision 5?"},
			{"polyline()", "InvalidOptions", "has 0 of at least"},
			{strings.Repeat("9,47;", 1200) + "9,47", "TooBig", "there are 1201 coordinates"},
			{"polyline(" + strings.Repeat("%3F", 2*1201) + ")", "TooBig", "there are 1201 coordinates"},
		} {
			// A fault of one coordinate is a fault of the last of more.
			path := c.path
			if !one && !strings.ContainsAny(path, ";(") {
				path = f.path + ";" + path
			}
			if message := g.Send("GET", "/"+f.service+"/v1/driving/"+path, "").Envelope(t, 400, c.code); !strings.Contains(message, c.says) || len(message) > 500 {
				t.Errorf("%s %.60s: %q does not say %q", f.service, path, message, c.says)
			}
		}
		if !one {
			for path, says := range map[string]string{f.path + ";": `coordinate 3 is ""; it must be lon,lat`, ";" + f.path: `coordinate 0 is ""`, ";": `coordinate 0 is ""`} {
				if message := g.Send("GET", "/"+f.service+"/v1/driving/"+path, "").Envelope(t, 400, "InvalidUrl"); !strings.Contains(message, says) {
					t.Errorf("%s %s: %q does not say %q", f.service, path, message, says)
				}
			}
			message := g.Send("GET", "/"+f.service+"/v1/driving/"+apitest.LonLat(town, "a"), "").Envelope(t, 400, "InvalidOptions")
			if message != "the path has 1 of at least two coordinates" {
				t.Errorf("%s: %q", f.service, message)
			}
			// A place twice is a place twice.
			if r := g.Send("GET", "/"+f.service+"/v1/driving/"+apitest.LonLat(town, "aa"), ""); r.Status != 200 && f.service != "match" {
				t.Errorf("%s from a to a: %d %s", f.service, r.Status, r.Body)
			}
		}
		for _, path := range []string{"/" + f.service + "/v1", "/" + f.service + "/v1/driving", "/" + f.service + "/v1/driving/", "/" + f.service + "/v1/driving/" + f.path + "/", "/" + f.service + "/v1/driving/" + f.path + "/x"} {
			if message := g.Send("GET", path, "").Envelope(t, 400, "InvalidUrl"); !strings.Contains(message, "/{profile}/{coordinates}") {
				t.Errorf("%s: %q", path, message)
			}
		}
		for _, profile := range []string{"Driving", "driving-traffic", "%00", strings.Repeat("d", 3000)} {
			if message := g.Send("GET", "/"+f.service+"/v1/"+profile+"/"+f.path, "").Envelope(t, 400, "InvalidValue"); !strings.Contains(message, "is not one of driving, car") || len(message) > 500 {
				t.Errorf("%s/%.20s: %q", f.service, profile, message)
			}
		}
	}
}

// Values at and beyond the limits of single parameters: the code, and what the
// message says; "Ok" where it is taken.
func TestOSRMValues(t *testing.T) {
	g, town := apitest.Drawn(t)
	for _, c := range []struct{ service, places, query, code, says string }{
		{"table", "acg", "sources=all&destinations=all", "Ok", ""},
		{"table", "acg", "sources=0&destinations=2;2;1", "Ok", ""},
		{"table", "acg", "sources=0%3B1", "Ok", ""},
		{"table", "acg", "sources=&destinations=&annotations=duration", "Ok", ""},
		{"table", "acg", "sources=3", "InvalidValue", `sources has "3", which is no index of the 3 coordinates`},
		{"table", "acg", "destinations=-1", "InvalidValue", `destinations has "-1"`},
		{"table", "acg", "sources=0;", "InvalidValue", `sources has ""`},
		{"table", "acg", "sources=0,1", "InvalidValue", `sources has "0,1"`},
		{"table", "acg", "sources=all;0", "InvalidValue", `sources has "all"`},
		{"table", "acg", "sources=99999999999999999999", "InvalidValue", "no index"},
		{"table", "acg", "annotations=true", "InvalidValue", "takes duration and distance"},
		{"table", "acg", "annotations=duration,,distance", "InvalidValue", `annotations has ""`},
		{"table", "acg", "annotations=distance,duration,distance", "Ok", ""},
		{"table", "acg", "fallback_speed=0", "InvalidValue", `fallback_speed is "0" and must be a number from 0.001 to 1000`},
		{"table", "acg", "fallback_speed=-5", "InvalidValue", `"-5"`},
		{"table", "acg", "fallback_speed=1e-310", "InvalidValue", "0.001"},
		{"table", "acg", "fallback_speed=1001", "InvalidValue", "to 1000"},
		{"table", "acg", "fallback_speed=Inf", "InvalidValue", "Inf"},
		{"table", "acg", "fallback_speed=0.001&scale_factor=1000000&fallback_coordinate=input", "Ok", ""},
		{"table", "acg", "fallback_coordinate=both", "InvalidValue", "input, snapped"},
		{"table", "acg", "scale_factor=0", "InvalidValue", `scale_factor is "0"`},
		{"table", "acg", "scale_factor=1e7", "InvalidValue", "1000000"},
		{"table", "acg", "steps=true", "Ok", "steps"},
		{"table", "acg", "number=1", "Ok", "number"},
		{"nearest", "a", "number=0", "InvalidValue", `number is "0" and must be a whole number from 1 to 100`},
		{"nearest", "a", "number=-1", "InvalidValue", `"-1"`},
		{"nearest", "a", "number=1.5", "InvalidValue", `"1.5"`},
		{"nearest", "a", "number=101", "TooBig", "number is 101 and may be at most 100"},
		{"nearest", "a", "number=999999", "TooBig", "number is 999999 and may be at most 100"},
		{"nearest", "a", "number=100", "Ok", ""},
		{"nearest", "a", "bearings=0,10&radiuses=50", "NoSegment", "closed to it by heading"},
		{"nearest", "a", "bearings=0,10", "Ok", ""},
		{"nearest", "a", "approaches=curb", "InvalidValue", "approaches[0]"},
		{"nearest", "a", "approaches=unrestricted", "Ok", ""},
		{"nearest", "a", "waypoints=0", "Ok", "waypoints"},
		{"match", "abc", "timestamps=3;2;1", "InvalidValue", "timestamps[1] is 2, before the one before it"},
		{"match", "abc", "timestamps=1;;3", "InvalidValue", `timestamps[1] is ""`},
		{"match", "abc", "timestamps=1.5;2;3", "InvalidValue", "whole seconds"},
		{"match", "abc", "timestamps=-1;2;3", "InvalidValue", "timestamps[0]"},
		{"match", "abc", "timestamps=0;1;2", "NoMatch", "too fast for their times"},
		{"match", "abc", "timestamps=0;100;100", "Ok", ""},
		{"match", "abc", "timestamps=0;100;100&waypoints=0;2", "NoMatch", "waypoint 2 was not matched"},
		{"match", "abc", "timestamps=0;600;1200", "Ok", ""},
		{"match", "abc", "gaps=ignore", "Ok", ""},
		{"match", "abc", "gaps=close", "InvalidValue", "split, ignore"},
		{"match", "abc", "waypoints=0;2", "Ok", ""},
		{"match", "abc", "waypoints=0;1;2", "Ok", ""},
		{"match", "abc", "waypoints=0", "InvalidValue", "the first and the last coordinate, 0 and 2"},
		{"match", "abc", "waypoints=2;0", "InvalidValue", "0 and 2"},
		{"match", "abc", "waypoints=0;1;1;2", "InvalidValue", "waypoints[2] is 1, after 1; they must rise"},
		{"match", "abc", "waypoints=0;3", "InvalidValue", "no index"},
		{"match", "abc", "radiuses=unlimited;5;", "Ok", ""},
		{"match", "abc", "radiuses=101;5;5", "TooBig", "radiuses has 101 metres and may have 100"},
		{"match", "abc", "radiuses=0;5;5", "InvalidValue", `radiuses[0] is "0"`},
		{"match", "abc", "bearings=;90,20;", "Ok", ""},
		{"match", "abc", "bearings=45,20;45,20;45,20", "NoSegment", "none of the 3 positions"},
		{"match", "abc", "approaches=;curb;", "InvalidValue", "approaches[1]"},
		{"match", "abc", "voice_instructions=true", "InvalidOptions", "needs steps=true"},
		{"match", "abc", "exclude=bridges", "Ok", ""},
		{"trip", "acg", "roundtrip=1", "InvalidValue", "true or false"},
		{"trip", "acg", "source=0", "InvalidValue", "any, first"},
		{"trip", "acg", "destination=first", "InvalidValue", "any, last"},
		{"trip", "acg", "waypoints=0;1;2", "Ok", "waypoints"},
		{"trip", "acg", "banner_instructions=true", "InvalidOptions", "needs steps=true"},
		{"trip", "acg", "roundtrip=false&source=any&destination=any&skip_waypoints=false", "Ok", ""},
		{"trip", "acg", "format=flatbuffers", "InvalidValue", `format is "flatbuffers" and must be one of json, osrm`},
		{"trip", "acg", "generate_hints=maybe", "InvalidValue", "generate_hints"},
		{"trip", "acg", "hints=;", "Ok", ""},
		{"trip", "acg", "&&hints&&", "Ok", ""},
		{"table", "acg", "radiuses=unlimited;unlimited;unlimited", "Ok", ""},
		{"table", "acg", "radiuses=5;5", "InvalidValue", "radiuses has 2 entries and there are 3 coordinates"},
		{"table", "acg", "radiuses=1e300;;", "Ok", ""},
		{"table", "acg", "radiuses=-1;;", "InvalidValue", `radiuses[0] is "-1"`},
		{"table", "acg", "approaches=;;", "Ok", ""},
		{"table", "acg", "approaches=left;;", "InvalidValue", "curb, opposite or unrestricted"},
		{"table", "acg", "bearings=400,10;;", "InvalidValue", "between 0 and 360"},
		{"table", "acg", "bearings=359,181;;", "InvalidValue", "between 0 and 180"},
		{"table", "acg", "bearings=90,10,5;;", "InvalidValue", "bearings[0]"},
		{"table", "acg", "bearings=90,10;;270,180", "Ok", ""},
		{"table", "acg", "bearings=360,180;0,180;", "Ok", ""},
		{"table", "acg", "=1", "InvalidQuery", "without a name"},
		{"table", "acg", "annotations=%zz", "InvalidQuery", "malformed near"},
		{"table", "acg", "annotations=%ff", "InvalidValue", "annotations"},
		{"table", "acg", "sources=0&destinations=1;sources=1", "InvalidValue", "destinations"},
		{"table", "aa0", "", "NoSegment", "coordinate 2: (0.000000,0.000000) has no road"},
		{"table", "0aa", "sources=1;2&destinations=1;0", "NoSegment", "coordinate 0: (0.000000,0.000000) has no road"},
		{"table", "a00", "sources=2;1", "NoSegment", "coordinate 2 (0.000000,0.000000) has no road"},
		{"trip", "a0c", "", "NoSegment", "coordinate 1: (0.000000,0.000000) has no road"},
		{"trip", "00", "", "NoSegment", "coordinate 0 (0.000000,0.000000) has no road"},
		{"nearest", "0", "", "NoSegment", "coordinate 0 (0.000000,0.000000) has no road"},
		{"match", "00", "", "NoSegment", "none of the 2 positions"},
		{"table", "as", "", "NoSegment", "are lat and lon swapped?"},
		{"table", "ss", "", "NoSegment", "are lat and lon swapped?"},
		{"trip", "acs", "", "NoSegment", "are lat and lon swapped?"},
		{"nearest", "s", "", "NoSegment", "are lat and lon swapped?"},
		{"route", "acg", "language=ja&steps=true", "Ok", "904 parameter:language text:there are no instructions in ja"},
		{"trip", "acg", "language=ja&steps=true", "Ok", "904 parameter:language text:there are no instructions in ja"},
		{"match", "acg", "language=ja&steps=true", "Ok", "904 parameter:language text:there are no instructions in ja"},
		{"route", "acg", "language=ja", "Ok", ""},
		{"route", "acg", "language=de&steps=true", "Ok", ""},
		{"route", "acg", "waypoints=2;0", "InvalidValue", "0 and 2"},
		{"route", "acg", "waypoints=0;0;2", "InvalidValue", "they must rise"},
		{"route", "acg", "format=flatbuffers", "InvalidValue", "json"},
	} {
		r := g.Send("GET", "/"+c.service+"/v1/driving/"+apitest.LonLat(town, c.places)+"?"+c.query, "")
		if c.code == "Ok" {
			if r.Status != 200 || r.At(t, "code") != "Ok" {
				t.Errorf("%s?%s: %d %s", c.service, c.query, r.Status, r.Body)
			}
			if got := fmt.Sprint(r.JSON(t)["warnings"]); (got != "<nil>") != (c.says != "") || !strings.Contains(got, c.says) {
				t.Errorf("%s?%s: %s, want a warning of %q", c.service, c.query, got, c.says)
			}
			continue
		}
		if r.Status != 400 || r.At(t, "code") != c.code {
			t.Errorf("%s?%s: %d %s, want %s", c.service, c.query, r.Status, r.Body, c.code)
			continue
		}
		if message := r.Envelope(t, 400, c.code); !strings.Contains(message, c.says) || strings.Contains(message, "upstream-error") {
			t.Errorf("%s?%s: %q does not say %q", c.service, c.query, message, c.says)
		}
	}
}

// A bearing near north admits roads on both sides of it.
func TestOSRMBearings(t *testing.T) {
	g, town := apitest.Drawn(t)
	on := town.Between("b", "e", 0.5) // from north to south
	place := fmt.Sprintf("%.6f,%.6f", on.Lon, on.Lat)
	for bearing, near := range map[string]bool{
		"359,10": true, "1,10": true, "0,0": true, "360,5": true, "350,11": true, "350,5": false, "10,5": false, "180,1": true, "90,89": false, "90,91": true, "0": true,
	} {
		r := g.Send("GET", "/nearest/v1/driving/"+place+"?radiuses=5&bearings="+bearing, "")
		if (r.Status == 200) != near || !near && r.At(t, "code") != "NoSegment" {
			t.Errorf("%s: %d %s", bearing, r.Status, r.Body)
		}
	}
}
