package profile

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/costing/costingtest"
	"github.com/waygate/waygate/road/graph"
)

func cost(g *graph.Graph, o costing.Options) float64 { return float64(New(g, o).Edge(g.Forward[0])) }

// TestWillingness raises each wish from 0 to 1: what it is about must never
// become dearer against an ordinary road.
func TestWillingness(t *testing.T) {
	use := func(u graph.Use) func(*street) { return func(s *street) { s.Use, s.Class = u, graph.ServiceOther } }
	for _, c := range []struct {
		what  string
		kinds []costing.Costing
		road  func(*street)
		set   func(*costing.Options, float64)
	}{
		{"ferries", everyone, func(s *street) { s.Use = graph.Ferry }, func(o *costing.Options, v float64) { o.UseFerry = v }},
		{"rail ferries", everyone, func(s *street) { s.Use = graph.RailFerry }, func(o *costing.Options, v float64) { o.UseRailFerry = v }},
		{"motorways", []costing.Costing{costing.Auto, costing.Truck, costing.Bus, costing.Motorcycle}, func(s *street) { s.Class = graph.Motorway }, func(o *costing.Options, v float64) { o.UseHighways = v }},
		{"trunk roads", []costing.Costing{costing.Auto, costing.Truck, costing.Bus, costing.Motorcycle}, func(s *street) { s.Class = graph.Trunk }, func(o *costing.Options, v float64) { o.UseHighways = v }},
		{"tolls", []costing.Costing{costing.Auto, costing.Truck, costing.Bus, costing.Motorcycle, costing.MotorScooter}, func(s *street) { s.Flags = graph.Toll }, func(o *costing.Options, v float64) { o.UseTolls = v }},
		{"tracks", []costing.Costing{costing.Auto, costing.Truck, costing.Bus, costing.Bicycle, costing.Pedestrian}, use(graph.Track), func(o *costing.Options, v float64) { o.UseTracks = v }},
		{"trails", []costing.Costing{costing.Motorcycle}, func(s *street) { s.Use, s.Class, s.Surface = graph.Track, graph.ServiceOther, graph.Gravel }, func(o *costing.Options, v float64) { o.UseTrails = v }},
		{"living streets", everyone, use(graph.LivingStreet), func(o *costing.Options, v float64) { o.UseLivingStreets = v }},
		{"primary roads", []costing.Costing{costing.MotorScooter}, func(s *street) { s.Class = graph.Primary }, func(o *costing.Options, v float64) { o.UsePrimary = v }},
		{"lorry routes", []costing.Costing{costing.Truck}, func(s *street) { s.Forward.Flags = graph.TruckRoute }, func(o *costing.Options, v float64) { o.UseTruckRoute = v }},
		{"roads by bicycle", []costing.Costing{costing.Bicycle}, func(s *street) { s.Class = graph.Primary }, func(o *costing.Options, v float64) { o.UseRoads = v }},
	} {
		t.Run(c.what, func(t *testing.T) {
			g, plain := open(c.road), open(nil)
			for _, k := range c.kinds {
				o := usual(k)
				last, first := math.Inf(1), 0.0
				for v := 0.0; v <= 1; v += 0.05 {
					c.set(&o, v)
					ratio := cost(g, o) / cost(plain, o)
					if ratio > last+1e-4 {
						t.Errorf("kind %d: dearer at a willingness of %.2f: %v after %v", k, v, ratio, last)
					}
					if last = ratio; v == 0 {
						first = ratio
					}
				}
				if !(last < first) {
					t.Errorf("kind %d: a willingness of 1 weighs %v, of 0 %v", k, last, first)
				}
			}
		})
	}
}

func TestWishesAreNeutralInTheMiddle(t *testing.T) {
	for what, road := range map[string]func(*street){
		"toll":     func(s *street) { s.Flags = graph.Toll },
		"motorway": func(s *street) { s.Class = graph.Motorway },
	} {
		if got, want := cost(open(road), usual(costing.Auto)), cost(open(nil), usual(costing.Auto)); got != want {
			t.Errorf("%s: %v, an ordinary road %v", what, got, want)
		}
	}
}

func TestDensityWeighs(t *testing.T) {
	// A second on a road with nothing around counts 0.85, in the densest town 1.225.
	seconds := 0.0
	for density, want := range map[uint8]float64{0: 0.85, 6: 1, 15: 1.225} {
		g := open(func(s *street) { s.Flags = s.Flags.WithDensity(density) })
		seconds = New(g, usual(costing.Auto)).Seconds(g.Forward[0])
		if got := cost(g, usual(costing.Auto)) / seconds / 1000; math.Abs(got-want) > 1e-4 {
			t.Errorf("density %d weighs %v, want %v", density, got, want)
		}
	}
}

// TestSurfaceWeighs checks the table of Valhalla's surface factors: half of it for
// cars, all of it for lorries.
func TestSurfaceWeighs(t *testing.T) {
	for surface, want := range map[graph.Surface]float64{
		graph.PavedSmooth: 0, graph.PavedRough: 0, graph.Compacted: 0.1, graph.Dirt: 0.2, graph.Gravel: 0.5, graph.PathSurface: 1,
	} {
		g := open(func(s *street) { s.Surface = surface })
		seconds := New(g, usual(costing.Auto)).Seconds(g.Forward[0]) * 1000
		for kind, share := range map[costing.Costing]float64{costing.Auto: 0.5, costing.Truck: 1} {
			if got := cost(g, usual(kind))/seconds - 0.85; math.Abs(got-share*want) > 1e-3 {
				t.Errorf("kind %d on %v: %v, want %v", kind, surface, got, share*want)
			}
		}
	}
}

func TestShortest(t *testing.T) {
	for _, k := range everyone {
		o := usual(k)
		o.Shortest = true
		for _, speed := range []uint8{5, 50, 120} {
			g := open(func(s *street) { s.Forward.Speed, s.Flags = speed, graph.Toll })
			if got, want := cost(g, o), g.EdgeLength(0)*1000; math.Abs(got-want) > 0.5 {
				t.Errorf("kind %d at %d km/h: %v, want %v", k, speed, got, want)
			}
		}
	}
}

func TestUseDistance(t *testing.T) {
	slow, fast := open(func(s *street) { s.Forward.Speed = 30 }), open(func(s *street) { s.Forward.Speed = 90 })
	o := usual(costing.Auto)
	last := math.Inf(1)
	for v := 0.0; v <= 1; v += 0.1 {
		o.UseDistance = v
		ratio := cost(slow, o) / cost(fast, o)
		if ratio > last {
			t.Errorf("at %v the slow road weighs %v times the fast one, before %v", v, ratio, last)
		}
		last = ratio
	}
	if o.UseDistance = 1; cost(slow, o) != cost(fast, o) {
		t.Errorf("where the length alone counts the slow road costs %v, the fast one %v", cost(slow, o), cost(fast, o))
	}
}

// TestUseDistanceOfTurns: what a turn costs is time, and counts the less the more
// the length does.
func TestUseDistanceOfTurns(t *testing.T) {
	x := newStar([]float64{180, 90, 0}, func(n *graph.NodeFacts) { n.Flags = graph.Gate }, nil)
	o := usual(costing.Auto)
	whole := x.turn(o, 0, 1)
	for v, part := range map[float64]float64{0.25: 0.75, 0.5: 0.5, 1: 0} {
		o.UseDistance = v
		if got := x.turn(o, 0, 1); math.Abs(float64(got.Cost)-part*float64(whole.Cost)) > 1 || got.Seconds != whole.Seconds {
			t.Errorf("use_distance %v: the turn costs %+v, want %v of %+v and its seconds", v, got, part, whole)
		}
	}
}

func TestTopSpeedPenalty(t *testing.T) {
	g := open(func(s *street) { s.Forward.Speed = 110 })
	o := usual(costing.Auto)
	o.TopSpeed = 60
	with := cost(g, o)
	o.SpeedPenaltyFactor = 0
	if without := cost(g, o); with <= without {
		t.Errorf("a road faster than the vehicle costs %v with the penalty and %v without", with, without)
	}
}

// TestCostsAreBounded takes any road and any options: a cost is more than
// nothing where there is a length, and never so high that sums overflow.
func TestCostsAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 30_000 {
		g := open(func(s *street) {
			s.metres = []float64{0.0112, 1, 1000, 100_000, 9_000_000}[r.IntN(5)]
			s.Class, s.Use, s.Surface = graph.Class(r.IntN(8)), graph.Use(r.IntN(int(graph.Construction))), graph.Surface(r.IntN(8))
			s.Flags = graph.SegFlags(r.Uint32N(uint32(graph.HGVDesignated) << 1))
			s.Forward.Speed = uint8(r.IntN(253))
			s.Forward.Flags = graph.EdgeFlags(r.IntN(int(graph.HasLanes)<<1)) &^ graph.Turning
		})
		o := costingtest.Draw(r, everyone[r.IntN(len(everyone))])
		c := New(g, o)
		e := g.Forward[0]
		if got := c.EdgeAtEnd(e); got == 0 || got > maxCost {
			t.Fatalf("%v m of %v cost %d with %+v", g.EdgeLength(e), g.BySegment[0].Use, got, o)
		}
		if s := c.Seconds(e); !(s > 0) || math.IsInf(s, 0) {
			t.Fatalf("%v m of %v take %v s with %+v", g.EdgeLength(e), g.BySegment[0].Use, s, o)
		}
	}
}

func TestNoLengthCostsNothing(t *testing.T) {
	g := open(func(s *street) { s.metres = 0.001 }) // less than the grid can tell: none
	for _, k := range everyone {
		if got := cost(g, usual(k)); got != 0 {
			t.Errorf("kind %d: %v", k, got)
		}
	}
}

func TestWalkersPreferences(t *testing.T) {
	lit := open(func(s *street) { s.Flags = graph.Lit })
	dark := open(nil)
	o := usual(costing.Pedestrian)
	if cost(lit, o) != cost(dark, o) {
		t.Error("light matters without being asked for")
	}
	if o.UseLit = 1; cost(lit, o) >= cost(dark, o) {
		t.Error("light does not matter to one who asks for it")
	}
	busy := open(func(s *street) { s.Class = graph.Primary })
	pavement := open(func(s *street) { s.Class, s.Forward.Flags = graph.Primary, graph.SidewalkLeft })
	if o.SidewalkFactor = 0.5; cost(busy, o) <= cost(pavement, o) {
		t.Error("a busy road is as good without a pavement to one who wants them")
	}
	// The weight of the SAC's grades: time and liking together.
	flat := cost(open(nil), usual(costing.Pedestrian))
	for grade, want := range []float64{1, 1.11 * 1.25, 1.25 * 1.75, 1.54 * 2.25, 2.5 * 3, 4 * 3.5, 6.67 * 4} {
		hike := open(func(s *street) { s.Hiking = uint8(grade) })
		o := usual(costing.Pedestrian)
		o.MaxHikingDifficulty = 6
		if got := cost(hike, o) / flat; math.Abs(got-want) > 1e-3 {
			t.Errorf("grade %d weighs %v, want %v", grade, got, want)
		}
	}
}

func TestCyclistsPreferences(t *testing.T) {
	main := func(f graph.EdgeFlags) *graph.Graph {
		return open(func(s *street) { s.Class, s.Forward.Flags = graph.Primary, f })
	}
	o := usual(costing.Bicycle)
	o.UseRoads = 0.1
	path := func(f graph.EdgeFlags) *graph.Graph {
		return open(func(s *street) { s.Use, s.Class, s.Forward.Flags = graph.Cycleway, graph.ServiceOther, f })
	}
	order := []*graph.Graph{
		path(graph.BikeTrack), path(graph.BikeLane), path(graph.BikeShared),
		main(graph.BikeTrack), main(graph.BikeLane), main(graph.BikeShared), main(0), main(graph.Sidepath),
	}
	for i := 1; i < len(order); i++ {
		if cost(order[i-1], o) >= cost(order[i], o) {
			t.Errorf("number %d costs %v, number %d only %v", i-1, cost(order[i-1], o), i, cost(order[i], o))
		}
	}
}

// TestSmallRoadsByLorry weighs roads of every class for a lorry by low_class_factor.
func TestSmallRoadsByLorry(t *testing.T) {
	for class := range graph.ServiceOther + 1 {
		g := open(func(s *street) { s.Class = class })
		o := usual(costing.Truck)
		usually := cost(g, o)
		if o.LowClassFactor = 1; class < graph.Residential {
			o.LowClassFactor = 3
		}
		want := usually
		if class >= graph.Residential {
			want /= 1.5
		}
		if got := cost(g, o); math.Abs(got-want) > 2 {
			t.Errorf("%s: costs %v by a factor of %v, want %v", class, got, o.LowClassFactor, want)
		}
	}
}
