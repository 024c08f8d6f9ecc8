package transit_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/tripupdate"
	"github.com/waygate/waygate/feed/vehicle"
	"github.com/waygate/waygate/geo"
	wholly "github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
	"github.com/waygate/waygate/world"
)

// week writes a timetable that has trips on three days from a day on: a bus every ten
// minutes from A to B, by night too. Its version is that of the feed.
func week(t *testing.T, dir string, first time.Time, version int, from geo.Point) {
	t.Helper()
	var trips, calls strings.Builder
	trips.WriteString("route_id,service_id,trip_id\n")
	calls.WriteString("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n")
	for minute := 0; minute < 25*60; minute += 10 {
		fmt.Fprintf(&trips, "1,all,t%d\n", minute)
		for i, stop := range []string{"A", "B"} {
			at := minute + 5*i
			fmt.Fprintf(&calls, "t%d,%02d:%02d:00,%02d:%02d:00,%s,%d\n", minute, at/60, at%60, at/60, at%60, stop, i)
		}
	}
	for name, text := range map[string]string{
		"agency.txt":     "agency_id,agency_name,agency_timezone,agency_noc\n1,Town Buses,UTC,TOWN\n",
		"feed_info.txt":  fmt.Sprintf("feed_publisher_name,feed_publisher_url,feed_lang,feed_version\nTown,http://t.example,en,%d\n", version),
		"stops.txt":      fmt.Sprintf("stop_id,stop_name,stop_lat,stop_lon\nA,Alpha %d,%f,%f\nB,Beta,%f,%f\n", version, from.Lat, from.Lon, from.Lat+0.01, from.Lon),
		"routes.txt":     "route_id,route_short_name,route_type\n1,1,3\n",
		"calendar.txt":   fmt.Sprintf("service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nall,1,1,1,1,1,1,1,%s,%s\n", first.Format("20060102"), first.AddDate(0, 0, 3).Format("20060102")),
		"trips.txt":      trips.String(),
		"stop_times.txt": calls.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestServiceDayAtOnce has callers ask for stops, departures and vehicles while the day ends
// ten times and each time a timetable of the next days is swapped in: no call fails, and none
// is answered without departures.
func TestServiceDayAtOnce(t *testing.T) {
	town := towntest.Draw(t, "a---b", towntest.Ways{{"ab", "primary"}})
	place := town.Point("a")
	gtfsDir, dir, feedDir := t.TempDir(), t.TempDir(), t.TempDir()
	clock := atomic.Pointer[time.Time]{}
	now := time.Date(2026, 3, 27, 23, 58, 0, 0, time.UTC)
	clock.Store(&now)
	take := func(version int) {
		t.Helper()
		week(t, gtfsDir, clock.Load().AddDate(0, 0, -1), version, place)
		if _, err := wholly.Run(t.Context(), wholly.Options{Dir: dir, Sources: []string{town.PBF(t)}, ID: "town", NoMap: true, Timetables: []string{gtfsDir}}); err != nil {
			t.Fatal(err)
		}
	}
	take(0)
	set, err := world.Open(world.Options{Dirs: []string{dir}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	var background sync.WaitGroup
	stop, cancel := context.WithCancel(t.Context())
	defer background.Wait() // before the set is closed, which nothing may use afterwards
	defer cancel()
	background.Go(func() { set.Watch(stop, nil, 10*time.Millisecond) })

	// At every moment a bus waits for its next trip, and another is late.
	options := feed.Options{Now: func() time.Time { return *clock.Load() }, Log: slog.New(slog.DiscardHandler)}
	vehicles, updates := transit.NewFeeds(), transit.NewUpdateFeeds(nil)
	poll := func() {
		now := clock.Load().UTC()
		trip := now.Truncate(10 * time.Minute)
		named := func(trip time.Time) string {
			return fmt.Sprintf("<LineRef>1</LineRef><FramedVehicleJourneyRef><DataFrameRef>%s</DataFrameRef><DatedVehicleJourneyRef>t%d</DatedVehicleJourneyRef></FramedVehicleJourneyRef><OperatorRef>TOWN</OperatorRef>", trip.Format(time.DateOnly), trip.Hour()*60+trip.Minute())
		}
		made := "<Siri><ServiceDelivery><ResponseTimestamp>" + now.Format(time.RFC3339) + "</ResponseTimestamp>"
		for name, text := range map[string]string{
			"vehicles": fmt.Sprintf("%s<VehicleMonitoringDelivery><VehicleActivity><RecordedAtTime>%s</RecordedAtTime><MonitoredVehicleJourney>%s<VehicleLocation><Longitude>%f</Longitude><Latitude>%f</Latitude></VehicleLocation><VehicleRef>7</VehicleRef></MonitoredVehicleJourney></VehicleActivity></VehicleMonitoringDelivery></ServiceDelivery></Siri>", made, now.Format(time.RFC3339), named(trip.Add(10*time.Minute)), place.Lon, place.Lat),
			"updates":  made + "<EstimatedTimetableDelivery><EstimatedJourneyVersionFrame><EstimatedVehicleJourney>" + named(trip) + "<EstimatedCalls><EstimatedCall><StopPointRef>A</StopPointRef><ExpectedDepartureTime>" + trip.Add(9*time.Minute+30*time.Second).Format(time.RFC3339) + "</ExpectedDepartureTime></EstimatedCall></EstimatedCalls></EstimatedVehicleJourney></EstimatedJourneyVersionFrame></EstimatedTimetableDelivery></ServiceDelivery></Siri>",
		} {
			if err := os.WriteFile(filepath.Join(feedDir, name), []byte(text), 0o600); err != nil {
				t.Error(err)
			}
		}
		for _, err := range []error{vehicles.Feeds()[0].Poll(t.Context()), updates.Feeds()[0].Poll(t.Context())} {
			if err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := vehicles.Add(options, feed.Source{ID: "v", Kind: "vehicles", URL: filepath.Join(feedDir, "vehicles"), Format: vehicle.SIRI}); err != nil {
		t.Fatal(err)
	}
	if _, err := updates.Add(options, feed.Source{ID: "u", Kind: "trip-updates", URL: filepath.Join(feedDir, "updates"), Format: tripupdate.SIRI}); err != nil {
		t.Fatal(err)
	}
	poll()
	s := &transit.Service{Feeds: vehicles, Updates: updates, Now: func() time.Time { return *clock.Load() }}
	ask := func(of func(indexes []*timetable.Index) error) error {
		w, release := set.Acquire()
		defer release()
		return of(w.Timetables())
	}
	var live, expected atomic.Int64
	calls := []func(indexes []*timetable.Index) error{
		func(indexes []*timetable.Index) error {
			found, err := s.Stops(indexes, transit.StopsRequest{At: place, Radius: 500, Limit: 5, Modes: timetable.Road})
			if err == nil && (len(found.Stops) == 0 || found.Coverage.Expired) {
				err = fmt.Errorf("stops %+v", found)
			}
			return err
		},
		func(indexes []*timetable.Index) error {
			board, err := s.Departures(indexes, transit.DeparturesRequest{Stop: "A", Window: time.Hour, Limit: 8, Modes: timetable.Road})
			if err != nil {
				return err
			}
			if len(board.Departures) < 6 {
				return fmt.Errorf("board %+v", board)
			}
			for _, d := range board.Departures {
				if d.Live != nil {
					live.Add(1)
				}
				if d.Expected != nil {
					expected.Add(1)
				}
			}
			return nil
		},
		func(indexes []*timetable.Index) error {
			found, err := s.Vehicles(indexes, transit.VehiclesRequest{Box: geo.Bounds{Min: geo.Point{Lon: place.Lon - 1, Lat: place.Lat - 1}, Max: geo.Point{Lon: place.Lon + 1, Lat: place.Lat + 1}}, Limit: 10})
			if err == nil && (len(found.Features) != 1) {
				err = fmt.Errorf("vehicles %+v", found)
			}
			return err
		},
	}
	var asked atomic.Int64
	for i := range 6 {
		background.Go(func() {
			for n := i; stop.Err() == nil; n++ {
				if err := ask(calls[n%len(calls)]); err != nil {
					t.Error(err)
					return
				}
				asked.Add(1)
			}
		})
	}
	for version := 1; version <= 10 && !t.Failed(); version++ {
		for range 4 { // from before midnight until after it
			later := clock.Load().Add(time.Minute)
			clock.Store(&later)
			poll()
		}
		take(version)
		waittest.Until(t, "the timetable is swapped in", func() bool {
			w, release := set.Acquire()
			defer release()
			return w.Timetables()[0].Feeds()[0].Version == fmt.Sprint(version)
		})
		before := asked.Load()
		waittest.Until(t, "calls are answered from it", func() bool { return asked.Load() > before+20 || t.Failed() })
		next := clock.Load().AddDate(0, 0, 1).Truncate(24 * time.Hour).Add(-2 * time.Minute)
		for clock.Load().Before(next) { // the rest of the day, in steps that leave no feed stale
			later := clock.Load().Add(min(12*time.Hour, next.Sub(*clock.Load())))
			clock.Store(&later)
			poll()
		}
	}
	cancel()
	background.Wait()
	t.Logf("%d calls, %d departures with a vehicle, %d with an update", asked.Load(), live.Load(), expected.Load())
	if live.Load() == 0 || expected.Load() == 0 {
		t.Error("nothing live was seen")
	}
	if m, err := region.ReadManifest(dir); err != nil || m.ID != "town" {
		t.Error(m, err)
	}
}
