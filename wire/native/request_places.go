package native

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// LocateRequest is the body of POST /locate.
type LocateRequest struct {
	Locations []RouteLocation `json:"locations" minItems:"1" maxItems:"100" of:"locations"`
	Travel
	Verbose bool `json:"verbose,omitempty" doc:"return all that is known of each edge and node"`

	DateTime         schema.Raw[RouteTime]       `json:"date_time,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	ExcludeLocations schema.Raw[[]RouteLocation] `json:"exclude_locations,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	ExcludePolygons  schema.Raw[Polygons]        `json:"exclude_polygons,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	AvoidLocations   schema.Raw[[]RouteLocation] `json:"avoid_locations,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	AvoidPolygons    schema.Raw[Polygons]        `json:"avoid_polygons,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	beyondRoutes
	Rest schema.UnknownMembers
}

// beyondRoutes are members of POST /route that change which answer is right.
type beyondRoutes struct {
	Recostings       schema.Raw[[]map[string]any] `json:"recostings,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	Elevation        schema.Raw[float64]          `json:"elevation_interval,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	LinearReferences schema.Raw[bool]             `json:"linear_references,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
}

// Points returns the places.
func (r *LocateRequest) Points() []geo.Point { return PointsOf(r.Locations) }

// Features names what makes the call Premium: truck, adr.
func (r *LocateRequest) Features() []string { return Features(&r.Travel, Has(r.Rest, "adr")) }

// Locate returns the request to an engine of some capabilities, and the warnings.
func (r *LocateRequest) Locate(can engine.Can) (*engine.LocateRequest, []engine.Warning, error) {
	b := Beyond{can: can}
	if err := b.Read(r.Rest); err != nil {
		return nil, nil, err
	}
	return &engine.LocateRequest{Locations: locations(r.Locations), Costing: r.Costing, Options: r.settings, Verbose: r.Verbose, Extra: b.extra}, b.Warnings, nil
}

// CentroidRequest is the body of POST /centroid. Of time there is none: everybody
// would have one of their own.
type CentroidRequest struct {
	Locations []RouteLocation `json:"locations" minItems:"2" maxItems:"10" of:"locations" doc:"where each sets out"`
	Travel
	Receipted
	Format string `json:"format,omitempty" enum:"json"`
	Narration
	DateTime schema.Raw[RouteTime] `json:"date_time,omitempty" effect:"binding" doc:"passed to a remote engine; a 501 on the embedded one"`
	Exclusions
	beyondRoutes
	Rest schema.UnknownMembers
}

// Check checks what depends on several members.
func (r *CentroidRequest) Check(c *schema.Context) {
	r.Travel.Check(c)
	if r.osrm(r.Format) {
		c.Refuse("directions_options.format", "osrm", "must be json")
	}
}

// Points returns where the travellers set out.
func (r *CentroidRequest) Points() []geo.Point { return PointsOf(r.Locations) }

// Features names what makes the call Premium: truck, adr.
func (r *CentroidRequest) Features() []string { return Features(&r.Travel, Has(r.Rest, "adr")) }

// Centroid returns the request to an engine of some capabilities, and the warnings.
func (r *CentroidRequest) Centroid(can engine.Can) (*engine.RouteRequest, []engine.Warning, error) {
	b := Beyond{can: can}
	if err := b.Read(r.Rest); err != nil {
		return nil, nil, err
	}
	return &engine.RouteRequest{
		Locations: locations(r.Locations), Costing: r.Costing, Options: r.settings, Conditions: r.Exclusions.engine(), Extra: b.extra,
		Output: r.Narration.output(r.Format),
	}, b.Warnings, nil
}
