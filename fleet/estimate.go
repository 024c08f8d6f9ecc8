package fleet

import "time"

// Load is what a search is expected to take.
type Load struct {
	Processor time.Duration // of all its workers together
	Bytes     int64         // at once
}

// Estimate says what Solve will take for a problem that Check has nothing against. A search
// is as long as its iterations or its time, whichever ends first.
func Estimate(p *Problem, o Options) Load {
	visits := int64(len(p.Jobs) + 2*len(p.Shipments))
	trips, breaks := int64(0), 0
	type drive struct {
		profile int
		factor  float64
	}
	networks := map[drive]bool{}
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		trips++
		if v.Reloads != nil {
			trips += int64(v.Reloads.MaxTrips) - 1
		}
		breaks = max(breaks, len(v.Breaks)+len(v.Windows)-1)
		networks[drive{v.Profile, v.SpeedFactor}] = true
	}
	ways := int64(0)
	for d := range networks {
		ways += int64(p.Matrices[d.profile].N) * int64(p.Matrices[d.profile].N)
	}
	walkers := int64(max(1, o.Walkers))
	l := Load{
		Processor: time.Duration(ways*wayTime + visits*visits*nearTime + walkers*visits*placeTime),
		Bytes:     ways*16 + visits*4*mostNear + walkers*(visits*visitBytes+trips*tripBytes),
	}
	step := time.Duration(stepTime)
	if breaks > 0 {
		step *= time.Duration(3 + breaks)
	}
	spent := time.Duration(o.Iterations) * step
	if o.Time > 0 && (o.Iterations <= 0 || o.Time < spent) {
		spent = o.Time
	}
	l.Processor += time.Duration(walkers) * spent
	return l
}

// What the parts of a search take, in nanoseconds and bytes, as measured.
const (
	wayTime    = 10
	nearTime   = 15
	placeTime  = 20_000
	stepTime   = 25_000
	visitBytes = 400
	tripBytes  = 1000
)
