package datex2

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/link"
)

// location is the parts of a location, the most reliable first: lines, OpenLR, points, and the point
// for display.
type location struct {
	references []reference
	beyond     bool // a reference beyond maxReferences has begun
	lines      [][]geo.Point
	points     []geo.Point
	reversed   bool // the first point is the end, as in linear locations
	display    *geo.Point
	heading    *float64
	lat        *float64
	both       bool
	tmc        bool // a location of a table of TMC codes
	size       int  // points of lines and points; beyond traffic.MaxPoints no more are read
}

// leaf takes the text of an element of a location.
func (p *location) leaf(x *reader, name string, raw []byte) {
	if strings.HasPrefix(name, "openlr") || x.record != nil && (name == "latitude" || name == "longitude") && (x.inElement("openlrCoordinate") || x.inElement("openlrCoordinates")) {
		p.referenceLeaf(name, raw)
		return
	}
	switch name {
	case "posList", "pos":
		if p.size > traffic.MaxPoints {
			return
		}
		line, ok := positions(raw)
		p.size += len(line)
		switch {
		case !ok:
		case name == "pos":
			p.points = append(p.points, line...)
		default:
			p.lines = append(p.lines, line)
		}
	case "latitude", "longitude":
		v, err := strconv.ParseFloat(string(raw), 64)
		if err != nil {
			return
		}
		if name == "latitude" {
			p.lat = &v
			return
		}
		if p.lat == nil {
			return
		}
		at := geo.Point{Lon: v, Lat: *p.lat}
		p.lat = nil
		switch {
		case x.inElement("locationForDisplay"):
			p.display = &at
		case len(p.points) < traffic.MaxPoints:
			p.reversed = p.reversed || len(p.points) == 0 && x.inElement("to")
			p.points = append(p.points, at)
		}
	case "bearing":
		if v, ok := lenient.Bearing(string(raw)); ok {
			p.heading = &v
		}
	case "tpegDirection", "directionBoundOnLinearSection":
		if v, ok := lenient.Heading(string(raw)); ok && p.heading == nil {
			p.heading = &v
		}
	case "alertCDirectionCoded":
		p.tmc, p.both = true, string(raw) == "both"
	case "specificLocation":
		p.tmc = true
	}
}

// fits fails where a place has more points than it may.
func (p *location) fits() error {
	if p.size > traffic.MaxPoints {
		return fmt.Errorf("a place has %d points or more, the limit is %d", p.size, traffic.MaxPoints)
	}
	return nil
}

// positions reads a list of positions, latitude first.
func positions(raw []byte) (line []geo.Point, ok bool) {
	lat, odd := 0.0, false
	for len(raw) > 0 {
		i := bytes.IndexAny(raw, " \t\r\n,")
		if i == 0 {
			raw = raw[1:]
			continue
		}
		if i < 0 {
			i = len(raw)
		}
		v, err := strconv.ParseFloat(string(raw[:i]), 64)
		if err != nil {
			return nil, false
		}
		if odd {
			line = append(line, geo.Point{Lon: v, Lat: lat})
		}
		lat, odd, raw = v, !odd, raw[i:]
	}
	return line, !odd && len(line) > 0
}

// ordered returns the points in the direction of travel.
func (p *location) ordered() []geo.Point {
	if p.reversed && len(p.points) == 2 {
		return []geo.Point{p.points[1], p.points[0]}
	}
	return p.points
}

// places returns where a record is: one place for each line. There are none where the record
// does not say.
func (p *location) places(links []string) []link.Place {
	dir := link.Forwards
	if p.both {
		dir = link.Both
	}
	var list []link.Place
	for _, line := range p.lines {
		list = append(list, link.Place{Line: line, Dir: dir})
	}
	if list == nil {
		for i := range p.references {
			if at, ok := p.references[i].linkPlace(); ok {
				list = append(list, at)
			}
		}
	}
	switch {
	case list != nil:
	case len(p.points) > 0:
		list = []link.Place{{Line: p.ordered(), Dir: dir, Heading: p.heading, Links: links}}
	case len(links) > 0:
		list = []link.Place{{Links: links}}
		if p.display != nil {
			list[0].Line = []geo.Point{*p.display}
		}
	case p.display != nil:
		list = []link.Place{{Line: []geo.Point{*p.display}, Dir: dir, Heading: p.heading}}
	}
	return list
}
