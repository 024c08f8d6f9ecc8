package route

import (
	"net/http"
	"reflect"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/isochrone"
	"github.com/waygate/waygate/wire/native"
)

// IsochroneRequest describes POST /isochrone in OpenAPI; the feature reads the
// body.
type IsochroneRequest struct {
	Locations      []RouteLocation           `json:"locations" minItems:"1" maxItems:"1" doc:"the place"`
	Costing        string                    `json:"costing" enum:"auto,truck,bus,motor_scooter,motorcycle,bicycle,pedestrian" doc:"way of travel"`
	CostingOptions map[string]map[string]any `json:"costing_options,omitempty" doc:"options by costing, as of POST /route"`
	Contours       []IsochroneContour        `json:"contours" minItems:"1" maxItems:"4"`
	Polygons       bool                      `json:"polygons,omitempty" doc:"polygons rather than lines"`
	Denoise        *float64                  `json:"denoise,omitempty" minimum:"0" maximum:"1" default:"1" doc:"drops islands smaller than this share of the largest; the embedded engine also drops holes smaller than this share of a hundredth of it"`
	Generalize     *float64                  `json:"generalize,omitempty" minimum:"0" maximum:"10000" doc:"metres by which outlines may be moved to have fewer points; by default the engine's choice"`
	Reverse        bool                      `json:"reverse,omitempty" doc:"from where the place is within reach"`
	ShowLocations  bool                      `json:"show_locations,omitempty" doc:"adds the place as it was given (type input) and on the road (type snapped)"`
	Format         string                    `json:"format,omitempty" enum:"geojson,json"`
	ID             string                    `json:"id,omitempty" maxLength:"256" doc:"echoed"`

	Bends
	Units    any `json:"units,omitempty" doc:"without effect: distances are kilometres"`
	Options  any `json:"directions_options,omitempty" doc:"without effect"`
	Language any `json:"language,omitempty" doc:"without effect"`
}

// IsochroneContour is one outline that is wanted; with time and distance two.
type IsochroneContour struct {
	Time     *float64 `json:"time,omitempty" exclusiveMinimum:"0" maximum:"120" doc:"minutes"`
	Distance *float64 `json:"distance,omitempty" exclusiveMinimum:"0" maximum:"200" doc:"kilometres along the roads"`
	Color    string   `json:"color,omitempty" pattern:"^#?[0-9a-fA-F]{6}$"`
}

// IsochroneAnswer is a GeoJSON FeatureCollection.
type IsochroneAnswer struct {
	Type     string             `json:"type" enum:"FeatureCollection"`
	Features []IsochroneFeature `json:"features" doc:"outlines, the larger first, then the locations where they were asked for"`
	ID       string             `json:"id,omitempty"`
	Warnings []AnswerWarning    `json:"warnings,omitempty"`
}

// IsochroneFeature is one outline or location.
type IsochroneFeature struct {
	Type       string              `json:"type" enum:"Feature"`
	Properties IsochroneProperties `json:"properties"`
	Geometry   map[string]any      `json:"geometry" doc:"Polygon, MultiPolygon or LineString; Point or MultiPoint of a location. Outer rings run counter-clockwise, holes clockwise."`
}

// IsochroneProperties tell a contour and how to draw it, or a location.
type IsochroneProperties struct {
	Contour       float64 `json:"contour,omitempty" doc:"minutes or kilometres"`
	Metric        string  `json:"metric,omitempty" enum:"time,distance"`
	Color         string  `json:"color,omitempty"`
	Fill          string  `json:"fill,omitempty"`
	FillColor     string  `json:"fillColor,omitempty"`
	Opacity       float64 `json:"opacity,omitempty"`
	FillOpacity   float64 `json:"fillOpacity,omitempty"`
	FillOpacity2  float64 `json:"fill-opacity,omitempty"`
	Type          string  `json:"type,omitempty" enum:"input,snapped"`
	LocationIndex int     `json:"location_index,omitempty"`
}

func isochroneDoc() edge.Doc {
	return edge.Doc{
		Summary: "What is within reach of a place",
		Description: "Outlines what can be reached within times (up to 120 minutes) or distances (up to 200 km), up to four contours a call, as GeoJSON. " +
			"The outline encloses the roads on which the cheapest way is within the limit, and the land beside them. " +
			"A date_time is that of setting out or, with reverse, of arrival (a remote engine may know the first only); waiting for what opens counts as time, and is not done for a distance.",
		Tags: []string{"analysis"},
		Body: reflect.TypeFor[IsochroneRequest](), Answers: []edge.Answer{{Type: reflect.TypeFor[IsochroneAnswer](), Open: true}},
	}
}

func answerIsochrone(w http.ResponseWriter, r *http.Request) error {
	current, err := edge.WorldOf(r.Context())
	if err != nil {
		return err
	}
	doc, err := object(r)
	if err != nil {
		return err
	}
	service := &isochrone.Service{Engine: current.Engine(), Bounds: current.Bounds()}
	req, err := service.Read(doc)
	if err != nil {
		return err
	}
	here, err := current.At(req.Isochrone.Location.Point)
	if err != nil {
		return err
	}
	service.Engine, service.Bounds = here.Engine, here.Bounds
	if err := reserve(r.Context(), req.Isochrone.Costing); err != nil {
		return err
	}
	answer, warnings, err := service.Answer(r.Context(), req)
	if err != nil {
		return err
	}
	blocks := told(warnings)
	for i := range blocks {
		blocks[i].First = true
	}
	return write(w)(native.WriteIsochrone(&req.Isochrone, answer, blocks...))
}
