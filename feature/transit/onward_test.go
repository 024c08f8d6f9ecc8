package transit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/towntest"
)

// siri writes a document of updates of trips of the day of the tests. Each is a trip, and
// after a space by how many minutes its call at a stop is late, or nothing where it is
// cancelled.
func siri(t *testing.T, now time.Time, updates ...string) string {
	t.Helper()
	text := "<Siri><ServiceDelivery><ResponseTimestamp>" + now.Format(time.RFC3339) + "</ResponseTimestamp><EstimatedTimetableDelivery><EstimatedJourneyVersionFrame>"
	for _, u := range updates {
		var trip, stop, aimed string
		late := -1
		if _, err := fmt.Sscan(u, &trip, &stop, &aimed, &late); err != nil && late >= 0 {
			t.Fatal(err)
		}
		text += "<EstimatedVehicleJourney><FramedVehicleJourneyRef><DataFrameRef>2026-03-02</DataFrameRef><DatedVehicleJourneyRef>" + trip + "</DatedVehicleJourneyRef></FramedVehicleJourneyRef>"
		if late < 0 {
			text += "<Cancellation>true</Cancellation></EstimatedVehicleJourney>"
			continue
		}
		due, err := time.Parse(time.RFC3339, "2026-03-02T"+aimed+":00Z")
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("<EstimatedCalls><EstimatedCall><StopPointRef>%s</StopPointRef><AimedDepartureTime>%s</AimedDepartureTime><ExpectedDepartureTime>%s</ExpectedDepartureTime></EstimatedCall></EstimatedCalls></EstimatedVehicleJourney>",
			stop, due.Format(time.RFC3339), due.Add(time.Duration(late)*time.Minute).Format(time.RFC3339))
	}
	path := filepath.Join(t.TempDir(), "siri.xml")
	if err := os.WriteFile(path, []byte(text+"</EstimatedJourneyVersionFrame></EstimatedTimetableDelivery></ServiceDelivery></Siri>"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A board names the trip that a vehicle goes on as from its last stop on the day, unless the
// trip or the next one is cancelled.
func TestBoardGoesOn(t *testing.T) {
	at := towntest.Draw(t, "a--b--c--d", towntest.Ways{{"abcd", "residential"}}, towntest.Cell(300))
	const calls = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
	trips := []string{"out 8:00 A 8:10 B", "on 8:15 B 8:30 C", "back 8:35 C 8:50 A", "weekend 8:12 B 8:40 D", "late 24:05 A 24:10 B", "later 24:15 B 24:20 C", "told 9:00 A 9:10 B", "off 9:15 B 9:20 C"}
	times := calls
	for _, line := range trips {
		var trip, depart, from, arrive, to string
		if _, err := fmt.Sscan(line, &trip, &depart, &from, &arrive, &to); err != nil {
			t.Fatal(err)
		}
		times += fmt.Sprintf("%s,%s:00,%s:00,%s,1\n%s,%s:00,%s:00,%s,2\n", trip, depart, depart, from, trip, arrive, arrive, to)
	}
	x := read(t, tables(t, at, "A=a B=b C=c D=d", map[string]string{
		"calendar.txt":   "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nall,1,1,1,1,1,1,1,20260301,20260331\nsun,0,0,0,0,0,0,1,20260301,20260331\n",
		"trips.txt":      "route_id,service_id,trip_id,trip_headsign,block_id\n1,all,out,,v\n2,all,on,Onward,v\n1,all,back,,v\n2,sun,weekend,,v\n1,all,late,,w\n2,all,later,,w\n1,all,told,,x\n2,all,off,,x\n",
		"stop_times.txt": times,
		"transfers.txt":  "from_trip_id,to_trip_id,transfer_type\ntold,off,5\n",
	}))
	now := time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)
	ask := func(stop, from string, updates *transit.UpdateFeeds) string {
		t.Helper()
		s := &transit.Service{Now: func() time.Time { return now }, Updates: updates}
		when, err := time.Parse(time.RFC3339, from)
		if err != nil {
			t.Fatal(err)
		}
		board, err := s.Departures([]*timetable.Index{x}, transit.DeparturesRequest{Stop: stop, At: when, Window: time.Hour, Limit: 8, Modes: timetable.Road})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, d := range board.Departures {
			text := d.Trip
			if o := d.Onward; o != nil {
				text += " as " + o.Line + " to " + o.Destination + " (" + o.Trip + ")"
			}
			list = append(list, text)
		}
		return strings.Join(list, ", ")
	}
	for _, c := range []struct{ stop, from, want string }{
		{"A", "2026-03-02T07:30:00Z", "out as 2 to Onward (on)"},
		{"B", "2026-03-02T08:00:00Z", "on as 1 to Stop A (back)"},
		{"C", "2026-03-02T08:00:00Z", "back"},
		{"A", "2026-03-02T08:30:00Z", "told"}, // passengers have to get off
		{"A", "2026-03-03T00:00:00Z", "late as 2 to Stop C (later)"},
	} {
		if got := ask(c.stop, c.from, nil); got != c.want {
			t.Errorf("%s at %s: %s, want %s", c.stop, c.from, got, c.want)
		}
	}
	now = time.Date(2026, 3, 8, 7, 0, 0, 0, time.UTC) // a Sunday
	if got := ask("A", "2026-03-08T07:30:00Z", nil); got != "out as 2 to Stop D (weekend)" {
		t.Error(got)
	}
	now = time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)
	for update, want := range map[string]string{"on": "out", "out": "out", "back": "out as 2 to Onward (on)", "on B 08:15 5": "out as 2 to Onward (on)"} {
		if got := ask("A", "2026-03-02T07:30:00Z", updates(t, siri(t, now, update), now)); got != want {
			t.Errorf("%s: %s, want %s", update, got, want)
		}
	}
}
