package stopwalks_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/index/stopwalk"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/towntest"
)

// streets have a path that leads on foot from b to c only, a square of 300 m on a side, and
// a road that nothing joins to the rest.
const streets = `
a--b--e
|  |  |
d--c--f      x--y`

func town(t *testing.T) *towntest.Town {
	return towntest.Draw(t, streets, towntest.Ways{
		{"be", "residential"},
		{"ef", "residential"},
		{"fc", "residential"},
		{"cd", "residential"},
		{"da", "residential"},
		{"ab", "residential"},
		{"bc", "footway oneway:foot=yes"},
		{"xy", "residential"},
	}, towntest.Cell(100))
}

// tables writes a timetable of one bus that calls at the stops in turn; a stop of a name
// with a dot is one at which nothing calls.
func tables(t *testing.T, at map[string]geo.Point, minutes int) string {
	t.Helper()
	dir := t.TempDir()
	stops, calls := "stop_id,stop_name,stop_lat,stop_lon\n", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
	n := 0
	for _, id := range slices.Sorted(maps.Keys(at)) {
		p := at[id]
		stops += fmt.Sprintf("%s,Stop,%.7f,%.7f\n", id, p.Lat, p.Lon)
		if id != "." {
			calls += fmt.Sprintf("t,08:%02d:00,08:%02d:00,%s,%d\n", n*minutes, n*minutes, id, n)
			n++
		}
	}
	for name, text := range map[string]string{
		"agency.txt":   "agency_id,agency_name,agency_timezone\n1,Town Buses,Europe/London\n",
		"routes.txt":   "route_id,route_short_name,route_type\n1,1,3\n",
		"calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nall,1,1,1,1,1,1,1,20260101,20261231\n",
		"trips.txt":    "route_id,service_id,trip_id\n1,all,t\n",
		"stops.txt":    stops, "stop_times.txt": calls,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run imports the town and returns which stages ran.
func run(t *testing.T, dir, pbf, gtfs string) (ran []string) {
	t.Helper()
	s, err := importer.Run(t.Context(), importer.Options{Dir: dir, Sources: []string{pbf}, ID: "town", NoMap: true, Timetables: []string{gtfs}})
	if err != nil {
		t.Fatal(err)
	}
	for name := range s.Took {
		ran = append(ran, name)
	}
	return ran
}

func TestWalksBetweenStops(t *testing.T) {
	w := town(t)
	at := map[string]geo.Point{
		"A": w.Point("a"), "B": w.Point("b"), "C": w.Point("c"), "F": w.Point("f"), "X": w.Point("x"), ".": w.Between("a", "b", 0.5),
		"FAR": {Lon: w.Point("a").Lon, Lat: w.Point("a").Lat + 0.02},
	}
	dir, pbf := t.TempDir(), w.PBF(t)
	run(t, dir, pbf, tables(t, at, 2))
	read := func() map[string]int32 {
		r := regiontest.Open(t, dir)
		x, err := timetable.Open(r)
		if err != nil {
			t.Fatal(err)
		}
		walks, err := stopwalk.Open(r)
		if err != nil || walks.Stops() != x.Stops() {
			t.Fatal(walks, err)
		}
		found := map[string]int32{}
		for s := range uint32(x.Stops()) {
			before := int32(0)
			for _, walk := range walks.From(s) {
				found[x.Stop(s).ID+x.Stop(walk.To).ID] = walk.Seconds
				if walk.Seconds < before {
					t.Errorf("%s: the walks are not in the order of their times: %v", x.Stop(s).ID, walks.From(s))
				}
				before = walk.Seconds
			}
		}
		return found
	}
	// Sides are of 300 m east and 200 m north, at 5.1 km/h. Back from c to b it is 800 m.
	// The stop without a call, the one without a street and the one behind no way have none.
	walks := read()
	for pair, metres := range map[string]float64{"AB": 300, "BA": 300, "AC": 500, "CA": 500, "BC": 200, "BF": 500, "FB": 500, "CF": 300, "FC": 300} {
		if want := metres * 3.6 / 5.1; float64(walks[pair]) < want-1 || float64(walks[pair]) > want+10 {
			t.Errorf("%s takes %d s, want %.0f", pair, walks[pair], want)
		}
	}
	if len(walks) != 9 {
		t.Errorf("%v", walks)
	}
	// Another timetable of the same stops leaves the walks as they are; another stop does not.
	ran := strings.Join(run(t, dir, pbf, tables(t, at, 3)), " ")
	if ran != "timetable" {
		t.Errorf("of another time %s ran", ran)
	}
	at["B"] = w.Between("b", "e", 0.5)
	if ran := run(t, dir, pbf, tables(t, at, 3)); len(ran) != 2 {
		t.Errorf("of another stop %s ran", ran)
	}
	if moved := read(); moved["AB"] <= walks["AB"] {
		t.Errorf("%v", moved)
	}
	if ran := run(t, dir, pbf, tables(t, at, 3)); len(ran) != 0 {
		t.Errorf("again %s ran", ran)
	}
}

// TestWalksAreRoutes compares the walks of drawn grids of streets, of which some are missing
// and some lead one way, with routes of the engine from stop to stop.
func TestWalksAreRoutes(t *testing.T) {
	const names = "abcdefghijklmnopqrstuvwxyz0123456789" // six by six
	for seed := range uint64(2) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		drawing := ""
		for row := range 6 {
			for column := range 6 {
				drawing += names[row*6+column:][:1] + " "
			}
			drawing += "\n\n"
		}
		var ways towntest.Ways
		for i := range names {
			for _, j := range []int{i + 1, i + 6} {
				tags := []string{"residential", "footway", "footway oneway:foot=yes", ""}[rnd.IntN(4)]
				if j < len(names) && (j != i+1 || j%6 != 0) && tags != "" {
					ways = append(ways, [2]string{names[i:i+1] + names[j:j+1], tags})
				}
			}
		}
		w := towntest.Draw(t, drawing, ways, towntest.Cell(60))
		stops := map[string]geo.Point{}
		for i := range 12 {
			n := rnd.IntN(len(names))
			stops[fmt.Sprintf("S%d", i)] = geo.Destination(w.Point(names[n:n+1]), rnd.Float64()*360, rnd.Float64()*40)
		}
		dir := t.TempDir()
		run(t, dir, w.PBF(t), tables(t, stops, 1))
		r := regiontest.Open(t, dir)
		x, err := timetable.Open(r)
		if err != nil {
			t.Fatal(err)
		}
		walks, err := stopwalk.Open(r)
		if err != nil {
			t.Fatal(err)
		}
		e, err := embedded.New(r)
		if err != nil {
			t.Fatal(err)
		}
		for from := range uint32(x.Stops()) {
			for to := range uint32(x.Stops()) {
				if from == to {
					continue
				}
				a, b := x.Stop(from).At, x.Stop(to).At
				var want []stopwalk.Walk
				near := false // to the bound
				q := &engine.RouteRequest{
					Locations: []engine.Location{{Point: a, SearchCutoff: stopwalk.Street}, {Point: b, SearchCutoff: stopwalk.Street}}, Costing: costing.Pedestrian, Want: engine.WantLine,
				}
				found, err := e.Route(t.Context(), q)
				if err == nil && geo.Distance(a, b) <= stopwalk.Farthest && found.Routes[0].Metres <= stopwalk.Farthest {
					want = append(want, stopwalk.Walk{To: to, Seconds: int32(math.Ceil(found.Routes[0].Rounded().Seconds))})
				} else if err != nil && engine.Code(err) == 0 {
					t.Fatal(err)
				}
				if err == nil {
					near = math.Abs(found.Routes[0].Metres-stopwalk.Farthest) < 1
				}
				var got []stopwalk.Walk
				for _, walk := range walks.From(from) {
					if walk.To == to {
						got = append(got, walk)
					}
				}
				if !near && !slices.Equal(got, want) {
					t.Errorf("seed %d, from %v to %v: %v, want %v", seed, a, b, got, want)
				}
			}
		}
	}
}
