// Package plan is the endpoints that plan with places: errands on the way.
package plan

import (
	"net/http"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
)

// Deps is what the endpoints need.
type Deps struct {
	Now func() time.Time
}

// Rows are the endpoints.
func Rows(d Deps) []edge.Row {
	return []edge.Row{
		edge.On(edge.Row{Method: http.MethodPost, Path: "/v1/errands/plan", Auth: edge.Keyed, Class: edge.Standard, Units: 10, Needs: edge.Need{Call: engine.CallMatrix, Name: "errands"}, Doc: errandsDoc}, chain{d.Now}.plan),
	}
}
