package costing

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/fault"
)

func settings(t *testing.T, c Costing, doc string) (Settings, []string, []fault.Violation) {
	t.Helper()
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(doc), &raw); err != nil {
		t.Fatal(err)
	}
	return Parse(c, raw, "costing_options."+c.String())
}

func TestParse(t *testing.T) {
	s, unknown, bad := settings(t, Truck, `{"height": 4.2, "hazmat": true, "axle_count": 6, "adr_tunnel_code": "D/E", "use_tolls": null, "zzz": 1, "bicycle_type": "Road"}`)
	if len(bad) != 0 || !slices.Equal(unknown, []string{"bicycle_type", "zzz"}) {
		t.Fatalf("unknown %v, bad %v", unknown, bad)
	}
	if o := s.Of(Truck); o.Height != 4.2 || !o.Hazmat || o.AxleCount != 6 || s.Text(ADRTunnelCode) != "D/E" || o.TunnelFrom != 'D' || !s.On(Hazmat) {
		t.Errorf("a given option was not kept: %+v", o)
	}
	if o := s.Of(Truck); s.Given(UseTolls) || o.UseTolls != 0.5 || o.Weight != 21.77 {
		t.Error("null, or nothing, is not the default")
	}
	if !s.Given(Hazmat) || s.Given(BicycleKind) || len(s.Raw()) != 7 {
		t.Error("the options of the costing are mixed up")
	}
	if s.Of(Auto) != Default(Auto) {
		t.Error("what was given for one costing counts for another")
	}
	var none Settings
	if none.Of(Bicycle) != Default(Bicycle) || none.Given(UseTolls) || none.Text(WalkerKind) != "foot" || none.On(Shortest) {
		t.Error("no settings are not the defaults")
	}
}

// Several options that set one thing: it is on where one of them is.
func TestParseTogether(t *testing.T) {
	s, _, _ := settings(t, Auto, `{"include_hov2": true, "include_hov3": false, "include_hot": false, "ignore_non_vehicular_restrictions": true, "ignore_restrictions": false}`)
	if o := s.Of(Auto); !o.IncludeHOV || !o.IgnoreNonVehicular || s.On(IncludeHOV3) || !s.Given(IncludeHOV3) {
		t.Errorf("%+v", o)
	}
	for kind, pace := range map[string]float64{"Road": 25, "City": 18, "Hybrid": 18, "Cross": 20, "Mountain": 16} {
		s, _, _ = settings(t, Bicycle, `{"bicycle_type": "`+kind+`"}`)
		own, _, _ := settings(t, Bicycle, `{"bicycle_type": "`+kind+`", "cycling_speed": 11}`)
		if s.Of(Bicycle).CyclingSpeed != pace || own.Of(Bicycle).CyclingSpeed != 11 {
			t.Errorf("%s: %v and %v km/h", kind, s.Of(Bicycle).CyclingSpeed, own.Of(Bicycle).CyclingSpeed)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		costing    Costing
		doc, field string
		says       string
	}{
		{Truck, `{"height": -1}`, "height", "between 0 and 10 metres"},
		{Truck, `{"height": 10.01}`, "height", "between 0 and 10 metres"},
		{Truck, `{"height": "4"}`, "height", "a number"},
		{Truck, `{"axle_count": 2.5}`, "axle_count", "whole"},
		{Truck, `{"adr_tunnel_code": "F"}`, "adr_tunnel_code", "C5000D"},
		{Auto, `{"gate_penalty": 43201}`, "gate_penalty", "0 and 43200 seconds"},
		{Auto, `{"use_tolls": 1.1}`, "use_tolls", "between 0 and 1"},
		{Auto, `{"shortest": 1}`, "shortest", "true or false"},
		{Auto, `{"top_speed": 5}`, "top_speed", "10 and 252 km/h"},
		{Bicycle, `{"bicycle_type": "road"}`, "bicycle_type", "Mountain"},
		{Pedestrian, `{"max_hiking_difficulty": 7}`, "max_hiking_difficulty", "0 and 6"},
		{Pedestrian, `{"walking_speed": {}}`, "walking_speed", "a number"},
	} {
		_, _, bad := settings(t, c.costing, c.doc)
		if len(bad) != 1 || bad[0].Location != "costing_options."+c.costing.String()+"."+c.field || !strings.Contains(bad[0].Message, c.says) {
			t.Errorf("%s %s: %+v, want one violation of %s that says %q", c.costing, c.doc, bad, c.field, c.says)
		}
	}
}
