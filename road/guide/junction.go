package guide

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// turnType is the class of a turn of -360 to 360 degrees clockwise, with
// Valhalla's bounds. uturn is given for a reversal.
func turnType(degrees float64, uturn Type) Type {
	switch d := math.Round(geo.Turn(0, degrees)); {
	case d <= 10 || d >= 350:
		return Continue
	case d <= 44:
		return SlightRight
	case d <= 135:
		return Right
	case d <= 159:
		return SharpRight
	case d <= 200:
		return uturn
	case d <= 224:
		return SharpLeft
	case d <= 315:
		return Left
	}
	return SlightLeft
}

// signed brings a turn to -180 up to 180, right being positive.
func signed(turn float64) float64 {
	if turn > 180 {
		return turn - 360
	}
	return turn
}

// junction is what a traveller sees where one step of the path meets the next.
type junction struct {
	turn    float64 // of the path, -180 to 180, right positive
	arrival float64 // course before it
	others  int     // further ways that may be entered
	rivals  int     // of those, as important as the path's
	// straightest is the least turn of any rival, 360 without one; forward
	// counts the others within 45 degrees of straight on, trivial ones apart.
	straightest float64
	forward     int
	// arms left and right of the path that split off as it does.
	armsLeft, armsRight int
	// exitSide is the side of the path's way from the straightest other:
	// negative left, positive right, 0 without other.
	exitSide float64
	across   bool // a rival turns to the other side
}

// obvious reports whether nobody would think of going elsewhere.
func (j *junction) obvious() bool {
	d := math.Abs(j.turn)
	switch {
	case j.others == 0:
		return true
	case d <= 44:
		return j.straightest > d+15 && (d <= 25 || j.straightest > 60 || j.rivals == 0)
	}
	return j.rivals == 0 && j.forward == 0 || j.straightest > d+40 && j.forward == 0
}

// look examines the node between two steps of the path.
func (b *builder) look(prev, cur int) junction {
	g := b.g
	p, c := b.path[prev].Edge, b.path[cur].Edge
	j := junction{arrival: b.before(prev), straightest: 360}
	j.turn = signed(geo.Turn(j.arrival, b.after(cur)))
	best := 360.0
	node, from, to := g.Tail[c], g.Original(p), g.Original(c)
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		if e == to || e == g.Opposite[from] || !b.mayEnter(p, e) {
			continue
		}
		j.others++
		turn := signed(geo.Turn(j.arrival, b.course(e)))
		d := math.Abs(turn)
		if d <= 45 && !b.trivial(c, e) {
			j.forward++
		}
		if d < best {
			best = d
			j.exitSide = signed(geo.Turn(turn, j.turn))
		}
		if b.splits(p, c, e, j.turn, turn) {
			if signed(geo.Turn(turn, j.turn)) < 0 {
				j.armsRight++
			} else {
				j.armsLeft++
			}
		}
		if b.minor(p, c, e) {
			continue
		}
		j.rivals++
		j.straightest = math.Min(j.straightest, d)
		if turn*j.turn < 0 && d >= 45 {
			j.across = true
		}
	}
	return j
}

// mayEnter reports whether the traveller on edge p may go on along e.
func (b *builder) mayEnter(p, e uint32) bool {
	return MayEnter(b.g, p, e, b.o.Modes)
}

// MayEnter reports whether one of the modes may go from edge p to edge e,
// which leaves p's head: access and the restrictions that always hold allow
// it.
func MayEnter(g *graph.Graph, p, e uint32, modes graph.Modes) bool {
	allowed := g.Access[e] & modes
	for _, t := range g.TurnsFrom(p) {
		if t.To == e && t.Replace == graph.None && t.Timed == 0 {
			allowed &^= t.Modes
		}
	}
	return allowed != 0
}

// course is the bearing at which an edge leaves its tail.
func (b *builder) course(e uint32) float64 {
	g := b.g
	shape := g.SegmentShape(g.Segment(e))
	last := len(shape) - 1
	at := func(i int) geo.Point { return shape[i].Point() }
	if g.Backward(e) {
		at = func(i int) geo.Point { return shape[last-i].Point() }
	}
	return geo.Bearing(at(0), ahead(at(0), lookMetres, last, func(i int) geo.Point { return at(i + 1) }))
}

// minor reports whether way e is so much less important than the path's own
// ways p and c that a traveller would not take it for the way on.
func (b *builder) minor(p, c, e uint32) bool {
	g := b.g
	ps, cs, es := g.Segment(p), g.Segment(c), g.Segment(e)
	switch {
	case b.trivial(c, e):
		return true
	case b.ramp(e) && !b.ramp(c) && !b.ramp(p):
		return true
	case g.Destination[e]&b.o.Modes != 0 && g.Destination[c]&b.o.Modes == 0:
		return true
	}
	return g.Class[es] >= max(g.Class[cs], g.Class[ps])+2
}

// trivial reports whether way e is a path beside a road or a driveway beside
// a street: nobody takes it for the way on even where it lies straight ahead.
func (b *builder) trivial(c, e uint32) bool {
	cu, eu := b.g.Use[b.g.Segment(c)], b.g.Use[b.g.Segment(e)]
	if isPathUse(cu) {
		return false
	}
	return isPathUse(eu) || isServiceUse(eu) && !isServiceUse(cu)
}

// splits reports whether way e leaves the node beside c like the arm of a
// fork: both ahead, close together, and of one kind.
func (b *builder) splits(p, c, e uint32, turn, other float64) bool {
	d, o := math.Abs(turn), math.Abs(other)
	if math.Abs(signed(geo.Turn(turn, other))) > 70 {
		return false
	}
	g := b.g
	pc, cc, ec := g.Class[g.Segment(p)], g.Class[g.Segment(c)], g.Class[g.Segment(e)]
	switch {
	case b.ramp(p):
		return d <= 45 && o <= 45
	case pc == graph.Motorway:
		return d <= 45 && o <= 45 && b.ramp(c) == b.ramp(e)
	case b.ramp(c) || b.ramp(e) || b.minor(p, c, e) || b.minor(p, e, c):
		return false
	}
	gap := int(cc) - int(ec)
	return d > 5 && o > 5 && d <= 44 && o <= 44 && turn*other < 0 && gap >= -1 && gap <= 1
}

// ramp reports whether an edge is a slip road of a large road. Short slip
// roads of the smaller ones are channels, a part of the turn.
func (b *builder) ramp(e uint32) bool {
	return b.g.Use[b.g.Segment(e)] == graph.Ramp && !b.channel(e)
}

func (b *builder) channel(e uint32) bool {
	g := b.g
	s := g.Segment(e)
	switch g.Use[s] {
	case graph.TurnChannel:
		return true
	case graph.Ramp:
		return g.Class[s] >= graph.Primary && g.Length[s] <= channelMetres && b.sign(e).Empty()
	}
	return false
}

func isPathUse(u graph.Use) bool {
	switch u {
	case graph.Cycleway, graph.MountainBike, graph.Sidewalk, graph.Footway, graph.Elevator, graph.Steps,
		graph.Escalator, graph.Trail, graph.Bridleway, graph.Crossing:
		return true
	}
	return false
}

func isServiceUse(u graph.Use) bool {
	switch u {
	case graph.Track, graph.Driveway, graph.Alley, graph.ParkingAisle, graph.EmergencyAccess, graph.DriveThrough, graph.ServiceRoad:
		return true
	}
	return false
}
