package transit_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/index/stopwalk"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/towntest"
)

// streets has two streets of three kilometres, one 200 m north of the other, that one path
// joins at their eastern ends: bus 1 goes east from A, at a, to B, at e, and bus 2 back west
// from C, at i, to D, at f.
const streets = `
a-b----------------------------c-e
                               |
f-g----------------------------i-j`

// town is a town with a timetable.
type town struct {
	*towntest.Town
	place   transit.Place
	service *transit.Service
	walks   *stopwalk.Index
}

// tables writes a timetable. Stops are where the letters of the drawing are.
func tables(t *testing.T, at *towntest.Town, stops string, more map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{
		"agency.txt":   "agency_id,agency_name,agency_timezone,agency_url\n1,Town Buses,Europe/London,http://t.example\n",
		"calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nall,1,1,1,1,1,1,1,20260301,20260331\n",
		"routes.txt":   "route_id,agency_id,route_short_name,route_long_name,route_type,route_color\n1,1,1,A to B,3,c8102e\n2,1,2,,3,\n3,1,3,,0,\n",
	}
	all["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon\n"
	for _, name := range strings.Fields(stops) {
		id, letter, _ := strings.Cut(name, "=")
		p := at.Point(letter)
		all["stops.txt"] += fmt.Sprintf("%s,Stop %s,%.7f,%.7f\n", id, id, p.Lat, p.Lon)
	}
	for name, text := range more {
		all[name] = text
	}
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// imported imports a region, and returns what journeys are found with and the walks between
// its stops.
func imported(tb testing.TB, o importer.Options) (transit.Place, *stopwalk.Index) {
	tb.Helper()
	o.Dir = tb.TempDir()
	if _, err := importer.Run(tb.Context(), o); err != nil {
		tb.Fatal(err)
	}
	r := regiontest.Open(tb, o.Dir)
	x, err := timetable.Open(r)
	if err != nil {
		tb.Fatal(err)
	}
	walks, err := stopwalk.Open(r)
	if err != nil {
		tb.Fatal(err)
	}
	e, err := embedded.New(r)
	if err != nil {
		tb.Fatal(err)
	}
	return transit.Place{Timetable: x, Network: transit.Network(x, walks), Engine: e}, walks
}

// build imports a town with a timetable. It is half past seven on a Monday there.
func build(t *testing.T, at *towntest.Town, gtfs string) *town {
	t.Helper()
	place, walks := imported(t, importer.Options{Sources: []string{at.PBF(t)}, ID: "town", NoMap: true, Timetables: []string{gtfs}})
	now := time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)
	return &town{at, place, &transit.Service{Now: func() time.Time { return now }}, walks}
}

// river returns the town of streets, with a bus 1 from A to B every half hour, ten minutes long,
// and a bus 2 from C to D ten minutes after it has come.
func river(t *testing.T) *town {
	t.Helper()
	at := towntest.Draw(t, streets, towntest.Ways{{"abce", "residential"}, {"fgij", "residential"}, {"ci", "footway"}}, towntest.Cell(100))
	trips, calls := "route_id,service_id,trip_id,trip_headsign\n", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
	for n := range 20 {
		h, m := 6+n/2, n%2*30
		trips += fmt.Sprintf("1,all,one%d,East\n2,all,two%d,\n", n, n)
		calls += fmt.Sprintf("one%d,%02d:%02d:00,%02d:%02d:00,A,1\none%d,%02d:%02d:00,%02d:%02d:00,B,2\n", n, h, m, h, m, n, h, m+10, h, m+10)
		calls += fmt.Sprintf("two%d,%02d:%02d:00,%02d:%02d:00,C,1\ntwo%d,%02d:%02d:00,%02d:%02d:00,D,2\n", n, h, m+20, h, m+20, n, h, m+29, h, m+29)
	}
	return build(t, at, tables(t, at, "A=a B=e C=i D=f", map[string]string{"trips.txt": trips, "stop_times.txt": calls}))
}

// asks returns a question from one letter to another, with what is usual.
func (w *town) asks(from, to string, change func(*transit.JourneysRequest)) transit.JourneysRequest {
	r := transit.JourneysRequest{
		From: w.Point(from), To: w.Point(to), At: time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), Window: time.Hour, Limit: 5, MaxChanges: 4, MaxWalk: 300,
		Speed: 5.1, MinChange: 60, Modes: timetable.All,
	}
	r.Walking, _, _ = costing.Parse(costing.Pedestrian, nil, "")
	if change != nil {
		change(&r)
	}
	return r
}

func (w *town) find(t *testing.T, r transit.JourneysRequest) *transit.Journeys {
	t.Helper()
	a, err := w.service.Journeys(t.Context(), []*timetable.Index{w.place.Timetable}, w.place, r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// describe returns a journey in short: its legs with the times of their ends.
func describe(j *transit.Journey) string {
	list := []string{}
	for _, l := range j.Legs {
		name := l.Mode
		if l.Line != "" {
			name = l.Line
		}
		list = append(list, fmt.Sprintf("%s %s-%s", name, l.Depart[11:16], l.Arrive[11:16]))
	}
	return strings.Join(list, ", ")
}

func all(a *transit.Journeys) (list []string) {
	for i := range a.Journeys {
		list = append(list, describe(&a.Journeys[i]))
	}
	return list
}

// TestJourney goes over the whole of a journey: out to the bus, over the path between two
// buses, and home. Each walk is a route over the streets that takes as long as was counted.
func TestJourney(t *testing.T) {
	w := river(t)
	a := w.find(t, w.asks("b", "g", nil))
	if got, want := fmt.Sprint(all(a)), "[walk 08:27-08:30, 1 08:30-08:40, walk 08:40-08:44, 2 08:50-08:59, walk 08:59-09:01 walk 08:57-09:00, 1 09:00-09:10, walk 09:10-09:14, 2 09:20-09:29, walk 09:29-09:31]"; got != want || a.None != nil {
		t.Fatalf("%s, %v, want %s", got, a.None, want)
	}
	j := &a.Journeys[0]
	first, change, last := j.Legs[0], j.Legs[2], j.Legs[4]
	for _, c := range []struct {
		leg    transit.JourneyLeg
		places string
		metres float64
	}{{first, "ba", 200}, {change, "eci", 400}, {last, "fg", 200}} {
		line, err := geo.DecodePolyline(c.leg.Geometry, 6)
		if err != nil || len(line) != len(c.places) {
			t.Fatal(line, err)
		}
		for i, p := range line {
			if away := geo.Distance(p, w.Point(c.places[i:i+1])); away > 0.5 {
				t.Errorf("%s: point %d is %g m away", c.places, i, away)
			}
		}
		// 5.1 km/h on the flat
		if want := int(math.Ceil(c.leg.DistanceM / 5.1 * 3.6)); math.Abs(c.leg.DistanceM-c.metres) > 1 || c.leg.Duration < want || c.leg.Duration > want+1 {
			t.Errorf("%s: %g m in %d s, want %g in %d", c.places, c.leg.DistanceM, c.leg.Duration, c.metres, want)
		}
	}
	if j.Changes != 1 || j.WalkS != first.Duration+change.Duration+last.Duration || math.Abs(j.WalkM-800) > 2 || j.Duration != 900+first.Duration+last.Duration+840 {
		t.Errorf("%+v", j)
	}
	ride := j.Legs[1]
	if *ride.From.Stop != "A" || *ride.To.Name != "Stop B" || ride.Colour != "#c8102e" || ride.Headsign != "East" || ride.Operator == "" || ride.Trip != "one5" || ride.ServiceDay != "2026-03-02" || ride.LineName != "A to B" ||
		len(ride.Stops) != 2 || ride.Stops[0].Arrive != nil || *ride.Stops[0].Depart != "2026-03-02T08:30:00Z" || *ride.Stops[1].Arrive != "2026-03-02T08:40:00Z" || ride.Stops[1].Depart != nil || math.Abs(ride.DistanceM-3500) > 300 {
		t.Errorf("%+v", ride)
	}
	if back := j.Legs[3]; back.Headsign != "Stop D" || back.Colour != "" || back.LineName != "" {
		t.Errorf("%+v", back)
	}
	if first.From.Stop != nil || *first.To.Stop != "A" || last.To.Name != nil {
		t.Errorf("%+v %+v", first, last)
	}
}

func TestJourneysOfARequest(t *testing.T) {
	w := river(t)
	const one, two = "walk 08:27-08:30, 1 08:30-08:40, walk 08:40-08:44, 2 08:50-08:59, walk 08:59-09:01", "walk 08:57-09:00, 1 09:00-09:10, walk 09:10-09:14, 2 09:20-09:29, walk 09:29-09:31"
	for name, c := range map[string]struct {
		from, to string
		change   func(r *transit.JourneysRequest)
		want     []string
		reason   string
	}{
		"all of an hour":       {"b", "g", nil, []string{one, two}, ""},
		"the best at a time":   {"b", "g", func(r *transit.JourneysRequest) { r.Window = 0 }, []string{one}, ""},
		"one at a time":        {"b", "g", func(r *transit.JourneysRequest) { r.Limit = 1 }, []string{one}, ""},
		"to be there":          {"b", "g", func(r *transit.JourneysRequest) { r.ArriveBy, r.At = true, r.At.Add(92*time.Minute) }, []string{one, two}, ""},
		"to be there, the one": {"b", "g", func(r *transit.JourneysRequest) { r.ArriveBy, r.At, r.Limit = true, r.At.Add(92*time.Minute), 1 }, []string{two}, ""},
		"without a change":     {"b", "g", func(r *transit.JourneysRequest) { r.MaxChanges = 0 }, nil, "no_service"},
		"too little time": {"b", "g", func(r *transit.JourneysRequest) { r.MinChange = 601 }, []string{
			"walk 08:27-08:30, 1 08:30-08:40, walk 08:40-08:44, 2 09:20-09:29, walk 09:29-09:31", "walk 08:57-09:00, 1 09:00-09:10, walk 09:10-09:14, 2 09:50-09:59, walk 09:59-10:01",
		}, ""},
		"no tram":              {"b", "g", func(r *transit.JourneysRequest) { r.Modes = timetable.Tram.Set() }, nil, "no_stops_near_from"},
		"far from any stop":    {"b", "g", func(r *transit.JourneysRequest) { r.MaxWalk = 100 }, nil, "no_stops_near_from"},
		"another way":          {"g", "b", nil, nil, "no_stops_near_from"},
		"before the timetable": {"b", "g", func(r *transit.JourneysRequest) { r.At = r.At.AddDate(0, -1, 0) }, nil, "out_of_span"},
		"after the timetable":  {"b", "g", func(r *transit.JourneysRequest) { r.At = r.At.AddDate(0, 2, 0) }, nil, "out_of_span"},
		"the same place":       {"b", "b", nil, nil, "same_place"},
		"next door":            {"b", "a", nil, []string{"walk 08:00-08:02"}, "no_stops_near_to"},
		"next door by then":    {"b", "a", func(r *transit.JourneysRequest) { r.ArriveBy = true }, []string{"walk 07:57-08:00"}, "no_stops_near_to"},
		"a slow walker": {"b", "g", func(r *transit.JourneysRequest) {
			r.Speed = 2
			r.Walking, _, _ = costing.Parse(costing.Pedestrian, map[string]json.RawMessage{"walking_speed": json.RawMessage("2")}, "")
		}, nil, "no_service"},
		"a fast one": {"b", "g", func(r *transit.JourneysRequest) {
			r.Speed = 10
			r.Walking, _, _ = costing.Parse(costing.Pedestrian, map[string]json.RawMessage{"walking_speed": json.RawMessage("10")}, "")
		}, []string{
			"walk 08:28-08:30, 1 08:30-08:40, walk 08:40-08:42, 2 08:50-08:59, walk 08:59-09:00", "walk 08:58-09:00, 1 09:00-09:10, walk 09:10-09:12, 2 09:20-09:29, walk 09:29-09:30",
		}, ""},
	} {
		a := w.find(t, w.asks(c.from, c.to, c.change))
		reason := ""
		if a.None != nil {
			reason = a.None.Reason
		}
		if got := all(a); fmt.Sprint(got) != fmt.Sprint(c.want) || reason != c.reason {
			t.Errorf("%s: %q, %q, want %q, %q", name, got, reason, c.want, c.reason)
		}
	}
}

// TestOffTheStreets checks that a place far from any street is named.
func TestOffTheStreets(t *testing.T) {
	w := river(t)
	far := geo.Point{Lon: w.Point("b").Lon, Lat: w.Point("b").Lat + 0.05}
	for name, change := range map[string]func(*transit.JourneysRequest){
		"from": func(r *transit.JourneysRequest) { r.From = far },
		"to":   func(r *transit.JourneysRequest) { r.To = far },
		"to (": func(r *transit.JourneysRequest) { r.To, r.From = far, w.Between("b", "c", 0.5) }, // no stop near from
	} {
		_, err := w.service.Journeys(t.Context(), []*timetable.Index{w.place.Timetable}, w.place, w.asks("b", "g", change))
		if engine.Code(err) != engine.CodeNoSegment || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "1000 m") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNextOfNone checks that an answer without a journey names the next departure, and that
// the next page begins with its journey.
func TestNextOfNone(t *testing.T) {
	w := river(t)
	evening := w.asks("b", "g", func(r *transit.JourneysRequest) { r.At = r.At.Add(9 * time.Hour) })
	a := w.find(t, evening)
	if a.None == nil || a.None.Reason != "no_service" || a.None.Next == nil || a.None.Next.Depart != "2026-03-03T06:00:00Z" || a.None.Next.Line != "1" || *a.None.Next.Stop.Stop != "A" || a.None.Next.Destination != "East" {
		t.Fatalf("%+v", a.None)
	}
	evening.Page = *a.Next
	if b := w.find(t, evening); len(b.Journeys) == 0 || !strings.Contains(describe(&b.Journeys[0]), "1 06:00-06:10") {
		t.Errorf("%v", all(b))
	}
	early := w.asks("b", "g", func(r *transit.JourneysRequest) { r.ArriveBy, r.At = true, r.At.Add(-2*time.Hour) })
	if a = w.find(t, early); a.None == nil || a.None.Next == nil || a.None.Next.Depart != "2026-03-01T15:30:00Z" {
		t.Fatalf("%+v", a.None.Next)
	}
	early.Page = *a.Previous
	if b := w.find(t, early); len(b.Journeys) == 0 || !strings.Contains(describe(&b.Journeys[len(b.Journeys)-1]), "1 15:30-15:40") {
		t.Errorf("%v", all(b))
	}
	if back := w.find(t, w.asks("g", "b", nil)); back.None.Next != nil { // where bus 2 ends
		t.Errorf("%+v", back.None.Next)
	}
}

// TestPagesNeitherRepeatNorLose goes through a day page by page, both ways.
func TestPagesNeitherRepeatNorLose(t *testing.T) {
	w := river(t)
	for _, arriveBy := range []bool{false, true} {
		for _, limit := range []int{1, 2, 5} {
			r := w.asks("b", "g", func(r *transit.JourneysRequest) {
				r.ArriveBy, r.Limit, r.Window, r.At = arriveBy, limit, 100*time.Minute, r.At.Add(3*time.Hour)
			})
			seen := map[string]int{}
			var list []string
			walk := func(page func(a *transit.Journeys) *string) {
				for a, n := w.find(t, r), 0; n < 40; n++ {
					for _, j := range all(a) {
						if seen[j]++; seen[j] == 1 {
							list = append(list, j)
						}
					}
					next := page(a)
					if next == nil || a.None != nil {
						break
					}
					again := r
					again.Page = *next
					a = w.find(t, again)
				}
			}
			walk(func(a *transit.Journeys) *string { return a.Next })
			walk(func(a *transit.Journeys) *string { return a.Previous })
			repeated := 0
			for _, n := range seen {
				if n > 1 {
					repeated++
				}
			}
			// Every bus 1 of the day whose journey ends: the first page is seen both ways.
			if first := len(w.find(t, r).Journeys); len(list) != 19 && len(list) != 20 || repeated != first {
				t.Errorf("arrive by %v, %d a page: %d journeys, %d twice, of which %d on the first page: %q", arriveBy, limit, len(list), repeated, first, list)
			}
		}
	}
}

func TestPagesThatAreNone(t *testing.T) {
	w := river(t)
	for _, page := range []string{"x", "1", "1.", ".1", "1.1001", "1.-2", "-1.0", "1.0 ", "01.0", "9999999999999999.0", "1.0.0", "1e3.0"} {
		_, err := w.service.Journeys(t.Context(), []*timetable.Index{w.place.Timetable}, w.place, w.asks("b", "g", func(r *transit.JourneysRequest) { r.Page = page }))
		if err == nil || !strings.Contains(err.Error(), "page") {
			t.Errorf("%q: %v", page, err)
		}
	}
}
