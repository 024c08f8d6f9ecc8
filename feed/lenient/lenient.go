// Package lenient reads values as sources of feeds write them: numbers in quotes, numbers
// where texts belong, times in several forms, bearings in degrees or in words. What cannot
// be read is not known, and is no error.
package lenient

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
)

// Number is a finite number. The zero value is not known.
type Number struct {
	Value float64
	Known bool
}

// UnmarshalJSON reads a number of JSON, or one in a string. Anything else is not known:
// sources write false, null and "" for a number that they do not have.
func (n *Number) UnmarshalJSON(b []byte) error {
	*n = ParseNumber(string(b))
	return nil
}

// ParseNumber reads a number with a decimal point, in quotes or not.
func ParseNumber(text string) Number {
	v, err := strconv.ParseFloat(strings.Trim(text, `"' `), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return Number{}
	}
	return Number{v, true}
}

// ParseDecimal reads a number as ParseNumber does, or one with a decimal comma.
func ParseDecimal(text string) Number {
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	return ParseNumber(text)
}

// Word is a text of JSON without spaces around it, or the digits of a number. Anything
// else is "".
type Word string

// UnmarshalJSON reads a word. It fails for a text longer than feed.MaxText, so that the
// whole record is rejected.
func (w *Word) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil {
		if s = string(b); s == "null" || strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
			s = ""
		}
	}
	if s = strings.TrimSpace(s); len(s) > feed.MaxText {
		return fmt.Errorf("a text has %d bytes, the limit is %d", len(s), feed.MaxText)
	}
	*w = Word(s)
	return nil
}

// Time reads a time of RFC 3339, or of other layouts of the package time; one without an
// offset is in UTC. It returns the zero time for any other text.
func Time(text string, layouts ...string) time.Time {
	return TimeIn(time.UTC, text, layouts...)
}

// TimeIn reads a time as Time does; one without an offset is the local time of a zone.
func TimeIn(zone *time.Location, text string, layouts ...string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	for i := 0; err != nil && i < len(layouts); i++ {
		at, err = time.ParseInLocation(layouts[i], text, zone)
	}
	if err != nil {
		return time.Time{}
	}
	return at
}

// Point reads a pair of coordinates, which may be out of range; ok is false where one of
// them is no number.
func Point(lat, lon string) (p geo.Point, ok bool) {
	y, x := ParseNumber(lat), ParseNumber(lon)
	return geo.Point{Lon: x.Value, Lat: y.Value}, y.Known && x.Known
}

// Bearing reads an angle of 0 to 360 degrees clockwise from north.
func Bearing(text string) (degrees float64, ok bool) {
	n := ParseNumber(text)
	return n.Value, n.Known && n.Value >= 0 && n.Value <= 360
}

// headings are the degrees of directions of travel.
var headings = map[string]float64{
	"northbound": 0, "northeastbound": 45, "eastbound": 90, "southeastbound": 135,
	"southbound": 180, "southwestbound": 225, "westbound": 270, "northwestbound": 315,
}

// Heading reads a direction of travel such as northbound, in any case.
func Heading(word string) (degrees float64, ok bool) {
	degrees, ok = headings[strings.ToLower(word)]
	return degrees, ok
}
