package vehicle_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/vehicle"
	"github.com/waygate/waygate/realdata"
)

// polled reads a document as of a time.
func polled(t testing.TB, text []byte, now time.Time) (*feed.Snapshot[[]vehicle.Vehicle], error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "document")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := feed.New(feed.Options{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "v", Kind: "vehicles", URL: path}, vehicle.Kind())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Poll(t.Context()); err != nil {
		return nil, err
	}
	return f.Latest(), nil
}

func real(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(realdata.File(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// All buses of Great Britain at one minute of 2024.
func TestSnapshotOfGreatBritain(t *testing.T) {
	now := time.Date(2024, 2, 28, 17, 47, 0, 0, time.UTC)
	s, err := polled(t, real(t, "feeds/gtfs-rt/bods-gb-vehicles-20240228.bin"), now)
	if err != nil {
		t.Fatal(err)
	}
	trips, unknown := 0, 0
	for _, v := range s.Value {
		if v.Trip != "" && v.Route != "" {
			trips++
		}
		if v.Bearing < 0 {
			unknown++
		}
		if v.Bearing > 359 || !v.At.Valid() || v.Seen.After(now.Add(2*time.Minute)) || v.Seen.Before(now.Add(-time.Hour)) {
			t.Fatalf("%+v", v)
		}
	}
	t.Log(len(s.Value), trips, unknown, s.Published, s.Rejected)
	if len(s.Value) < 20_000 || trips < 15_000 || unknown == 0 || s.Published.Year() != 2024 {
		t.Errorf("%d vehicles, %d with a trip, %d without a bearing, published %s; rejected %+v", len(s.Value), trips, unknown, s.Published, s.Rejected)
	}
}

func TestSIRI(t *testing.T) {
	now := time.Date(2023, 1, 25, 17, 2, 30, 0, time.UTC)
	s, err := polled(t, real(t, "transit/bods-siri-vm/siri_vm.xml"), now)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Value) == 0 || s.Published.UTC().Format(time.RFC3339) != "2023-01-25T17:02:01Z" {
		t.Fatalf("%d vehicles of %s; %+v", len(s.Value), s.Published, s.Rejected)
	}
	v := s.Value[0]
	if v.Operator != "CRTB" || v.Line != "22" || v.Direction != "outbound" || v.Origin != "Carron Place" || v.Destination != "Strathmore Park" || v.Bearing != 222 || v.Trip != "65" || v.StartDate != "20230125" ||
		v.At.Lon != -4.664237 || v.Seen.UTC().Format(time.RFC3339) != "2023-01-25T17:01:47Z" || v.ID == "" {
		t.Errorf("%+v", v)
	}
}

// activity writes a vehicle of SIRI.
func activity(members string) string {
	return "<VehicleActivity>" + members + "</VehicleActivity>"
}

func document(activities ...string) []byte {
	return []byte("<?xml version='1.0' encoding='utf-8'?>\n<Siri><ServiceDelivery><ResponseTimestamp>2026-07-01T12:00:00Z</ResponseTimestamp><VehicleMonitoringDelivery>" + strings.Join(activities, "\n") + "</VehicleMonitoringDelivery></ServiceDelivery></Siri>")
}

const whole = "<RecordedAtTime>2026-07-01T11:59:30Z</RecordedAtTime><MonitoredVehicleJourney><LineRef>L7</LineRef><PublishedLineName>7 &amp; 8</PublishedLineName><OperatorRef>OP</OperatorRef><VehicleLocation><Longitude>-1.5</Longitude><Latitude>53.1</Latitude></VehicleLocation><VehicleRef>101</VehicleRef></MonitoredVehicleJourney>"

func TestSIRIByKind(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	with := func(from, to string) string { return activity(strings.Replace(whole, from, to, 1)) }
	for name, c := range map[string]struct {
		activities []string
		want       string // of the first vehicle
		rejected   string
	}{
		"whole":                           {[]string{activity(whole)}, "OP:101 7 & 8  -1 11:59:30", ""},
		"no published name: the line":     {[]string{with("<PublishedLineName>7 &amp; 8</PublishedLineName>", "")}, "OP:101 L7  -1 11:59:30", ""},
		"a direction and a bearing":       {[]string{with("<VehicleRef>", "<DirectionRef>INBOUND</DirectionRef><Bearing>359.7</Bearing><VehicleRef>")}, "OP:101 7 & 8 inbound 0 11:59:30", ""},
		"a bearing of 0 is not known":     {[]string{with("<VehicleRef>", "<DirectionRef>2</DirectionRef><Bearing>0.0</Bearing><VehicleRef>")}, "OP:101 7 & 8 inbound -1 11:59:30", ""},
		"a bearing that is none":          {[]string{with("<VehicleRef>", "<Bearing>NaN</Bearing><VehicleRef>")}, "OP:101 7 & 8  -1 11:59:30", ""},
		"summer time written as UTC":      {[]string{with("11:59:30Z", "12:59:30Z")}, "OP:101 7 & 8  -1 11:59:30", ""},
		"a local time with its offset":    {[]string{with("11:59:30Z", "12:59:30+01:00")}, "OP:101 7 & 8  -1 11:59:30", ""},
		"a time still to come":            {[]string{with("11:59:30Z", "14:00:00Z")}, "", "still to come"},
		"an old position":                 {[]string{with("11:59:30Z", "10:59:30Z")}, "", "more than an hour old"},
		"no time":                         {[]string{with("2026-07-01T11:59:30Z", "")}, "", "without a time"},
		"no vehicle":                      {[]string{with("<VehicleRef>101</VehicleRef>", "")}, "", "without an id"},
		"at 0,0":                          {[]string{with("<Longitude>-1.5</Longitude><Latitude>53.1</Latitude>", "<Longitude>0</Longitude><Latitude>0.0</Latitude>")}, "", "0,0"},
		"off the globe":                   {[]string{with("53.1", "153.1")}, "", "0,0"},
		"without a place":                 {[]string{with("<Longitude>-1.5</Longitude><Latitude>53.1</Latitude>", "")}, "", "0,0"},
		"twice, the older one later":      {[]string{activity(whole), with("11:59:30", "11:50:00")}, "OP:101 7 & 8  -1 11:59:30", "a vehicle twice"},
		"twice, the newer one later":      {[]string{with("11:59:30", "11:50:00"), activity(whole)}, "OP:101 7 & 8  -1 11:59:30", "a vehicle twice"},
		"the same number at another firm": {[]string{activity(whole), with("<OperatorRef>OP", "<OperatorRef>QQ")}, "OP:101 7 & 8  -1 11:59:30", ""},
		"nothing at all":                  {nil, "", ""},
	} {
		last := strings.Replace(whole, ">101<", ">last<", 1) // since a poll is refused of which nothing can be taken
		s, err := polled(t, document(append(c.activities, activity(last))...), now)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := ""
		if s.Value[0].ID != "last" {
			v := s.Value[0]
			got = fmt.Sprintf("%s:%s %s %s %d %s", v.Operator, v.ID, v.Line, v.Direction, v.Bearing, v.Seen.UTC().Format(time.TimeOnly))
		}
		if got != c.want || c.rejected == "" && len(s.Rejected) > 0 || c.rejected != "" && !strings.Contains(fmt.Sprint(s.Rejected), c.rejected) {
			t.Errorf("%s: %q, want %q; rejected %v", name, got, c.want, s.Rejected)
		}
		if want := len(c.activities) + 1; name == "the same number at another firm" && len(s.Value) != want {
			t.Errorf("%s: %d vehicles", name, len(s.Value))
		}
	}
}

// A document that is no feed of vehicles is refused whole, so that the snapshot before it
// stays.
func TestRefused(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for name, text := range map[string]string{
		"a web page":              "<!DOCTYPE html><html><body>Log in</body></html>",
		"another document":        "<Siri><ServiceDelivery><EstimatedTimetableDelivery/></ServiceDelivery></Siri>",
		"cut within a vehicle":    string(document(activity(whole)))[:300],
		"JSON":                    `{"error":"quota"}`,
		"a text":                  "Service unavailable",
		"another character set":   "<?xml version='1.0' encoding='iso-8859-1'?><Siri/>",
		"an entity of 2 GB":       "\x12\xff\xff\xff\xff\x07",
		"cut within an entity":    "\x12\x10\x0a\x01",
		"a field of another type": "\x08\x01",
	} {
		if s, err := polled(t, []byte(text), now); err == nil {
			t.Errorf("%s: %+v", name, s.Value)
		}
	}
}

func TestFormats(t *testing.T) {
	if _, err := feed.New(feed.Options{}, feed.Source{ID: "v", Kind: "vehicles", URL: "/none", Format: "netex"}, vehicle.Kind()); err == nil || !strings.Contains(err.Error(), "siri-vm") {
		t.Errorf("%v", err)
	}
}

// BenchmarkSIRI takes in a snapshot of 20,000 vehicles.
func BenchmarkSIRI(b *testing.B) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	list := make([]string, 20_000)
	for i := range list {
		list[i] = activity(strings.Replace(whole, ">101<", fmt.Sprintf(">%d<", i), 1))
	}
	text := document(list...)
	for b.Loop() {
		s, err := polled(b, text, now)
		if err != nil || len(s.Value) != len(list) {
			b.Fatal(err)
		}
	}
}

// FuzzRead reads documents that are damaged: an error, or vehicles with a place and a time.
func FuzzRead(f *testing.F) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	f.Add(document(activity(whole)))
	f.Add([]byte("\x0a\x0d\x0a\x032.0\x10\x00\x18\xd9\xdd\xfd\xae\x06\x12\x09\x0a\x01\x31\x22\x04\x12\x02\x0d\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := polled(t, text, now)
		if err != nil || s == nil {
			return
		}
		for _, v := range s.Value {
			if !v.At.Valid() || v.Seen.IsZero() || v.ID == "" || v.Bearing < -1 || v.Bearing > 359 {
				t.Errorf("%+v", v)
			}
		}
	})
}
