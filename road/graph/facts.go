package graph

// Modes is a set of ways of travel.
type Modes uint16

// The modes: the seven costings and three kinds of traffic with rights of
// their own.
const (
	Auto Modes = 1 << iota
	Truck
	Bus
	MotorScooter
	Motorcycle
	Bicycle
	Pedestrian
	Taxi
	HOV
	Emergency
	Wheelchair

	Vehicles = Auto | Truck | Bus | MotorScooter | Motorcycle | Bicycle | Taxi | HOV | Emergency
	Motor    = Vehicles &^ Bicycle
	AllModes = Vehicles | Pedestrian | Wheelchair
)

// Class is the importance of a road, Valhalla's eight.
type Class uint8

// The classes, most important first.
const (
	Motorway Class = iota
	Trunk
	Primary
	Secondary
	Tertiary
	Unclassified
	Residential
	ServiceOther
)

var classNames = [...]string{"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "service_other"}

func (c Class) String() string { return classNames[c] }

// ParseClass reads a class by Valhalla's name.
func ParseClass(s string) (Class, bool) {
	for i, n := range classNames {
		if n == s {
			return Class(i), true
		}
	}
	return 0, false
}

// Use is the form of a road.
type Use uint8

// The uses, after Valhalla's.
const (
	Road Use = iota
	Ramp
	TurnChannel
	Track
	Driveway
	Alley
	ParkingAisle
	EmergencyAccess
	DriveThrough
	LivingStreet
	ServiceRoad
	Cycleway
	MountainBike
	Sidewalk
	Footway
	Elevator
	Steps
	Escalator
	Trail
	PedestrianStreet
	Bridleway
	Crossing
	Ferry
	RailFerry
	Construction
)

var useNames = [...]string{
	"road", "ramp", "turn_channel", "track", "driveway", "alley", "parking_aisle", "emergency_access", "drive_through",
	"living_street", "service_road", "cycleway", "mountain_bike", "sidewalk", "footway", "elevator", "steps", "escalator",
	"path", "pedestrian", "bridleway", "pedestrian_crossing", "ferry", "rail_ferry", "construction",
}

func (u Use) String() string { return useNames[u] }

// Surface is the state of the ground, Valhalla's eight, best first.
type Surface uint8

// The surfaces.
const (
	PavedSmooth Surface = iota
	Paved
	PavedRough
	Compacted
	Dirt
	Gravel
	PathSurface
	Impassable
)

var surfaceNames = [...]string{"paved_smooth", "paved", "paved_rough", "compacted", "dirt", "gravel", "path", "impassable"}

func (s Surface) String() string { return surfaceNames[s] }

// NodeFlags are facts of a node.
type NodeFlags uint32

// The node flags.
const (
	Signal NodeFlags = 1 << iota
	StopSign
	GiveWay
	Gate
	Bollard
	TollBooth
	BorderControl
	CattleGrid
	MiniRoundabout
	MotorwayJunction
	Barrier // any other barrier
	PrivateAccess
	LevelCrossing
	CrossingNode
	TaggedAccess // tags limit who may pass the barrier
	Lift         // an elevator between ways that meet here
	TollGantry   // a TollBooth that is driven under without stopping
)

// Density returns how many roads there are around a node, as SegFlags.Density has it
// of a road.
func (f NodeFlags) Density() uint8 { return uint8(f >> densityShift) }

// WithDensity returns the flags with a density of 0 to 15.
func (f NodeFlags) WithDensity(d uint8) NodeFlags {
	return f&(1<<densityShift-1) | NodeFlags(d)<<densityShift
}

// EdgeFlags are facts of one direction of a segment.
type EdgeFlags uint16

// The edge flags.
const (
	Turning    EdgeFlags = 1 << iota // some Turn starts here
	HeadSignal                       // a signal within the edge, facing this direction, counts at its head
	HeadStop
	HeadGiveWay
	BikeLane      // a lane for bicycles on the carriageway
	BikeTrack     // bicycles separated from the cars
	BikeShared    // marked, shared with cars
	Conditional   // the edge's set has access conditions
	TruckRoute    // designated for lorries
	SidewalkLeft  // in the direction of travel
	SidewalkRight // in the direction of travel
	BikeDismount
	DeadEnd // its head leads nowhere else
	HasLanes
	Sidepath // bicycles must or should use the path beside the road
	Internal // a short piece of road inside a junction of carriageways
)

// SegFlags are facts of a segment.
type SegFlags uint32

// The segment flags.
const (
	Toll SegFlags = 1 << iota // for some travellers, in some direction: see the Limits of each edge
	Tunnel
	Bridge
	Roundabout
	Lit
	LitUnknown
	Link // ramp or link of its class
	DriveOnLeft
	Unpaved // tagged, not guessed
	Seasonal
	Indoor
	BikeNetwork
	Ford
	SpeedTagged
	Oneway
	CashToll
	SurfaceTagged
	HGVDesignated
	HasLevels // the name set has the floors it lies on
	Area      // runs across ground that is walked all over, or along the edge of it

	// densityShift is where the density of roads around stands, in the four
	// highest bits.
	densityShift = 28
)

// Density returns how many roads there are around, from 0 to 15: 0.7 times the
// kilometres of road on a square kilometre, Valhalla's relative density. Above
// MaxRural a road is in town.
func (f SegFlags) Density() uint8 { return uint8(f >> densityShift) }

// WithDensity returns the flags with a density of 0 to 15.
func (f SegFlags) WithDensity(d uint8) SegFlags {
	return f&(1<<densityShift-1) | SegFlags(d)<<densityShift
}

// MaxRural is the highest density outside of towns.
const MaxRural = 8

// Bounds are the limits of one kind of vehicle. Zero is no limit.
type Bounds struct {
	Height, Width, Length uint16 // centimetres
	Weight, AxleLoad      uint16 // units of 10 kilograms
	TollOver              uint16 // units of 10 kilograms: a vehicle no heavier pays no toll
}

// Limits are the limits on an edge, at a node or for a turn of some vehicles and loads
// only: their bounds, who pays toll, how fast they may go. Zero is no limit.
type Limits struct {
	Car, Lorry, Bus Bounds // of cars, campers among them; of lorries; of buses
	Toll            Modes  // modes that pay toll; at a node, that stop to pay it
	LastResort      Modes  // modes that may pass but should only where there is no other way
	Axles           uint8  // of lorries
	Hazmat          uint8  // whether dangerous goods may pass: 0, HazmatNo or HazmatDestination
	Tunnel          uint8  // ADR category, 'A' to 'E'; 0 where OSM has none
	BusSpeed        uint8  // km/h posted for buses, 0 where OSM has none
	Backward        uint8  // 1: the conditions are those of an edge against its way's drawing
	_               uint8  // keeps the layout explicit
	Private         Modes  // at a node with PrivateAccess: modes that need permission or a destination there
	// Conditions are an attribute set: the tags whose conditions depend on the
	// vehicle, and limits with conditions; 0 where there are none.
	Conditions Set
}

// The rules of Limits for dangerous goods: they may not pass, or only to a place on the road.
const (
	HazmatNo          = 1
	HazmatDestination = 2
)

// ForAll gives limits that bound every kind of vehicle alike.
func ForAll(b Bounds) Limits { return Limits{Car: b, Lorry: b, Bus: b} }

// Bind reports whether the limits keep some vehicle or load off, or may do so by the
// category of a tunnel.
func (l Limits) Bind() bool {
	l = l.WithTolls(Limits{})
	l.BusSpeed, l.LastResort, l.Private = 0, 0, 0
	return l != Limits{}
}

// Tolls returns the limits with nothing but their toll.
func (l Limits) Tolls() Limits { return Limits{}.WithTolls(l) }

// WithTolls returns the limits with the toll of others.
func (l Limits) WithTolls(of Limits) Limits {
	l.Toll = of.Toll
	l.Car.TollOver, l.Lorry.TollOver, l.Bus.TollOver = of.Car.TollOver, of.Lorry.TollOver, of.Bus.TollOver
	return l
}

// Turn is the effect of a restriction on going from edge From to the original edge
// To at the node between them: it is forbidden, or leads to a copy of To. A turn
// without an entry is free.
type Turn struct {
	From, To Edge
	Replace  Edge   // the copy reached instead of To; None where the turn is forbidden
	Modes    Modes  // modes that may not turn; 0 with Replace, which applies to all
	When     uint16 // Always, AtTimes, or the vehicles it applies to: see ForVehicles
	Set      Set    // attribute set with "condition" and the relation's "id"; 0 where none
}

// When a turn is forbidden.
const (
	Always  = iota
	AtTimes // by the "condition" of Set
)

// ForVehicles returns the record of Limits whose conditions name the vehicles for which a
// turn is forbidden, whatever the time; ok is false where that depends on the time, or on nothing.
func (t *Turn) ForVehicles() (limits uint16, ok bool) { return t.When - AtTimes, t.When > AtTimes }

// TurnsFrom returns the turns of edge e, sorted by To.
func (g *Graph) TurnsFrom(e Edge) []Turn {
	if g.ByEdge[e].Flags&Turning == 0 {
		return nil
	}
	lo, hi := 0, len(g.Turns)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if g.Turns[mid].From < e {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	end := lo
	for end < len(g.Turns) && g.Turns[end].From == e {
		end++
	}
	return g.Turns[lo:end]
}

// Follow returns the edge reached by going from edge e (a copy perhaps) into the
// original f, whatever may be forbidden: f itself or, in the middle of a
// restriction over several ways, a copy of it.
func (g *Graph) Follow(e, f Edge) Edge {
	for _, t := range g.TurnsFrom(e) {
		if t.To == f && t.Replace != None {
			return t.Replace
		}
	}
	return f
}
