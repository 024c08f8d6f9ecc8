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
	trips := int64(0)
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
		networks[drive{v.Profile, v.SpeedFactor}] = true
	}
	ways := int64(0)
	for d := range networks {
		ways += int64(p.Matrices[d.profile].N) * int64(p.Matrices[d.profile].N)
	}
	walkers := int64(max(1, o.Walkers))
	spent := time.Duration(min(float64(o.Iterations)*p.stepTime(visits, trips), float64(maxTime)))
	if o.Time > 0 && (o.Iterations <= 0 || o.Time < spent) {
		spent = o.Time
	}
	return Load{
		Processor: time.Duration(ways*wayTime+visits*visits*nearTime+walkers*visits*placeTime) + time.Duration(walkers)*spent,
		Bytes:     ways*16 + visits*4*mostNear + walkers*(visits*visitBytes+trips*tripBytes),
	}
}

// EstimateExplain says what Explain will take for so many tasks.
func EstimateExplain(p *Problem, tasks int) Load {
	one := Estimate(p, Options{Iterations: explainSteps})
	return Load{Processor: time.Duration(tasks) * one.Processor, Bytes: 2 * one.Bytes}
}

// explainSteps is how many iterations of a search it takes to explain a task, about.
const explainSteps = 3000

// What the parts of a search take, in nanoseconds and bytes, as measured.
const (
	wayTime    = 25
	nearTime   = 20
	placeTime  = 15_000
	stepTime   = 10_000 // an iteration, and more for each visit
	visitTime  = 14
	visitBytes = 500
	tripBytes  = 1500
	maxTime    = 1 << 50
)

// stepTime is what an iteration takes, in nanoseconds. Pairs have many places in long
// routes, and what needs the full schedule is dear.
func (p *Problem) stepTime(visits, trips int64) float64 {
	t := float64(stepTime + visitTime*visits)
	if len(p.Shipments) > 0 {
		pairs := float64(2*len(p.Shipments)) / float64(visits)
		t *= 1 + pairs*(2+float64(visits)/float64(trips)/10)
	}
	times := 1.0
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		n := float64(1 + len(v.Breaks))
		if len(v.Windows) > 1 {
			n++
		}
		if v.Reloads != nil {
			n += 0.5
			if v.Reloads.Depot != v.Start || v.Reloads.Depot != v.End {
				n += 9
			}
		}
		times = max(times, n)
	}
	for i := range p.Shipments {
		if p.Shipments[i].MaxRide > 0 {
			times = max(times, 12)
		}
	}
	return t * times
}
