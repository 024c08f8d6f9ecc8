package searchtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
)

// SlowTurns draws turns and the seconds that they take at least.
func (n *Network) SlowTurns(r *rand.Rand, most int) map[overlay.Turn]float32 {
	turns, g := map[overlay.Turn]float32{}, n.Graph
	for range r.IntN(most) {
		from := n.edge(r)
		first, last := g.FirstOut[g.ByEdge[from].Head], g.FirstOut[g.ByEdge[from].Head+1]
		if first < last {
			turns[overlay.Turn{From: from, To: first + graph.Edge(r.Uint32N(uint32(last-first)))}] = float32(r.IntN(400))
		}
	}
	return turns
}

// Overlay draws closures, slow traffic and slow turns.
func (n *Network) Overlay(r *rand.Rand) *overlay.Overlay {
	o := &overlay.Overlay{}
	if n.Graph.Base == 0 {
		return o
	}
	for t, seconds := range n.SlowTurns(r, 12) {
		o.SetTurn(t, seconds)
	}
	for range r.IntN(6) {
		s := overlay.Whole
		if r.IntN(2) == 0 {
			a, b := r.Float64(), r.Float64()
			s = overlay.Span{From: min(a, b), To: max(a, b)}
		}
		o.Close(n.edge(r), s)
	}
	for range r.IntN(3) {
		o.CloseThrough(n.edge(r))
	}
	for range r.IntN(6) {
		o.SetSpeed(n.edge(r), uint8(1+r.IntN(100)))
	}
	return o
}

// vary gives the facts of a segment that costs look at.
func vary(r *rand.Rand, b *graph.Builder, s *graph.SegmentFacts, conditions bool) {
	some := func(flags graph.SegFlags) {
		if r.IntN(6) == 0 {
			s.Flags |= flags
		}
	}
	for _, f := range []graph.SegFlags{graph.Tunnel, graph.Bridge, graph.Roundabout, graph.Lit, graph.Unpaved, graph.BikeNetwork, graph.Link, graph.CashToll} {
		some(f)
	}
	tolls := r.IntN(4) == 0
	if tolls {
		s.Flags |= graph.Toll
	}
	s.Flags = s.Flags.WithDensity(uint8(r.IntN(16)))
	s.Surface = graph.Surface(r.IntN(7))
	s.Use = graph.Use(r.IntN(int(graph.Construction) + 1))
	s.Hiking = uint8(max(0, r.IntN(10)-3))
	for _, d := range []*graph.Direction{&s.Forward, &s.Backward} {
		switch r.IntN(5) {
		case 0:
			d.Access &^= graph.Truck
		case 1:
			d.Access = d.Access&^graph.Auto | graph.HOV
		case 2:
			d.Flags |= graph.TruckRoute
		case 3:
			d.Access &^= []graph.Modes{graph.Pedestrian, graph.Wheelchair}[r.IntN(2)]
		}
		d.Flags |= []graph.EdgeFlags{0, 0, 0, graph.BikeLane, graph.BikeTrack, graph.BikeShared, graph.BikeDismount, graph.Sidepath, graph.SidewalkLeft}[r.IntN(9)]
		var l graph.Limits
		if r.IntN(4) == 0 {
			l = graph.Limits{Axles: uint8(r.IntN(6)), Hazmat: uint8(r.IntN(3)), Tunnel: []uint8{0, 'B', 'C', 'D', 'E'}[r.IntN(5)]}
			if r.IntN(3) > 0 { // else it is for the load alone
				all := graph.Bounds{
					Height: uint16(r.IntN(600)), Width: uint16(r.IntN(400)), Length: uint16(r.IntN(3000)),
					Weight: uint16(r.IntN(4000)), AxleLoad: uint16(r.IntN(2000)),
				}
				l.Car, l.Lorry, l.Bus = all, all, all
				switch r.IntN(3) {
				case 0:
					l.Car, l.Bus = graph.Bounds{}, graph.Bounds{}
				case 1:
					l.Lorry = graph.Bounds{}
				}
			}
			if conditions && r.IntN(2) == 0 {
				l.Conditions = b.Set(aboutVehicles[r.IntN(len(aboutVehicles))]...)
			}
		}
		if tolls {
			l = tolled(r, l)
		}
		if r.IntN(8) == 0 {
			l.BusSpeed = uint8(10 + r.IntN(100))
		}
		if r.IntN(10) == 0 {
			l.LastResort = []graph.Modes{graph.AllModes, graph.Truck, graph.Motor}[r.IntN(3)]
		}
		d.Limits = b.Limits(l)
	}
}

// tolled draws who pays toll.
func tolled(r *rand.Rand, l graph.Limits) graph.Limits {
	l.Toll = []graph.Modes{graph.AllModes, graph.Truck, graph.Truck | graph.Bus, graph.AllModes &^ graph.Auto, graph.Motor, 0}[r.IntN(6)]
	for _, b := range []*graph.Bounds{&l.Car, &l.Lorry, &l.Bus} {
		if r.IntN(3) == 0 {
			b.TollOver = []uint16{350, 750, 1200, 2500}[r.IntN(4)]
		}
	}
	return l
}

// aboutVehicles are tags whose conditions depend on the vehicle.
var aboutVehicles = [][]string{
	{"access:conditional", "no @ (weight>7.5)"},
	{"hgv:conditional", "yes @ (weight<=20); no @ (length>12)"},
	{"motor_vehicle:conditional", "no @ (weight<2); destination @ (weight>3.5)"},
	{"hgv:conditional", "no @ (hazmat)"},
	{"maxweight:conditional", "7.5; 18 @ (axles>=3)"},
	{"maxheight:conditional", "3 @ (width>2.5)"},
	{"maxweight:conditional", "7.5; none @ destination"},
	{"oneway:conditional", "yes @ (length>10)", "oneway:either", "2047"},
}

// Varied draws a network whose roads differ in all that costs look at.
func Varied(r *rand.Rand) *Network { return varied(r, false) }

// Conditioned is Varied with conditions about the vehicle on roads and turns.
func Conditioned(r *rand.Rand) *Network { return varied(r, true) }

func varied(r *rand.Rand, conditions bool) *Network {
	n := random(r, decoration{
		segment: func(b *graph.Builder, s *graph.SegmentFacts) { vary(r, b, s, conditions) },
		rule: func(b *graph.Builder, x *graph.Restriction) {
			if conditions && !x.Timed && r.IntN(4) == 0 {
				x.Limits = b.Limits(graph.Limits{Conditions: b.Set("condition", fmt.Sprintf("weight>%d", r.IntN(40)))})
			}
		},
		node: func(b *graph.Builder, n *graph.NodeFacts) {
			if r.IntN(4) == 0 {
				n.Flags = []graph.NodeFlags{graph.Gate, graph.TollBooth, graph.BorderControl, graph.Signal, graph.PrivateAccess | graph.Bollard, graph.Gate | graph.TaggedAccess}[r.IntN(6)]
			}
			var l graph.Limits
			if r.IntN(12) == 0 {
				l = graph.ForAll(graph.Bounds{Width: uint16(100 + r.IntN(300))})
			}
			if n.Flags&graph.TollBooth != 0 {
				l = tolled(r, l)
			}
			if n.Flags&graph.PrivateAccess != 0 {
				l.Private = []graph.Modes{graph.AllModes, graph.Motor, graph.Truck}[r.IntN(3)]
			}
			n.Limits = b.Limits(l)
		},
	})
	if r.IntN(2) == 0 {
		n.Graph.Grades = slopes(r, n.Graph.Segments())
	}
	return n
}

// slopes draws a hilly country.
func slopes(r *rand.Rand, segments int) *graph.Grades {
	s := graph.NewGrades(segments)
	for i := range s.Weighted {
		s.Weighted[i] = uint8(r.IntN(graph.SteepestGrade + 1))
	}
	return s
}
