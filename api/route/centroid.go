package route

import (
	"net/http"
	"reflect"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/centroid"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/wire/native"
)

// CentroidRequest asks where travellers meet.
type CentroidRequest struct {
	Locations      []RouteLocation           `json:"locations" minItems:"2" maxItems:"10" doc:"where each sets out"`
	Costing        string                    `json:"costing" enum:"auto,truck,bus,motor_scooter,motorcycle,bicycle,pedestrian"`
	CostingOptions map[string]map[string]any `json:"costing_options,omitempty" doc:"options by costing, as on POST /route"`
	Units          string                    `json:"units,omitempty" enum:"kilometers,km,miles,mi"`
	Language       string                    `json:"language,omitempty" doc:"BCP 47 tag of the narration; the embedded engine words it in {languages}, takes the nearest for any other and says so"`
	DirectionsType string                    `json:"directions_type,omitempty" enum:"none,maneuvers,instructions"`
	ShapeFormat    string                    `json:"shape_format,omitempty" enum:"polyline6,polyline5,geojson,no_shape"`
	ID             string                    `json:"id,omitempty" maxLength:"256" doc:"echoed"`
	DateTime       *RouteTime                `json:"date_time,omitempty" doc:"passed to a remote engine; a 501 on the embedded one"`
	Exclusions
}

// CentroidAnswer is one route for each location, all to the meeting point.
type CentroidAnswer struct {
	Trip       Trip            `json:"trip" doc:"from the first location; its last location is the meeting point"`
	Alternates []CentroidOther `json:"alternates,omitempty" doc:"from the other locations, in order"`
	ID         string          `json:"id,omitempty"`
	Warnings   []AnswerWarning `json:"warnings,omitempty"`
}

// CentroidOther is the route of another location.
type CentroidOther struct {
	Trip Trip `json:"trip"`
}

func centroidDoc() edge.Doc {
	return edge.Doc{
		Summary: "Find where travellers meet",
		Description: "The point that costs all travellers together the least, and the route of each to it, in the form of Valhalla's centroid: trip for the first location, " +
			"alternates for the others. The point is a junction or one of the locations, found exactly; of equals the one whose dearest route is the cheapest. " +
			"A remote engine may choose by another rule, which a warning (906) tells. 501 where the routing engine cannot do it.",
		Tags: []string{"routing"},
		Body: reflect.TypeFor[CentroidRequest](), Answers: []edge.Answer{{Type: reflect.TypeFor[CentroidAnswer](), Open: true}},
	}
}

func answerCentroid(w http.ResponseWriter, r *http.Request) error {
	current, err := edge.WorldOf(r.Context())
	if err != nil {
		return err
	}
	body, err := edge.Body(r)
	if err != nil {
		return err
	}
	p, err := reader(current).Places(body, directions.Quest{Least: centroid.MinLocations, Most: centroid.MaxLocations, Costing: true, Narrated: true, Bending: centroid.Bending()})
	if err != nil {
		return err
	}
	here, err := current.At(p.Route.Points()...)
	if err != nil {
		return err
	}
	if err := reserve(r.Context(), p.Route.Costing); err != nil {
		return err
	}
	answer, err := here.Engine.Centroid(r.Context(), &p.Route)
	if err != nil {
		return err
	}
	return write(w)(native.WriteRoute(&p.Route, answer, told(slices.Concat(p.Warnings, answer.Warnings))...))
}
