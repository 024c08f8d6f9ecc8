package guide

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// builder makes the manoeuvres of one leg.
type builder struct {
	g      *graph.Graph
	path   graph.Path
	line   Line
	o      Options
	names  map[uint32][]Name
	drafts []draft
	list   []Manoeuvre
}

// draft is a manoeuvre whose stretch may still grow.
type draft struct {
	Manoeuvre
	before, after float64
	turn          float64 // -180 to 180
}

// walk cuts the path into drafts where something is to be done.
func (b *builder) walk() {
	b.drafts = append(b.drafts, draft{Manoeuvre: Manoeuvre{Type: Start + Type(b.startSide())}})
	prev := -1
	for i := range b.path {
		if b.line.Step[i] == b.line.Step[i+1] {
			continue // no length, no course: it belongs to what is around it
		}
		if prev < 0 {
			b.drafts[0].after = b.after(i)
			b.begin(&b.drafts[0], i)
		} else if t, j := b.decide(prev, i); t != None {
			last := &b.drafts[len(b.drafts)-1]
			last.End = i
			d := draft{Manoeuvre: Manoeuvre{Type: t, Begin: i}, before: j.arrival, after: b.after(i), turn: j.turn}
			b.begin(&d, i)
			d.Stays = len(common(last.Names, d.Names)) > 0
			d.EndOfRoad = !goesOn(t) && j.forward == 0 && math.Abs(j.turn) > 44 && j.across
			b.drafts = append(b.drafts, d)
		} else {
			b.include(i)
		}
		prev = i
	}
	b.drafts[len(b.drafts)-1].End = len(b.path)
}

func (b *builder) startSide() Side {
	// Valhalla numbers the right side before the left.
	switch b.o.From {
	case LeftSide:
		return RightSide
	case RightSide:
		return LeftSide
	}
	return NoSide
}

func (b *builder) begin(d *draft, i int) {
	g, e := b.g, b.path[i].Edge
	d.Names = b.namesOf(e)
	d.Way = wayOf(g.Use[g.Segment(e)])
	d.Travel = b.travel(e)
	d.DriveOnLeft = g.SegFlags[g.Segment(e)]&graph.DriveOnLeft != 0
}

// include goes on along step i. The stretch keeps the names that hold all
// along it.
func (b *builder) include(i int) {
	d := &b.drafts[len(b.drafts)-1]
	n := b.namesOf(b.path[i].Edge)
	if len(d.Names) == 0 {
		d.Names = n
	} else if c := common(d.Names, n); len(c) > 0 {
		d.Names = c
	}
}

// decide gives what is to be done between two steps, None for going on.
func (b *builder) decide(prev, i int) (Type, junction) {
	g := b.g
	p, c := b.path[prev].Edge, b.path[i].Edge
	uturn := UturnLeft
	if g.SegFlags[g.Segment(c)]&graph.DriveOnLeft != 0 {
		uturn = UturnRight
	}
	if !b.atNode(prev, i) {
		if g.Original(c) == g.Opposite[p] {
			return uturn, junction{turn: 180, arrival: b.before(prev)}
		}
		return None, junction{}
	}
	if g.Original(c) == g.Opposite[p] {
		return uturn, junction{turn: 180, arrival: b.before(prev)}
	}
	j := b.look(prev, i)
	if t, done := b.special(p, c, &j); done {
		return t, j
	}
	t := b.ordinary(p, c, &j, uturn)
	if t != None {
		return t, j
	}
	// The end of a slip road is a manoeuvre for a moment, until the turn's
	// two halves are joined.
	onChannel := b.channel(b.path[b.drafts[len(b.drafts)-1].Begin].Edge) && len(b.drafts) > 1 && !b.channel(c)
	if onChannel || b.travel(p) != b.travel(c) || isVertical(g.Use[g.Segment(p)]) {
		return Continue, j
	}
	return t, j
}

// special judges changes in the kind of way: ferries, stairs, roundabouts,
// ramps and forks. done is false where it has nothing to say.
func (b *builder) special(p, c uint32, j *junction) (t Type, done bool) {
	g := b.g
	pu, cu := g.Use[g.Segment(p)], g.Use[g.Segment(c)]
	switch pf, cf := isFerry(pu), isFerry(cu); {
	case cf && !pf:
		return FerryEnter, true
	case pf && !cf:
		return FerryExit, true
	}
	if cu != pu && isVertical(cu) {
		return [...]Type{Elevator, Steps, Escalator}[cu-graph.Elevator], true
	}
	switch pr, cr := b.roundabout(p), b.roundabout(c); {
	case cr && !pr:
		return RoundaboutEnter, true
	case pr && !cr:
		return RoundaboutExit, true
	case pr && cr:
		return None, true
	}
	switch pr, cr := b.ramp(p), b.ramp(c); {
	case cr && !pr:
		return b.leave(p, c, j), true
	case j.armsLeft+j.armsRight > 0:
		return stay(j), true
	case pr && cr:
		return None, j.obvious() || math.Abs(j.turn) <= 44
	case pr:
		return b.merge(p, c, j)
	}
	return None, false
}

func stay(j *junction) Type {
	switch {
	case j.armsLeft > 0 && j.armsRight > 0:
		return StayStraight
	case j.armsLeft > 0:
		return StayRight
	}
	return StayLeft
}

// leave judges going onto a ramp: an exit from a motorway or where an exit
// number is signed, else a ramp from a road.
func (b *builder) leave(p, c uint32, j *junction) Type {
	if j.others == 0 {
		return None
	}
	sign := b.sign(c)
	if b.g.Class[b.g.Segment(p)] == graph.Motorway || len(sign.Number) > 0 {
		if j.exitSide < 0 {
			return ExitLeft
		}
		return ExitRight
	}
	switch {
	case math.Abs(j.turn) <= 10:
		return RampStraight
	case j.turn > 0:
		return RampRight
	}
	return RampLeft
}

// merge judges coming from a ramp onto a road.
func (b *builder) merge(p, c uint32, j *junction) (Type, bool) {
	g := b.g
	class := g.Class[g.Segment(c)]
	oneway := g.Access[g.Opposite[c]]&b.o.Modes == 0
	if math.Abs(j.turn) > 44 || class != graph.Motorway && (class > graph.Primary || !oneway) {
		return None, false
	}
	node, course := g.Tail[c], b.course(g.Original(c))
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		in := g.Opposite[e]
		if in == g.Original(p) || g.Access[in]&b.o.Modes == 0 || b.ramp(in) {
			continue
		}
		flow := math.Mod(b.course(e)+180, 360) // of the traffic that comes along it
		if math.Abs(signed(geo.Turn(flow, course))) > 30 {
			continue
		}
		if signed(geo.Turn(flow, j.arrival)) > 0 {
			return MergeRight, true
		}
		return MergeLeft, true
	}
	return Merge, true
}

// ordinary judges turns and changes of name.
func (b *builder) ordinary(p, c uint32, j *junction, uturn Type) Type {
	g := b.g
	last, cur := b.drafts[len(b.drafts)-1].Names, b.namesOf(c)
	same := len(common(last, cur)) > 0
	if (same || len(last)+len(cur) == 0) && math.Abs(j.turn) > 159 && j.others > 0 {
		return uturn
	}
	back := SharpLeft
	if j.turn > 0 {
		back = SharpRight
	}
	turn := turnType(j.turn, back)
	pw, cw := wayOf(g.Use[g.Segment(p)]), wayOf(g.Use[g.Segment(c)])
	changed := pw != cw && len(cur) == 0 && cw != CrossingWay && pw != CrossingWay
	obvious := j.obvious()
	switch {
	case same, len(last)+len(cur) == 0 && !changed && !b.ramp(p):
		slight := math.Abs(j.turn) <= 44
		if obvious || turn == Continue || slight && j.straightest > math.Abs(j.turn) {
			return None
		}
		return turn
	case len(last) > 0 && len(cur) > 0 && obvious:
		switch {
		case j.rivals == 0:
			return Becomes
		case math.Abs(j.turn) <= smallTurn:
			return Continue
		}
	case obvious && b.ramp(p) && math.Abs(j.turn) <= 44:
		return Continue
	case obvious && !changed && !b.ramp(p):
		return None
	}
	return turn
}

func (b *builder) atNode(prev, i int) bool {
	const whole = 1e-9
	p, c := &b.path[prev], &b.path[i]
	return p.End >= 1-whole && c.Begin <= whole && b.g.Head[p.Edge] == b.g.Tail[c.Edge]
}

func (b *builder) stepLine(i int) []geo.Point {
	return b.line.Points[b.line.Step[i] : b.line.Step[i+1]+1]
}

func (b *builder) after(i int) float64  { return leaving(b.stepLine(i), lookMetres) }
func (b *builder) before(i int) float64 { return arriving(b.stepLine(i), lookMetres) }

func (b *builder) onFoot() bool { return b.o.Modes&graph.Vehicles == 0 }

// roundabout reports whether an edge is part of a roundabout for the
// traveller; on foot one walks along its side like along any road's.
func (b *builder) roundabout(e uint32) bool {
	return b.g.SegFlags[b.g.Segment(e)]&graph.Roundabout != 0 && !b.onFoot()
}

func (b *builder) travel(e uint32) Travel {
	g := b.g
	switch {
	case b.onFoot():
		return Walking
	case b.o.Modes&graph.Bicycle == 0:
		return Driving
	case g.EdgeFlags[e]&graph.BikeDismount != 0 || isVertical(g.Use[g.Segment(e)]):
		return Pushing
	}
	return Cycling
}

func isFerry(u graph.Use) bool { return u == graph.Ferry || u == graph.RailFerry }

func isVertical(u graph.Use) bool {
	return u == graph.Elevator || u == graph.Steps || u == graph.Escalator
}
