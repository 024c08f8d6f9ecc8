package timetable_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/gtfs"
	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/index/timetable"
)

// station is a station S with the platforms A and B, and the stops C and D elsewhere.
const station = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n" +
	"S,Central,51.5,-0.1,1,\nA,Central,51.5,-0.1001,0,S\nB,Central,51.5,-0.1002,0,S\nC,Away,51.6,-0.1,0,\nD,Hill,51.7,-0.1,0,\n"

// rules writes the rules of changing at a stop: "B 1>2 2 120".
func rules(t *testing.T, x *timetable.Index, from string) (list []string) {
	t.Helper()
	n, ok := x.Find(from)
	if !ok {
		t.Fatalf("no stop %s", from)
	}
	end := func(line, trip uint32) string {
		switch {
		case trip != timetable.None:
			return x.TripID(trip)
		case line != timetable.None:
			return x.LineName(line)
		}
		return "*"
	}
	for _, r := range x.Transfers(n) {
		if r.From != n {
			t.Errorf("a rule of stop %d at %d", r.From, n)
		}
		list = append(list, fmt.Sprintf("%s %s>%s %d %d", x.Stop(r.To).ID, end(r.FromLine, r.FromTrip), end(r.ToLine, r.ToTrip), r.Kind, r.Seconds))
	}
	return list
}

func TestTransfers(t *testing.T) {
	const columns = "from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\n"
	trips := tripColumns + "r1,all,t1,X\nr2,all,t2,X\nr1,never,t3,X\n"
	visits := calls("t1 A@8:00 C@8:10", "t2 B@8:00 D@8:10")
	for name, c := range map[string]struct {
		rows   string
		from   string
		want   []string
		faults []string
	}{
		"every kind": {"A,C,,,,,0,\nA,B,,,,,1,\nA,D,,,,,2,300\nA,A,,,,,3,\n", "A", []string{"B *>* 1 -1", "A *>* 3 -1", "C *>* 0 -1", "D *>* 2 300"}, nil},
		"the most specific first": {
			"S,C,,,,,2,10\nA,C,,,,,2,20\nA,C,r1,,,,2,30\nA,C,,r2,,,2,35\nA,C,r1,r2,,,2,40\nA,C,,,t1,,2,50\nA,C,,r2,t1,,2,60\nA,C,,,t1,t2,2,70\n", "A",
			[]string{"C t1>t2 2 70", "C t1>2 2 60", "C t1>* 2 50", "C 1>2 2 40", "C 1>* 2 30", "C *>2 2 35", "C *>* 2 20", "C *>* 2 10"},
			nil,
		},
		"a station's rule counts for its stops, a stop's own before it": {"S,S,,,,,2,240\nA,B,,,,,2,60\n", "A", []string{"B *>* 2 60", "B *>* 2 240", "A *>* 2 240", "S *>* 2 240"}, nil},
		"the same key twice: the first, and it is counted":              {"A,B,,,,,2,60\nA,B,,,,,2,600\nA,B,,,,,3,\n", "A", []string{"B *>* 2 60"}, []string{"2 times"}},
		"a type 2 without its time is a recommendation":                 {"A,B,,,,,2,\n", "A", []string{"B *>* 0 -1"}, []string{"least time"}},
		"an empty type is a recommendation":                             {"A,B,,,,,,\n", "A", []string{"B *>* 0 -1"}, nil},
		"types, times, stops and routes that are none": {
			"A,B,,,,,9,\nA,X,,,,,0,\nA,B,rx,,,,0,\n,B,,,,,0,\nA,B,,,,,0,-5\n", "A",
			[]string{"B *>* 0 -1"},
			[]string{"transfer_type that is none", "not there: 2 times", "not between stops", "min_transfer_time that is none"},
		},
		"a rule of a trip that never runs is left out": {"A,B,,,t3,,3,\nA,B,,,,t9,0,\n", "A", nil, nil},
	} {
		draw := drawing{"stops.txt": station, "trips.txt": trips, "stop_times.txt": visits, "transfers.txt": columns + c.rows}
		x, r := built(t, importer.Options{Feeds: []string{draw.folder(t)}})
		if got := rules(t, x, c.from); !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		for _, f := range c.faults {
			if !slices.ContainsFunc(r.Faults, func(line string) bool { return strings.Contains(line, f) }) {
				t.Errorf("%s: faults %q have no %q", name, r.Faults, f)
			}
		}
	}
}

// walks writes the walks from a stop: "B 90s 120m".
func walks(x *timetable.Index, from string) (list []string) {
	n, _ := x.Find(from)
	for _, w := range x.Walks(n) {
		list = append(list, fmt.Sprintf("%s %ds %dm", x.Stop(w.To).ID, w.Seconds, w.Metres))
	}
	slices.Sort(list)
	return list
}

// Ways in stations are those of pathways, and changes with a time that is given.
func TestWalks(t *testing.T) {
	const (
		columns = "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count\n"
		stops   = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id\n" +
			"S,Central,51.5,-0.1,1,,\nA,Central,51.5,-0.1001,0,S,l1\nB,Central,51.5,-0.1002,0,S,l3\nE,Gate,51.5,-0.1,2,S,l0\nN,,,,3,S,l1\nM,,,,3,S,l3\nQ,,,,4,A,l1\nC,Away,51.6,-0.1,0,,\n"
		levels = "level_id,level_index\nl0,0\nl1,-1\nl3,-3\n"
	)
	trips, visits := tripColumns+"r1,all,t1,X\nr2,all,t2,X\n", calls("t1 A@8:00 C@8:10", "t2 B@8:00 C@8:10")
	for name, c := range map[string]struct {
		draw       drawing
		a, b, gate []string
	}{
		"times, through nodes, both ways":          {drawing{"pathways.txt": columns + "1,A,N,1,1,50,40,\n2,N,B,1,1,20,30,\n3,E,N,1,1,,100,\n"}, []string{"B 70s 70m", "E 140s 184m"}, []string{"A 70s 70m", "E 130s 154m"}, []string{"A 140s 184m", "B 130s 154m"}},
		"one way, and a gate that is only left by": {drawing{"pathways.txt": columns + "1,A,B,1,0,,60,\n2,A,E,7,1,,10,\n"}, []string{"B 60s 7m", "E 10s 7m"}, nil, nil},
		"lengths":                              {drawing{"pathways.txt": columns + "1,A,B,1,1,100,,\n"}, []string{"B 75s 100m"}, []string{"A 75s 100m"}, nil},
		"stairs that are counted":              {drawing{"pathways.txt": columns + "1,A,B,2,1,10,,-100\n"}, []string{"B 60s 10m"}, []string{"A 60s 10m"}, nil},
		"stairs, escalator and lift by levels": {drawing{"levels.txt": levels, "pathways.txt": columns + "1,A,B,2,0,1,,\n2,B,A,4,0,1,,\n3,E,A,5,0,1,,\n"}, []string{"B 29s 1m"}, []string{"A 40s 1m"}, []string{"A 40s 1m", "B 69s 2m"}},
		"without levels one level":             {drawing{"pathways.txt": columns + "1,A,B,2,0,1,,\n2,B,A,4,0,1,,\n3,E,A,5,0,1,,\n"}, []string{"B 15s 1m"}, []string{"A 20s 1m"}, []string{"A 40s 1m", "B 55s 2m"}},
		"the faster of two":                    {drawing{"pathways.txt": columns + "1,A,B,1,1,,90,\n2,A,B,5,1,,50,\n"}, []string{"B 50s 7m"}, []string{"A 50s 7m"}, nil},
		"a boarding area is at its platform":   {drawing{"pathways.txt": columns + "1,Q,B,1,1,10,20,\n"}, []string{"B 20s 10m"}, []string{"A 20s 10m"}, nil},
		"pathways that are none":               {drawing{"pathways.txt": columns + "1,A,X,1,1,,9,\n2,A,A,1,1,,9,\n3,A,B,0,1,,9,\n4,A,B,1,1,,-9,\n5,A,B,1,1,nan,,\n"}, []string{"B 6s 7m"}, []string{"A 6s 7m"}, nil},
		"a change that needs a time":           {drawing{"transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,B,2,200\nA,E,0,5\n"}, []string{"B 200s 7m"}, nil, nil},
		"a way before a change's time":         {drawing{"pathways.txt": columns + "1,A,B,1,1,30,20,\n", "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nS,S,2,200\n"}, []string{"B 20s 30m"}, []string{"A 20s 30m"}, nil},
		"a station's change":                   {drawing{"transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nS,S,2,200\n"}, []string{"B 200s 7m"}, []string{"A 200s 7m"}, nil},
	} {
		all := drawing{"stops.txt": stops, "trips.txt": trips, "stop_times.txt": visits}
		for k, v := range c.draw {
			all[k] = v
		}
		x, _ := built(t, importer.Options{Feeds: []string{all.folder(t)}})
		for from, want := range map[string][]string{"A": c.a, "B": c.b, "E": c.gate} {
			if got := walks(x, from); !slices.Equal(got, want) {
				t.Errorf("%s: from %s %q, want %q", name, from, got, want)
			}
		}
	}
}

// onward finds the trip that a trip's vehicle goes on as on a day: the first that runs.
func onward(t *testing.T, x *timetable.Index, id, day string) string {
	t.Helper()
	date, ok := gtfs.ReadDate([]byte(day))
	if !ok {
		t.Fatal(day)
	}
	for p := range uint32(x.Patterns()) {
		first, count := x.PatternTrips(p)
		for trip := first; trip < first+count; trip++ {
			if x.TripID(trip) != id || !x.Runs(trip, date) {
				continue
			}
			for _, next := range x.Continuations(trip) {
				if x.Runs(next, date) {
					return x.TripID(next)
				}
			}
		}
	}
	return ""
}

// A vehicle goes on as the next trip of its block on the same day, unless a rule between two
// trips says otherwise.
func TestContinuations(t *testing.T) {
	const (
		columns  = "route_id,service_id,trip_id,block_id\n"
		calendar = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nall,1,1,1,1,1,1,1,20240101,20241231\nmon,1,0,0,0,0,0,0,20240101,20241231\ntue,0,1,0,0,0,0,0,20240101,20241231\n"
		seats    = "from_trip_id,to_trip_id,transfer_type\n"
		monday   = "20240108"
		tuesday  = "20240109"
	)
	three := calls("a A@8:00 B@8:10", "b B@8:20 C@8:30", "c C@8:40 D@8:50")
	type ask struct{ trip, day, want string }
	for name, c := range map[string]struct {
		draw drawing
		asks []ask
	}{
		"a block in the order of its times": {drawing{"trips.txt": columns + "r1,all,c,1\nr1,all,b,1\nr2,all,a,1\n", "stop_times.txt": three}, []ask{{"a", monday, "b"}, {"b", monday, "c"}, {"c", monday, ""}}},
		"no block":                          {drawing{"trips.txt": columns + "r1,all,a,\nr1,all,b,\nr1,all,c,2\n", "stop_times.txt": three}, []ask{{"a", monday, ""}, {"b", monday, ""}}},
		"by the days":                       {drawing{"trips.txt": columns + "r1,all,a,1\nr1,mon,b,1\nr1,tue,c,1\n", "calendar.txt": calendar, "stop_times.txt": calls("a A@8:00 B@8:10", "b B@8:20 C@8:30", "c B@8:40 D@8:50")}, []ask{{"a", monday, "b"}, {"a", tuesday, "c"}, {"a", "20240110", ""}, {"b", monday, ""}}},
		"not across two days":               {drawing{"trips.txt": columns + "r1,mon,a,1\nr1,tue,b,1\n", "calendar.txt": calendar, "stop_times.txt": calls("a A@23:00 B@24:10", "b B@0:20 C@0:30")}, []ask{{"a", monday, ""}, {"b", tuesday, ""}}},
		"past midnight":                     {drawing{"trips.txt": columns + "r1,mon,a,1\nr1,mon,b,1\n", "calendar.txt": calendar, "stop_times.txt": calls("a A@23:00 B@24:10", "b B@24:20 C@24:30")}, []ask{{"a", monday, "b"}}},
		"not while it is under way, and not from elsewhere": {drawing{"trips.txt": columns + "r1,all,a,1\nr1,all,b,1\nr1,all,c,1\n", "stop_times.txt": calls("a A@8:00 B@8:10", "b B@8:05 C@8:30", "c C@8:40 D@8:50")}, []ask{{"a", monday, ""}, {"b", monday, "c"}}},
		"a trip in between that begins elsewhere":           {drawing{"trips.txt": columns + "r1,all,a,1\nr1,mon,b,1\nr1,all,c,1\n", "calendar.txt": calendar, "stop_times.txt": calls("a A@8:00 B@8:10", "b C@8:20 B@8:30", "c B@8:40 D@8:50")}, []ask{{"a", monday, ""}, {"b", monday, "c"}, {"a", tuesday, ""}}},
		"a rule before the block":                           {drawing{"trips.txt": columns + "r1,all,a,1\nr1,all,b,1\nr1,mon,c,\n", "calendar.txt": calendar, "stop_times.txt": calls("a A@8:00 B@8:10", "b B@8:20 C@8:30", "c B@8:40 D@8:50"), "transfers.txt": seats + "a,c,4\n"}, []ask{{"a", monday, "c"}, {"a", tuesday, "b"}}},
		"a rule that passengers get off":                    {drawing{"trips.txt": columns + "r1,all,a,1\nr1,all,b,1\nr1,all,c,1\n", "stop_times.txt": three, "transfers.txt": seats + "a,b,5\n"}, []ask{{"a", monday, ""}, {"b", monday, "c"}}},
		"a rule without a block":                            {drawing{"trips.txt": columns + "r1,all,a,\nr2,all,b,\nr2,all,c,\n", "stop_times.txt": three, "transfers.txt": seats + "a,b,4\nb,c,5\n"}, []ask{{"a", monday, "b"}, {"b", monday, ""}}},
		"a rule of a trip to itself or to one before":       {drawing{"trips.txt": columns + "r1,all,a,\nr2,all,b,\nr2,all,c,\n", "stop_times.txt": three, "transfers.txt": seats + "a,a,4\nc,b,4\n"}, []ask{{"a", monday, ""}, {"c", monday, ""}}},
	} {
		x, _ := built(t, importer.Options{Feeds: []string{c.draw.folder(t)}})
		for _, a := range c.asks {
			if got := onward(t, x, a.trip, a.day); got != a.want {
				t.Errorf("%s: %s goes on as %q on %s, want %q", name, a.trip, got, a.day, a.want)
			}
		}
	}
	// The last stop of a trip that goes on is no departure of it: the next trip departs there.
	x, _ := built(t, importer.Options{Feeds: []string{drawing{"trips.txt": columns + "r1,all,a,1\nr2,all,b,1\n", "stop_times.txt": calls("a A@8:00 B@8:10", "b B@8:10 C@8:30")}.folder(t)}})
	if got := board(t, x, "B", winter+"08:00:00Z"); !slices.Equal(got, []string{"08:10 2 Gamma"}) {
		t.Errorf("%q", got)
	}
}

// Continuations of drawn blocks are those of a walk through each day's trips.
func TestContinuationsOfDrawnBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	found, expected := 0, 0
	for range 30 {
		type trip struct {
			id            string
			begin, end    int
			days          [3]bool
			after, before string
		}
		calendar := "service_id,date,exception_type\n"
		text, visits, list := "route_id,service_id,trip_id,block_id\n", []string{}, []trip{}
		for i := range 12 {
			begin := r.IntN(600)
			one := trip{id: fmt.Sprint("t", i), begin: begin, end: begin + 5 + r.IntN(60), before: []string{"A", "B"}[r.IntN(2)], after: []string{"A", "B"}[r.IntN(2)]}
			for d := range one.days {
				if one.days[d] = r.IntN(2) == 0; one.days[d] || d == 2 && one.days == [3]bool{} {
					one.days[d] = true
					calendar += fmt.Sprintf("s%d,2024011%d,1\n", i, d)
				}
			}
			list = append(list, one)
			text += fmt.Sprintf("r1,s%d,%s,x\n", i, one.id)
			clock := func(minute int) string { return fmt.Sprintf("%d:%02d", minute/60, minute%60) }
			visits = append(visits, fmt.Sprintf("%s %s@%s D@%s %s@%s", one.id, one.before, clock(one.begin), clock(one.begin+2), one.after, clock(one.end)))
		}
		x, _ := built(t, importer.Options{Feeds: []string{drawing{"trips.txt": text, "calendar.txt": "service_id,start_date,end_date\n", "calendar_dates.txt": calendar, "stop_times.txt": calls(visits...)}.folder(t)}})
		slices.SortStableFunc(list, func(p, q trip) int { return cmp.Or(cmp.Compare(p.begin, q.begin), cmp.Compare(p.end, q.end)) })
		for d := range 3 {
			for i, one := range list {
				if !one.days[d] {
					continue
				}
				want := ""
				for j, next := range list {
					if j != i && next.days[d] && next.begin >= one.end {
						if next.before == one.after {
							want = next.id
						}
						break
					}
				}
				// Where days differ, a continuation may be left out, but never be another.
				got := onward(t, x, one.id, fmt.Sprint("2024011", d))
				if got != want && got != "" {
					t.Fatalf("%s on day %d goes on as %q, want %q: %+v", one.id, d, got, want, list)
				}
				if want != "" {
					expected++
				}
				if got != "" {
					found++
				}
			}
		}
	}
	if found < expected*2/3 {
		t.Errorf("%d of %d continuations", found, expected)
	}
}
