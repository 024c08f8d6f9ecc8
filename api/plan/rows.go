// Package plan is the endpoints that plan with places, and verify plans of others:
// errands on the way, claims of where somebody is when.
package plan

import (
	"net/http"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/world"
)

// Deps is what the endpoints need.
type Deps struct {
	Geocoder func(*world.World) *geocode.Geocoder // of the deployment
	Now      func() time.Time

	MatrixCells int // most of one matrix
}

// mostBody is how many bytes a body of many stops and territories may have, from
// who sends a key.
const mostBody = 8 << 20

// Rows are the endpoints.
func Rows(d Deps) []edge.Row {
	const post = http.MethodPost
	v := claims{d.Geocoder, d.Now}
	return []edge.Row{
		edge.On(edge.Row{Method: post, Path: "/v1/errands/plan", Auth: edge.Keyed, Class: edge.Standard, Units: 10, Needs: edge.Need{Call: engine.CallMatrix, Name: "errands"}, Doc: errandsDoc}, chain{d.Now}.plan),
		edge.On(edge.Row{Method: post, Path: "/v1/cluster", Auth: edge.Keyed, Class: edge.Standard, MaxBody: mostBody, Doc: clusterDoc}, clusters{d.MatrixCells}.divide),
		edge.On(edge.Row{Method: post, Path: "/verify", Auth: edge.Keyed, Class: edge.PerCheck, Doc: verifyDoc}, v.keyed),
		edge.On(edge.Row{Method: post, Host: edge.Website, Path: "/api/verify", Auth: edge.Public, Keyless: true, Class: edge.Free, Doc: verifyDemoDoc}, v.keyless),
	}
}
