// Package ev plans journeys of electric vehicles: what driving takes out of a
// battery, how long charging takes, and where to stop for it. Arrays in, arrays
// out: it needs no roads and no maps. Energies are watt-hours, powers watts, times
// seconds, speeds metres a second.
package ev

import "math"

// CurvePoint is the power that a battery takes at a state of charge.
type CurvePoint struct {
	Charge float64 // 0 to 1
	Watts  float64
}

// Battery is the battery of a vehicle.
type Battery struct {
	Capacity float64      // usable
	Curve    []CurvePoint // by rising charge, linear between points, level beyond the ends; powers above 0
}

// Power returns the watts that the battery takes at a charge of 0 to 1 from a station that gives
// so much.
func (b *Battery) Power(charge, station float64) float64 {
	c := b.Curve
	if len(c) == 0 || charge <= c[0].Charge {
		if len(c) == 0 {
			return station
		}
		return min(station, c[0].Watts)
	}
	for i := 1; i < len(c); i++ {
		if charge <= c[i].Charge {
			part := (charge - c[i-1].Charge) / (c[i].Charge - c[i-1].Charge)
			return min(station, c[i-1].Watts+(c[i].Watts-c[i-1].Watts)*part)
		}
	}
	return min(station, c[len(c)-1].Watts)
}

// MaxPower returns the most power that the battery takes at any charge from a station that
// gives so much.
func (b *Battery) MaxPower(station float64) float64 {
	if len(b.Curve) == 0 {
		return station
	}
	most := 0.0
	for _, p := range b.Curve {
		most = max(most, p.Watts)
	}
	return min(station, most)
}

// ChargeSeconds returns how long it takes to bring the battery from one energy to
// another at a station: the integral of one over the power, exact where the power
// is linear.
func (b *Battery) ChargeSeconds(from, to, station float64) float64 {
	if to <= from {
		return 0
	}
	// Between the corners of the curve, and where the station's power cuts it, the
	// power is linear.
	at := []float64{from / b.Capacity, to / b.Capacity}
	low, high := at[0], at[1]
	for i, p := range b.Curve {
		if p.Charge > low && p.Charge < high {
			at = append(at, p.Charge)
		}
		if i == 0 {
			continue
		}
		q := b.Curve[i-1]
		if (q.Watts-station)*(p.Watts-station) < 0 {
			cut := q.Charge + (p.Charge-q.Charge)*(station-q.Watts)/(p.Watts-q.Watts)
			if cut > low && cut < high {
				at = append(at, cut)
			}
		}
	}
	sorted(at)
	hours := 0.0
	for i := 1; i < len(at); i++ {
		energy := (at[i] - at[i-1]) * b.Capacity
		if energy <= 0 {
			continue
		}
		p, q := b.Power(at[i-1], station), b.Power(at[i], station)
		if math.Abs(p-q) < 1e-9*p {
			hours += energy / p
		} else {
			hours += energy * math.Log(q/p) / (q - p)
		}
	}
	return hours * 3600
}

// sorted sorts a few values.
func sorted(list []float64) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j] < list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}
