package basemap

import "testing"

func TestRoadRoute(t *testing.T) {
	interstate := signed{network: "US:I", ref: "95", road: true}
	state := signed{network: "US:DE", ref: "1", road: true}
	europe := signed{network: "e-road", ref: "E 30", road: true}
	tram := signed{network: "TfL", ref: "4"}
	for _, c := range []struct {
		name   string
		ref    string
		routes []signed
		want   string // network
	}{
		{"the number of the route", "I 95", []signed{state, interstate}, "US:I"},
		{"no number of its own", "", []signed{state, interstate}, "US:I"},
		{"another number", "M 4", []signed{europe}, ""},
		{"several numbers", "E 30;M 4", []signed{europe}, "e-road"},
		{"rails", "4", []signed{tram}, ""},
		{"no route", "A 48", nil, ""},
	} {
		if got, ok := roadRoute(c.routes, c.ref); got.network != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, want %q", c.name, got.network, c.want)
		}
	}
}

func TestTransitLines(t *testing.T) {
	a, b := signed{ref: "U2", colour: "#f00"}, signed{ref: "U1", colour: "#f00"}
	if refs, colour := transitLines([]signed{a, b, a, {ref: "95", road: true}}); refs != "U1, U2" || colour != "#f00" {
		t.Errorf("lines %q in %q", refs, colour)
	}
	if _, colour := transitLines([]signed{a, {ref: "U3", colour: "blue"}}); colour != "" {
		t.Errorf("lines of two colours have %q", colour)
	}
}
