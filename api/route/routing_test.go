package route_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
)

func TestRoute(t *testing.T) {
	g := apitest.Start(t)
	r := g.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`,"units":"miles","id":"mine"}`)
	if r.Status != 200 || r.At(t, "trip", "units") != "miles" || r.At(t, "id") != "mine" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	for _, name := range []string{"adr", "avoid"} {
		if _, ok := r.JSON(t)[name]; ok {
			t.Errorf("%s without being asked for", name)
		}
	}
	r = g.Send("POST", "/route", `{"costing":"bicycle","format":"osrm",`+apitest.Two+`}`)
	if r.Status != 200 || r.At(t, "code") != "Ok" {
		t.Errorf("format osrm: %d %s", r.Status, r.Body)
	}
	if q := g.Engine.Asked(); !q.Steps || q.Overview != "full" || q.Geometries != "polyline6" {
		t.Errorf("format osrm asked for %+v", q)
	}
}

func TestRouteWarnings(t *testing.T) {
	g := apitest.Start(t)
	r := g.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`,"foo":1,"costing_options":{"auto":{"fly":true}}}`)
	warnings, ok := r.At(t, "warnings").([]any)
	if r.Status != 200 || !ok || len(warnings) != 3 {
		t.Fatalf("want the engine's warning and two of ours: %d %s", r.Status, r.Body)
	}
	text := fmt.Sprint(warnings)
	for _, want := range []string{"this engine flies", "costing_options.auto.fly", "foo"} {
		if !strings.Contains(text, want) {
			t.Errorf("no warning of %s: %s", want, text)
		}
	}
}

func TestRouteRefusals(t *testing.T) {
	g := apitest.Start(t)
	p := g.Send("POST", "/route", `{"costing":"auto","locations":[{"lat":47.1,"lon":9.5},{"lat":9.6,"lon":47.2}]}`).Problem(t, 400, "upstream-error")
	if p["upstream_status"] != 400.0 || p["error_code"] != 171.0 || !strings.Contains(p["detail"].(string), "lat 47.2, lon 9.6 lies in the region") {
		t.Errorf("%v", p)
	}
	p = g.Send("POST", "/route", `{"costing":"auto","exclude":["tunnels"],`+apitest.Two+`}`).Problem(t, 400, "upstream-error")
	if p["error_code"] != 442.0 {
		t.Errorf("%v", p)
	}
}

func TestRouteADR(t *testing.T) {
	g := apitest.Start(t)
	r := g.Send("POST", "/route", `{"costing":"truck",`+apitest.Two+`,`+apitest.Load+`}`)
	var answer struct {
		ADR struct {
			EnforcedBy     string         `json:"enforced_by"`
			TunnelCode     *string        `json:"tunnel_code"`
			Hazmat         bool           `json:"hazmat"`
			CostingOptions map[string]any `json:"costing_options"`
			Tunnels        []struct {
				Decision struct{ Status, Reason string }
				WayID    int64 `json:"way_id"`
			}
		}
	}
	if err := json.Unmarshal(r.Body, &answer); err != nil || r.Status != 200 {
		t.Fatalf("%d %v %s", r.Status, err, r.Body)
	}
	b := answer.ADR
	if b.EnforcedBy != "engine" || *b.TunnelCode != "C/D" || !b.Hazmat || b.CostingOptions["height"] != 4.0 || b.CostingOptions["adr_tunnel_code"] != "C/D" ||
		len(b.Tunnels) != 1 || b.Tunnels[0].Decision.Status != "blocked" || !strings.Contains(b.Tunnels[0].Decision.Reason, "8.6.4") || b.Tunnels[0].WayID != 7 {
		t.Errorf("%s", r.Body)
	}
	q := g.Engine.Asked()
	if o := q.Options.Of(q.Costing); o.Height != 4 || !o.Hazmat || q.Options.Text(costing.ADRTunnelCode) != "C/D" {
		t.Errorf("the engine was asked for %v", q.Options.Raw())
	}
	// The same value twice is agreement, another one a conflict.
	if r := g.Send("POST", "/route", `{"costing":"truck",`+apitest.Two+`,`+apitest.Load+`,"costing_options":{"truck":{"height":4.0,"adr_tunnel_code":"C/D"}}}`); r.Status != 200 {
		t.Errorf("agreement: %d %s", r.Status, r.Body)
	}
	p := g.Send("POST", "/route", `{"costing":"truck",`+apitest.Two+`,`+apitest.Load+`,"costing_options":{"truck":{"height":4.2}}}`).Problem(t, 400, "costing-conflict")
	if !strings.Contains(p["detail"].(string), "costing_options.truck.height is 4.2 and adr makes it 4") {
		t.Errorf("%v", p)
	}
}

func TestRouteAvoid(t *testing.T) {
	g := apitest.Start(t)
	r := g.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`,"avoid":["tolls"],"exclude":["ferries"]}`)
	var answer struct {
		Avoid struct {
			Avoid, Exclude, Caveats []string
			CostingOptions          map[string]any `json:"costing_options"`
		}
	}
	if err := json.Unmarshal(r.Body, &answer); err != nil || r.Status != 200 {
		t.Fatalf("%d %v %s", r.Status, err, r.Body)
	}
	if b := answer.Avoid; b.Avoid[0] != "tolls" || b.Exclude[0] != "ferries" || b.CostingOptions["use_tolls"] != 0.0 || b.CostingOptions["exclude_ferries"] != true || len(b.Caveats) == 0 {
		t.Errorf("%s", r.Body)
	}
	p := g.Send("POST", "/route", `{"costing":"pedestrian",`+apitest.Two+`,"avoid":["tolls","uturn"],"exclude":["tolls"]}`).Problem(t, 400, "invalid-avoid")
	if len(p["problems"].([]any)) != 2 || fmt.Sprint(p["supported"]) != "map[avoid:[ferries] exclude:[tolls highways ferries bridges tunnels]]" {
		t.Errorf("%v", p)
	}
}

func TestNotEnabled(t *testing.T) {
	g := apitest.Start(t)
	for name, c := range map[string]struct{ capability, on, off, wrong string }{
		"recostings":         {"recostings", `[{"costing":"truck"}]`, `[]`, `{}`},
		"elevation_interval": {"elevation-interval", `30`, `0`, `"30"`},
		"linear_references":  {"linear-references", `true`, `false`, `1`},
	} {
		ask := func(value string) apitest.Reply {
			return g.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`,"`+name+`":`+value+`}`)
		}
		p := ask(c.on).Problem(t, 501, c.capability+"-not-enabled")
		if p["field"] != name || p["capability"] != c.capability {
			t.Errorf("%s: %v", name, p)
		}
		if r := ask(c.off); r.Status != 200 {
			t.Errorf("%s is %s: %d %s", name, c.off, r.Status, r.Body)
		}
		if p := ask(c.wrong).Problem(t, 400, "bad-request"); !strings.HasPrefix(p["detail"].(string), name+": must be ") {
			t.Errorf("%s is %s: %v", name, c.wrong, p)
		}
	}
}

// TestNoScenery requests a scenic route where there is no data about scenery.
func TestNoScenery(t *testing.T) {
	g := apitest.Start(t)
	plain := g.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`}`)
	for asked, want := range map[string]bool{`true`: true, `{"max_extra_minutes":20}`: true, `{}`: true, `false`: false, `null`: false} {
		for _, format := range []string{"json", "osrm"} {
			r := g.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`,"format":"`+format+`","scenic":`+asked+`}`)
			block, got := r.JSON(t)["scenic"].(map[string]any)
			if r.Status != 200 || got != want || got && (block["available"] != false || block["note"] == "" || len(block) != 2) || r.Header.Get("X-Svc-Quota-Units") != "1" {
				t.Errorf("%s as %s: %d %s", asked, format, r.Status, r.Body)
			}
			if !want && format == "json" && !bytes.Equal(r.Body, plain.Body) {
				t.Errorf("%s is not what it is without: %s", asked, r.Body)
			}
		}
	}
	for body, says := range map[string]string{
		`"costing":"truck","scenic":true`:                      "costing auto",
		`"costing":"auto","scenic":"yes"`:                      "true, false or an object",
		`"costing":"auto","scenic":{"max_extra_minutes":121}`:  "between 0 and 120",
		`"costing":"auto","scenic":{"max_extra_minutes":"20"}`: "must be a number",
		`"costing":"bicycle","scenic":true`:                    "costing auto only; the costing is bicycle",
		`"costing":"auto","scenic":{"max_extra_minutes":-1}`:   "between 0 and 120",
		`"costing":"auto","scenic":"many"`:                     "true, false or an object",
		`"costing":"auto","scenic":-1`:                         "true, false or an object",
		`"costing":"auto","scenic":{"max_extra_minutes":1e9}`:  "between 0 and 120",
		`"costing":"auto","traffic":"yes"`:                     "must be true or false",
	} {
		if p := g.Send("POST", "/route", `{`+apitest.Two+`,`+body+`}`).Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: %v", body, p)
		}
	}
	r := g.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`,"scenic":{"max_extra_hours":1}}`)
	if w := fmt.Sprint(r.At(t, "warnings")); !strings.Contains(w, "scenic.max_extra_hours is not known here") {
		t.Errorf("%s", w)
	}
}

// TestNoTraffic asks what is known of traffic where there is no data.
func TestNoTraffic(t *testing.T) {
	g, town := apitest.Drawn(t)
	body := `"costing":"auto","alternates":1,"locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("d")) + `,` + apitest.At(town.Point("a")) + `]`
	for format, path := range map[string]string{"json": "trip", "osrm": "routes"} {
		if r := g.Send("POST", "/route", `{`+body+`,"format":"`+format+`","traffic":false}`); r.Status != 200 || strings.Contains(string(r.Body), `"traffic"`) {
			t.Errorf("%d %s", r.Status, r.Body)
		}
		r := g.Send("POST", "/route", `{`+body+`,"format":"`+format+`","traffic":true}`)
		routes := []any{r.At(t, path)}
		if format == "osrm" {
			routes = r.At(t, path).([]any)
		}
		for _, alternate := range list(r.JSON(t)["alternates"]) {
			routes = append(routes, alternate.(map[string]any)["trip"])
		}
		legs := 0
		for _, route := range routes {
			for _, leg := range route.(map[string]any)["legs"].([]any) {
				traffic, _ := leg.(map[string]any)["traffic"].(map[string]any)
				if legs++; traffic["covered_pct"] != 0.0 || traffic["note"] == nil || traffic["stale"] != false || fmt.Sprint(traffic["sources"]) != "[default]" || traffic["distance_m"].(float64) <= 0 {
					t.Errorf("%s: %v", format, leg)
				}
			}
		}
		if n := strings.Count(string(r.Body), `"covered_pct"`); legs < 2 || n != legs || r.Header.Get("X-Svc-Quota-Units") != "1" {
			t.Errorf("%s: %d legs, %d blocks: %s", format, legs, n, r.Body)
		}
	}
}

func list(v any) []any {
	all, _ := v.([]any)
	return all
}

func TestCompatible(t *testing.T) {
	g := apitest.Start(t)
	// The request of a widely used route plug-in for web maps.
	r := g.Send("GET", "/route/v1/driving/9.5,47.1;9.6,47.2?overview=false&alternatives=true&steps=true&hints=;", "")
	if r.Status != 200 || r.At(t, "code") != "Ok" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	q := g.Engine.Asked()
	if q.Costing != costing.Auto || q.Overview != "false" || q.Alternates != 1 || !q.Steps || q.Locations[1].Point.Lat != 47.2 {
		t.Errorf("asked for %+v", q)
	}
	if _, ok := r.JSON(t)["warnings"]; ok {
		t.Error("OSRM's form has no blocks of ours")
	}
	r = g.Send("GET", "/route/v1/truck/9.5,47.1;9.6,47.2.json?tunnel_code=B%2FD&height=4&hazmat=true&skip_waypoints=true&geometries=polyline6", "")
	if _, ok := r.JSON(t)["waypoints"]; ok || r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if q := g.Engine.Asked(); q.Options.Text(costing.ADRTunnelCode) != "B/D" || q.Options.Of(q.Costing).Height != 4 || q.Geometries != "polyline6" {
		t.Errorf("asked for %+v", q)
	}
	line := geo.EncodePolyline([]geo.Point{{Lon: 9.5, Lat: 47.1}, {Lon: 9.6, Lat: 47.2}}, 6)
	if r := g.Send("GET", "/route/v1/car/"+url.PathEscape("polyline6("+line+")"), ""); r.Status != 200 {
		t.Errorf("encoded coordinates: %s", r.Body)
	}
}

func TestCompatibleRefusals(t *testing.T) {
	g := apitest.Start(t)
	const way = "/9.5,47.1;9.6,47.2"
	for path, want := range map[string]struct {
		status        int
		code, message string
	}{
		"/plane" + way:                                     {400, "InvalidValue", `"plane"`},
		"/car/9.5,47.1":                                    {400, "InvalidOptions", "at least two"},
		"/car/9.5;47.1":                                    {400, "InvalidUrl", "coordinate 0"},
		"/car/9.5,47.1;NaN,47":                             {400, "InvalidUrl", "coordinate 1"},
		"/car/9.5,47.1;47.2,99.6":                          {400, "InvalidValue", "between -90 and 90"},
		"/car/9.5,47.1;47.2,9.6":                           {400, "NoSegment", "swapped"},
		"/car" + way + "?exclude=tunnels":                  {442, "NoRoute", "no way"},
		"/car" + way + "?exclude=motorway":                 {400, "InvalidValue", `"motorway"`},
		"/car" + way + "?overview=wide":                    {400, "InvalidValue", "overview"},
		"/car" + way + "?alternatives=4":                   {400, "InvalidValue", "at most 3"},
		"/car" + way + "?steps=true&steps=1":               {400, "InvalidQuery", "twice"},
		"/car" + way + "?bearings=0,180":                   {400, "InvalidValue", "1 entries and there are 2"},
		"/car" + way + "?height=4":                         {400, "InvalidValue", "truck"},
		"/car" + way + "?tunnel_code=B":                    {400, "InvalidValue", "truck"},
		"/truck" + way + "?height=40":                      {400, "InvalidValue", "between 0 and 10"},
		"/truck" + way + "?tunnel_code=F":                  {400, "InvalidValue", "tunnel_code"},
		"/walking" + way + "?avoid_tolls=true":             {400, "InvalidValue", "motorised"},
		"/car" + way + "?voice_instructions=true":          {400, "InvalidOptions", "steps=true"},
		"/car" + way + "?landmarks=true":                   {400, "InvalidOptions", "steps=true"},
		"/car/" + strings.Repeat("9.5,47.1;", 50) + "9,47": {400, "TooBig", "51"},
	} {
		message := g.Send("GET", "/route/v1"+path, "").Envelope(t, want.status, want.code)
		if !strings.Contains(message, want.message) {
			t.Errorf("%s: %q does not say %q", path, message, want.message)
		}
	}
}

func TestTyped(t *testing.T) {
	g := apitest.Start(t)
	r := g.Send("POST", "/adr/check", `{`+apitest.Load+`,"tunnel_category":"D"}`)
	if r.At(t, "decision", "status") != "blocked" || r.At(t, "tunnel_code") != "C/D" || r.At(t, "basis") != "ADR 8.6.4" || r.At(t, "tunnel_category") != "D" {
		t.Errorf("%s", r.Body)
	}
	r = g.Send("POST", "/adr/check", `{`+strings.Replace(apitest.Load, `"c/d"`, "null", 1)+`,"tunnel_category":"E"}`)
	if r.At(t, "decision", "status") != "blocked" || r.At(t, "tunnel_code") != "B" {
		t.Errorf("%s", r.Body)
	}
	r = g.Send("POST", "/adr/check", `{`+strings.NewReplacer(`"c/d"`, "null", `"hazmat":true`, `"hazmat":false`).Replace(apitest.Load)+`,"tunnel_category":"E"}`)
	if r.At(t, "decision", "status") != "allowed" || r.At(t, "tunnel_code") != nil {
		t.Errorf("%s", r.Body)
	}
	r = g.Send("GET", "/coordinates/transform?from=EPSG:4326&to=3857&coordinates=9.5,47.1;9.6,47.2", "")
	if r.Status != 200 || r.At(t, "to") != "EPSG:3857" {
		t.Errorf("%s", r.Body)
	}
	r = g.Send("GET", "/coordinates/crs?q=27700", "")
	if r.At(t, "count") != 1.0 {
		t.Errorf("%s", r.Body)
	}
	r = g.Send("POST", "/geodata/validate", `{"declared_crs":"EPSG:4326","coordinates":[{"x":9.5,"y":47.1}]}`)
	if r.At(t, "verdict") != "consistent" {
		t.Errorf("%s", r.Body)
	}
}

func TestTypedRefusals(t *testing.T) {
	g := apitest.Start(t)
	for _, c := range []struct{ method, path, body, location string }{
		{"POST", "/adr/check", `{` + apitest.Load + `}`, "tunnel_category"},
		{"POST", "/adr/check", `{` + apitest.Load + `,"tunnel_category":"F"}`, "tunnel_category"},
		{"POST", "/adr/check", `{"tunnel_category":"C"}`, "adr"},
		{"POST", "/adr/check", `{` + strings.Replace(apitest.Load, `"c/d"`, `"Q"`, 1) + `,"tunnel_category":"C"}`, "adr.tunnel_code"},
		{"POST", "/adr/check", `{` + strings.Replace(apitest.Load, `"tunnel_code":"c/d",`, ``, 1) + `,"tunnel_category":"C"}`, "adr"},
		{"POST", "/adr/check", `{` + strings.Replace(apitest.Load, `"height_m":4`, `"height_m":40`, 1) + `,"tunnel_category":"C"}`, "adr.dimensions.height_m"},
		{"POST", "/geodata/validate", `{"declared_crs":"EPSG:4326"}`, "coordinates"},
		{"GET", "/coordinates/transform?from=4326&to=3857", "", "coordinates"},
		{"GET", "/coordinates/transform?from=4326&to=99999&coordinates=1,2", "", "to"},
	} {
		p := g.Send(c.method, c.path, c.body).Problem(t, 400, "bad-request")
		errors, ok := p["errors"].([]any)
		if !ok || !strings.HasPrefix(fmt.Sprint(errors[0].(map[string]any)["location"]), c.location) {
			t.Errorf("%s %s: want %s named: %v", c.path, c.body, c.location, p)
		}
	}
	g.Send("POST", "/adr/check", `{"adr":`).Problem(t, 400, "bad-request")
	g.Send("POST", "/adr/check", ``).Problem(t, 400, "bad-request")
}
