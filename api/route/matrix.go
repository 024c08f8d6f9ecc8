package route

import (
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/matrix"
)

// matrices are limited in their size.
type matrices struct{ cells int }

// MatrixRequest describes POST /matrix in OpenAPI; the feature reads the body.
type MatrixRequest struct {
	Sources        []RouteLocation           `json:"sources,omitempty" minItems:"1" doc:"where ways begin"`
	Targets        []RouteLocation           `json:"targets,omitempty" minItems:"1" doc:"where ways end"`
	Locations      []RouteLocation           `json:"locations,omitempty" minItems:"1" doc:"instead of both: all ways between these"`
	Costing        string                    `json:"costing" enum:"auto,truck,bus,motor_scooter,motorcycle,bicycle,pedestrian" doc:"way of travel"`
	CostingOptions map[string]map[string]any `json:"costing_options,omitempty" doc:"options by costing, as of POST /route"`
	ID             string                    `json:"id,omitempty" maxLength:"256" doc:"accepted"`

	Bends
	MatrixLocations any `json:"matrix_locations,omitempty" doc:"a 501 on engines that cannot honour it"`
	Bidirectional   any `json:"prioritize_bidirectional,omitempty" doc:"passed to a remote engine"`
	Units           any `json:"units,omitempty" doc:"without effect: distances are metres"`
	Verbose         any `json:"verbose,omitempty" doc:"without effect: there is one form"`
	ShapeFormat     any `json:"shape_format,omitempty" doc:"without effect: there are no shapes"`
	Options         any `json:"directions_options,omitempty" doc:"without effect"`
	Language        any `json:"language,omitempty" doc:"without effect"`
	Format          any `json:"format,omitempty" doc:"without effect"`
}

// MatrixAnswer is a matrix.
type MatrixAnswer struct {
	Durations   [][]*float64      `json:"durations" doc:"seconds of the cheapest way, a row for each source; null where there is none"`
	Distances   [][]*float64      `json:"distances" doc:"metres of the same way"`
	Sources     []SnappedPosition `json:"sources" doc:"on the road; null where no usable road is near"`
	Targets     []SnappedPosition `json:"targets" doc:"on the road; null where no usable road is near"`
	Unreachable []UnreachableCell `json:"unreachable" doc:"every null cell"`
	Warnings    []AnswerWarning   `json:"warnings,omitempty" doc:"906 tells why a location has no road"`
}

// SnappedPosition is a location on the road, null where there is none near.
type SnappedPosition struct {
	_   struct{} `nullable:"true"`
	Lat float64  `json:"lat"`
	Lon float64  `json:"lon"`
}

// UnreachableCell is a cell without a way.
type UnreachableCell struct {
	Source int    `json:"source" doc:"index"`
	Target int    `json:"target" doc:"index"`
	Reason string `json:"reason" enum:"no road near the source,no road near the target,no way between them"`
}

func matrixDoc() edge.Doc {
	return edge.Doc{
		Summary: "Times and distances between many places",
		Description: "Works out the cheapest way from every source to every target. A location without a usable road near it, or a pair without a way, " +
			"has null cells and stands in unreachable with the reason; the request fails only where no source or no target has a road (400 upstream-error, error_code 171). " +
			"The number of cells is limited (250,000 unless the deployment says otherwise); a larger matrix is a 400 that names the limit. " +
			"A time of departure is that of every source, one of arrival that of every target; durations hold what has to be waited for. " +
			"A call costs the same whatever the size; for a truck it is Premium.",
		Tags: []string{"analysis"},
		Body: reflect.TypeFor[MatrixRequest](), Answers: []edge.Answer{{Type: reflect.TypeFor[MatrixAnswer]()}},
	}
}

func (m matrices) matrix(w http.ResponseWriter, r *http.Request) error {
	current, err := edge.WorldOf(r.Context())
	if err != nil {
		return err
	}
	doc, err := object(r)
	if err != nil {
		return err
	}
	service := &matrix.Service{Engine: current.Engine(), Bounds: current.Bounds(), Cells: m.cells}
	req, err := service.Read(doc)
	if err != nil {
		return err
	}
	here, err := current.At(req.Matrix.Points()...)
	if err != nil {
		return err
	}
	service.Engine, service.Bounds = here.Engine, here.Bounds
	if err := reserve(r.Context(), req.Matrix.Costing); err != nil {
		return err
	}
	answer, err := service.Answer(r.Context(), req)
	if err != nil {
		return err
	}
	return edge.Send(w, answer)
}

// object reads a body that is one JSON object.
func object(r *http.Request) (doc map[string]json.RawMessage, err error) {
	body, err := edge.Body(r)
	if err != nil {
		return nil, err
	}
	return directions.Object(body)
}
