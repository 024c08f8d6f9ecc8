package ev_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/ev"
)

var mild = ev.Weather{Temperature: 20}

// kWhPer100 returns the energy that steady driving at a speed in km/h takes.
func kWhPer100(v *ev.Vehicle, kph float64, w ev.Weather) float64 {
	return v.Energy(ev.Piece{Metres: 100e3, Seconds: 100 / kph * 3600}, kph/3.6, w) / 1000
}

func TestConsumption(t *testing.T) {
	v := ev.Usual()
	if at90, at120 := kWhPer100(&v, 90, mild), kWhPer100(&v, 120, mild); at90 < 12 || at90 > 20 || at120 < 1.2*at90 || at120 > 1.7*at90 {
		t.Errorf("%.1f kWh for 100 km at 90 km/h, %.1f at 120", at90, at120)
	}
	if kWhPer100(&v, 50, ev.Weather{Temperature: -10}) < 1.2*kWhPer100(&v, 50, mild) {
		t.Error("cold takes nothing")
	}
	if kWhPer100(&v, 100, ev.Weather{Temperature: 20, Headwind: 8}) <= kWhPer100(&v, 100, mild) {
		t.Error("headwind takes nothing")
	}
	v.Calibrate(0.2, 60/3.6)
	if got := kWhPer100(&v, 60, mild); math.Abs(got-20) > 0.05 {
		t.Errorf("made to take 20 kWh for 100 km it takes %.2f", got)
	}
	// The example of HERE's table.
	table := ev.Vehicle{Table: []ev.TablePoint{{0, 0.239}, {27 / 3.6, 0.239}, {60 / 3.6, 0.196}, {90 / 3.6, 0.238}, {120 / 3.6, 0.337}}, Ascent: 9, Descent: 4.3}
	if got := kWhPer100(&table, 75, mild); math.Abs(got-21.7) > 0.01 {
		t.Errorf("between two speeds of a table: %.2f", got)
	}
	if up := table.Energy(ev.Piece{Metres: 1000, Seconds: 60, Climb: 50}, 0, mild); math.Abs(up-196-450) > 0.01 {
		t.Errorf("uphill by a table: %.2f", up)
	}
}

// A way up and down takes more than level ground, and never less than nothing in a loop; no
// more comes back than the efficiency lets.
func TestHillsTakeEnergy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := ev.Usual()
		v.Mass = rapid.Float64Range(300, 20_000).Draw(t, "mass")
		p := ev.Piece{Metres: rapid.Float64Range(100, 10_000).Draw(t, "metres")}
		p.Seconds = p.Metres / rapid.Float64Range(3, 36).Draw(t, "speed")
		up, down := p, p
		up.Climb = p.Metres * rapid.Float64Range(0, 0.15).Draw(t, "slope")
		down.Climb = -up.Climb
		level := v.Energy(p, 0, mild)
		loop := v.Energy(up, 0, mild) + v.Energy(down, 0, mild)
		if loop < 2*level*0.97 {
			t.Fatalf("up and down take %.1f Wh, level %.1f", loop, 2*level)
		}
		if back := -v.Energy(down, 0, mild); back > v.Mass*9.81*up.Climb/3600*v.Regain+1e-6 {
			t.Fatalf("%.1f Wh come back of %.1f", back, v.Mass*9.81*up.Climb/3600)
		}
	})
}

// A leg does to a charge what its pieces do one after the other.
func TestLegIsItsPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const full = 1000.0
		energies := rapid.SliceOfN(rapid.Float64Range(-400, 400), 1, 12).Draw(t, "energies")
		leg := ev.LegOf(energies, full)
		charge := rapid.Float64Range(0, full).Draw(t, "charge")
		want, dry := charge, false
		for _, e := range energies {
			want = min(full, want-e)
			dry = dry || want < 0
		}
		if got := leg.Arrive(charge); !dry && math.Abs(got-want) > 1e-6 {
			t.Fatalf("%v from %.1f: %.3f, by pieces %.3f", energies, charge, got, want)
		} else if dry && got > 0 && charge < leg.Need {
			t.Fatalf("%v from %.1f runs dry and arrives with %.1f", energies, charge, got)
		}
	})
}

// The time of charging is the integral over small steps.
func TestChargeSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := ev.Battery{Capacity: 50_000, Curve: []ev.CurvePoint{{0, 80_000}, {0.2, 120_000}, {0.6, 90_000}, {0.6001, 40_000}, {1, 5_000}}}
		station := rapid.Float64Range(3000, 200_000).Draw(t, "station")
		from := rapid.Float64Range(0, 49_000).Draw(t, "from")
		to := rapid.Float64Range(from, 50_000).Draw(t, "to")
		const n = 20_000
		want := 0.0
		for i := range n {
			middle := from + (to-from)*(float64(i)+0.5)/n
			want += (to - from) / n / b.Power(middle/b.Capacity, station) * 3600
		}
		if got := b.ChargeSeconds(from, to, station); math.Abs(got-want) > 1e-3*want+0.01 {
			t.Fatalf("%.0f to %.0f at %.0f W: %.3f s, want %.3f", from, to, station, got, want)
		}
	})
}
