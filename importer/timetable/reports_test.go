package timetable_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	importer "github.com/waygate/waygate/importer/timetable"
)

// Feeds by which other systems fell, as their trackers describe them: each is drawn, and the
// board of a stop is the right one.
func TestReportedFeeds(t *testing.T) {
	const (
		columns = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
		weekly  = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
	)
	for report, c := range map[string]struct {
		draw       drawing
		stop, from string
		want       []string
		fault      string
	}{
		// The last stop stands there twice, and the first of both has no time.
		"OpenTripPlanner 2113, 2220": {drawing{"stop_times.txt": columns + "t1,8:00:00,8:00:00,A,1\nt1,,,B,2\nt1,,,C,3\nt1,8:20:00,8:20:00,C,4\n"}, "B", winter + "08:00:00Z", []string{"08:10 1 Delta"}, ""},
		// A trip without any time, beside one that is whole.
		"OpenTripPlanner 2392": {drawing{"trips.txt": base["trips.txt"] + "r2,all,t2,Nowhere\n", "stop_times.txt": base["stop_times.txt"] + "t2,,,A,0\nt2,,,B,1\n"}, "A", winter + "08:00:00Z", []string{"08:00 1 Delta"}, "a trip without a time"},
		// No time at the last stop: the trip ends at the last one with a time.
		"OpenTripPlanner 1094": {drawing{"stop_times.txt": columns + "t1,8:00:00,8:00:00,A,1\nt1,8:10:00,8:10:00,B,2\nt1,,,C,3\n"}, "A", winter + "08:00:00Z", []string{"08:00 1 Delta"}, "begins or ends without a time"},
		// Times of timing points alone: between them nobody arrives in no time.
		"transitous 753": {drawing{"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint\nt1,8:00:00,8:00:00,A,1,1\nt1,,,B,2,0\nt1,,,C,3,0\nt1,8:30:00,8:30:00,D,4,1\n"}, "C", winter + "08:00:00Z", []string{"08:20 1 Delta"}, ""},
		// Hours of one digit behind a blank.
		"gtfs-validator 390": {drawing{"stop_times.txt": columns + "t1, 8:00:00, 8:00:00,A,1\nt1, 8:10:00 ,8:10:00,B,2\n"}, "A", winter + "08:00:00Z", []string{"08:00 1 Delta"}, ""},
		// Several calls of one number: they are in the order of the file.
		"R5 800": {drawing{"stop_times.txt": columns + "t1,8:00:00,8:00:00,A,1\nt1,8:10:00,8:10:00,B,1\nt1,8:20:00,8:20:00,C,1\nt1,8:30:00,8:30:00,D,6\n"}, "B", winter + "08:00:00Z", []string{"08:10 1 Delta"}, ""},
		// Calls of two trips in turn, and one's last ones first.
		"gtfs-validator 2056": {drawing{
			"trips.txt":      base["trips.txt"] + "r2,all,t2,Gamma\n",
			"stop_times.txt": columns + "t1,8:20:00,8:20:00,C,3\nt2,8:05:00,8:05:00,A,1\nt1,8:00:00,8:00:00,A,1\nt2,8:15:00,8:15:00,B,2\nt1,8:10:00,8:10:00,B,2\nt2,8:25:00,8:25:00,C,3\n",
		}, "B", winter + "08:00:00Z", []string{"08:10 1 Delta", "08:15 2 Gamma"}, ""},
		// Numbers of calls are numbers, not texts: 9 comes before 10.
		"motis 832": {drawing{"stop_times.txt": columns + "t1,8:10:00,8:10:00,B,10\nt1,8:00:00,8:00:00,A,9\nt1,8:40:00,8:40:00,C,100\n"}, "B", winter + "08:00:00Z", []string{"08:10 1 Delta"}, ""},
		// A zone by its former name.
		"gtfs.guru 13": {drawing{"agency.txt": "agency_id,agency_name,agency_url,agency_timezone\n1,Kyiv,http://k.example,Europe/Kiev\n"}, "A", winter + "06:00:00Z", []string{"08:00 1 Delta"}, ""},
		// A service without a day of the week, all of whose days are added.
		"gtfs.guru 13, days": {drawing{"calendar.txt": weekly + "all,0,0,0,0,0,0,0,20240101,20241231\n", "calendar_dates.txt": "service_id,date,exception_type\nall,20240110,1\n"}, "A", winter + "08:00:00Z", []string{"08:00 1 Delta"}, ""},
		// A file without a byte, where another does its work.
		"gtfs-validator 898": {drawing{"calendar.txt": "", "calendar_dates.txt": "service_id,date,exception_type\nall,20240110,1\n", "frequencies.txt": "", "shapes.txt": "", "pathways.txt": "", "levels.txt": ""}, "A", winter + "08:00:00Z", []string{"08:00 1 Delta"}, ""},
		// A trip without calls, and calls of a trip that is not there, in another order than the trips.
		"gtfs2lc 70": {drawing{"trips.txt": tripColumns + "r2,all,empty,X\nr1,all,t1,Delta\n", "stop_times.txt": base["stop_times.txt"] + "lost,9:00:00,9:00:00,A,1\nlost,9:10:00,9:10:00,B,2\n"}, "A", winter + "08:00:00Z", []string{"08:00 1 Delta"}, ""},
		// A headsign of a stop is not that of the stops after it.
		"MobilityData 37": {drawing{"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\nt1,8:00:00,8:00:00,A,1,via Beta\nt1,8:10:00,8:10:00,B,2,\nt1,8:20:00,8:20:00,C,3,\n"}, "B", winter + "08:00:00Z", []string{"08:10 1 Delta"}, ""},
		// A trip after midnight is on the board of the day on which it comes, and on no other.
		"motis 836":                {drawing{"calendar.txt": weekly + "all,0,0,1,0,0,0,0,20240101,20241231\n", "stop_times.txt": calls("t1 A@26:38 B@27:00")}, "A", winter + "02:00:00Z", []string{}, ""},
		"motis 836, the day after": {drawing{"calendar.txt": weekly + "all,0,0,1,0,0,0,0,20240101,20241231\n", "stop_times.txt": calls("t1 A@26:38 B@27:00")}, "A", "2024-01-11T02:00:00Z", []string{"02:38 1 Delta"}, ""},
		// A change of two lines at a stop at which neither calls.
		"OpenTripPlanner 3867": {drawing{"transfers.txt": "from_stop_id,to_stop_id,from_route_id,to_route_id,transfer_type\nD,D,r1,r2,1\nC,D,r2,r1,1\n", "stop_times.txt": calls("t1 A@8:00 B@8:10")}, "A", winter + "08:00:00Z", []string{"08:00 1 Delta"}, ""},
		// The least time of a change between stops that are 1,000 km apart is no way to go there.
		"navitia 3148": {drawing{
			"stops.txt": base["stops.txt"] + "E,,Edinburgh,60.50,-0.10\n", "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,E,2,120\nA,B,2,120\n",
		}, "A", winter + "08:00:00Z", []string{"08:00 1 Delta"}, "faster than anybody walks"},
	} {
		x, r := built(t, importer.Options{Feeds: []string{c.draw.folder(t)}})
		if got := board(t, x, c.stop, c.from); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", report, got, c.want)
		}
		if c.fault != "" && !strings.Contains(fmt.Sprint(r.Faults), c.fault) {
			t.Errorf("%s: faults %q have no %q", report, r.Faults, c.fault)
		}
		if got := walks(x, "A"); strings.Contains(fmt.Sprint(got), "E ") {
			t.Errorf("%s: walks %q", report, got)
		}
	}
}
