package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// Least is the cheapest that the edges and turns of a graph can be for any
// traveller of a kind: at or below the cost of all options that Bounds takes.
// A search for such options may be led by it. It is immutable.
type Least struct {
	g       *graph.Graph
	corners []*Costing
	strict  *Costing // what it allows, all options allow
}

// Cheapest gives the options that the least of a costing is of: with them every
// road is cheapest and most are open, but for what NewLeast and comfortable see
// to: speeds, the kind of bicycle and use_roads.
func Cheapest(k costing.Costing) costing.Options {
	o := costing.Cheapest(k)
	o.CyclingSpeed, o.WalkingSpeed, o.UseRoads = leastPace, leastWalk, 0
	return o
}

// NewLeast gives the least of a kind. opens are the edges that the law closes
// to it and opens at times; they count as open.
//
// Almost every cost falls or rises with each option by itself, so that its least
// lies at one end of the option's range. A cyclist's use of roads is the
// exception: see comfortable. Of the kinds of bicycle the cheapest counts.
func NewLeast(g *graph.Graph, k costing.Costing, opens map[graph.Edge]bool) *Least {
	o := Cheapest(k)
	narrow := costing.Narrowest(k)
	narrow.Bicycle = costing.RoadBicycle // it is made for the fewest surfaces
	l := &Least{g: g, strict: New(g, narrow)}
	if k != costing.Bicycle {
		l.corners = []*Costing{NewOpen(g, o, opens)}
		return l
	}
	for _, b := range []costing.BicycleType{costing.RoadBicycle, costing.HybridBicycle, costing.CrossBicycle, costing.MountainBicycle} {
		o.Bicycle = b
		l.corners = append(l.corners, NewOpen(g, o, opens))
	}
	return l
}

// The speeds in km/h that the least of riders and walkers is for; Bounds
// scales it for those who are faster.
const (
	leastPace = 18
	leastWalk = 5.1
)

// Bounds tells by how much, above 0 and up to 1, the least must be scaled to be
// at or below the cost of some options; ok is false where it does not bound
// them at all: where another measure than weighted time counts, or rules are
// ignored.
func (l *Least) Bounds(o *costing.Options) (scale float64, ok bool) {
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
	return scale, scale > 0
}

// slower is how much slower, on the ground where that is most, the least rides
// than a cyclist with these options; 1 where it does not.
func slower(o *costing.Options) float64 {
	slower := 1.0
	for _, left := range bicycleSurface[o.Bicycle] {
		slower = math.Min(slower, ridden(leastPace, left)/ridden(o.CyclingSpeed, left))
	}
	return math.Min(slower, leastPace/o.CyclingSpeed) // the latter on slopes: see leastSeconds
}

// Costing tells which turns the least follows: restrictions are those of every
// traveller of the kind.
func (l *Least) Costing() *Costing { return l.corners[0] }

// Edge is the least cost of an original edge, or Forbidden.
func (l *Least) Edge(e graph.Edge) uint32 {
	least := uint32(Forbidden)
	for _, c := range l.corners {
		if c.opt.Costing != costing.Bicycle {
			return c.Edge(e)
		}
		if c.Allowed(e) {
			least = min(least, max(1, milli(c.leastSeconds(e)*c.comfortable(e))))
		}
	}
	return least
}

// comfortable is at or below what a second on an edge counts for any cyclist,
// who may like roads or not: what is done for bicycles counts as for those who
// do not, the class of the road as for those who do, and the speed of the cars
// for those to whom it matters less.
func (c *Costing) comfortable(e graph.Edge) float64 {
	g := c.g
	s := g.Segment(e)
	use, flags := g.Use[s], g.EdgeFlags[e]
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
		return 1 // paths with a track of their own may cost nothing more
	case graph.LivingStreet:
		stress = 0.2 * 0.75
	case graph.Track:
		stress = 0.5 * 0.75
	default:
		comfort = c.laneComfort(flags) // of those who use no roads
		hurry := math.Min(c.hurry(float64(g.Speed[e])), 1+(c.hurry(float64(g.Speed[e]))-1)*0.25)
		stress = (1 + 0.5*bicycleClass[g.Class[s]]) * hurry
	}
	if g.SegFlags[s]&graph.BikeNetwork != 0 {
		comfort *= 0.95
	}
	return 1 + comfort*stress
}

// Turn is the least cost of going from an edge to an original, or Forbidden.
func (l *Least) Turn(e, f graph.Edge) uint32 {
	c := l.corners[0]
	if f == l.g.Opposite[e] {
		// Where some traveller is stuck, turning round is allowed.
		if !l.strict.mayTurnRound(e, l.g.Head[e]) {
			return Forbidden
		}
		return c.delay(e, f, l.g.Head[e], true).Cost
	}
	return c.Turn(e, f).Cost
}

// Metric works the least out for the whole graph, on all cores.
func (l *Least) Metric(x *TurnIndex) *Metric { return x.metric(l.Edge, l.Turn) }
