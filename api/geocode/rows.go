// Package geocode is the endpoints that find places by what people type and by
// where they are.
package geocode

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/geocode"
)

// Deps is what the endpoints need.
type Deps struct {
	Service    *geocode.Service
	Selections *geocode.Selections
}

// suggestions a day are free, over all keys of an account.
var suggestions = edge.Allowance{Name: "suggest", PerDay: 5000}

// Rows are the endpoints.
func Rows(d Deps) []edge.Row {
	const get, post = http.MethodGet, http.MethodPost
	const keyed, standard = edge.Keyed, edge.Standard
	g := geocoder{d.Service, d.Selections, make(chan struct{}, batchesAtOnce)}
	return []edge.Row{
		edge.On(edge.Row{Method: get, Path: "/geocode", Auth: keyed, Maps: true, Class: standard, Doc: forwardDoc}, g.forward),
		edge.On(edge.Row{Method: post, Path: "/geocode", Auth: keyed, Maps: true, Class: standard, Extra: true, Doc: structuredDoc}, g.structured),
		edge.On(edge.Row{Method: get, Path: "/geocode/reverse", Auth: keyed, Class: standard, Doc: reverseDoc}, g.reverse),
		edge.On(edge.Row{Method: get, Path: "/geocode/suggest", Auth: keyed, Maps: true, Class: edge.FreeThenStandard, Allowance: suggestions, Doc: suggestDoc}, g.suggest),
		edge.On(edge.Row{Method: get, Path: "/geocode/retrieve", Auth: keyed, Maps: true, Class: standard, Doc: retrieveDoc}, g.retrieve),
		edge.On(edge.Row{Method: get, Path: "/geocode/selection", Auth: keyed, Keyless: true, Maps: true, Class: edge.Free, Status: http.StatusNoContent, Doc: selectionDoc}, g.selection),
		edge.On(edge.Row{Method: post, Path: "/geocode/batch", Auth: keyed, Class: edge.StandardEach, Doc: batchDoc}, g.batch),
	}
}

// batchesAtOnce is how many batches are answered at once: each keeps a core busy
// for as long as it takes.
const batchesAtOnce = 2

// geocoder answers by the indexes of the regions in service, or as its service is
// set to.
type geocoder struct {
	service    *geocode.Service
	selections *geocode.Selections
	batches    chan struct{} // holds a token for each that is answered
}

// on is the geocoder for one request.
func (g geocoder) on(ctx context.Context) (*geocode.Geocoder, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		if here := g.service.With(nil); here.Name() != "" {
			return here, nil
		}
		return nil, err
	}
	return g.service.With(Sources(w)), nil
}
