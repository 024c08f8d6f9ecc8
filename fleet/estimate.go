package fleet

import (
	"math"
	"time"
)

// Load is what a search is expected to take.
type Load struct {
	Processor time.Duration // of all its workers together
	Bytes     int64         // at once
}

// Estimate says what Solve will take for a problem that Check has nothing against, of whose
// matrices the sizes alone need be there. A search is as long as its iterations or its time,
// whichever ends first.
func Estimate(p *Problem, o Options) Load {
	s := sizeOf(p)
	walkers := float64(max(1, o.Walkers))
	spent := walkers * (s.beginning() + float64(max(glance, o.Iterations))*s.step())
	if most := float64(o.Time) * float64(max(1, min(o.Workers, o.Walkers))); o.Time > 0 && (o.Iterations <= 0 || most < spent) {
		spent = most
	}
	return Load{Processor: nanos(s.reading() + spent + s.writing()), Bytes: int64(s.modelBytes() + walkers*s.stateBytes() + s.planBytes())}
}

// StepTime is what an iteration of a search takes of one core, about. It depends on the
// problem alone.
func StepTime(p *Problem) time.Duration {
	s := sizeOf(p)
	return nanos(s.step())
}

// EstimateExplain says what Explain will take for so many tasks, at the most.
func EstimateExplain(p *Problem, tasks int) Load {
	s := sizeOf(p)
	attempt := s.visits*attemptTime + s.vehicles*((s.units+s.needs)*workTime+vehicleTime) + (s.lists+s.named)*listTime + s.writing()
	one := (explainAttempts+explainDims*s.dims)*attempt + explainSteps*s.step()
	return Load{Processor: nanos(s.reading() + float64(tasks)*one), Bytes: int64(s.modelBytes() + 2*(s.stateBytes()+s.planBytes()+s.vehicles*s.units))}
}

// What the parts of a search take, in nanoseconds and bytes, as measured.
const (
	wayTime     = 25
	nearTime    = 20
	listTime    = 20 // a number in a list
	placeTime   = 15_000
	stepTime    = 10_000 // an iteration, and more for each visit
	visitTime   = 14
	longTime    = 17 // a stop of a route that a unit is put into
	vehicleTime = 3000
	attemptTime = 1000 // to make a plan anew for the explanation of a task, for each visit
	wayBytes    = 16
	visitBytes  = 800
	tripBytes   = 1500
	stepBytes   = 300 // a step of the plan
	listBytes   = 40  // a number in a list
	knownBytes  = 32
	keptBytes   = 60
	maxTime     = 1 << 50

	// usualRemoved is how many units an iteration takes out and puts back in.
	usualRemoved = 12
	usualRoute   = 12 // stops of a route at least, where there are as many
	// exactTries is how many places of a unit are judged by the full schedule. Where rides
	// have limits it is worked out rideTries times for each, of a share of all places.
	exactTries = 3
	rideTries  = 4
	rideShare  = 0.4
	// A plan is written by so many schedules, to find the latest start.
	writeTries = 40
	// What explains one task, at the most: plans made anew, more for each dimension of
	// loads, and iterations of searches.
	explainAttempts = 100
	explainDims     = 20
	explainSteps    = 3000
)

func nanos(n float64) time.Duration { return time.Duration(min(n, maxTime)) }

// size is how large a problem is.
type size struct {
	visits, units, vehicles, trips, dims float64
	ways                                 float64 // of all networks
	lists                                float64 // numbers in lists of stops and vehicles
	needs                                float64 // of them, of skills and territories of stops
	named                                float64 // tasks in lists of what is apart and together
	types                                float64
	pairs                                float64 // share of the visits
	words                                float64 // 64 lists of what is apart each
	schedule                             float64 // work of the full schedule for each stop; 0 where none is needed
	least                                float64 // work of a schedule for each stop
	rides                                bool
	calls                                float64 // work to judge new trips of vehicles with a depot elsewhere
	given                                float64 // stops of the longest plan that a vehicle begins with
	steps                                float64 // work to read the plans that vehicles begin with
	together                             float64 // work to put all groups in
	kept                                 float64 // stops that there is room for in all the routes that had a group
	torn                                 float64 // of it, in each iteration
	longest                              float64 // stops of a vehicle, at the most
	absent                               float64 // units that cannot be served, by counts alone
}

func sizeOf(p *Problem) *size {
	s := &size{units: float64(len(p.Jobs) + len(p.Shipments)), visits: float64(len(p.Jobs) + 2*len(p.Shipments)), vehicles: float64(len(p.Vehicles)), dims: float64(len(p.Vehicles[0].Capacity))}
	s.pairs = float64(2*len(p.Shipments)) / s.visits
	for i := range p.Jobs {
		s.place(&p.Jobs[i].Place)
		s.needs += float64(len(p.Jobs[i].Skills))
	}
	for i := range p.Shipments {
		x := &p.Shipments[i]
		s.place(&x.Pickup)
		s.place(&x.Delivery)
		s.needs += float64(len(x.Skills))
		if x.MaxRide > 0 {
			s.rides = true
		}
	}
	s.lists += s.needs
	s.fleet(p)
	lists := 0
	for _, g := range p.Apart {
		s.named += float64(len(g))
		s.absent = max(s.absent, float64(len(g))-s.vehicles)
		if len(g) > 1 {
			lists++
		}
	}
	s.words = float64((lists + 63) / 64)
	s.groups(p)
	return s
}

func (s *size) place(pl *Place) {
	s.needs += float64(len(pl.Territories))
	s.lists += float64(2*len(pl.Windows) + 2*len(pl.ServiceByType) + 2*len(pl.SetupByType))
}

// fleet adds the vehicles up.
func (s *size) fleet(p *Problem) {
	type drive struct {
		profile int
		factor  float64
	}
	networks, types := map[drive]bool{}, map[string]bool{}
	room := 0.0 // stops that there is room for
	rides := 1.0
	if s.rides {
		rides = rideTries
		s.schedule = rides * scheduled(1, 1)
	}
	s.least = scheduled(1, 1)
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		networks[drive{v.Profile, v.SpeedFactor}], types[v.Type] = true, true
		s.lists += float64(len(v.Skills) + len(v.Territories) + 2*len(v.Windows) + len(v.First) + len(v.Initial) + len(v.Begin) + len(v.OnBoard))
		for k := range v.Breaks {
			s.lists += float64(2 + 2*len(v.Breaks[k].Windows) + len(v.Breaks[k].MaxLoad))
		}
		trips := 1.0
		if v.Reloads != nil {
			trips = float64(v.Reloads.MaxTrips)
			if v.Reloads.Depot != v.Start || v.Reloads.Depot != v.End {
				s.calls += 2 * trips * (8 + 4*(2+s.dims))
			}
		}
		s.trips += trips
		stops := s.visits
		if v.MaxTasks > 0 {
			stops = trips * float64(v.MaxTasks)
		}
		if v.MaxTasks != None {
			room += stops
			s.longest = max(s.longest, min(s.visits, stops))
		}
		work := scheduled(len(v.Breaks)+1, len(v.Windows))
		if len(v.Breaks) > 0 || len(v.Windows) > 1 {
			s.schedule = max(s.schedule, rides*work)
		}
		s.least = max(s.least, work)
		// Each stop of a plan is put in after the others, in each trip as it may be.
		given := float64(max(len(v.Initial), len(v.Begin)))
		each := 8 + 2*s.dims
		if len(v.Breaks) > 0 || len(v.Windows) > 1 || rides > 1 {
			each += rides * work
		}
		s.given = max(s.given, given)
		s.steps += given * given / 2 * each * trips
	}
	s.absent = max(0, s.visits-room)
	for d := range networks {
		s.ways += float64(p.Matrices[d.profile].N) * float64(p.Matrices[d.profile].N)
	}
	s.types = float64(len(types))
}

// scheduled is the work of the full schedule for each stop, of a vehicle that has so many
// breaks and one more, and so many windows.
func scheduled(breaks, windows int) float64 {
	b := float64(breaks)
	return b + float64(scheduleWork(windows))*b*(b+1)/2
}

// groups adds up what is together.
func (s *size) groups(p *Problem) {
	routes := min(s.trips, s.units)
	for _, g := range p.Together {
		s.named += float64(len(g))
	}
	for _, g := range p.joined() {
		n := min(float64(len(g)), s.longest) // those that fit are put in, before one does not
		work := routes * n * (n + s.visits/routes + usualRoute)
		if s.schedule > 0 {
			work *= s.schedule
		}
		if n <= mostAgain {
			work *= n
		}
		s.together += work
		s.kept = max(s.kept, routes*n)
		s.torn += work * min(1, usualRemoved*float64(len(g))/s.units)
	}
}

// usual is how many stops a route has, about: how many vehicles are used is between one and
// all.
func (s *size) usual() float64 { return s.visits / math.Sqrt(min(s.trips, s.visits)) }

// length is how many stops a route has that the full schedule is worked out for.
func (s *size) length() float64 {
	return max(s.visits/min(s.trips, s.visits), min(s.visits, usualRoute), s.given) + 2
}

// insertion is what it takes, beside a usual place, to find one of a unit.
func (s *size) insertion() float64 {
	k := s.length()
	tries := exactTries + s.pairs*k
	if s.rides {
		tries = max(tries, rideShare*s.pairs*min(s.trips, granularity)*k*k/2)
	}
	return (tries*s.schedule*k + s.calls) * workTime
}

// pairing is by how much more places a pair has in long routes.
func (s *size) pairing() float64 {
	return 1 + s.pairs*(2+s.visits/s.trips/10)
}

// step is what an iteration takes.
func (s *size) step() float64 {
	vain := s.absent * (s.visits*s.pairing() + s.trips*(1+s.words)) * workTime
	return (stepTime+visitTime*s.visits+usualRemoved*longTime*s.usual())*s.pairing() + vain + (usualRemoved+s.absent)*s.insertion() + s.trips*usualRemoved*s.words*workTime + s.torn*workTime
}

// beginning is what the first plan of a search takes.
func (s *size) beginning() float64 {
	return s.units*(placeTime*s.pairing()+s.insertion()+s.trips*s.words*workTime) + (s.steps+s.together)*workTime
}

// reading is what it takes to read a problem.
func (s *size) reading() float64 {
	return s.ways*wayTime + s.visits*s.visits*nearTime + (s.lists+s.named)*listTime + s.vehicles*(vehicleTime+(s.units+s.needs)*workTime)
}

// writing is what it takes to write a plan.
func (s *size) writing() float64 { return writeTries * s.visits * s.least * workTime }

func (s *size) modelBytes() float64 {
	return s.ways*wayBytes + s.visits*(4*min(s.visits, mostNear)+16*s.types+8*s.dims) + s.units*(s.vehicles+8*s.words) + s.lists*listBytes
}

func (s *size) stateBytes() float64 {
	remembered := 0.0
	if s.pairs > 0 || s.schedule > 0 {
		remembered = knownSize * knownBytes
	}
	return s.visits*(visitBytes+24*s.dims) + s.trips*(tripBytes+8*s.words) + s.kept*keptBytes + remembered
}

func (s *size) planBytes() float64 { return (s.visits + 2*s.trips) * (stepBytes + 8*s.dims) }
