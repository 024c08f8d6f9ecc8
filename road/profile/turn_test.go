package profile

import (
	"math"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// star is a junction whose arms leave at the bearings given, in degrees.
type star struct {
	g   *graph.Graph
	arm []graph.Segment // segment of each, drawn outwards
}

func newStar(bearings []float64, node func(*graph.NodeFacts), arm func(i int, s *graph.SegmentFacts)) star {
	b := graph.NewBuilder()
	facts := graph.NodeFacts{Access: graph.AllModes}
	if node != nil {
		node(&facts)
	}
	all := b.Limits(graph.Limits{Toll: graph.AllModes})
	if facts.Flags&graph.TollBooth != 0 {
		facts.Limits = all
	}
	if facts.Flags&graph.PrivateAccess != 0 { // to motor traffic, as with bicycle=yes and foot=yes
		facts.Limits = b.Limits(graph.Limits{Private: graph.Motor, Toll: graph.AllModes})
	}
	middle := b.AddNode(facts)
	var x star
	for i, bearing := range bearings {
		at := geo.Destination(geo.Point{}, bearing, 100).Fix()
		s := graph.SegmentFacts{From: middle, Class: graph.Residential, To: b.AddNode(graph.NodeFacts{Position: at, Access: graph.AllModes})}
		s.Forward = graph.Direction{Access: graph.AllModes, Speed: 50}
		s.Backward = s.Forward
		if arm != nil {
			arm(i, &s)
		}
		if s.Flags&graph.Toll != 0 {
			s.Forward.Limits, s.Backward.Limits = all, all
		}
		x.arm = append(x.arm, b.AddSegment(s, []geo.Fixed{{}, at}))
	}
	x.g = b.Build()
	return x
}

// turn returns the delay of going in by one arm and out by another.
func (x star) turn(o costing.Options, in, out int) Delay {
	e, f := x.g.ByEdge[x.g.Forward[x.arm[in]]].Opposite, x.g.Forward[x.arm[out]]
	return New(x.g, o).Turn(e, f)
}

func TestTurnTypes(t *testing.T) {
	for degrees, want := range map[int]turnType{
		0: straight, 10: straight, 11: slightRight, 44: slightRight, 45: right, 90: right, 135: right, 136: sharpRight, 159: sharpRight,
		160: reverse, 180: reverse, 200: reverse, 201: sharpLeft, 224: sharpLeft, 225: left, 270: left, 315: left, 316: slightLeft, 349: slightLeft, 350: straight,
	} {
		if got := turnTypeOf(degrees); got != want {
			t.Errorf("%d degrees: %d, want %d", degrees, got, want)
		}
	}
	mirror := map[turnType]turnType{straight: straight, slightRight: slightLeft, right: left, sharpRight: sharpLeft, reverse: reverse, sharpLeft: sharpRight, left: right, slightLeft: slightRight}
	for turn := range 360 {
		if there, back := turnTypeOf(turn), turnTypeOf((360-turn)%360); mirror[there] != back {
			t.Errorf("%d degrees are %d, mirrored they are %d", turn, there, back)
		}
	}
}

// TestTurnsMirrorWithTheDrivingSide draws a junction and its mirror image: who
// drives on the other side there loses the same time.
func TestTurnsMirrorWithTheDrivingSide(t *testing.T) {
	bearings := []float64{180, 225, 270, 301, 329, 0, 31, 59, 90, 135} // those that are kept to the degree
	mirrored := make([]float64, len(bearings))
	for i, c := range bearings {
		mirrored[i] = math.Mod(360-c, 360)
	}
	onLeft := func(_ int, s *graph.SegmentFacts) { s.Flags = graph.DriveOnLeft }
	here, there := newStar(bearings, nil, nil), newStar(mirrored, nil, onLeft)
	for _, k := range everyone {
		for out := 1; out < len(bearings); out++ {
			a, b := here.turn(usual(k), 0, out), there.turn(usual(k), 0, out)
			if a != b || a.Cost == Forbidden {
				t.Errorf("kind %d to %v degrees: %+v, in the mirror %+v", k, bearings[out], a, b)
			}
		}
	}
	// Across the oncoming traffic it takes longer.
	if l, r := here.turn(usual(costing.Auto), 0, 2), here.turn(usual(costing.Auto), 0, 8); l.Seconds <= r.Seconds {
		t.Errorf("where one drives on the right, left takes %v s and right %v s", l.Seconds, r.Seconds)
	}
	if l, r := there.turn(usual(costing.Auto), 0, 8), there.turn(usual(costing.Auto), 0, 2); l.Seconds >= r.Seconds {
		t.Errorf("where one drives on the left, left takes %v s and right %v s", l.Seconds, r.Seconds)
	}
}

func TestBarriers(t *testing.T) {
	if plain := newStar([]float64{180, 0}, nil, nil).turn(usual(costing.Auto), 0, 1); plain != (Delay{}) {
		t.Errorf("going straight on where nothing is costs %+v", plain)
	}
	for _, c := range []struct {
		what             string
		flags            graph.NodeFlags
		seconds, penalty float64
	}{
		{"a gate", graph.Gate, 30, 300},
		{"a toll booth", graph.TollBooth, 15, 0},
		{"a border", graph.BorderControl, 600, 0},
		{"a gate whose tags say who passes", graph.Gate | graph.TaggedAccess, 0, 0},
		{"a private gate", graph.Gate | graph.TaggedAccess | graph.PrivateAccess, 30, 450},
		{"a private bollard", graph.Bollard | graph.TaggedAccess | graph.PrivateAccess, 30, 450},
		{"a private toll booth", graph.TollBooth | graph.TaggedAccess | graph.PrivateAccess, 15, 0},
		{"a cattle grid", graph.CattleGrid, 0, 0},
	} {
		got := newStar([]float64{180, 0}, func(n *graph.NodeFacts) { n.Flags = c.flags }, nil).turn(usual(costing.Auto), 0, 1)
		if got.Seconds != c.seconds || float64(got.Cost) != 1000*(c.seconds+c.penalty) {
			t.Errorf("%s: %+v, want %v s and a penalty of %v", c.what, got, c.seconds, c.penalty)
		}
	}
	private := newStar([]float64{180, 0}, func(n *graph.NodeFacts) { n.Flags = graph.Gate | graph.TaggedAccess | graph.PrivateAccess }, nil)
	if got := private.turn(usual(costing.Bicycle), 0, 1); got != (Delay{}) {
		t.Errorf("a gate that is private to others costs a bicycle %+v", got)
	}
	bollard := newStar([]float64{180, 0}, func(n *graph.NodeFacts) { n.Access = graph.Bicycle | graph.Pedestrian }, nil)
	if got := bollard.turn(usual(costing.Auto), 0, 1); got.Cost != Forbidden {
		t.Errorf("a car passes bollards: %+v", got)
	}
	if got := bollard.turn(usual(costing.Bicycle), 0, 1); got.Cost == Forbidden {
		t.Error("a bicycle does not pass bollards")
	}
	if got := bollard.turn(usual(costing.Auto), 0, 0); got.Cost == Forbidden {
		t.Error("a car may not turn round before bollards")
	}
	o := usual(costing.Auto)
	o.IgnoreAccess = true
	if got := bollard.turn(o, 0, 1); got.Cost == Forbidden {
		t.Error("bollards stop one who ignores access")
	}
}

func TestTurningRound(t *testing.T) {
	crossroads, deadEnd := newStar([]float64{180, 0, 90}, nil, nil), newStar([]float64{180}, nil, nil)
	closedOn := newStar([]float64{180, 0}, nil, func(i int, s *graph.SegmentFacts) {
		if i == 1 {
			s.Forward.Access = graph.Pedestrian
		}
	})
	for _, k := range everyone {
		if got := crossroads.turn(usual(k), 0, 0).Cost != Forbidden; got != (k == costing.Pedestrian) {
			t.Errorf("kind %d turning round at a crossroads: %v", k, got)
		}
		if deadEnd.turn(usual(k), 0, 0).Cost == Forbidden {
			t.Errorf("kind %d cannot leave a dead end", k)
		}
		if closedOn.turn(usual(k), 0, 0).Cost == Forbidden {
			t.Errorf("kind %d cannot turn round where the road is closed to it", k)
		}
	}
}

func TestEntering(t *testing.T) {
	into := func(change func(*graph.SegmentFacts)) star {
		return newStar([]float64{180, 0}, nil, func(i int, s *graph.SegmentFacts) {
			if i == 1 {
				change(s)
			}
		})
	}
	avoiding := usual(costing.Auto)
	avoiding.UseFerry = 0
	careless, lawless := usual(costing.Auto), usual(costing.Auto)
	careless.DestinationOnlyPenalty, lawless.IgnoreAccess = 0, true
	for _, c := range []struct {
		what             string
		road             func(*graph.SegmentFacts)
		options          costing.Options
		seconds, penalty float64
	}{
		{"a ferry", func(s *graph.SegmentFacts) { s.Use = graph.Ferry }, usual(costing.Auto), 300, 0},
		{"a ferry against the will", func(s *graph.SegmentFacts) { s.Use = graph.Ferry }, avoiding, 300, 6 * 3600},
		{"a rail ferry", func(s *graph.SegmentFacts) { s.Use = graph.RailFerry }, usual(costing.Auto), 300, 0.2 * 6 * 3600},
		{"an alley", func(s *graph.SegmentFacts) { s.Use = graph.Alley }, usual(costing.Auto), 0, 5},
		{"a service road", func(s *graph.SegmentFacts) { s.Use = graph.ServiceRoad }, usual(costing.Auto), 0, 75},
		{"a road for destinations", func(s *graph.SegmentFacts) { s.Forward.Destination = graph.Auto }, usual(costing.Auto), 0, 600},
		{"a private road", func(s *graph.SegmentFacts) { s.Forward.Private = graph.Auto }, usual(costing.Auto), 0, 12 * 3600},
		{"a road private to others", func(s *graph.SegmentFacts) { s.Forward.Private = graph.Truck }, usual(costing.Auto), 0, 0},
		{"a private road whatever destinations cost", func(s *graph.SegmentFacts) { s.Forward.Private = graph.Auto }, careless, 0, 12 * 3600},
		{"a private road where rules do not count", func(s *graph.SegmentFacts) { s.Forward.Private = graph.Auto }, lawless, 0, 0},
		{"a road for destinations of others", func(s *graph.SegmentFacts) { s.Forward.Destination = graph.Truck }, usual(costing.Auto), 0, 0},
		{"a track", func(s *graph.SegmentFacts) { s.Use = graph.Track }, usual(costing.Auto), 0, 300},
		{"a living street", func(s *graph.SegmentFacts) { s.Use = graph.LivingStreet }, usual(costing.Auto), 0, 400},
		{"a driveway", func(s *graph.SegmentFacts) { s.Use = graph.Driveway }, usual(costing.Auto), 0, 0},
		{"a toll road", func(s *graph.SegmentFacts) { s.Flags = graph.Toll }, usual(costing.Auto), 15, 0},
		{"a lesser small road by lorry", func(s *graph.SegmentFacts) { s.Class = graph.ServiceOther }, usual(costing.Truck), 0, 0},
		{"a greater road by lorry", func(s *graph.SegmentFacts) { s.Class = graph.Tertiary }, usual(costing.Truck), 0, 0},
	} {
		got := into(c.road).turn(c.options, 0, 1)
		if got.Seconds != c.seconds || math.Abs(float64(got.Cost)-1000*(c.seconds+c.penalty)) > 1 {
			t.Errorf("%s: %+v, want %v s and a penalty of %v", c.what, got, c.seconds, c.penalty)
		}
	}
	lorry := newStar([]float64{180, 0}, nil, func(i int, s *graph.SegmentFacts) {
		if i == 0 {
			s.Class = graph.Primary
		} else {
			s.Forward.Access &^= graph.Truck
		}
	})
	o := usual(costing.Truck)
	o.HGVNoAccessPenalty = 100
	if got := lorry.turn(o, 0, 1); got.Cost != 130_000 {
		t.Errorf("into a residential road closed to lorries: %+v", got)
	}
	if o.Shortest = true; lorry.turn(o, 0, 1).Cost != 0 {
		t.Error("a turn counts where only the length does")
	}
}

// TestTurnSeconds samples OSRM's curve: a turn across the oncoming traffic
// takes a little longer, turning back most of all.
func TestTurnSeconds(t *testing.T) {
	bearings := []float64{180, 0, 90, 270, 45}
	x := newStar(bearings, nil, nil)
	for _, c := range []struct {
		what string
		out  int
		want float64
	}{{"straight on", 1, 0.007}, {"right", 3, 2.117}, {"left", 2, 5.395}} {
		// Arms 90 and 270 are seen by one who comes from 180, heading north.
		got := x.turn(usual(costing.Auto), 0, map[int]int{1: 1, 2: 3, 3: 2}[c.out]).Seconds
		if math.Abs(got-c.want) > 0.2 {
			t.Errorf("%s takes %.3f s, want %.3f", c.what, got, c.want)
		}
	}
	if got := newStar([]float64{180}, nil, nil).turn(usual(costing.Auto), 0, 0).Seconds; math.Abs(got-27.5) > 0.2 {
		t.Errorf("turning back takes %.3f s, want 27.5", got)
	}
	if got := newStar([]float64{180, 90}, nil, nil).turn(usual(costing.Auto), 0, 1).Seconds; got != 0 {
		t.Errorf("a bend without a junction takes %.3f s", got)
	}
}

// TestImpact checks the table of how likely a stop is, seen in what a turn weighs.
func TestImpact(t *testing.T) {
	classes := func(list ...graph.Class) func(int, *graph.SegmentFacts) {
		return func(i int, s *graph.SegmentFacts) { s.Class = list[i] }
	}
	cross := []float64{180, 0, 90}
	for _, c := range []struct {
		what     string
		bearings []float64
		arm      func(int, *graph.SegmentFacts)
		node     graph.NodeFlags
		out      int
		want     float64 // seconds
	}{
		{"equals straight on", cross, classes(graph.Residential, graph.Residential, graph.Residential), 0, 1, 0.5 * 3},
		{"a primary past a lane", cross, classes(graph.Primary, graph.Primary, graph.Residential), 0, 1, 0},
		{"a lane over a primary", cross, classes(graph.Residential, graph.Residential, graph.Primary), 0, 1, 0.5 * 6},
		{"right among equals", cross, classes(graph.Tertiary, graph.Tertiary, graph.Tertiary), 0, 2, 1 * 3},
		{"left among equals", []float64{180, 0, 270}, classes(graph.Tertiary, graph.Tertiary, graph.Tertiary), 0, 2, 2.5 * 3},
		{"left into a lane", []float64{180, 0, 270}, classes(graph.Tertiary, graph.Tertiary, graph.Residential), 0, 2, 2.5 * 4},
		{"left into a lane at a signal", []float64{180, 0, 270}, classes(graph.Tertiary, graph.Tertiary, graph.Residential), graph.Signal, 2, 2.5 * 5},
		{"between roads on both sides", []float64{180, 0, 90, 270}, classes(graph.Tertiary, graph.Tertiary, graph.Tertiary, graph.Tertiary), 0, 1, 2 * 3},
		{"along a roundabout", cross, func(_ int, s *graph.SegmentFacts) { s.Flags = graph.Roundabout }, 0, 1, 0},
		{"a sharp way back", []float64{180, 0, 170}, classes(graph.Tertiary, graph.Tertiary, graph.Tertiary), 0, 2, 9.5*3 + 600},
		{"another way of the road", []float64{180, 0}, nil, 0, 1, 0},
		{"where a footway meets the road", cross, func(i int, s *graph.SegmentFacts) {
			if i == 2 {
				s.Forward.Access, s.Backward.Access = graph.Pedestrian, graph.Pedestrian
			}
		}, 0, 1, 0},
		{"where a one-way road leaves", cross, func(i int, s *graph.SegmentFacts) {
			if i == 2 {
				s.Backward.Access = graph.Pedestrian
			}
		}, 0, 1, 0.5 * 3},
		{"among houses", cross, nil, graph.NodeFlags(0).WithDensity(12), 1, 0.5 * 3 * 2.5},
		{"out of a slip road", cross, func(i int, s *graph.SegmentFacts) {
			if s.Class = graph.Tertiary; i == 0 {
				s.Use, s.Flags = graph.Ramp, graph.Link
			}
		}, 0, 1, (0.5 + 1.5) * 4},
	} {
		x := newStar(c.bearings, func(n *graph.NodeFacts) { n.Flags = c.node }, c.arm)
		if got := float64(x.turn(usual(costing.Auto), 0, c.out).Cost) / 1000; math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s weighs %v s, want %v", c.what, got, c.want)
		}
	}
}

// TestPencilPoint: where the carriageways of a road part, the sharp turn from
// one into the other is turning back; with other names, or a road beyond, it is
// but a sharp turn.
func TestPencilPoint(t *testing.T) {
	named := graph.NewBuilder().Set("name", "High Street")
	for _, c := range []struct {
		what     string
		bearings []float64
		names    []graph.Set
		flags    graph.SegFlags
		want     float64
	}{
		{"on the right", []float64{180, 0, 210}, []graph.Set{named, named, named}, 0, 3.5 * 3 * 15},
		{"on the left", []float64{180, 0, 150}, []graph.Set{named, named, named}, graph.DriveOnLeft, 3.5 * 3 * 15},
		{"not across the traffic", []float64{180, 0, 150}, []graph.Set{named, named, named}, 0, 1.5 * 3},
		{"without names", []float64{180, 0, 210}, []graph.Set{0, 0, 0}, 0, 3.5 * 3},
		{"into another road", []float64{180, 0, 210}, []graph.Set{named, named, 0}, 0, 3.5*3 + 5},
		{"sharply back into another road", []float64{180, 0, 190}, []graph.Set{named, named, 0}, 0, 9.5*3 + 10 + 5},
		{"back along the same road", []float64{180, 0, 190}, []graph.Set{named, named, named}, 0, 9.5*3 + 600},
		{"with a road beyond", []float64{180, 0, 230, 210}, []graph.Set{named, named, named, named}, 0, 3.5 * 3 * 15},
		{"with a road before", []float64{180, 0, 205, 220}, []graph.Set{named, named, named, named}, 0, 2 * 3},
	} {
		x := newStar(c.bearings, nil, func(_ int, s *graph.SegmentFacts) { s.Flags = c.flags })
		for i, n := range c.names {
			x.g.BySegment[x.arm[i]].Name = n
		}
		x.g.SetAt, x.g.SetPair = []uint32{0, 0, 1}, [][2]graph.Text{{graph.NameKey, graph.RefKey}} // any text is a name
		if got := float64(x.turn(usual(costing.Auto), 0, len(c.bearings)-1).Cost) / 1000; math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %v s, want %v", c.what, got, c.want)
		}
	}
}

func TestSignals(t *testing.T) {
	bearings := []float64{180, 0, 90, 270}
	plain := newStar(bearings, nil, nil).turn(usual(costing.Auto), 0, 1)
	signal := newStar(bearings, func(n *graph.NodeFacts) { n.Flags = graph.Signal }, nil).turn(usual(costing.Auto), 0, 1)
	if got := signal.Seconds - plain.Seconds; math.Abs(got-2) > 1e-9 {
		t.Errorf("a signal takes %v s", got)
	}
}

// TestSignalsOfAJunctionCountOnce draws where two one-way roads cross another
// road: both crossings have a signal, and who drives over both waits once.
func TestSignalsOfAJunctionCountOnce(t *testing.T) {
	build := func(flags graph.NodeFlags) (*graph.Graph, []graph.Segment) {
		b := graph.NewBuilder()
		at := func(east, north float64) geo.Fixed {
			return geo.Destination(geo.Destination(geo.Point{}, 90, east+1000), 0, north).Fix()
		}
		node := func(east, north float64, f graph.NodeFlags) graph.AddedNode {
			return b.AddNode(graph.NodeFacts{Position: at(east, north), Access: graph.AllModes, Flags: f})
		}
		west, first, second, east := node(-100, 0, 0), node(0, 0, flags), node(15, 0, flags), node(115, 0, 0)
		north := []graph.AddedNode{node(0, 100, 0), node(15, 100, 0)}
		south := []graph.AddedNode{node(0, -100, 0), node(15, -100, 0)}
		var all []graph.Segment
		road := func(from, to graph.AddedNode, oneway bool) {
			s := graph.SegmentFacts{From: from, To: to, Class: graph.Residential, Forward: graph.Direction{Access: graph.AllModes, Speed: 50}}
			if !oneway {
				s.Backward = s.Forward
			}
			all = append(all, b.AddSegment(s, []geo.Fixed{b.Node(from).Position, b.Node(to).Position}))
		}
		road(west, first, false)
		road(first, second, false)
		road(second, east, false)
		road(north[0], first, true)
		road(first, south[0], true)
		road(south[1], second, true)
		road(second, north[1], true)
		return b.Build(), all
	}
	over := func(flags graph.NodeFlags) float64 {
		g, s := build(flags)
		c := New(g, usual(costing.Auto))
		if g.ByEdge[g.Forward[s[1]]].Flags&graph.Internal == 0 {
			t.Fatal("the road between the carriageways does not lie within the junction")
		}
		return c.Turn(g.Forward[s[0]], g.Forward[s[1]]).Seconds + c.Turn(g.Forward[s[1]], g.Forward[s[2]]).Seconds
	}
	if got := over(graph.Signal) - over(0); math.Abs(got-2) > 1e-9 {
		t.Errorf("two signals of one junction take %v s", got)
	}
}

// TestTurningAtThePoint turns back where the carriageways of a road become one.
func TestTurningAtThePoint(t *testing.T) {
	for _, c := range []struct {
		what     string
		bearings []float64 // of the carriageway left, of the one turned into and of the road beyond
		oneway   bool
		want     float64
	}{
		{"from carriageway to carriageway", []float64{180, 205, 20}, true, 3.5 * 7 * 15},
		{"a road that is no carriageway", []float64{180, 205, 20}, false, 3.5 * 3 * 15},
		{"less sharp than that", []float64{180, 215, 20}, true, 3.5 * 3 * 15},
		{"no road beyond", []float64{180, 205, 200}, true, 3.5 * 3},
	} {
		x := newStar(c.bearings, nil, func(i int, s *graph.SegmentFacts) {
			switch {
			case !c.oneway:
			case i == 0: // towards the middle
				s.Forward.Access = 0
			case i == 1:
				s.Backward.Access = 0
			}
		})
		for i := range x.arm {
			x.g.BySegment[x.arm[i]].Name = 1
		}
		x.g.SetAt, x.g.SetPair = []uint32{0, 0, 1}, [][2]graph.Text{{graph.NameKey, graph.RefKey}} // any text is a name
		if got := float64(x.turn(usual(costing.Auto), 0, 1).Cost) / 1000; math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %v s, want %v", c.what, got, c.want)
		}
	}
}

// TestNames: a change of name is where one may go wrong.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		what          string
		first, second []string
		same          bool
	}{
		{"no names at all", nil, nil, true},
		{"the same name", []string{"name", "High Street"}, []string{"name", "High Street", "ref", "A1"}, true},
		{"another name", []string{"name", "High Street"}, []string{"name", "Low Street"}, false},
		{"the name ends", []string{"name", "High Street"}, nil, false},
		{"the same number", []string{"ref", "A1", "name", "a"}, []string{"ref", "A1", "name", "b"}, true},
		{"a number in common", []string{"ref", "A1;A2"}, []string{"ref", "A3;A2"}, true},
		{"no number in common", []string{"ref", "A1;A2"}, []string{"ref", "A11"}, false},
		{"only another language", []string{"name:cy", "Stryd"}, nil, true},
	} {
		b := graph.NewBuilder()
		for i := range int32(3) {
			b.AddNode(graph.NodeFacts{Position: geo.Fixed{Lon: i * 10_000}, Access: graph.AllModes})
		}
		for i, name := range [][]string{c.first, c.second} {
			s := graph.SegmentFacts{From: graph.AddedNode(i), To: graph.AddedNode(i + 1), Name: b.Set(name...), Class: graph.Primary}
			s.Forward = graph.Direction{Access: graph.AllModes, Speed: 50}
			b.AddSegment(s, []geo.Fixed{b.Node(s.From).Position, b.Node(s.To).Position})
		}
		g := b.Build()
		if got := New(g, usual(costing.Auto)).Turn(g.Forward[0], g.Forward[1]).Cost < 5000; got != c.same {
			t.Errorf("%s: no penalty is %v", c.what, got)
		}
	}
}

func TestFollow(t *testing.T) {
	build := func(r func(e, f graph.DirectedSegment) graph.Restriction) (*graph.Graph, graph.Edge, graph.Edge) {
		b := graph.NewBuilder()
		for i := range int32(4) {
			b.AddNode(graph.NodeFacts{Position: geo.Fixed{Lon: i * 10_000}, Access: graph.AllModes})
		}
		for i := range graph.AddedNode(3) {
			b.AddSegment(graph.SegmentFacts{From: i, To: i + 1, Forward: graph.Direction{Access: graph.AllModes}},
				[]geo.Fixed{b.Node(i).Position, b.Node(i + 1).Position})
		}
		b.Restrict(r(0, 2))
		g := b.Build()
		return g, g.Forward[0], g.Forward[1]
	}
	plain := func(e, f graph.DirectedSegment) graph.Restriction {
		return graph.Restriction{Path: []graph.DirectedSegment{e, f}, Modes: graph.Vehicles}
	}
	for _, c := range []struct {
		what   string
		rule   func(e, f graph.DirectedSegment) graph.Restriction
		kind   costing.Costing
		ignore bool
		want   bool
	}{
		{"a car", plain, costing.Auto, false, false},
		{"a car that ignores it", plain, costing.Auto, true, true},
		{"on foot", plain, costing.Pedestrian, false, true},
		{"not for buses", func(e, f graph.DirectedSegment) graph.Restriction {
			return graph.Restriction{Path: []graph.DirectedSegment{e, f}, Modes: graph.Vehicles &^ graph.Bus}
		}, costing.Bus, false, true},
		{"at times", func(e, f graph.DirectedSegment) graph.Restriction {
			return graph.Restriction{Path: []graph.DirectedSegment{e, f}, Modes: graph.Vehicles, Timed: true}
		}, costing.Auto, false, true},
	} {
		g, e, f := build(c.rule)
		o := usual(c.kind)
		o.IgnoreRestrictions = c.ignore
		if to, ok := New(g, o).Follow(e, f); ok != c.want || ok && to != f {
			t.Errorf("%s: to edge %d, %v", c.what, to, ok)
		}
	}
	// Over a way: the middle is a copy, and from the copy the end is closed.
	g, e, f := build(func(e, f graph.DirectedSegment) graph.Restriction {
		return graph.Restriction{Path: []graph.DirectedSegment{e, f, 4}, Modes: graph.Vehicles}
	})
	c := New(g, usual(costing.Auto))
	middle, ok := c.Follow(e, f)
	if !ok || middle < g.Base || g.Original(middle) != f {
		t.Fatalf("the middle is edge %d, %v", middle, ok)
	}
	if _, ok := c.Follow(middle, g.Forward[2]); ok {
		t.Error("the end of the restriction is open")
	}
	if _, ok := c.Follow(f, g.Forward[2]); !ok {
		t.Error("the end is closed to those who come from elsewhere")
	}
}

func TestNoMemoryForCosts(t *testing.T) {
	x := newStar([]float64{180, 0, 90, 270}, nil, nil)
	for _, k := range everyone {
		c := New(x.g, usual(k))
		e, f := x.g.ByEdge[x.g.Forward[x.arm[0]]].Opposite, x.g.Forward[x.arm[2]]
		if n := testing.AllocsPerRun(100, func() {
			c.Edge(e)
			c.Turn(e, f)
			c.Follow(e, f)
		}); n != 0 {
			t.Errorf("kind %d: %v allocations", k, n)
		}
	}
}

func BenchmarkEdge(b *testing.B) {
	x := newStar([]float64{180, 0, 90, 270}, nil, nil)
	c := New(x.g, usual(costing.Truck))
	b.ReportAllocs()
	for b.Loop() {
		c.Edge(0)
	}
}

func BenchmarkTurn(b *testing.B) {
	x := newStar([]float64{180, 0, 90, 270}, nil, nil)
	c := New(x.g, usual(costing.Truck))
	e, f := x.g.ByEdge[x.g.Forward[x.arm[0]]].Opposite, x.g.Forward[x.arm[2]]
	b.ReportAllocs()
	for b.Loop() {
		c.Turn(e, f)
	}
}
