package audited_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/audited"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/osrm"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/towntest"
)

func TestJudgedValhalla(t *testing.T) {
	extract := enginetest.Extract(t)
	v := enginetest.StartValhalla(t, extract)
	roads, err := embedded.New(regiontest.Open(t, importertest.Region(t, extract)))
	if err != nil {
		t.Fatal(err)
	}
	enginetest.RunLoads(t, audited.New(valhalla.New(v.URL, nil), roads))
}

// TestJudgedOSRM runs the trips of loads and of large vehicles on real OSRM servers, whose car profile carries lorries.
func TestJudgedOSRM(t *testing.T) {
	servers := enginetest.OSRMServers(t)
	if servers[costing.Auto] == "" {
		t.Skip("SVC_OSRM_URL names no OSRM for cars")
	}
	servers[costing.Truck], servers[costing.Bus] = servers[costing.Auto], servers[costing.Auto]
	roads, err := embedded.New(regiontest.Open(t, importertest.Region(t, enginetest.Extract(t))))
	if err != nil {
		t.Fatal(err)
	}
	judged := audited.New(osrm.New(servers, nil), roads)
	enginetest.RunLoads(t, judged)
	enginetest.RunTowns(t, judged, "a low bridge", "a low bridge in feet and inches", "a narrow road", "a weak bridge", "a limit on the axle load", "no long vehicles", "no dangerous goods", "no way at all under a low bridge", "no lorries")
}

// deaf is an engine whose costing ignores sizes, weights and loads, as a fixed profile does.
// It keeps out of excluded places where places is set.
type deaf struct {
	engine.Engine
	places bool
	asked  *[]engine.RouteRequest
}

func (d deaf) Can() engine.Can {
	return engine.Can{Name: "deaf", Calls: []engine.Call{engine.CallRoute}, ExcludedPlaces: d.places}
}

func (d deaf) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	*d.asked = append(*d.asked, *r)
	q := *r
	q.Costing, q.Options = costing.Auto, costing.Settings{}
	return d.Engine.Route(ctx, &q)
}

func roadsOf(t *testing.T, town *towntest.Town) *embedded.Engine {
	t.Helper()
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func request(t *testing.T, town *towntest.Town, c costing.Costing, options string, places ...string) *engine.RouteRequest {
	t.Helper()
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte("{"+options+"}"), &raw); err != nil {
		t.Fatal(err)
	}
	settings, unknown, bad := costing.Parse(c, raw, "")
	if len(unknown)+len(bad) > 0 {
		t.Fatal(unknown, bad)
	}
	r := &engine.RouteRequest{Costing: c, Options: settings, Want: engine.WantLine}
	for _, p := range places {
		r.Locations = append(r.Locations, engine.Location{Point: town.Point(p)})
	}
	return r
}

// passes lists the places that a route comes by.
func passes(town *towntest.Town, r *engine.Route) string {
	var path strings.Builder
	line := r.Line()
	for i, p := range line {
		for _, name := range town.NodePlaces() {
			if geo.Distance(p, town.Point(string(name))) < 2 && !strings.HasSuffix(path.String(), string(name)) {
				path.WriteRune(name)
			}
		}
		_ = i
	}
	return path.String()
}

// rows has two ways round what is closed in the middle, the upper one shorter.
const rows = `
	   f-----------g
	   |           |
	a--b-----c-----d--e
	   |           |
	   h-----i-----j`

func rowsWith(t *testing.T, direct, upper, lower string) *towntest.Town {
	t.Helper()
	return towntest.Draw(t, rows, towntest.Ways{
		{"ab", "primary"}, {"bcd", "primary " + direct}, {"de", "primary"}, {"bfgd", "tertiary " + upper}, {"bhijd", "residential " + lower},
	})
}

func TestWhatDoesNotBindInTheEngineIsEnforced(t *testing.T) {
	const tunnel = "tunnel=yes hazmat:adr_tunnel_cat="
	for _, c := range []struct {
		name, direct, upper, lower string
		costing                    costing.Costing
		options, path              string
		judged                     []costing.Option
	}{
		{"nothing is closed", "", "", "", costing.Truck, `"adr_tunnel_code":"B"`, "abcde", nil},
		{"a tunnel", tunnel + "C", "", "", costing.Truck, `"adr_tunnel_code":"C","hazmat":true`, "abfgde", nil},
		{"a tunnel that the load may pass", tunnel + "C", "", "", costing.Truck, `"adr_tunnel_code":"D","hazmat":true`, "abcde", nil},
		{"two tunnels", tunnel + "C", tunnel + "E", "", costing.Truck, `"adr_tunnel_code":"C/E"`, "abhijde", nil},
		{"no dangerous goods", "hazmat=no", "", "", costing.Truck, `"hazmat":true`, "abfgde", nil},
		{"a low bridge", "maxheight=3.5", "", "", costing.Truck, `"height":4`, "abfgde", nil},
		{"a low bridge for a usual lorry", "maxheight=3.5", "", "", costing.Truck, ``, "abfgde", nil},
		{"a weak bridge", "maxweight=7.5", "", "", costing.Truck, `"weight":12`, "abfgde", nil},
		{"a weak bridge and a narrow road", "maxweight=7.5", "maxwidth=2", "", costing.Truck, `"weight":12,"width":2.5`, "abhijde", nil},
		{"a car knows no limits that it does not set", "maxheight=1.7", "", "", costing.Auto, ``, "abcde", nil},
		{"no lorries", "hgv=no", "", "", costing.Truck, ``, "abfgde", nil},
		{"no lorries in this direction", "hgv:forward=no", "", "", costing.Truck, ``, "abfgde", nil},
		{"no lorries in the other direction", "hgv:backward=no", "", "", costing.Truck, ``, "abcde", nil},
		{"no lorries, and a low bridge", "hgv=no", "maxheight=3.5", "", costing.Truck, ``, "abhijde", nil},
		{"lorries to their destination", "hgv=destination", "", "", costing.Truck, ``, "abcde", nil},
		{"lorries by permit", "hgv=private", "", "", costing.Truck, ``, "abcde", nil},
		{"no heavy lorries", `hgv:conditional="no @ (weight>7.5)"`, "", "", costing.Truck, `"weight":12`, "abfgde", nil},
		{"a lorry that access is nothing to", "hgv=no", "", "", costing.Truck, `"ignore_access":true`, "abcde", nil},
		{"no buses", "bus=no", "", "", costing.Bus, ``, "abfgde", nil},
		{"no motorcycles", "motorcycle=no", "", "", costing.Motorcycle, ``, "abfgde", nil},
		{"no mopeds", "moped=no", "", "", costing.MotorScooter, ``, "abfgde", nil},
		{"cars are not lorries", "hgv=no", "", "", costing.Auto, ``, "abcde", nil},
		{"a camper", "maxheight=2.5", "", "", costing.Auto, `"height":3`, "abfgde", nil},
	} {
		town := rowsWith(t, c.direct, c.upper, c.lower)
		roads := roadsOf(t, town)
		for _, places := range []bool{true, false} {
			name := c.name + ", by excluded places"
			if !places {
				name = c.name + ", led by places"
			}
			t.Run(name, func(t *testing.T) {
				var asked []engine.RouteRequest
				e := audited.New(deaf{roads, places, &asked}, roads)
				r := request(t, town, c.costing, c.options, "a", "e")
				a, err := e.Route(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				if path := passes(town, &a.Routes[0]); path != c.path {
					t.Errorf("the route passes %q, want %q", path, c.path)
				}
				if n := len(a.Routes[0].Waypoints); n != 2 || a.Routes[0].Legs[0].To != 1 || len(a.Routes[0].Legs) != 1 {
					t.Errorf("%d waypoints and the legs %+v, want those of the request", n, a.Routes[0].Legs)
				}
				if c.costing == costing.Auto && c.options == "" {
					if a.Audit != nil {
						t.Errorf("audit %+v of what needs none", a.Audit)
					}
					return
				}
				if x := a.Audit; x == nil || x.Unknown != 0 || x.Asked != len(asked) || (c.path != "abcde") != (len(x.Kept) > 0) || len(x.Options) == 0 && !x.Access {
					t.Errorf("audit %+v of %d calls", x, len(asked))
				}
			})
		}
	}
}

func TestNoLegalWayNamesWhatBlocks(t *testing.T) {
	const tunnel = "tunnel=yes hazmat:adr_tunnel_cat="
	town := rowsWith(t, tunnel+"C", tunnel+"D", tunnel+"E")
	roads := roadsOf(t, town)
	for _, places := range []bool{true, false} {
		var asked []engine.RouteRequest
		_, err := audited.New(deaf{roads, places, &asked}, roads).Route(t.Context(), request(t, town, costing.Truck, `"adr_tunnel_code":"C","hazmat":true`, "a", "e"))
		var e *fault.Error
		if !errors.As(err, &e) || engine.Code(err) != engine.CodeNoRoute {
			t.Fatalf("the answer is %v", err)
		}
		blocked, _ := e.Fields["blocked_by"].(map[string]any)
		if blocked["constraint"] != "adr_tunnel_code" || blocked["way_id"] != town.WayID("bcd") || !strings.Contains(e.Detail, "category C") {
			t.Errorf("refused with %q and %v", e.Detail, e.Fields)
		}
		if len(asked) > audited.MostCalls {
			t.Errorf("the engine was asked %d times", len(asked))
		}
	}
}

// TestLorriesWhereNoneMayDrive asks for a lorry between places whose nearest roads are closed to
// lorries: the way begins and ends on those beside them that are open. Where none leads on, the
// refusal names the class of the vehicle.
func TestLorriesWhereNoneMayDrive(t *testing.T) {
	town := towntest.Draw(t, `
	1           2
	a--b-----c--d
	|  |     |  |
	e--f-----g--h`, towntest.Ways{{"abcd", "residential hgv=no"}, {"ae", "residential"}, {"dh", "residential"}, {"bf", "residential"}, {"cg", "residential"}, {"efgh", "residential maxspeed=20"}})
	roads := roadsOf(t, town)
	var asked []engine.RouteRequest
	r := request(t, town, costing.Truck, "", "1", "2")
	a, err := audited.New(deaf{roads, false, &asked}, roads).Route(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if path := passes(town, &a.Routes[0]); path != "aefghd" {
		t.Errorf("the route passes %q", path)
	}
	for i, w := range a.Routes[0].Waypoints {
		if w.Location.Point != r.Locations[i].Point {
			t.Errorf("waypoint %d is %v, want that of the request", i, w.Location.Point)
		}
	}
	if !a.Audit.Access || len(a.Audit.Kept) == 0 || a.Audit.Kept[0].Option != 0 {
		t.Errorf("audit %+v", a.Audit)
	}

	shut := rowsWith(t, "hgv=no", "motor_vehicle=yes hgv=no", "hgv=no")
	_, err = audited.New(deaf{roadsOf(t, shut), false, &asked}, roadsOf(t, shut)).Route(t.Context(), request(t, shut, costing.Truck, "", "a", "e"))
	var e *fault.Error
	if !errors.As(err, &e) || engine.Code(err) != engine.CodeNoRoute {
		t.Fatalf("the answer is %v", err)
	}
	if blocked, _ := e.Fields["blocked_by"].(map[string]any); blocked["constraint"] != "costing" || blocked["value"] != "truck" || blocked["way_id"] != shut.WayID("bcd") {
		t.Errorf("refused with %q and %v", e.Detail, e.Fields)
	}
}

// TestWhatIsOpenIsClaimedWhereItWasJudged has an OSRM that may be one for cars carry a lorry: without
// roads to judge it by the answer says that closed ones may be travelled, and with them it does not.
func TestWhatIsOpenIsClaimedWhereItWasJudged(t *testing.T) {
	town := rowsWith(t, "", "", "")
	roads := roadsOf(t, town)
	line := geo.EncodePolyline([]geo.Point{town.Point("a"), town.Point("b"), town.Point("c"), town.Point("d"), town.Point("e")}, 6)
	at := func(name string) string {
		p := town.Point(name)
		return fmt.Sprintf(`{"location":[%.6f,%.6f],"distance":0,"name":""}`, p.Lon, p.Lat)
	}
	text, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	end, err := json.Marshal(geo.EncodePolyline([]geo.Point{town.Point("e"), town.Point("e")}, 6))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		step := func(kind, name string, text []byte) string {
			p := town.Point(name)
			return fmt.Sprintf(`{"geometry":%s,"distance":1800,"duration":100,"weight":100,"name":"","mode":"driving","maneuver":{"type":"%s","location":[%.6f,%.6f],"bearing_before":0,"bearing_after":90},"intersections":[]}`, text, kind, p.Lon, p.Lat)
		}
		_, _ = fmt.Fprintf(w, `{"code":"Ok","waypoints":[%s,%s],"routes":[{"geometry":%s,"distance":1800,"duration":100,"weight":100,"legs":[{"distance":1800,"duration":100,"weight":100,"summary":"","steps":[%s,%s]}]}]}`,
			at("a"), at("e"), text, step("depart", "a", text), step("arrive", "e", end))
	}))
	defer server.Close()
	e := osrm.New(map[costing.Costing]string{costing.Truck: server.URL}, nil)
	r := request(t, town, costing.Truck, "", "a", "e")
	says := func(e engine.Engine) bool {
		t.Helper()
		a, err := e.Route(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(a.Warnings, func(w engine.Warning) bool { return w.Of == "costing" })
	}
	if !says(e) {
		t.Error("an answer that nobody judged claims that its roads are open to a lorry")
	}
	if says(audited.New(e, roads)) {
		t.Error("a judged answer says that its roads may be closed")
	}
}

// stubborn returns the same route to every request.
type stubborn struct{ deaf }

func (s stubborn) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	q := *r
	q.ExcludeLocations, q.ExcludePolygons = nil, nil
	*s.asked = append(*s.asked, *r)
	inner := s.deaf
	inner.asked = new([]engine.RouteRequest)
	return inner.Route(ctx, &q)
}

func TestAnEngineThatDoesNotListenIsAskedSoOften(t *testing.T) {
	town := rowsWith(t, "tunnel=yes hazmat:adr_tunnel_cat=B", "", "")
	roads := roadsOf(t, town)
	var asked []engine.RouteRequest
	_, err := audited.New(stubborn{deaf{roads, true, &asked}}, roads).Route(t.Context(), request(t, town, costing.Truck, `"adr_tunnel_code":"B"`, "a", "e"))
	if engine.Code(err) != engine.CodeNoRoute || len(asked) != audited.MostCalls {
		t.Errorf("%v after %d calls, want a refusal after %d", err, len(asked), audited.MostCalls)
	}
	if last := asked[len(asked)-1]; len(last.ExcludeLocations) != 1 || len(last.ExcludePolygons) != audited.MostCalls-2 {
		t.Errorf("the last call excludes %d places and %d areas", len(last.ExcludeLocations), len(last.ExcludePolygons))
	}
	if len(asked[0].ExcludeLocations) != 0 {
		t.Error("the first call excludes places that nobody named")
	}
}

// The engine's roads may be of another day than the region's.
func TestWhatTheRegionLacksIsNotClaimed(t *testing.T) {
	newer := rowsWith(t, "", "", "")
	older := towntest.Draw(t, rows, towntest.Ways{{"ab", "primary"}, {"de", "primary"}, {"bfgd", "tertiary"}, {"bhijd", "residential"}})
	var asked []engine.RouteRequest
	a, err := audited.New(deaf{roadsOf(t, newer), true, &asked}, roadsOf(t, older)).Route(t.Context(), request(t, newer, costing.Truck, `"adr_tunnel_code":"B"`, "a", "e"))
	if err != nil {
		t.Fatal(err)
	}
	want := geo.Distance(newer.Point("b"), newer.Point("d"))
	if x := a.Audit; x == nil || x.Enforces(costing.ADRTunnelCode) || x.Unknown < want-5 || x.Unknown > want+5 || a.Routes[0].Tunnels != nil {
		t.Errorf("audit %+v with the tunnels %v, want some %.0f m unknown", x, a.Routes[0].Tunnels, want)
	}
}

// A street over a tunnel is no tunnel, and one in another place is not excluded with it.
func TestAStreetOverATunnel(t *testing.T) {
	town := towntest.Draw(t, `
		   k  l
		   |  |
		a--b--c--d
		   |  |
		   m--n`, towntest.Ways{{"ab", "primary"}, {"bcd", "primary"}, {"kbm", "tertiary"}, {"lcn", "tertiary layer=-1 tunnel=yes tunnel:category=E"}, {"mn", "tertiary"}})
	roads := roadsOf(t, town)
	var asked []engine.RouteRequest
	a, err := audited.New(deaf{roads, true, &asked}, roads).Route(t.Context(), request(t, town, costing.Truck, `"adr_tunnel_code":"E"`, "a", "d"))
	if err != nil || len(asked) != 1 || passes(town, &a.Routes[0]) != "abcd" || len(a.Routes[0].Tunnels) != 0 {
		t.Errorf("%v after %d calls", err, len(asked))
	}
}

func TestTunnelsAreTold(t *testing.T) {
	town := rowsWith(t, "tunnel=yes hazmat:adr_tunnel_cat=C", "", "")
	roads := roadsOf(t, town)
	var asked []engine.RouteRequest
	r := request(t, town, costing.Truck, ``, "a", "e")
	r.Want |= engine.WantTunnels
	a, err := audited.New(deaf{roads, true, &asked}, roads).Route(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if list := a.Routes[0].Tunnels; len(list) != 1 || list[0].Category != "C" || list[0].WayID != town.WayID("bcd") || geo.Distance(list[0].Location, town.Point("b")) > 2 {
		t.Errorf("tunnels %+v", list)
	}
}

func TestACallerWhoWentAwayIsNotJudged(t *testing.T) {
	town := rowsWith(t, "", "", "")
	roads := roadsOf(t, town)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var asked []engine.RouteRequest
	if _, err := audited.New(deaf{roads, true, &asked}, roads).Route(ctx, request(t, town, costing.Truck, ``, "a", "e")); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestJudgedOptionsAreThoseThatDoNotBind(t *testing.T) {
	town := rowsWith(t, "", "", "")
	roads := roadsOf(t, town)
	var asked []engine.RouteRequest
	a, err := audited.New(deaf{roads, true, &asked}, roads).Route(t.Context(), request(t, town, costing.Truck, `"height":3,"adr_tunnel_code":"(—)"`, "a", "e"))
	if err != nil {
		t.Fatal(err)
	}
	if !a.Audit.Enforces(costing.Height) || a.Audit.Enforces(costing.ADRTunnelCode) || a.Audit.Enforces(costing.Hazmat) || !slices.Contains(a.Audit.Options, costing.Weight) {
		t.Errorf("judged %v", a.Audit.Options)
	}
}

// warns is an engine that warns of options it did not heed, and heeds weights in some versions
// only.
type warns struct{ deaf }

func (w warns) Can() engine.Can {
	can := w.deaf.Can()
	can.Vehicles = true
	can.Doubts = func(_ costing.Costing, o costing.Option) engine.OptionSupport {
		return map[costing.Option]engine.OptionSupport{costing.Weight: engine.Unsure, costing.Length: engine.Unheeded}[o]
	}
	return can
}

func (w warns) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	a, err := w.deaf.Route(ctx, r)
	if err == nil {
		for _, o := range []string{"weight", "height"} {
			a.Warnings = append(a.Warnings, engine.Warning{Code: engine.WarnOption, Text: o + " had no effect", Of: "costing_options.auto." + o})
		}
	}
	return a, err
}

// TestDoubtfulOptionsAreJudged has an engine that heeds sizes, but for two: these are judged,
// and a warning that one of them had no effect is none any more.
func TestDoubtfulOptionsAreJudged(t *testing.T) {
	town := rowsWith(t, "", "", "")
	roads := roadsOf(t, town)
	var asked []engine.RouteRequest
	ctx, note := engine.WithNote(t.Context())
	a, err := audited.New(warns{deaf{roads, true, &asked}}, roads).Route(ctx, request(t, town, costing.Auto, `"weight":3,"height":2,"length":5`, "a", "e"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Audit.Options, []costing.Option{costing.Length, costing.Weight}) || note.Audit() != a.Audit {
		t.Errorf("judged %v, noted %v", a.Audit.Options, note.Audit())
	}
	if len(a.Warnings) != 1 || a.Warnings[0].Of != "costing_options.auto.height" {
		t.Errorf("warnings %v", a.Warnings)
	}
}

// admission counts what is admitted.
type admission struct{ kinds []string }

func (a *admission) Work(ctx context.Context, e engine.Estimate) (context.Context, func(bool), error) {
	a.kinds = append(a.kinds, e.Kind)
	return ctx, func(bool) {}, nil
}

// TestSearchesAreAdmitted checks that judging, and the search for a legal way that leads an
// engine, wait for a processor as all work does: the engine's call has none.
func TestSearchesAreAdmitted(t *testing.T) {
	town := rowsWith(t, "maxheight=3", "", "")
	roads := roadsOf(t, town)
	var asked []engine.RouteRequest
	r := request(t, town, costing.Truck, `"height":4`, "a", "e")
	var all admission
	if _, err := audited.New(deaf{roads, false, &asked}, roads).Route(engine.WithAdmission(t.Context(), &all), r); err != nil {
		t.Fatal(err)
	}
	want := roads.Estimate(engine.CallRoute, r).Kind
	if len(asked) < 2 || !slices.Contains(all.kinds, "judge") || !slices.Contains(all.kinds, want) {
		t.Errorf("asked %d times, admitted %q, want judge and %q", len(asked), all.kinds, want)
	}
}
