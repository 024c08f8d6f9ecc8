package datex2

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/waygate/waygate/road/link"
	"github.com/waygate/waygate/road/openlr"
)

// reference is an OpenLR reference, written out as elements or in its binary form.
type reference struct {
	line       openlr.Line
	begin, end float64 // offsets in metres
	whole      bool    // its last point has begun
	beyond     bool    // it has more points than are read
	code       []byte
}

// maxReferences is how many references of one place are read, and maxReferencePoints
// how many points of each. A reference with more of them names no place.
const (
	maxReferences      = 64
	maxReferencePoints = 64
)

// forms are forms of way by their words.
var forms = map[string]uint8{
	"undefined": 0, "motorway": 1, "multipleCarriageway": 2, "singleCarriageway": 3, "roundabout": 4, "trafficSquare": 5, "slipRoad": 6, "other": 7,
}

// beginReferencePoint begins a point of an OpenLR reference.
func (p *location) beginReferencePoint(last bool) {
	if n := len(p.references); n == 0 || p.references[n-1].whole {
		if n == maxReferences {
			p.beyond = true
			return
		}
		p.references = append(p.references, reference{})
	}
	r := &p.references[len(p.references)-1]
	if r.beyond = len(r.line.Points) == maxReferencePoints; !r.beyond {
		r.line.Points = append(r.line.Points, openlr.Point{})
	}
	r.whole = last
}

// referenceLeaf takes the text of an element of an OpenLR reference.
func (p *location) referenceLeaf(name string, raw []byte) {
	if name == "openlrBinary" {
		if code, err := base64.StdEncoding.DecodeString(string(raw)); err == nil && len(p.references) < maxReferences {
			p.references = append(p.references, reference{code: code, whole: true})
		}
		return
	}
	if len(p.references) == 0 || p.beyond {
		return
	}
	r := &p.references[len(p.references)-1]
	if len(r.line.Points) == 0 {
		return
	}
	at := &r.line.Points[len(r.line.Points)-1]
	v, _ := strconv.ParseFloat(string(raw), 64)
	switch name {
	case "latitude":
		at.At.Lat = v
	case "longitude":
		at.At.Lon = v
	case "openlrFunctionalRoadClass":
		at.Class = class(raw)
	case "openlrLowestFRCToNextLRPoint", "openlrLowestFrcToNextLRPoint":
		at.Lowest = class(raw)
	case "openlrFormOfWay":
		at.Form = forms[string(raw)]
	case "openlrBearing":
		at.Bearing = v
	case "openlrDistanceToNextLRPoint":
		at.Metres = v
	case "openlrPositiveOffset":
		r.begin = v
	case "openlrNegativeOffset":
		r.end = v
	}
}

// class reads a functional road class such as FRC3.
func class(raw []byte) uint8 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(string(raw), "FRC"), 10, 8)
	return uint8(min(n, 7))
}

// linkPlace returns where a reference is; ok is false where it names no place.
func (r *reference) linkPlace() (link.Place, bool) {
	if r.code != nil {
		_, err := openlr.Parse(r.code)
		return link.Place{OpenLR: r.code}, err == nil
	}
	n := len(r.line.Points)
	if n < 2 || !r.whole || r.beyond {
		return link.Place{}, false
	}
	for i := range r.line.Points {
		p := &r.line.Points[i]
		if !p.At.Valid() || !(p.Bearing >= 0 && p.Bearing <= 360) || !(p.Metres >= 0) {
			return link.Place{}, false
		}
	}
	r.line.Begin, r.line.End = share(r.begin, r.line.Points[0].Metres), share(r.end, r.line.Points[n-2].Metres)
	code, err := r.line.AppendBinary(nil)
	return link.Place{OpenLR: code}, err == nil
}

// share returns an offset as a part of a stretch.
func share(offset, metres float64) float64 {
	if !(offset > 0 && metres > 0) {
		return 0
	}
	return min(1, offset/metres)
}
