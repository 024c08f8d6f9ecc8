package timetable_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/index/timetable"
)

// A vehicle on a loop is on the visit that its time and course say, and of two trips of
// opposite ways on the one whose way it goes.
func TestSightingsOnLoops(t *testing.T) {
	// The street from west to east has the stops A, B and C, and the way back is the same street.
	stops := "stop_id,stop_name,stop_lat,stop_lon\nA,A,51.5,-0.10\nB,B,51.5,-0.08\nC,C,51.5,-0.06\n"
	shape := "shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon\ns,1,51.5,-0.10\ns,2,51.5,-0.06\ns,3,51.5,-0.10\n"
	for _, shapes := range []bool{true, false} {
		draw := drawing{
			"stops.txt": stops, "trips.txt": "route_id,service_id,trip_id,shape_id\nr1,all,loop,s\nr2,all,east,\nr2,all,west,\n",
			"stop_times.txt": calls("loop A@8:00 B@8:10 C@8:20 B@8:30 A@8:40", "east A@8:00 B@8:10 C@8:20", "west C@8:00 B@8:10 A@8:20"),
		}
		if shapes {
			draw["shapes.txt"] = shape
		}
		x, _ := built(t, importer.Options{Feeds: []string{draw.folder(t)}})
		for name, c := range map[string]struct {
			line    string
			lon     float64
			bearing int
			at      string
			trip    string
			next    int
			late    time.Duration
		}{
			"out, on time":                     {"1", -0.09, 90, "08:05:00", "loop", 1, 0},
			"out, late":                        {"1", -0.07, 90, "08:19:00", "loop", 2, 4 * time.Minute},
			"back, on time":                    {"1", -0.07, 270, "08:25:00", "loop", 3, 0},
			"back, late":                       {"1", -0.09, 270, "08:40:00", "loop", 4, 5 * time.Minute},
			"at the far end, when it turns":    {"1", -0.061, 270, "08:20:30", "loop", 3, 0},
			"without a bearing, by the time":   {"1", -0.09, -1, "08:35:00", "loop", 4, 0},
			"two ways at one time: the east":   {"2", -0.075, 90, "08:12:30", "east", 2, 0},
			"two ways at one time: the west":   {"2", -0.085, 270, "08:12:30", "west", 2, 0},
			"too early for the way back":       {"1", -0.09, 270, "08:10:00", "", 0, 0},
			"nowhere near the line":            {"1", -0.30, 90, "08:05:00", "", 0, 0},
			"two ways and no bearing: a guess": {"2", -0.08, -1, "08:10:00", "", 0, 0},
		} {
			seen, err := time.Parse(time.RFC3339, winter+c.at+"Z")
			if err != nil {
				t.Fatal(err)
			}
			r, ok := x.Identify(x.LinesByName(c.line), timetable.Sighting{At: geo.Point{Lon: c.lon, Lat: 51.5}, Bearing: c.bearing, Seen: seen})
			got := fmt.Sprint(ok)
			if ok {
				got = fmt.Sprintf("%s before %d", x.TripID(r.Trip), r.Next)
			}
			want := "false"
			if c.trip != "" {
				want = fmt.Sprintf("%s before %d", c.trip, c.next)
			}
			if got != want || (r.Late-c.late).Abs() > time.Minute {
				t.Errorf("%s, shapes %v: %s, %s late; want %s, %s late", name, shapes, got, r.Late, want, c.late)
			}
		}
	}
}
