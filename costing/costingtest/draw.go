// Package costingtest draws options for tests, from the table.
package costingtest

import (
	"math/rand/v2"

	"github.com/waygate/waygate/costing"
)

// Draw draws the options of a traveller, each at its usual value, at an end of
// its range or within it. Few of them follow no law: ask for another measure
// than weighted time, or ignore rules.
func Draw(r *rand.Rand, c costing.Costing) costing.Options {
	o := costing.Default(c)
	change := 1 + r.IntN(4)
	lawless := r.IntN(6) == 0
	for _, x := range costing.Of(c) {
		row := x.Row()
		if row.Effect == costing.Unbounded && !lawless {
			continue
		}
		switch row.Kind {
		case costing.Bool:
			if r.IntN(12) == 0 {
				row.Set(&o, 1)
			}
		case costing.Choice:
			if r.IntN(8) < change {
				row.Set(&o, Value(r, x))
			}
		default:
			if r.IntN(4) < change {
				row.Set(&o, Value(r, x))
			}
		}
	}
	return o
}

// most is the largest factor that is drawn within a range: what roads cost with
// far larger ones is the most that a road may cost.
const most = 20

// Value draws a value of an option, an end of its range or one within it.
func Value(r *rand.Rand, x costing.Option) float64 {
	row := x.Row()
	high := row.Max
	switch {
	case row.Kind == costing.Bool:
		return float64(r.IntN(2))
	case row.Kind == costing.Choice:
		return row.Code(row.Values[r.IntN(len(row.Values))])
	case row.Effect == costing.Multiplying:
		high = most
	}
	switch r.IntN(4) {
	case 0:
		return row.Min
	case 1:
		return row.Max
	}
	if row.Kind == costing.Integer {
		return row.Min + float64(r.IntN(int(row.Max-row.Min)+1))
	}
	return row.Min + r.Float64()*(high-row.Min)
}

// Near draws options of which a few differ from the usual ones, and not by far.
func Near(r *rand.Rand, c costing.Costing) costing.Options {
	o := costing.Default(c)
	for range 1 + r.IntN(3) {
		all := costing.Of(c)
		row := all[r.IntN(len(all))].Row()
		usual := row.Get(&o)
		switch {
		case row.Unit == "seconds":
			row.Set(&o, usual*(0.2+1.2*r.Float64())+float64(r.IntN(2)))
		case row.Unit == "km/h" && usual > 0:
			row.Set(&o, usual*(0.8+0.5*r.Float64()))
		case row.Kind == costing.Number && row.Max == 1 && row.Effect == costing.Cheaper:
			row.Set(&o, r.Float64())
		}
	}
	switch r.IntN(6) {
	case 0:
		o.ManeuverPenalty = float64(r.IntN(1000))
	case 1:
		o.ManeuverPenalty = 1000 * r.Float64()
	case 2:
		o.WalkingSpeed *= 0.8 + 0.5*r.Float64()
		o.CyclingSpeed *= 0.8 + 0.5*r.Float64()
	case 3:
		if c.Motorised() {
			o.UseHighways, o.UseTolls = 0.5+0.5*r.Float64(), 0.5+0.5*r.Float64()
		}
	}
	return o
}
