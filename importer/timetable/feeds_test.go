package timetable_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/realdata"
)

// Stops of two feeds are one where their ids, their codes or their names and places say so,
// and where no other stop can be meant. Each finds the board of both.
func TestStopsOfFeedsAreJoined(t *testing.T) {
	const columns = "stop_id,stop_code,stop_name,stop_lat,stop_lon,platform_code\n"
	for name, c := range map[string]struct {
		first, second string // rows of stops.txt besides Z, which is far away
		of            string // the second feed's stop
		want          bool   // whether it is the first feed's A
	}{
		"one id at one place":                       {"A,,High Street,51.5,-0.1,\n", "A,,Hight St,51.5005,-0.1,\n", "A", true},
		"one id at two places":                      {"A,,High Street,51.5,-0.1,\n", "A,,High Street,51.6,-0.1,\n", "town:A", false},
		"one code":                                  {"A,77,High Street,51.5,-0.1,\n", "Q,77,Hight St,51.5005,-0.1,\n", "Q", true},
		"one code at two places":                    {"A,77,High Street,51.5,-0.1,\n", "Q,77,High Street,51.6,-0.1,\n", "Q", false},
		"a code that both sides of a street have":   {"A,77,High Street,51.5,-0.1,\n", "Q,77,East,51.5001,-0.1,\nR,77,West,51.5002,-0.1,\n", "Q", false},
		"a code that the first feed has twice":      {"A,77,North,51.5,-0.1,\nB,77,South,51.5003,-0.1,\n", "Q,77,High Street,51.5,-0.1,\n", "Q", false},
		"one name at one place":                     {"A,,High Street,51.5,-0.1,\n", "Q,,HIGH  STREET.,51.50005,-0.1,\n", "Q", true},
		"one name at two places":                    {"A,,High Street,51.5,-0.1,\n", "Q,,High Street,51.5003,-0.1,\n", "Q", false},
		"two names at one place":                    {"A,,High Street,51.5,-0.1,\n", "Q,,Station,51.5,-0.1,\n", "Q", false},
		"two platforms of one name at one place":    {"A,,Central,51.5,-0.1,1\n", "Q,,Central,51.5,-0.1,2\n", "Q", false},
		"both sides of a street, near their places": {"A,,Inn,51.5,-0.1,\nB,,Inn,51.5001,-0.1,\n", "Q,,Inn,51.500005,-0.1,\nR,,Inn,51.500105,-0.1,\n", "Q", true},
		"both sides, and a place between them":      {"A,,Inn,51.5,-0.1,\nB,,Inn,51.5001,-0.1,\n", "Q,,Inn,51.50005,-0.1,\n", "Q", false},
		"the other side only":                       {"A,,Inn,51.5,-0.1,\n", "Q,,Inn,51.5001,-0.1,\nR,,Inn,51.50001,-0.1,\n", "Q", false},
	} {
		feeds := []string{}
		for i, rows := range []string{c.first, c.second} {
			id, _, _ := strings.Cut(rows, ",")
			trip := []string{"t1", "t2"}[i]
			draw := drawing{
				"stops.txt": columns + rows + "Z,,Away,52.5,-0.1,\n", "trips.txt": tripColumns + "r1,all," + trip + ",\n",
				"stop_times.txt": calls(trip + " " + id + "@8:0" + trip[1:] + " Z@9:00"),
			}
			feeds = append(feeds, draw.folder(t))
		}
		x, _ := built(t, importer.Options{Feeds: feeds})
		a, ok := x.Find("A")
		q, too := x.Find(c.of)
		if !ok || !too || (a == q) != c.want {
			t.Errorf("%s: stops %d and %d (%v, %v), want one: %v", name, a, q, ok, too, c.want)
			continue
		}
		want := []string{"08:02 1 Away"}
		if c.want {
			want = []string{"08:01 1 Away", "08:02 1 Away"}
		}
		if got := board(t, x, c.of, winter+"08:00:00Z"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A trip that is told twice is one departure, and both ids find it.
func TestRepeatedTrips(t *testing.T) {
	for name, c := range map[string]struct {
		draw drawing
		want []string
		ids  []string // of trips that are known
	}{
		"in one feed": {drawing{"trips.txt": tripColumns + "r1,all,t1,Delta\nr1,all,t2,Delta\n", "stop_times.txt": calls("t1 A@8:00 B@8:10", "t2 A@8:00 B@8:10")}, []string{"08:00 1 Delta"}, []string{"t1", "t2"}},
		"one lets people on where the other does not": {drawing{"trips.txt": tripColumns + "r1,all,t1,Delta\nr1,all,t2,Delta\n", "stop_times.txt": calls("t1 A@8:00/1/0 B@8:10", "t2 A@8:00 B@8:10")}, []string{"08:00 1 Delta"}, []string{"t1", "t2"}},
		"at other times they are two":                 {drawing{"trips.txt": tripColumns + "r1,all,t1,Delta\nr1,all,t2,Delta\n", "stop_times.txt": calls("t1 A@8:00 B@8:10", "t2 A@8:00 B@8:11")}, []string{"08:00 1 Delta", "08:00 1 Delta"}, []string{"t1", "t2"}},
		// Two portions of a train go on to other stations from B.
		"coupled trains are two": {drawing{"trips.txt": tripColumns + "r1,all,t1,Gamma\nr1,all,t2,Delta\n", "stop_times.txt": calls("t1 A@8:00 B@8:10 C@8:20", "t2 A@8:00 B@8:10 D@8:30")}, []string{"08:00 1 Delta", "08:00 1 Gamma"}, []string{"t1", "t2"}},
	} {
		x, _ := built(t, importer.Options{Feeds: []string{c.draw.folder(t)}})
		got := board(t, x, "A", winter+"08:00:00Z")
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		for _, id := range c.ids {
			if !x.HasTrip(id) {
				t.Errorf("%s: no trip %s", name, id)
			}
		}
	}
}

// Of two feeds with one trip on days that overlap each day has it once.
func TestOverlappingTrips(t *testing.T) {
	first := drawing{"calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nall,1,1,1,1,1,0,0,20240101,20240630\n"}
	second := drawing{
		"trips.txt": tripColumns + "r1,all,other,Delta\n", "stop_times.txt": strings.ReplaceAll(base["stop_times.txt"], "t1", "other"),
		"calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nall,1,1,1,1,1,1,1,20240401,20241231\n",
	}
	x, r := built(t, importer.Options{Feeds: []string{first.folder(t), second.folder(t)}})
	for day, want := range map[string]int{"2024-01-10": 1, "2024-01-13": 0, "2024-05-15": 1, "2024-05-18": 1, "2024-11-13": 1, "2024-11-16": 1} {
		if got := board(t, x, "A", day+"T07:00:00Z"); len(got) > 1 {
			t.Errorf("%s: %q", day, got)
		}
		at := "T08:00:00Z"
		if day > "2024-04" && day < "2024-10" {
			at = "T07:00:00Z" // summer time
		}
		if got := board(t, x, "A", day+at); len(got) != want {
			t.Errorf("%s: %q, want %d", day, got, want)
		}
	}
	if r.Counts["timetable_repeated_trips"] != 0 || r.Counts["timetable_trips"] != 2 {
		t.Errorf("%v", r.Counts)
	}
}

// Services on demand are counted and named, and what a trip has of calls with times is there.
func TestOnDemand(t *testing.T) {
	const columns = "trip_id,arrival_time,departure_time,stop_id,location_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window\n"
	draw := drawing{
		"routes.txt": base["routes.txt"] + "r3,1,Ring & Ride,3\n",
		"trips.txt":  base["trips.txt"] + "r3,all,zone,\nr2,all,mixed,\nr3,all,one,\n",
		"stop_times.txt": columns + "t1,08:00:00,08:00:00,A,,1,,\nt1,08:10:00,08:10:00,B,,2,,\n" +
			"zone,,,,z1,1,08:00:00,18:00:00\nzone,,,,z1,2,08:00:00,18:00:00\n" +
			"mixed,08:05:00,08:05:00,A,,1,,\nmixed,08:15:00,08:15:00,B,,2,,\nmixed,,,,z1,3,08:15:00,09:00:00\n" +
			"one,,,,z1,1,08:00:00,18:00:00\n",
		"locations.geojson": "{}",
	}
	x, r := built(t, importer.Options{Feeds: []string{draw.folder(t)}})
	if got := board(t, x, "A", winter+"08:00:00Z"); !slices.Equal(got, []string{"08:00 1 Delta", "08:05 2 Beta"}) {
		t.Errorf("%q", got)
	}
	if r.Counts["timetable_trips_on_demand"] != 3 || r.Facts["on_demand"] != "Ring & Ride, 2" || r.Counts["timetable_trips_of_one_stop"] != 0 || len(r.Faults) > 0 {
		t.Errorf("%v %v %v", r.Counts, r.Facts, r.Faults)
	}
	if f := x.Feeds(); len(f) != 1 || f[0].OnDemand != 3 {
		t.Errorf("%+v", f)
	}
}

// Stops that NaPTAN has as out of use keep their departures, which is counted; of two rows of
// a stop that which is in use counts.
func TestRetiredStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Stops.csv")
	text := "ATCOCode,CommonName,Indicator,Status\nA,Alpha,old,inactive\nB,Beta,new,active\nB,Beta,gone,inactive\nC,Gamma,del,DEL\nD,Delta,x,\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	draw := drawing{"stop_times.txt": calls("t1 A@8:00 B@8:10")}
	x, r := built(t, importer.Options{Feeds: []string{draw.folder(t)}, Stops: []string{path}})
	if got := board(t, x, "A", winter+"08:00:00Z"); !slices.Equal(got, []string{"08:00 1 Delta"}) {
		t.Errorf("%q", got)
	}
	if b, _ := x.Find("B"); x.Stop(b).Indicator != "new" {
		t.Errorf("%+v", x.Stop(b))
	}
	if want := "no longer in use and that have departures: 1 times, first A Alpha"; len(r.Faults) != 1 || !strings.Contains(r.Faults[0], want) {
		t.Errorf("%q", r.Faults)
	}
}

// Names in languages are those of the record, else of all records of the name; without one in
// a language the name is as it is.
func TestTranslations(t *testing.T) {
	const columns = "table_name,field_name,language,translation,record_id,record_sub_id,field_value\n"
	draw := drawing{
		"stops.txt":      "stop_id,stop_name,stop_lat,stop_lon\nA,Station,51.5,-0.1\nB,Station,51.51,-0.1\nC,Gamma,51.52,-0.1\n",
		"routes.txt":     "route_id,agency_id,route_short_name,route_long_name,route_type\nr1,1,,Coast Line,3\n",
		"trips.txt":      tripColumns + "r1,all,t1,City\nr1,all,t2,\n",
		"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\nt1,8:00:00,8:00:00,A,1,\nt1,8:10:00,8:10:00,B,2,via Hill\nt1,8:20:00,8:20:00,C,3,\nt2,9:00:00,9:00:00,C,1,\nt2,9:20:00,9:20:00,B,2,\n",
		"translations.txt": columns + "stops,stop_name,cy,Gorsaf,,,Station\nstops,stop_name,cy,Gorsaf y Dref,B,,\nstops,stop_name,fr-FR,Gare,,,Station\n" +
			"routes,route_long_name,cy,Llinell yr Arfordir,r1,,\ntrips,trip_headsign,cy,Dinas,,,City\nstop_times,stop_headsign,cy,drwy'r Bryn,t1,2,\n" +
			"agency,agency_name,cy,Bysiau,1,,\nstops,stop_name,,Nothing,A,,\n",
	}
	x, r := built(t, importer.Options{Feeds: []string{draw.folder(t)}})
	for lang, want := range map[string]string{
		"":      "Station Station Gamma; Coast Line City, Coast Line via Hill, Coast Line Station",
		"cy":    "Gorsaf Gorsaf y Dref Gamma; Llinell yr Arfordir Dinas, Llinell yr Arfordir drwy'r Bryn, Llinell yr Arfordir Gorsaf y Dref",
		"CY-gb": "Gorsaf Gorsaf y Dref Gamma; Llinell yr Arfordir Dinas, Llinell yr Arfordir drwy'r Bryn, Llinell yr Arfordir Gorsaf y Dref",
		"fr":    "Gare Gare Gamma; Coast Line City, Coast Line via Hill, Coast Line Gare",
		"de":    "Station Station Gamma; Coast Line City, Coast Line via Hill, Coast Line Station",
	} {
		var names, lines []string
		for _, id := range []string{"A", "B", "C"} {
			n, _ := x.Find(id)
			names = append(names, x.StopName(n, lang))
			from, _ := time.Parse(time.RFC3339, winter+"08:00:00Z")
			for _, d := range x.Departures(timetable.DepartureQuery{Stops: []uint32{n}, Modes: timetable.All, From: from, Window: 2 * time.Hour, Limit: 5}) {
				lines = append(lines, x.LineNameIn(x.LineOf(d), lang)+" "+x.SignIn(d, lang))
			}
		}
		if got := strings.Join(names, " ") + "; " + strings.Join(lines, ", "); got != want {
			t.Errorf("%q: %q, want %q", lang, got, want)
		}
	}
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0], "a translation of nothing") {
		t.Errorf("%q", r.Faults)
	}
	// The table as it was before 2020.
	draw["translations.txt"] = "trans_id,lang,translation\nGamma,cy,Gama\n"
	x, _ = built(t, importer.Options{Feeds: []string{draw.folder(t)}})
	if c, _ := x.Find("C"); x.StopName(c, "cy") != "Gama" {
		t.Errorf("%q", x.StopName(c, "cy"))
	}
}

// The stops of a real feed whose ids and codes another feed has not are found by their names
// and places, and none is taken for another.
func TestRealStopsAreJoinedByPlace(t *testing.T) {
	path := realdata.File(t, "transit/chester-20230816-small_gtfs.zip")
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	draw := drawing{"stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n", "trips.txt": tripColumns, "stop_times.txt": calls()}
	ids := map[string]string{}
	for i, row := range plainTable(t, z, "stops.txt") {
		lat, err := strconv.ParseFloat(row["stop_lat"], 64)
		if err != nil {
			t.Fatal(err)
		}
		lat += float64(i%3-1) * 0.00002 // two metres off
		id := fmt.Sprint("other", i)
		ids[id] = row["stop_id"]
		draw["stops.txt"] += fmt.Sprintf("%s,%q,%f,%s\n", id, strings.ToUpper(row["stop_name"]), lat, row["stop_lon"])
	}
	x, _ := built(t, importer.Options{Feeds: []string{path, draw.folder(t)}})
	joined := 0
	for id, want := range ids {
		n, ok := x.Find(id)
		if !ok {
			t.Fatalf("no stop %s", id)
		}
		switch x.Stop(n).ID {
		case want:
			joined++
		case id:
		default:
			t.Errorf("%s is %s, and is taken for %s", id, want, x.Stop(n).ID)
		}
	}
	if joined < len(ids)*8/10 { // the others are pairs on both sides of narrow streets
		t.Errorf("%d of %d stops are joined", joined, len(ids))
	}
}
