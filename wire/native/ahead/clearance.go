package ahead

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// ClearanceRequest is the body of POST /v1/clearance/along.
type ClearanceRequest struct {
	Geometry  native.Polyline `json:"geometry_polyline6" required:"true" maxLength:"140000" doc:"the route as an encoded polyline of six digits, of two to 10,000 positions"`
	Height    float64         `json:"vehicle_height_m" exclusiveMinimum:"0" maximum:"20" unit:"metres" doc:"of the vehicle with its load; there is no default"`
	Width     *float64        `json:"vehicle_width_m,omitempty" exclusiveMinimum:"0" maximum:"20" unit:"metres" doc:"of the vehicle with its load and mirrors; the width is assessed only where it is given"`
	Margin    float64         `json:"margin_m,omitempty" minimum:"0" maximum:"10" default:"0" unit:"metres" doc:"that is added to the vehicle's height"`
	Datasets  []string        `json:"datasets,omitempty" maxItems:"100" maxLength:"100" of:"names" doc:"surveys to use alone. One that is unknown, or that the key may not read, is left out without a word: its measurements are then as if the place had not been surveyed"`
	Wheelbase *float64        `json:"wheelbase_m,omitempty" minimum:"0" maximum:"40" unit:"metres" doc:"between the outer axles of the longest rigid part, by which it rises over the road in a sag; 12 without it; beyond the contract"`
}

// mostClearancePositions is how many positions a line may have.
const mostClearancePositions = 10_000

// Check refuses a line that is too long, and one without length.
func (r *ClearanceRequest) Check(c *schema.Context) {
	switch {
	case len(r.Geometry) > mostClearancePositions:
		c.Refuse("geometry_polyline6", nil, "has %d positions and may have %d; ask for parts of the route", len(r.Geometry), mostClearancePositions)
	case len(r.Geometry) > 1 && geo.Length(r.Geometry) == 0:
		c.Refuse("geometry_polyline6", nil, "has no length: all of its positions are one")
	}
}

// Points returns where the route is.
func (r *ClearanceRequest) Points() []geo.Point { return r.Geometry }

// Features returns nothing: no vehicle makes the call Premium.
func (r *ClearanceRequest) Features() []string { return nil }
