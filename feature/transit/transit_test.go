package transit_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/vehicle"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
)

// Vehicles and boards are asked for while polls swap the fleet: every answer is of one poll.
func TestFleetIsSwappedAtOnce(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "siri.xml")
	write := func(latitude float64) {
		var all strings.Builder
		for i := range 100 {
			fmt.Fprintf(&all, "<VehicleActivity><RecordedAtTime>%s</RecordedAtTime><MonitoredVehicleJourney><LineRef>1</LineRef><OperatorRef>T</OperatorRef><VehicleLocation><Longitude>9.5</Longitude><Latitude>%g</Latitude></VehicleLocation><VehicleRef>%d</VehicleRef></MonitoredVehicleJourney></VehicleActivity>", now.Format(time.RFC3339), latitude, i)
		}
		text := "<Siri><VehicleMonitoringDelivery>" + all.String() + "</VehicleMonitoringDelivery></Siri>"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
	write(47)
	g := transit.NewFeeds()
	m, err := g.Add(feed.Options{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "v", Kind: "vehicles", URL: path})
	if err != nil {
		t.Fatal(err)
	}
	f := m.(*feed.Feed[[]vehicle.Vehicle])
	if err := f.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := &transit.Service{Feeds: g, Now: func() time.Time { return now }}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 50 {
				v, err := s.Vehicles([]*timetable.Index{}, transit.VehiclesRequest{Box: geo.Bounds{Min: geo.Point{Lon: 9, Lat: 46}, Max: geo.Point{Lon: 10, Lat: 50}}, Limit: 1000})
				if err != nil || len(v.Features) != 100 || v.Features[0].Geometry.Coordinates[1] != v.Features[99].Geometry.Coordinates[1] {
					t.Errorf("%v, %v", v, err)
					return
				}
			}
		})
	}
	for i := range 10 {
		write(47 + float64(i)/10)
		if err := f.Poll(t.Context()); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
}
