// Package plain reads traffic and incidents in forms that any operator can write:
// CSV with a header, JSON, and GeoJSON. The names of columns, members and
// properties are the same in all three; what is not known is passed over.
package plain

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/link"
)

// fields returns the text of a record's field by its name; "" where it has none.
type fields func(name string) string

// record reads a record of its fields; ok is false where it was rejected.
func record(d *traffic.Document, of fields, line []geo.Point) (r traffic.Record, ok bool) {
	r.ID = of("id")
	if r.Place, ok = readLocation(of, line); !ok {
		d.Reject(traffic.NoPlace)
		return r, false
	}
	switch of("closed") {
	case "1", "true", "yes":
		r.Closed = true
	}
	if text := of("speed_kph"); text != "" {
		kmh := lenient.ParseNumber(text)
		switch {
		case !kmh.Known:
			d.Reject(traffic.Unreadable)
			return r, false
		case kmh.Value == 0:
			r.Closed = true
		default:
			if r.Kmh, ok = d.Speed(kmh.Value); !ok {
				return r, false
			}
		}
	}
	var w traffic.Window
	for name, to := range map[string]*time.Time{"measured_at": &r.At, "from": &w.From, "until": &w.Until} {
		if *to, ok = timeOf(of(name)); !ok {
			d.Reject(traffic.BadTime)
			return r, false
		}
	}
	if w != (traffic.Window{}) {
		r.Windows = []traffic.Window{w}
	}
	r.Incident = incident(d, of)
	if r.Kmh == 0 && !r.Closed && r.Incident == nil {
		d.Reject("neither a speed nor a closure nor an incident")
		return r, false
	}
	return r, true
}

// timeOf reads a time; the empty text is the zero time, and ok is false for others that are
// no time.
func timeOf(text string) (at time.Time, ok bool) {
	at = lenient.Time(text)
	return at, text == "" || !at.IsZero()
}

// readLocation reads where a record is.
func readLocation(of fields, line []geo.Point) (p link.Place, ok bool) {
	p.Line = line
	if id, err := strconv.ParseInt(of("way"), 10, 64); err == nil && id > 0 {
		p.Way = id
	}
	switch of("direction") {
	case "", "forward":
	case "backward":
		p.Dir = link.Backwards
	case "both":
		p.Dir = link.Both
	default:
		return p, false
	}
	if text := of("nodes"); text != "" {
		for _, n := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ';' }) {
			id, err := strconv.ParseInt(n, 10, 64)
			if err != nil || len(p.Nodes) >= traffic.MaxPoints {
				return p, false
			}
			p.Nodes = append(p.Nodes, id)
		}
	}
	if from, to := of("from_node"), of("to_node"); from != "" && to != "" {
		a, err1 := strconv.ParseInt(from, 10, 64)
		b, err2 := strconv.ParseInt(to, 10, 64)
		if err1 != nil || err2 != nil {
			return p, false
		}
		p.Nodes = []int64{a, b}
	}
	if text := of("openlr"); text != "" {
		code, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(code) > 1024 {
			return p, false
		}
		p.OpenLR = code
	}
	if text := of("shape"); text != "" && line == nil {
		points, err := geo.DecodePolyline(text, 6)
		if err != nil {
			return p, false
		}
		p.Line = points
	}
	if lat, lon := of("lat"), of("lon"); lat != "" && lon != "" && p.Line == nil {
		at, ok := lenient.Point(lat, lon)
		if !ok {
			return p, false
		}
		p.Line = []geo.Point{at}
	}
	if h, ok := lenient.Bearing(of("heading")); ok {
		p.Heading = &h
	}
	if id := of("link"); id != "" {
		p.Links = []string{id}
	}
	return p, p.Known()
}

// incident reads the incident of a record; nil where it has no kind.
func incident(d *traffic.Document, of fields) *traffic.Incident {
	kind := of("kind")
	if kind == "" {
		return nil
	}
	if !slices.Contains(traffic.Kinds, kind) {
		d.Reject("an unknown kind, taken as other")
		kind = "other"
	}
	in := &traffic.Incident{
		Situation: of("situation"), Kind: kind, Cause: of("cause"), Severity: traffic.Severity(of("severity")),
		Direction: of("towards"), Description: of("description"),
	}
	if road := of("road"); road != "" {
		in.Roads = []string{road}
	}
	for name, to := range map[string]**int{"lanes_closed": &in.LanesClosed, "lanes_open": &in.LanesOpen} {
		if n, err := strconv.Atoi(of(name)); err == nil && n >= 0 && n < 32 {
			*to = &n
		}
	}
	in.Updated, _ = timeOf(of("updated_at"))
	return in
}

// texts returns the members of an object as texts.
func texts(object map[string]json.RawMessage) fields {
	return func(name string) string {
		raw := object[name]
		if len(raw) == 0 || string(raw) == "null" {
			return ""
		}
		var text string
		if json.Unmarshal(raw, &text) == nil {
			return text
		}
		return strings.Trim(string(raw), `"`)
	}
}

// add puts a record into a document: those of whole ways and of neighbouring
// nodes with nothing but a speed take less room.
func add(d *traffic.Document, r *traffic.Record) error {
	if r.Incident == nil && r.Windows == nil && r.ID == "" && (r.Kmh > 0 || r.Closed) {
		kmh := uint8(r.Kmh + 0.5)
		if r.Kmh > 0 && kmh == 0 {
			kmh = 1
		}
		if r.Closed {
			kmh = 0
		}
		speeds := len(d.Segments) + len(d.Ways)
		switch {
		case speeds >= traffic.MaxSpeeds:
			return fmt.Errorf("more than %d speeds", traffic.MaxSpeeds)
		case len(r.Place.Nodes) == 2:
			d.Segments = append(d.Segments, link.Segment{From: r.Place.Nodes[0], To: r.Place.Nodes[1], Kmh: kmh})
			return nil
		case r.Place.Way != 0 && len(r.Place.Nodes) == 0:
			d.Ways = append(d.Ways, link.Way{ID: r.Place.Way, Dir: r.Place.Dir, Kmh: kmh})
			return nil
		}
	}
	return d.Add(r)
}
