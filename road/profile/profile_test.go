package profile

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// usual returns the options of a traveller who asks for nothing special.
func usual(k costing.Costing) costing.Options {
	o := costing.Options{
		Costing: k, ManeuverPenalty: 5, DestinationOnlyPenalty: 600, PrivateAccessPenalty: 450, GateCost: 30, GatePenalty: 300,
		TollBoothCost: 15, CountryCrossingCost: 600, FerryCost: 300, RailFerryCost: 300, AlleyPenalty: 5, ServicePenalty: 75, ServiceFactor: 1,
		LowClassPenalty: 30, LowClassFactor: 1.5, HGVNoAccessPenalty: 43200, UseFerry: 0.5, UseRailFerry: 0.4, UseHighways: 0.5, UseTolls: 0.5, UseLivingStreets: 0.1,
		UsePrimary: 0.5, UseRoads: 0.25, UseHills: 0.25, AvoidBadSurfaces: 0.25, TopSpeed: 140, SpeedPenaltyFactor: 0.05,
		Bicycle: costing.HybridBicycle, CyclingSpeed: 18, WalkingSpeed: 5.1, WalkwayFactor: 1, SidewalkFactor: 1, AlleyFactor: 2, DrivewayFactor: 5, MaxHikingDifficulty: 1,
	}
	if k == costing.Truck {
		o.Height, o.Width, o.Length, o.Weight, o.AxleLoad, o.AxleCount = 4.11, 2.6, 21.64, 21.77, 9.07, 5
	}
	return o
}

var everyone = []costing.Costing{costing.Auto, costing.Truck, costing.Bus, costing.MotorScooter, costing.Motorcycle, costing.Bicycle, costing.Pedestrian}

// street is one segment of about 1113 m, from north to south.
type street struct {
	graph.SegmentFacts
	limits graph.Limits
	metres float64 // 0 is 1113
}

func (s street) build() *graph.Graph {
	b := graph.NewBuilder()
	to := geo.Fixed{Lat: 100_000}
	if s.metres != 0 {
		to.Lat = int32(s.metres * 1e7 / 111_195)
	}
	s.From = b.AddNode(graph.NodeFacts{Access: graph.AllModes})
	s.To = b.AddNode(graph.NodeFacts{Access: graph.AllModes, Position: to})
	if s.Flags&graph.Toll != 0 && s.limits.Toll == 0 { // where nobody is named all pay
		s.limits.Toll = graph.AllModes
	}
	n := b.Limits(s.limits)
	s.Forward.Limits, s.Backward.Limits = n, n
	b.AddSegment(s.SegmentFacts, []geo.Fixed{{}, to})
	return b.Build()
}

// open returns a street that everyone may use both ways.
func open(change func(s *street)) *graph.Graph {
	s := street{SegmentFacts: graph.SegmentFacts{Class: graph.Tertiary}}
	s.Forward = graph.Direction{Access: graph.AllModes, Speed: 50}
	s.Backward = s.Forward
	if change != nil {
		change(&s)
	}
	return s.build()
}

func allowed(g *graph.Graph, o costing.Options) bool { return New(g, o).Allowed(g.Forward[0]) }

func TestEachNeedsItsOwnAccess(t *testing.T) {
	for _, k := range everyone {
		for _, other := range everyone {
			g := open(func(s *street) { s.Forward.Access = Mode(other) })
			if got := allowed(g, usual(k)); got != (k == other) {
				t.Errorf("kind %d on a road for kind %d: %v", k, other, got)
			}
		}
	}
	wheels := usual(costing.Pedestrian)
	wheels.Wheelchair = true
	g := open(func(s *street) { s.Forward.Access = graph.Pedestrian })
	if allowed(g, wheels) {
		t.Error("a wheelchair where only walkers may go")
	}
}

func TestAccess(t *testing.T) {
	closed := func(s *street) { s.Forward.Access = 0 } // open backwards
	noCars := func(s *street) { s.Forward.Access &^= graph.Auto | graph.HOV }
	hov := func(s *street) { s.Forward.Access &^= graph.Auto | graph.Truck }
	noLorries := func(s *street) { s.Forward.Access &^= graph.Truck }
	works := func(s *street) { s.Use = graph.Construction }
	for _, c := range []struct {
		what   string
		road   func(*street)
		kind   costing.Costing
		option func(*costing.Options)
		want   bool
	}{
		{"an open road", nil, costing.Auto, nil, true},
		{"against a one-way", closed, costing.Auto, nil, false},
		{"against a one-way, ignored", closed, costing.Auto, func(o *costing.Options) { o.IgnoreOneways = true }, true},
		{"no cars", noCars, costing.Auto, nil, false},
		{"no cars, ignored", noCars, costing.Auto, func(o *costing.Options) { o.IgnoreAccess = true }, true},
		{"against a one-way that nobody may take, access ignored", func(s *street) { s.Forward.Access = 0 }, costing.Auto, func(o *costing.Options) { o.IgnoreAccess = true }, false},
		{"a lane for shared cars", hov, costing.Auto, nil, false},
		{"a lane for shared cars, shared", hov, costing.Auto, func(o *costing.Options) { o.IncludeHOV = true }, true},
		{"no cars, shared", noCars, costing.Auto, func(o *costing.Options) { o.IncludeHOV = true }, false},
		{"no lorries, with a shared lane's right", noLorries, costing.Truck, func(o *costing.Options) { o.IncludeHOV = true }, false},
		{"a motorway by scooter, with a shared lane's right", func(s *street) { s.Forward.Access &^= graph.MotorScooter }, costing.MotorScooter, func(o *costing.Options) { o.IncludeHOV = true }, false},
		{"no lorries", noLorries, costing.Truck, nil, false},
		{"no lorries, at a price", noLorries, costing.Truck, func(o *costing.Options) { o.HGVNoAccessPenalty = 100 }, true},
		{"no cars either, at a price", func(s *street) { s.Forward.Access = graph.Pedestrian }, costing.Truck, func(o *costing.Options) { o.HGVNoAccessPenalty = 100 }, false},
		{"roadworks", works, costing.Auto, nil, false},
		{"roadworks, ignored", works, costing.Auto, func(o *costing.Options) { o.IgnoreConstruction = true }, true},
		{"private", func(s *street) { s.Forward.Destination = graph.AllModes }, costing.Auto, nil, true},
		{"impassable", func(s *street) { s.Surface = graph.Impassable }, costing.Auto, nil, false},
		{"a bad track", func(s *street) { s.Surface = graph.PathSurface }, costing.Auto, nil, true},
		{"impassable on foot", func(s *street) { s.Surface = graph.Impassable }, costing.Pedestrian, nil, true},
		{"steps by wheelchair", func(s *street) { s.Use = graph.Steps }, costing.Pedestrian, func(o *costing.Options) { o.Wheelchair = true }, false},
		{"gravel by wheelchair", func(s *street) { s.Surface = graph.Gravel }, costing.Pedestrian, func(o *costing.Options) { o.Wheelchair = true }, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			o := usual(c.kind)
			if c.option != nil {
				c.option(&o)
			}
			if got := allowed(open(c.road), o); got != c.want {
				t.Errorf("allowed is %v", got)
			}
		})
	}
}

func TestDimensions(t *testing.T) {
	limits := graph.ForAll(graph.Bounds{Height: 400, Width: 250, Length: 1200, Weight: 750, AxleLoad: 1000})
	limits.Axles = 3
	fitting := costing.Options{Height: 4, Width: 2.5, Length: 12, Weight: 7.5, AxleLoad: 10, AxleCount: 3}
	for _, c := range []struct {
		what   string
		change func(*costing.Options)
		blocks []costing.Costing
	}{
		{"all at the limit", func(*costing.Options) {}, nil},
		{"a centimetre too high", func(o *costing.Options) { o.Height = 4.01 }, []costing.Costing{costing.Auto, costing.Truck, costing.Bus}},
		{"a millimetre too high", func(o *costing.Options) { o.Height = 4.001 }, []costing.Costing{costing.Auto, costing.Truck, costing.Bus}},
		{"a centimetre too wide", func(o *costing.Options) { o.Width = 2.51 }, []costing.Costing{costing.Auto, costing.Truck, costing.Bus}},
		{"a centimetre too long", func(o *costing.Options) { o.Length = 12.01 }, []costing.Costing{costing.Auto, costing.Truck, costing.Bus}},
		{"ten kilograms too heavy", func(o *costing.Options) { o.Weight = 7.51 }, []costing.Costing{costing.Auto, costing.Truck, costing.Bus}},
		{"a kilogram too heavy", func(o *costing.Options) { o.Weight = 7.501 }, []costing.Costing{costing.Auto, costing.Truck, costing.Bus}},
		{"too much on an axle", func(o *costing.Options) { o.AxleLoad = 10.01 }, []costing.Costing{costing.Truck, costing.Bus}},
		{"an axle too many", func(o *costing.Options) { o.AxleCount = 4 }, []costing.Costing{costing.Truck, costing.Bus}},
	} {
		t.Run(c.what, func(t *testing.T) {
			for _, k := range everyone {
				o := usual(k)
				o.Height, o.Width, o.Length, o.Weight, o.AxleLoad, o.AxleCount = fitting.Height, fitting.Width, fitting.Length, fitting.Weight, fitting.AxleLoad, fitting.AxleCount
				c.change(&o)
				want := true
				for _, b := range c.blocks {
					want = want && b != k
				}
				if got := allowed(open(func(s *street) { s.limits = limits }), o); got != want {
					t.Errorf("kind %d: allowed is %v", k, got)
				}
				if !allowed(open(nil), o) {
					t.Errorf("kind %d: blocked where there is no limit", k)
				}
			}
		})
	}
	// Each kind is bound by its own limits alone.
	for i, k := range []costing.Costing{costing.Auto, costing.Truck, costing.Bus} {
		o := usual(k)
		o.Weight = 8
		for j, l := range []graph.Limits{{Car: graph.Bounds{Weight: 750}}, {Lorry: graph.Bounds{Weight: 750}}, {Bus: graph.Bounds{Weight: 750}}} {
			if got := allowed(open(func(s *street) { s.limits = l }), o); got != (i != j) {
				t.Errorf("%s, bound by %+v: allowed is %v", k, l, got)
			}
		}
	}
	// Every centimetre of a lorry's height against every limit around it.
	for limit := uint16(200); limit < 600; limit += 7 {
		g := open(func(s *street) { s.limits.Lorry.Height = limit })
		for d := -2; d <= 2; d++ {
			o := usual(costing.Truck)
			o.Height = float64(int(limit)+d) / 100
			if got := allowed(g, o); got != (d <= 0) {
				t.Fatalf("%v m under %v m: %v", o.Height, float64(limit)/100, got)
			}
		}
	}
}

func TestHazmat(t *testing.T) {
	g := open(func(s *street) { s.limits.Hazmat = 1 })
	for _, k := range everyone {
		o := usual(k)
		if !allowed(g, o) {
			t.Errorf("kind %d without dangerous goods is blocked", k)
		}
		o.Hazmat = true
		if got := allowed(g, o); got != (k != costing.Truck && k != costing.Bus) {
			t.Errorf("kind %d with dangerous goods: %v", k, got)
		}
	}
}

// TestTunnelCategories checks the table of ADR 8.6.4: a load may not pass tunnels
// of its code's category and the stricter ones.
func TestTunnelCategories(t *testing.T) {
	may := map[byte]string{ // by the first category forbidden, those passable
		0: "ABCDE", 'B': "A", 'C': "AB", 'D': "ABC", 'E': "ABCD",
	}
	for from, passable := range may {
		o := usual(costing.Truck)
		o.TunnelFrom = from
		for _, category := range []byte{0, 'A', 'B', 'C', 'D', 'E'} {
			want := category == 0
			for _, p := range []byte(passable) {
				want = want || p == category
			}
			if got := allowed(open(func(s *street) { s.limits.Tunnel = category }), o); got != want {
				t.Errorf("from %q, tunnel %q: %v", from, category, got)
			}
		}
	}
}

func TestExcluded(t *testing.T) {
	for _, c := range []struct {
		what   string
		road   func(*street)
		option func(*costing.Options)
	}{
		{"bridge", func(s *street) { s.Flags = graph.Bridge }, func(o *costing.Options) { o.ExcludeBridges = true }},
		{"tunnel", func(s *street) { s.Flags = graph.Tunnel }, func(o *costing.Options) { o.ExcludeTunnels = true }},
		{"toll", func(s *street) { s.Flags = graph.Toll }, func(o *costing.Options) { o.ExcludeTolls = true }},
		{"cash", func(s *street) { s.Flags = graph.CashToll }, func(o *costing.Options) { o.ExcludeCashTolls = true }},
		{"unpaved", func(s *street) { s.Flags = graph.Unpaved }, func(o *costing.Options) { o.ExcludeUnpaved = true }},
		{"motorway", func(s *street) { s.Class = graph.Motorway }, func(o *costing.Options) { o.ExcludeHighways = true }},
		{"ferry", func(s *street) { s.Use = graph.Ferry }, func(o *costing.Options) { o.ExcludeFerries = true }},
		{"rail ferry", func(s *street) { s.Use = graph.RailFerry }, func(o *costing.Options) { o.ExcludeFerries = true }},
	} {
		t.Run(c.what, func(t *testing.T) {
			g, plain := open(c.road), open(nil)
			o := usual(costing.Auto)
			if x := New(g, o); x.Excluded(0) || x.Edge(0) == Forbidden {
				t.Error("excluded without being asked")
			}
			c.option(&o)
			x := New(g, o)
			if !x.Excluded(0) || x.Edge(0) != Forbidden {
				t.Error("not excluded")
			}
			if !x.Allowed(0) || x.EdgeAtEnd(0) == Forbidden {
				t.Error("not even at the end of a route")
			}
			if New(plain, o).Excluded(0) {
				t.Error("another road is excluded too")
			}
		})
	}
	o := usual(costing.Pedestrian)
	o.ExcludeUnpaved = true
	if New(open(func(s *street) { s.Flags = graph.Unpaved }), o).Excluded(0) {
		t.Error("unpaved ways are excluded for walkers")
	}
}

func TestHikingDifficulty(t *testing.T) {
	for hardest := range uint8(7) {
		for grade := range uint8(7) {
			g := open(func(s *street) { s.Hiking = grade })
			o := usual(costing.Pedestrian)
			o.MaxHikingDifficulty = hardest
			if got := allowed(g, o); got != (grade <= hardest) {
				t.Errorf("grade %d for one who takes %d: %v", grade, hardest, got)
			}
		}
	}
}

func TestBicycleSurfaces(t *testing.T) {
	worst := map[costing.BicycleType]graph.Surface{costing.RoadBicycle: graph.Compacted, costing.HybridBicycle: graph.Dirt, costing.CrossBicycle: graph.Gravel, costing.MountainBicycle: graph.PathSurface}
	for kind, limit := range worst {
		last := 1e9
		for surface := graph.PavedSmooth; surface <= graph.Impassable; surface++ {
			g := open(func(s *street) { s.Surface = surface })
			o := usual(costing.Bicycle)
			o.Bicycle = kind
			if allowed(g, o) != (surface < graph.Impassable) {
				t.Errorf("bicycle %d at the mercy of %v", kind, surface)
			}
			o.AvoidBadSurfaces = 1
			c := New(g, o)
			if c.Allowed(0) != (surface <= limit) {
				t.Errorf("bicycle %d on %v: %v", kind, surface, c.Allowed(0))
			}
			if speed := c.Speed(0); speed > last {
				t.Errorf("bicycle %d is faster on %v", kind, surface)
			} else {
				last = speed
			}
		}
	}
}

func TestSpeed(t *testing.T) {
	fast := func(s *street) { s.Forward.Speed, s.Class = 120, graph.Motorway }
	for _, c := range []struct {
		what   string
		road   func(*street)
		kind   costing.Costing
		option func(*costing.Options)
		want   float64
	}{
		{"a car", nil, costing.Auto, nil, 50},
		{"the top speed", fast, costing.Auto, func(o *costing.Options) { o.TopSpeed = 90 }, 90},
		{"a fixed speed", fast, costing.Auto, func(o *costing.Options) { o.FixedSpeed = 33 }, 33},
		{"a fixed speed on foot", fast, costing.Pedestrian, func(o *costing.Options) { o.FixedSpeed = 33 }, 5.1},
		{"no speed at all", func(s *street) { s.Forward.Speed = 0 }, costing.Auto, nil, 1},
		{"a lorry's own limit", func(s *street) { s.Forward.Speed, s.Forward.TruckSpeed = 80, 60 }, costing.Truck, nil, 60},
		{"not for cars", func(s *street) { s.Forward.Speed, s.Forward.TruckSpeed = 80, 60 }, costing.Auto, nil, 80},
		{"a ferry keeps its speed", func(s *street) { s.Use, s.Forward.Speed = graph.Ferry, 30 }, costing.Auto, func(o *costing.Options) { o.FixedSpeed = 90 }, 30},
		{"aboard on foot", func(s *street) { s.Use, s.Forward.Speed = graph.Ferry, 30 }, costing.Pedestrian, nil, 30},
		{"on foot", nil, costing.Pedestrian, nil, 5.1},
		{"steps on foot", func(s *street) { s.Use = graph.Steps }, costing.Pedestrian, nil, 5.1},
		{"pushing the bicycle", func(s *street) { s.Forward.Flags = graph.BikeDismount }, costing.Bicycle, nil, 5},
		{"a hybrid bicycle on gravel", func(s *street) { s.Surface = graph.Gravel }, costing.Bicycle, nil, 7},
		{"a hybrid bicycle", nil, costing.Bicycle, nil, 18},
		{"a cyclist who knows the speed", nil, costing.Bicycle, func(o *costing.Options) { o.CyclingSpeed = 30 }, 30},
		{"steps with a bicycle", func(s *street) { s.Use = graph.Steps }, costing.Bicycle, nil, 1},
		{"a scooter in the dirt", func(s *street) { s.Surface = graph.Dirt }, costing.MotorScooter, nil, 25},
	} {
		t.Run(c.what, func(t *testing.T) {
			o := usual(c.kind)
			if c.option != nil {
				c.option(&o)
			}
			g := open(c.road)
			x := New(g, o)
			e := g.Forward[0]
			if got := x.Speed(e); got != c.want {
				t.Errorf("%v km/h, want %v", got, c.want)
			}
			if want := g.EdgeLength(e) * 3.6 / c.want; x.Seconds(e) < want-0.001 || x.Seconds(e) > want+0.001 {
				t.Errorf("%v s, want %v", x.Seconds(e), want)
			}
		})
	}
}

func TestKinds(t *testing.T) {
	for _, k := range everyone {
		c := New(open(nil), usual(k))
		if c.Options().Costing != k || c.Mode() != Mode(k) {
			t.Errorf("%s is %s with mode %#x", k, c.Options().Costing, c.Mode())
		}
	}
	o := usual(costing.Pedestrian)
	o.Wheelchair = true
	if got := New(open(nil), o).Mode(); got != graph.Wheelchair {
		t.Errorf("a wheelchair has the mode %#x", got)
	}
}

func ExampleNew() {
	g := open(func(s *street) { s.limits = graph.ForAll(graph.Bounds{Height: 300}) })
	lorry := New(g, usual(costing.Truck))
	fmt.Println(lorry.Allowed(0), lorry.Edge(0) == Forbidden)
	// Output: false true
}
