package guide_test

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

type scenario struct {
	name   string
	sketch sketch.Sketch
	paths  []string
	o      guide.Options
}

func motorway(places, ref string) sketch.Way {
	return sketch.Way{Places: places, Ref: ref, Class: graph.Motorway, Large: true, Oneway: true, Access: graph.Motor}
}

func link(places string, sign ...string) sketch.Way {
	w := motorway(places, "")
	w.Use, w.Flags, w.Sign = graph.Ramp, graph.Link, sign
	return w
}

func roundabout(left bool) sketch.Sketch {
	ring := "RSTUVWR" // clockwise from the south
	if !left {
		ring = "RWVUTSR"
	}
	return sketch.Sketch{
		Left: left,
		Picture: `
          n
          .
          U
        T   V
w.......       .....e
        S   W
          R
          .
          s`,
		Ways: []sketch.Way{
			{Places: ring, Flags: graph.Roundabout | graph.Oneway, Oneway: true, Class: graph.Primary},
			{Places: "sR", Name: "South Road", Class: graph.Primary},
			{Places: "nU", Name: "North Road", Class: graph.Primary},
			{Places: "wS", Name: "West Road", Class: graph.Primary},
			{Places: "eV", Name: "East Road", Class: graph.Primary},
		},
	}
}

var scenarios = []scenario{
	{
		name: "one edge", sketch: sketch.Sketch{Picture: "a.........b", Ways: []sketch.Way{{Places: "ab", Name: "Mill Lane"}}},
		paths: []string{"ab"}, o: guide.Options{From: guidance.LeftSide, To: guidance.RightSide},
	},
	{name: "crossroads", sketch: sketch.Sketch{
		Picture: `
          n
          .
          .
w.........x.........e
          .
          .
          s`,
		Ways: []sketch.Way{{Places: "nx", Name: "Mill Lane"}, {Places: "xs", Name: "Mill Lane"}, {Places: "wxe", Name: "High Street", Class: graph.Primary}},
	}, paths: []string{"sxn", "sxe", "sxw", "wxe", "wxs"}},
	{name: "T junction", sketch: sketch.Sketch{
		Picture: `
w.........x.........e
          .
          .
          s`,
		Ways: []sketch.Way{{Places: "sx", Name: "Mill Lane"}, {Places: "wxe", Name: "High Street"}},
	}, paths: []string{"sxe", "sxw", "wxe", "exs"}},
	{name: "main road turns, lane goes straight", sketch: sketch.Sketch{
		Picture: `
          n
          .
          .
          x.........e
          .
          .
          s`,
		Ways: []sketch.Way{{Places: "sxe", Name: "High Street"}, {Places: "xn", Name: "Back Lane"}},
	}, paths: []string{"sxe", "sxn"}},
	{name: "main road bends, a driveway goes straight", sketch: sketch.Sketch{
		Picture: `
          n
          .
          .
          x.........e
          .
          .
          s`,
		Ways: []sketch.Way{{Places: "sxe", Name: "High Street", Class: graph.Primary}, {Places: "nx", Use: graph.Driveway, Class: graph.ServiceOther}},
	}, paths: []string{"sxe", "nxs"}},
	{name: "name change", sketch: sketch.Sketch{
		Picture: `
                              n
                              .
a.........b.........c.........d.........e`,
		Ways: []sketch.Way{
			{Places: "ab", Name: "High Street"},
			{Places: "bc", Name: "Long Street", Ref: "A48"},
			{Places: "cd", Name: "Newport Road", Ref: "A48"},
			{Places: "de", Name: "Cardiff Road"},
			{Places: "dn", Name: "North Road"},
		},
	}, paths: []string{"abcde"}},
	{name: "named bridge for a moment", sketch: sketch.Sketch{
		Picture: "a.........b.....c.........d",
		Ways:    []sketch.Way{{Places: "ab", Name: "High Street"}, {Places: "bc", Name: "Town Bridge", Flags: graph.Bridge}, {Places: "cd", Name: "High Street"}},
	}, paths: []string{"abcd"}},
	{name: "fork", sketch: sketch.Sketch{
		Picture: `
       n     m
        .   .
        .   .
         . .
         . .
          x
          .
          .
          s`,
		Ways: []sketch.Way{{Places: "sx", Name: "Mill Lane"}, {Places: "xn", Name: "Upper Lane"}, {Places: "xm", Name: "Lower Lane"}},
	}, paths: []string{"sxn", "sxm"}},
	{
		name: "cul-de-sac", sketch: sketch.Sketch{Picture: "a.........b.........c", Ways: []sketch.Way{{Places: "abc", Name: "Mill Lane"}}},
		paths: []string{"abcba"},
	},
	{
		name: "cul-de-sac, left", sketch: sketch.Sketch{Left: true, Picture: "a.........b", Ways: []sketch.Way{{Places: "ab", Name: "Mill Lane"}}},
		paths: []string{"aba"},
	},
	{name: "roundabout, right", sketch: roundabout(false), paths: []string{"sRWVe", "sRWVUn", "sRWVUTSw", "sRWVUTSRs"}},
	{name: "roundabout, left", sketch: roundabout(true), paths: []string{"sRSw", "sRSTUn", "sRSTUVe", "sRSTUVWRs"}},
	{name: "roundabout on foot", sketch: roundabout(true), paths: []string{"sRSTUn"}, o: guide.Options{Modes: graph.Pedestrian}},
	{name: "mini-roundabout", sketch: sketch.Sketch{
		Left: true, Nodes: map[rune]graph.NodeFlags{'x': graph.MiniRoundabout}, Picture: `
          n
          .
w.........x.........e
          .
          s`,
		Ways: []sketch.Way{{Places: "nxs", Name: "Mill Lane"}, {Places: "wxe", Name: "High Street"}},
	}, paths: []string{"sxe", "sxn"}},
	{name: "motorway exit and merge", sketch: sketch.Sketch{
		Left: true, Cell: 40, Picture: `
.             p..q
.         .         .
a........x............y........b
.
n`,
		Ways: []sketch.Way{
			motorway("axyb", "M4"),
			link("xp", "junction:ref", "24", "destination", "Newport;Monmouth", "destination:ref", "A48"), link("qy"),
			{Places: "pq", Ref: "A48", Class: graph.Primary},
		},
	}, paths: []string{"axp", "axyb", "axpqyb"}},
	{name: "motorway fork", sketch: sketch.Sketch{
		Cell: 40, Picture: `
a.........x
           .    .
              .       c
                b`,
		Ways: []sketch.Way{motorway("ax", "M4"), motorway("xc", "M4"), motorway("xb", "M48")},
	}, paths: []string{"axb", "axc"}},
	{name: "slip road of a turn", sketch: sketch.Sketch{
		Picture: `
          n
          .
w.........x..c......e
          .
          .
          k
          .
          s`,
		Ways: []sketch.Way{
			{Places: "skxn", Name: "Mill Lane", Class: graph.Primary},
			{Places: "wxce", Name: "High Street", Class: graph.Primary},
			{Places: "kc", Use: graph.TurnChannel, Class: graph.Primary, Oneway: true},
		},
	}, paths: []string{"skce", "skxw"}},
	{name: "dual carriageway", sketch: sketch.Sketch{
		Left: true, Picture: `
            n
            .
d...........y...........c
            .
a...........x...........b
            .
            s`,
		Ways: []sketch.Way{
			{Places: "axb", Name: "Ring Road", Class: graph.Primary, Oneway: true},
			{Places: "cyd", Name: "Ring Road", Class: graph.Primary, Oneway: true},
			{Places: "sx", Name: "Mill Lane"},
			{Places: "xy"},
			{Places: "yn", Name: "Church Lane"},
		},
	}, paths: []string{"axyd", "sxyd", "axyn", "cyxs"}},
	{name: "ferry", sketch: sketch.Sketch{
		Cell: 100, Picture: "a....b..................c....d",
		Ways: []sketch.Way{{Places: "ab", Name: "Pier Road"}, {Places: "bc", Name: "Gosport Ferry", Use: graph.Ferry}, {Places: "cd", Name: "Quay Street"}},
	}, paths: []string{"abcd"}},
	{name: "on foot", sketch: sketch.Sketch{
		Picture: `
a.........b.........c......d
                    .
                    e
                    .
                    .
                    f`,
		Ways: []sketch.Way{
			{Places: "ab", Name: "Mill Lane"},
			{Places: "bc", Use: graph.Footway},
			{Places: "ce", Use: graph.Steps},
			{Places: "cd", Use: graph.Footway},
			{Places: "ef", Use: graph.Footway},
		},
	}, paths: []string{"abcef", "abcd"}, o: guide.Options{Modes: graph.Pedestrian}},
	{name: "bicycle pushed", sketch: sketch.Sketch{
		Picture: "a.........b.........c.........d",
		Ways:    []sketch.Way{{Places: "ab", Use: graph.Cycleway}, {Places: "bc", Name: "Market Place", Edge: graph.BikeDismount}, {Places: "cd", Name: "Market Place"}},
	}, paths: []string{"abcd"}, o: guide.Options{Modes: graph.Bicycle}},
	{name: "toll, gate and track", sketch: sketch.Sketch{
		Nodes: map[rune]graph.NodeFlags{'b': graph.Gate}, Picture: "a.........b.........c",
		Ways: []sketch.Way{{Places: "ab", Name: "Mill Lane", Flags: graph.Toll}, {Places: "bc", Use: graph.Track, Surface: graph.Gravel, Edge: graph.Conditional, Sign: []string{"access:conditional", "no @ (22:00-06:00)"}}},
	}, paths: []string{"abc"}},
	{name: "carriageways that meet at a point", sketch: sketch.Sketch{
		Picture: `
a.........................
                          x........e
b.........................`,
		Ways: []sketch.Way{
			{Places: "ax", Name: "Ring Road", Oneway: true},
			{Places: "xb", Name: "Ring Road", Oneway: true},
			{Places: "xe", Name: "Ring Road"},
		},
	}, paths: []string{"axb", "axe"}},
	{name: "lanes over a dual carriageway", sketch: sketch.Sketch{
		Picture: `
            n
            .
d...........y...........c
            .
a...........x...........b
            .
            .
            s`,
		Ways: []sketch.Way{
			{Places: "axb", Name: "Ring Road", Class: graph.Primary, Oneway: true},
			{Places: "cyd", Name: "Ring Road", Class: graph.Primary, Oneway: true},
			{Places: "sx", Name: "Mill Lane", Edge: graph.HasLanes, Sign: []string{"turn:lanes:forward", "left|left;through|through;right"}},
			{Places: "xy"},
			{Places: "yn", Name: "Church Lane"},
		},
	}, paths: []string{"sxyd", "sxyn", "sxb"}},
	{name: "signs in a row", sketch: sketch.Sketch{
		Cell: 20, Picture: `
a......x.......................b
          .
              p.........q......c
                  .
                      r........d`,
		Ways: []sketch.Way{
			motorway("axb", "M4"), link("xp", "junction:ref", "24", "destination", "Monmouth;Newport"),
			link("pq", "destination", "Newport"), link("pr", "destination", "Cardiff"),
			motorway("qc", "M48"),
			{Places: "rd", Name: "Mill Lane", Class: graph.Primary},
		},
	}, paths: []string{"axpqc", "axprd"}},
	{name: "lift and escalator", sketch: sketch.Sketch{
		Picture: "a.........b.c........d....e......f",
		Ways: []sketch.Way{
			{Places: "ab", Use: graph.Footway},
			{Places: "bc", Use: graph.Elevator},
			{Places: "cd", Use: graph.Footway},
			{Places: "de", Use: graph.Escalator},
			{Places: "ef", Use: graph.Footway},
		},
	}, paths: []string{"abcdef"}, o: guide.Options{Modes: graph.Pedestrian}},
	{name: "into a building and out of it", sketch: sketch.Sketch{
		Picture: `
a.....b.....c.....d.....e.....f
      .           .
      g           h`,
		Ways: []sketch.Way{
			{Places: "ab", Use: graph.Footway},
			{Places: "bc", Use: graph.Footway, Flags: graph.Indoor},
			{Places: "cd", Use: graph.Elevator}, // of which nobody said that it is inside
			{Places: "de", Use: graph.Footway, Flags: graph.Indoor},
			{Places: "ef", Name: "Market Place"},
			{Places: "bg", Use: graph.Footway},
			{Places: "dh", Name: "Back Lane", Use: graph.Footway},
		},
	}, paths: []string{"abcdef", "fedcba", "abcdh", "cb", "gba"}, o: guide.Options{Modes: graph.Pedestrian}},
	{name: "buildings are for walkers", sketch: sketch.Sketch{
		Picture: "a.....b.....c",
		Ways:    []sketch.Way{{Places: "ab", Name: "High Street"}, {Places: "bc", Name: "High Street", Flags: graph.Indoor}},
	}, paths: []string{"abc"}},
	{name: "lifts that are nodes", sketch: sketch.Sketch{
		Picture: "a.....b.....c.....d.....e.....f",
		Nodes:   map[rune]graph.NodeFlags{'b': graph.Lift, 'c': graph.Lift, 'd': graph.Lift, 'e': graph.Lift},
		Ways: []sketch.Way{
			{Places: "ab", Use: graph.Footway, Level: "0"},
			{Places: "bc", Use: graph.Footway, Level: "2"}, // taken at b
			{Places: "cd", Use: graph.Footway, Level: "2"}, // passed at c
			{Places: "de", Use: graph.Elevator},            // the way is the lift
			{Places: "ef", Use: graph.Footway, Level: "-1"},
		},
	}, paths: []string{"abcdef", "fedcba"}, o: guide.Options{Modes: graph.Pedestrian}},
	{name: "floors", sketch: sketch.Sketch{
		Picture: "a.....b.....c.....d..e.....f",
		Ways: []sketch.Way{
			{Places: "ab", Use: graph.Footway, Level: "0"},
			{Places: "bc", Use: graph.Steps, Level: "0;1"},
			{Places: "cd", Use: graph.Footway, Level: "1-2"},
			{Places: "de", Use: graph.Footway, Level: "2"},
			{Places: "ef", Use: graph.Escalator, Level: "2;3"},
		},
	}, paths: []string{"abcdef", "fedcba", "bcd", "cd", "dc", "cde"}, o: guide.Options{Modes: graph.Pedestrian}},
	{name: "short stairs between floors", sketch: sketch.Sketch{
		Cell:    1,
		Picture: "a..................................................b.c..................................................d.e..........................f",
		Ways: []sketch.Way{
			{Places: "ab", Use: graph.Footway},
			{Places: "bc", Use: graph.Steps},
			{Places: "cd", Use: graph.Footway},
			{Places: "de", Use: graph.Steps, Level: "0;1"},
			{Places: "ef", Use: graph.Footway},
		},
	}, paths: []string{"abcdef"}, o: guide.Options{Modes: graph.Pedestrian}},
	{name: "a ramp of a car park", sketch: sketch.Sketch{
		Picture: "a.....b.....c.....d",
		Ways: []sketch.Way{
			{Places: "ab", Use: graph.ParkingAisle, Level: "0"}, {Places: "bc", Use: graph.ParkingAisle, Level: "0;1"}, {Places: "cd", Use: graph.ParkingAisle, Level: "1"},
		},
	}, paths: []string{"abcd"}},
	{name: "a fork at the end of a slip road", sketch: sketch.Sketch{
		Left: true, Picture: `
a...........x...............b





                  y





             e.......l.....r......f`,
		Ways: []sketch.Way{
			motorway("axb", "M4"), link("xy", "junction:ref", "24"), link("yl"), link("yr"),
			{Places: "elrf", Name: "High Street", Class: graph.Primary},
		},
	}, paths: []string{"axyrf", "axyle"}},
	{name: "a road that bends between two lanes", sketch: sketch.Sketch{
		Picture: `
            n




w.........x.........e
          .
          .
          s`,
		Ways: []sketch.Way{{Places: "sx", Name: "Mill Lane"}, {Places: "xn", Name: "Church Lane"}, {Places: "wx", Name: "Back Lane"}, {Places: "xe", Name: "Side Lane"}},
	}, paths: []string{"sxn", "nxs"}},
	{name: "a wide fork at the end of a slip road", sketch: sketch.Sketch{
		Left: true, Picture: `
a...........x...............b

                  y


             e....l..r....f`,
		Ways: []sketch.Way{
			motorway("axb", "M4"), link("xy", "junction:ref", "24"), link("yl"), link("yr"),
			{Places: "elrf", Name: "High Street", Class: graph.Primary},
		},
	}, paths: []string{"axyrf", "axyle"}},
	{name: "two turns to one side", sketch: sketch.Sketch{
		Picture: `
                   e




          x

                    f

          s`,
		Ways: []sketch.Way{{Places: "sx", Name: "Mill Lane"}, {Places: "xe", Name: "Upper Lane"}, {Places: "xf", Name: "Lower Lane"}},
	}, paths: []string{"sxe", "sxf"}},
}
