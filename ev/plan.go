package ev

import (
	"context"
	"math"
	"slices"
)

// UsualSteps is into how many steps a battery's charge is divided. The search has
// no charges between them: what driving leaves is rounded down, so that a plan holds
// for the charge that there really is.
const UsualSteps = 200

// Station is a place to charge, or one that the journey calls at.
type Station struct {
	Watts    float64
	Overhead float64 // seconds to park, plug in and leave again
	Wait     float64 // seconds that waiting is expected to take
	Penalty  float64 // seconds that a stop here counts for besides, and does not take

	// Section is the part of the journey that a station is in, from 0; never below
	// that of a station before it.
	Section int
	// Call is that the journey comes here, which ends the section. Charging is free
	// of what a stop takes besides, and takes no time up to Dwell; without Watts
	// there is none.
	Call  bool
	Dwell float64 // seconds
	Least float64 // energy that is left on arrival at the least, of a call
}

// cost returns the cost of stopping besides charging.
func (x *Station) cost() float64 { return x.Overhead + x.Wait + x.Penalty }

// Problem is a journey from place 0 to the place after the last station; place i
// between is station i-1. Ways lead from place to place of one section.
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
	Floor     *LowerBound            // worked out before for these stations and others; nil works it out
}

// Stop is a stop to charge, or a call, which may charge nothing.
type Stop struct {
	Station        int
	Arrive, Depart float64 // energies, by whole steps
	Charging       float64 // seconds, of which a call's Dwell costs nothing
}

// Plan is a journey with its stops.
type Plan struct {
	Cost  float64 // seconds, penalties included
	Stops []Stop
	End   float64 // energy at the destination, by whole steps
}

// Solution is the plan of the least cost; where there is none, Plan is nil and
// Reached returns the most energy that each place is left with after charging, -1
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
	seconds [][]float64  // by station: charging from nothing to each step; nil without power
	power   []int        // by station: of powers
	powers  []float64    // of stations, each once
	slowest [][]float64  // by power and charge: seconds of the slowest step up to there
	out     [][][]target
	ahead   []float64 // by place: least driving and calls to the destination
	lacks   []float64 // by place: least energy to the destination, and what is left there
	free    []float64 // by place: most energy that a call charges while it lasts
	floor   *LowerBound
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

// sections gives by place the section whose ways lead there, and that of those which
// lead away.
func (p *Problem) sections() (enters, leaves []int) {
	enters, leaves = []int{0}, []int{0}
	for i := range p.Stations {
		x := &p.Stations[i]
		enters, leaves = append(enters, x.Section), append(leaves, x.Section)
		if x.Call {
			leaves[i+1]++
		}
	}
	last := leaves[len(leaves)-1]
	return append(enters, last), append(leaves, last)
}

func (s *solver) prepare() {
	n := s.n
	enters, leaves := s.sections()
	s.weights = make([][2]float64, n*n)
	s.legs, s.best, s.out = make([]Leg, n*n), make([][]float64, n), make([][][]target, n)
	for i := range n {
		s.best[i] = make([]float64, s.steps+1)
		for c := range s.best[i] {
			s.best[i][c] = math.Inf(1)
		}
		for j := range n {
			if i == j || j == 0 || i == n-1 || leaves[i] != enters[j] {
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
	if s.floor = s.Problem.Floor; s.floor == nil {
		s.floor = NewLowerBound(s.Problem)
	}
	s.free = make([]float64, n)
	for i := range s.Stations {
		x := &s.Stations[i]
		t := s.floor.tables[x.Watts]
		s.seconds, s.power = append(s.seconds, t), append(s.power, s.kind(x.Watts, t))
		if x.Call && t != nil {
			// And one step more, of which the rest of the time is a part.
			s.free[i+1] = float64(s.floor.stepsIn(t, x.Dwell)+1) * s.step
		}
	}
	s.toEnd()
}

// kind returns the place of a power among those of stations, by whose times it charges.
func (s *solver) kind(watts float64, t []float64) int {
	if kind := slices.Index(s.powers, watts); kind >= 0 || t == nil {
		return kind
	}
	slow := make([]float64, s.steps+1)
	for c := 1; c <= s.steps; c++ {
		slow[c] = max(slow[c-1], t[c]-t[c-1])
	}
	s.powers, s.slowest = append(s.powers, watts), append(s.slowest, slow)
	return len(s.powers) - 1
}

// toEnd works out the least driving and the least energy from each place to the
// destination, apart from each other. Legs downhill may cost less than nothing, so
// that it goes on until nothing changes.
func (s *solver) toEnd() {
	s.ahead, s.lacks = make([]float64, s.n), make([]float64, s.n)
	for i := range s.n - 1 {
		s.ahead[i], s.lacks[i] = math.Inf(1), math.Inf(1)
	}
	// The needs on arrival at a place, which at a call differ from those on leaving.
	toCome, toHave := make([]float64, s.n), make([]float64, s.n)
	come := func(i int) {
		toCome[i], toHave[i] = s.ahead[i], s.lacks[i]
		if i > 0 && i < s.n-1 && s.Stations[i-1].Call {
			x := &s.Stations[i-1]
			toCome[i], toHave[i] = s.ahead[i]+x.Dwell, max(x.Least, s.lacks[i]-s.free[i])
		}
	}
	s.lacks[s.n-1] = s.MinEnd
	for i := range s.n {
		come(i)
	}
	for round := 0; round < s.n; round++ {
		changed := false
		for i := s.n - 2; i >= 0; i-- {
			ahead, lacks := s.ahead[i], s.lacks[i]
			for j, l := range s.weights[i*s.n : (i+1)*s.n] {
				ahead, lacks = min(ahead, l[0]+toCome[j]), min(lacks, l[1]+toHave[j])
			}
			if ahead < s.ahead[i] || lacks < s.lacks[i]-1e-6 {
				s.ahead[i], s.lacks[i], changed = ahead, lacks, true
				come(i)
			}
		}
		if !changed {
			return
		}
	}
}

// rest returns the least cost from a place with a charge to the destination.
func (s *solver) rest(place, charge int32) float64 {
	lacking := s.lacks[place]/s.step - float64(charge)
	if lacking <= 0 {
		return s.ahead[place]
	}
	l := s.floor.foresee(int(math.Ceil(min(lacking, mostLacking*float64(s.steps)) - 1e-9)))
	if place == 0 || s.seconds[place-1] == nil {
		return s.ahead[place] + s.floor.stops[l]
	}
	return s.ahead[place] + s.floor.plugged[l]
}

// charge lets a vehicle that is plugged in, or may be, charge one step more.
func (s *solver) charge(i int32) {
	l := s.labels[i]
	if l.place == 0 || s.seconds[l.place-1] == nil || float64(l.charge+1)*s.step > s.MaxCharge+1e-9 || int(l.charge) >= s.steps {
		return
	}
	t := s.seconds[l.place-1]
	s.push(label{cost: l.cost + t[l.charge+1] - t[l.charge], place: l.place, charge: l.charge + 1, parent: i, arrive: l.arrive, plugged: true})
}

// target is a place that can be driven to with so many steps of charge or more.
type target struct{ place, need int32 }

// targets lists where one can drive to from a place, by the power of the station
// there and then by the charge that it takes; the destination comes alone, and
// then calls.
func (s *solver) targets(from int32) [][]target {
	if s.out[from] != nil {
		return s.out[from]
	}
	lists := make([][]target, len(s.powers)+2)
	for j := 1; j < s.n; j++ {
		leg := &s.legs[int(from)*s.n+j]
		least, list := s.MinStop, len(s.powers)
		switch {
		case j == s.n-1:
			least = s.MinEnd
		case s.Stations[j-1].Call:
			least, list = s.Stations[j-1].Least, len(s.powers)+1
		default:
			list = s.power[j-1]
		}
		// The charge that is to be left at the end is not used on the way either.
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

// drive lets a vehicle set out. A vehicle that could have left with one step less does so,
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
		// A call may not charge, so that what leads on from it must be brought along.
		if l.plugged && power <= len(s.powers) && (power == len(s.powers) || last >= s.slowest[power][l.charge]) {
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
	if s.Stations[to.place-1].Call {
		s.call(label{cost: cost, place: to.place, parent: i, arrive: arrive})
		return
	}
	t := s.seconds[to.place-1]
	if t == nil {
		return
	}
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
	s.push(label{cost: cost + s.Stations[to.place-1].cost() + t[first] - t[arrive], place: to.place, charge: first, parent: i, arrive: arrive})
}

// call lets a vehicle that has come to a call stay there, charging while it does
// and up to one step more; it may go on from there.
func (s *solver) call(l label) {
	x, t := &s.Stations[l.place-1], s.seconds[l.place-1]
	l.cost += x.Dwell
	l.charge = l.arrive
	most := min(int32(math.Floor(s.MaxCharge/s.step+1e-9)), int32(s.steps))
	for t != nil && l.charge < most && t[l.charge+1]-t[l.arrive] <= x.Dwell+1e-9 {
		l.charge++
	}
	s.push(l)
	if t != nil && l.charge < most {
		l.charge++
		l.cost += t[l.charge] - t[l.arrive] - x.Dwell
		s.push(l)
	}
}

// left returns the charge, in whole steps, with which a leg ends.
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

// trace returns the stops of a label at the destination.
func (s *solver) trace(end int32, cost float64) *Plan {
	p := &Plan{Cost: cost, End: float64(s.labels[end].charge) * s.step}
	for i := s.labels[end].parent; i >= 0 && s.labels[i].place != 0; {
		last := s.labels[i]
		for s.labels[i].plugged {
			i = s.labels[i].parent
		}
		first := s.labels[i]
		stop := Stop{Station: int(last.place) - 1, Arrive: float64(first.arrive) * s.step, Depart: float64(last.charge) * s.step}
		if t := s.seconds[last.place-1]; t != nil {
			stop.Charging = t[last.charge] - t[first.arrive]
		}
		p.Stops = append(p.Stops, stop)
		i = first.parent
	}
	for i, j := 0, len(p.Stops)-1; i < j; i, j = i+1, j-1 {
		p.Stops[i], p.Stops[j] = p.Stops[j], p.Stops[i]
	}
	return p
}
