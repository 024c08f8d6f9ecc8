package ev

import (
	"context"
	"math"
	"slices"
)

// UsualSteps is into how many steps a battery's charge is divided. The search knows
// no charges between them: what driving leaves is rounded down, so that a plan holds
// for the charge that there really is.
const UsualSteps = 200

// Station is a place to charge.
type Station struct {
	Watts    float64
	Overhead float64 // seconds to park, plug in and leave again
	Wait     float64 // seconds that waiting is expected to take
	Penalty  float64 // seconds that a stop here counts for besides, and does not take
}

// Problem is a journey from place 0 to the place after the last station; place i
// between is station i-1.
type Problem struct {
	Battery   Battery
	Steps     int     // of the battery's charge; 0 is UsualSteps
	Start     float64 // energy at the start
	MinStop   float64 // energy that is left at a station at the least
	MinEnd    float64 // at the destination
	MaxCharge float64 // that is charged up to
	MinCharge float64 // seconds that a stop charges at the least
	Stations  []Station
	Leg       func(from, to int) Leg // Seconds is +Inf where there is no way
}

// Stop is a stop to charge.
type Stop struct {
	Station        int
	Arrive, Depart float64 // energies, by whole steps
	Charging       float64 // seconds
}

// Plan is a journey with its stops.
type Plan struct {
	Cost  float64 // seconds, penalties included
	Stops []Stop
	End   float64 // energy at the destination, by whole steps
}

// Solution is the plan of the least cost; where there is none, Plan is nil and
// Reached tells the most energy that each place is left with after charging, -1
// where it is not come to.
type Solution struct {
	Plan    *Plan
	Reached []float64
	Settled int // labels that the search looked at
}

// label is a vehicle that has charged at a place, or stands at the start.
type label struct {
	key            float64 // cost so far and the least that is to come
	cost           float64
	place, charge  int32
	parent, arrive int32 // label it came from, and the charge that it came with; -1 at the start
	plugged        bool  // charging goes on from the parent, at the same place
}

// solver searches by labels of cost and charge at places, led by a lower bound of
// what is to come: the driving, and the stops that the lacking energy takes at the
// best of stations.
type solver struct {
	*Problem
	steps   int
	step    float64      // energy of one
	n       int          // places
	legs    []Leg        // by from*n+to
	weights [][2]float64 // seconds and cost of the legs
	seconds [][]float64  // by station: charging from nothing to each step
	power   []int        // by station: of powers
	powers  []float64    // of stations, each once
	slowest [][]float64  // by power and charge: seconds of the slowest step up to there
	out     [][][]target
	ahead   []float64   // by place: least driving to the destination
	lacks   []float64   // by place: least energy to the destination, and what is left there
	stops   []float64   // by steps that lack: least cost of the stops that charge them
	plugged []float64   // the same of who is plugged in already
	best    [][]float64 // by place and charge: least cost of a label with as much or more
	bound   float64     // cost of the best plan so far
	labels  []label
	queue   []int32
}

// Solve finds the plan of the least cost. The error is the context's.
func Solve(ctx context.Context, p *Problem) (*Solution, error) {
	s := &solver{Problem: p, steps: p.Steps, n: len(p.Stations) + 2, bound: math.Inf(1)}
	if s.steps == 0 {
		s.steps = UsualSteps
	}
	s.step = p.Battery.Capacity / float64(s.steps)
	s.prepare()
	s.push(label{place: 0, charge: int32(math.Floor(p.Start/s.step + 1e-9)), parent: -1, arrive: -1})
	end, settled := int32(-1), 0
	for len(s.queue) > 0 {
		i := s.pop()
		l := s.labels[i]
		if int(l.place) == s.n-1 {
			end = i
			break
		}
		if l.cost > s.best[l.place][l.charge] {
			continue // another has come as cheaply with more
		}
		settled++
		if settled%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.charge(i)
		s.drive(i)
	}
	out := &Solution{Settled: settled}
	if end >= 0 {
		out.Plan = s.trace(end, s.labels[end].cost)
		return out, nil
	}
	out.Reached = make([]float64, s.n)
	for place := range s.n {
		out.Reached[place] = -1
		for charge := s.steps; charge >= 0; charge-- {
			if !math.IsInf(s.best[place][charge], 1) {
				out.Reached[place] = float64(charge) * s.step
				break
			}
		}
	}
	return out, nil
}

func (s *solver) prepare() {
	n := s.n
	s.weights = make([][2]float64, n*n)
	s.legs, s.best, s.out = make([]Leg, n*n), make([][]float64, n), make([][][]target, n)
	for i := range n {
		s.best[i] = make([]float64, s.steps+1)
		for c := range s.best[i] {
			s.best[i][c] = math.Inf(1)
		}
		for j := range n {
			if i == j || j == 0 || i == n-1 {
				s.legs[i*n+j].Seconds, s.weights[i*n+j] = math.Inf(1), [2]float64{math.Inf(1), math.Inf(1)}
				continue
			}
			l := s.Leg(i, j)
			s.legs[i*n+j], s.weights[i*n+j] = l, [2]float64{l.Seconds, l.Cost}
			if math.IsInf(l.Seconds, 1) {
				s.weights[i*n+j][1] = math.Inf(1)
			}
		}
	}
	tables := map[float64][]float64{}
	strongest := 0.0
	for _, station := range s.Stations {
		t := tables[station.Watts]
		if t == nil {
			t = make([]float64, s.steps+1)
			for c := range s.steps {
				t[c+1] = t[c] + s.Battery.ChargeSeconds(float64(c)*s.step, float64(c+1)*s.step, station.Watts)
			}
			tables[station.Watts] = t
		}
		kind := slices.Index(s.powers, station.Watts)
		if kind < 0 {
			kind = len(s.powers)
			s.powers = append(s.powers, station.Watts)
			// The slowest step up to each charge.
			slow := make([]float64, s.steps+1)
			for c := 1; c <= s.steps; c++ {
				slow[c] = max(slow[c-1], t[c]-t[c-1])
			}
			s.slowest = append(s.slowest, slow)
		}
		s.power = append(s.power, kind)
		s.seconds = append(s.seconds, t)
		strongest = max(strongest, station.Watts)
	}
	s.toEnd()
	s.foresee(tables[strongest])
}

// toEnd works out the least driving and the least energy from each place to the
// destination, apart from each other. Legs downhill may cost less than nothing, so
// that it goes on until nothing changes.
func (s *solver) toEnd() {
	s.ahead, s.lacks = make([]float64, s.n), make([]float64, s.n)
	for i := range s.n - 1 {
		s.ahead[i], s.lacks[i] = math.Inf(1), math.Inf(1)
	}
	s.lacks[s.n-1] = s.MinEnd
	for round := 0; round < s.n; round++ {
		changed := false
		for i := range s.n - 1 {
			ahead, lacks := s.ahead[i], s.lacks[i]
			for j, l := range s.weights[i*s.n : (i+1)*s.n] {
				ahead, lacks = min(ahead, l[0]+s.ahead[j]), min(lacks, l[1]+s.lacks[j])
			}
			if ahead < s.ahead[i] || lacks < s.lacks[i]-1e-6 {
				s.ahead[i], s.lacks[i], changed = ahead, lacks, true
			}
		}
		if !changed {
			return
		}
	}
}

// mostLacking is for how many batteries stops are foreseen.
const mostLacking = 8

// foresee works out what charging some steps takes at the least, by the times of
// the strongest station.
func (s *solver) foresee(strongest []float64) {
	n := mostLacking * s.steps
	s.stops, s.plugged = make([]float64, n+1), make([]float64, n+1)
	if len(s.Stations) == 0 {
		for l := 1; l <= n; l++ {
			s.stops[l], s.plugged[l] = math.Inf(1), math.Inf(1)
		}
		return
	}
	overhead := math.Inf(1)
	for i := range s.Stations {
		x := &s.Stations[i]
		overhead = min(overhead, x.Overhead+x.Wait+x.Penalty)
	}
	// The least time of charging so many steps at one stop.
	one := make([]float64, s.steps+1)
	lowest, highest := int(s.MinStop/s.step+1e-9), int(s.MaxCharge/s.step+1e-9)
	for x := 1; x <= s.steps; x++ {
		one[x] = math.Inf(1)
		for c := lowest; c+x <= min(highest, s.steps); c++ {
			one[x] = min(one[x], strongest[c+x]-strongest[c])
		}
	}
	for l := 1; l <= n; l++ {
		s.stops[l] = math.Inf(1)
		for x := 1; x <= s.steps; x++ {
			s.stops[l] = min(s.stops[l], overhead+max(s.MinCharge, one[x])+s.stops[max(0, l-x)])
		}
	}
	for l := 1; l <= n; l++ {
		s.plugged[l] = s.stops[l]
		for x := 1; x <= min(l, s.steps); x++ {
			s.plugged[l] = min(s.plugged[l], one[x]+s.stops[l-x])
		}
	}
}

// rest is the least cost from a place with a charge to the destination.
func (s *solver) rest(place, charge int32) float64 {
	lacking := s.lacks[place]/s.step - float64(charge)
	if lacking <= 0 {
		return s.ahead[place]
	}
	l := min(int(math.Ceil(lacking-1e-9)), len(s.stops)-1)
	if place == 0 {
		return s.ahead[place] + s.stops[l]
	}
	return s.ahead[place] + s.plugged[l]
}

// charge lets a vehicle that is plugged in, or may be, charge one step more.
func (s *solver) charge(i int32) {
	l := s.labels[i]
	if l.place == 0 || float64(l.charge+1)*s.step > s.MaxCharge+1e-9 || int(l.charge) >= s.steps {
		return
	}
	t := s.seconds[l.place-1]
	s.push(label{cost: l.cost + t[l.charge+1] - t[l.charge], place: l.place, charge: l.charge + 1, parent: i, arrive: l.arrive, plugged: true})
}

// target is a place that can be driven to with so many steps of charge or more.
type target struct{ place, need int32 }

// targets lists where one can drive to from a place, by the power of the station
// there and then by the charge that it takes; the destination comes alone.
func (s *solver) targets(from int32) [][]target {
	if s.out[from] != nil {
		return s.out[from]
	}
	lists := make([][]target, len(s.powers)+1)
	for j := 1; j < s.n; j++ {
		leg := &s.legs[int(from)*s.n+j]
		least, list := s.MinStop, len(s.powers)
		if j == s.n-1 {
			least = s.MinEnd
		} else {
			list = s.power[j-1]
		}
		// What is to be left at the end is not used on the way either.
		need := math.Ceil((max(leg.Need, leg.Cost)+least)/s.step - 1e-9)
		if !math.IsInf(leg.Seconds, 1) && leg.Most >= least && need <= float64(s.steps) {
			lists[list] = append(lists[list], target{int32(j), int32(max(0, need))})
		}
	}
	for _, list := range lists {
		slices.SortFunc(list, func(a, b target) int { return int(a.need - b.need) })
	}
	s.out[from] = lists
	return lists
}

// drive lets a vehicle set out. Who could have left with one step less does so,
// unless that step was charged faster here than it will be where the way leads: it
// comes to every charge there as cheaply.
func (s *solver) drive(i int32) {
	l := s.labels[i]
	last := 0.0 // seconds of the last step, where there was a choice
	if l.plugged {
		t := s.seconds[l.place-1]
		last = t[l.charge] - t[l.charge-1]
	}
	for power, list := range s.targets(l.place) {
		end, _ := slices.BinarySearchFunc(list, l.charge+1, func(t target, c int32) int { return int(t.need - c) })
		begin := 0
		if l.plugged && (power == len(s.powers) || last >= s.slowest[power][l.charge]) {
			begin, _ = slices.BinarySearchFunc(list, l.charge, func(t target, c int32) int { return int(t.need - c) })
		}
		for _, to := range list[begin:end] {
			s.driveTo(i, &l, to, last)
		}
	}
}

// driveTo lets a vehicle set out to one place.
func (s *solver) driveTo(i int32, l *label, to target, last float64) {
	leg := &s.legs[int(l.place)*s.n+int(to.place)]
	arrive := s.left(leg, l.charge)
	cost := l.cost + leg.Seconds
	if cost+s.ahead[to.place] > s.bound || cost >= s.best[to.place][arrive] {
		return
	}
	if int(to.place) == s.n-1 {
		s.push(label{cost: cost, place: to.place, charge: arrive, parent: i, arrive: arrive})
		return
	}
	t := s.seconds[to.place-1]
	if l.plugged && l.charge > to.need {
		before := s.left(leg, l.charge-1)
		if before == arrive || last >= t[arrive]-t[before] {
			return
		}
	}
	// A stop charges for a while and one step at the least.
	first := arrive + 1
	for int(first) <= s.steps && t[first]-t[arrive] < s.MinCharge-1e-9 {
		first++
	}
	if int(first) > s.steps || float64(first)*s.step > s.MaxCharge+1e-9 {
		return
	}
	x := &s.Stations[to.place-1]
	s.push(label{cost: cost + x.Overhead + x.Wait + x.Penalty + t[first] - t[arrive], place: to.place, charge: first, parent: i, arrive: arrive})
}

// left is the charge, in whole steps, with which a leg ends.
func (s *solver) left(leg *Leg, charge int32) int32 {
	return int32(math.Floor(min(float64(charge)*s.step-leg.Cost, leg.Most)/s.step + 1e-9))
}

// push queues a label, unless another is as cheap with as much, or it cannot
// become part of a better plan.
func (s *solver) push(l label) {
	best := s.best[l.place]
	if best[l.charge] <= l.cost || math.IsInf(s.ahead[l.place], 1) {
		return
	}
	l.key = l.cost
	if int(l.place) == s.n-1 {
		s.bound = min(s.bound, l.cost)
	} else if l.key += s.rest(l.place, l.charge); l.key > s.bound {
		return
	}
	for c := l.charge; c >= 0 && best[c] > l.cost; c-- {
		best[c] = l.cost
	}
	s.labels = append(s.labels, l)
	s.queue = append(s.queue, int32(len(s.labels)-1))
	for at := len(s.queue) - 1; at > 0; {
		up := (at - 1) / 2
		if s.labels[s.queue[up]].key <= s.labels[s.queue[at]].key {
			break
		}
		s.queue[up], s.queue[at] = s.queue[at], s.queue[up]
		at = up
	}
}

func (s *solver) pop() int32 {
	top, last := s.queue[0], len(s.queue)-1
	s.queue[0] = s.queue[last]
	s.queue = s.queue[:last]
	for at := 0; ; {
		least := at
		for _, child := range [2]int{2*at + 1, 2*at + 2} {
			if child < last && s.labels[s.queue[child]].key < s.labels[s.queue[least]].key {
				least = child
			}
		}
		if least == at {
			return top
		}
		s.queue[at], s.queue[least] = s.queue[least], s.queue[at]
		at = least
	}
}

// trace tells the stops of a label at the destination.
func (s *solver) trace(end int32, cost float64) *Plan {
	p := &Plan{Cost: cost, End: float64(s.labels[end].charge) * s.step}
	for i := s.labels[end].parent; i >= 0 && s.labels[i].place != 0; {
		last := s.labels[i]
		for s.labels[i].plugged {
			i = s.labels[i].parent
		}
		first := s.labels[i]
		t := s.seconds[last.place-1]
		p.Stops = append(p.Stops, Stop{
			Station: int(last.place) - 1, Arrive: float64(first.arrive) * s.step, Depart: float64(last.charge) * s.step,
			Charging: t[last.charge] - t[first.arrive],
		})
		i = first.parent
	}
	for i, j := 0, len(p.Stops)-1; i < j; i, j = i+1, j-1 {
		p.Stops[i], p.Stops[j] = p.Stops[j], p.Stops[i]
	}
	return p
}
