package tags

import (
	"math"
	"testing"

	"github.com/waygate/waygate/osm"
)

func TestSpeed(t *testing.T) {
	for v, want := range map[string]uint8{
		"": 0, "50": 50, "50 km/h": 50, "50km/h": 50, "50 kmh": 50, "50 kph": 50, " 50 ": 50, "30 mph": 48, "30mph": 48, "30 MPH": 48,
		"20 mph": 32, "40 mph": 64, "60 mph": 97, "70 mph": 113, "5 mph": 8, "10 knots": 19, "7.5": 8, "7,5": 8,
		"none": 140, "walk": 5, "DE:walk": 5, "national": 97, "GB:national": 97, "GB:nsl_single": 97, "gb:nsl_dual": 113, "GB:motorway": 113,
		"UK:nsl_restricted": 48, "GB:nsl_restricted": 48, "GB:zone20": 32, "GB:zone30": 48, "DE:zone30": 30, "DE:zone:30": 30, "DE:urban": 50,
		"DE:rural": 100, "DE:motorway": 140, "FR:rural": 80, "IT:urban": 50, "XX:rural": 90, "XX:mystery": 0, "DE:living_street": 20,
		"50;70": 50, "50; 30": 50, "500": 252, "1e9": 0, "-30": 0, "0": 0, "0.4": 0, "signals": 0, "variable": 0, "30 furlongs": 0, "mph": 0, ".": 0, "1.2.3": 0,
		"99999999999999999999999": 252,
	} {
		if got := Speed(v); got != want {
			t.Errorf("%q: %d km/h, want %d", v, got, want)
		}
	}
}

func TestMetres(t *testing.T) {
	for v, want := range map[string]float64{
		"": 0, "3.5": 3.5, "3,5": 3.5, "3.5 m": 3.5, "3.5m": 3.5, "3.5 metres": 3.5, "3.5 M": 3.5, "350 cm": 3.5, "0.35 km": 350, " 4 ": 4,
		"11'6\"": 3.5052, "11' 6\"": 3.5052, "11'6": 3.5052, "11'6''": 3.5052, "11′6″": 3.5052, "11’6”": 3.5052, "11 ft 6 in": 3.5052, "11ft6in": 3.5052,
		"11 ft": 3.3528, "11 feet": 3.3528, "11'": 3.3528, "11'0\"": 3.3528, "138\"": 3.5052, "138 in": 3.5052, "6'6.5\"": 1.9939,
		"4.2;4.0": 4, "4.2; none": 4.2, "default": 0, "none": 0, "no_indications": 0, "below_default": 0, "no_sign": 0, "unsigned": 0,
		"-3": 0, "0": 0, "3.5 parsecs": 0, "'": 0, "'6": 0, "11'x": 0, "x'6": 0, "11'6x": 0, "3.5.1": 0, "m": 0,
	} {
		if got := Metres(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %v m, want %v", v, got, want)
		}
	}
}

func TestTonnes(t *testing.T) {
	for v, want := range map[string]float64{
		"": 0, "7.5": 7.5, "7,5": 7.5, "7.5 t": 7.5, "7.5t": 7.5, "7.5T": 7.5, "7.5 tonnes": 7.5, "7.5t mgw": 7.5, "7.5 mgw": 7.5, "3500 kg": 3.5,
		"10000 lbs": 4.5359237, "5 st": 4.5359237, "10 lt": 10.160469088, "20 cwt": 1.0160469088, "18;7.5": 7.5,
		"none": 0, "default": 0, "unsigned": 0, "-2": 0, "0": 0, "7.5 stone": 0, "t": 0,
	} {
		if got := Tonnes(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %v t, want %v", v, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for v, want := range map[string]int{
		"": 0, "45": 2700, "00:45": 2700, "1:30": 5400, "01:30:30": 5430, "26:00": 93600, "PT45M": 2700, "PT1H30M": 5400, "pt1h": 3600,
		"PT30S": 30, "P1DT2H": 93600, "P2D": 172800, "PT": 0, "P": 0, "PT1X": 0, "1:2:3:4": 0, "about an hour": 0, "-5": 0, "+5": 0, ":": 0, "1::2": 0,
		"999999999999": 0, "99999:99999:99999": 0, "PT999999999999H": 0, "PT2000000H2000000H": 0, "0": 0,
	} {
		if got := Duration(v); got != want {
			t.Errorf("%q: %d s, want %d", v, got, want)
		}
	}
}

func TestTunnelCategory(t *testing.T) {
	for _, c := range []struct {
		tags string
		want byte
	}{
		{"tunnel=yes", 0},
		{"hazmat:adr_tunnel_cat=C", 'C'},
		{"hazmat:adr_tunnel_cat=c", 'C'},
		{"hazmat:adr_tunnel_cat= ADR D ", 'D'},
		{"hazmat:adr_tunnel_cat=Category E", 'E'},
		{"tunnel:category=B", 'B'},
		{"adr_tunnel_category=D", 'D'},
		{"hazmat:tunnel_category=A", 'A'},
		{"tunnel_category=E", 'E'},
		{"hazmat:adr_tunnel_cat=C;E", 'E'},
		{"hazmat:adr_tunnel_cat=C|tunnel:category=D", 'D'},
		{"hazmat:C=no", 'C'},
		{"hazmat:D=designated", 'D'},
		{"hazmat:B=no|hazmat:E=no", 'E'},
		{"hazmat:C=yes", 0},
		{"hazmat:adr_tunnel_cat=F", 0},
		{"hazmat:adr_tunnel_cat=CD", 0},
		{"hazmat:adr_tunnel_cat=none", 0},
		{"hazmat=no", 0},
	} {
		if got := TunnelCategory(parse(c.tags)); got != c.want {
			t.Errorf("%s: %q, want %q", c.tags, got, c.want)
		}
		// The same through the whole of a way.
		w, ok := Read(append(parse(c.tags), osm.Tag{Key: "highway", Value: "primary"}), &nowhere)
		if !ok || w.Forward.Limits.Tunnel != c.want || w.Backward.Limits.Tunnel != c.want {
			t.Errorf("%s: on a way %q and %q, want %q", c.tags, w.Forward.Limits.Tunnel, w.Backward.Limits.Tunnel, c.want)
		}
	}
}
