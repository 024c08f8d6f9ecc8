package route_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
)

func TestLocate(t *testing.T) {
	g, town := apitest.Drawn(t)
	on := apitest.At(town.Between("a", "b", 0.5))
	got := g.Send("POST", "/locate", `{"locations":[`+on+`,{"lat":10,"lon":10}],"verbose":true,"colour":"red","costing":"bicycle"}`)
	if got.Status != 200 || got.Header.Get("X-Svc-Quota-Units") != "1" {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	list := got.List(t)
	if len(list) != 2 || len(list[0]["edges"].([]any)) != 2 || list[1]["edges"] != nil || list[1]["reason"] == nil {
		t.Errorf("%s", got.Body)
	}
	if w := fmt.Sprint(list[0]["warnings"]); !strings.Contains(w, "colour is not known here") {
		t.Errorf("the unknown member has no warning: %s", got.Body)
	}
	edge := list[0]["edges"].([]any)[0].(map[string]any)
	if names := fmt.Sprint(edge["edge_info"].(map[string]any)["names"]); names != "[High Street]" {
		t.Errorf("the edge has the names %s", names)
	}
	brief := g.Send("POST", "/locate", `{"locations":[`+on+`]}`).List(t)
	if len(brief) != 1 || brief[0]["warnings"] != nil || brief[0]["edges"].([]any)[0].(map[string]any)["way_id"] == nil {
		t.Errorf("%v", brief)
	}
}

func TestLocateRefusals(t *testing.T) {
	g, town := apitest.Drawn(t)
	on := apitest.At(town.Point("a"))
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
		"a lorry's options":  {`{"locations":[` + on + `],"costing_options":{"truck":{"height":4}}}`, 400, "bad-request", "costing_options.truck: needs the costing truck; the costing is auto"},
		"a date":             {`{"locations":[` + on + `],"date_time":{"type":0}}`, 501, "date-time-not-enabled", "date_time"},
	} {
		t.Run(name, func(t *testing.T) {
			p := g.Send("POST", "/locate", c.body).Problem(t, c.status, c.slug)
			if !strings.Contains(p["detail"].(string), c.says) {
				t.Errorf("%v, want %q", p["detail"], c.says)
			}
		})
	}
}

// TestWithoutCapability has an engine that does nothing but route.
func TestWithoutCapability(t *testing.T) {
	g := apitest.Start(t)
	const two = `"locations":[{"lat":47.5,"lon":9.5},{"lat":47.6,"lon":9.5}]`
	for path, body := range map[string]string{
		"/locate": two, "/centroid": two + `,"costing":"auto"`, "/route/report": two, "/route/along": two + `,"places":[{"lat":47.5,"lon":9.5}]`,
	} {
		capability := path[strings.LastIndex(path, "/")+1:]
		if p := g.Send("POST", path, `{`+body+`}`).Problem(t, 501, capability+"-not-enabled"); p["capability"] != capability {
			t.Errorf("%s: %v", path, p)
		}
	}
}
