package costing_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/costing"
)

// TestRounded checks what rounding may do to a number: a vehicle is never taken to
// be smaller than it is, nothing becomes a bound that was none, and what was
// rounded is not rounded again.
func TestRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(costing.All[:]).Draw(t, "costing")
		o := rapid.SampledFrom(costing.Of(c)).Draw(t, "option")
		row := o.Row()
		if row.Kind != costing.Number {
			return
		}
		v := rapid.Float64Range(row.Min, row.Max).Draw(t, "value")
		got := row.Rounded(c, v)
		step := 0.0
		if row.PerUnit > 0 {
			step = 1 / row.PerUnit
		}
		switch {
		case got < row.Min || got > row.Max || math.Abs(got-v) > step+1e-9:
			t.Fatalf("%s: %g becomes %g", o, v, got)
		case row.Effect == costing.Closing && got < v-1e-6:
			t.Fatalf("%s: %g is taken to be %g", o, v, got)
		case row.Effect != costing.Closing && (got == row.Min) != (v == row.Min) || row.Effect == costing.DearerClosing && (got == row.Max) != (v == row.Max):
			t.Fatalf("%s: %g becomes the bound %g", o, v, got)
		case row.Rounded(c, got) != got:
			t.Fatalf("%s: %g becomes %g, and that %g", o, v, got, row.Rounded(c, got))
		}
	})
}

// TestRoundedOptions reads options: those that differ for no road are the
// same to the kernel, the default is the default, and steps are what they seem.
func TestRoundedOptions(t *testing.T) {
	for _, x := range []struct {
		by         costing.Costing
		name       string
		sent, want float64
	}{
		{costing.Truck, "height", 4.11, 4.11}, // the default
		{costing.Truck, "height", 4.12, 4.15},
		{costing.Truck, "height", 4.15, 4.15},
		{costing.Truck, "weight", 3.5, 3.5},
		{costing.Truck, "weight", 7.51, 7.6},
		{costing.Truck, "length", 16.5, 16.5},
		{costing.Auto, "top_speed", 129.7, 130},
		{costing.Auto, "use_tolls", 0.01, 0.05},
		{costing.Auto, "use_tolls", 0, 0},
		{costing.Auto, "use_tolls", 0.5, 0.5},
		{costing.Auto, "fixed_speed", 0.3, 1}, // 0 would be off
		{costing.Bicycle, "avoid_bad_surfaces", 0.99, 0.95},
		{costing.Pedestrian, "walking_speed", 5.08, 5.1},
		{costing.Auto, "gate_penalty", 12.4, 12},
	} {
		s, _, bad := costing.Parse(x.by, map[string]json.RawMessage{x.name: json.RawMessage(fmt.Sprint(x.sent))}, "")
		o := s.Of(x.by)
		if got := costing.Find(x.name).Row().Get(&o); len(bad) > 0 || got != x.want {
			t.Errorf("%s %s %g is taken as %g, want %g %v", x.by, x.name, x.sent, got, x.want, bad)
		}
	}
}
