package feeds_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/sample"
	"github.com/waygate/waygate/sample/feeds"
)

// county is drawn once.
var county = sync.OnceValue(sample.Generate)

// The county's live data follows from the time, and moves with it.
func TestLive(t *testing.T) {
	l := feeds.NewLive(county())
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for name, write := range map[string]func(io.Writer, time.Time) error{"prices": l.Prices, "chargers": l.Chargers, "weather": l.Weather, "traffic": l.Traffic, "incidents": l.Incidents, "buses": l.Buses, "bus updates": l.BusUpdates} {
		text := func(at time.Time) string {
			var b bytes.Buffer
			if err := write(&b, at); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		first := text(noon)
		if first != text(noon) {
			t.Errorf("%s differ from themselves", name)
		}
		if first == text(noon.Add(7*time.Hour)) {
			t.Errorf("%s stand still", name)
		}
		if n := strings.Count(first, "\n") + strings.Count(first, `{"`); n < 4 {
			t.Errorf("%s: %d lines", name, n)
		}
	}
}

// Buses keep to their roads, and move as fast as buses do; some are late, and some do not run.
func TestLiveBuses(t *testing.T) {
	l := feeds.NewLive(county())
	type bus struct {
		ID       string    `xml:"MonitoredVehicleJourney>VehicleRef"`
		Lon      float64   `xml:"MonitoredVehicleJourney>VehicleLocation>Longitude"`
		Lat      float64   `xml:"MonitoredVehicleJourney>VehicleLocation>Latitude"`
		Recorded time.Time `xml:"RecordedAtTime"`
	}
	at := func(now time.Time) map[string]bus {
		var b bytes.Buffer
		if err := l.Buses(&b, now); err != nil {
			t.Fatal(err)
		}
		var d struct {
			Buses []bus `xml:"ServiceDelivery>VehicleMonitoringDelivery>VehicleActivity"`
		}
		if err := xml.Unmarshal(b.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		byID := map[string]bus{}
		for _, one := range d.Buses {
			byID[one.ID] = one
		}
		if len(byID) != len(d.Buses) {
			t.Errorf("%d of %d numbers", len(byID), len(d.Buses))
		}
		return byID
	}
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	moved, last := 0, at(noon)
	if len(last) < 10 {
		t.Errorf("%d buses", len(last))
	}
	for step := 1; step <= 20; step++ {
		here := at(noon.Add(time.Duration(step) * 30 * time.Second))
		for id, b := range here {
			before, there := last[id]
			metres := geo.Distance(geo.Point{Lon: b.Lon, Lat: b.Lat}, geo.Point{Lon: before.Lon, Lat: before.Lat})
			seconds := b.Recorded.Sub(before.Recorded).Seconds()
			if there && metres > 30*seconds {
				t.Fatalf("%s went %.0f m in %.0f s", id, metres, seconds)
			}
			if there && metres > 20 {
				moved++
			}
		}
		last = here
	}
	var updates bytes.Buffer
	for hour := range 16 {
		if err := l.BusUpdates(&updates, noon.Add(time.Duration(hour-6)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	cancelled := strings.Count(updates.String(), "<Cancellation>true")
	if moved < 100 || cancelled == 0 || cancelled > strings.Count(updates.String(), "<EstimatedVehicleJourney>")/5 {
		t.Errorf("%d moved, %d are cancelled", moved, cancelled)
	}
}

// onRoad has the traffic on a way of the county.
type onRoad struct {
	Way    int64
	Closed bool
	From   time.Time
	Until  time.Time
	Kmh    float64 `json:"speed_kph"`
}

// onRoads reads the county's road data at a time.
func onRoads(t *testing.T, write func(io.Writer, time.Time) error, at time.Time) (list []onRoad) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, at); err != nil {
		t.Fatal(err)
	}
	d := struct {
		Taken   time.Time
		Records any
	}{Records: &list}
	if err := json.Unmarshal(b.Bytes(), &d); err != nil || !d.Taken.Equal(at) {
		t.Fatalf("made at %v, not %v: %v", d.Taken, at, err)
	}
	return list
}

// Traffic is on real ways, slow in the rush hour and not at night; the closure
// comes and goes, and something has always happened.
func TestLiveRoads(t *testing.T) {
	s := county()
	l := feeds.NewLive(s)
	ways := map[int64]bool{}
	for i := range s.Data.Ways {
		w := &s.Data.Ways[i]
		ways[w.ID] = w.Tags.Get("highway") != ""
	}
	mean := func(at time.Time) float64 {
		sum, list := 0.0, onRoads(t, l.Traffic, at)
		for _, r := range list {
			if !ways[r.Way] || r.Kmh < 5 || r.Kmh > 115 {
				t.Fatalf("traffic %+v", r)
			}
			sum += r.Kmh
		}
		return sum / float64(len(list))
	}
	monday := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	if night, rush := mean(monday.Add(3*time.Hour)), mean(monday.Add(8*time.Hour)); rush > 0.9*night {
		t.Errorf("%.1f km/h at eight in the morning, %.1f at three", rush, night)
	}
	closed, minutes := map[int64]int{}, 0
	for ; minutes < 120; minutes++ {
		at := monday.Add(time.Duration(minutes) * time.Minute)
		list := onRoads(t, l.Incidents, at)
		if len(list) == 0 {
			t.Fatalf("nothing has happened at %s", at)
		}
		for _, r := range list {
			if !ways[r.Way] || at.Before(r.From) || !at.Before(r.Until) {
				t.Errorf("at %s: %+v", at, r)
			}
			if r.Closed {
				closed[r.Way]++
			}
		}
	}
	if len(closed) != 1 {
		t.Fatalf("closed are %v", closed)
	}
	for way, n := range closed {
		if n < minutes/4 || n > minutes/2 {
			t.Errorf("way %d is closed in %d of %d minutes", way, n, minutes)
		}
	}
}
