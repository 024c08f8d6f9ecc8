package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// drawn is an edge over the embedded engine on a drawn town: a high street
// with a parallel lane, and a ring to the south.
func drawn(t *testing.T) (*gateway, *towntest.Town) {
	t.Helper()
	town := towntest.Draw(t, `
		a-----b-----c-----d
		      |     |
		      e-----f
		            |
		            g`,
		towntest.Ways{
			{"abcd", `primary name="High Street" surface=asphalt`},
			{"be", "residential"},
			{"ef", `residential name="Mill Lane" bridge=yes surface=compacted`},
			{"fc", "residential"},
			{"fg", "service toll=yes"},
		})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	b := geo.NoBounds()
	for _, p := range town.NodePlaces() {
		b = b.Extend(town.Point(string(p)))
	}
	pub := landmark.Place{At: geo.Destination(town.Point("b"), 200, 15), Name: "The Red Lion", Category: "amenity=pub"}
	named := &landmarks.Service{Index: landmark.Build([]landmark.Place{pub})}
	r := &world.Region{Engine: e, Landmarks: named, ID: "town", Name: "Town", Bounds: b}
	return start(t, func(o *api.Options) { o.Acquire = serves(t, r) }), town
}

// at writes a place of a town as a JSON object.
func at(p geo.Point, more ...string) string {
	return fmt.Sprintf(`{"lat":%.6f,"lon":%.6f%s}`, p.Lat, p.Lon, strings.Join(more, ""))
}

func (r reply) list(t *testing.T) []map[string]any {
	t.Helper()
	var v []map[string]any
	if err := json.Unmarshal(r.body, &v); err != nil {
		t.Fatalf("not a list of objects: %v\n%s", err, r.body)
	}
	return v
}

func TestLocate(t *testing.T) {
	g, town := drawn(t)
	on := at(town.Between("a", "b", 0.5))
	got := g.send("POST", "/locate", `{"locations":[`+on+`,{"lat":10,"lon":10}],"verbose":true,"colour":"red","costing":"bicycle"}`)
	if got.status != 200 || got.header.Get("X-Svc-Quota-Units") != "1" {
		t.Fatalf("%d %s", got.status, got.body)
	}
	list := got.list(t)
	if len(list) != 2 || len(list[0]["edges"].([]any)) != 2 || list[1]["edges"] != nil || list[1]["reason"] == nil {
		t.Errorf("%s", got.body)
	}
	if w := fmt.Sprint(list[0]["warnings"]); !strings.Contains(w, "colour is not known here") {
		t.Errorf("the unknown member is not told of: %s", got.body)
	}
	edge := list[0]["edges"].([]any)[0].(map[string]any)
	if names := fmt.Sprint(edge["edge_info"].(map[string]any)["names"]); names != "[High Street]" {
		t.Errorf("the edge has the names %s", names)
	}
	brief := g.send("POST", "/locate", `{"locations":[`+on+`]}`).list(t)
	if len(brief) != 1 || brief[0]["warnings"] != nil || brief[0]["edges"].([]any)[0].(map[string]any)["way_id"] == nil {
		t.Errorf("%v", brief)
	}
}

func TestLocateRefusals(t *testing.T) {
	g, town := drawn(t)
	on := at(town.Point("a"))
	for name, c := range map[string]struct {
		body   string
		status int
		slug   string
		says   string
	}{
		"no JSON":            {`locations`, 400, "bad-request", "not JSON"},
		"no locations":       {`{"costing":"auto"}`, 400, "bad-request", "is missing: it must be a list of 1 to 100 locations"},
		"none in the list":   {`{"locations":[]}`, 400, "bad-request", "is empty: at least one is needed"},
		"too many":           {`{"locations":[` + strings.Repeat(on+",", 100) + on + `]}`, 400, "bad-request", "101 locations and may have 100"},
		"off the globe":      {`{"locations":[{"lat":91,"lon":0}]}`, 400, "bad-request", "locations[0].lat: is 91"},
		"no position":        {`{"locations":[{"lat":1}]}`, 400, "bad-request", "locations[0].lon: is missing"},
		"a text for verbose": {`{"locations":[` + on + `],"verbose":"yes"}`, 400, "bad-request", "verbose: must be true or false"},
		"another costing":    {`{"locations":[` + on + `],"costing":"boat"}`, 400, "bad-request", "costing: must be one of"},
		"an option too high": {`{"locations":[` + on + `],"costing_options":{"auto":{"top_speed":500}}}`, 400, "bad-request", "between 10 and 252"},
		"what to avoid":      {`{"locations":[` + on + `],"avoid":["tolls"]}`, 400, "bad-request", "avoid: is read by POST /route only"},
		"a lorry's options":  {`{"locations":[` + on + `],"costing_options":{"truck":{"height":4}}}`, 400, "bad-request", "costing_options.truck: needs the costing truck; the costing is auto"},
		"a date":             {`{"locations":[` + on + `],"date_time":{"type":0}}`, 501, "not-enabled", "date_time"},
	} {
		t.Run(name, func(t *testing.T) {
			p := g.send("POST", "/locate", c.body).problem(t, c.status, c.slug)
			if !strings.Contains(p["detail"].(string), c.says) {
				t.Errorf("%v, want %q", p["detail"], c.says)
			}
		})
	}
}

// TestWithoutCapability has an engine that does nothing but route.
func TestWithoutCapability(t *testing.T) {
	g := start(t)
	const two = `"locations":[{"lat":47.5,"lon":9.5},{"lat":47.6,"lon":9.5}]`
	for path, body := range map[string]string{
		"/locate": two, "/centroid": two + `,"costing":"auto"`, "/route/report": two, "/route/along": two + `,"places":[{"lat":47.5,"lon":9.5}]`,
	} {
		p := g.send("POST", path, `{`+body+`}`).problem(t, 501, "not-enabled")
		if p["capability"] != path[strings.LastIndex(path, "/")+1:] {
			t.Errorf("%s: %v", path, p)
		}
	}
}
