// Package cifs reads closures and incidents as partners of Waze write them (Closure and
// Incident Feed Specification, version 2), in JSON or XML. Only ROAD_CLOSED closes.
package cifs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/feed/plain"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/link"
)

// incident is one of a feed, its place in it or in a location of its own.
type incident struct {
	ID          string   `json:"id" xml:"id,attr"`
	Type        string   `json:"type" xml:"type"`
	Subtype     string   `json:"subtype" xml:"subtype"`
	Description string   `json:"description" xml:"description"`
	Start       string   `json:"starttime" xml:"starttime"`
	End         string   `json:"endtime" xml:"endtime"`
	Updated     string   `json:"updatetime" xml:"updatetime"`
	Created     string   `json:"creationtime" xml:"creationtime"`
	Location    location `json:"location" xml:"location"`
	Schedule    schedule `json:"schedule" xml:"schedule"`
	location
}

type location struct {
	Polyline  string `json:"polyline" xml:"polyline"`
	Street    string `json:"street" xml:"street"`
	Direction string `json:"direction" xml:"direction"`
}

// schedule is hours such as 09:00-11:00,13:00-18:00 by the day.
type schedule struct {
	Monday    string `json:"monday" xml:"monday"`
	Tuesday   string `json:"tuesday" xml:"tuesday"`
	Wednesday string `json:"wednesday" xml:"wednesday"`
	Thursday  string `json:"thursday" xml:"thursday"`
	Friday    string `json:"friday" xml:"friday"`
	Saturday  string `json:"saturday" xml:"saturday"`
	Sunday    string `json:"sunday" xml:"sunday"`
	Everyday  string `json:"everyday" xml:"everyday"`
}

// Read reads a feed, which has all that its publisher reports.
func Read(r io.Reader) (*traffic.Document, error) {
	in := bufio.NewReader(r)
	start, _ := in.Peek(64)
	d := &traffic.Document{}
	read := readJSON
	if bytes.HasPrefix(bytes.TrimLeft(start, "\ufeff \t\r\n"), []byte("<")) {
		read = readXML
	}
	if err := read(d, in); err != nil {
		return nil, err
	}
	d.Finish()
	return d, nil
}

var errNone = errors.New("no incidents")

func readJSON(d *traffic.Document, r io.Reader) error {
	found := false
	err := plain.Members(r, func(name string, from *feed.JSONReader) error {
		if name != "incidents" {
			return plain.Skip(from)
		}
		found = true
		return plain.Elements(from, func() error {
			var raw json.RawMessage
			if err := from.Decode(&raw); err != nil {
				return err
			}
			var x incident
			if !x.reads(raw) {
				d.Reject(traffic.Unreadable)
				return nil
			}
			return x.add(d)
		})
	})
	if err == nil && !found {
		err = errNone
	}
	return err
}

// reads reports whether an incident has the members it should.
func (x *incident) reads(raw json.RawMessage) bool { return json.Unmarshal(raw, x) == nil }

func readXML(d *traffic.Document, r io.Reader) error {
	from := feed.NewXML(r)
	found := false
	for {
		token, err := from.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if _, is := token.(xml.Directive); is {
			return errors.New("a document type is not read")
		}
		t, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if t.Name.Local != "incident" {
			found = found || t.Name.Local == "incidents"
			continue
		}
		var x incident
		if err := from.DecodeElement(&x, &t); err != nil {
			return err
		}
		found = true
		if err := x.add(d); err != nil {
			return err
		}
	}
	if !found {
		return errNone
	}
	return nil
}

// kinds are the kinds of incident by their types. Those that are not here concern
// nobody's way.
var kinds = map[string]string{"ROAD_CLOSED": "closure", "ACCIDENT": "accident", "HAZARD": "hazard", "JAM": "congestion", "CONSTRUCTION": "roadworks"}

// add puts an incident into a document.
func (x *incident) add(d *traffic.Document) error {
	place := x.location
	if place.Polyline == "" {
		place = x.Location
	}
	kind, known := kinds[x.Type]
	if !known {
		d.Reject("a type that is not of the road")
		return nil
	}
	line, ok := positions(place.Polyline)
	if !ok {
		d.Reject(traffic.NoPlace)
		return nil
	}
	start, end := timeOf(x.Start), timeOf(x.End)
	if x.Start != "" && start.IsZero() || x.End != "" && end.IsZero() {
		d.Reject(traffic.BadTime)
		return nil
	}
	updated := timeOf(x.Updated)
	if updated.IsZero() {
		updated = timeOf(x.Created)
	}
	rec := &traffic.Record{
		ID: x.ID, Place: link.Place{Line: line}, At: updated, Closed: kind == "closure", Windows: []traffic.Window{{From: start, Until: end}},
		Incident: &traffic.Incident{Situation: x.ID, Kind: kind, Cause: x.Subtype, Severity: "unknown", Description: x.Description, Updated: updated},
	}
	if place.Street != "" {
		rec.Incident.Roads = []string{place.Street}
	}
	if place.Direction == "BOTH_DIRECTIONS" || len(line) == 1 {
		rec.Place.Dir = link.Both
	}
	if rec.Closed && x.Schedule != (schedule{}) {
		rec.Closed = false
		d.Reject("a closure at recurring hours, which only informs")
	}
	return d.Add(rec)
}

// positions reads a polyline: latitudes and longitudes in turn, with spaces.
func positions(text string) (line []geo.Point, ok bool) {
	fields := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r' })
	if len(fields) == 0 || len(fields)%2 != 0 {
		return nil, false
	}
	for i := 0; i < len(fields); i += 2 {
		p, ok := lenient.Point(fields[i], fields[i+1])
		if !ok {
			return nil, false
		}
		line = append(line, p)
	}
	return line, true
}

// timeOf reads a time, whose offset may lack its colon; the zero time is not known.
func timeOf(text string) time.Time { return lenient.Time(text, "2006-01-02T15:04:05-0700") }
