package native

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// longestPolyline is how many characters a line has at the most: seven for each
// number, which is the difference of two that are at most 180 degrees from 0.
const longestPolyline = 14 * MostPositions

// Polyline is a line of two to 20,000 positions, encoded with six digits.
type Polyline []geo.Point

// Describe describes its text.
func (Polyline) Describe(*schema.Document) *schema.Schema {
	shortest, longest := 4, longestPolyline // two positions, a digit for each number
	return &schema.Schema{Type: schema.String, MinLength: &shortest, MaxLength: &longest}
}

// DecodeJSON reads it.
func (p *Polyline) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		c.Refuse("", raw, "must be a string: a polyline of six digits")
		return
	}
	if len(text) > longestPolyline {
		c.Refuse("", nil, "has %d characters, more than %d positions take", len(text), MostPositions)
		return
	}
	line, err := geo.DecodePolyline(text, 6)
	switch {
	case err != nil:
		c.Refuse("", raw, "is not a polyline of six digits: %v", err)
		return
	case len(line) < 2:
		c.Refuse("", nil, "has %d of at least two positions", len(line))
		return
	case len(line) > MostPositions:
		c.Refuse("", nil, "has %d positions and may have %d", len(line), MostPositions)
		return
	}
	for i, at := range line {
		if !at.Valid() {
			c.Refuse("", nil, "leaves the globe at position %d (%s): is it of six digits?", i, at)
			return
		}
	}
	*p = line
}

// Line is a line given as points or encoded.
type Line struct {
	Shape   []Position `json:"shape,omitempty" minItems:"2" maxItems:"20000" of:"positions" doc:"a line as points"`
	Encoded Polyline   `json:"encoded_polyline,omitempty" doc:"a line as an encoded polyline of six digits"`
}

// Given reports whether the request has the line.
func (l *Line) Given() bool { return len(l.Shape) > 0 || len(l.Encoded) > 0 }

// Points returns the line; nil where there is none.
func (l *Line) Points() []geo.Point {
	if l.Encoded != nil {
		return l.Encoded
	}
	return Points(l.Shape)
}

// Stops are a route given by its stops, or by its line.
type Stops struct {
	Locations []Position `json:"locations,omitempty" minItems:"2" maxItems:"50" of:"locations" doc:"the route's stops, in place of a line"`
	Line
}

// Way returns the stops or the line, whichever there is.
func (s *Stops) Way() (stops, line []geo.Point) { return Points(s.Locations), s.Points() }

// All returns the stops or the points of the line, whichever there are.
func (s *Stops) All() []geo.Point {
	stops, line := s.Way()
	return append(stops, line...)
}

// Check refuses none of the two, and both.
func (s *Stops) Check(c *schema.Context) {
	OneOf(c, "the route", Way{Name: "locations", Given: len(s.Locations) > 0}, Way{Name: "shape", Given: len(s.Shape) > 0}, Way{Name: "encoded_polyline", Given: len(s.Encoded) > 0})
}

// Way is one of several members of a request that give the same thing.
type Way struct {
	Name  string // of the member
	Given bool   // the request has it
}

// OneOf refuses a request that has none or several of the members that give the
// same thing.
func OneOf(c *schema.Context, what string, ways ...Way) {
	var all, said []string
	for _, w := range ways {
		all = append(all, w.Name)
		if w.Given {
			said = append(said, w.Name)
		}
	}
	list := strings.Join(all, ", ")
	switch len(said) {
	case 0:
		c.Refuse(all[0], nil, "is missing: %s is given by one of %s", what, list)
	case 1:
	default:
		c.Refuse(said[1], nil, "stands beside %s: %s is given by one of %s", said[0], what, list)
	}
}

// Index returns the path of a list's entry in errors: "[3]".
func Index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// Entry returns the path of a named list's entry in errors: "stops[3]".
func Entry(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
