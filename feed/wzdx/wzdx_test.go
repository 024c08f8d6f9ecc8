package wzdx

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/realdata"
)

func TestRead(t *testing.T) {
	d, err := Read(strings.NewReader(`{"feed_info":{"update_date":"2026-01-02T03:04:05Z"},"features":[
		{"id":"a","geometry":{"type":"LineString","coordinates":[[-93,41],[-93.1,41]]},"properties":{"core_details":{"event_type":"work-zone","road_names":["I-80"],"direction":"westbound"},
			"start_date":"2026-01-01T00:00:00Z","end_date":"2026-02-01T00:00:00Z","vehicle_impact":"all-lanes-closed","lanes":[{"status":"closed","type":"general"},{"status":"closed","type":"shoulder"}]}},
		{"id":"b","geometry":{"type":"Point","coordinates":[-93,41]},"properties":{"core_details":{"event_type":"work-zone","direction":"westbound"},"types_of_work":[{"type_name":"painting"},{"type_name":"barrier-work"}],"vehicle_impact":"some-lanes-closed"}},
		{"id":"c","geometry":{"type":"Point","coordinates":[-93,41]},"properties":{"core_details":{"device_type":"camera"}}},
		{"id":"d","geometry":{"type":"Polygon","coordinates":[]},"properties":{"core_details":{"event_type":"work-zone"}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Records) != 2 || d.Rejected.Sum() != 2 {
		t.Fatalf("read %+v, rejected %v", d.Records, d.Rejected)
	}
	a, b := d.Records[0], d.Records[1]
	if !a.Closed || a.Incident.Kind != "closure" || *a.Incident.LanesClosed != 1 || a.Windows[0].Until.IsZero() {
		t.Errorf("got %+v %+v", a, a.Incident)
	}
	if b.Closed || b.Incident.Kind != "roadworks" || b.Incident.Cause != "painting" || *b.Place.Heading != 270 {
		t.Errorf("got %+v %+v", b, b.Incident)
	}
}

func TestReal(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(realdata.File(t, "feeds/wzdx-4.2"), "scenario*.geojson"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no files")
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Read(bytes.NewReader(data))
		if err != nil || len(d.Records) == 0 {
			t.Errorf("%s: %v, %d records, rejected %v", filepath.Base(name), err, len(d.Records), d.Rejected)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"features":[{"id":"a","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"core_details":{"event_type":"work-zone"}}}]}`))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = Read(bytes.NewReader(data)) })
}
