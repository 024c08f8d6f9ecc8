// Package along is the endpoints about what lies along a route.
package along

import (
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/places"
)

// Deps is what the endpoints need.
type Deps struct {
	Places *places.Service // of callers
}

// Rows are the endpoints.
func Rows(d Deps) []edge.Row {
	return []edge.Row{
		edge.On(edge.Row{Method: http.MethodPost, Path: "/route/along", Auth: edge.Keyed, Class: edge.StandardOrPremium, Needs: edge.Need{Call: engine.CallMatrix, Name: "along"}, Doc: doc}, service{d.Places}.answer),
	}
}
