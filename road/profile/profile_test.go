package profile

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// usual are the options of a traveller who asks for nothing special.
func usual(k Kind) Options {
	o := Options{
		Kind: k, ManeuverPenalty: 5, DestinationOnlyPenalty: 600, PrivateAccessPenalty: 450, GateCost: 30, GatePenalty: 300,
		TollBoothCost: 15, CountryCrossingCost: 600, FerryCost: 300, RailFerryCost: 300, AlleyPenalty: 5, ServicePenalty: 75, ServiceFactor: 1,
		LowClassPenalty: 30, HGVNoAccessPenalty: 43200, UseFerry: 0.5, UseRailFerry: 0.4, UseHighways: 0.5, UseTolls: 0.5, UseLivingStreets: 0.1,
		UsePrimary: 0.5, UseRoads: 0.25, UseHills: 0.25, AvoidBadSurfaces: 0.25, TopSpeed: 140, SpeedPenaltyFactor: 0.05,
		Bicycle: HybridBicycle, WalkingSpeed: 5.1, WalkwayFactor: 1, SidewalkFactor: 1, AlleyFactor: 2, DrivewayFactor: 5, MaxHikingDifficulty: 1,
	}
	if k == Truck {
		o.Height, o.Width, o.Length, o.Weight, o.AxleLoad, o.AxleCount = 4.11, 2.6, 21.64, 21.77, 9.07, 5
	}
	return o
}

var everyone = []Kind{Auto, Truck, Bus, MotorScooter, Motorcycle, Bicycle, Pedestrian}

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
	n := b.Limits(s.limits)
	s.Forward.Limits, s.Backward.Limits = n, n
	b.AddSegment(s.SegmentFacts, []geo.Fixed{{}, to})
	return b.Build()
}

// open is a street that everyone may use both ways.
func open(change func(s *street)) *graph.Graph {
	s := street{SegmentFacts: graph.SegmentFacts{Class: graph.Tertiary}}
	s.Forward = graph.Direction{Access: graph.AllModes, Speed: 50}
	s.Backward = s.Forward
	if change != nil {
		change(&s)
	}
	return s.build()
}

func allowed(g *graph.Graph, o Options) bool { return New(g, o).Allowed(g.Forward[0]) }

func TestEachNeedsItsOwnAccess(t *testing.T) {
	for _, k := range everyone {
		for _, other := range everyone {
			g := open(func(s *street) { s.Forward.Access = other.Mode() })
			if got := allowed(g, usual(k)); got != (k == other) {
				t.Errorf("kind %d on a road for kind %d: %v", k, other, got)
			}
		}
	}
	wheels := usual(Pedestrian)
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
		kind   Kind
		option func(*Options)
		want   bool
	}{
		{"an open road", nil, Auto, nil, true},
		{"against a one-way", closed, Auto, nil, false},
		{"against a one-way, ignored", closed, Auto, func(o *Options) { o.IgnoreOneways = true }, true},
		{"no cars", noCars, Auto, nil, false},
		{"no cars, ignored", noCars, Auto, func(o *Options) { o.IgnoreAccess = true }, true},
		{"a lane for shared cars", hov, Auto, nil, false},
		{"a lane for shared cars, shared", hov, Auto, func(o *Options) { o.IncludeHOV = true }, true},
		{"no cars, shared", noCars, Auto, func(o *Options) { o.IncludeHOV = true }, false},
		{"no lorries, with a shared lane's right", noLorries, Truck, func(o *Options) { o.IncludeHOV = true }, false},
		{"a motorway by scooter, with a shared lane's right", func(s *street) { s.Forward.Access &^= graph.MotorScooter }, MotorScooter, func(o *Options) { o.IncludeHOV = true }, false},
		{"no lorries", noLorries, Truck, nil, false},
		{"no lorries, at a price", noLorries, Truck, func(o *Options) { o.HGVNoAccessPenalty = 100 }, true},
		{"no cars either, at a price", func(s *street) { s.Forward.Access = graph.Pedestrian }, Truck, func(o *Options) { o.HGVNoAccessPenalty = 100 }, false},
		{"roadworks", works, Auto, nil, false},
		{"roadworks, ignored", works, Auto, func(o *Options) { o.IgnoreConstruction = true }, true},
		{"private", func(s *street) { s.Forward.Destination = graph.AllModes }, Auto, nil, true},
		{"impassable", func(s *street) { s.Surface = graph.Impassable }, Auto, nil, false},
		{"a bad track", func(s *street) { s.Surface = graph.PathSurface }, Auto, nil, true},
		{"impassable on foot", func(s *street) { s.Surface = graph.Impassable }, Pedestrian, nil, true},
		{"steps by wheelchair", func(s *street) { s.Use = graph.Steps }, Pedestrian, func(o *Options) { o.Wheelchair = true }, false},
		{"gravel by wheelchair", func(s *street) { s.Surface = graph.Gravel }, Pedestrian, func(o *Options) { o.Wheelchair = true }, false},
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
	limits := graph.Limits{Height: 400, Width: 250, Length: 1200, Weight: 750, AxleLoad: 1000, Axles: 3}
	fitting := Options{Height: 4, Width: 2.5, Length: 12, Weight: 7.5, AxleLoad: 10, AxleCount: 3}
	for _, c := range []struct {
		what   string
		change func(*Options)
		blocks []Kind
	}{
		{"all at the limit", func(*Options) {}, nil},
		{"a centimetre too high", func(o *Options) { o.Height = 4.01 }, []Kind{Auto, Truck, Bus}},
		{"a millimetre too high", func(o *Options) { o.Height = 4.001 }, []Kind{Auto, Truck, Bus}},
		{"a centimetre too wide", func(o *Options) { o.Width = 2.51 }, []Kind{Auto, Truck, Bus}},
		{"a centimetre too long", func(o *Options) { o.Length = 12.01 }, []Kind{Auto, Truck, Bus}},
		{"ten kilograms too heavy", func(o *Options) { o.Weight = 7.51 }, []Kind{Auto, Truck, Bus}},
		{"a kilogram too heavy", func(o *Options) { o.Weight = 7.501 }, []Kind{Auto, Truck, Bus}},
		{"too much on an axle", func(o *Options) { o.AxleLoad = 10.01 }, []Kind{Truck, Bus}},
		{"an axle too many", func(o *Options) { o.AxleCount = 4 }, []Kind{Truck, Bus}},
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
	// Every centimetre of a lorry's height against every limit around it.
	for limit := uint16(200); limit < 600; limit += 7 {
		g := open(func(s *street) { s.limits.Height = limit })
		for d := -2; d <= 2; d++ {
			o := usual(Truck)
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
		if got := allowed(g, o); got != (k != Truck && k != Bus) {
			t.Errorf("kind %d with dangerous goods: %v", k, got)
		}
	}
}

// TestTunnelCategories is the table of ADR 8.6.4: a load may not pass tunnels
// of its code's category and the stricter ones.
func TestTunnelCategories(t *testing.T) {
	may := map[byte]string{ // by the first category forbidden, those passable
		0: "ABCDE", 'B': "A", 'C': "AB", 'D': "ABC", 'E': "ABCD",
	}
	for from, passable := range may {
		o := usual(Truck)
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
		option func(*Options)
	}{
		{"bridge", func(s *street) { s.Flags = graph.Bridge }, func(o *Options) { o.ExcludeBridges = true }},
		{"tunnel", func(s *street) { s.Flags = graph.Tunnel }, func(o *Options) { o.ExcludeTunnels = true }},
		{"toll", func(s *street) { s.Flags = graph.Toll }, func(o *Options) { o.ExcludeTolls = true }},
		{"cash", func(s *street) { s.Flags = graph.CashToll }, func(o *Options) { o.ExcludeCashTolls = true }},
		{"unpaved", func(s *street) { s.Flags = graph.Unpaved }, func(o *Options) { o.ExcludeUnpaved = true }},
		{"motorway", func(s *street) { s.Class = graph.Motorway }, func(o *Options) { o.ExcludeHighways = true }},
		{"ferry", func(s *street) { s.Use = graph.Ferry }, func(o *Options) { o.ExcludeFerries = true }},
		{"rail ferry", func(s *street) { s.Use = graph.RailFerry }, func(o *Options) { o.ExcludeFerries = true }},
	} {
		t.Run(c.what, func(t *testing.T) {
			g, plain := open(c.road), open(nil)
			o := usual(Auto)
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
	o := usual(Pedestrian)
	o.ExcludeUnpaved = true
	if New(open(func(s *street) { s.Flags = graph.Unpaved }), o).Excluded(0) {
		t.Error("unpaved ways are excluded for walkers")
	}
}

func TestHikingDifficulty(t *testing.T) {
	for hardest := range uint8(7) {
		for grade := range uint8(7) {
			g := open(func(s *street) { s.Hiking = grade })
			o := usual(Pedestrian)
			o.MaxHikingDifficulty = hardest
			if got := allowed(g, o); got != (grade <= hardest) {
				t.Errorf("grade %d for one who takes %d: %v", grade, hardest, got)
			}
		}
	}
}

func TestBicycleSurfaces(t *testing.T) {
	worst := map[BicycleType]graph.Surface{RoadBicycle: graph.Compacted, HybridBicycle: graph.Dirt, CrossBicycle: graph.Gravel, MountainBicycle: graph.PathSurface}
	for kind, limit := range worst {
		last := 1e9
		for surface := graph.PavedSmooth; surface <= graph.Impassable; surface++ {
			g := open(func(s *street) { s.Surface = surface })
			o := usual(Bicycle)
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
		kind   Kind
		option func(*Options)
		want   float64
	}{
		{"a car", nil, Auto, nil, 50},
		{"the top speed", fast, Auto, func(o *Options) { o.TopSpeed = 90 }, 90},
		{"a fixed speed", fast, Auto, func(o *Options) { o.FixedSpeed = 33 }, 33},
		{"a fixed speed on foot", fast, Pedestrian, func(o *Options) { o.FixedSpeed = 33 }, 5.1},
		{"no speed at all", func(s *street) { s.Forward.Speed = 0 }, Auto, nil, 1},
		{"a lorry's own limit", func(s *street) { s.Forward.Speed, s.Forward.TruckSpeed = 80, 60 }, Truck, nil, 60},
		{"not for cars", func(s *street) { s.Forward.Speed, s.Forward.TruckSpeed = 80, 60 }, Auto, nil, 80},
		{"a ferry keeps its speed", func(s *street) { s.Use, s.Forward.Speed = graph.Ferry, 30 }, Auto, func(o *Options) { o.FixedSpeed = 90 }, 30},
		{"aboard on foot", func(s *street) { s.Use, s.Forward.Speed = graph.Ferry, 30 }, Pedestrian, nil, 30},
		{"on foot", nil, Pedestrian, nil, 5.1},
		{"steps on foot", func(s *street) { s.Use = graph.Steps }, Pedestrian, nil, 5.1},
		{"pushing the bicycle", func(s *street) { s.Forward.Flags = graph.BikeDismount }, Bicycle, nil, 5},
		{"a hybrid bicycle on gravel", func(s *street) { s.Surface = graph.Gravel }, Bicycle, nil, 7},
		{"a hybrid bicycle", nil, Bicycle, nil, 18},
		{"a cyclist who knows the speed", nil, Bicycle, func(o *Options) { o.CyclingSpeed = 30 }, 30},
		{"steps with a bicycle", func(s *street) { s.Use = graph.Steps }, Bicycle, nil, 1},
		{"a scooter in the dirt", func(s *street) { s.Surface = graph.Dirt }, MotorScooter, nil, 25},
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
		if c.Kind() != k || c.Mode() != k.Mode() {
			t.Errorf("kind %d is %d with mode %#x", k, c.Kind(), c.Mode())
		}
	}
	o := usual(Pedestrian)
	o.Wheelchair = true
	if got := New(open(nil), o).Mode(); got != graph.Wheelchair {
		t.Errorf("a wheelchair has the mode %#x", got)
	}
}

func ExampleNew() {
	g := open(func(s *street) { s.limits.Height = 300 })
	lorry := New(g, usual(Truck))
	fmt.Println(lorry.Allowed(0), lorry.Edge(0) == Forbidden)
	// Output: false true
}
