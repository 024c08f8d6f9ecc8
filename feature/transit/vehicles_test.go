package transit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/feed/vehicle"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
)

// crowd polls a square of vehicles, so many in each row and each column and a thousandth of a
// degree apart.
func crowd(t testing.TB, side int) *transit.Service {
	t.Helper()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var all strings.Builder
	all.WriteString("<Siri><VehicleMonitoringDelivery>")
	for i := range side * side {
		fmt.Fprintf(&all, "<VehicleActivity><RecordedAtTime>%s</RecordedAtTime><MonitoredVehicleJourney><LineRef>%d</LineRef><OperatorRef>T</OperatorRef><VehicleLocation><Longitude>%.4f</Longitude><Latitude>%.4f</Latitude></VehicleLocation><VehicleRef>%d</VehicleRef></MonitoredVehicleJourney></VehicleActivity>",
			now.Format(time.RFC3339), i%50, 9+float64(i%side)/1000, 47+float64(i/side)/1000, i)
	}
	all.WriteString("</VehicleMonitoringDelivery></Siri>")
	path := filepath.Join(t.TempDir(), "siri.xml")
	if err := os.WriteFile(path, []byte(all.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return &transit.Service{Feeds: feeds(t, path, now, func(*vehicle.Vehicle) {}), Now: func() time.Time { return now }}
}

// box has a hundred vehicles of a crowd in each row and each column.
var box = geo.Bounds{Min: geo.Point{Lon: 9.0195, Lat: 47.0195}, Max: geo.Point{Lon: 9.1195, Lat: 47.1195}}

// Of 10,000 vehicles in a box an answer has 5,000, each once and as many in every part of the
// box; all 5,000 where there are no more.
func TestVehiclesOfACrowd(t *testing.T) {
	s := crowd(t, 140)
	a, err := s.Vehicles([]*timetable.Index{}, transit.VehiclesRequest{Box: box, Limit: 5000})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Features) != 5000 || !a.Truncated || a.Coverage.Vehicles != 140*140 {
		t.Fatalf("%d vehicles of %d, truncated %v", len(a.Features), a.Coverage.Vehicles, a.Truncated)
	}
	parts, known := map[[2]int]int{}, map[string]bool{}
	for _, f := range a.Features {
		c := f.Geometry.Coordinates
		parts[[2]int{int((c[0] - box.Min.Lon) * 100), int((c[1] - box.Min.Lat) * 100)}]++
		if known[f.ID] || !box.Contains(geo.Point{Lon: c[0], Lat: c[1]}) {
			t.Errorf("%s is there twice, or outside", f.ID)
		}
		known[f.ID] = true
	}
	for part, n := range parts {
		if n < 40 || n > 60 {
			t.Errorf("part %v has %d of 50", part, n)
		}
	}
	if len(parts) != 100 {
		t.Errorf("%d of 100 parts have vehicles", len(parts))
	}
	half := box
	half.Max.Lat = 47.0695
	if a, err = s.Vehicles([]*timetable.Index{}, transit.VehiclesRequest{Box: half, Limit: 5000}); err != nil || len(a.Features) != 5000 || a.Truncated {
		t.Errorf("%d vehicles, truncated %v, %v", len(a.Features), a.Truncated, err)
	}
}

// BenchmarkVehicles asks for 5,000 of the 10,000 vehicles in a box, of 20,000 in all.
func BenchmarkVehicles(b *testing.B) {
	s := crowd(b, 140)
	for b.Loop() {
		if a, err := s.Vehicles([]*timetable.Index{}, transit.VehiclesRequest{Box: box, Limit: 5000}); err != nil || len(a.Features) != 5000 {
			b.Fatal(err)
		}
	}
}
