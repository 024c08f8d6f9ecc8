package transit_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/vehicle"
	"github.com/waygate/waygate/index/timetable"
)

// moving serves a timetable, and vehicles of a SIRI document that was polled ago.
func moving(t *testing.T, x *timetable.Index, ago time.Duration, activities ...string) *apitest.Gateway {
	t.Helper()
	path := filepath.Join(t.TempDir(), "siri.xml")
	text := "<Siri><ServiceDelivery><VehicleMonitoringDelivery>" + strings.Join(activities, "") + "</VehicleMonitoringDelivery></ServiceDelivery></Siri>"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	g := transit.NewFeeds()
	m, err := g.Add(feed.Options{Now: func() time.Time { return now.Add(-ago) }, Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "siri", Kind: "vehicles", URL: path, Attribution: "Buses by Town"})
	if err != nil {
		t.Fatal(err)
	}
	if len(activities) > 0 {
		if err := m.(*feed.Feed[[]vehicle.Vehicle]).Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return served(t, x, g)
}

// bus returns a vehicle of line 10 at a latitude on the way from North to South.
func bus(id, line, operator string, lat float64, seen time.Time, more string) string {
	return fmt.Sprintf("<VehicleActivity><RecordedAtTime>%s</RecordedAtTime><MonitoredVehicleJourney><LineRef>%s</LineRef><OperatorRef>%s</OperatorRef><VehicleLocation><Longitude>9.5</Longitude><Latitude>%g</Latitude></VehicleLocation><VehicleRef>%s</VehicleRef>%s</MonitoredVehicleJourney></VehicleActivity>",
		seen.Format(time.RFC3339), line, operator, lat, id, more)
}

func TestVehicles(t *testing.T) {
	g := moving(t, nil, 0, bus("1", "10", "TOWN", 47.5, now.Add(-20*time.Second), "<DirectionRef>outbound</DirectionRef><Bearing>12</Bearing><OriginName>North</OriginName>"), bus("2", "11", "TOWN", 47.6, now.Add(-time.Minute), ""), bus("1", "10", "OTHER", 47.7, now.Add(-time.Minute), ""))
	r := g.Send("GET", "/v1/transit/vehicles?bbox=9,47,10,48", "")
	if r.Status != 200 || len(r.At(t, "features").([]any)) != 3 || r.At(t, "type") != "FeatureCollection" || r.At(t, "feed", "status") != "ok" || r.At(t, "truncated") != false || r.At(t, "feed", "age_s") != 20.0 || fmt.Sprint(r.At(t, "attribution")) != "[Buses by Town]" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if one := g.Send("GET", "/v1/transit/vehicles?bbox=9,47,10,48&operator=town&line=10", ""); len(one.At(t, "features").([]any)) != 1 {
		t.Errorf("%s", one.Body)
	} else if f := one.At(t, "features").([]any)[0].(apitest.Object); f["id"] != "TOWN:1" || fmt.Sprint(f["geometry"]) != "map[coordinates:[9.5 47.5] type:Point]" ||
		fmt.Sprint(f["properties"]) != "map[age_s:20 bearing:12 destination:<nil> direction:outbound id:TOWN:1 line:10 operator:TOWN origin:North recorded_at:2026-03-02T07:29:40Z]" {
		t.Errorf("%s", one.Body)
	}
	for query, want := range map[string]int{"9,47,10,47.55": 1, "9.6,47,10,48": 0, "9,47,10,48&limit=2": 2, "9,47,10,48&line=12": 0, "179,47,-179,48": 0, "9,47,11,49": 3} {
		if r := g.Send("GET", "/v1/transit/vehicles?bbox="+query, ""); r.Status != 200 || len(r.At(t, "features").([]any)) != want || r.At(t, "truncated") != strings.Contains(query, "limit") {
			t.Errorf("%s: %d %s", query, r.Status, r.Body)
		}
	}
	for query, says := range map[string]string{
		"": "bbox", "bbox=": "bbox", "bbox=1,2,3": "bbox", "bbox=9,47,12,49": "at most 4", "bbox=9,48,10,47": "bbox", "bbox=9,47,9,48": "bbox", "bbox=9,47,10,NaN": "bbox", "bbox=9,47,10,91": "bbox",
		"bbox=9,47,10,48&limit=0": "limit", "bbox=9,47,10,48&limit=5001": "limit", "bbox=9,47,10,48&line=" + strings.Repeat("x", 51): "line", "bbox=10,47,9,48": "at most 4",
	} {
		if r := g.Send("GET", "/v1/transit/vehicles?"+query, ""); !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %s", query, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
	named := moving(t, drawn(t), 0, bus("1", "10", "TOWN", 47.5, now, ""), bus("2", "T", "TOWN", 47.6, now, "")).Send("GET", "/v1/transit/vehicles?bbox=9,47,10,48", "")
	for i, want := range []any{"#0055aa", nil} { // along the curve, the southern one is the first
		if got := named.At(t, "features").([]any)[i].(apitest.Object)["properties"].(apitest.Object)["colour"]; got != want {
			t.Errorf("colour %v, want %v: %s", got, want, named.Body)
		}
	}
	stale := moving(t, nil, 10*time.Minute, bus("1", "10", "TOWN", 47.5, now.Add(-10*time.Minute), ""))
	if r := stale.Send("GET", "/v1/transit/vehicles?bbox=9,47,10,48", ""); r.At(t, "feed", "status") != "stale" || len(r.At(t, "features").([]any)) != 1 {
		t.Errorf("%s", r.Body)
	}
	if r := moving(t, nil, 0).Send("GET", "/v1/transit/vehicles?bbox=9,47,10,48", ""); r.At(t, "feed", "status") != "unknown" || len(r.At(t, "features").([]any)) != 0 {
		t.Errorf("%s", r.Body)
	}
}

// A bus stands for the departure of its trip while it is on the way to the stop, was seen
// lately and is near; of a trip that nobody names, only where no other can be meant.
func TestLiveDepartures(t *testing.T) {
	for name, c := range map[string]struct {
		bus  string
		want string
	}{
		"it waits at the first stop":      {bus("1", "10", "TOWN", 47.5, now.Add(-time.Minute), ""), ""}, // 8 o'clock is half an hour away
		"no bus":                          {bus("1", "11", "TOWN", 47.5, now.Add(-time.Minute), ""), ""},
		"of another operator":             {bus("1", "10", "OTHER", 47.5, now.Add(-time.Minute), ""), ""},
		"its trip is named":               {bus("1", "10", "TOWN", 47.5, now.Add(-time.Minute), "<FramedVehicleJourneyRef><DatedVehicleJourneyRef>10-8</DatedVehicleJourneyRef></FramedVehicleJourneyRef>"), ""},
		"eight minutes before it departs": {bus("1", "10", "TOWN", 47.5, now.Add(22*time.Minute), ""), "TOWN:1"},
		"seen six minutes before":         {bus("1", "10", "TOWN", 47.5, now.Add(16*time.Minute), ""), ""},
		"two kilometres off the way":      {bus("1", "10", "TOWN", 47.48, now.Add(22*time.Minute), ""), ""},
	} {
		at := now
		now = at.Add(23 * time.Minute)
		if strings.Contains(c.bus, at.Add(-time.Minute).Format(time.RFC3339)) {
			now = at
		}
		g := moving(t, drawn(t), 0, c.bus, bus("far", "99", "TOWN", 47.9, now, ""))
		r := g.Send("GET", "/v1/transit/departures?stop=N1", "")
		got := ""
		if d := r.At(t, "departures").([]any)[0].(apitest.Object); d["live"] != nil {
			got = fmt.Sprint(d["live"].(apitest.Object)["vehicle"])
		}
		if now = at; got != c.want {
			t.Errorf("%s: %q, want %q: %s", name, got, c.want, r.Body)
		}
	}
}
