package transit_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/towntest"
)

// underground is a street with a station below its middle: an entrance West, at w, with stairs,
// and one East, at e, with a lift. Trains call at P, between both, and go to Q, a stop at the
// street's end.
const underground = `
a--------w---------p---------e---------------------------------------q`

// station imports the town of underground with ways within the station. Whatever is known, the
// trips and stops are accessible. A bus calls at S, beside East.
func station(t *testing.T, pathways string) *town {
	t.Helper()
	at := towntest.Draw(t, underground, towntest.Ways{{"awpeq", "residential"}}, towntest.Cell(20))
	stops := "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding\n"
	for _, s := range []string{"ST Central p 1", "P Central p 0 ST", "W West w 2 ST", "E East e 2 ST", "Q Terminus q 0", "S Square e 0", "R Far a 0"} {
		f := append(strings.Fields(s), "")
		p := at.Point(f[2])
		stops += fmt.Sprintf("%s,%s,%.7f,%.7f,%s,%s,1\n", f[0], f[1], p.Lat, p.Lon, f[3], f[4])
	}
	trips, calls := "route_id,service_id,trip_id,wheelchair_accessible\n", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
	for h := 6; h < 10; h++ {
		trips += fmt.Sprintf("1,all,out%d,1\n2,all,back%d,1\n3,all,on%d,1\n", h, h, h)
		calls += fmt.Sprintf("out%d,%d:00:00,%d:00:00,P,1\nout%d,%d:10:00,%d:10:00,Q,2\n", h, h, h, h, h, h)
		calls += fmt.Sprintf("back%d,%d:20:00,%d:20:00,Q,1\nback%d,%d:30:00,%d:30:00,P,2\n", h, h, h, h, h, h)
		calls += fmt.Sprintf("on%d,%d:50:00,%d:50:00,S,1\non%d,%d:58:00,%d:58:00,R,2\n", h, h, h, h, h, h)
	}
	return build(t, at, tables(t, at, "", map[string]string{
		"stops.txt": stops, "trips.txt": trips, "stop_times.txt": calls,
		"pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count,max_slope,min_width\n" + pathways,
	}))
}

const (
	bothDoors = "1,W,P,2,1,30,60,40,,\n2,E,P,5,1,30,90,,,\n"
	noLift    = "1,W,P,2,1,30,60,40,,\n2,E,P,4,1,30,90,,,\n"
)

// A walk to a platform (OpenTripPlanner 2268, 7072) leads over the street to the entrance from which one is there first, and
// on by the ways in the station; in a wheelchair by those without stairs and escalators alone.
func TestEntrances(t *testing.T) {
	wheelchair, _, _ := costing.Parse(costing.Pedestrian, map[string]json.RawMessage{"type": json.RawMessage(`"wheelchair"`)}, "")
	for _, c := range []struct {
		name, pathways, from string
		wheelchair           bool
		entrance             string
		street, inside       float64 // metres over the street, and seconds beyond those
	}{
		{"the nearest", bothDoors, "a", false, "West", 180, 60},
		{"at half the pace", bothDoors, "a", false, "West", 180, 60},
		{"the nearest from the other side", bothDoors, "e", false, "East", 0, 90},
		{"above the platform", bothDoors, "p", false, "West", 200, 60},
		{"no ways", "", "a", false, "", 380, 0},
		// OpenTripPlanner 2703
		{"ways between the entrances alone", "1,W,E,1,1,30,60,,,\n", "a", false, "", 380, 0},
		// r5py 474
		{"a platform that no way leads to", "1,W,N,1,1,30,60,,,\n", "a", true, "", 380, 0},
		{"by wheelchair by the lift", bothDoors, "a", true, "East", 580, 90},
		{"by wheelchair no lift", noLift, "a", true, "none", 0, 0},
		{"too steep a ramp", "1,W,P,1,1,30,60,,0.1,\n2,E,P,1,1,30,90,,0.08,\n", "a", true, "East", 580, 90},
		{"too narrow a passage", "1,W,P,1,1,30,60,,,0.6\n2,E,P,1,1,30,90,,,0.9\n", "a", true, "East", 580, 90},
		{"the way out is no way in", "1,P,W,7,0,30,60,,,\n2,E,P,1,1,30,90,,,\n", "a", false, "East", 580, 90},
	} {
		w := station(t, c.pathways)
		a := w.find(t, w.asks(c.from, "q", func(q *transit.JourneysRequest) {
			q.At, q.MaxWalk, q.Wheelchair = q.At.Add(-30*time.Minute), 700, c.wheelchair
			if c.wheelchair {
				q.Walking = wheelchair
			}
			if c.name == "at half the pace" {
				q.Speed = 2.5
				q.Walking, _, _ = costing.Parse(costing.Pedestrian, map[string]json.RawMessage{"walking_speed": json.RawMessage("2.5")}, "")
			}
		}))
		var ride *transit.Journey
		for i := range a.Journeys {
			if len(a.Journeys[i].Legs) > 1 {
				ride = &a.Journeys[i]
			}
		}
		if c.entrance == "none" {
			if ride != nil || a.None == nil {
				t.Errorf("%s: %+v", c.name, ride)
			}
			continue
		}
		if ride == nil {
			t.Errorf("%s: no journey: %+v", c.name, a.None)
			continue
		}
		walk, got := ride.Legs[0], ""
		if walk.Entrance != nil {
			got = *walk.Entrance.Name
		}
		metres, pace := c.street, 5.1
		if c.wheelchair {
			pace = 4
		}
		if c.entrance != "" {
			metres += 30
		}
		want := c.street*3.6/pace + c.inside
		if c.name == "at half the pace" {
			want = (c.street*3.6/5.1 + c.inside) * 5.1 / 2.5
		}
		if got != c.entrance || math.Abs(walk.DistanceM-metres) > 3 || !c.wheelchair && math.Abs(float64(walk.Duration)-want) > 2 || float64(walk.Duration) < c.inside || walk.Exit != nil || *walk.To.Stop != "P" {
			t.Errorf("%s: by %q, %g m in %d s, want %q, %g m in %.0f s", c.name, got, walk.DistanceM, walk.Duration, c.entrance, metres, want)
		}
		line, err := geo.DecodePolyline(walk.Geometry, 6)
		if err != nil || geo.Distance(line[len(line)-1], w.Point("p")) > 1 {
			t.Errorf("%s: the walk ends at %v: %v", c.name, line, err)
		}
	}
}

// Out of the station one goes by its entrances too: to a place, and to a stop where one changes.
func TestEntrancesOnTheWayOut(t *testing.T) {
	w := station(t, bothDoors)
	a := w.find(t, w.asks("q", "w", func(q *transit.JourneysRequest) { q.MaxWalk = 200 }))
	if len(a.Journeys) != 1 {
		t.Fatalf("%v %+v", all(a), a.None)
	}
	last := a.Journeys[0].Legs[len(a.Journeys[0].Legs)-1]
	if last.Exit == nil || *last.Exit.Name != "West" || last.Entrance != nil || last.Duration != 60 || math.Abs(last.DistanceM-30) > 1 {
		t.Errorf("%+v", last)
	}
	// The change to the bus at East: 90 s by the lift, where the straight line is 200 m.
	p, _ := w.place.Timetable.Find("P")
	s, _ := w.place.Timetable.Find("S")
	counted := int32(-1)
	for _, walk := range w.walks.From(p) {
		if walk.To == s {
			counted = walk.Seconds
		}
	}
	if counted < 90 || counted > 92 {
		t.Errorf("the walk from P to S takes %d s", counted)
	}
	a = w.find(t, w.asks("q", "a", func(q *transit.JourneysRequest) { q.MaxWalk = 100 }))
	if got, want := strings.Join(all(a), "; "), "2 08:20-08:30, walk 08:30-08:31, 3 08:50-08:58"; !strings.Contains(got, want) {
		t.Fatalf("%s, want %s", got, want)
	}
	for _, l := range a.Journeys[0].Legs {
		if l.Mode == "walk" && l.From.Stop != nil && *l.From.Stop == "P" && (l.Exit == nil || *l.Exit.Name != "East" || l.Entrance != nil || l.Duration != int(counted)) {
			t.Errorf("%+v", l)
		}
	}
}

// Reach by public transport goes through the entrances: from P the place at w is 60 s away, and
// in a wheelchair it is as far as by the lift and 400 m of street; where there is no lift one is
// nowhere at all.
func TestEntrancesInReach(t *testing.T) {
	for _, c := range []struct {
		pathways   string
		wheelchair bool
		want       float64 // seconds at w after the train has come to P; 0 is never
		near       bool    // the outline of 35 minutes has the place at w
	}{
		{bothDoors, false, 60, true},
		{bothDoors, true, 372, false},
		{noLift, true, 0, false},
	} {
		w := station(t, c.pathways)
		ride := rides(at("08:20", false))
		ride.MaxWalk, ride.Wheelchair = 600, c.wheelchair
		m, err := w.service.ReachMatrix(t.Context(), w.indexes(), w.place, []geo.Point{w.Point("q")}, []geo.Point{w.Point("w")}, ride)
		if err != nil {
			t.Fatal(err)
		}
		cell, want := m.Matrix.Cells[0][0], 600+c.want
		if cell.Reached != (c.want > 0) || cell.Reached && (cell.Seconds < want || cell.Seconds > want+5) {
			t.Errorf("%+v: %+v", c, cell)
		}
		o, _, err := w.service.ReachOutline(t.Context(), w.indexes(), w.place, &engine.IsochroneRequest{Location: engine.Location{Point: w.Point("q")}, Contours: []engine.Contour{{Minutes: 12}}, Polygons: true}, ride)
		if err != nil {
			t.Fatal(err)
		}
		if got := contains(&o.Outlines[0], w.Point("w")); got != c.near {
			t.Errorf("%+v: in the outline: %v", c, got)
		}
	}
}

// interchange imports the town of underground with two platforms in its station and a way of a
// mode between them; all is accessible.
func interchange(t *testing.T, mode int) *town {
	t.Helper()
	at := towntest.Draw(t, underground, towntest.Ways{{"awpeq", "residential"}}, towntest.Cell(20))
	stops := "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding\n"
	for _, s := range []string{"ST Central p 1", "P Central p 0 ST", "O Central e 0 ST", "W West w 2 ST", "Q Terminus q 0", "R Far a 0"} {
		f := append(strings.Fields(s), "")
		p := at.Point(f[2])
		stops += fmt.Sprintf("%s,%s,%.7f,%.7f,%s,%s,1\n", f[0], f[1], p.Lat, p.Lon, f[3], f[4])
	}
	return build(t, at, tables(t, at, "", map[string]string{
		"stops.txt": stops, "trips.txt": "route_id,service_id,trip_id,wheelchair_accessible\n1,all,in,1\n2,all,on,1\n",
		"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nin,8:00:00,8:00:00,Q,1\nin,8:10:00,8:10:00,P,2\non,8:13:00,8:13:00,O,1\non,8:20:00,8:20:00,R,2\n",
		"pathways.txt":   fmt.Sprintf("pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time\n1,W,P,1,1,30,60\n2,W,O,1,1,300,600\n3,P,O,%d,1,210,120\n", mode),
	}))
}

// Between two platforms one walks inside their station, and not over the street (OpenTripPlanner
// 652); each walk names the stop that it leads to (437).
func TestChangeInside(t *testing.T) {
	w := interchange(t, 1)
	a := w.find(t, w.asks("q", "a", nil))
	if len(a.Journeys) != 1 || len(a.Journeys[0].Legs) != 3 {
		t.Fatalf("%v %+v", all(a), a.None)
	}
	change := a.Journeys[0].Legs[1]
	if change.Duration != 120 || *change.From.Stop != "P" || *change.To.Stop != "O" || change.Exit != nil || change.Entrance != nil {
		t.Errorf("%+v", change)
	}
}

// In a wheelchair one changes between platforms within reach too, where the way has no stairs.
func TestChangeInsideInReach(t *testing.T) {
	for mode, want := range map[int]bool{1: true, 2: false} {
		w := interchange(t, mode)
		for _, when := range []*engine.When{at("07:55", false), at("08:25", true)} {
			ride := rides(when)
			ride.Wheelchair, ride.MaxWalk = true, 100
			m, err := w.service.ReachMatrix(t.Context(), w.indexes(), w.place, []geo.Point{w.Point("q")}, []geo.Point{w.Point("a")}, ride)
			if err != nil {
				t.Fatal(err)
			}
			if c := m.Matrix.Cells[0][0]; c.Reached != want {
				t.Errorf("by pathway_mode %d, arrive by %v: %+v", mode, ride.ArriveBy, c)
			}
		}
	}
}

// A timetable ends by the day where it is, and not by the one where the server is (gtfs-validator
// 1637).
func TestExpiresWhereItIs(t *testing.T) {
	at := towntest.Draw(t, "a--b", towntest.Ways{{"ab", "residential"}}, towntest.Cell(100))
	x := read(t, tables(t, at, "A=a B=b", map[string]string{
		"agency.txt": "agency_id,agency_name,agency_timezone,agency_url\n1,Town Buses,Asia/Bangkok,http://t.example\n",
		"trips.txt":  "route_id,service_id,trip_id\n1,all,t\n", "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,8:00:00,8:00:00,A,1\nt,8:10:00,8:10:00,B,2\n",
	}))
	for clock, want := range map[string]bool{"2026-03-31T16:59:59Z": false, "2026-03-31T17:00:00Z": true} {
		now, err := time.Parse(time.RFC3339, clock)
		if err != nil {
			t.Fatal(err)
		}
		service := &transit.Service{Now: func() time.Time { return now }}
		if about, _ := service.About([]*timetable.Index{x}); about.Expired != want {
			t.Errorf("at %s expired is %v", clock, about.Expired)
		}
	}
}
