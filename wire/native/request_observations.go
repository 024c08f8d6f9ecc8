package native

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// ObservationsRequest is the body of POST /v1/route/observations. A member that it has not is
// refused.
type ObservationsRequest struct {
	Geometry Polyline `json:"geometry_polyline6" required:"true" doc:"the journey's line as an encoded polyline of six digits, of 2000 km at most"`
	Units    string   `json:"units,omitempty" enum:"miles,kilometers" default:"miles" doc:"of lengths in say: with miles heights are in feet"`
	Gap      float64  `json:"min_gap_m,omitempty" minimum:"0" maximum:"100000" default:"2000" unit:"metres" doc:"least length of line between two observations; of two that are nearer the rarer is kept"`
	Most     int      `json:"max_observations,omitempty" minimum:"1" maximum:"200" default:"40"`
}

// longestObserved is how long a line may be, in metres: feature/observations.MostMetres.
const longestObserved = 2_000_000

// Check refuses a line without length, and one that is too long.
func (r *ObservationsRequest) Check(c *schema.Context) {
	switch length := geo.Length(r.Geometry); {
	case len(r.Geometry) > 1 && length == 0:
		c.Refuse("geometry_polyline6", nil, "has no length: all positions of the line are one")
	case length > longestObserved:
		c.Refuse("geometry_polyline6", nil, "is %.0f km long and may be %d km; is it of six digits?", length/1000, longestObserved/1000)
	}
}

// Points returns those of the line.
func (r *ObservationsRequest) Points() []geo.Point { return r.Geometry }

// Features returns nothing: no line makes a call Premium.
func (r *ObservationsRequest) Features() []string { return nil }
