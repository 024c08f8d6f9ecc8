// Package ahead reads the requests about what lies along a route: stops, reports,
// incidents, watches, the rest of a plan that is under way, and stops to charge.
package ahead

import (
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// Ahead has the members that all requests about the way ahead share: which route, and when.
type Ahead struct {
	native.Travel
	Shape     native.Polyline   `json:"shape,omitempty" doc:"the route as an encoded polyline of six digits, of two to 20,000 positions"`
	Locations []native.Position `json:"locations,omitempty" minItems:"2" maxItems:"50" of:"locations" doc:"the route's stops, in place of a shape: it is worked out here"`
	DepartAt  *time.Time        `json:"depart_at,omitempty" doc:"when the journey begins: RFC 3339 with an offset from UTC; now without it"`
	Language  native.Language   `json:"language,omitempty"`
}

// Line returns the route as it runs; nil where it is to be worked out.
func (a *Ahead) Line() []geo.Point { return a.Shape }

// Stops returns those of the route; nil where it runs as it is given.
func (a *Ahead) Stops() []geo.Point { return native.Points(a.Locations) }

// Points returns where the route is.
func (a *Ahead) Points() []geo.Point {
	if a.Shape == nil {
		return a.Stops()
	}
	// A line with its ends and its middle in one region is in it as a whole, or nearly;
	// thousands of positions need not be looked at.
	s := a.Shape
	return []geo.Point{s[0], s[len(s)/2], s[len(s)-1]}
}

// Check refuses no route, two, and a line that was encoded with five digits.
func (a *Ahead) Check(c *schema.Context) {
	a.Travel.Check(c)
	native.OneOf(c, "the route", native.Way{Name: "shape", Given: a.Shape != nil}, native.Way{Name: "locations", Given: a.Locations != nil})
	if a.Shape == nil || c.Bounds.Empty() {
		return
	}
	box, tenfold := geo.NoBounds(), geo.NoBounds()
	for _, p := range a.Shape {
		box, tenfold = box.Extend(p), tenfold.Extend(geo.Point{Lon: 10 * p.Lon, Lat: 10 * p.Lat})
	}
	if first := a.Shape[0]; !box.Intersects(c.Bounds) && tenfold.Intersects(c.Bounds) {
		c.Refuse("shape", nil, "begins at lat %.5f, lon %.5f, away from all that is served here; at lat %.5f, lon %.5f, where it would begin with five digits, there is a region: encode it with six digits", first.Lat, first.Lon, 10*first.Lat, 10*first.Lon)
	}
}

// FuelRequest is the body of POST /v1/fuel/along.
type FuelRequest struct {
	Ahead
	Fuel    string   `json:"fuel,omitempty" default:"e10" enum:"e5,e10,e85,b7,b7_premium,b10,hvo,lpg,cng,petrol,diesel" doc:"grade, as EN 16942 names it; petrol is e10, diesel is b7"`
	BufferM float64  `json:"buffer_m,omitempty" minimum:"50" maximum:"20000" default:"5000" unit:"metres" doc:"stations no further from the route, straight"`
	Litres  *float64 `json:"litres,omitempty" minimum:"1" maximum:"2000" unit:"litres" doc:"to be bought: stations are ranked by what that and the detour cost"`
	Tank    *Tank    `json:"tank,omitempty" doc:"says which stations are within range, and without litres how much is bought: what fits in"`
	Usage   *float64 `json:"consumption_l_per_100km,omitempty" minimum:"1" maximum:"100" doc:"of the vehicle, for what a detour costs; 7 without it, 30 for truck and bus"`
	Limit   int      `json:"limit,omitempty" minimum:"1" maximum:"50" default:"10" doc:"how many stations to answer with"`
}

// Tank gives the fuel that a vehicle holds.
type Tank struct {
	Capacity float64 `json:"capacity_l" minimum:"1" maximum:"2000" unit:"litres"`
	Level    float64 `json:"level" minimum:"0" maximum:"1" doc:"how full it is at the start: 0 to 1"`
}

// ChargingRequest is the body of POST /v1/charging/along.
type ChargingRequest struct {
	Ahead
	Connectors []string `json:"connectors,omitempty" minItems:"1" maxItems:"17" of:"connectors" enum:"type1,type2,type3,ccs1,ccs2,chademo,nacs,tesla,gbt_ac,gbt_dc,schuko,bs1363,domestic,cee_blue,cee_red,mcs,other" doc:"that fit; any without it"`
	MinKW      float64  `json:"min_kw,omitempty" minimum:"0" maximum:"4000" default:"0" doc:"least power of a connector that fits, in kW"`
	BufferM    float64  `json:"buffer_m,omitempty" minimum:"50" maximum:"20000" default:"5000" unit:"metres" doc:"stations no further from the route, straight"`
	Limit      int      `json:"limit,omitempty" minimum:"1" maximum:"50" default:"10" doc:"how many stations to answer with"`
}

// MostCameraBuffer is how far from the route cameras are listed at the most, in
// metres.
const MostCameraBuffer = 100

// CamerasRequest is the body of POST /v1/cameras/along.
type CamerasRequest struct {
	Ahead
	BufferM *float64 `json:"buffer_m,omitempty" minimum:"0" default:"40" unit:"metres" doc:"cameras no further from the route; more than 100 is taken as 100"`
}

// Buffer returns how far from the route cameras are listed.
func (r *CamerasRequest) Buffer() float64 {
	if r.BufferM == nil {
		return 40
	}
	return min(*r.BufferM, MostCameraBuffer)
}

// WeatherRequest is the body of POST /v1/weather/along.
type WeatherRequest struct{ Ahead }
