package ev

import "math"

// Vehicle has the properties of a vehicle that its use of energy depends on. Zero values are replaced by Usual.
type Vehicle struct {
	Mass        float64 // kilograms, with load
	DragArea    float64 // square metres times the coefficient of drag
	Rolling     float64 // coefficient of rolling resistance
	Drive       float64 // what of the battery's energy comes to the wheels, 0 to 1
	Regain      float64 // what of the wheels' energy comes back to the battery, 0 to 1
	RegainPower float64 // most power that comes back
	Auxiliary   float64 // power that is drawn at 20 degrees
	Climate     float64 // power for each degree below 20 that it is colder, and half of it for each above 24
	Factor      float64 // multiplies drag and rolling, to meet a known consumption; 0 is 1

	// Table, where it is not empty, is the energy a metre on level ground by speed,
	// in place of drag and rolling: by rising speed, linear between.
	Table   []TablePoint
	Ascent  float64 // with a table: energy for each metre climbed
	Descent float64 // and what comes back for each descended
}

// TablePoint is a speed and the watt-hours a metre at it.
type TablePoint struct{ Speed, Energy float64 }

const gravity = 9.81

// Piece is a stretch of road driven at one speed.
type Piece struct {
	Metres, Seconds float64
	Climb           float64 // metres, negative downhill
}

// Weather is the state of the air.
type Weather struct {
	Temperature float64 // degrees Celsius
	Headwind    float64 // negative from behind
}

// air returns the density at a temperature, kilograms a cubic metre.
func (w Weather) air() float64 { return 1.225 * 288.15 / (273.15 + w.Temperature) }

// auxiliary returns the power that is drawn beside driving.
func (v *Vehicle) auxiliary(w Weather) float64 {
	return v.Auxiliary + v.Climate*(max(0, 20-w.Temperature)+max(0, w.Temperature-24)/2)
}

// Energy returns the watt-hours that a piece takes out of the battery; below zero where more comes
// back. before is the speed that the piece is come to with, 0 where it is not
// known.
func (v *Vehicle) Energy(p Piece, before float64, w Weather) float64 {
	if p.Seconds <= 0 || p.Metres <= 0 {
		return v.auxiliary(w) * max(p.Seconds, 0) / 3600
	}
	speed := p.Metres / p.Seconds
	aux := v.auxiliary(w) * p.Seconds / 3600
	if len(v.Table) > 0 {
		level := v.tabled(speed) * p.Metres
		if p.Climb > 0 {
			return level + v.Ascent*p.Climb + aux
		}
		return level + v.Descent*p.Climb + aux
	}
	factor := v.Factor
	if factor == 0 {
		factor = 1
	}
	slope := math.Min(1, math.Abs(p.Climb)/p.Metres)
	relative := speed + w.Headwind
	drag := 0.5 * w.air() * v.DragArea * relative * math.Abs(relative)
	force := factor*(drag+v.Mass*gravity*v.Rolling*math.Sqrt(1-slope*slope)) + v.Mass*gravity*p.Climb/p.Metres
	joules := force * p.Metres
	if before > 0 {
		joules += v.Mass / 2 * (speed*speed - before*before)
	}
	if joules >= 0 {
		return joules/3600/v.Drive + aux
	}
	back := -joules / 3600 * v.Regain
	return aux - min(back, v.RegainPower*p.Seconds/3600)
}

// tabled returns the energy a metre at a speed.
func (v *Vehicle) tabled(speed float64) float64 {
	t := v.Table
	if speed <= t[0].Speed {
		return t[0].Energy
	}
	for i := 1; i < len(t); i++ {
		if speed <= t[i].Speed {
			return t[i-1].Energy + (t[i].Energy-t[i-1].Energy)*(speed-t[i-1].Speed)/(t[i].Speed-t[i-1].Speed)
		}
	}
	return t[len(t)-1].Energy
}

// Calibrate chooses the factor with which the vehicle takes so many watt-hours a
// metre on level ground at a speed and 20 degrees; it stays within 0.3 and 3.
func (v *Vehicle) Calibrate(energy, speed float64) {
	v.Factor = 1
	p := Piece{Metres: 1000, Seconds: 1000 / speed}
	mild := Weather{Temperature: 20}
	aux := v.auxiliary(mild) * p.Seconds / 3600
	v.Factor = min(3, max(0.3, (energy*1000-aux)/(v.Energy(p, speed, mild)-aux)))
}

// Leg is the effect of the way from one place to another on a battery: a vehicle that sets out
// with less than Need runs dry, one that sets out with x arrives with x-Cost, but never
// with more than Most.
type Leg struct {
	Seconds, Metres  float64
	Need, Cost, Most float64
}

// LegOf adds up the energies of a way's pieces, in order, for a battery.
func LegOf(energies []float64, capacity float64) Leg {
	l := Leg{Most: capacity}
	for _, e := range energies {
		l.Cost += e
		l.Need = max(l.Need, l.Cost)
		l.Most = min(capacity, l.Most-e)
	}
	return l
}

// Arrive returns what is left of a charge; below zero where it does not suffice.
func (l *Leg) Arrive(charge float64) float64 {
	if charge < l.Need {
		return -1
	}
	return min(charge-l.Cost, l.Most)
}

// With gives the leg a length and a time.
func (l Leg) With(metres, seconds float64) Leg {
	l.Metres, l.Seconds = metres, seconds
	return l
}

// Usual returns an average car, whose values replace missing ones.
func Usual() Vehicle {
	return Vehicle{Mass: 1900, DragArea: 0.65, Rolling: 0.009, Drive: 0.88, Regain: 0.7, RegainPower: 60_000, Auxiliary: 350, Climate: 70, Factor: 1}
}

// UsualCurve returns how a battery charges that takes so much at the most: fully from a
// tenth to a half, then ever less.
func UsualCurve(most float64) []CurvePoint {
	return []CurvePoint{{0, 0.85 * most}, {0.1, most}, {0.5, most}, {0.8, 0.5 * most}, {1, 0.08 * most}}
}
