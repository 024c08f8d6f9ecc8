package tags

import (
	"testing"

	"github.com/waygate/waygate/road/graph"
)

// TestLimitsOfKindsOfVehicles checks whom a limit binds that names a kind of vehicle.
func TestLimitsOfKindsOfVehicles(t *testing.T) {
	heavy := func(w uint16) graph.Bounds { return graph.Bounds{Weight: w} }
	for tags, want := range map[string]graph.Limits{
		"maxweight:hgv=3.5":                               {Lorry: heavy(350)},
		"maxweightrating:hgv=7.5":                         {Lorry: heavy(750)},
		"maxgcweight:hgv=7.5":                             {Lorry: heavy(750)},
		"maxgcweight=7.5":                                 graph.ForAll(heavy(750)),
		"maxweight:goods=2.8":                             {Lorry: heavy(280)},
		"maxheight:hgv=3.8":                               {Lorry: graph.Bounds{Height: 380}},
		"maxlength:hgv=10":                                {Lorry: graph.Bounds{Length: 1000}},
		"maxaxleload:hgv=8":                               {Lorry: graph.Bounds{AxleLoad: 800}},
		"maxaxles:hgv=3":                                  {Axles: 3},
		"maxweight:bus=12":                                {Bus: heavy(1200)},
		"maxweight:psv=12":                                {Bus: heavy(1200)},
		"maxheight:bus=3.2":                               {Bus: graph.Bounds{Height: 320}},
		"maxweight=3.5|maxweight:bus=20":                  {Car: heavy(2000), Lorry: heavy(350), Bus: heavy(2000)},
		"maxweight=3.5|maxweight:psv=20":                  {Car: heavy(2000), Lorry: heavy(350), Bus: heavy(2000)},
		"maxweight=3.5|maxweight:psv=20|maxweight:bus=12": {Car: heavy(1200), Lorry: heavy(350), Bus: heavy(1200)},
		"maxweight:bus=none|maxweight=3.5":                {Lorry: heavy(350)},
		// A limit that names cars, or that is less for buses, stays.
		"maxweight=3.5|maxweight:bus=20|maxweight:motorcar=3.5": {Car: heavy(350), Lorry: heavy(350), Bus: heavy(2000)},
		"maxweight=3.5|maxweight:bus=2":                         {Car: heavy(350), Lorry: heavy(350), Bus: heavy(200)},
		"maxlength=8|maxlength:psv=no":                          {Car: graph.Bounds{Length: 800}, Lorry: graph.Bounds{Length: 800}},
		// A lorry is bound by the least, whatever is said of lorries.
		"maxweight=3.5|maxweight:hgv=7.5":  graph.ForAll(heavy(350)),
		"maxweight=18|maxweight:hgv=7.5":   {Car: heavy(1800), Lorry: heavy(750), Bus: heavy(1800)},
		"maxweight=7.5|maxweight:hgv=none": graph.ForAll(heavy(750)),
		// Limits with conditions are left to Conditions.
		"maxweight:conditional=5 @ (axles>2)":              {},
		"maxweight=3.5|maxweight:conditional=none @ (psv)": {},
		"maxweight:lanes=3.5|7":                            {},
		"maxheight:practical=3":                            {},
		"maxweight=3.5|maxweight:bus=unknown":              graph.ForAll(heavy(350)),
	} {
		w := read(t, "highway=primary|"+tags, britain)
		if w.Forward.Limits != want || w.Backward.Limits != want {
			t.Errorf("%s: %+v and %+v, want %+v", tags, w.Forward.Limits, w.Backward.Limits, want)
		}
	}
	// A direction of its own.
	w := read(t, "highway=primary|maxweight=20|maxweight:hgv:forward=7.5", britain)
	if w.Forward.Limits.Lorry != heavy(750) || w.Backward.Limits.Lorry != heavy(2000) || w.Forward.Limits.Bus != heavy(2000) {
		t.Errorf("%+v and %+v", w.Forward.Limits, w.Backward.Limits)
	}
	// Barriers at a node.
	for tags, want := range map[string]graph.Limits{
		"barrier=height_restrictor|maxheight:hgv=3":   {Lorry: graph.Bounds{Height: 300}},
		"barrier=bollard|maxwidth=2.1|maxwidth:bus=3": {Car: graph.Bounds{Width: 210}, Lorry: graph.Bounds{Width: 210}, Bus: graph.Bounds{Width: 300}},
	} {
		if b, _ := ReadNode(parse(tags)); b.Limits != want {
			t.Errorf("%s: %+v, want %+v", tags, b.Limits, want)
		}
	}
}

// TestTolls checks who pays toll by which tags, and from which weight on.
func TestTolls(t *testing.T) {
	const motor = graph.Motor
	over := func(car, lorry, bus uint16, modes graph.Modes) graph.Limits {
		return graph.Limits{Toll: modes, Car: graph.Bounds{TollOver: car}, Lorry: graph.Bounds{TollOver: lorry}, Bus: graph.Bounds{TollOver: bus}}
	}
	for tags, want := range map[string]graph.Limits{
		"toll=yes":                  over(0, 0, 0, graph.AllModes),
		"toll=no":                   {},
		"toll:hgv=yes":              over(0, 350, 0, graph.Truck),
		"toll:N3=yes":               over(0, 1200, 0, graph.Truck),
		"toll:N2=yes|toll:N3=yes":   over(0, 350, 0, graph.Truck),
		"toll:N2=no|toll:N3=yes":    over(0, 1200, 0, graph.Truck),
		"toll:hgv=yes|toll:N2=no":   over(0, 1200, 0, graph.Truck),
		"toll=no|toll:hgv=yes":      over(0, 350, 0, graph.Truck),
		"toll=yes|toll:motorcar=no": over(0, 0, 0, graph.Truck|graph.Bus),
		"toll=yes|toll:hgv=no":      over(0, 0, 0, graph.AllModes&^graph.Truck),
		"toll=yes|toll:conditional=no @ (weight>3.5)":    over(0, 0, 0, graph.AllModes&^graph.Truck&^graph.Bus),
		"toll=yes|toll:motorcycle=no":                    over(0, 0, 0, graph.AllModes&^graph.Motorcycle),
		"toll=yes|toll:motorcar=no|toll:motorcycle=yes":  over(0, 0, 0, graph.Truck|graph.Bus|graph.Motorcycle),
		"toll:motorcycle=yes":                            over(0, 0, 0, graph.Motorcycle),
		"toll:bus=yes":                                   over(0, 0, 0, graph.Bus),
		"toll:M3=yes":                                    over(0, 0, 500, graph.Bus),
		"toll=yes|toll:bus=no":                           over(0, 0, 0, graph.AllModes&^graph.Bus),
		"toll:motor_vehicle=yes":                         over(0, 0, 0, motor),
		"toll:conditional=yes @ (weight>3.5)":            over(350, 350, 350, graph.Auto|graph.Truck|graph.Bus),
		"toll:conditional=yes @ (maxweightrating > 7.5)": over(750, 750, 750, graph.Auto|graph.Truck|graph.Bus),
		"toll:conditional=yes @ (hgv)":                   over(0, 0, 0, graph.Truck),
		"toll:conditional=yes @ (hgv AND weight>12)":     over(0, 1200, 0, graph.Truck),
		"toll:hgv:conditional=yes @ (weight>7.5)":        over(0, 750, 0, graph.Truck),
		"toll=yes|toll:conditional=no @ (weight<=3.5)":   over(350, 350, 350, graph.AllModes),
		"toll=yes|toll:conditional=no @ (motorcycle)":    over(0, 0, 0, graph.AllModes&^graph.Motorcycle),
		"toll:conditional=yes @ (22:00-06:00)":           over(0, 0, 0, graph.AllModes),
		"toll:hgv:conditional=yes @ (22:00-06:00)":       over(0, 350, 0, graph.Truck),
		"toll:conditional=yes @ (hgv AND 22:00-06:00)":   over(0, 0, 0, graph.Truck),
		"toll:conditional=yes @ (wet AND 22:00-06:00)":   {},
		"toll:conditional=no @ (22:00-06:00)|toll=yes":   over(0, 0, 0, graph.AllModes),
		"toll:automatic=Via Verde":                       {},
	} {
		w := read(t, "highway=trunk|"+tags, britain)
		if w.Forward.Limits != want || w.Backward.Limits != want {
			t.Errorf("%s: %+v and %+v, want %+v", tags, w.Forward.Limits, w.Backward.Limits, want)
		}
		if flag := w.Flags&graph.Toll != 0; flag != (want.Toll != 0) {
			t.Errorf("%s: the way is flagged as a toll road: %v", tags, flag)
		}
	}
	w := read(t, "highway=trunk|toll:forward=yes", britain)
	if w.Forward.Limits.Toll != graph.AllModes || w.Backward.Limits.Toll != 0 {
		t.Errorf("a toll one way: %+v and %+v", w.Forward.Limits, w.Backward.Limits)
	}
	for tags, want := range map[string]graph.Modes{
		"barrier=toll_booth":                      graph.AllModes,
		"barrier=toll_booth|toll:hgv=yes|toll=no": graph.Truck,
		"barrier=toll_booth|toll:motorcycle=no":   graph.AllModes &^ graph.Motorcycle,
		"highway=toll_gantry|toll:motorcar=no":    graph.Truck | graph.Bus,
		"highway=toll_gantry|toll=no|toll:N3=yes": graph.Truck,
		"barrier=gate|toll=yes":                   0,
	} {
		if b, _ := ReadNode(parse(tags)); b.Limits.Toll != want {
			t.Errorf("%s: %#x pay, want %#x", tags, b.Limits.Toll, want)
		}
	}
}

// TestSpeedsOfKindsOfVehicles checks the limits of lorries and of buses.
func TestSpeedsOfKindsOfVehicles(t *testing.T) {
	for tags, want := range map[string][3]uint8{ // for all, for lorries, for buses
		"maxspeed=100": {100, 0, 0},
		"maxspeed=100|maxspeed:hgv=80|maxspeed:bus=90":                            {100, 80, 90},
		"maxspeed=100|maxspeed:bus=90|maxweight=20":                               {100, 0, 90},
		"maxspeed=100|maxspeed:psv=70":                                            {100, 0, 70},
		"maxspeed=100|maxspeed:hgv:conditional=60 @ (weight>7.5)":                 {100, 60, 0},
		"maxspeed=100|maxspeed:hgv=80|maxspeed:hgv:conditional=60 @ weight>7.5":   {100, 60, 0},
		"maxspeed=100|maxspeed:conditional=80 @ (weight>3.5)":                     {100, 80, 80},
		"maxspeed=100|maxspeed:conditional=80 @ (hgv); 60 @ (hgv AND weight>7.5)": {100, 60, 0},
		"maxspeed=100|maxspeed:conditional=80 @ (22:00-06:00)":                    {100, 0, 0},
		"maxspeed=100|maxspeed:conditional=80 @ (weight<=3.5)":                    {100, 0, 0},
		"maxspeed=100|maxspeed:conditional=80 @ (wet)":                            {100, 0, 0},
		"maxspeed=100|maxspeed:hgv:conditional=60 @ (22:00-06:00)":                {100, 0, 0},
	} {
		s := read(t, "highway=primary|"+tags, britain).Forward
		if got := [3]uint8{s.Limited, s.TruckSpeed, s.Limits.BusSpeed}; got != want {
			t.Errorf("%s: %v, want %v", tags, got, want)
		}
	}
}
