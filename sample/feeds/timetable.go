package feeds

import (
	"fmt"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/sample"
)

// busTrip is a trip of the timetable.
type busTrip struct {
	id        string
	direction int // 1 goes from the last stop to the first
	start     int // seconds of the service day
	run       int // numbers the trips of its service in a direction
}

// busServices are the days of buses, and the minutes between them.
var busServices = []struct {
	id    string
	every int
}{{"week", 30}, {"sunday", 60}}

// tripsOf lists the trips of a line, the n-th of all, on the days of a service.
func tripsOf(l *sample.BusLine, n, service int) (list []busTrip) {
	s := busServices[service]
	for direction := range 2 {
		for start := firstBus + 7*n; start <= lastBus; start += s.every {
			list = append(list, busTrip{fmt.Sprintf("%s-%s-%d-%04d", l.Ref, s.id, direction, start), direction, start * 60, (start - firstBus) / s.every})
		}
	}
	return list
}

// busCall is a stop of a line, and when a trip is there, in seconds of its service day.
type busCall struct{ stop, place, second int }

// callsOf lists the calls of a trip, with the stops at some places.
func callsOf(l *sample.BusLine, t busTrip, at []geo.Point) (list []busCall) {
	second := t.start
	for i := range l.Stops {
		n, before := i, max(0, i-1)
		if t.direction == 1 {
			n, before = len(l.Stops)-1-i, min(len(l.Stops)-1, len(l.Stops)-i)
		}
		if i > 0 {
			second += int(geo.Distance(at[l.Stops[before]], at[l.Stops[n]])/busPace) + 20
		}
		list = append(list, busCall{l.Stops[n], l.Places[n], second})
	}
	return list
}

// The hours of buses, in minutes of the day: the first and the last departure, which is
// after midnight.
const (
	firstBus = 6 * 60
	lastBus  = 24*60 + 30
)

// busPace is the speed of a bus with its stops, in metres a second.
const busPace = 7

// Timetable returns the timetable of the county's buses: the tables of a GTFS feed by their
// names. Buses run each way every half hour, and every hour on Sundays, to the end of 2035.
func Timetable(s *sample.Sample) map[string]string {
	tables := map[string]string{
		"agency.txt":    "agency_id,agency_name,agency_url,agency_timezone,agency_noc\n1,Halvern Omnibus,http://halvern.example,Europe/London,HALV\n",
		"feed_info.txt": "feed_publisher_name,feed_publisher_url,feed_lang,feed_version\nHalvern Omnibus (invented),http://halvern.example,en,1\n",
		"calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n" +
			"week,1,1,1,1,1,1,0,20250601,20351231\nsunday,0,0,0,0,0,0,1,20250601,20351231\n",
	}
	at := stopPlaces(s)
	var stops, routes, trips, calls strings.Builder
	stops.WriteString("stop_id,stop_code,stop_name,stop_lat,stop_lon\n")
	for i, stop := range s.Stops {
		fmt.Fprintf(&stops, "%s,hal%03d,\"%s\",%.6f,%.6f\n", stop.Code, i+1, stop.Name, at[i].Lat, at[i].Lon)
	}
	routes.WriteString("route_id,agency_id,route_short_name,route_long_name,route_type,route_color\n")
	trips.WriteString("route_id,service_id,trip_id,trip_headsign,direction_id\n")
	calls.WriteString("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n")
	colours := []string{"c8102e", "00573f", "003da5", "b58500", "6d2077"}
	for n, l := range s.Buses {
		fmt.Fprintf(&routes, "%s,1,%s,%s - %s,3,%s\n", l.Ref, l.Ref, l.From, l.To, colours[n%len(colours)])
		for service := range busServices {
			for _, t := range tripsOf(&l, n, service) {
				fmt.Fprintf(&trips, "%s,%s,%s,%s,%d\n", l.Ref, busServices[service].id, t.id, []string{l.To, l.From}[t.direction], t.direction)
				for i, c := range callsOf(&l, t, at) {
					clock := fmt.Sprintf("%02d:%02d:%02d", c.second/3600, c.second/60%60, c.second%60)
					fmt.Fprintf(&calls, "%s,%s,%s,%s,%d\n", t.id, clock, clock, s.Stops[c.stop].Code, i)
				}
			}
		}
	}
	tables["stops.txt"], tables["routes.txt"], tables["trips.txt"], tables["stop_times.txt"] = stops.String(), routes.String(), trips.String(), calls.String()
	return tables
}

// stopPlaces returns where the stops are.
func stopPlaces(s *sample.Sample) []geo.Point {
	number := map[int64]int{}
	for i, stop := range s.Stops {
		number[stop.Node] = i
	}
	at := make([]geo.Point, len(s.Stops))
	for _, n := range s.Data.Nodes {
		if i, is := number[n.ID]; is {
			at[i] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
		}
	}
	return at
}
