package embedded_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/towntest"
)

// ridge returns a town with a straight road over a ridge and a level way round
// through the valley. Level ground lies north of the ridge; the road's ends are
// as low.
func ridge(t *testing.T, tags string) *towntest.Town {
	return towntest.Draw(t, `
		b...................c
		.....................
		.....................
		.....................
		a.........e.........d
		..........f..........
	`, towntest.Cell(100), towntest.Ways{{"ae", "residential name=Ridge " + tags}, {"ed", "residential name=Ridge " + tags}, {"abcd", "residential name=Valley"}, {"ef", "residential name=Summit"}})
}

// crest is how high the ridge rises, metres: 8 in 100.
const crest = 80

// ground writes the heights of the ridge for the folder of a town's tiles.
func ground(t *testing.T, town *towntest.Town) (folder string) {
	t.Helper()
	a, b, d := town.Point("a"), town.Point("b"), town.Point("d")
	folder = t.TempDir()
	corner := height.CornerOf(a)
	if height.CornerOf(b) != corner || height.CornerOf(d) != corner {
		t.Fatalf("the town lies on several tiles, %v to %v", b, d)
	}
	tile := height.Draw(corner, height.ArcSecond, func(p geo.Point) (float64, bool) {
		if p.Lat > b.Lat+0.01 || p.Lat < a.Lat-0.01 || p.Lon < a.Lon-0.01 || p.Lon > d.Lon+0.01 {
			return 500, true // not worth the time to work out
		}
		east := (p.Lon - a.Lon) / (d.Lon - a.Lon)
		north := (p.Lat - a.Lat) / (b.Lat - a.Lat)
		return 500 + crest*max(0, 1-math.Abs(2*east-1))*max(0, min(1, 1.5-2*north)), true
	})
	if err := os.WriteFile(filepath.Join(folder, corner.String()+".hgt"), tile, 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

// ride is a journey through the town.
type ride struct {
	roads         string // names, in order
	cost, seconds float64
	warned        bool // that use_hills had no effect
}

func take(t *testing.T, e *embedded.Engine, town *towntest.Town, from, to string, c costing.Costing, hills string) ride {
	t.Helper()
	r := pair{from: town.Point(from), to: town.Point(to)}.request(t, c)
	r.Options = hillSettings(t, c, hills)
	a, err := e.Route(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Trip struct {
			Legs []struct {
				Maneuvers []struct {
					Names []string `json:"street_names"`
				}
			}
			Summary struct{ Cost, Time float64 }
		}
	}
	if err := json.Unmarshal(enginetest.Text(t, r, a), &got); err != nil {
		t.Fatal(err)
	}
	out := ride{cost: got.Trip.Summary.Cost, seconds: got.Trip.Summary.Time}
	var names []string
	for _, m := range got.Trip.Legs[0].Maneuvers {
		for _, n := range m.Names {
			if len(names) == 0 || names[len(names)-1] != n {
				names = append(names, n)
			}
		}
	}
	out.roads = strings.Join(names, " ")
	for _, w := range a.Warnings {
		out.warned = out.warned || w.Code == engine.WarnOption && strings.Contains(w.Text, "use_hills")
	}
	return out
}

func TestRidgeOrValley(t *testing.T) {
	town := ridge(t, "")
	e, _ := hilly(t, town.PBF(t), ground(t, town))
	for _, c := range []struct {
		costing costing.Costing
		hills   string
		roads   string
	}{
		{costing.Bicycle, "0", "Valley"},
		{costing.Bicycle, "", "Valley"}, // a quarter
		{costing.Bicycle, "1", "Ridge"},
		{costing.MotorScooter, "0", "Valley"},
		{costing.Pedestrian, "", "Valley"},
		{costing.Auto, "", "Ridge"},
	} {
		got := take(t, e, town, "a", "d", c.costing, c.hills)
		if got.roads != c.roads || got.warned {
			t.Errorf("%s with use_hills %q takes %s (warned: %v), want %s", c.costing, c.hills, got.roads, got.warned, c.roads)
		}
		plain := take(t, e.WithoutHierarchy(), town, "a", "d", c.costing, c.hills)
		if got.roads != plain.roads || math.Abs(got.cost-plain.cost) > 0.01 {
			t.Errorf("%s with use_hills %q: %+v, without a hierarchy %+v", c.costing, c.hills, got, plain)
		}
	}
}

// TestUphillAndDownhill compares the times up the ridge and down with those of
// level ground and with the figures the slope stands for.
func TestUphillAndDownhill(t *testing.T) {
	town := ridge(t, "")
	level, _ := hilly(t, town.PBF(t))
	e, _ := hilly(t, town.PBF(t), ground(t, town))
	for c, want := range map[costing.Costing]struct{ up, down float64 }{
		costing.Bicycle:      {18 / 10.0, 18 / 36.0}, // whole speeds: 18 * 0.55 and 18 * 2
		costing.Pedestrian:   {1.57, 1.22},
		costing.MotorScooter: {0, 0}, // see below
		costing.Auto:         {1, 1},
	} {
		up, down, flat := take(t, e, town, "a", "e", c, ""), take(t, e, town, "e", "a", c, ""), take(t, level, town, "a", "e", c, "")
		if c == costing.MotorScooter {
			if !(up.seconds > flat.seconds && down.seconds < flat.seconds) {
				t.Errorf("%s: %v s up, %v s on the flat, %v s down", c, up.seconds, flat.seconds, down.seconds)
			}
			continue
		}
		if c == costing.Bicycle { // by the valley it would be further than over the ridge
			up = take(t, e, town, "a", "e", c, "1")
		}
		if got := up.seconds / flat.seconds; math.Abs(got-want.up) > 0.02 {
			t.Errorf("%s: uphill takes %.3f of the time on the flat, want %.3f", c, got, want.up)
		}
		if got := down.seconds / flat.seconds; math.Abs(got-want.down) > 0.02 {
			t.Errorf("%s: downhill takes %.3f of the time on the flat, want %.3f", c, got, want.down)
		}
	}
}

// TestBridgesAndTunnelsAreNotTheGround leads the road through the ridge.
func TestBridgesAndTunnelsAreNotTheGround(t *testing.T) {
	searchtest.Sequential(t)
	for _, tags := range []string{"bridge=yes", "tunnel=yes"} {
		town := towntest.Draw(t, `
			b...................c
			.....................
			.....................
			.....................
			a...................d
		`, towntest.Cell(100), towntest.Ways{{"ad", "residential name=Ridge " + tags}, {"abcd", "residential name=Valley"}})
		e, g := hilly(t, town.PBF(t), ground(t, town))
		if got := take(t, e, town, "a", "d", costing.Bicycle, "0"); got.roads != "Ridge" {
			t.Errorf("%s: a bicycle takes %s", tags, got.roads)
		}
		for edge := range g.Base {
			if s := g.Segment(edge); g.BySegment[s].Flags&(graph.Bridge|graph.Tunnel) != 0 && g.Grade(edge) != graph.FlatGrade {
				t.Errorf("%s: its grade is %d", tags, g.Grade(edge))
			}
		}
	}
}

func TestWithoutHeightsNothingChanges(t *testing.T) {
	town := ridge(t, "")
	level, g := hilly(t, town.PBF(t))
	if g.Grades != nil {
		t.Fatal("a region without heights has grades")
	}
	for _, c := range []costing.Costing{costing.Bicycle, costing.Pedestrian, costing.MotorScooter} {
		if got := take(t, level, town, "a", "d", c, "0"); got.roads != "Ridge" || !got.warned {
			t.Errorf("%s: %+v, want the ridge and a warning", c, got)
		}
		if got := take(t, level, town, "a", "d", c, ""); got.warned {
			t.Errorf("%s is warned of what it did not ask for", c)
		}
	}
}

// TestSlopesAreTold looks at what locate and trace_attributes say of the way up
// the ridge and, without heights, do not.
func TestSlopesAreTold(t *testing.T) {
	town := ridge(t, "")
	high, _ := hilly(t, town.PBF(t), ground(t, town))
	level, _ := hilly(t, town.PBF(t))
	for name, e := range map[string]*embedded.Engine{"high": high, "level": level} {
		at := &engine.LocateRequest{
			Costing: costing.Auto, Options: hillSettings(t, costing.Auto, ""), Locations: []engine.Location{{Point: town.Between("a", "e", 0.5)}}, Verbose: true,
		}
		a, err := e.Locate(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		var places []struct {
			Edges []struct {
				Info struct {
					Mean *float64 `json:"mean_elevation"`
				} `json:"edge_info"`
				Edge struct {
					Forward bool
					Geo     map[string]float64 `json:"geo_attributes"`
				}
			}
		}
		if err := json.Unmarshal(placed(t, at, a), &places); err != nil {
			t.Fatal(err)
		}
		if len(places[0].Edges) != 2 {
			t.Fatalf("%s: %d edges", name, len(places[0].Edges))
		}
		for _, edge := range places[0].Edges {
			described := fmt.Sprint(edge.Edge.Geo)
			if name == "level" {
				if edge.Info.Mean != nil || len(edge.Edge.Geo) != 1 {
					t.Errorf("level: %s, mean %v", described, edge.Info.Mean)
				}
				continue
			}
			sign := -1.0
			if edge.Edge.Forward {
				sign = 1
			}
			up, down := edge.Edge.Geo["max_up_slope"], edge.Edge.Geo["max_down_slope"]
			if sign < 0 {
				up, down = -down, -up
			}
			if edge.Info.Mean == nil || math.Abs(*edge.Info.Mean-540) > 3 || math.Abs(edge.Edge.Geo["weighted_grade"]*sign-8.33) > 0.01 || math.Abs(up-9) > 1 || down != 0 {
				t.Errorf("high: %s, mean %v", described, *edge.Info.Mean)
			}
		}
		trace := &engine.MatchRequest{
			Costing: costing.Bicycle, Options: hillSettings(t, costing.Bicycle, ""), Output: engine.Output{Format: engine.Native, Miles: true},
			Trace: []engine.TracePoint{{Point: town.Between("a", "e", 0.1)}, {Point: town.Between("a", "e", 0.5)}, {Point: town.Between("a", "e", 0.9)}},
		}
		b, err := e.TraceAttributes(t.Context(), trace)
		if err != nil {
			t.Fatal(err)
		}
		var traced struct{ Edges []map[string]any }
		if err := json.Unmarshal(attributed(t, trace, b), &traced); err != nil {
			t.Fatal(err)
		}
		edge := traced.Edges[0]
		if name == "level" {
			for _, member := range []string{"weighted_grade", "max_upward_grade", "max_downward_grade", "mean_elevation"} {
				if v, there := edge[member]; there {
					t.Errorf("level: %s is %v", member, v)
				}
			}
			continue
		}
		if edge["weighted_grade"] != 8.333 || edge["max_downward_grade"] != 0.0 {
			t.Errorf("high: weighted_grade %v, max_downward_grade %v", edge["weighted_grade"], edge["max_downward_grade"])
		}
		if feet, _ := edge["mean_elevation"].(float64); math.Abs(feet-540/0.3048) > 8 {
			t.Errorf("high: mean_elevation %v ft", feet)
		}
		if up, _ := edge["max_upward_grade"].(float64); up < 8 || up > 10 {
			t.Errorf("high: max_upward_grade %v", up)
		}
	}
}
