package cifs

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/link"
)

const inJSON = `{"incidents":[
	{"id":"1","type":"ROAD_CLOSED","subtype":"ROAD_CLOSED_CONSTRUCTION","polyline":"51.5 -0.1 51.51 -0.1","street":"High Street","direction":"ONE_DIRECTION","starttime":"2026-01-01T08:00:00+01:00","endtime":"2026-01-02T08:00:00+0100","description":"works"},
	{"id":"2","type":"ROAD_CLOSED","location":{"polyline":"51.5,-0.1 51.51,-0.1","direction":"BOTH_DIRECTIONS"}},
	{"id":"3","type":"ACCIDENT","polyline":"51.5 -0.1"},
	{"id":"4","type":"ROAD_CLOSED","polyline":"51.5 -0.1 51.51 -0.1","schedule":{"monday":"09:00-11:00"}},
	{"id":"5","type":"POLICE","polyline":"51.5 -0.1"}, {"id":"6","type":"JAM","polyline":"51.5"}, {"id":"7","type":"JAM","polyline":"151.5 0"}, {"id":"8","type":"JAM","polyline":"1 2","starttime":"soon"}, 7]}`

const inXML = `<?xml version="1.0"?><incidents>
	<incident id="1"><type>ROAD_CLOSED</type><subtype>ROAD_CLOSED_CONSTRUCTION</subtype><polyline>51.5 -0.1 51.51 -0.1</polyline><street>High Street</street><direction>ONE_DIRECTION</direction><starttime>2026-01-01T08:00:00+01:00</starttime><endtime>2026-01-02T08:00:00+01:00</endtime><description>works</description></incident>
	<incident id="2"><type>ROAD_CLOSED</type><location><polyline>51.5 -0.1 51.51 -0.1</polyline><direction>BOTH_DIRECTIONS</direction></location></incident>
	<incident id="3"><type>ACCIDENT</type><polyline>51.5 -0.1</polyline></incident>
	<incident id="4"><type>ROAD_CLOSED</type><polyline>51.5 -0.1 51.51 -0.1</polyline><schedule><monday>09:00-11:00</monday></schedule></incident></incidents>`

func TestRead(t *testing.T) {
	for _, c := range []struct {
		form, text string
		rejected   int
	}{{"JSON", inJSON, 6}, {"XML", inXML, 1}} {
		d, err := Read(strings.NewReader(c.text))
		if err != nil || len(d.Records) != 4 || d.Rejected.Sum() != c.rejected {
			t.Fatalf("%s: %v, %+v", c.form, err, d)
		}
		first, second, third, fourth := &d.Records[0], &d.Records[1], &d.Records[2], &d.Records[3]
		if !first.Closed || first.Place.Dir != link.Forwards || !slices.Equal(first.Place.Line, []geo.Point{{Lon: -0.1, Lat: 51.5}, {Lon: -0.1, Lat: 51.51}}) ||
			!first.Windows[0].Until.Equal(time.Date(2026, 1, 2, 7, 0, 0, 0, time.UTC)) || first.Incident.Roads[0] != "High Street" || first.Incident.Description != "works" || first.Incident.Kind != "closure" {
			t.Errorf("%s: %+v %+v", c.form, first, first.Incident)
		}
		if !second.Closed || second.Place.Dir != link.Both || third.Closed || third.Incident.Kind != "accident" || fourth.Closed {
			t.Errorf("%s: %+v %+v %+v", c.form, second, third, fourth)
		}
	}
}

func TestRefused(t *testing.T) {
	for what, text := range map[string]string{
		"empty": "", "another document": `{"features":[]}`, "cut": inJSON[:200], "XML cut": inXML[:300], "a page": "<html><body></body></html>",
		"a document type": `<!DOCTYPE x [<!ENTITY a "b">]><incidents>&a;</incidents>`, "an endless incident": `<incidents><incident><type>` + strings.Repeat("x", 2<<20),
	} {
		if d, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s: read %+v", what, d)
		}
	}
	if d, err := Read(strings.NewReader(`{"incidents":[]}`)); err != nil || len(d.Records) != 0 {
		t.Errorf("no incidents now: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(inJSON))
	f.Add([]byte(inXML))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i := range d.Records {
			for _, p := range d.Records[i].Place.Line {
				if !p.Valid() {
					t.Fatalf("took %v", p)
				}
			}
		}
	})
}
