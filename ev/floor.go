package ev

import "math"

// mostLacking is for how many batteries stops are foreseen.
const mostLacking = 8

// LowerBound bounds from below what stops take, wherever they are, by the times of the
// strongest station and the least that a stop takes besides. It grows as it is
// asked: for one goroutine at a time.
type LowerBound struct {
	p         *Problem
	steps     int
	step      float64
	tables    map[float64][]float64 // by power: seconds of charging from nothing to each step
	one       map[float64][]float64 // by power and steps: least time of charging so many at one stop
	overhead  float64
	strongest float64
	minCharge float64
	stops     []float64 // by steps that lack: least cost of the stops that charge them
	plugged   []float64 // the same for a vehicle that is plugged in already
}

// NewLowerBound computes it for a problem, whose legs it does not look at. It holds for
// problems with some of its stations too.
func NewLowerBound(p *Problem) *LowerBound {
	f := &LowerBound{
		p: p, steps: p.Steps, tables: map[float64][]float64{}, one: map[float64][]float64{}, minCharge: p.MinCharge, overhead: math.Inf(1),
		stops: []float64{0}, plugged: []float64{0},
	}
	if f.steps == 0 {
		f.steps = UsualSteps
	}
	f.step = p.Battery.Capacity / float64(f.steps)
	for i := range p.Stations {
		x := &p.Stations[i]
		if x.Watts <= 0 {
			continue
		}
		f.strongest = max(f.strongest, x.Watts)
		if x.Call {
			f.overhead, f.minCharge = 0, 0
		} else {
			f.overhead = min(f.overhead, x.cost())
		}
		if f.tables[x.Watts] == nil {
			t := make([]float64, f.steps+1)
			for c := range f.steps {
				t[c+1] = t[c] + p.Battery.ChargeSeconds(float64(c)*f.step, float64(c+1)*f.step, x.Watts)
			}
			f.tables[x.Watts] = t
		}
	}
	return f
}

// foresee works out what charging so many steps takes at the least, and gives how
// many of them it has.
func (f *LowerBound) foresee(steps int) int {
	steps = min(max(steps, 0), mostLacking*f.steps)
	if f.strongest == 0 {
		for len(f.stops) <= steps {
			f.stops, f.plugged = append(f.stops, math.Inf(1)), append(f.plugged, math.Inf(1))
		}
		return steps
	}
	one := f.atOnce(f.strongest)
	for l := len(f.stops); l <= steps; l++ {
		least := math.Inf(1)
		for x := 1; x <= f.steps && !math.IsInf(one[x], 1); x++ {
			least = min(least, f.overhead+max(f.minCharge, one[x])+f.stops[max(0, l-x)])
		}
		f.stops = append(f.stops, least)
		for x := 1; x <= min(l, f.steps) && !math.IsInf(one[x], 1); x++ {
			least = min(least, one[x]+f.stops[l-x])
		}
		f.plugged = append(f.plugged, least)
	}
	return steps
}

// atOnce returns the least time of charging so many steps at one stop, by steps.
func (f *LowerBound) atOnce(watts float64) []float64 {
	if one := f.one[watts]; one != nil {
		return one
	}
	one, t := make([]float64, f.steps+1), f.tables[watts]
	lowest, highest := int(f.p.MinStop/f.step+1e-9), int(f.p.MaxCharge/f.step+1e-9)
	for i := range f.p.Stations {
		if x := &f.p.Stations[i]; x.Call && x.Watts > 0 {
			lowest = min(lowest, int(x.Least/f.step+1e-9))
		}
	}
	for x := 1; x <= f.steps; x++ {
		one[x] = math.Inf(1)
		for c := lowest; c+x <= min(highest, f.steps); c++ {
			one[x] = min(one[x], t[c+x]-t[c])
		}
	}
	f.one[watts] = one
	return one
}

// stepsIn returns how many steps may be charged at one stop in so many seconds at the most.
func (f *LowerBound) stepsIn(t []float64, seconds float64) int {
	most, from := 0, 0
	for c := 1; c <= f.steps; c++ {
		for t[c]-t[from] > seconds+1e-9 {
			from++
		}
		most = max(most, c-from)
	}
	return most
}

// By returns the least cost of stops that charge so much energy where one of them
// is at a station of the problem, which charges something there.
func (f *LowerBound) By(station int, energy float64) float64 {
	x := &f.p.Stations[station]
	if x.Watts <= 0 {
		return math.Inf(1)
	}
	one, least := f.atOnce(x.Watts), math.Inf(1)
	lacking := f.foresee(int(math.Ceil(min(energy/f.step, mostLacking*float64(f.steps)) - 1e-9)))
	for n := 1; n <= f.steps && !math.IsInf(one[n], 1); n++ {
		least = min(least, x.cost()+max(f.minCharge, one[n])+f.stops[max(0, lacking-n)])
	}
	return least
}
