package engine

import (
	"encoding/json"
	"errors"
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
	return ParseSettings(c, raw, "costing_options."+string(c))
}

func TestParseSettings(t *testing.T) {
	s, unknown, bad := settings(t, Truck, `{"height": 4.2, "hazmat": true, "axle_count": 6, "adr_tunnel_code": "D/E", "use_tolls": null, "zzz": 1, "bicycle_type": "Road"}`)
	if len(bad) != 0 || !slices.Equal(unknown, []string{"bicycle_type", "zzz"}) {
		t.Fatalf("unknown %v, bad %v", unknown, bad)
	}
	if s.Number("height") != 4.2 || !s.Bool("hazmat") || s.Number("axle_count") != 6 || s.Text("adr_tunnel_code") != "D/E" {
		t.Error("a given option was not kept")
	}
	if s.Given("use_tolls") || s.Number("use_tolls") != 0.5 || s.Number("weight") != 21.77 {
		t.Error("null, or nothing, is not the default")
	}
	if !s.Has("hazmat") || s.Has("bicycle_type") || len(s.Raw()) != 7 {
		t.Error("the options of the costing are mixed up")
	}
}

func TestParseSettingsRefuses(t *testing.T) {
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
		{Auto, `{"use_tolls": 1.1}`, "use_tolls", "between 0 and 1"},
		{Auto, `{"shortest": 1}`, "shortest", "true or false"},
		{Auto, `{"top_speed": 5}`, "top_speed", "10 and 252 km/h"},
		{Bicycle, `{"bicycle_type": "road"}`, "bicycle_type", "Mountain"},
		{Pedestrian, `{"max_hiking_difficulty": 7}`, "max_hiking_difficulty", "0 and 6"},
		{Pedestrian, `{"walking_speed": {}}`, "walking_speed", "a number"},
	} {
		_, _, bad := settings(t, c.costing, c.doc)
		if len(bad) != 1 || bad[0].Location != "costing_options."+string(c.costing)+"."+c.field || !strings.Contains(bad[0].Message, c.says) {
			t.Errorf("%s %s: %+v, want one violation of %s that says %q", c.costing, c.doc, bad, c.field, c.says)
		}
	}
}

// TestOptionTable checks what every reader of the table relies on.
func TestOptionTable(t *testing.T) {
	for _, c := range Costings() {
		seen := map[string]bool{}
		for _, o := range Options(c) {
			if seen[o.Name] {
				t.Errorf("%s has %s twice", c, o.Name)
			}
			seen[o.Name] = true
			if o.Doc == "" {
				t.Errorf("%s.%s is not described", c, o.Name)
			}
			switch o.Kind {
			case Choice:
				if len(o.Values) == 0 || o.Text != "" && !slices.Contains(o.Values, o.Text) {
					t.Errorf("%s.%s: default %q is none of %q", c, o.Name, o.Text, o.Values)
				}
			case Bool:
				if o.Default != 0 {
					t.Errorf("%s.%s: switches are off by default", c, o.Name)
				}
			case Number, Integer:
				// 0 km/h stands for "by bicycle type" below the least speed.
				if o.Min >= o.Max || o.Default > o.Max || o.Default < o.Min && o.Name != "cycling_speed" {
					t.Errorf("%s.%s: default %g in %g to %g", c, o.Name, o.Default, o.Min, o.Max)
				}
			}
		}
	}
	if Options("spaceship") != nil || Costing("spaceship").Known() || Bicycle.Motorised() || !Truck.Motorised() {
		t.Error("the costings are mixed up")
	}
}

// TestTunnelForbids is the table of ADR 8.6.4 in its stricter reading.
func TestTunnelForbids(t *testing.T) {
	for code, open := range map[string]string{
		"B": "A", "B1000C": "A", "B/D": "A", "B/E": "A",
		"C": "AB", "C5000D": "AB", "C/D": "AB", "C/E": "AB",
		"D": "ABC", "D/E": "ABC", "E": "ABCD", "(—)": "ABCDE", "": "ABCDE",
	} {
		for _, category := range []string{"A", "B", "C", "D", "E"} {
			if got := TunnelForbids(code, category); got == strings.Contains(open, category) {
				t.Errorf("a load of code %q in a tunnel of category %s: forbidden is %v", code, category, got)
			}
		}
		if from := ForbiddenFrom(code); from != 0 && (TunnelForbids(code, string(rune(from-1))) || !TunnelForbids(code, string(rune(from)))) {
			t.Errorf("code %q is forbidden from %c, which its table does not say", code, from)
		}
	}
	if TunnelForbids("B", "") {
		t.Error("a tunnel without a category forbids a load")
	}
}

func TestParseTunnelCode(t *testing.T) {
	for in, want := range map[string]string{
		"b/d": "B/D", " (C/E) ": "C/E", "c5000d": "C5000D", "(—)": "(—)", "-": "(—)", "(–)": "(—)", "B 1000 C": "B1000C",
	} {
		if got, ok := ParseTunnelCode(in); !ok || got != want {
			t.Errorf("%q: %q, %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "A", "F", "B/C", "B/D/E", "()", "C5000", "((B))"} {
		if got, ok := ParseTunnelCode(in); ok {
			t.Errorf("%q was read as %q", in, got)
		}
	}
}

func FuzzParseTunnelCode(f *testing.F) {
	for _, code := range TunnelCodes() {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, s string) {
		code, ok := ParseTunnelCode(s)
		if ok != slices.Contains(TunnelCodes(), code) {
			t.Errorf("%q: %q, %v", s, code, ok)
		}
		if again, ok2 := ParseTunnelCode(code); ok && (!ok2 || again != code) {
			t.Errorf("%q is read as %q and that as %q", s, code, again)
		}
	})
}

func TestRefused(t *testing.T) {
	err := Refused(CodeNoRoute, "no way from %d to %d", 0, 1)
	if Code(err) != 442 || !fault.Is(err, fault.Upstream) || err.Fields["upstream_status"] != 400 {
		t.Errorf("%+v", err)
	}
	if Code(errors.New("another")) != 0 || Code(nil) != 0 {
		t.Error("an error without a code has one")
	}
}
