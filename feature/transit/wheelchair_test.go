package transit_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// By wheelchair journeys are by trips, stops and ways alone that are known as accessible;
// where there is none the answer says whether that is why.
func TestWheelchair(t *testing.T) {
	// known draws the town of streets with what is known of its stops A to D, and of its trips
	// out to the east and back on each hour from eight until ten: 0, 1 or 2.
	known := func(stops, out, back, path string) *town {
		at := towntest.Draw(t, streets, towntest.Ways{{"abce", "residential"}, {"fgij", "residential"}, {"ci", path}}, towntest.Cell(100))
		all := "stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding\n"
		for i, letter := range strings.Split("aeif", "") {
			p := at.Point(letter)
			all += fmt.Sprintf("%c,Stop,%.7f,%.7f,%c\n", 'A'+i, p.Lat, p.Lon, stops[i])
		}
		trips, calls := "route_id,service_id,trip_id,wheelchair_accessible\n", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
		for i := range 3 {
			trips += fmt.Sprintf("1,all,out%d,%c\n2,all,back%d,%c\n", i, out[i], i, back[i])
			calls += fmt.Sprintf("out%d,%d:00:00,%d:00:00,A,1\nout%d,%d:10:00,%d:10:00,B,2\nback%d,%d:20:00,%d:20:00,C,1\nback%d,%d:29:00,%d:29:00,D,2\n", i, 8+i, 8+i, i, 8+i, 8+i, i, 8+i, 8+i, i, 8+i, 8+i)
		}
		return build(t, at, tables(t, at, "", map[string]string{"stops.txt": all, "trips.txt": trips, "stop_times.txt": calls}))
	}
	const there = "walk 07:57-08:00, 1 08:00-08:10, walk 08:10-08:14, 2 08:20-08:29, walk 08:29-08:31"
	ten := strings.NewReplacer("07:", "09:", "08:", "10:").Replace(there)
	for _, c := range []struct {
		name             string
		stops, out, back string
		path             string
		hour             int
		want, reason     string
	}{
		{"all is known", "1111", "111", "111", "footway", 7, there, ""},
		{"nothing is known", "0000", "000", "000", "footway", 7, "", "wheelchair"},
		{"a stop is not", "1101", "111", "111", "footway", 7, "", "wheelchair"},
		{"the first stop is not", "2111", "111", "111", "footway", 7, "", "wheelchair"},
		{"the last stop is not", "1110", "111", "111", "footway", 7, "", "wheelchair"},
		{"a line is not", "1111", "111", "222", "footway", 7, "", "wheelchair"},
		{"trips of the last hour are", "1111", "001", "021", "footway", 9, ten, ""},
		{"steps", "1111", "111", "111", "steps", 7, "", "wheelchair"},
		{"at night", "1111", "111", "111", "footway", 20, "", "no_service"},
		{"at night, and nothing is known", "0000", "000", "000", "footway", 20, "", "no_service no_stops_near_from"},
	} {
		w := known(c.stops, c.out, c.back, c.path)
		q := w.asks("b", "g", func(q *transit.JourneysRequest) {
			q.At = time.Date(2026, 3, 2, c.hour, 30, 0, 0, time.UTC)
		})
		if plain := w.find(t, q); c.hour < 20 && plain.None != nil {
			t.Errorf("%s: without a wheelchair %+v", c.name, plain.None)
		}
		q.Wheelchair = true
		q.Walking, _, _ = costing.Parse(costing.Pedestrian, map[string]json.RawMessage{"type": json.RawMessage(`"wheelchair"`)}, "")
		for _, q.ArriveBy = range []bool{false, true} {
			if q.ArriveBy {
				q.At = q.At.Add(80 * time.Minute)
			}
			a := w.find(t, q)
			reason := ""
			if a.None != nil {
				reason = a.None.Reason
			}
			if got := strings.Join(all(a), "; "); got != c.want || reason == "" != (c.reason == "") || !strings.Contains(c.reason, reason) {
				t.Errorf("%s: %s, %+v, want %s", c.name, got, a.None, c.want)
			}
		}
	}
	// The reach by accessible stops and vehicles, with changes within one station.
	for _, c := range []struct {
		stops, out, path string
		want             string // from b to e, and to g beyond the change on foot
	}{
		{"1111", "111", "footway", "true false"},
		{"0000", "111", "footway", "false false"},
		{"1111", "222", "footway", "false false"},
	} {
		w := known(c.stops, c.out, "111", c.path)
		ride := rides(at("07:30", false))
		places := []geo.Point{w.Point("e"), w.Point("g")}
		reach := func() (list []bool) {
			m, err := w.service.ReachMatrix(t.Context(), w.indexes(), w.place, []geo.Point{w.Point("b")}, places, ride)
			if err != nil {
				t.Fatal(err)
			}
			for _, cell := range m.Matrix.Cells[0] {
				list = append(list, cell.Reached)
			}
			return list
		}
		if got := fmt.Sprint(reach()); got != "[true true]" {
			t.Errorf("without a wheelchair %s is reached", got)
		}
		ride.Wheelchair = true
		if got := strings.Trim(fmt.Sprint(reach()), "[]"); got != c.want {
			t.Errorf("%+v: %s is reached", c, got)
		}
	}
	// A stop of a bay without a statement of its own has that of its station.
	at := towntest.Draw(t, streets, towntest.Ways{{"abce", "residential"}, {"fgij", "residential"}}, towntest.Cell(100))
	p := at.Point("a")
	x := read(t, tables(t, at, "B=e", map[string]string{
		"stops.txt":      fmt.Sprintf("stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding\nS,Station,%[1]f,%[2]f,1,,1\nA,Bay,%[1]f,%[2]f,0,S,\nB,Bay,%[1]f,%[2]f,0,S,2\n", p.Lat, p.Lon),
		"trips.txt":      "route_id,service_id,trip_id\n1,all,t\n",
		"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,8:00:00,8:00:00,A,1\nt,8:10:00,8:10:00,B,2\n",
	}))
	got := ""
	for _, id := range []string{"S", "A", "B"} {
		n, _ := x.Find(id)
		got += fmt.Sprint(x.StopAccessible(n), x.Stop(n).Wheelchair, " ")
	}
	if got != "true 1 true 1 false 2 " || x.TripAccessible(0) {
		t.Error(got)
	}
}
