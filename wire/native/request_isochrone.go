package native

import (
	"fmt"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// IsochroneRequest is the body of POST /isochrone.
type IsochroneRequest struct {
	Locations []RouteLocation `json:"locations" minItems:"1" maxItems:"1" of:"locations" doc:"the place"`
	AnyTravel
	Receipted
	Contours      []IsochroneContour `json:"contours" minItems:"1" maxItems:"4" of:"contours"`
	Polygons      bool               `json:"polygons,omitempty" doc:"polygons rather than lines"`
	Denoise       *float64           `json:"denoise,omitempty" minimum:"0" maximum:"1" default:"1" doc:"drops islands smaller than this share of the largest; the embedded engine also drops holes smaller than this share of a hundredth of it, and keeps islands on which one of a smaller contour is left"`
	Generalize    *float64           `json:"generalize,omitempty" minimum:"0" maximum:"10000" unit:"metres" doc:"metres a line may be moved to need fewer points; by default by the size"`
	Reverse       bool               `json:"reverse,omitempty" doc:"from where the place is within reach"`
	ShowLocations bool               `json:"show_locations,omitempty" doc:"adds the place as points: as given, and on the road"`
	Count         bool               `json:"count,omitempty" doc:"counts the addresses and places within each outline, an extension; without effect on the outlines of another server"`
	Format        string             `json:"format,omitempty" enum:"geojson,json" doc:"accepted: answers are GeoJSON"`
	ID            string             `json:"id,omitempty" maxLength:"256" doc:"echoed"`
	Conditions
	Units    schema.Raw[Units]             `json:"units,omitempty" effect:"passed" doc:"without effect: minutes and kilometres"`
	Language schema.Raw[Language]          `json:"language,omitempty" effect:"passed" doc:"without effect"`
	Options  schema.Raw[DirectionsOptions] `json:"directions_options,omitempty" effect:"none" doc:"without effect"`
	Rest     schema.UnknownMembers
}

// IsochroneContour is one outline: a time, a distance, or both for two contours.
type IsochroneContour struct {
	Time     *float64 `json:"time,omitempty" exclusiveMinimum:"0" maximum:"120" unit:"minutes" doc:"minutes"`
	Distance *float64 `json:"distance,omitempty" exclusiveMinimum:"0" maximum:"200" unit:"kilometres" doc:"kilometres along the roads"`
	Color    string   `json:"color,omitempty" pattern:"^#?[0-9a-fA-F]{6}$" patternDescription:"six hexadecimal digits, such as ff0000" doc:"six hexadecimal digits"`
}

// Check refuses an outline of nothing.
func (o *IsochroneContour) Check(c *schema.Context) {
	if o.Time == nil && o.Distance == nil {
		c.Refuse("", nil, "needs time in minutes or distance in kilometres")
	}
}

// Check refuses a time of the wrong end: one sets out from the place
// or, in reverse, is to be there.
func (r *IsochroneRequest) Check(c *schema.Context) {
	r.AnyTravel.Check(c)
	r.checkTime(c, r.DateTime)
	r.checkTransit(c)
	if r.DateTime == nil {
		return
	}
	switch t := engine.TimeType(r.DateTime.Type); {
	case t == engine.Arrive && !r.Reverse:
		c.Refuse("date_time.type", r.DateTime.Type, "is 2, a time of arrival, and needs reverse: what is within reach of a place begins with setting out")
	case t == engine.Depart && r.Reverse:
		c.Refuse("date_time.type", r.DateTime.Type, "is 1, a time of departure, and cannot stand beside reverse: tell the time of arrival, 2")
	}
}

// Points returns where the place is.
func (r *IsochroneRequest) Points() []geo.Point { return PointsOf(r.Locations) }

// Features names what makes the call Premium: truck, adr.
func (r *IsochroneRequest) Features() []string { return Features(&r.travel, Has(r.Rest, "adr")) }

// Isochrone returns the request to an engine of some capabilities, and the warnings.
func (r *IsochroneRequest) Isochrone(can engine.Can) (*engine.IsochroneRequest, []engine.Warning, error) {
	if err := r.notHere(); err != nil {
		return nil, nil, err
	}
	b := Beyond{can: can}
	if err := b.Read(r.Rest); err != nil {
		return nil, nil, err
	}
	q := r.outline()
	q.Costing, q.Options, q.Conditions, q.Extra = r.travel.Costing, r.travel.settings, r.Conditions.Engine(), b.extra
	return q, b.Warnings, nil
}

// TransitIsochrone returns the outlines that are wanted by public transport, and warnings of
// what has no effect on them.
func (r *IsochroneRequest) TransitIsochrone() (*engine.IsochroneRequest, []engine.Warning, error) {
	warnings, err := r.unused(r.Rest, false, r.Locations)
	return r.outline(), warnings, err
}

// mostTransitMinutes is the most of a contour by public transport.
const mostTransitMinutes = 60

// checkTransit refuses what an isochrone by public transport does not have.
func (r *IsochroneRequest) checkTransit(c *schema.Context) {
	if !r.IsTransit() {
		return
	}
	for i := range r.Contours {
		switch at := "contours" + Index(i); {
		case r.Contours[i].Distance != nil:
			c.Refuse(at+".distance", *r.Contours[i].Distance, "needs another costing than transit, which has times only")
		case r.Contours[i].Time != nil && *r.Contours[i].Time > mostTransitMinutes:
			c.Refuse(at+".time", *r.Contours[i].Time, "must be at most %d minutes with the costing transit", mostTransitMinutes)
		}
	}
}

// outline returns the outlines to be drawn, without the way of travel.
func (r *IsochroneRequest) outline() *engine.IsochroneRequest {
	q := &engine.IsochroneRequest{
		Location: r.Locations[0].engine(), Polygons: r.Polygons, Reverse: r.Reverse,
		ShowLocations: r.ShowLocations, Denoise: r.Denoise, Generalize: r.Generalize, ID: r.ID,
	}
	for _, one := range r.Contours {
		colour := strings.TrimPrefix(one.Color, "#")
		if one.Time != nil {
			q.Contours = append(q.Contours, engine.Contour{Minutes: *one.Time, Colour: colour})
		}
		if one.Distance != nil {
			q.Contours = append(q.Contours, engine.Contour{Kilometres: *one.Distance, Colour: colour})
		}
	}
	return q
}

// tooMany words a matrix that is too large.
func tooMany(sources, targets, most int) string {
	return fmt.Sprintf("makes a matrix of %d x %d = %d cells, and one request may have %d; ask for parts of it", sources, targets, sources*targets, most)
}
