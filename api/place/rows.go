// Package place is the endpoints about places as callers give them: coordinates
// and what is wrong with the map there.
package place

import (
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/feedback"
)

// Deps is what the endpoints need.
type Deps struct{ Feedback *feedback.Service }

// Rows are the endpoints.
func Rows(d Deps) []edge.Row {
	const get, post = http.MethodGet, http.MethodPost
	const keyed, standard = edge.Keyed, edge.Standard
	return []edge.Row{
		edge.On(edge.Row{Method: post, Path: "/geodata/validate", Auth: keyed, Class: standard, Doc: validateDoc}, validate),
		edge.On(edge.Row{Method: get, Path: "/coordinates/transform", Auth: keyed, Class: standard, Doc: transformDoc}, transform),
		edge.On(edge.Row{Method: get, Path: "/coordinates/crs", Auth: keyed, Class: standard, Doc: crsDoc}, crs),

		edge.On(edge.Row{Method: post, Path: "/map-issues", Auth: keyed, Class: standard, Status: http.StatusCreated, Doc: mapIssueDoc}, issues{d.Feedback}.report),
	}
}
