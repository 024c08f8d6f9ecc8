package timetable_test

import (
	"archive/zip"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/realdata"
)

// Stops of a real feed lie along the shapes where the feed says that they do. The feed's
// distances are not read by the import.
func TestShapesOfARealFeed(t *testing.T) {
	path := realdata.File(t, "transit/newport-20230613_gtfs.zip")
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	shapes := map[string]*plainShape{}
	for _, row := range plainTable(t, z, "shapes.txt") {
		if row["shape_dist_traveled"] == "" {
			continue
		}
		s := shapes[row["shape_id"]]
		if s == nil {
			s = &plainShape{}
			shapes[row["shape_id"]] = s
		}
		s.line, s.far = append(s.line, geo.Point{Lon: number(row["shape_pt_lon"]), Lat: number(row["shape_pt_lat"])}), append(s.far, number(row["shape_dist_traveled"]))
	}
	shapeOf, far := map[string]*plainShape{}, map[string][]float64{}
	for _, row := range plainTable(t, z, "trips.txt") {
		shapeOf[row["trip_id"]] = shapes[row["shape_id"]]
	}
	for _, row := range plainTable(t, z, "stop_times.txt") {
		if at := row["shape_dist_traveled"]; at != "" {
			far[row["trip_id"]] = append(far[row["trip_id"]], number(at))
		}
	}
	x, r := built(t, importer.Options{Feeds: []string{path}})
	legs, right := 0, 0
	for p := range uint32(x.Patterns()) {
		first, count := x.PatternTrips(p)
		stops := x.PatternStops(p)
		for trip := first; trip < first+min(count, 1); trip++ {
			s, at := shapeOf[x.TripID(trip)], far[x.TripID(trip)]
			if s == nil || len(at) != len(stops) || len(s.line) < 2 {
				continue
			}
			for i := range len(stops) - 1 {
				line := x.Shape(p, i, i+1)
				begin, end := s.at(at[i]), s.at(at[i+1])
				if legs++; geo.Distance(line[0], begin) < 100 && geo.Distance(line[len(line)-1], end) < 100 && math.Abs(geo.Length(line)-1000*(at[i+1]-at[i])) < 200+50*(at[i+1]-at[i]) {
					right++
				}
			}
		}
	}
	if legs < 500 || right < legs*98/100 || r.Counts["timetable_patterns_off_their_shape"] > 0 {
		t.Errorf("%d of %d legs are as the feed has them", right, legs)
	}
}

// plainShape is a shape with the distances along it that its feed has.
type plainShape struct {
	line []geo.Point
	far  []float64
}

// at returns the place so far along a shape.
func (s *plainShape) at(far float64) geo.Point {
	i := min(max(sort.SearchFloat64s(s.far, far), 1), len(s.far)-1)
	if s.far[i] == s.far[i-1] {
		return s.line[i]
	}
	return geo.Between(s.line[i-1], s.line[i], (far-s.far[i-1])/(s.far[i]-s.far[i-1]))
}

// Shapes of drawn trips: points are numbers of a grid of 100 m, column and row.
func TestShapes(t *testing.T) {
	at := func(grid string) geo.Point {
		return geo.Point{Lon: -0.1 + float64(grid[0]-'0')*0.00144, Lat: 51.5 + float64(grid[1]-'0')*0.0009}
	}
	for name, c := range map[string]struct {
		shape, stops string   // points of the shape, and of the stops of the trip
		want         []string // the line from each stop to the next
	}{
		"along a street with corners":            {"00 50 55", "10 40 53", []string{"10 40", "40 50 53"}},
		"no shape: straight":                     {"", "10 40 53", []string{"10 40", "40 53"}},
		"stops beside the street":                {"01 91", "20 42 71", []string{"21 41", "41 71"}},
		"a loop: the first and the last stop":    {"00 90 99 09 00", "00 50 95 59 05 00", []string{"00 50", "50 90 95", "95 99 59", "59 09 05", "05 00"}},
		"out and back: the stop on the way back": {"00 90 00", "00 30 90 30 00", []string{"00 30", "30 90", "90 30", "30 00"}},
		"a street twice: without a detour":       {"00 90 94 04 00 09", "00 80 93 44 02 07", []string{"00 80", "80 90 93", "93 94 44", "44 04 02", "02 00 07"}},
		"a stop far off: straight to it":         {"00 30", "00 09 30", []string{"00 09", "09 30"}},
		"a shape the other way round: straight":  {"90 00", "10 50 80", []string{"10 50", "50 80"}},
		"two stops at one place":                 {"00 90", "10 50 50 80", []string{"10 50", "50", "50 80"}},
	} {
		draw := drawing{"stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n", "trips.txt": "route_id,service_id,trip_id,shape_id\nr1,all,t1,s\n", "shapes.txt": "shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon\n"}
		visits, known := "t1", map[string]bool{}
		for i, grid := range strings.Fields(c.stops) {
			visits += fmt.Sprintf(" %s@8:%02d", grid, i)
			if p := at(grid); !known[grid] {
				known[grid] = true
				draw["stops.txt"] += fmt.Sprintf("%s,%s,%f,%f\n", grid, grid, p.Lat, p.Lon)
			}
		}
		draw["stop_times.txt"] = calls(visits)
		points := strings.Fields(c.shape)
		for i := range points { // a feed's rows need not be in their order
			n := (i + 1) % len(points)
			p := at(points[n])
			draw["shapes.txt"] += fmt.Sprintf("s,%d,%f,%f\n", n*10, p.Lat, p.Lon)
		}
		x, _ := built(t, importer.Options{Feeds: []string{draw.folder(t)}})
		for i, want := range c.want {
			line := x.Shape(0, i, i+1)
			corners := strings.Fields(want)
			ok := len(line) == len(corners)
			for n := 0; ok && n < len(line); n++ {
				ok = geo.Distance(line[n], at(corners[n])) < 15
			}
			if !ok {
				t.Errorf("%s: from stop %d %v, want %s", name, i, line, want)
			}
		}
	}
}
