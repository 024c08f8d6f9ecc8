package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// wrong is a request that must be refused, and how.
type wrong struct {
	name   string
	head   string // method and target
	body   string
	status int
	slug   string   // or the code on the compatible endpoint; "" where HTTP itself refuses
	says   []string // what the answer must name
}

// check sends the request byte by byte as it is.
func (w *wrong) check(t *testing.T, g *gateway) {
	t.Helper()
	a := g.raw(t, w.head, w.body)
	if w.slug == "" {
		if a.status != w.status {
			t.Errorf("want %d: %s", w.status, a)
		}
		return
	}
	a.refused(t, w.status, w.slug)
	if len(a.body) > 4000 {
		t.Errorf("the refusal has %d bytes", len(a.body))
	}
	var text any
	a.into(t, &text)
	plain, _ := json.MarshalIndent(text, "", " ")
	said := strings.NewReplacer(`\"`, `"`, `\u003c`, "<", `\u003e`, ">").Replace(string(plain))
	for _, want := range w.says {
		if !strings.Contains(said, want) {
			t.Errorf("does not say %q: %s", want, a)
		}
	}
}

// Two places of the county, as a body has them and as a path has them.
const (
	here, there         = `{"lat":49.3286344,"lon":-7.2853262}`, `{"lat":49.3629648,"lon":-7.0715379}`
	herePath, therePath = "-7.2853262,49.3286344", "-7.0715379,49.3629648"
	bad, upstream       = "bad-request", "upstream-error"
)

// body returns a native request with two locations and more members.
func body(more string) string { return `{"locations":[` + here + "," + there + "]," + more + "}" }

// places returns a native request by car between locations.
func places(locations ...string) string {
	return `{"locations":[` + strings.Join(locations, ",") + `],"costing":"auto"}`
}

// island returns a well-known point as a body has it.
func island(t *testing.T, name string) string {
	p := countyPlace(t, name)
	return fmt.Sprintf(`{"lat":%g,"lon":%g}`, p.Lat, p.Lon)
}

func TestRefusalsOfNativeRequests(t *testing.T) {
	t.Parallel()
	g := county(t)
	sevenCostings := []string{"auto", "truck", "bus", "motor_scooter", "motorcycle", "bicycle", "pedestrian"}
	adr := `"adr":{"dimensions":{"height_m":4,"width_m":2.5,"length_m":16,"gross_weight_t":40},"hazmat":true,"tunnel_code":`
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for _, w := range []wrong{
		{"swapped", "", places(`{"lat":-7.2853262,"lon":49.3286344}`, there), 400, upstream, []string{"locations[0]", "swapped", "lat 49.3286344, lon -7.2853262"}},
		{"swapped, second", "", places(here, `{"lat":-7.0715379,"lon":49.3629648}`), 400, upstream, []string{"locations[1]", "swapped"}},
		{"lat out of range", "", places(`{"lat":149.5,"lon":-7}`, there), 400, bad, []string{"locations[0].lat", "149.5", "-90 and 90"}},
		{"lon out of range", "", places(here, `{"lat":49,"lon":-187.25}`), 400, bad, []string{"locations[1].lon", "-187.25", "-180 and 180"}},
		{"lat beyond all numbers", "", places(here, `{"lat":1e999,"lon":-7}`), 400, bad, []string{"locations[1].lat", "1e999", "-90 and 90"}},
		{"NaN", "", places(`{"lat":NaN,"lon":-7}`, there), 400, bad, []string{"not JSON", "line 1, column 22", "'N'"}},
		{"Infinity", "", places(here, `{"lat":49,"lon":-Infinity}`), 400, bad, []string{"not JSON", "'I'"}},
		{"strings for numbers", "", places(`{"lat":"49.3","lon":-7}`, there), 400, bad, []string{"locations[0].lat", `"49.3"`, "must be a number"}},
		{"no lon", "", places(here, `{"lat":49}`), 400, bad, []string{"locations[1].lon", "is missing"}},
		{"lng for lon", "", places(here, `{"lat":49,"lng":-7}`), 400, bad, []string{"locations[1].lon", "is missing"}},
		{"a pair", "", places("[-7.28,49.32]", there), 400, bad, []string{"locations[0]", "must be an object"}},
		{"no locations", "", `{"costing":"auto"}`, 400, bad, []string{"locations", "is missing", "2 to 50"}},
		{"zero locations", "", places(), 400, bad, []string{"locations", "0 of at least two"}},
		{"one location", "", places(here), 400, bad, []string{"locations", "1 of at least two"}},
		{"1,000 locations", "", places(strings.Split(strings.Repeat(here+";", 999)+here, ";")...), 400, bad, []string{"1000 locations", "50"}},
		{"in the sea", "", places(here, `{"lat":49.255,"lon":-7.3,"search_cutoff":2000}`), 400, upstream, []string{"locations[1]", "2000 m", "the nearest is 3.4 km away", `"nearest_road_m": 3`, "171"}},
		{"far away", "", places(`{"lat":51.5,"lon":-0.1}`, there), 400, upstream, []string{"locations[0]", "none within 100 km", "171"}},
		{"an islet", "", places(here, island(t, "Tern Holm")), 400, upstream, []string{"locations[0]", "locations[1]", "do not meet", "442"}},
		{"an islet, back", "", places(island(t, "Tern Holm"), here), 400, upstream, []string{"do not meet", "442"}},
		{"an island without its ferry", "", strings.Replace(places(here, island(t, "Port Farrock")), "}],", `}],"exclude":["ferries"],`, 1), 400, upstream, []string{"exclude_ferries", "442", "way_id"}},
		{"unknown costing", "", body(`"costing":"spaceship"`), 400, bad, append([]string{"costing", "spaceship"}, sevenCostings...)},
		{"a costing of Valhalla's that is not ours", "", body(`"costing":"taxi"`), 400, bad, sevenCostings},
		{"lorry options by car", "", body(`"costing":"auto","costing_options":{"auto":{"hazmat":true,"axle_load":3}}`), 400, bad, []string{"costing_options.auto.hazmat", "costing_options.auto.axle_load", "needs the costing truck"}},
		{"adr by car", "", body(`"costing":"auto",` + adr + `"E"}`), 400, bad, []string{"adr", "truck", "auto"}},
		{"tunnel code", "", body(`"costing":"truck",` + adr + `"Q7"}`), 400, bad, []string{"adr.tunnel_code", "Q7", "B1000C", "C5000D", "(—)"}},
		{"tunnel code in the options", "", body(`"costing":"truck","costing_options":{"truck":{"adr_tunnel_code":"Q7"}}`), 400, bad, []string{"adr_tunnel_code", "Q7", "C5000D"}},
		{"adr without a key", "", body(`"costing":"truck","adr":{"dimensions":{},"hazmat":"yes"}`), 400, bad, []string{"adr.tunnel_code", "adr.hazmat", "adr.dimensions.height_m", "is missing"}},
		{"not JSON", "", "locations=1,2", 400, bad, []string{"not JSON", "line 1, column 1"}},
		{"cut off", "", `{"locations":[`, 400, bad, []string{"not JSON", "the body ends here"}},
		{"two documents", "", body(`"costing":"auto"`) + "{}", 400, bad, []string{"not JSON", "does not belong here"}},
		{"empty", "", "", 400, bad, []string{"the body is empty"}},
		{"null", "", "null", 400, bad, []string{"must be a JSON object"}},
		{"a list", "", "[]", 400, bad, []string{"must be a JSON object"}},
		{"10 MB", "", `{"id":"` + strings.Repeat("x", 10_000_000) + `"}`, 413, "body-too-large", []string{"1048576"}},
		{"out of range options", "", body(`"costing":"auto","costing_options":{"auto":{"top_speed":9000,"use_tolls":-1}}`), 400, bad, []string{"costing_options.auto.top_speed", "9000", "252", "use_tolls", "between 0 and 1"}},
		{"options of the wrong type", "", body(`"costing":"auto","costing_options":{"auto":{"use_tolls":"much"}}`), 400, bad, []string{"costing_options.auto.use_tolls", "much"}},
		{"duplicate key", "", body(`"costing":"auto","costing":"truck"`), 400, bad, []string{"costing", "twice"}},
		{"duplicate key within", "", places(`{"lat":49.3,"lat":49.4,"lon":-7.2}`, there), 400, bad, []string{"locations[0].lat", "twice"}},
		{"duplicate key, escaped", "", body(`"costing":"auto","cost\u0069ng":"truck"`), 400, bad, []string{"costing", "twice"}},
		{"10,000 levels", "", body(`"costing":"auto","x":` + deep), 400, bad, []string{"deeper than the 64 levels"}},
		{"invalid UTF-8", "", body("\"costing\":\"auto\",\"id\":\"\xff\xfe\""), 400, bad, []string{"not UTF-8", "line 1, column 111", "0xff"}},
		{"half a surrogate in UTF-8", "", body("\"costing\":\"auto\",\"id\":\"\xed\xa0\x80\""), 400, bad, []string{"not UTF-8"}},
		{"negative alternates", "", body(`"costing":"auto","alternates":-1`), 400, bad, []string{"alternates", "-1", "0 and 3"}},
		{"too many alternates", "", body(`"costing":"auto","alternates":99`), 400, bad, []string{"alternates", "99", "0 and 3"}},
		{"half an alternate", "", body(`"costing":"auto","alternates":1.5`), 400, bad, []string{"alternates", "whole number"}},
		{"units", "", body(`"costing":"auto","units":"furlongs"`), 400, bad, []string{"units", "furlongs", "kilometers", "miles"}},
		{"language", "", body(`"costing":"auto","language":"../../etc"`), 400, bad, []string{"language", "BCP 47"}},
		{"a long id", "", body(`"costing":"auto","id":"` + strings.Repeat("y", 300) + `"`), 400, bad, []string{"id", "300 characters", "256"}},
		{"avoid word", "", body(`"costing":"auto","avoid":["uturn"]`), 400, "invalid-avoid", []string{"uturn", "tolls", "supported", "problems"}},
		{"avoid is no list", "", body(`"costing":"auto","avoid":"tolls"`), 400, "invalid-avoid", []string{"avoid must be a list"}},
		{"tolls on foot", "", body(`"costing":"pedestrian","avoid":["tolls"]`), 400, "invalid-avoid", []string{"tolls", "pedestrian"}},
		{"a window of nothing", "", places(`{"lat":49.3,"lon":-7.2,"street_side_tolerance":2000}`, there), 400, bad, []string{"street_side_tolerance (2000 m)", "street_side_max_distance (1000 m)"}},
		{"preferred_side", "", places(`{"lat":49.3,"lon":-7.2,"preferred_side":"left"}`, there), 400, bad, []string{"locations[0].preferred_side", "left", "same", "opposite"}},
		{"kind of location", "", places(`{"lat":49.3,"lon":-7.2,"type":"teleport"}`, there), 400, bad, []string{"locations[0].type", "teleport", "break_through"}},
		{"no date", "", body(`"costing":"auto","date_time":{"type":1,"value":"tomorrow"}`), 400, bad, []string{"date_time.value", "tomorrow", "YYYY-MM-DDTHH:MM"}},
		{"a date before clocks", "", body(`"costing":"auto","date_time":{"type":1,"value":"1969-12-31T08:00"}`), 400, bad, []string{"date_time.value", "1970"}},
		{"a polygon that crosses itself", "", body(`"costing":"auto","exclude_polygons":[[[-7.2,49.3],[-7.19,49.31],[-7.19,49.3],[-7.2,49.31]]]`), 400, bad, []string{"exclude_polygons[0]", "crosses itself"}},
		{"a polygon too large", "", body(`"costing":"auto","exclude_polygons":[[[-7.3,49.3],[-7.1,49.3],[-7.1,49.4]]]`), 400, bad, []string{"exclude_polygons", "may have 10000 m"}},
		{"rationale by bus", "", body(`"costing":"bus","rationale":true`), 400, bad, []string{"rationale", "bus", "motor_scooter"}},
	} {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			w.head = "POST /route"
			w.check(t, g)
		})
	}
}

// An unknown member that does no harm is a warning in the answer.
func TestUnknownMembersAreReported(t *testing.T) {
	t.Parallel()
	g := county(t)
	a := g.send(t, http.MethodPost, "/route", body(`"costing":"auto","bogus":1,"prioritize_bidirectional":true,"costing_options":{"auto":{"nonsense":1},"boat":{}}`)).ok(t)
	var r trip
	a.into(t, &r)
	warned := map[int]string{}
	for _, w := range r.Warnings {
		warned[w.Code] += w.Text + "\n"
	}
	for code, names := range map[int][]string{901: {"bogus", "costing_options.boat"}, 902: {"costing_options.auto.nonsense"}, 903: {"prioritize_bidirectional"}} {
		for _, name := range names {
			if !strings.Contains(warned[code], name) {
				t.Errorf("warning %d does not name %s: %v", code, name, r.Warnings)
			}
		}
	}
	// A body is JSON whatever a client calls it, on every endpoint.
	for path, content := range map[string]string{
		"/route":     body(`"costing":"auto"`),
		"/adr/check": `{"adr":{"dimensions":{"height_m":4,"width_m":2,"length_m":9,"gross_weight_t":9},"hazmat":true,"tunnel_code":"C"},"tunnel_category":"C"}`,
	} {
		for _, media := range []string{"application/json", "application/x-www-form-urlencoded", "text/plain", "application/json; charset=utf-8"} {
			g.send(t, http.MethodPost, path, content, "Content-Type: "+media).ok(t)
		}
	}
}

func TestRefusalsOfCompatibleRequests(t *testing.T) {
	t.Parallel()
	g := county(t)
	const value, options, query, url = "InvalidValue", "InvalidOptions", "InvalidQuery", "InvalidUrl"
	both := herePath + ";" + therePath
	check := func(w wrong) {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			w.head = "GET /route/v1/" + w.head
			w.check(t, g)
		})
	}
	for _, c := range []struct {
		coordinates string
		slug        string
		says        []string
	}{
		{"a,b;c,d", url, []string{"coordinate 0", `"a,b"`, "lon,lat"}},
		{herePath, options, []string{"1 of at least two"}},
		{herePath + ";", url, []string{"coordinate 1", `""`}},
		{";" + herePath, url, []string{"coordinate 0"}},
		{herePath + ";;" + therePath, url, []string{"coordinate 1"}},
		{both + ";", url, []string{"coordinate 2"}},
		{herePath + "," + therePath, options, []string{"1 of at least two"}},
		{"-7.28;49.3", url, []string{"coordinate 0", "-7.28"}},
		{herePath + ";1000,2000", value, []string{"coordinate 1", "1000", "-180 and 180"}},
		{herePath + ";-7,91", value, []string{"coordinate 1", "91", "-90 and 90"}},
		{"NaN,NaN;" + therePath, url, []string{"coordinate 0", "NaN"}},
		{"Inf,1;" + therePath, url, []string{"coordinate 0", "Inf"}},
		{"0x10,1;" + therePath, url, []string{"coordinate 0", "0x10"}},
		{"1e400,1;" + therePath, url, []string{"coordinate 0", "1e400"}},
		{"1_0,1;" + therePath, url, []string{"coordinate 0", "1_0"}},
		{"-7.28,49.32,3;" + therePath, url, []string{"coordinate 0", "-7.28,49.32,3"}},
		{both + ".xml", url, []string{".xml", ".json"}},
		{"polyline(%FF)", url, []string{"polyline", "byte 0"}},
		{"polyline(abc", url, []string{"polyline(abc", "closed"}},
		{"polyline6()", options, []string{"0 of at least two"}},
		{"{" + herePath + "};" + therePath, url, []string{"coordinate 0", "{"}},
		{"%00;" + therePath, url, []string{"coordinate 0"}},
		{"..%2f..%2fetc%2fpasswd", options, nil},
		{strings.Repeat(herePath+";", 999) + herePath, "TooBig", []string{"1000", "50"}},
		{"49.3286344,-7.2853262;" + therePath, "NoSegment", []string{"locations[0]", "swapped", "lat 49.3286344"}},
		{herePath + ";-7.3,49.255?radiuses=;2000", "NoSegment", []string{"locations[1]", "3.4 km away"}},
	} {
		check(wrong{"path " + c.coordinates[:min(len(c.coordinates), 40)], "driving/" + c.coordinates, "", 400, c.slug, c.says})
	}
	for _, c := range []struct {
		profile, query, slug string
		says                 []string
	}{
		{"driving", "bearings=1,2", value, []string{"bearings", "1 entries", "2 coordinates"}},
		{"driving", "radiuses=1;2;3", value, []string{"radiuses", "3 entries", "2 coordinates"}},
		{"driving", "approaches=curb", value, []string{"approaches", "1 entries", "2 coordinates"}},
		{"driving", "approaches=curb;left", value, []string{"approaches[1]", "left", "curb"}},
		{"driving", "bearings=400,10;", value, []string{"bearings[0]", "400", "360"}},
		{"driving", "radiuses=-1;1", value, []string{"radiuses[0]", "-1"}},
		{"driving", "%zz=1", query, []string{"%zz"}},
		{"driving", "steps=true&steps=false", query, []string{"steps", "twice"}},
		{"driving", "exclude=motorway", value, []string{"exclude", "motorway", "highways"}},
		{"driving", "avoid=uturn", value, []string{"avoid", "uturn", "tolls"}},
		{"driving", "alternatives=-1", value, []string{"alternatives", "-1", "3"}},
		{"driving", "alternatives=4", value, []string{"alternatives", "4", "3"}},
		{"driving", "alternatives=x", value, []string{"alternatives", "x"}},
		{"driving", "overview=maybe", value, []string{"overview", "maybe", "simplified"}},
		{"driving", "steps=1", value, []string{"steps", `"1"`, "true or false"}},
		{"driving", "steps=", value, []string{"steps"}},
		{"driving", "geometries=wkt", value, []string{"geometries", "wkt", "polyline6"}},
		{"driving", "annotations=foo", value, []string{"annotations", "foo"}},
		{"driving", "waypoints=9", value, []string{"waypoints", "9"}},
		{"driving", "waypoints=0", value, []string{"waypoints", "first and the last"}},
		{"driving", "language=<script>", value, []string{"language", "BCP 47"}},
		{"driving", "voice_instructions=true", options, []string{"voice_instructions", "steps=true"}},
		{"driving", "height=4", value, []string{"height", "truck"}},
		{"driving", "tunnel_code=C", value, []string{"tunnel_code", "truck"}},
		{"bicycle", "hazmat=true", value, []string{"hazmat", "truck"}},
		{"walking", "avoid_tolls=true", value, []string{"avoid_tolls", "motorised", "pedestrian"}},
		{"cycling", "avoid=highways", value, []string{"highways", "bicycle"}},
		{"truck", "height=tall", value, []string{"height", "tall", "number"}},
		{"truck", "height=-1", value, []string{"height", "-1", "0 and 10"}},
		{"truck", "weight=1e9", value, []string{"weight", "1e9"}},
		{"truck", "width=NaN", value, []string{"width", "NaN"}},
		{"truck", "tunnel_code=Q", value, []string{"tunnel_code", "Q", "C5000D", "%2F"}},
		{"truck", "tunnel_code=", value, []string{"tunnel_code"}},
		{"boat", "", value, []string{"boat", "driving", "truck", "motorbike"}},
		{"DRIVING", "", value, []string{"DRIVING"}},
	} {
		check(wrong{c.profile + " " + c.query[:min(len(c.query), 40)], c.profile + "/" + both + "?" + c.query, "", 400, c.slug, c.says})
	}
	p := countyPlace(t, "Tern Holm")
	check(wrong{"an islet", "driving/" + herePath + ";" + p.String(), "", 442, "NoRoute", []string{"do not meet"}})
	p = countyPlace(t, "Port Farrock")
	check(wrong{"no ferry", "driving/" + herePath + ";" + p.String() + "?exclude=ferries", "", 442, "NoRoute", []string{"exclude_ferries"}})
	for _, target := range []string{"", "driving", "driving/", "driving/" + herePath + "/" + therePath} {
		check(wrong{"no such path " + target, target, "", 400, url, []string{"{profile}/{coordinates}"}})
	}
	// Parameters that clients of the kind send without need are let through.
	for _, harmless := range []string{"hints=;", "hints=", "exclude=", "generate_hints=false", "overview=false&", "snapping=default&skip_waypoints=true", "bearings=;", "radiuses=unlimited;"} {
		g.raw(t, "GET /route/v1/driving/"+both+"?"+harmless, "").ok(t)
	}
	g.raw(t, "GET /route/v1/driving/"+herePath+"%3B"+therePath+".json", "").ok(t)
}

func TestRefusalsElsewhere(t *testing.T) {
	t.Parallel()
	g := county(t)
	check := func(name, head, body string, status int, slug string, says ...string) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := wrong{name, head, body, status, slug, says}
			w.check(t, g)
		})
	}
	for _, method := range []string{"PUT", "DELETE", "PATCH", "BREW"} {
		check(method+" /route", method+" /route", "", 405, "method-not-allowed", method, "GET, HEAD, POST")
	}
	check("POST /health", "POST /health", "{}", 405, "method-not-allowed", "GET")
	if a := g.raw(t, "POST /route/v1/driving/1,2;3,4", "{}"); a.status != 405 || a.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("%s %v", a, a.header)
	}
	check("unknown path", "GET /nope", "", 404, "not-found", "/nope", "openapi.json")
	check("trailing slash", "GET /health/", "", 404, "not-found", "/health/")
	check("route and slash", "POST /route/", "{}", 404, "not-found", "/route/")
	check("out of the root", "GET /../../etc/passwd", "", 404, "not-found")
	check("out of the root, escaped", "GET /assets/%2e%2e/%2e%2e/etc/passwd", "", 404, "not-found")
	check("a long path", "GET /"+strings.Repeat("a", 20_000), "", 404, "not-found")
	check("a huge address", "GET /"+strings.Repeat("a", 3_000_000), "", 431, "")
	check("a huge query", "GET /route/v1/driving/"+herePath+";"+therePath+"?hints="+strings.Repeat("y", 100_000), "", 431, "")
	check("a broken escape", "GET /%zz", "", 400, "")

	const tile = "GET /tiles/halvern/"
	check("tile below", tile+"-1/0/0.mvt", "", 400, bad, "path.z", "-1", "0 to 15")
	check("tile above", tile+"99/0/0.mvt", "", 400, bad, "path.z", "99", "0 to 15")
	check("tile column", tile+"14/9999999/1.mvt", "", 400, bad, "path.x", "9999999", "16383")
	check("tile row", tile+"3/0/8.pbf", "", 400, bad, "path.y", "8", "0 to 7")
	check("tile letters", tile+"a/b/c.mvt", "", 400, bad, "path.z", "whole number")
	check("tile fraction", tile+"14/1.5/2.mvt", "", 400, bad, "path.x", "1.5", "whole number")
	check("tile beyond numbers", tile+"0/0/99999999999999999999.mvt", "", 400, bad, "path.y", "99999999999999999999")
	check("tile of another kind", tile+"0/0/0.png", "", 404, "not-found")
	check("another territory", "GET /tiles/atlantis/0/0/0.mvt", "", 404, "not-found", "atlantis", "halvern")
	check("another territory's style", "GET /tiles/atlantis/style.json", "", 404, "not-found", "atlantis", "halvern")
	check("theme", "GET /tiles/halvern/style.json?theme=pink", "", 400, bad, "theme", "pink", "light", "dark")
	check("font", "GET /fonts/Comic%20Sans/0-255.pbf", "", 404, "not-found", "Comic Sans", "Go Regular")
	check("glyph range", "GET /fonts/Go%20Regular/1-2.pbf", "", 404, "not-found", "1-2.pbf", "256")

	const transform = "GET /coordinates/transform?from=4326&to=3857&coordinates="
	check("51 coordinates", transform+strings.Repeat("1,2;", 50)+"1,2", "", 400, bad, "coordinates", "51", "50")
	check("letters", transform+"1,2;a,b", "", 400, bad, "coordinates[1]", "a,b")
	check("off the globe", transform+"1,200", "", 400, bad, "coordinates[0]", "1,200", "-90 to 90")
	check("no coordinates", "GET /coordinates/transform?from=4326&to=3857", "", 400, bad, "coordinates")
	check("unknown system", "GET /coordinates/transform?from=4326&to=1&coordinates=1,2", "", 400, bad, "to", `"1"`, "/coordinates/crs")

	const load = `{"adr":{"dimensions":{"height_m":4,"width_m":2,"length_m":9,"gross_weight_t":9},"hazmat":true,"tunnel_code":"C"},"tunnel_category":"C"`
	const adr = "POST /adr/check"
	check("adr: empty", adr, "", 400, bad, "the body is empty")
	check("adr: not JSON", adr, "x", 400, bad, "line 1, column 1")
	check("adr: nothing", adr, "{}", 400, bad, "adr", "tunnel_category", "is missing")
	check("adr: category", adr, strings.Replace(load, `ory":"C"`, `ory":"F"`, 1)+"}", 400, bad, "tunnel_category", "F")
	check("adr: code", adr, strings.Replace(load, `ode":"C"`, `ode":"Q"`, 1)+"}", 400, bad, "tunnel_code", "Q", "C5000D")
	check("adr: said twice", adr, load+`,"tunnel_category":"A"}`, 400, bad, "tunnel_category", "twice")
	check("adr: 2 MB", adr, load+`,"x":"`+strings.Repeat("x", 2_000_000)+`"}`, 413, "body-too-large", "1048576")
	check("adr: deep", adr, `{"adr":`+strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000)+"}", 400, bad, "deeper than the 64 levels")
	check("adr: a wrong and long value", adr, strings.Replace(load, `"C"}`, `"`+strings.Repeat("q", 50_000)+`"}`, 1)+"}", 400, bad, "tunnel_code", "…")
	check("validate: no coordinates", "POST /geodata/validate", `{"declared_crs":"EPSG:4326","coordinates":[]}`, 400, bad, "coordinates")
	check("validate: letters", "POST /geodata/validate", `{"declared_crs":"EPSG:4326","coordinates":[{"x":"a","y":1}]}`, 400, bad, "coordinates[0].x")
}

func TestHeadersThatLie(t *testing.T) {
	t.Parallel()
	g := county(t)
	// A request id is shown back and logged: only plain ones are.
	if id := g.get(t, "/health", "X-Request-Id: abc-123").header.Get("X-Request-Id"); id != "abc-123" {
		t.Errorf("request id %q", id)
	}
	if id := g.get(t, "/health", "X-Request-Id: <script>").header.Get("X-Request-Id"); strings.ContainsAny(id, "<>") {
		t.Errorf("request id %q", id)
	}
	// A caller that is not named as a proxy is not believed to be one.
	if a := g.get(t, "/tiles/halvern/tiles.json", "X-Forwarded-Proto: https", "X-Forwarded-For: 10.0.0.1"); strings.Contains(string(a.body), "https://127") {
		t.Errorf("%s", a)
	}
}
