package route_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

// The services beside route answer in OSRM's form, cost what route
// costs, and fail in its envelope.
func TestOSRMServices(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{MonthlyQuota: 10_000})
	path := func(places string) string {
		var list []string
		for _, p := range places {
			at := town.Point(string(p))
			list = append(list, fmt.Sprintf("%.6f,%.6f", at.Lon, at.Lat))
		}
		return strings.Join(list, ";")
	}
	for _, c := range []struct{ service, coordinates, query, member string }{
		{"table", path("adg"), "annotations=duration,distance", "distances"},
		{"nearest", path("e"), "number=2", "waypoints"},
		{"match", path("abcd"), "overview=full&steps=true", "matchings"},
		{"trip", path("agd"), "roundtrip=false&source=first", "trips"},
		{"route", path("ad"), "steps=true&voice_instructions=true&banner_instructions=true&annotations=true", "routes"},
	} {
		for profile, units := range map[string]string{"driving": "1", "truck": "20"} {
			r := g.Send("GET", "/"+c.service+"/v1/"+profile+"/"+c.coordinates+"?"+c.query, "", apitest.Bearer(k.Secret)...)
			var a map[string]json.RawMessage
			if err := json.Unmarshal(r.Body, &a); err != nil || r.Status != 200 || string(a["code"]) != `"Ok"` || len(a[c.member]) < 3 {
				t.Errorf("%s %s: %d %s", profile, c.service, r.Status, r.Body)
			}
			if got := r.Header.Get("X-Svc-Quota-Units"); got != units {
				t.Errorf("%s %s costs %s units, want %s", profile, c.service, got, units)
			}
		}
	}
	for what, want := range map[string]struct {
		status        int
		code, message string
	}{
		"/table/v1/plane/" + path("ad"):                 {400, "InvalidValue", "driving"},
		"/table/v1/car/" + path("a") + ";0,0":           {400, "NoSegment", "coordinate 1"},
		"/nearest/v1/car/0,0":                           {400, "NoSegment", "no road"},
		"/nearest/v1/car/" + path("ad"):                 {400, "TooBig", "2 coordinates"},
		"/nearest/v1/car":                               {400, "InvalidUrl", "/nearest/v1/{profile}/{coordinates}"},
		"/match/v1/car/" + path("ad") + "?gaps=none":    {400, "InvalidValue", "split"},
		"/trip/v1/car/" + path("a"):                     {400, "InvalidOptions", "two"},
		"/route/v1/car/" + path("ad") + "?snapping=off": {400, "InvalidValue", "snapping"},
	} {
		if message := g.Send("GET", what, "").Envelope(t, want.status, want.code); !strings.Contains(message, want.message) {
			t.Errorf("%s: %q does not say %q", what, message, want.message)
		}
	}
	plain := apitest.Start(t) // its engine finds routes only
	for _, service := range []string{"table", "nearest", "match", "trip"} {
		if message := plain.Send("GET", "/"+service+"/v1/driving/9.5,47.1;9.6,47.2", "").Envelope(t, 501, "InvalidOptions"); !strings.Contains(message, service) {
			t.Errorf("%s: %q", service, message)
		}
	}
	if r := g.Send("POST", "/table/v1/driving/"+path("ad"), ""); r.Status != 405 {
		t.Errorf("POST: %d %s", r.Status, r.Body)
	}
}
