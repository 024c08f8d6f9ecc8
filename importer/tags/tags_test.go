package tags

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

func read(t *testing.T, tags string, c country.Country) Way {
	t.Helper()
	w, ok := Read(parse(tags), &c)
	if !ok {
		t.Fatalf("%s: not kept", tags)
	}
	return w
}

func TestForm(t *testing.T) {
	for _, c := range []struct {
		tags  string
		class graph.Class
		use   graph.Use
		flags graph.SegFlags // that must be set, besides LitUnknown
	}{
		{"highway=motorway", graph.Motorway, graph.Road, graph.Oneway},
		{"highway=motorway_link|oneway=yes", graph.Motorway, graph.Ramp, graph.Link | graph.Oneway},
		{"highway=primary", graph.Primary, graph.Road, 0},
		{"highway=tertiary_link", graph.Tertiary, graph.Ramp, graph.Link},
		{"highway=living_street", graph.ServiceOther, graph.LivingStreet, 0},
		{"highway=service|service=driveway", graph.ServiceOther, graph.Driveway, 0},
		{"highway=service|service=parking_aisle", graph.ServiceOther, graph.ParkingAisle, 0},
		{"highway=service|service=alley", graph.ServiceOther, graph.Alley, 0},
		{"highway=service|service=drive-through", graph.ServiceOther, graph.DriveThrough, 0},
		{"highway=service|service=other", graph.ServiceOther, graph.ServiceRoad, 0},
		{"highway=track|tracktype=grade2", graph.ServiceOther, graph.Track, graph.Unpaved | graph.SurfaceTagged},
		{"highway=footway|footway=sidewalk", graph.ServiceOther, graph.Sidewalk, 0},
		{"highway=footway|footway=crossing", graph.ServiceOther, graph.Crossing, 0},
		{"highway=steps|conveying=yes", graph.ServiceOther, graph.Escalator, 0},
		{"highway=steps|conveying=no", graph.ServiceOther, graph.Steps, 0},
		{"highway=path|mtb:scale=2", graph.ServiceOther, graph.Trail, graph.SurfaceTagged | graph.Unpaved},
		{"highway=path", graph.ServiceOther, graph.Trail, 0},
		{"highway=corridor", graph.ServiceOther, graph.Footway, graph.Indoor},
		{"highway=footway|indoor=yes", graph.ServiceOther, graph.Footway, graph.Indoor},
		{"highway=footway|indoor=corridor", graph.ServiceOther, graph.Footway, graph.Indoor},
		{"highway=pedestrian|indoor=area", graph.ServiceOther, graph.PedestrianStreet, graph.Indoor},
		{"highway=footway|indoor=no", graph.ServiceOther, graph.Footway, 0},
		{"highway=elevator|level=0;1", graph.ServiceOther, graph.Elevator, graph.HasLevels},
		{"highway=footway|level:ref=Lobby", graph.ServiceOther, graph.Footway, graph.HasLevels},
		{"highway=footway|level=ground", graph.ServiceOther, graph.Footway, 0},
		{"highway=construction|construction=trunk", graph.Trunk, graph.Construction, 0},
		{"route=ferry", graph.Primary, graph.Ferry, 0},
		{"route=shuttle_train", graph.Primary, graph.RailFerry, 0},
		{"highway=primary|toll=yes|tunnel=yes|payment:cash=only", graph.Primary, graph.Road, graph.Toll | graph.Tunnel | graph.CashToll},
		{"highway=primary|bridge=viaduct|lit=yes|ford=yes", graph.Primary, graph.Road, graph.Bridge | graph.Lit | graph.Ford},
		{"highway=primary|tunnel=culvert|bridge=no", graph.Primary, graph.Road, 0},
		{"highway=primary|tunnel=building_passage|seasonal=yes", graph.Primary, graph.Road, graph.Tunnel | graph.Seasonal},
		{"highway=primary|junction=roundabout", graph.Primary, graph.Road, graph.Roundabout | graph.Oneway},
		{"highway=cycleway|ncn=yes", graph.ServiceOther, graph.Cycleway, graph.BikeNetwork},
		{"highway=primary|maxspeed=50", graph.Primary, graph.Road, graph.SpeedTagged},
		{"highway=primary|hgv=designated", graph.Primary, graph.Road, graph.HGVDesignated},
	} {
		w := read(t, c.tags, nowhere)
		want := c.flags
		if !strings.Contains(c.tags, "lit=") {
			want |= graph.LitUnknown
		}
		if w.Class != c.class || w.Use != c.use || w.Flags != want {
			t.Errorf("%s: %v, %v, flags %#x; want %v, %v, %#x", c.tags, w.Class, w.Use, w.Flags, c.class, c.use, want)
		}
	}
}

func TestDrivingSide(t *testing.T) {
	for _, c := range []struct {
		tags string
		in   country.Country
		want bool
	}{
		{"highway=primary", nowhere, false},
		{"highway=primary", britain, true},
		{"highway=primary|driving_side=right", britain, false},
		{"highway=primary|driving_side=left", nowhere, true},
	} {
		if got := read(t, c.tags, c.in).Flags&graph.DriveOnLeft != 0; got != c.want {
			t.Errorf("%s in %q: left is %v", c.tags, c.in.Code, got)
		}
	}
}

func TestSurface(t *testing.T) {
	for tags, want := range map[string]graph.Surface{
		"highway=primary": graph.PavedSmooth, "highway=primary|surface=asphalt": graph.PavedSmooth, "highway=primary|surface=paved": graph.PavedSmooth, "highway=primary|surface=concrete:plates": graph.PavedSmooth,
		"highway=primary|surface=paving_stones": graph.Paved, "highway=primary|surface=unhewn_cobblestone": graph.PavedRough, "highway=track|surface=fine_gravel": graph.Gravel,
		"highway=primary|surface=sett": graph.Paved, "highway=track|surface=compacted": graph.Compacted, "highway=track|surface=gravel": graph.Gravel,
		"highway=track|surface=laterite": graph.Dirt, "highway=track|surface=clay": graph.Dirt, "highway=unclassified|surface=unpaved;laterite": graph.Gravel,
		"highway=track|surface=ground;grass": graph.Dirt, "highway=track|surface=grass": graph.PathSurface, "highway=track|surface=moonrock": graph.Dirt, "highway=track|surface=rock": graph.Gravel,
		"highway=track": graph.Dirt, "highway=track|tracktype=grade3": graph.Dirt, "highway=track|tracktype=grade4": graph.Gravel, "highway=track|tracktype=grade1": graph.PavedRough, "highway=track|tracktype=grade5": graph.PathSurface,
		"highway=track|tracktype=grade5|surface=asphalt": graph.PavedSmooth, "highway=track|smoothness=horrible": graph.Gravel,
		"highway=path": graph.Compacted, "highway=footway": graph.Compacted, "highway=service": graph.PavedSmooth,
		// A grade for hikers or mountain bikes does not mean a road.
		"highway=unclassified|sac_scale=hiking": graph.PathSurface, "highway=track|sac_scale=hiking|tracktype=grade2": graph.Compacted,
		"highway=path|mtb:scale=0": graph.Dirt, "highway=path|mtb:scale=1": graph.Gravel, "highway=path|mtb:scale=3+": graph.PathSurface, "highway=path|mtb:scale:uphill=1": graph.Gravel,
		"highway=path|mtb:scale=2|surface=asphalt": graph.PathSurface, "highway=path|mtb:scale=?": graph.Compacted,
		"highway=motorway|sac_scale=hiking|surface=asphalt": graph.PavedSmooth, "highway=cycleway": graph.Paved, "highway=path|smoothness=impassable": graph.Impassable,
	} {
		w := read(t, tags, nowhere)
		if w.Surface != want {
			t.Errorf("%s: %v, want %v", tags, w.Surface, want)
		}
		if unpaved := w.Flags&graph.Unpaved != 0; unpaved != (w.Flags&graph.SurfaceTagged != 0 && want >= graph.Compacted) {
			t.Errorf("%s: unpaved is %v", tags, unpaved)
		}
	}
}

func TestSpeeds(t *testing.T) {
	for _, c := range []struct {
		tags                                     string
		speed, limited, lorry, backward, opposed uint8 // speed, limit and lorries' limit forwards; speed and limit backwards
	}{
		{"highway=primary", 0, 0, 0, 0, 0},
		{"highway=primary|maxspeed=50", 50, 50, 0, 50, 50},
		{"highway=primary|maxspeed=30 mph", 48, 48, 0, 48, 48},
		{"highway=primary|maxspeed=80|maxspeed:hgv=60", 80, 80, 60, 80, 80},
		{"highway=primary|maxspeed=80|maxspeed:forward=50", 50, 50, 0, 80, 80},
		{"highway=primary|maxspeed=80|maxspeed:backward=50", 80, 80, 0, 50, 50},
		{"highway=primary|maxspeed=80|maxspeed:advisory=40", 40, 80, 0, 40, 80},
		{"highway=track|maxspeed:practical=20", 20, 0, 0, 20, 0},
		{"highway=primary|maxspeed:type=DE:urban", 0, 50, 0, 0, 50},
		{"highway=primary|maxspeed=signals|maxspeed:type=GB:nsl_single", 0, 97, 0, 0, 97},
		{"highway=primary|maxspeed=national", 97, 97, 0, 97, 97},
		{"highway=primary|maxspeed=national|oneway=yes", 113, 113, 0, 113, 113},
		{"highway=motorway|maxspeed=national", 113, 113, 0, 113, 113},
		{"highway=primary|maxspeed=national|junction=roundabout", 97, 97, 0, 97, 97},
	} {
		w := read(t, c.tags, britain)
		f, b := w.Forward, w.Backward
		if f.Speed != c.speed || f.Limited != c.limited || f.TruckSpeed != c.lorry || b.Speed != c.backward || b.Limited != c.opposed {
			t.Errorf("%s: %+v and %+v", c.tags, f, b)
		}
	}
}

// TestDefaultSpeed: every way that is kept has a speed.
func TestDefaultSpeed(t *testing.T) {
	for value := range highways {
		for _, more := range []string{"", "|junction=roundabout", "|surface=mud", "|maxspeed=30"} {
			w, ok := Read(parse("highway="+value+more), &nowhere)
			if !ok {
				continue
			}
			rural, urban := w.DefaultSpeed(&w.Forward, Place{Class: w.Class, Use: w.Use}), w.DefaultSpeed(&w.Forward, Place{Urban: true, Class: w.Class, Use: w.Use})
			if urban == 0 || urban > rural && w.Use != graph.Track {
				t.Errorf("%s%s: %d km/h among houses and %d outside", value, more, urban, rural)
			}
			if more == "|maxspeed=30" && w.Surface < graph.PavedRough && rural != 30 {
				t.Errorf("%s: %d km/h where 30 are posted", value, rural)
			}
		}
	}
}

// TestUsualSpeed checks the table of the speeds at which roads without a limit are
// driven, and of those that bad ground takes off a limit.
func TestUsualSpeed(t *testing.T) {
	for _, c := range []struct {
		tags         string
		rural, urban uint8
	}{
		{"highway=motorway", 105, 89},
		{"highway=primary", 75, 57},
		{"highway=residential", 35, 30},
		{"highway=living_street", 25, 20},
		{"highway=service", 25, 20},
		{"highway=service|service=driveway", 10, 10},
		{"highway=service|service=parking_aisle", 15, 15},
		{"highway=service|service=alley", 25, 20},
		{"highway=residential|junction=roundabout", 18, 15},
		{"highway=residential|surface=cobblestone", 17, 15},
		{"highway=track", 5, 10},
		{"highway=track|tracktype=grade1", 10, 10},
		{"highway=track|tracktype=grade2|surface=asphalt", 15, 20},
		{"highway=tertiary|maxspeed=50|surface=gravel", 40, 40},
		{"highway=tertiary|maxspeed=30|surface=gravel", 25, 25},
		{"highway=tertiary|maxspeed=15|surface=gravel", 15, 15},
		{"highway=motorway|maxspeed=none", 105, 105},
		{"highway=primary|maxspeed=80|maxspeed:practical=60|maxspeed:advisory=40", 60, 60},
		{"highway=primary|maxspeed=80|maxspeed:advisory=40", 40, 40},
		{"highway=motorway_link", 89, 84},
		{"highway=tertiary_link", 43, 43},
		{"highway=residential|maxspeed:type=NO:urban", 35, 30},
		{"highway=service|maxspeed=5", 25, 20},
		{"highway=primary|maxspeed:type=DE:urban", 50, 50},
		{"highway=motorway_link|maxspeed=80|surface=gravel", 80, 80},
	} {
		w := read(t, c.tags, nowhere)
		out, in := Place{Class: w.Class, Use: w.Use}, Place{Urban: true, Class: w.Class, Use: w.Use}
		if r, u := w.DefaultSpeed(&w.Forward, out), w.DefaultSpeed(&w.Forward, in); r != c.rural || u != c.urban {
			t.Errorf("%s: %d and in town %d, want %d and %d", c.tags, r, u, c.rural, c.urban)
		}
	}
	ferry := read(t, "route=ferry", nowhere)
	for metres, want := range map[float64]uint8{500: 10, 5000: 20, 50_000: 30} {
		if got := ferry.DefaultSpeed(&ferry.Forward, Place{Metres: metres}); got != want {
			t.Errorf("a ferry over %v m goes %d km/h, want %d", metres, got, want)
		}
	}
	lane := read(t, "highway=primary_link", nowhere)
	if got := lane.DefaultSpeed(&lane.Forward, Place{Use: graph.TurnChannel}); got != 94 {
		t.Errorf("a lane for turning: %d km/h, want 94", got)
	}
	oneSided := read(t, "highway=primary|maxspeed:forward=50", nowhere)
	if oneSided.Backward.Speed != 50 {
		t.Errorf("against a way with a limit along it: %d km/h", oneSided.Backward.Speed)
	}
}

// TestCountries samples the laws on who may use an untagged way.
func TestCountries(t *testing.T) {
	for _, c := range []struct{ tags, country, want string }{
		{"highway=cycleway", "", "y"},
		{"highway=cycleway", "LI", "y"},
		{"highway=cycleway", "GB", quiet},
		{"highway=cycleway|foot=no", "GB", "y"},
		{"highway=bridleway", "GB", quiet},
		{"highway=bridleway", "IE", quiet},
		{"highway=footway", "AU", quiet},
		{"highway=footway", "AT", "fw"},
		{"highway=path", "AT", "fw"},
		{"highway=path", "CH", "m" + quiet},
		{"highway=trunk", "CH", "clbtHse"},
		{"highway=pedestrian", "ES", quiet},
	} {
		w, ok := Read(parse(c.tags), &country.Country{Code: c.country})
		want := c.want
		if c.tags == "highway=trunk" {
			if w.Forward.Access&(graph.Bicycle|graph.Pedestrian|graph.MotorScooter) != 0 || w.Forward.Access&graph.Auto == 0 {
				t.Errorf("a Swiss trunk road: %s", drawn(w.Forward.Access, 0))
			}
			continue
		}
		if got := drawn(w.Forward.Access, 0); !ok || len(got) != len(want) && !same(got, want) {
			t.Errorf("%s in %q: %s, want %s", c.tags, c.country, got, want)
		}
	}
}

// TestPrivateGround: nobody's way to elsewhere leads through a car park.
func TestPrivateGround(t *testing.T) {
	for tags, want := range map[string]graph.Modes{
		"highway=service":                                   0,
		"highway=service|service=alley":                     0,
		"highway=service|service=parking_aisle":             graph.AllModes,
		"highway=service|service=driveway":                  graph.AllModes,
		"highway=service|service=drive-through":             graph.AllModes,
		"highway=service|access=private;yes":                graph.AllModes,
		"highway=residential|motor_vehicle=destination":     graph.Motor,
		"highway=service|access=agricultural;destination":   graph.AllModes,
		"highway=residential|motor_vehicle=yes|bicycle=yes": 0,
	} {
		if w := read(t, tags, nowhere); w.Forward.Destination != want {
			t.Errorf("%s: %#x, want %#x", tags, w.Forward.Destination, want)
		}
	}
}

// TestPrivate checks the table of who needs leave of the owner.
func TestPrivate(t *testing.T) {
	for tags, want := range map[string]graph.Modes{
		"highway=service|access=private":                                  graph.AllModes,
		"highway=service|access=residents":                                graph.AllModes,
		"highway=service|access=permit|foot=yes":                          graph.Vehicles,
		"highway=service|access=private|foot=yes|bicycle=destination":     graph.Motor,
		"highway=residential|motor_vehicle=private":                       graph.Motor,
		"highway=residential|vehicle=private|bicycle=yes":                 graph.Motor,
		"highway=residential|hgv=private":                                 graph.Truck,
		"highway=residential|motor_vehicle=private|motorcar=destination":  graph.Motor &^ graph.Auto &^ graph.HOV &^ graph.Taxi,
		"highway=service|access=destination":                              0,
		"highway=service|access=customers":                                0,
		"highway=service|access=private;destination":                      0,
		"highway=service|access=agricultural;private":                     graph.AllModes,
		"highway=residential|access=destination|motor_vehicle=private":    graph.Motor,
		"highway=service|access=private|motor_vehicle=no|bicycle=private": graph.Bicycle | graph.Pedestrian | graph.Wheelchair,
	} {
		w := read(t, tags, nowhere)
		if got := w.Forward.Private & w.Forward.Access; got != want {
			t.Errorf("%s: %#x, want %#x", tags, got, want)
		}
		if w.Forward.Private&^w.Forward.Destination != 0 {
			t.Errorf("%s: private to %#x, for destinations to %#x", tags, w.Forward.Private, w.Forward.Destination)
		}
	}
}

// TestTaggedInternalEdges reads which ways lie within a junction by their tags.
func TestTaggedInternalEdges(t *testing.T) {
	for tags, want := range map[string]bool{
		"highway=primary|junction=intersection": true, "highway=primary|junction=yes": false, "highway=primary": false,
		"highway=primary_link|junction=intersection": false, "highway=primary|junction=roundabout": false,
	} {
		w := read(t, tags, nowhere)
		if got := w.Forward.Flags&w.Backward.Flags&graph.Internal != 0; got != want {
			t.Errorf("%s: %v", tags, got)
		}
	}
}

// TestSeparation checks the table of how far paths keep bicycles and walkers apart.
func TestSeparation(t *testing.T) {
	const all = graph.BikeLane | graph.BikeTrack | graph.BikeShared
	for tags, want := range map[string]graph.EdgeFlags{
		"highway=cycleway":                                graph.BikeTrack,
		"highway=cycleway|foot=yes":                       graph.BikeLane,
		"highway=cycleway|foot=yes|segregated=no":         graph.BikeShared,
		"highway=path":                                    graph.BikeShared,
		"highway=path|segregated=yes":                     graph.BikeLane,
		"highway=footway":                                 0,
		"highway=footway|bicycle=yes":                     graph.BikeShared,
		"highway=residential|cycleway=lane":               graph.BikeLane,
		"highway=residential|cycleway=share_busway":       graph.BikeShared,
		"highway=residential|cycleway:both=track":         graph.BikeTrack,
		"highway=residential|cycleway=separate":           0,
		"highway=residential|bicycle=use_sidepath":        0,
		"highway=service|cycleway:right=track|oneway=yes": graph.BikeTrack,
	} {
		w := read(t, tags, nowhere)
		if got := w.Forward.Flags & all; got != want {
			t.Errorf("%s: %#x, want %#x", tags, got, want)
		}
		if sidepath := w.Forward.Flags&graph.Sidepath != 0; sidepath != strings.Contains(tags, "sidepath") {
			t.Errorf("%s: the rule to use the sidepath is %v", tags, sidepath)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		tags              string
		forward, backward graph.Limits
	}{
		{"maxheight=3.5", graph.ForAll(graph.Bounds{Height: 350}), graph.ForAll(graph.Bounds{Height: 350})},
		{"maxheight=default", graph.Limits{}, graph.Limits{}},
		{"maxheight=none", graph.Limits{}, graph.Limits{}},
		{"maxheight=11'6\"", graph.ForAll(graph.Bounds{Height: 350}), graph.ForAll(graph.Bounds{Height: 350})},
		{"maxheight=4.2|maxheight:physical=4.0", graph.ForAll(graph.Bounds{Height: 400}), graph.ForAll(graph.Bounds{Height: 400})},
		{"maxheight:forward=4", graph.ForAll(graph.Bounds{Height: 400}), graph.Limits{}},
		{"maxheight=4.505", graph.ForAll(graph.Bounds{Height: 450}), graph.ForAll(graph.Bounds{Height: 450})},
		{"maxwidth=6'6\"", graph.ForAll(graph.Bounds{Width: 198}), graph.ForAll(graph.Bounds{Width: 198})},
		{"maxlength=12 m", graph.ForAll(graph.Bounds{Length: 1200}), graph.ForAll(graph.Bounds{Length: 1200})},
		{"maxweight=7.5", graph.ForAll(graph.Bounds{Weight: 750}), graph.ForAll(graph.Bounds{Weight: 750})},
		{"maxweight=7.5|maxweightrating=3.5", graph.ForAll(graph.Bounds{Weight: 350}), graph.ForAll(graph.Bounds{Weight: 350})},
		{"maxweightrating:hgv=7.5", graph.Limits{Lorry: graph.Bounds{Weight: 750}}, graph.Limits{Lorry: graph.Bounds{Weight: 750}}},
		{"maxaxleload=10", graph.ForAll(graph.Bounds{AxleLoad: 1000}), graph.ForAll(graph.Bounds{AxleLoad: 1000})},
		{"maxaxles=3", graph.Limits{Axles: 3}, graph.Limits{Axles: 3}},
		{"hazmat=no", graph.Limits{Hazmat: graph.HazmatNo}, graph.Limits{Hazmat: graph.HazmatNo}},
		{"hazmat=destination", graph.Limits{Hazmat: graph.HazmatDestination}, graph.Limits{Hazmat: graph.HazmatDestination}},
		{"hazmat=designated", graph.Limits{}, graph.Limits{}},
		{"hazmat=yes", graph.Limits{}, graph.Limits{}},
		{"maxspeed=50", graph.Limits{}, graph.Limits{}},
		{"maxheight=99999", graph.ForAll(graph.Bounds{Height: 65535}), graph.ForAll(graph.Bounds{Height: 65535})},
	} {
		w := read(t, "highway=primary|"+c.tags, britain)
		if w.Forward.Limits != c.forward || w.Backward.Limits != c.backward {
			t.Errorf("%s: %+v and %+v, want %+v and %+v", c.tags, w.Forward.Limits, w.Backward.Limits, c.forward, c.backward)
		}
	}
}

func TestNames(t *testing.T) {
	w := read(t, "highway=primary|name=Stow Hill|name:cy=Bryn Stow|ref=B4237|int_ref=E30|name:etymology:wikidata=Q1|noname=no|tunnel:name=Deep|operator=Council|name:zh-Hant=道", britain)
	if got, want := strings.Join(w.Names, ","), "ref,B4237;E30,name,Stow Hill,name:cy,Bryn Stow,tunnel:name,Deep,name:zh-Hant,道"; got != want {
		t.Errorf("names %s, want %s", got, want)
	}
	if got := read(t, "route=ferry|operator=Steam Packet", britain).Names; strings.Join(got, ",") != "operator,Steam Packet" {
		t.Errorf("a ferry's operator: %v", got)
	}
}

func TestSigns(t *testing.T) {
	for _, c := range []struct{ tags, forward, backward string }{
		{"oneway=yes|destination=Newport|destination:ref=M4", "destination=Newport destination:ref=M4", ""},
		{"oneway=-1|destination=Newport", "", "destination=Newport"},
		{"destination:forward=Newport|destination:backward=Cardiff", "destination:forward=Newport", "destination:backward=Cardiff"},
		{"destination=Newport", "", ""}, // which way?
		{"lanes=2", "lanes=2", "lanes=2"},
		{"oneway=yes|junction:ref=24", "junction:ref=24", ""},
		{"hgv:conditional=no @ (22:00-06:00)", "hgv:conditional=no @ (22:00-06:00)", "hgv:conditional=no @ (22:00-06:00)"},
	} {
		w := read(t, "highway=primary|"+c.tags, britain)
		if got := pairs(w.Forward.Attributes); got != c.forward {
			t.Errorf("%s: forward %q, want %q", c.tags, got, c.forward)
		}
		if got := pairs(w.Backward.Attributes); got != c.backward {
			t.Errorf("%s: backward %q, want %q", c.tags, got, c.backward)
		}
		if strings.Contains(c.tags, "conditional") != (w.Forward.Flags&graph.Conditional != 0) {
			t.Errorf("%s: flags %#x", c.tags, w.Forward.Flags)
		}
	}
	lanes := osm.Tags{{Key: "highway", Value: "primary"}, {Key: "turn:lanes:backward", Value: "left|through"}}
	w, _ := Read(lanes, &britain)
	if w.Forward.Flags&graph.HasLanes != 0 || w.Backward.Flags&graph.HasLanes == 0 || pairs(w.Backward.Attributes) != "turn:lanes:backward=left|through" {
		t.Errorf("lanes backwards: %+v and %+v", w.Forward, w.Backward)
	}
}

func pairs(list []string) string {
	var all []string
	for i := 0; i+1 < len(list); i += 2 {
		all = append(all, list[i]+"="+list[i+1])
	}
	return strings.Join(all, " ")
}

func TestSides(t *testing.T) {
	const l, r = graph.SidewalkLeft, graph.SidewalkRight
	const lane, track, shared = graph.BikeLane, graph.BikeTrack, graph.BikeShared
	for _, c := range []struct {
		tags              string
		in                country.Country
		forward, backward graph.EdgeFlags
	}{
		{"sidewalk=both", nowhere, l | r, l | r},
		{"sidewalk=left", nowhere, l, r},
		{"sidewalk=right", nowhere, r, l},
		{"sidewalk:both=yes", nowhere, l | r, l | r},
		{"sidewalk:left=yes|sidewalk:right=no", nowhere, l, r},
		{"sidewalk=no", nowhere, 0, 0},
		{"cycleway=lane", nowhere, lane, lane},
		{"cycleway:both=track", nowhere, track, track},
		{"cycleway:right=lane", nowhere, lane, 0},
		{"cycleway:right=lane", britain, 0, lane},
		{"cycleway:left=shared_lane", britain, shared, 0},
		{"cycleway:left=lane|driving_side=right", britain, 0, lane},
		{"cycleway:right=lane|oneway=yes", britain, lane, lane},
		{"cycleway:left=lane|oneway=-1", britain, lane, lane},
		{"cycleway=no", nowhere, 0, 0},
	} {
		w := read(t, "highway=primary|"+c.tags, c.in)
		if w.Forward.Flags != c.forward || w.Backward.Flags != c.backward {
			t.Errorf("%s in %q: %#x and %#x, want %#x and %#x", c.tags, c.in.Code, w.Forward.Flags, w.Backward.Flags, c.forward, c.backward)
		}
	}
}

func TestFerry(t *testing.T) {
	w := read(t, "route=ferry|duration=01:30|opening_hours=Mo-Fr 06:00-20:00", britain)
	if !w.Ferry || w.Duration != 5400 || w.Forward.Flags&graph.Conditional == 0 {
		t.Errorf("%+v", w)
	}
}

func TestHiking(t *testing.T) {
	for scale, want := range map[string]uint8{"": 0, "hiking": 1, "mountain_hiking": 2, "difficult_alpine_hiking": 6, "T3": 0} {
		if got := read(t, "highway=path|sac_scale="+scale, nowhere).Hiking; got != want {
			t.Errorf("%s: %d", scale, got)
		}
	}
}

// FuzzRead takes any tags: a way that is kept has access and a speed, and
// nothing that the graph's own checks would refuse.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"highway=primary|oneway=-1|maxheight=11'6\"|hazmat:adr_tunnel_cat=C", "route=ferry|duration=PT1H|motor_vehicle=yes",
		"highway=residential|hgv:conditional=no @ (weight>7.5)|cycleway:left:oneway=-1", "highway=motorway|hov=designated|maxspeed=national",
		"barrier=gate|access=private;destination|locked=yes", "highway=construction|construction=primary",
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, s string, inBritain bool) {
		tags := parse(s)
		c := nowhere
		if inBritain {
			c = britain
		}
		if b, ok := ReadNode(tags); ok && b.Access&^graph.AllModes != 0 {
			t.Errorf("a node's access is %#x", b.Access)
		}
		if !Routable(tags) {
			return
		}
		w, ok := Read(tags, &c)
		if !ok {
			return
		}
		if w.Forward.Access|w.Backward.Access == 0 && w.Use != graph.Construction {
			t.Error("kept, and nobody may use it")
		}
		for _, side := range []*Side{&w.Forward, &w.Backward} {
			if side.Access&^graph.AllModes != 0 || side.Speed > maxSpeed || side.Limited > maxSpeed || side.TruckSpeed > maxSpeed || len(side.Attributes)%2 != 0 ||
				side.Limits.Hazmat > graph.HazmatDestination || side.Limits.Tunnel != 0 && (side.Limits.Tunnel < 'A' || side.Limits.Tunnel > 'E') {
				t.Errorf("%+v", side)
			}
			if v := w.DefaultSpeed(side, Place{Urban: true}); v == 0 {
				t.Error("no speed")
			}
		}
		if w.Duration < 0 || w.Duration > longest || len(w.Names)%2 != 0 || w.Hiking > 6 || w.Surface > graph.Impassable {
			t.Errorf("%+v", w)
		}
	})
}

// FuzzValues takes any text for a number with a unit.
func FuzzValues(f *testing.F) {
	for _, s := range []string{"30 mph", "11'6\"", "350 cm", "7.5 t", "PT1H30M", "01:30", "GB:nsl_single", "4.2;4.0", "９", "1e400"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v := Speed(s); v > maxSpeed {
			t.Errorf("%d km/h", v)
		}
		if m := Metres(s); !(m >= 0) {
			t.Errorf("%v m", m)
		}
		if w := Tonnes(s); !(w >= 0) {
			t.Errorf("%v t", w)
		}
		if d := Duration(s); d < 0 || d > longest {
			t.Errorf("%d s", d)
		}
	})
}
