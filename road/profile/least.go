package profile

import (
	"math"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
)

// LowerBound is a costing whose edges and turns cost at most what they cost any
// traveller of some kinds whose options LeastScale accepts. A search for such a
// traveller may take its potential from it. It is immutable.
type LowerBound struct{ kinds []leastOfKind }

// leastOfKind is the lower bound of one kind.
type leastOfKind struct {
	cheapest []*Costing
	strict   *Costing // a costing that allows only what all options allow
}

// BoundedWith lists the kinds that share a lower bound with one, itself among them: the
// options can make them about equally cheap at best. The first is the same for all of them.
func BoundedWith(k costing.Costing) []costing.Costing {
	cars := []costing.Costing{costing.Auto, costing.Truck, costing.Bus, costing.Motorcycle}
	if slices.Contains(cars, k) {
		return cars
	}
	return []costing.Costing{k}
}

// Cheapest returns the options of the lower bound of a costing: with them every road is
// cheapest and most roads are open. NewLowerBound and leastBicycleFactor treat speeds, the
// kind of bicycle and use_roads.
func Cheapest(k costing.Costing) costing.Options {
	o := costing.Cheapest(k)
	o.CyclingSpeed, o.WalkingSpeed, o.UseRoads = leastPace, leastWalk, 0
	return o
}

// NewLowerBound returns the lower bound of kinds of travellers. best returns the roads at
// the best of times for a kind, which the bound counts with.
//
// Almost every cost falls or rises with each option by itself, so that its
// least is at one end of the option's range. A cyclist's use_roads is the
// exception: see leastBicycleFactor. Of the kinds of bicycle the cheapest
// counts.
func NewLowerBound(g *graph.Graph, kinds []costing.Costing, best func(costing.Costing) *overlay.BestTimes) *LowerBound {
	l := &LowerBound{}
	for _, k := range kinds {
		l.kinds = append(l.kinds, newLeastOfKind(g, k, best(k)))
	}
	return l
}

// NewUsualBound returns the lower bound of travellers of a kind by usual options, whatever
// their vehicles and loads.
func NewUsualBound(g *graph.Graph, k costing.Costing) *LowerBound {
	return &LowerBound{[]leastOfKind{{cheapest: []*Costing{newLeast(g, costing.Default(k).LeastRestricted(), nil)}, strict: newStrict(g, costing.TightestOptions(k))}}}
}

// newLeast returns the costing to which conditions about the vehicle close the fewest roads
// and tolls; newStrict returns that to which they close the most.
func newLeast(g *graph.Graph, o costing.Options, best *overlay.BestTimes) *Costing {
	c := newCosting(g, o, best, anyVehicle(&o), conditional.Hoped)
	c.boundTolls()
	return c
}

func newStrict(g *graph.Graph, o costing.Options) *Costing {
	return newCosting(g, o, nil, anyVehicle(&o), conditional.Feared)
}

func newLeastOfKind(g *graph.Graph, k costing.Costing, best *overlay.BestTimes) leastOfKind {
	o := Cheapest(k)
	narrow := costing.TightestOptions(k)
	narrow.Bicycle = costing.RoadBicycle // it is made for the fewest surfaces
	l := leastOfKind{strict: newStrict(g, narrow)}
	if k != costing.Bicycle {
		l.cheapest = []*Costing{newLeast(g, o, best)}
		return l
	}
	for _, b := range []costing.BicycleType{costing.RoadBicycle, costing.HybridBicycle, costing.CrossBicycle, costing.MountainBicycle} {
		o.Bicycle = b
		l.cheapest = append(l.cheapest, newLeast(g, o, best))
	}
	return l
}

// The speeds in km/h of the lower bounds of cyclists and walkers; LeastScale
// corrects for those who are faster.
const (
	leastPace = 18
	leastWalk = 5.1
)

// LeastScale returns the factor, above 0 and up to 1, by which the lower bound of a kind has
// to be multiplied to be at or below the costs by some options. ok is false if it does not
// bound them at all: if they do not minimise weighted time, or ignore rules.
func LeastScale(o *costing.Options) (scale float64, ok bool) {
	if !o.Bounded() {
		return 0, false
	}
	// A cost is a product of such factors and times at such speeds, or does not
	// depend on them.
	scale = o.LeastFactor()
	switch o.Costing {
	case costing.Pedestrian:
		scale *= math.Min(1, leastWalk/o.WalkingSpeed)
	case costing.Bicycle:
		scale *= slower(o)
	}
	if scale < 1 {
		scale *= 1 - forRounding
	}
	return scale, scale > 0
}

// forRounding compensates for costs being whole numbers: on an edge of 256 ms or more it is
// more than what rounding can take from a scaled cost's margin, and shorter edges are but
// short pieces of any path.
const forRounding = 1.0 / 256

// slower returns the least ratio, over all surfaces, of the speed of the lower bound to that
// of a cyclist with these options; at most 1.
func slower(o *costing.Options) float64 {
	slower := 1.0
	for _, left := range bicycleSurface[o.Bicycle] {
		slower = math.Min(slower, wholeSpeed(leastPace, left)/wholeSpeed(o.CyclingSpeed, left))
	}
	return math.Min(slower, leastPace/o.CyclingSpeed) // the latter on slopes: see leastBicycleSeconds
}

// Follow is Costing.Follow with the fewest restrictions: those that apply to every traveller
// of the kinds.
func (l *LowerBound) Follow(e, f graph.Edge) (to graph.Edge, ok bool) {
	for i := range l.kinds {
		if to, ok = l.kinds[i].cheapest[0].Follow(e, f); ok {
			return to, true
		}
	}
	return 0, false
}

// Edge returns the least cost of an original edge, or Forbidden.
func (l *LowerBound) Edge(e graph.Edge) uint32 {
	least := uint32(Forbidden)
	for i := range l.kinds {
		least = min(least, l.kinds[i].edge(e))
	}
	return least
}

func (l *leastOfKind) edge(e graph.Edge) uint32 {
	least := uint32(Forbidden)
	for _, c := range l.cheapest {
		if c.opt.Costing != costing.Bicycle {
			return c.Edge(e)
		}
		if c.Allowed(e) {
			least = min(least, max(1, milli(c.leastBicycleSeconds(e)*c.leastBicycleFactor(e))))
		}
	}
	return least
}

// leastBicycleFactor returns a factor at or below that of an edge for any cyclist, whatever
// use_roads: lanes and paths count as for 0, the class of the road as for 1, and the speed
// of the cars for the one to whom it matters less.
func (c *Costing) leastBicycleFactor(e graph.Edge) float64 {
	g := c.g
	s := g.Segment(e)
	use, flags := g.BySegment[s].Use, g.ByEdge[e].Flags
	var stress float64
	comfort := 1.0
	switch use {
	case graph.Ferry:
		return c.ferryFactor
	case graph.RailFerry:
		return c.railFactor
	case graph.Steps:
		return 1
	case graph.Cycleway, graph.Footway, graph.PedestrianStreet, graph.Trail, graph.MountainBike:
		return 1 // a track of its own may add nothing to a path's factor
	case graph.LivingStreet:
		stress = 0.2 * 0.75
	case graph.Track:
		stress = 0.5 * 0.75
	default:
		comfort = c.laneAccommodation(flags) // by use_roads 0
		hurry := math.Min(c.trafficStress(float64(g.ByEdge[e].Speed)), 1+(c.trafficStress(float64(g.ByEdge[e].Speed))-1)*0.25)
		stress = (1 + 0.5*bicycleClass[g.BySegment[s].Class]) * hurry
	}
	if g.BySegment[s].Flags&graph.BikeNetwork != 0 {
		comfort *= 0.95
	}
	return 1 + comfort*stress
}

// Turn returns the least cost of going from an edge to an original, or Forbidden.
func (l *LowerBound) Turn(e, f graph.Edge) uint32 {
	least := uint32(Forbidden)
	for i := range l.kinds {
		least = min(least, l.kinds[i].turn(e, f))
	}
	return least
}

func (l *leastOfKind) turn(e, f graph.Edge) uint32 {
	c := l.cheapest[0]
	if f == c.g.ByEdge[e].Opposite {
		// Turning round is allowed where some traveller has no other way.
		if !l.strict.mayTurnRound(e, c.g.ByEdge[e].Head) {
			return Forbidden
		}
		return c.delay(e, f, c.g.ByEdge[e].Head, true).Cost
	}
	return c.Turn(e, f).Cost
}
