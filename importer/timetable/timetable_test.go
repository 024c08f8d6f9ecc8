package timetable_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region"
)

// drawing is the tables of a feed. What it leaves out is that of base.
type drawing map[string]string

// base is two lines of one operator in a town with four stops A to D, on every day of 2024.
var base = drawing{
	"agency.txt":   "agency_id,agency_name,agency_url,agency_timezone,agency_noc\n1,Town Buses,http://t.example,Europe/London,TOWN\n",
	"stops.txt":    "stop_id,stop_code,stop_name,stop_lat,stop_lon\nA,aaa,Alpha,51.50,-0.10\nB,bbb,Beta,51.51,-0.10\nC,ccc,Gamma,51.52,-0.10\nD,ddd,Delta,51.53,-0.10\n",
	"routes.txt":   "route_id,agency_id,route_short_name,route_type\nr1,1,1,3\nr2,1,2,3\n",
	"calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nall,1,1,1,1,1,1,1,20240101,20241231\n",
	"trips.txt":    "route_id,service_id,trip_id,trip_headsign\nr1,all,t1,Delta\n",
	"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" +
		"t1,08:00:00,08:00:00,A,1\nt1,08:10:00,08:11:00,B,2\nt1,08:20:00,08:20:00,C,3\nt1,08:30:00,08:30:00,D,4\n",
}

// folder writes a feed and returns its folder.
func (d drawing) folder(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "town")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	all := maps.Clone(base)
	maps.Copy(all, d)
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// built imports feeds.
func built(t testing.TB, o importer.Options) (*timetable.Index, *importer.Result) {
	t.Helper()
	o.Out = filepath.Join(t.TempDir(), "section")
	r, err := importer.Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := region.ReadSection(timetable.SectionName, data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := timetable.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return x, r
}

// board writes the departures of a stop in an hour from a time: "08:11 1 Delta".
func board(t testing.TB, x *timetable.Index, stop, from string) []string {
	t.Helper()
	n, ok := x.Find(stop)
	if !ok {
		t.Fatalf("no stop %s", stop)
	}
	at, err := time.Parse(time.RFC3339, from)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, d := range x.Departures(timetable.DepartureQuery{Stops: x.Within(n), Modes: timetable.All, From: at, Window: time.Hour, Limit: 20}) {
		text := d.At.Format("15:04") + " " + x.LineName(x.LineOf(d)) + " " + x.Sign(d)
		if d.Every > 0 {
			text += fmt.Sprint(" every ", d.Every)
		}
		list = append(list, text)
	}
	return list
}

// calls writes rows of stop_times.txt: a trip, and a stop with its time each.
func calls(trips ...string) string {
	text := "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n"
	for _, trip := range trips {
		words := strings.Fields(trip)
		for i, call := range words[1:] {
			stop, at, _ := strings.Cut(call, "@")
			at, rules, _ := strings.Cut(at, "/")
			board, alight, _ := strings.Cut(rules, "/")
			text += fmt.Sprintf("%s,%s:00,%s:00,%s,%d,%s,%s\n", words[0], at, at, stop, i, board, alight)
		}
	}
	return text
}

const (
	tripColumns = "route_id,service_id,trip_id,trip_headsign\n"
	winter      = "2024-01-10T"
)

func TestBoards(t *testing.T) {
	type ask struct {
		stop, from string
		want       []string
	}
	none := []string{}
	for name, c := range map[string]struct {
		draw drawing
		asks []ask
	}{
		"a plain trip: no departure from its last stop, none before or after the hour": {drawing{}, []ask{
			{"A", winter + "08:00:00Z", []string{"08:00 1 Delta"}},
			{"B", winter + "07:30:00Z", []string{"08:11 1 Delta"}},
			{"D", winter + "08:00:00Z", none},
			{"A", winter + "08:00:01Z", none},
			{"A", winter + "07:00:00Z", none},
			{"A", "2025-01-01T08:00:00Z", none},
			{"A", "2023-12-31T08:00:00Z", none},
			{"A", "2024-12-31T08:00:00Z", []string{"08:00 1 Delta"}},
			{"A", "2024-07-10T07:00:00Z", []string{"08:00 1 Delta"}},
		}},
		"after midnight: yesterday's 26:35 and today's 2:35 both": {drawing{
			"trips.txt": tripColumns + "r1,all,late,Night\nr2,all,early,Morning\n", "stop_times.txt": calls("late A@25:30 B@26:35 C@27:00", "early B@2:35 C@3:00"),
		}, []ask{{"B", winter + "02:30:00Z", []string{"02:35 1 Night", "02:35 2 Morning"}}, {"A", winter + "01:00:00Z", []string{"01:30 1 Night"}}}},
		"the first day of service has no yesterday": {drawing{
			"trips.txt": tripColumns + "r1,all,late,Night\n", "stop_times.txt": calls("late A@25:30 B@26:35"),
		}, []ask{{"A", "2024-01-01T01:00:00Z", none}, {"A", "2025-01-01T01:00:00Z", []string{"01:30 1 Night"}}}},
		"a trip of three days": {drawing{
			"trips.txt": tripColumns + "r1,all,long,Far\n", "stop_times.txt": calls("long A@8:00 B@50:00 C@80:00"),
		}, []ask{{"B", winter + "02:00:00Z", []string{"02:00 1 Far"}}}},
		"clocks go forward: times count from noon minus twelve hours": {drawing{
			"trips.txt": tripColumns + "r1,all,a,Noon\nr1,all,b,Dawn\n", "stop_times.txt": calls("a A@12:00 B@12:30", "b A@0:30 B@1:00"),
		}, []ask{{"A", "2024-03-31T11:00:00Z", []string{"12:00 1 Noon"}}, {"A", "2024-03-30T23:00:00Z", []string{"23:30 1 Dawn"}}}},
		"clocks go back": {drawing{
			"trips.txt": tripColumns + "r1,all,a,Noon\nr1,all,b,Dawn\n", "stop_times.txt": calls("a A@12:00 B@12:30", "b A@0:30 B@1:00"),
		}, []ask{{"A", "2024-10-27T12:00:00Z", []string{"12:00 1 Noon"}}, {"A", "2024-10-27T00:00:00Z", []string{"01:30 1 Dawn"}}}},
		"days that are added and taken away": {drawing{
			"calendar.txt":       "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nall,1,1,1,1,1,0,0,20240101,20241231\n",
			"calendar_dates.txt": "service_id,date,exception_type\nall,20240113,1\nall,20240115,2\n",
		}, []ask{{"A", "2024-01-13T08:00:00Z", []string{"08:00 1 Delta"}}, {"A", "2024-01-14T08:00:00Z", none}, {"A", "2024-01-15T08:00:00Z", none}, {"A", "2024-01-16T08:00:00Z", []string{"08:00 1 Delta"}}}},
		"only added days, a line without the calendar": {drawing{
			"calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n", "calendar_dates.txt": "service_id,date,exception_type\nall,20240110,1\n",
		}, []ask{{"A", winter + "08:00:00Z", []string{"08:00 1 Delta"}}, {"A", "2024-01-11T08:00:00Z", none}}},
		"a headway that is not exact, on the board, with its first time not 0": {drawing{
			"frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt1,09:00:00,10:00:00,1200\nt1,10:00:00,10:40:00,1800\n",
		}, []ask{
			{"A", winter + "09:00:00Z", []string{"09:00 1 Delta every 1200", "09:20 1 Delta every 1200", "09:40 1 Delta every 1200"}},
			{"B", winter + "09:30:00Z", []string{"09:31 1 Delta every 1200", "09:51 1 Delta every 1200", "10:11 1 Delta every 1800"}},
			{"A", winter + "10:00:00Z", []string{"10:00 1 Delta every 1800", "10:30 1 Delta every 1800"}},
			{"A", winter + "08:00:00Z", none},
		}},
		"an exact headway of two periods: none twice at their seam": {drawing{
			"frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\nt1,09:00:00,09:30:00,900,1\nt1,09:30:00,10:00:00,900,1\n",
		}, []ask{{"A", winter + "09:00:00Z", []string{"09:00 1 Delta", "09:15 1 Delta", "09:30 1 Delta", "09:45 1 Delta"}}}},
		"a headway past midnight": {drawing{
			"frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt1,23:50:00,24:20:00,600\n",
		}, []ask{{"A", winter + "00:00:00Z", []string{"00:00 1 Delta every 600", "00:10 1 Delta every 600"}}}},
		"a loop: the stop departs twice, and not where the trip ends": {drawing{
			"stop_times.txt": calls("t1 A@8:00 B@8:10 C@8:20 B@8:30 A@8:40"),
		}, []ask{{"B", winter + "08:00:00Z", []string{"08:10 1 Delta", "08:30 1 Delta"}}, {"A", winter + "08:00:00Z", []string{"08:00 1 Delta"}}}},
		"rules of boarding: nobody boards, by phone, and a call where nobody gets on or off": {drawing{
			"stop_times.txt": calls("t1 A@8:00 B@8:10/1/0 C@8:20/2/3 D@8:25/1/1 B@8:30"),
		}, []ask{{"B", winter + "08:00:00Z", none}, {"C", winter + "08:00:00Z", []string{"08:20 1 Delta"}}, {"D", winter + "08:00:00Z", none}}},
		"trips that overtake": {drawing{
			"trips.txt": tripColumns + "r1,all,slow,Slow\nr1,all,fast,Fast\n", "stop_times.txt": calls("slow A@8:00 B@8:40 C@9:00", "fast A@8:10 B@8:20 C@8:30"),
		}, []ask{{"A", winter + "08:00:00Z", []string{"08:00 1 Slow", "08:10 1 Fast"}}, {"B", winter + "08:00:00Z", []string{"08:20 1 Fast", "08:40 1 Slow"}}}},
		"calls out of order, and times that are not given, by distance": {drawing{
			"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,08:30:00,08:30:00,D,40\nt1,,,C,30\nt1,,,B,20\nt1,08:00:00,08:00:00,A,10\n",
		}, []ask{{"B", winter + "08:00:00Z", []string{"08:10 1 Delta"}}, {"C", winter + "08:00:00Z", []string{"08:20 1 Delta"}}}},
		"no headsign: the last stop; a headsign of a stop": {drawing{
			"trips.txt":      "route_id,service_id,trip_id\nr1,all,t1\n",
			"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\nt1,8:00:00,8:00:00,A,1,\nt1,8:10:00,8:10:00,B,2,via Gamma\nt1,8:20:00,8:20:00,C,3,\n",
		}, []ask{{"A", winter + "08:00:00Z", []string{"08:00 1 Gamma"}}, {"B", winter + "08:00:00Z", []string{"08:10 1 via Gamma"}}}},
		"one trip under two routes of one number is one departure": {drawing{
			"routes.txt": "route_id,agency_id,route_short_name,route_type\nr1,1,1,3\nr2,1,1,3\n", "trips.txt": tripColumns + "r1,all,t1,Delta\nr2,all,t2,Delta\n",
			"stop_times.txt": calls("t1 A@8:00 B@8:10", "t2 A@8:00 B@8:10"),
		}, []ask{{"A", winter + "08:00:00Z", []string{"08:00 1 Delta"}}}},
		"two trips of the same times on other lines are two": {drawing{
			"trips.txt": tripColumns + "r1,all,t1,Delta\nr2,all,t2,Delta\n", "stop_times.txt": calls("t1 A@8:00 B@8:10", "t2 A@8:00 B@8:10"),
		}, []ask{{"A", winter + "08:00:00Z", []string{"08:00 1 Delta", "08:00 2 Delta"}}}},
		"a station and its platforms: each departure once": {drawing{
			"stops.txt":      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code\nS,Central,51.5,-0.1,1,,\nA,Central,51.5,-0.1001,0,S,1\nB,Central,51.5,-0.1002,0,S,2\nC,Away,51.6,-0.1,0,,\n",
			"trips.txt":      tripColumns + "r1,all,t1,Away\nr2,all,t2,Away\n",
			"stop_times.txt": calls("t1 A@8:00 C@8:10", "t2 B@8:05 C@8:15"),
		}, []ask{{"S", winter + "08:00:00Z", []string{"08:00 1 Away", "08:05 2 Away"}}, {"A", winter + "08:00:00Z", []string{"08:00 1 Away"}}, {"B", winter + "08:00:00Z", []string{"08:05 2 Away"}}}},
		"names in UTF-8 with a mark of byte order, and quotations": {drawing{
			"stops.txt": "\ufeffstop_id,stop_name,stop_lat,stop_lon\r\nA,\"Caffè \"\"Roma\"\", gare\",51.5,-0.1\r\nB,Zoë,51.6,-0.1\r\n",
			"trips.txt": "route_id,service_id,trip_id\nr1,all,t1\n", "stop_times.txt": calls("t1 B@8:00 A@8:10"),
		}, []ask{{"B", winter + "08:00:00Z", []string{"08:00 1 Caffè \"Roma\", gare"}}}},
	} {
		x, _ := built(t, importer.Options{Feeds: []string{c.draw.folder(t)}})
		for _, a := range c.asks {
			if got := board(t, x, a.stop, a.from); !slices.Equal(got, a.want) {
				t.Errorf("%s: %s at %s: %q, want %q", name, a.stop, a.from, got, a.want)
			}
		}
	}
}

// Faults of a feed are counted and survived: the rest of it is there.
func TestFaults(t *testing.T) {
	whole := []string{"08:00 1 Delta"}
	for name, c := range map[string]struct {
		draw  drawing
		fault string
		want  []string
	}{
		"a time with 61 minutes":         {drawing{"stop_times.txt": calls("t1 A@8:00 B@8:61 C@8:20")}, "a time that is none", whole},
		"a time that runs backwards":     {drawing{"stop_times.txt": calls("t1 A@8:00 B@7:10 C@8:20")}, "run backwards", whole},
		"a call at no stop":              {drawing{"stop_times.txt": calls("t1 A@8:00 X@8:10 C@8:20")}, "a call at no stop", whole},
		"a trip without a time":          {drawing{"stop_times.txt": "trip_id,stop_id,stop_sequence\nt1,A,1\nt1,B,2\n"}, "a trip without a time", []string{}},
		"a stop at 0,0":                  {drawing{"stops.txt": base["stops.txt"] + "E,,Nowhere,0,0\n"}, "at 0,0", whole},
		"a stop without coordinates":     {drawing{"stops.txt": base["stops.txt"] + "E,,Nowhere,,\n"}, "at 0,0", whole},
		"a stop off the globe":           {drawing{"stops.txt": base["stops.txt"] + "E,,Nowhere,97,0\n"}, "at 0,0", whole},
		"a stop twice":                   {drawing{"stops.txt": base["stops.txt"] + "A,,Again,51.5,-0.1\n"}, "a stop twice", whole},
		"a parent that is not there":     {drawing{"stops.txt": "stop_id,stop_name,stop_lat,stop_lon,parent_station\nA,Alpha,51.5,-0.1,P\nB,Beta,51.51,-0.1,\nC,C,51.52,-0.1,\nD,D,51.53,-0.1,D\n"}, "a parent_station", whole},
		"a headway of 0":                 {drawing{"frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt1,09:00:00,10:00:00,0\n"}, "a headway that are none", whole},
		"a headway that ends before":     {drawing{"frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt1,11:00:00,10:00:00,60\n"}, "a headway that are none", whole},
		"a trip of no route":             {drawing{"trips.txt": base["trips.txt"] + "none,all,t2,X\n"}, "a trip of no route", whole},
		"a trip of no service":           {drawing{"trips.txt": base["trips.txt"] + "r1,none,t2,X\n"}, "a trip of no service", whole},
		"a route of no agency":           {drawing{"routes.txt": base["routes.txt"] + "r3,9,3,3\n"}, "a route of no agency", whole},
		"an agency in no zone":           {drawing{"agency.txt": base["agency.txt"] + "2,Mars,http://m.example,Mars/Olympus,M\n"}, "a time zone that is not known", whole},
		"dates that end before":          {drawing{"calendar.txt": base["calendar.txt"] + "odd,1,1,1,1,1,1,1,20241231,20240101\n"}, "end before they begin", whole},
		"a service to the year 2099":     {drawing{"calendar.txt": base["calendar.txt"] + "long,1,1,1,1,1,1,1,20240101,20991231\n"}, "more than 4000 days", whole},
		"a record with a bad quotation":  {drawing{"trips.txt": base["trips.txt"] + "\"r1,all,t2,X\n"}, "a quotation does not end", whole},
		"services on demand":             {drawing{"locations.geojson": "{}"}, "on demand", whole},
		"an exception of no known kind":  {drawing{"calendar_dates.txt": "service_id,date,exception_type\nall,20240110,3\n"}, "an exception_type that is none", whole},
		"a rule of boarding that is odd": {drawing{"stop_times.txt": calls("t1 A@8:00/7/0 B@8:10")}, "a rule of boarding that is none", whole},
	} {
		x, r := built(t, importer.Options{Feeds: []string{c.draw.folder(t)}})
		if got := board(t, x, "A", winter+"08:00:00Z"); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if !slices.ContainsFunc(r.Faults, func(f string) bool { return strings.Contains(f, c.fault) }) {
			t.Errorf("%s: faults %q have no %q", name, r.Faults, c.fault)
		}
	}
}

// Two feeds: what both have is there once; ids that mean other stops are kept apart.
func TestFeedsTogether(t *testing.T) {
	other := drawing{
		"agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nx,town buses,http://t.example,Europe/London\n",
		"routes.txt": "route_id,agency_id,route_short_name,route_type\nq,x,1,3\n",
		"stops.txt":  "stop_id,stop_code,stop_name,stop_lat,stop_lon\nA,aaa,Alpha,51.5001,-0.10\nZ,bbb,Beta,51.51,-0.1001\nC,zzz,Elsewhere,52.9,-1.1\nD,ddd,Delta,51.53,-0.10\n",
		"trips.txt":  tripColumns + "q,all,same,Delta\nq,all,more,Delta\n",
		"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" +
			"same,08:00:00,08:00:00,A,1\nsame,08:10:00,08:11:00,Z,2\nsame,08:30:00,08:30:00,D,4\nmore,08:05:00,08:05:00,A,1\nmore,09:00:00,09:00:00,C,2\n",
	}
	first := drawing{"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,08:00:00,08:00:00,A,1\nt1,08:10:00,08:11:00,B,2\nt1,08:30:00,08:30:00,D,4\n"}
	x, r := built(t, importer.Options{Feeds: []string{first.folder(t), other.folder(t)}})
	if got := board(t, x, "A", winter+"08:00:00Z"); !slices.Equal(got, []string{"08:00 1 Delta", "08:05 1 Delta"}) {
		t.Errorf("%q", got)
	}
	if r.Counts["timetable_repeated_trips"] != 1 || x.Stops() != 5 {
		t.Errorf("%v, %d stops", r.Counts, x.Stops())
	}
	if n, ok := x.Find("town:C"); !ok || x.Stop(n).Name != "Elsewhere" {
		t.Errorf("the other feed's stop C: %v", ok)
	}
}

// NaPTAN names what a feed does not: the indicator and the locality, and places where the
// feed has none.
func TestRegister(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Stops.csv")
	text := "ATCOCode,NaptanCode,CommonName,Indicator,LocalityName,Easting,Northing,Longitude,Latitude,StopType,Status,Bearing\n" +
		"A,aaa,Alpha Road,Stop K,Northtown,,,-0.1,51.5,BCT,active,nw\nB,bbb,Beta,opp,Southtown,530000,180000,,,BCT,inactive,?\nC,ccc,Station,,,530000,180000,,,RLY,active\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	draw := drawing{"stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nA,,51.50,-0.10\nB,Beta,,\nC,Gamma,,\nD,Delta,51.53,-0.10\n"}
	x, r := built(t, importer.Options{Feeds: []string{draw.folder(t)}, Stops: []string{path}})
	a, _ := x.Find("A")
	if s := x.Stop(a); s.Name != "Alpha Road" || s.Indicator != "Stop K" || s.Locality != "Northtown" || s.Code != "aaa" || s.Heading != "NW" {
		t.Errorf("%+v", s)
	}
	b, ok := x.Find("B")
	if s := x.Stop(b); !ok || s.Heading != "" || s.At.Lat < 51.5 || s.At.Lat > 51.51 || s.At.Lon < -0.13 || s.At.Lon > -0.12 {
		t.Errorf("%+v", s)
	}
	if _, there := x.Find("C"); there {
		t.Error("a rail station has NaPTAN's coordinates")
	}
	if r.Counts["timetable_registered_stops"] != 3 {
		t.Errorf("%v", r.Counts)
	}
}

func TestModes(t *testing.T) {
	for number, want := range map[int]timetable.Mode{0: timetable.Tram, 1: timetable.Metro, 2: timetable.Rail, 3: timetable.Bus, 4: timetable.Ferry, 5: timetable.Tram, 7: timetable.CableCar, 11: timetable.Bus, 100: timetable.Rail, 200: timetable.Coach, 204: timetable.Coach, 401: timetable.Metro, 700: timetable.Bus, 715: timetable.Bus, 900: timetable.Tram, 1000: timetable.Ferry, 1300: timetable.CableCar, 1500: timetable.Other, 1700: timetable.Other} {
		if got := timetable.ModeOfType(number); got != want {
			t.Errorf("route_type %d is %s, want %s", number, got, want)
		}
	}
}
