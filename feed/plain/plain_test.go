package plain

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/road/link"
)

func TestReadCSV(t *testing.T) {
	d, err := ReadCSV(strings.NewReader(strings.Join([]string{
		"id,way,direction,from_node,to_node,lat,lon,heading,speed_kph,closed,from,until,kind,severity,road,lanes_closed",
		",17,both,,,,,,30,,,,,,,",
		",,,1,2,,,,45.6,,,,,,,",
		",,,2,3,,,,0,,,,,,,",
		"a,,,,,49.3,-7.2,90,,true,2026-01-01T00:00:00Z,2026-02-01T00:00:00Z,closure,high,A1,2",
		"b,,,,,149.3,-7.2,,20,,,,,,,",     // not on the globe
		"c,,,,,49.3,-7.2,,9999,,,,,,,",    // too fast
		"d,,,,,,,,20,,,,,,,",              // nowhere
		"e,,,,,49.3,-7.2,,20,,soon,,,,,",  // no time
		"f,,sideways,,,49.3,-7.2,,20,,,,", // no direction
		"a,,,,,49.4,-7.2,90,,true,,,closure,,A1,",
	}, "\n")), false)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Ways) != 1 || d.Ways[0] != (link.Way{ID: 17, Dir: link.Both, Kmh: 30}) {
		t.Errorf("ways %v", d.Ways)
	}
	if len(d.Segments) != 2 || d.Segments[0].Kmh != 46 || d.Segments[1].Kmh != 0 {
		t.Errorf("segments %v", d.Segments)
	}
	if len(d.Records) != 1 || d.Records[0].Place.Line[0].Lat != 49.4 || !d.Records[0].Closed || *d.Records[0].Place.Heading != 90 {
		t.Errorf("records %+v", d.Records)
	}
	if d.Rejected.Sum() != 6 || d.Rejected[traffic.Doubled] != 1 {
		t.Errorf("rejected %v", d.Rejected)
	}
	for _, text := range []string{"", "<html></html>", "price,station\n1,2\n"} {
		if _, err := ReadCSV(strings.NewReader(text), false); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestReadJSON(t *testing.T) {
	d, err := ReadJSON(strings.NewReader(`{"delta":true,"taken":"2026-05-01T10:00:00Z","new":{"a":[1]},"ended":["z"],"records":[
		{"id":"a","shape":"_izlhA~rlgdF_{geC~ywl@","speed_kph":31,"measured_at":"2026-05-01T09:59:00Z"},
		{"id":"b","openlr":"CwV/OiHN2TvlAAA1ABM7FQ==","closed":true,"kind":"flood","lanes_open":0},
		"text", {"id":7,"way":"9","speed_kph":"20"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if !d.Delta || !d.Taken.Equal(time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)) || len(d.Records) != 3 || d.Ended[0] != "z" {
		t.Fatalf("read %+v", d)
	}
	if b := d.Records[1]; b.Incident.Kind != "other" || *b.Incident.LanesOpen != 0 || !b.Closed {
		t.Errorf("record %+v %+v", b, b.Incident)
	}
	if c := d.Records[2]; c.ID != "7" || c.Place.Way != 9 {
		t.Errorf("record %+v", c)
	}
	if d.Rejected[traffic.Unreadable] != 1 {
		t.Errorf("rejected %v", d.Rejected)
	}
	for _, text := range []string{"", "[]", "<html>", "{}", `{"records":[{"id":"a"}`, `{"records":{}}`} {
		if _, err := ReadJSON(strings.NewReader(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestReadGeoJSON(t *testing.T) {
	d, err := ReadJSON(strings.NewReader(`{"type":"FeatureCollection","features":[
		{"type":"Feature","id":"x","geometry":{"type":"LineString","coordinates":[[7,50],[7.1,50,300]]},"properties":{"speed_kph":12.5,"kind":"congestion","road":"B 7"}},
		{"type":"Feature","geometry":null,"properties":{"speed_kph":12.5}},
		{"type":"Feature","geometry":{"type":"Point","coordinates":[7]},"properties":{}},
		{"type":"Feature","geometry":{"type":"Point","coordinates":[7,50]},"properties":null}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Records) != 1 || d.Records[0].ID != "x" || len(d.Records[0].Place.Line) != 2 || d.Records[0].Incident.Roads[0] != "B 7" {
		t.Errorf("read %+v", d.Records)
	}
	if d.Rejected.Sum() != 3 {
		t.Errorf("rejected %v", d.Rejected)
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add([]byte("way,speed_kph\n1,30\n"))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = ReadCSV(bytes.NewReader(data), true) })
}

func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(`{"records":[{"way":1,"speed_kph":3}]}`))
	f.Add([]byte(`{"features":[{"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"closed":true}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ReadJSON(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i := range d.Records {
			if !d.Records[i].Place.Known() {
				t.Fatal("a record without a place")
			}
		}
	})
}
