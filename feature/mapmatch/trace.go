package mapmatch

import (
	"encoding/json"
	"fmt"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/geo"
)

// mostShown bounds how many positions are named that are wrong.
const mostShown = 10

// trace reads the positions: shape, or encoded_polyline with begin_time and
// durations.
func (d *reader) trace(doc map[string]json.RawMessage) {
	shape, line := doc["shape"], doc["encoded_polyline"]
	switch {
	case body.Absent(shape) && body.Absent(line):
		d.Refuse("shape", nil, "is missing: a list of at least two objects with lat and lon, or else encoded_polyline")
	case !body.Absent(shape) && !body.Absent(line):
		d.Refuse("encoded_polyline", nil, "cannot stand beside shape: send one of them")
	case !body.Absent(shape):
		d.shape(shape)
	default:
		d.encoded(line)
	}
	if d.Err() != nil {
		return
	}
	d.durations(doc)
	d.ordered()
}

// counted checks the number of positions.
func (d *reader) counted(at string, n int) bool {
	switch {
	case n < 2:
		d.Refuse(at, nil, "has %d of at least two positions", n)
	case n > MaxPoints:
		d.Refuse(at, nil, "has %d positions and may have %d: match a longer trace in pieces that overlap", n, MaxPoints)
	default:
		return true
	}
	return false
}

// position is one of a shape as most have it, so that it need not be taken
// apart member by member.
type position struct {
	Lat  *float64    `json:"lat"`
	Lon  *float64    `json:"lon"`
	Time *float64    `json:"time"`
	Type engine.Stop `json:"type"`
}

func (d *reader) shape(raw json.RawMessage) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		d.Refuse("shape", raw, "must be a list of at least two objects with lat and lon")
		return
	}
	if !d.counted("shape", len(list)) {
		return
	}
	d.req.Match.Trace = make([]engine.TracePoint, len(list))
	wrong := 0
	for i := range list {
		if d.plain(list[i], &d.req.Match.Trace[i]) {
			continue
		}
		if !d.position(list[i], fmt.Sprintf("shape[%d]", i), &d.req.Match.Trace[i]) {
			if wrong++; wrong == mostShown {
				return
			}
		}
	}
}

// plain reads a position that is in order and has nothing besides; it reports
// false for any other.
func (d *reader) plain(raw json.RawMessage, p *engine.TracePoint) bool {
	v, ok := scan(raw)
	if !ok || v.Lat == nil || v.Lon == nil {
		return false
	}
	*p = engine.TracePoint{Point: geo.Point{Lon: *v.Lon, Lat: *v.Lat}, Time: v.Time}
	return p.Point.Valid()
}

// scan reads an object that has only numbers for lat, lon and time.
func scan(raw json.RawMessage) (position, bool) {
	var v position
	s := scanner{raw: raw}
	if !s.is('{') {
		return v, false
	}
	for {
		name, ok := s.name()
		if !ok {
			return v, false
		}
		var into **float64
		switch name {
		case "lat":
			into = &v.Lat
		case "lon":
			into = &v.Lon
		case "time":
			into = &v.Time
		default:
			return v, false
		}
		n, ok := s.number()
		if !ok {
			return v, false
		}
		*into = &n
		if s.is('}') {
			return v, true
		}
		if !s.is(',') {
			return v, false
		}
	}
}

// position reads any position and says what is wrong with it.
func (d *reader) position(raw json.RawMessage, at string, p *engine.TracePoint) (ok bool) {
	all := d.Members(raw, at)
	if all == nil {
		return false
	}
	lon, lonOK := d.degrees(all["lon"], at+".lon", 180)
	lat, latOK := d.degrees(all["lat"], at+".lat", 90)
	p.Point, ok = geo.Point{Lon: lon, Lat: lat}, lonOK && latOK
	for _, name := range body.Names(all) {
		switch {
		case name == "lat" || name == "lon" || body.Absent(all[name]):
		case name == "time":
			var v float64
			if json.Unmarshal(all[name], &v) != nil {
				d.Refuse(at+".time", all[name], "must be a number of seconds")
				ok = false
				continue
			}
			p.Time = &v
		case name == "type":
			p.Stop = engine.Stop(d.Word(all[name], at+".type", "break", "through", "via", "break_through"))
			ok = ok && p.Stop != ""
		default:
			d.Warn(body.UnknownMember, "%s.%s is not known here and had no effect", at, name)
		}
	}
	return ok
}

func (d *reader) degrees(raw json.RawMessage, at string, most float64) (float64, bool) {
	if body.Absent(raw) {
		d.Refuse(at, nil, "is missing")
		return 0, false
	}
	return d.Number(raw, at, " degrees", -most, most)
}

func (d *reader) encoded(raw json.RawMessage) {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		d.Refuse("encoded_polyline", raw, "must be a string: a polyline of six digits")
		return
	}
	line, err := geo.DecodePolyline(s, 6)
	if err != nil {
		d.Refuse("encoded_polyline", nil, "is not a polyline of six digits: %v", err)
		return
	}
	if !d.counted("encoded_polyline", len(line)) {
		return
	}
	d.req.Match.Trace = make([]engine.TracePoint, len(line))
	for i, p := range line {
		if !p.Valid() {
			d.Refuse("encoded_polyline", nil, "leaves the globe at position %d (%s): is it of six digits?", i, p)
			return
		}
		d.req.Match.Trace[i].Point = p
	}
}

// durations gives the positions times, one duration from each to the next.
func (d *reader) durations(doc map[string]json.RawMessage) {
	begin := 0.0
	if raw := doc["begin_time"]; !body.Absent(raw) && json.Unmarshal(raw, &begin) != nil {
		d.Refuse("begin_time", raw, "must be a number of seconds")
		return
	}
	if body.Absent(doc["durations"]) {
		if !body.Absent(doc["begin_time"]) {
			d.Warn(body.WithoutEffect, "begin_time has no effect without durations")
		}
		return
	}
	var list []float64
	trace := d.req.Match.Trace
	if json.Unmarshal(doc["durations"], &list) != nil {
		d.Refuse("durations", doc["durations"], "must be a list of numbers of seconds")
		return
	}
	if len(list) != len(trace)-1 {
		d.Refuse("durations", nil, "has %d entries; between %d positions there are %d", len(list), len(trace), len(trace)-1)
		return
	}
	at := begin
	trace[0].Time = &begin
	for i, v := range list {
		if v < 0 {
			d.Refuse(fmt.Sprintf("durations[%d]", i), nil, "is %g seconds and may not be below 0", v)
			return
		}
		at += v
		now := at
		trace[i+1].Time = &now
	}
}

// ordered refuses times that go back.
func (d *reader) ordered() {
	var last *float64
	before := 0
	for i, p := range d.req.Match.Trace {
		if p.Time == nil {
			continue
		}
		if last != nil && *p.Time < *last {
			d.Refuse(fmt.Sprintf("shape[%d].time", i), nil, "is %g and lies before the time of shape[%d], %g: sort the positions by time", *p.Time, before, *last)
			return
		}
		last, before = p.Time, i
	}
}
