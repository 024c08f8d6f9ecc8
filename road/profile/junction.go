package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// junction is the input of a turn's cost at its node. The rules are Valhalla's: the
// likelihood of having to stop decides how a turn is weighed, its angle alone
// how long it takes.
type junction struct {
	g           *graph.Graph
	out, into   graph.Edge // the edge left, no copy, and the edge turned into
	from, to    *graph.SegmentRecord
	n           graph.Node
	turn        int // change of bearing, 0 to 359 degrees
	turnType    turnType
	onLeft      bool // traffic keeps left
	left, right bool // other roads leave to the left and to the right of the turn
	degree      int  // ways at the node
	sameName    bool // both roads have the same name, or none
	stopImpact  int  // likelihood of having to stop, 0 to 7
}

// junctionAt returns the junction of the turn from an original edge into another at the node
// between them.
func junctionAt(g *graph.Graph, e, f graph.Edge, n graph.Node) junction {
	j := turnAt(g, e, f, n)
	if p, ok := g.Junction(e, uint32(f-g.FirstOut[n])); ok {
		j.unpack(p)
	} else {
		j.meet()
	}
	return j
}

// turnAt returns a junction with the facts of its turn alone.
func turnAt(g *graph.Graph, e, f graph.Edge, n graph.Node) junction {
	j := junction{
		g: g, out: e, into: f, from: &g.BySegment[g.Segment(e)], to: &g.BySegment[g.Segment(f)], n: n, turn: g.TurnDegrees(e, f),
		degree: int(g.FirstOut[n+1] - g.FirstOut[n]),
	}
	j.turnType = turnTypeOf(j.turn)
	j.onLeft = j.to.Flags&graph.DriveOnLeft != 0
	return j
}

// meet finds what a turn meets, which does not depend on the traveller.
func (j *junction) meet() {
	g, n := j.g, j.n
	from, to := g.Segment(j.out), g.Segment(j.into)
	j.sameName = sameName(g, j.from.Name, j.to.Name)
	best, allLinks, meets := graph.Unclassified, true, from == to
	for x := g.FirstOut[n]; x < g.FirstOut[n+1]; x++ {
		s := g.Segment(x)
		allLinks = allLinks && g.BySegment[s].Flags&graph.Link != 0
		if s == from || s == to {
			continue
		}
		if j.degree > 2 && g.BySegment[s].Use != graph.Construction {
			j.noteSide(g.TurnDegrees(j.out, x))
		}
		comes := g.ByEdge[g.ByEdge[x].Opposite].Access&graph.Auto != 0
		meets = meets || comes || g.ByEdge[x].Access&graph.Auto != 0
		if !comes {
			continue
		}
		class := g.BySegment[s].Class
		if g.BySegment[s].Flags&graph.Roundabout != 0 {
			class += 2
		}
		best = min(best, class)
	}
	if meets { // else the road only goes on, as another way
		j.stopImpact = j.impact(best, allLinks)
	}
}

// noteSide records on which side of the turn another road leaves.
func (j *junction) noteSide(other int) {
	switch {
	case j.turn > 180 && (other > j.turn || other < 180), j.turn <= 180 && other > j.turn && other < 180:
		j.right = true
	case j.turn > 180 && other < j.turn && other > 180, j.turn <= 180 && (other < j.turn || other > 180):
		j.left = true
	}
}

// maxStopImpact is the highest stop impact.
const maxStopImpact = 7

// impact rates how likely a driver has to stop, from 0 to 7: by the classes
// of the roads that cross, after the rule that Valhalla's graph enhancer
// documents. best is the most important class that crosses, at least
// unclassified.
func (j *junction) impact(best graph.Class, allLinks bool) int {
	g := j.g
	flags, flagsTo := g.ByEdge[j.out].Flags, g.ByEdge[j.into].Flags
	if j.from.Flags&j.to.Flags&graph.Roundabout != 0 {
		return 0
	}
	if j.turnsAtPoint() || j.turnsOnCycleway() {
		return maxStopImpact
	}
	from := min(j.from.Class, graph.Unclassified)
	useFrom, useTo := j.from.Use, j.to.Use
	if useFrom == graph.TurnChannel && useTo == graph.TurnChannel && best < graph.Unclassified {
		return maxStopImpact
	}
	impact := max(0, int(from)-int(best)+3)
	sharp := j.turnType == sharpLeft || j.turnType == sharpRight || j.turnType == reverse
	slight := j.turnType == straight || j.turnType == slightLeft || j.turnType == slightRight
	controlled := g.ByNode[j.n].Flags&graph.Signal != 0 || flags&(graph.HeadSignal|graph.HeadStop) != 0
	switch {
	case allLinks:
		impact = rampImpact(impact, sharp, slight)
	case useFrom == graph.Ramp && useTo == graph.Ramp && best < graph.Unclassified:
		if controlled {
			impact = 4
		} else if j.degree > 3 {
			impact += 2
		}
	case useFrom == graph.Ramp && useTo != graph.Ramp && (flags|flagsTo)&graph.Internal == 0:
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
		impact = rampImpact(impact, sharp, slight)
	case useFrom == graph.ParkingAisle && useTo == graph.ParkingAisle:
		impact--
	case j.crossesTraffic() && from != j.to.Class && useTo != graph.Ramp && useTo != graph.TurnChannel:
		difference := int(from) - int(j.to.Class)
		if controlled {
			impact += 2
		} else if difference > 1 || difference < -1 {
			impact++
		}
	}
	return max(0, min(maxStopImpact, impact))
}

// turnsAtPoint reports whether the turn is from one carriageway of a road back
// along the other, at the point where the two become one.
func (j *junction) turnsAtPoint() bool {
	g := j.g
	oneway := func(e graph.Edge) bool {
		return g.ByEdge[e].Access&graph.Auto != 0 && g.ByEdge[g.ByEdge[e].Opposite].Access&graph.Auto == 0
	}
	return j.turnsBack() && j.left == j.onLeft && j.right != j.onLeft && j.sameName && oneway(j.out) && oneway(j.into)
}

// turnsOnCycleway reports whether the turn is from one cycleway back along
// another, with ways on both sides.
func (j *junction) turnsOnCycleway() bool {
	return j.turnsBack() && j.left && j.right && j.from.Use == graph.Cycleway && j.to.Use == graph.Cycleway
}

// turnsBack reports whether the turn leads back across the oncoming lane; between
// short roads a lesser turn does, because their courses are those of a bend.
func (j *junction) turnsBack() bool {
	const long, wide, wideShort = 50, 31, 46 // metres and degrees
	most := wide
	if min(j.from.Length, j.to.Length) < long {
		most = wideShort
	}
	if j.onLeft {
		return j.turn <= 180 && j.turn > 180-most
	}
	return j.turn >= 180 && j.turn < 180+most
}

// rampImpact returns the stop impact where only slip roads meet.
func rampImpact(impact int, sharp, slight bool) int {
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
		return j.turnType == right || j.turnType == sharpRight
	}
	return j.turnType == left || j.turnType == sharpLeft
}

// doublesBack reports whether the turn is sharply across the oncoming lane and
// no road leaves beyond it: where the carriageways of a road part, that is
// turning back.
func (j *junction) doublesBack() bool {
	if j.onLeft {
		return j.turnType == sharpRight && j.left && !j.right
	}
	return j.turnType == sharpLeft && j.right && !j.left
}

// delay returns the time in seconds that a traveller with some options loses at a junction,
// and the weight of the turn in weighted seconds.
func (j *junction) delay(o *costing.Options) (seconds, weight float64) {
	switch o.Costing {
	case costing.Pedestrian:
		if j.left && j.right {
			seconds = pedestrianSeconds[j.stopImpact]
		}
		return seconds, seconds
	case costing.Bicycle:
		return j.bicycleTurn(o)
	}
	return j.drivingSeconds(), j.drivingWeight()
}

// pedestrianSeconds is the time in seconds to cross a junction on foot, by stop
// impact.
var pedestrianSeconds = [maxStopImpact + 1]float64{0, 0, 1, 1, 2, 3, 5, 15}

// The weight of a turn by its type, for each point of stop impact, where traffic
// keeps right and left; from Valhalla's transition costs.
var turnWeight = [2][8]float64{
	{0.5, 0.75, 1.0, 1.5, 9.5, 3.5, 2.5, 0.75},
	{0.5, 0.75, 2.5, 3.5, 9.5, 1.5, 1.0, 0.75},
}

const (
	betweenRoads  = 2.0 // a turn with roads on both sides of it
	ontoRamp      = 1.5
	ontoRoundRamp = 0.5
	turningBack   = 600
	bendingBack   = 10   // into a road of another name: a sharp bend
	pencilPoint   = 15.0 // factor where the two carriageways of a road meet
)

// densityWeight is the factor of a turn by the density of roads around.
var densityWeight = [16]float64{1, 1, 1, 1, 1, 1.1, 1.2, 1.3, 1.4, 1.6, 1.9, 2.2, 2.5, 2.8, 3.1, 3.5}

func side(onLeft bool) int {
	if onLeft {
		return 1
	}
	return 0
}

func (j *junction) drivingWeight() float64 {
	if j.stopImpact == 0 {
		if j.turnType == reverse {
			return j.drivingSeconds() // so that turning round is never free
		}
		return 0
	}
	g := j.g
	w := turnWeight[side(j.onLeft)][j.turnType]
	if j.left && j.right {
		w = betweenRoads
	}
	if (j.from.Use == graph.Ramp) != (j.to.Use == graph.Ramp) {
		w += ontoRamp
		if j.to.Flags&graph.Roundabout != 0 {
			w += ontoRoundRamp
		}
	}
	w *= float64(j.stopImpact)
	switch {
	case j.turnType == reverse && !j.sameName:
		w += bendingBack
	case j.turnType == reverse:
		w += turningBack
	case j.doublesBack() && j.sameName && j.to.Name != 0:
		w *= pencilPoint
	}
	return w * densityWeight[g.ByNode[j.n].Flags.Density()]
}

// The seconds that a turn takes by its angle where traffic keeps right, by
// the curve of OSRM's car profile, which Valhalla uses too.
var turnSeconds = func() (t [360]float64) {
	const most, bias = 7.5, 1.075
	for i := range t {
		angle, b := float64(i), 1/bias
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

func (j *junction) drivingSeconds() float64 {
	t := 0.0
	if j.signal() {
		t = signalSeconds
	}
	if j.degree <= 2 && j.turnType != reverse {
		return t // no other road leaves
	}
	turn := j.turn
	if j.onLeft {
		turn = (360 - turn) % 360
	}
	t += turnSeconds[turn]
	if j.turnType == reverse {
		t += backSeconds
	}
	return t
}

// signal reports whether a driver waits at a signal. A junction of carriageways
// has several nodes with one, and he waits where he comes to the first.
func (j *junction) signal() bool {
	g := j.g
	if g.ByNode[j.n].Flags&graph.Signal == 0 {
		return false
	}
	return g.ByEdge[j.out].Flags&graph.Internal == 0 || g.ByNode[g.ByEdge[j.out].Tail].Flags&graph.Signal == 0
}

// The seconds and the stress of a turn by its type for a cyclist, where traffic
// keeps right and left.
var (
	bicycleTurnSeconds = [2][8]float64{
		{0.15, 0.2, 0.3, 0.5, 5, 1.5, 1, 0.4},
		{0.15, 0.4, 1, 1.5, 5, 0.5, 0.3, 0.2},
	}
	bicycleTurnStress = [2][8]float64{
		{0, 0.25, 0.75, 1, 4, 2.25, 1.75, 0.75},
		{0, 0.75, 1.75, 2.25, 4, 1, 0.75, 0.25},
	}
)

func (j *junction) bicycleTurn(o *costing.Options) (seconds, weight float64) {
	g := j.g
	use, avoid := j.to.Use, 1-o.UseRoads
	class, kindness := bicycleClass[j.to.Class], bikeLaneFactor(g.ByEdge[j.into].Flags)
	switch use {
	case graph.Cycleway, graph.Footway, graph.PedestrianStreet, graph.Trail:
		class, kindness = 0.1, 0.05
	case graph.LivingStreet:
		kindness = 0.15
	}
	stress := 1.0
	if j.stopImpact > 0 {
		stress += bicycleTurnStress[side(j.onLeft)][j.turnType]
		bend := bicycleTurnSeconds[side(j.onLeft)][j.turnType]
		if j.left && j.right {
			bend = max(bend, 0.75)
		}
		seconds = bend * float64(j.stopImpact)
	}
	stress *= class*avoid + o.UseRoads + 1
	penalty := 0.0
	if up := int(j.from.Class) - int(j.to.Class); up > 0 && use != graph.LivingStreet {
		penalty = 10 * float64(up) * (kindness*avoid + o.UseRoads)
		stress++
		if g.ByNode[j.n].Flags&graph.Signal != 0 {
			stress -= 0.6
		}
	}
	return seconds, seconds*(stress+1) + penalty
}

func bikeLaneFactor(flags graph.EdgeFlags) float64 {
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
