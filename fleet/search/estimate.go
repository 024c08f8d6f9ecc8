package search

import (
	"math"
	"time"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

// Load is the expected use of the machine by a search.
type Load struct {
	Processor time.Duration // of all its workers together
	Bytes     int64         // at once
}

// Estimate predicts what Solve will use for a valid problem; of its matrices only the
// sizes are needed. A search ends with its iterations or its time, whichever comes
// first.
func Estimate(p *fleet.Problem, o Options) Load {
	s := sizeOf(p)
	walkers := float64(max(1, o.Walkers))
	spent := walkers * (s.beginning() + float64(max(iterationsPerLook, o.Iterations))*s.step())
	if most := float64(o.Time) * float64(max(1, min(o.Workers, o.Walkers))); o.Time > 0 && (o.Iterations <= 0 || most < spent) {
		spent = most
	}
	return Load{Processor: nanos(s.reading() + spent + s.writing()), Bytes: int64(s.modelBytes() + walkers*s.stateBytes() + s.planBytes())}
}

// StepTime returns about how long an iteration of a search takes on one core. It
// depends on the problem alone.
func StepTime(p *fleet.Problem) time.Duration {
	s := sizeOf(p)
	return nanos(s.step())
}

// Extensions limit how often plans are extended.
type Extensions struct {
	Attempts     float64 // plans made anew
	PerDimension float64 // more for each dimension of loads
	Iterations   float64 // of searches
}

// EstimateExtensions returns the most that a number of extensions for each of some
// tasks will use.
func EstimateExtensions(p *fleet.Problem, tasks int, n Extensions) Load {
	s := sizeOf(p)
	attempt := s.visits*attemptTime + s.vehicles*((s.tasks+s.needs)*limit.WorkTime+vehicleTime) + (s.lists+s.named)*listTime + s.writing()
	one := (n.Attempts+n.PerDimension*s.dims)*attempt + n.Iterations*s.step()
	return Load{Processor: nanos(s.reading() + float64(tasks)*one), Bytes: int64(s.modelBytes() + 2*(s.stateBytes()+s.planBytes()+s.vehicles*s.tasks))}
}

// The nanoseconds and bytes that the parts of a search take, as measured.
const (
	wayTime     = 25
	nearTime    = 20
	listTime    = 20 // a number in a list
	placeTime   = 15_000
	stepTime    = 10_000 // an iteration, and more for each visit
	visitTime   = 14
	longTime    = 17 // a stop of a route that a task is put into
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

	// usualRemoved is how many tasks an iteration removes and inserts again.
	usualRemoved = 12
	usualRoute   = 12 // stops of a route at least, where there are as many
	// exactTries is how many insertions of a task are evaluated by the full schedule.
	// Where rides are limited the schedule is computed rideTries times for each, for a
	// share of all places.
	exactTries = 3
	rideTries  = 4
	rideShare  = 0.4
	// Writing a plan computes so many schedules, to find the latest start.
	writeTries = 40
)

func nanos(n float64) time.Duration { return time.Duration(min(n, maxTime)) }

// size is how large a problem is.
type size struct {
	visits, tasks, vehicles, trips, dims float64
	ways                                 float64 // of all networks
	lists                                float64 // numbers in lists of stops and vehicles
	needs                                float64 // of them, of skills and territories of stops
	named                                float64 // tasks in lists of SameVehicle and Incompatible
	types                                float64
	pairs                                float64 // share of the visits
	words                                float64 // 64 lists of incompatible tasks each
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
	absent                               float64 // tasks that cannot be served, by counts alone
}

func sizeOf(p *fleet.Problem) *size {
	s := &size{tasks: float64(len(p.Jobs) + len(p.Shipments)), visits: float64(len(p.Jobs) + 2*len(p.Shipments)), vehicles: float64(len(p.Vehicles)), dims: float64(len(p.Vehicles[0].Capacity))}
	s.pairs = float64(2*len(p.Shipments)) / s.visits
	for i := range p.Jobs {
		s.addPlace(&p.Jobs[i].Place)
		s.needs += float64(len(p.Jobs[i].Skills))
	}
	for i := range p.Shipments {
		x := &p.Shipments[i]
		s.addPlace(&x.Pickup)
		s.addPlace(&x.Delivery)
		s.needs += float64(len(x.Skills))
		if x.MaxRide > 0 {
			s.rides = true
		}
	}
	s.lists += s.needs
	s.fleet(p)
	lists := 0
	for _, g := range p.Incompatible {
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

func (s *size) addPlace(pl *fleet.Place) {
	s.needs += float64(len(pl.Territories))
	s.lists += float64(2*len(pl.Windows) + 2*len(pl.ServiceByType) + 2*len(pl.SetupByType))
}

// fleet adds up the vehicles.
func (s *size) fleet(p *fleet.Problem) {
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
		if v.MaxTasks != fleet.None {
			room += stops
			s.longest = max(s.longest, min(s.visits, stops))
		}
		work := scheduled(len(v.Breaks)+1, len(v.Windows))
		if len(v.Breaks) > 0 || len(v.Windows) > 1 {
			s.schedule = max(s.schedule, rides*work)
		}
		s.least = max(s.least, work)
		// Each stop of a given plan is inserted after the others, tried in each trip.
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

// scheduled returns the work of the full schedule for each stop, for the number of a
// vehicle's breaks plus one, and of its windows.
func scheduled(breaks, windows int) float64 {
	b := float64(breaks)
	return b + float64(scheduleWork(windows))*b*(b+1)/2
}

// groups adds up the tasks that belong together.
func (s *size) groups(p *fleet.Problem) {
	routes := min(s.trips, s.tasks)
	for _, g := range p.SameVehicle {
		s.named += float64(len(g))
	}
	for _, g := range p.Groups() {
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
		s.torn += work * min(1, usualRemoved*float64(len(g))/s.tasks)
	}
}

// usual returns about how many stops a route has, taking the number of vehicles used
// between one and all.
func (s *size) usual() float64 { return s.visits / math.Sqrt(min(s.trips, s.visits)) }

// length returns how many stops a route has whose full schedule is computed.
func (s *size) length() float64 {
	return max(s.visits/min(s.trips, s.visits), min(s.visits, usualRoute), s.given) + 2
}

// insertion returns the work of an insertion of a task, beyond that of a usual one.
func (s *size) insertion() float64 {
	k := s.length()
	tries := exactTries + s.pairs*k
	if s.rides {
		tries = max(tries, rideShare*s.pairs*min(s.trips, granularity)*k*k/2)
	}
	return (tries*s.schedule*k + s.calls) * limit.WorkTime
}

// pairing returns by what factor a pair has more places in long routes.
func (s *size) pairing() float64 {
	return 1 + s.pairs*(2+s.visits/s.trips/10)
}

// step returns the work of an iteration.
func (s *size) step() float64 {
	vain := s.absent * (s.visits*s.pairing() + s.trips*(1+s.words)) * limit.WorkTime
	return (stepTime+visitTime*s.visits+usualRemoved*longTime*s.usual())*s.pairing() + vain + (usualRemoved+s.absent)*s.insertion() + s.trips*usualRemoved*s.words*limit.WorkTime + s.torn*limit.WorkTime
}

// beginning returns the work of the first plan of a search.
func (s *size) beginning() float64 {
	return s.tasks*(placeTime*s.pairing()+s.insertion()+s.trips*s.words*limit.WorkTime) + (s.steps+s.together)*limit.WorkTime
}

// reading returns the work of reading a problem.
func (s *size) reading() float64 {
	return s.ways*wayTime + s.visits*s.visits*nearTime + (s.lists+s.named)*listTime + s.vehicles*(vehicleTime+(s.tasks+s.needs)*limit.WorkTime)
}

// writing returns the work of writing a plan.
func (s *size) writing() float64 { return writeTries * s.visits * s.least * limit.WorkTime }

func (s *size) modelBytes() float64 {
	return s.ways*wayBytes + s.visits*(4*min(s.visits, model.MostNear)+16*s.types+8*s.dims) + s.tasks*(s.vehicles+8*s.words) + s.lists*listBytes
}

func (s *size) stateBytes() float64 {
	remembered := 0.0
	if s.pairs > 0 || s.schedule > 0 {
		remembered = cacheSize * knownBytes
	}
	return s.visits*(visitBytes+24*s.dims) + s.trips*(tripBytes+8*s.words) + s.kept*keptBytes + remembered
}

func (s *size) planBytes() float64 { return (s.visits + 2*s.trips) * (stepBytes + 8*s.dims) }
