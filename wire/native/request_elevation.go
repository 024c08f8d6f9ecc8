package native

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// ElevationRequest is a request for the height of places.
type ElevationRequest struct {
	Locations []Position `json:"locations" required:"true" minItems:"1" maxItems:"500" of:"locations"`
}

// Points returns the places.
func (r *ElevationRequest) Points() []geo.Point { return Points(r.Locations) }

// ProfileRequest is a request for the heights along a line.
type ProfileRequest struct {
	Line
	Interval float64 `json:"interval_m,omitempty" minimum:"10" maximum:"100000" unit:"metres" doc:"between samples; without it 30, or what makes 500 samples of a long line"`

	length float64
}

// Length returns that of the line in metres, once the request was checked.
func (r *ProfileRequest) Length() float64 { return r.length }

// Check refuses no line, two, and one without length.
func (r *ProfileRequest) Check(c *schema.Context) {
	OneOf(c, "the line", Way{Name: "shape", Given: len(r.Shape) > 0}, Way{Name: "encoded_polyline", Given: len(r.Encoded) > 0})
	line := r.Line.Points()
	if r.length = geo.Length(line); len(line) > 1 && r.length == 0 {
		c.Refuse("", nil, "has no length: all positions of the line are one")
	}
}
