package route_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/osrm"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/world"
)

// bad is a request that is refused. Texts in capitals stand for places of a town: A and B are
// joined, SEA is far from all roads, ISLE is a road without a way to it.
type bad struct {
	name, path, body string // without a body it is a GET
	osrm             string // why OSRM answers otherwise, which has no such call or option
}

const noCall = "it has no such call"

var bads = []bad{
	{name: "no body", path: "/route", body: " "},
	{name: "a list", path: "/route", body: `[]`},
	{name: "no locations", path: "/route", body: `{"costing":"auto"}`},
	{name: "one location", path: "/route", body: `{"costing":"auto","locations":[A]}`},
	{name: "latitude 95", path: "/route", body: `{"costing":"auto","locations":[{"lat":95,"lon":0},B]}`},
	{name: "no longitude", path: "/route", body: `{"costing":"auto","locations":[{"lat":5},B]}`},
	{name: "an unknown costing", path: "/route", body: `{"costing":"rocket","locations":[A,B]}`},
	{name: "a height that is a text", path: "/route", body: `{"costing":"truck","costing_options":{"truck":{"height":"x"}},"locations":[A,B]}`},
	{name: "a height below 0", path: "/route", body: `{"costing":"truck","costing_options":{"truck":{"height":-1}},"locations":[A,B]}`},
	{name: "an unknown tunnel code", path: "/route", body: `{"costing":"truck","costing_options":{"truck":{"adr_tunnel_code":"Z"}},"locations":[A,B]}`},
	{name: "unknown units", path: "/route", body: `{"costing":"auto","units":"parsecs","locations":[A,B]}`},
	{name: "an unknown format", path: "/route", body: `{"costing":"auto","format":"xml","locations":[A,B]}`},
	{name: "a ring of two points", path: "/route", body: `{"costing":"auto","exclude_polygons":[[[0,0],[1,1]]],"locations":[A,B]}`},
	{name: "a month 13", path: "/route", body: `{"costing":"auto","date_time":{"type":1,"value":"2026-13-01T00:00"},"locations":[A,B]}`},
	{name: "a heading of 400", path: "/route", body: `{"costing":"auto","locations":[{"lat":1,"lon":1,"heading":400},B]}`},
	{name: "an unknown kind of stop", path: "/route", body: `{"costing":"auto","locations":[{"lat":1,"lon":1,"type":"hop"},B]}`},
	{name: "alternates below 0", path: "/route", body: `{"costing":"auto","alternates":-1,"locations":[A,B]}`},
	{name: "a place without a road", path: "/route", body: `{"costing":"auto","locations":[A,SEA]}`},
	{name: "no way", path: "/route", body: `{"costing":"auto","locations":[A,ISLE]}`},
	{name: "route/v1 with one place", path: "/route/v1/driving/LA"},
	{name: "route/v1 with an unknown profile", path: "/route/v1/rocket/LA;LB"},
	{name: "route/v1 with words", path: "/route/v1/driving/a,b;c,d"},
	{name: "route/v1 with a wrong overview", path: "/route/v1/driving/LA;LB?overview=some"},
	{name: "route/v1 with too few radiuses", path: "/route/v1/driving/LA;LB?radiuses=5"},
	{name: "route/v1 with an unknown class", path: "/route/v1/driving/LA;LB?exclude=motorway"},
	{name: "route/v1 with no way", path: "/route/v1/driving/LA;LISLE"},
	{name: "route/v1 without a road", path: "/route/v1/driving/LA;LSEA"},
	{name: "table/v1 with a source that is not there", path: "/table/v1/driving/LA;LB?sources=7"},
	{name: "table/v1 with unknown annotations", path: "/table/v1/driving/LA;LB?annotations=colour"},
	{name: "nearest/v1 with number 0", path: "/nearest/v1/driving/LA?number=0"},
	{name: "nearest/v1 of two places", path: "/nearest/v1/driving/LA;LB"},
	{name: "nearest/v1 without a road", path: "/nearest/v1/driving/LSEA"},
	{name: "match/v1 of one place", path: "/match/v1/driving/LA"},
	{name: "match/v1 with times backward", path: "/match/v1/driving/LA;LB?timestamps=9;3"},
	{name: "match/v1 off all roads", path: "/match/v1/driving/LSEA;LSEA"},
	{name: "trip/v1 with an unknown source", path: "/trip/v1/driving/LA;LB?source=some"},
	{name: "matrix without sources", path: "/matrix", body: `{"costing":"auto","targets":[A]}`},
	{name: "matrix with a text for a place", path: "/matrix", body: `{"costing":"auto","sources":["x"],"targets":[A]}`},
	{name: "matrix without roads", path: "/matrix", body: `{"costing":"auto","sources":[SEA],"targets":[SEA]}`},
	{name: "isochrone without contours", path: "/isochrone", body: `{"costing":"auto","locations":[A]}`},
	{name: "isochrone of 0 minutes", path: "/isochrone", body: `{"costing":"auto","locations":[A],"contours":[{"time":0}]}`},
	{name: "isochrone without a road", path: "/isochrone", body: `{"costing":"auto","locations":[SEA],"contours":[{"time":5}]}`},
	{name: "trace_route of one position", path: "/trace_route", body: `{"costing":"auto","shape":[A]}`},
	{name: "trace_route with an unknown match", path: "/trace_route", body: `{"costing":"auto","shape":[A,B],"shape_match":"guess"}`},
	{name: "trace_route of a line that is none", path: "/trace_route", body: `{"costing":"auto","encoded_polyline":"~"}`},
	{name: "trace_route off all roads", path: "/trace_route", body: `{"costing":"auto","shape":[SEA,SEA],"shape_match":"map_snap"}`},
	{name: "trace_attributes of one position", path: "/trace_attributes", body: `{"costing":"auto","shape":[A]}`, osrm: noCall},
	{name: "locate without places", path: "/locate", body: `{"costing":"auto"}`, osrm: noCall},
	{name: "locate at latitude 95", path: "/locate", body: `{"costing":"auto","locations":[{"lat":95,"lon":0}]}`, osrm: noCall},
	{name: "centroid of one place", path: "/centroid", body: `{"costing":"auto","locations":[A]}`, osrm: noCall},
	{name: "centroid without a road", path: "/centroid", body: `{"costing":"auto","locations":[A,SEA]}`, osrm: noCall},
}

// TestBadRequests sends bad requests to gateways before the embedded engine, a real Valhalla
// and OSRM: all answer the same status and slug but where bads says why not. OSRM is the server
// of SVC_OSRM_URL, whose data are those of the suite, else our own endpoints in its form. WAYGATE_CONFORMANCE names a file that
// the table is added to.
func TestBadRequests(t *testing.T) {
	town := enginetest.RefusedTown(t)
	own, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	start := func(e engine.Engine) *apitest.Gateway {
		return apitest.Start(t, func(o *api.Options) {
			o.Acquire = apitest.Serves(t, &world.Region{Engine: e, ID: "town", Name: "Town", Bounds: geo.Around(town.Point("a"), 200_000)})
		})
	}
	gateways := []*apitest.Gateway{start(own), start(valhalla.New(enginetest.StartValhalla(t, town.PBF(t)).URL, nil))}
	far, name := gateways[0].URL, "OSRM's form of our own"
	if at := enginetest.OSRMServers(t)[costing.Auto]; at != "" {
		far, name = at, "OSRM"
	}
	gateways = append(gateways, start(osrm.New(map[costing.Costing]string{costing.Auto: far, costing.Truck: far}, nil)))
	engines := []string{"embedded", "Valhalla", name}

	a, b, isle := town.Point("a"), town.Point("b"), town.Point("x")
	pair := func(lon, lat float64) string { return fmt.Sprintf("%f,%f", lon, lat) }
	texts := strings.NewReplacer(
		"LISLE", pair(isle.Lon, isle.Lat), "LSEA", pair(a.Lon+0.6, a.Lat+0.6), "LA", pair(a.Lon, a.Lat), "LB", pair(b.Lon, b.Lat),
		"ISLE", apitest.At(isle), "SEA", fmt.Sprintf(`{"lat":%f,"lon":%f}`, a.Lat+0.6, a.Lon+0.6), "A]", apitest.At(a)+"]", "A,", apitest.At(a)+",", "B]", apitest.At(b)+"]", "B,", apitest.At(b)+",",
	)
	table := []string{"bad request | " + strings.Join(engines, " | "), "---|---|---|---"}
	for _, c := range bads {
		method, body := "POST", texts.Replace(c.body)
		if c.body == "" {
			method = "GET"
		}
		var got []string
		for _, g := range gateways {
			r := g.Send(method, texts.Replace(c.path), body)
			var p struct{ Type, Code string }
			_ = json.Unmarshal(r.Body, &p) // what has neither is shown with its status
			got = append(got, strings.TrimSpace(fmt.Sprint(r.Status, " ", strings.TrimPrefix(p.Type, "urn:svc-gateway:problem:"), p.Code)))
			if r.Status < 400 || r.Status >= 500 && r.Status != 501 {
				t.Errorf("%s by %s: %d %.300s", c.name, engines[len(got)-1], r.Status, r.Body)
			}
		}
		alike := got
		if c.osrm != "" {
			alike = got[:2]
			if got[2] == got[0] {
				t.Errorf("%s: OSRM answers like the others, though %s", c.name, c.osrm)
			}
		}
		if len(slices.Compact(slices.Clone(alike))) != 1 {
			t.Errorf("%s: %q", c.name, got)
		}
		table = append(table, c.name+" | "+strings.Join(got, " | "))
	}
	if at := os.Getenv("WAYGATE_CONFORMANCE"); at != "" {
		file, err := os.OpenFile(at, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644) //nolint:gosec // a document
		if err == nil {
			_, err = file.WriteString("\n" + strings.Join(table, "\n") + "\n")
		}
		if err != nil || file.Close() != nil {
			t.Error(err)
		}
	}
}
