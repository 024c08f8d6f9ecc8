package fleet

// None is the location of a missing start or end: the vehicle begins or finishes at its
// first or last stop.
const None = -1

// Unreachable is the time of a way that does not exist.
const Unreachable = -1

// Matrix has the ways between n locations for one profile, by rows of the
// origin. Ways need not be as long in both directions.
type Matrix struct {
	N               int
	Seconds, Metres []int32 // n*n each, 0 or more; Unreachable in Seconds is no way
}

// Window is a closed span of time.
type Window struct{ Start, End int64 }

// Problem is a vehicle routing problem.
type Problem struct {
	Matrices  []Matrix
	Vehicles  []Vehicle
	Jobs      []Job
	Shipments []Shipment
	// SameVehicle lists tasks that must be served by one vehicle, or not at all.
	// Incompatible lists tasks of which no two may share a vehicle.
	SameVehicle, Incompatible [][]Task
	Stability                 Stability

	SharedSkills []int32 // skills that all vehicles have beside their own
}

// Task identifies a job or a shipment by its index in the problem.
type Task struct {
	Shipment bool
	Index    int
}

// Stability charges for departing from the plan in Vehicle.Initial, in the unit of
// Vehicle.Fixed. The charges guide the search and are not part of Plan.Cost.
type Stability struct {
	Vehicle  int64 // for a task that another vehicle serves than before
	Position int64 // for a stop that does not follow the stop, or the start, that it followed before; nothing for the first of a trip where there are Reloads
}

// Vehicle describes a vehicle. A limit of zero is no limit.
type Vehicle struct {
	Profile     int      // of the matrix
	Start, End  int      // locations, or None
	Windows     []Window // in which all its work lies, sorted and apart; it stands still between two of them; empty is any time
	SpeedFactor float64  // divides times of travel; 0 is 1
	Type        string   // chooses among the service times of places
	Capacity    []int32  // as many as the amounts have dimensions
	Skills      []int32  // sorted or not; what tasks demand
	Territories []int32  // serves places in one of these; empty is everywhere

	Fixed        int64 // cost of its use, for each trip
	PerHour      int64 // cost of an hour of travel
	PerTaskHour  int64 // cost of an hour of setup and service
	PerKilometre int64

	// Limits of a trip.
	MaxTasks      int   // stops: a shipment is two; None leaves those that deliver what is on board
	MaxTravelTime int64 // seconds of driving
	MaxDistance   int64 // metres

	Breaks  []Break  // taken in this order, on every day's work that has a stop
	Reloads *Reloads // nil is one trip

	OnBoard []int  // shipments picked up before: this vehicle alone can deliver them, and carries them until it does
	First   []Stop // stops it begins with, in this order
	Initial []Stop // stops after First of a plan, to which Problem.Stability holds, and to begin the search with
	Begin   []Stop // stops after First to begin the search with in place of Initial; nil is Initial
}

// Begins returns the stops after First that the search begins with, as far as they can
// be done.
func (v *Vehicle) Begins() []Stop {
	if v.Begin != nil {
		return v.Begin
	}
	return v.Initial
}

// Reloads let a vehicle drive several trips. Between trips it calls at a depot, where
// it loads what its next jobs deliver and unloads what the last ones picked up. The
// search places the calls.
type Reloads struct {
	MaxTrips int   // 2 to 5
	Seconds  int64 // that a call takes
	Depot    int   // location; the first trip begins at Start and the last ends at End all the same
}

// Break is a rest. It may be taken between stops and on the way, in the vehicle's windows.
type Break struct {
	Windows []Window // in which it starts; empty is any time
	Service int64    // seconds it lasts
	MaxLoad []int32  // most load during it; nil is any
}

// Stop is one of the three kinds of work at a location.
type Stop struct {
	Kind  StopKind
	Index int // of the job, or the shipment
}

// StopKind is the kind of work at a stop.
type StopKind uint8

// The kinds of stops.
const (
	AtJob StopKind = iota
	AtPickup
	AtDelivery
)

// Task returns the task that a stop belongs to.
func (s Stop) Task() Task { return Task{s.Kind != AtJob, s.Index} }

// Place is where and when a stop can be, and how long it takes.
type Place struct {
	Location      int
	Setup         int64    // seconds before the service, where the stop before is elsewhere
	Service       int64    // seconds
	Windows       []Window // in which the service starts, sorted and apart; empty is any time
	ServiceByType map[string]int64
	SetupByType   map[string]int64
	Territories   []int32 // that the location lies in
}

// Job is a task of one stop. Its delivery is loaded at the start of the trip, and its
// pickup is unloaded at the end.
type Job struct {
	Place
	Delivery, Pickup []int32
	Skills           []int32 // the vehicle has all of these
	Priority         int     // 0 to 100
}

// Shipment is a task of a pickup and a delivery in one trip.
type Shipment struct {
	Pickup, Delivery Place
	Amount           []int32
	Skills           []int32
	Priority         int
	MaxRide          int64 // seconds from the end of the pickup's service to the start of the delivery's; 0 is no limit; nothing where it is on board already
}

// Plan is a solution of a Problem.
type Plan struct {
	Routes      []Route // that have stops, by vehicle and trip
	Unassigned  []Task
	Cost        int64 // in units of CostUnit
	Disruption  int64 // what Stability charges, in units of CostUnit
	Priority    int   // sum of the tasks served
	Iterations  int64 // of the search
	DeadlineHit bool  // the time limit ended the search, not the work: another run may find another plan
	Stopped     bool  // Options.Stop ended the search
}

// CostUnit divides a plan's cost into the unit of a vehicle's costs.
const CostUnit = 3600 * 1000

// Route is one trip of a vehicle.
type Route struct {
	Vehicle, Trip                             int
	Steps                                     []Step // from StepStart to StepEnd
	Cost                                      int64  // in units of CostUnit
	Travel, Setup, Service, Waiting, Distance int64  // breaks count as service
}

// StepKind is the kind of a step.
type StepKind uint8

// The kinds of steps.
const (
	StepStart StepKind = iota
	StepStop
	StepBreak
	StepPause // between two windows of the vehicle
	StepEnd
)

// Step is one event of a route.
type Step struct {
	Kind                    StepKind
	Stop                    Stop // of StepStop
	Break                   int  // of StepBreak
	Location                int  // None of a break or a pause, and where a route is open
	Arrival                 int64
	Setup, Waiting, Service int64   // in this order; the service begins at their sum; a pause waits
	Travel, Distance        int64   // from the start of the trip to here
	Load                    []int32 // after it
}

// Begins returns the time at which the service of a step starts.
func (s *Step) Begins() int64 { return s.Arrival + s.Setup + s.Waiting }

// Ends returns the time at which a step ends.
func (s *Step) Ends() int64 { return s.Begins() + s.Service }

// Stops returns the stops of a vehicle in a plan, over all its trips, in order.
func (p *Plan) Stops(vehicle int) (stops []Stop) {
	for i := range p.Routes {
		if p.Routes[i].Vehicle != vehicle {
			continue
		}
		for k := range p.Routes[i].Steps {
			if s := &p.Routes[i].Steps[k]; s.Kind == StepStop {
				stops = append(stops, s.Stop)
			}
		}
	}
	return stops
}
