package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// junction is what a turn meets at a node. The rules are Valhalla's: how
// likely one has to stop decides how a turn is weighed, its angle alone how
// long it takes.
type junction struct {
	into        graph.Edge // the edge turned into
	from, to    graph.Segment
	n           graph.Node
	turn        uint8 // change of course in 256ths of a circle
	bend        bend
	onLeft      bool // one drives on the left
	left, right bool // other roads leave to the left and to the right of the turn
	degree      int  // ways at the node
	sameName    bool // both roads have the same name, or none
	impact      int  // how likely one has to stop, 0 to 7
}

func (c *Costing) junctionOf(e, f graph.Edge, n graph.Node) junction {
	g := c.g
	j := junction{into: f, from: g.Segment(e), to: g.Segment(f), n: n, turn: g.Out[f] - g.In[e], degree: int(g.FirstOut[n+1] - g.FirstOut[n])}
	j.bend = bendOf(j.turn)
	j.onLeft = g.SegFlags[j.to]&graph.DriveOnLeft != 0
	best, allLinks := graph.Unclassified, true
	for x := g.FirstOut[n]; x < g.FirstOut[n+1]; x++ {
		s := g.Segment(x)
		allLinks = allLinks && g.SegFlags[s]&graph.Link != 0
		if s == j.from || s == j.to {
			continue
		}
		if j.degree > 2 && g.Use[s] != graph.Construction {
			j.place(g.Out[x] - g.In[e])
		}
		if g.Access[g.Opposite[x]]&graph.Auto == 0 {
			continue // nobody comes from there
		}
		class := g.Class[s]
		if g.SegFlags[s]&graph.Roundabout != 0 {
			class += 2
		}
		best = min(best, class)
	}
	j.impact = c.impact(&j, best, allLinks, g.EdgeFlags[e])
	return j
}

// place notes on which side of the turn another road leaves.
func (j *junction) place(other uint8) {
	switch {
	case j.turn > 128 && (other > j.turn || other < 128), j.turn <= 128 && other > j.turn && other < 128:
		j.right = true
	case j.turn > 128 && other < j.turn && other > 128, j.turn <= 128 && (other < j.turn || other > 128):
		j.left = true
	}
}

// mostImpact is the highest likelihood of a stop.
const mostImpact = 7

// impact rates how likely one has to stop, from 0 to 7: by the classes of the
// roads that cross, after the rule that Valhalla's graph enhancer documents.
// best is the greatest class that crosses, unclassified at the least.
func (c *Costing) impact(j *junction, best graph.Class, allLinks bool, head graph.EdgeFlags) int {
	g := c.g
	if g.SegFlags[j.from]&g.SegFlags[j.to]&graph.Roundabout != 0 {
		return 0
	}
	from := min(g.Class[j.from], graph.Unclassified)
	useFrom, useTo := g.Use[j.from], g.Use[j.to]
	if useFrom == graph.TurnChannel && useTo == graph.TurnChannel && best < graph.Unclassified {
		return mostImpact
	}
	impact := max(0, int(from)-int(best)+3)
	sharp := j.bend == sharpLeft || j.bend == sharpRight || j.bend == reverse
	slight := j.bend == straight || j.bend == slightLeft || j.bend == slightRight
	controlled := g.NodeFlags[j.n]&graph.Signal != 0 || head&(graph.HeadSignal|graph.HeadStop) != 0
	switch {
	case allLinks:
		impact = merged(impact, sharp, slight)
	case useFrom == graph.Ramp && useTo == graph.Ramp && best < graph.Unclassified:
		if controlled {
			impact = 4
		} else if j.degree > 3 {
			impact += 2
		}
	case useFrom == graph.Ramp && useTo != graph.Ramp:
		switch {
		case sharp:
			impact += 3
		case slight:
			impact++
		default:
			impact += 2
		}
	case useFrom == graph.TurnChannel && useTo == graph.Ramp && !sharp:
		impact++
	case useFrom == graph.TurnChannel:
		impact = merged(impact, sharp, slight)
	case useFrom == graph.ParkingAisle && useTo == graph.ParkingAisle:
		impact--
	case j.crossesTraffic() && from != g.Class[j.to] && useTo != graph.Ramp && useTo != graph.TurnChannel:
		apart := int(from) - int(g.Class[j.to])
		if controlled {
			impact += 2
		} else if apart > 1 || apart < -1 {
			impact++
		}
	}
	return max(0, min(mostImpact, impact))
}

// merged is the impact where only slip roads meet.
func merged(impact int, sharp, slight bool) int {
	switch {
	case sharp:
		return impact + 2
	case slight:
		return impact / 2
	}
	return impact - 1
}

// crossesTraffic reports whether the turn is across the oncoming lane.
func (j *junction) crossesTraffic() bool {
	if j.onLeft {
		return j.bend == right || j.bend == sharpRight
	}
	return j.bend == left || j.bend == sharpLeft
}

// doublesBack reports whether the turn is sharply across the oncoming lane with
// nothing beyond: where a road splits in two, that is turning back.
func (j *junction) doublesBack() bool {
	if j.onLeft {
		return j.bend == sharpRight && j.left && !j.right
	}
	return j.bend == sharpLeft && j.right && !j.left
}

// crossing is the time lost at a junction in seconds, and how the turn is
// weighed.
func (c *Costing) crossing(j *junction) (seconds, weight float64) {
	switch c.opt.Costing {
	case costing.Pedestrian:
		if j.left && j.right {
			seconds = walkersWait[j.impact]
		}
		return seconds, seconds
	case costing.Bicycle:
		return c.cycledTurn(j)
	}
	return c.drivenSeconds(j), c.drivenWeight(j)
}

// walkersWait is the time in seconds to cross a junction on foot, by impact.
var walkersWait = [mostImpact + 1]float64{0, 0, 1, 1, 2, 3, 5, 15}

// How a bend weighs, where one drives on the right and on the left, for each
// chance of a stop; from Valhalla's transition costs.
var bendWeight = [2][8]float64{
	{0.5, 0.75, 1.0, 1.5, 9.5, 3.5, 2.5, 0.75},
	{0.5, 0.75, 2.5, 3.5, 9.5, 1.5, 1.0, 0.75},
}

const (
	betweenRoads  = 2.0 // a turn between roads on both sides
	ontoRamp      = 1.5
	ontoRoundRamp = 0.5
	turningBack   = 600
	pencilPoint   = 15.0 // times, where the two carriageways of a road meet
)

// inTown weighs turns by the density of roads around.
var inTown = [16]float64{1, 1, 1, 1, 1, 1.1, 1.2, 1.3, 1.4, 1.6, 1.9, 2.2, 2.5, 2.8, 3.1, 3.5}

func side(onLeft bool) int {
	if onLeft {
		return 1
	}
	return 0
}

func (c *Costing) drivenWeight(j *junction) float64 {
	if j.impact == 0 {
		if j.bend == reverse {
			return c.drivenSeconds(j) // or turning round first would be as cheap as not
		}
		return 0
	}
	g := c.g
	w := bendWeight[side(j.onLeft)][j.bend]
	if j.left && j.right {
		w = betweenRoads
	}
	if (g.Use[j.from] == graph.Ramp) != (g.Use[j.to] == graph.Ramp) {
		w += ontoRamp
		if g.SegFlags[j.to]&graph.Roundabout != 0 {
			w += ontoRoundRamp
		}
	}
	w *= float64(j.impact)
	switch {
	case j.bend == reverse:
		w += turningBack
	case j.doublesBack() && j.sameName && g.Name[j.to] != 0:
		w *= pencilPoint
	}
	return w * inTown[g.SegFlags[j.from].Density()]
}

// What a turn of each angle takes in seconds where one drives on the right, by
// the curve of OSRM's car profile, which Valhalla uses too.
var turnSeconds = func() (t [256]float64) {
	const most, bias = 7.5, 1.075
	for i := range t {
		angle, b := float64(i)*360/256, 1/bias
		if angle > 180 {
			angle, b = 360-angle, bias
		}
		t[i] = most / (1 + math.Exp(-(13*b*angle/180 - 6.5/b)))
	}
	return t
}()

const (
	signalSeconds = 2
	backSeconds   = 20
)

func (c *Costing) drivenSeconds(j *junction) float64 {
	t := 0.0
	if c.g.NodeFlags[j.n]&graph.Signal != 0 {
		t = signalSeconds
	}
	if j.degree <= 2 && j.bend != reverse {
		return t // in the middle of a road
	}
	turn := j.turn
	if j.onLeft {
		turn = -turn
	}
	t += turnSeconds[turn]
	if j.bend == reverse {
		t += backSeconds
	}
	return t
}

// What a bend costs a cyclist in time and in stress, on the right and on the
// left, and what of a penalty is left where something is done for bicycles.
var (
	cycledBend = [2][8]float64{
		{0.15, 0.2, 0.3, 0.5, 5, 1.5, 1, 0.4},
		{0.15, 0.4, 1, 1.5, 5, 0.5, 0.3, 0.2},
	}
	cycledStress = [2][8]float64{
		{0, 0.25, 0.75, 1, 4, 2.25, 1.75, 0.75},
		{0, 0.75, 1.75, 2.25, 4, 1, 0.75, 0.25},
	}
)

func (c *Costing) cycledTurn(j *junction) (seconds, weight float64) {
	g, o := c.g, &c.opt
	use, avoid := g.Use[j.to], 1-o.UseRoads
	class, kindness := bicycleClass[g.Class[j.to]], laneKindness(g.EdgeFlags[j.into])
	switch use {
	case graph.Cycleway, graph.Footway, graph.PedestrianStreet, graph.Trail:
		class, kindness = 0.1, 0.05
	case graph.LivingStreet:
		kindness = 0.15
	}
	stress := 1.0
	if j.impact > 0 {
		stress += cycledStress[side(j.onLeft)][j.bend]
		bend := cycledBend[side(j.onLeft)][j.bend]
		if j.left && j.right {
			bend = max(bend, 0.75)
		}
		seconds = bend * float64(j.impact)
	}
	stress *= class*avoid + o.UseRoads + 1
	penalty := 0.0
	if up := int(g.Class[j.from]) - int(g.Class[j.to]); up > 0 && use != graph.LivingStreet {
		penalty = 10 * float64(up) * (kindness*avoid + o.UseRoads)
		stress++
		if g.NodeFlags[j.n]&graph.Signal != 0 {
			stress -= 0.6
		}
	}
	return seconds, seconds*(stress+1) + penalty
}

func laneKindness(flags graph.EdgeFlags) float64 {
	switch {
	case flags&graph.BikeTrack != 0:
		return 0.1
	case flags&graph.BikeLane != 0:
		return 0.25
	case flags&graph.BikeShared != 0:
		return 0.5
	}
	return 1
}
