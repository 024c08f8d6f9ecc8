package profile

import (
	"math"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// star is a junction whose arms leave at the courses given, in degrees.
type star struct {
	g   *graph.Graph
	arm []uint32 // segment of each, drawn outwards
}

func newStar(courses []float64, node func(*graph.NodeFacts), arm func(i int, s *graph.SegmentFacts)) star {
	b := graph.NewBuilder()
	facts := graph.NodeFacts{Access: graph.AllModes}
	if node != nil {
		node(&facts)
	}
	middle := b.AddNode(facts)
	var x star
	for i, course := range courses {
		at := geo.Destination(geo.Point{}, course, 100).Fix()
		s := graph.SegmentFacts{From: middle, Class: graph.Residential, To: b.AddNode(graph.NodeFacts{Position: at, Access: graph.AllModes})}
		s.Forward = graph.Direction{Access: graph.AllModes, Speed: 50}
		s.Backward = s.Forward
		if arm != nil {
			arm(i, &s)
		}
		x.arm = append(x.arm, b.AddSegment(s, []geo.Fixed{{}, at}))
	}
	x.g = b.Build()
	return x
}

// turn is the delay of going in by one arm and out by another.
func (x star) turn(o Options, in, out int) Delay {
	e, f := x.g.Opposite[x.g.Forward[x.arm[in]]], x.g.Forward[x.arm[out]]
	return New(x.g, o).Turn(e, f)
}

func TestBends(t *testing.T) {
	for degrees, want := range map[int]bend{
		0: straight, 8: straight, 20: slightRight, 44: slightRight, 46: right, 90: right, 134: right, 136: sharpRight, 158: sharpRight,
		165: reverse, 180: reverse, 195: reverse, 203: sharpLeft, 224: sharpLeft, 227: left, 270: left, 314: left, 317: slightLeft, 340: slightLeft, 353: straight,
	} {
		if got := bendOf(circle(float64(degrees))); got != want {
			t.Errorf("%d degrees: %d, want %d", degrees, got, want)
		}
	}
	mirror := map[bend]bend{straight: straight, slightRight: slightLeft, right: left, sharpRight: sharpLeft, reverse: reverse, sharpLeft: sharpRight, left: right, slightLeft: slightRight}
	for turn := range 256 {
		if there, back := bendOf(uint8(turn)), bendOf(uint8(-turn)); mirror[there] != back {
			t.Errorf("%d of 256 is %d, mirrored it is %d", turn, there, back)
		}
	}
}

func circle(degrees float64) uint8 { return uint8(math.Round(degrees * 256 / 360)) }

// TestTurnsMirrorWithTheDrivingSide draws a junction and its mirror image: who
// drives on the other side there loses the same time.
func TestTurnsMirrorWithTheDrivingSide(t *testing.T) {
	courses := []float64{180, 225, 270, 300, 330, 0, 30, 60, 90, 135}
	mirrored := make([]float64, len(courses))
	for i, c := range courses {
		mirrored[i] = math.Mod(360-c, 360)
	}
	onLeft := func(_ int, s *graph.SegmentFacts) { s.Flags = graph.DriveOnLeft }
	here, there := newStar(courses, nil, nil), newStar(mirrored, nil, onLeft)
	for _, k := range everyone {
		for out := 1; out < len(courses); out++ {
			a, b := here.turn(usual(k), 0, out), there.turn(usual(k), 0, out)
			if a != b || a.Cost == Forbidden {
				t.Errorf("kind %d to %v degrees: %+v, in the mirror %+v", k, courses[out], a, b)
			}
		}
	}
	// Across the oncoming traffic it takes longer.
	if l, r := here.turn(usual(Auto), 0, 2), here.turn(usual(Auto), 0, 8); l.Seconds <= r.Seconds {
		t.Errorf("where one drives on the right, left takes %v s and right %v s", l.Seconds, r.Seconds)
	}
	if l, r := there.turn(usual(Auto), 0, 8), there.turn(usual(Auto), 0, 2); l.Seconds >= r.Seconds {
		t.Errorf("where one drives on the left, left takes %v s and right %v s", l.Seconds, r.Seconds)
	}
}

func TestBarriers(t *testing.T) {
	plain := newStar([]float64{180, 0}, nil, nil).turn(usual(Auto), 0, 1)
	if plain != (Delay{}) {
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
		{"a private gate", graph.Gate | graph.PrivateAccess, 30, 750},
		{"a cattle grid", graph.CattleGrid, 0, 0},
	} {
		got := newStar([]float64{180, 0}, func(n *graph.NodeFacts) { n.Flags = c.flags }, nil).turn(usual(Auto), 0, 1)
		if got.Seconds != c.seconds || float64(got.Cost) != 1000*(c.seconds+c.penalty) {
			t.Errorf("%s: %+v, want %v s and a penalty of %v", c.what, got, c.seconds, c.penalty)
		}
	}
	bollard := newStar([]float64{180, 0}, func(n *graph.NodeFacts) { n.Access = graph.Bicycle | graph.Pedestrian }, nil)
	if got := bollard.turn(usual(Auto), 0, 1); got.Cost != Forbidden {
		t.Errorf("a car passes bollards: %+v", got)
	}
	if got := bollard.turn(usual(Bicycle), 0, 1); got.Cost == Forbidden {
		t.Error("a bicycle does not pass bollards")
	}
	if got := bollard.turn(usual(Auto), 0, 0); got.Cost == Forbidden {
		t.Error("a car may not turn round before bollards")
	}
	o := usual(Auto)
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
		if got := crossroads.turn(usual(k), 0, 0).Cost != Forbidden; got != (k == Pedestrian) {
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
	avoiding := usual(Auto)
	avoiding.UseFerry = 0
	for _, c := range []struct {
		what             string
		road             func(*graph.SegmentFacts)
		options          Options
		seconds, penalty float64
	}{
		{"a ferry", func(s *graph.SegmentFacts) { s.Use = graph.Ferry }, usual(Auto), 300, 0},
		{"a ferry against the will", func(s *graph.SegmentFacts) { s.Use = graph.Ferry }, avoiding, 300, 6 * 3600},
		{"a rail ferry", func(s *graph.SegmentFacts) { s.Use = graph.RailFerry }, usual(Auto), 300, 0.2 * 6 * 3600},
		{"an alley", func(s *graph.SegmentFacts) { s.Use = graph.Alley }, usual(Auto), 0, 5},
		{"a service road", func(s *graph.SegmentFacts) { s.Use = graph.ServiceRoad }, usual(Auto), 0, 75},
		{"a private road", func(s *graph.SegmentFacts) { s.Forward.Destination = graph.Auto }, usual(Auto), 0, 600},
		{"a road private to others", func(s *graph.SegmentFacts) { s.Forward.Destination = graph.Truck }, usual(Auto), 0, 0},
		{"a lesser road by lorry", func(s *graph.SegmentFacts) { s.Class = graph.ServiceOther }, usual(Truck), 0, 0},
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
	o := usual(Truck)
	o.HGVNoAccessPenalty = 100
	if got := lorry.turn(o, 0, 1); got.Cost != 130_000 {
		t.Errorf("into a residential road closed to lorries: %+v", got)
	}
	if o.Shortest = true; lorry.turn(o, 0, 1).Cost != 0 {
		t.Error("a turn counts where only the length does")
	}
}

func TestSignals(t *testing.T) {
	courses := []float64{180, 0, 90, 270}
	plain := newStar(courses, nil, nil).turn(usual(Auto), 0, 1)
	signal := newStar(courses, func(n *graph.NodeFacts) { n.Flags = graph.Signal }, nil).turn(usual(Auto), 0, 1)
	stop := newStar(courses, nil, func(i int, s *graph.SegmentFacts) { s.Backward.Flags = graph.HeadStop }).turn(usual(Auto), 0, 1)
	if signal.Seconds <= plain.Seconds || stop.Seconds <= plain.Seconds {
		t.Errorf("straight on takes %v s, with a signal %v, with a stop sign %v", plain.Seconds, signal.Seconds, stop.Seconds)
	}
}

func TestFollow(t *testing.T) {
	build := func(r func(e, f graph.Handle) graph.Restriction) (*graph.Graph, uint32, uint32) {
		b := graph.NewBuilder()
		for i := range int32(4) {
			b.AddNode(graph.NodeFacts{Position: geo.Fixed{Lon: i * 10_000}, Access: graph.AllModes})
		}
		for i := range uint32(3) {
			b.AddSegment(graph.SegmentFacts{From: i, To: i + 1, Forward: graph.Direction{Access: graph.AllModes}},
				[]geo.Fixed{b.Node(i).Position, b.Node(i + 1).Position})
		}
		b.Restrict(r(0, 2))
		g := b.Build()
		return g, g.Forward[0], g.Forward[1]
	}
	plain := func(e, f graph.Handle) graph.Restriction {
		return graph.Restriction{Path: []graph.Handle{e, f}, Modes: graph.Vehicles}
	}
	for _, c := range []struct {
		what   string
		rule   func(e, f graph.Handle) graph.Restriction
		kind   Kind
		ignore bool
		want   bool
	}{
		{"a car", plain, Auto, false, false},
		{"a car that ignores it", plain, Auto, true, true},
		{"on foot", plain, Pedestrian, false, true},
		{"not for buses", func(e, f graph.Handle) graph.Restriction {
			return graph.Restriction{Path: []graph.Handle{e, f}, Modes: graph.Vehicles &^ graph.Bus}
		}, Bus, false, true},
		{"at times", func(e, f graph.Handle) graph.Restriction {
			return graph.Restriction{Path: []graph.Handle{e, f}, Modes: graph.Vehicles, Timed: true}
		}, Auto, false, true},
	} {
		g, e, f := build(c.rule)
		o := usual(c.kind)
		o.IgnoreRestrictions = c.ignore
		if to, ok := New(g, o).Follow(e, f); ok != c.want || ok && to != f {
			t.Errorf("%s: to edge %d, %v", c.what, to, ok)
		}
	}
	// Over a way: the middle is a copy, and from the copy the end is closed.
	g, e, f := build(func(e, f graph.Handle) graph.Restriction {
		return graph.Restriction{Path: []graph.Handle{e, f, 4}, Modes: graph.Vehicles}
	})
	c := New(g, usual(Auto))
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
		e, f := x.g.Opposite[x.g.Forward[x.arm[0]]], x.g.Forward[x.arm[2]]
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
	c := New(x.g, usual(Truck))
	b.ReportAllocs()
	for b.Loop() {
		c.Edge(0)
	}
}

func BenchmarkTurn(b *testing.B) {
	x := newStar([]float64{180, 0, 90, 270}, nil, nil)
	c := New(x.g, usual(Truck))
	e, f := x.g.Opposite[x.g.Forward[x.arm[0]]], x.g.Forward[x.arm[2]]
	b.ReportAllocs()
	for b.Loop() {
		c.Turn(e, f)
	}
}
